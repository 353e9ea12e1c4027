"""``python -m hub FOLDER``: serve a class of several users on this machine's loopback, until Ctrl-C.

    python -m hub /srv/unrolled-trial
    python -m hub /srv/unrolled-trial --students ada bruno chiara --port 8000
    python -m hub /srv/unrolled-trial --dry-run

FOLDER lies outside the clone, which students must not see. Exit codes: 0 done, 2 could not be done.
"""

import argparse
import os
import pwd
import re
import shutil
import signal
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from hub import apart, ground

NAME = re.compile(r"[a-z][a-z0-9-]{0,30}")


def main(arguments: list[str] | None = None) -> int:
    options = parse(arguments)
    folder = options.folder.resolve()
    if problem := wrong(folder, options.students):
        print(f"hub: {problem}", file=sys.stderr)
        return 2
    lack = apart.lacking(folder)
    if lack:
        print(f"Nobody is kept from another's files here: {lack}.")
    if options.dry_run:
        accounts = "one account" if lack else "accounts of their own"
        print(f"Would serve {ground.TEACHER} and {', '.join(options.students)} from {folder}, with {accounts}.")
        return 0
    plan = ground.plan(folder, options.students, not lack, options.port, os.environ.get("UNROLLED_HUB_TOKEN", ""))
    server = start(plan)
    print(f"http://127.0.0.1:{plan.port}  {ground.TEACHER}: {plan.passwords[ground.TEACHER]}", flush=True)
    print(f"students ({', '.join(plan.students)}): {plan.passwords['students']}", flush=True)
    return wait(server, folder)


def parse(arguments: list[str] | None) -> argparse.Namespace:
    how = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser("python -m hub", description=__doc__, formatter_class=how)
    parser.add_argument("folder", type=Path, help="homes, exchange and the Hub's own files; made if it is not there")
    parser.add_argument("--students", nargs="+", default=["ada", "bruno", "chiara"], help="names of accounts")
    parser.add_argument("--port", type=int, default=8000, help="of 127.0.0.1; 0: any that is free")
    parser.add_argument("--dry-run", action="store_true", help="say what would be served, and make nothing")
    return parser.parse_args(arguments)


def wrong(folder: Path, students: list[str]) -> str | None:
    """What the user must mend first, in one line."""
    if folder.is_relative_to(ground.ROOT) or ground.ROOT.is_relative_to(folder):
        return f"{folder} and the clone must not lie in each other: name a folder elsewhere, as /srv/unrolled-trial"
    if odd := [name for name in students if not NAME.fullmatch(name) or name == ground.TEACHER]:
        return f"{odd[0]!r} cannot be a student's account: small letters, digits and -, and not {ground.TEACHER}"
    if own := [name for name in students if name in {each.pw_name for each in pwd.getpwall()}]:
        return f"{own[0]!r} is an account of this machine already: choose another name for the student"
    if find_spec("jupyterhub") is None:
        return "JupyterHub is not installed: pip install 'unrolled-autograder[hub]', or run make setup"
    if not shutil.which("node") or not (ground.PACKAGES / "configurable-http-proxy").exists():
        return "the Hub's proxy needs node, and npm's configurable-http-proxy: run tools/node_modules.sh"
    return None


def start(plan: ground.Plan) -> subprocess.Popen:
    """Lay the ground and start the Hub. What it says goes into hub/log."""
    folder = Path(plan.folder)
    ground.lay(folder, plan.students)
    config = shutil.copy(Path(__file__).with_name("jupyterhub_config.py"), folder / "hub")
    inner = [str(ground.PYTHON), "-m", "jupyterhub", "--config", str(config)]
    if plan.apart:
        apart.accounts(folder, plan.students)
        inner = apart.command(folder, inner)
    path = f"{ground.PYTHON.parent}{os.pathsep}{os.environ['PATH']}"
    settings = os.environ | {"UNROLLED_HUB": str(plan.write()), "PATH": path}
    settings.pop("UNROLLED_HUB_TOKEN", None)
    with open(folder / "hub" / "log", "w") as log:
        return subprocess.Popen(inner, cwd=folder, env=settings, stdout=log, stderr=log)


def wait(server: subprocess.Popen, folder: Path) -> int:
    """Until the Hub ends, by itself or by Ctrl-C or SIGTERM; everybody's servers end with it."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        ended = server.wait()
    except KeyboardInterrupt:
        server.terminate()
        server.wait()
        return 0
    print(f"hub: the Hub ended by itself (exit {ended}); what it said is in {folder}/hub/log", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
