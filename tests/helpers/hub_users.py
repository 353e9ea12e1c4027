"""A class on a real JupyterHub: the Hub's REST interface, and each user's server as its pages use it."""

import contextlib
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import requests
from websocket import create_connection

ROOT = Path(__file__).parents[2]
STARTS = 120  # seconds, on a machine with other work, too


class Server:
    """One user's server, reached with that user's own token."""

    def __init__(self, address: str, user: str, token: str):
        self.address, self.user = f"{address}/user/{user}", user
        self.headers = {"Authorization": f"token {token}"}
        self._kernel = None

    def ask(self, method: str, path: str, **what) -> requests.Response:
        """Whatever comes back, an error's answer, too."""
        return requests.request(method, f"{self.address}/{path}", headers=self.headers, timeout=120, **what)

    def assignments(self, action: str, unit: str) -> list[dict]:
        """fetch, submit or fetch_feedback: a click in nbgrader's list. What the list shows after it."""
        asked = {"course_id": "unrolled", "assignment_id": unit}
        answer = self.ask("POST", f"assignments/{action}", json=asked).json()
        assert answer["success"], answer["value"]
        return answer["value"]

    def save(self, path: str, notebook: dict) -> None:
        answer = self.ask("PUT", f"api/contents/{path}", json={"type": "notebook", "content": notebook})
        assert answer.status_code == 200, answer.text

    def text(self, path: str) -> str:
        answer = self.ask("GET", f"api/contents/{path}", params={"type": "file", "format": "text"})
        assert answer.status_code == 200, answer.text
        return answer.json()["content"]

    def run(self, code: str) -> str:
        """What the code prints in the user's kernel, its error included."""
        if self._kernel is None:
            self._kernel = self.ask("POST", "api/kernels", json={"name": "python3"}).json()["id"]
        place = f"{self.address.replace('http', 'ws', 1)}/api/kernels/{self._kernel}/channels"
        number = uuid.uuid4().hex
        header = {"msg_id": number, "msg_type": "execute_request", "session": "test", "username": "", "version": "5.3"}
        content = {"code": code, "silent": False, "store_history": False, "allow_stdin": False}
        message = {"header": header, "parent_header": {}, "metadata": {}, "content": content, "channel": "shell"}
        socket = create_connection(place, header=self.headers, timeout=STARTS * 5, suppress_origin=True)
        with contextlib.closing(socket):  # one for each run: nobody answers the server's pings in between
            socket.send(json.dumps(message))
            return "".join(_until_idle(socket, number))

    def shell(self, command: str) -> str:
        """A line in the user's terminal; raises AssertionError with all that it said if it fails."""
        folder = "unrolled" if self.user == "teacher" else "."
        how = f"shell=True, capture_output=True, text=True, cwd={folder!r}"
        code = f"import subprocess\ndone = subprocess.run({command!r}, {how})"
        said = self.run(f"{code}\nprint(done.returncode, done.stdout, done.stderr)")
        assert said.startswith("0 "), f"{command}: {said}"
        return said.removeprefix("0 ")


def _until_idle(socket, number: str) -> Iterator[str]:
    """What comes back for one request: its prints, its value, its error."""
    while True:
        message = json.loads(socket.recv())
        kind, content = message["header"]["msg_type"], message["content"]
        if message["parent_header"].get("msg_id") != number:
            continue
        if kind == "stream":
            yield content["text"]
        elif kind in ("execute_result", "display_data"):
            yield content["data"].get("text/plain", "")
        elif kind == "error":
            yield f"{content['ename']}: {content['evalue']}"
        elif kind == "status" and content["execution_state"] == "idle":
            return


class Hub:
    """The running Hub. `apart`: everybody has an account of their own; else `lack` says why not."""

    def __init__(self, folder: Path, address: str, token: str, lack: str):
        self.folder, self.address, self.lack, self.apart = folder, address, lack, not lack
        self._headers = {"Authorization": f"token {token}"}

    def ask(self, method: str, path: str, **what) -> requests.Response:
        return requests.request(method, f"{self.address}/hub/api/{path}", headers=self._headers, timeout=60, **what)

    def as_stranger(self, path: str, headers: dict) -> requests.Response:
        """What somebody with these headers gets of any path."""
        return requests.get(f"{self.address}/{path}", headers=headers, timeout=60, allow_redirects=False)

    def servers(self, *users: str) -> list[Server]:
        """All of them started, at the same time."""
        for user in users:
            assert self.ask("POST", f"users/{user}/server").status_code in (201, 202)
        for _ in range(STARTS * 4):
            if all(self.ask("GET", f"users/{user}").json()["server"] for user in users):
                break
            time.sleep(0.25)
        else:
            raise AssertionError((self.folder / "hub" / "log").read_text())
        return [Server(self.address, user, self._token(user)) for user in users]

    def _token(self, user: str) -> str:
        return self.ask("POST", f"users/{user}/tokens", json={"note": "test"}).json()["token"]


@contextlib.contextmanager
def served(*students: str) -> Iterator[Hub]:
    """`python -m hub` on a free port, in a folder that other accounts can pass through."""
    with tempfile.TemporaryDirectory(prefix="unrolled-hub-", ignore_cleanup_errors=True) as name:
        folder, token = Path(name), uuid.uuid4().hex
        folder.chmod(0o755)
        command = [sys.executable, "-m", "hub", name, "--port", "0", "--students", *students]
        settings = os.environ | {"UNROLLED_HUB_TOKEN": token}
        process = subprocess.Popen(command, cwd=ROOT, env=settings, stdout=subprocess.PIPE, text=True)
        try:
            told = [process.stdout.readline()]
            lack = told[0].strip() if told[0].startswith("Nobody") else ""
            address = re.search(r"http://\S+", told[0] if not lack else process.stdout.readline())[0]
            hub = Hub(folder, address, token, lack)
            _answers(hub, process)
            yield hub
        finally:
            process.terminate()
            process.wait(60)
            process.stdout.close()


def _answers(hub: Hub, process: subprocess.Popen) -> None:
    log = hub.folder / "hub" / "log"
    for _ in range(STARTS * 4):
        assert process.poll() is None, log.read_text()
        with contextlib.suppress(requests.ConnectionError):
            if hub.ask("GET", "users").status_code == 200:
                return
        time.sleep(0.25)
    raise AssertionError(log.read_text())
