"""What `jupyterhub --config` reads; the plan beside it in UNROLLED_HUB says who and where. Loopback alone.

Everybody gets a home and, where root serves, an account of their own. Students' servers see the package `unrolled`,
and neither formgrader nor the grader. The teacher's server works in the teacher's clone.
"""

import json
import os
import sys
from pathlib import Path

c = get_config()  # noqa: F821  (traitlets puts it here)
plan = json.loads(Path(os.environ["UNROLLED_HUB"]).read_text(encoding="utf-8"))
folder, teacher = Path(plan["folder"]), "teacher"

# Addresses: one for browsers, two that the Hub and its proxy use between themselves.
hub_port, proxy_port = plan["inner_ports"]
c.JupyterHub.bind_url = f"http://127.0.0.1:{plan['port']}"
c.JupyterHub.hub_bind_url = f"http://127.0.0.1:{hub_port}"
c.ConfigurableHTTPProxy.api_url = f"http://127.0.0.1:{proxy_port}"
c.ConfigurableHTTPProxy.command = ["node", plan["proxy"]]
c.JupyterHub.db_url = f"sqlite:///{folder}/hub/jupyterhub.sqlite"
c.JupyterHub.cookie_secret_file = f"{folder}/hub/cookie_secret"
c.ConfigurableHTTPProxy.pid_file = f"{folder}/hub/proxy.pid"

# Who may come in. One password for all students is for trials on loopback: a real server asks a school's own login.
c.JupyterHub.authenticator_class = "shared-password"
c.SharedPasswordAuthenticator.user_password = plan["passwords"]["students"]
c.SharedPasswordAuthenticator.admin_password = plan["passwords"][teacher]
c.Authenticator.allowed_users = {*plan["students"], teacher}
c.Authenticator.admin_users = {teacher}
# nbgrader's JupyterHubAuthPlugin, where a server has several courses, reads these groups.
c.JupyterHub.load_groups = {
    "nbgrader-unrolled": {"users": plan["students"]},
    "formgrade-unrolled": {"users": [teacher]},
}
if plan["token"]:  # a script's, as the test's
    c.JupyterHub.services = [{"name": "script", "api_token": plan["token"]}]
    scopes = ["admin:users", "admin:servers", "tokens", "access:servers"]
    c.JupyterHub.load_roles = [{"name": "script", "services": ["script"], "scopes": scopes}]

# Their servers.
c.JupyterHub.spawner_class = "jupyterhub.spawner.LocalProcessSpawner" if plan["apart"] else "simple"
c.SimpleLocalProcessSpawner.home_dir_template = f"{folder}/home/{{username}}"
c.Spawner.cmd = [sys.executable, "-m", "jupyterhub.singleuser"]
c.Spawner.args = [] if plan["apart"] or os.geteuid() else ["--allow-root"]
c.Spawner.http_timeout = c.Spawner.start_timeout = 90
c.Spawner.env_keep = ["PATH", "LANG", "LC_ALL", "OMP_NUM_THREADS"]


def settle(spawner) -> None:
    """Each server's own settings, and where it begins."""
    is_teacher, home = spawner.user.name == teacher, folder / "home" / spawner.user.name
    course = home / "unrolled" if is_teacher else folder
    spawner.notebook_dir = str(course if is_teacher else home)
    spawner.environment = {
        "JUPYTER_CONFIG_PATH": f"{folder}/etc/{'teacher' if is_teacher else 'students'}:{folder}/etc/all",
        "PYTHONPATH": f"{course}:{course}/course" if is_teacher else f"{folder}/course",
    }


c.Spawner.pre_spawn_hook = settle
