"""A server for the marking pages alone: Jupyter's own, with its token, and without kernels, terminals and files.

It listens on this machine only, whatever Jupyter's settings say. Behind JupyterLab no such server is needed.
"""

from jupyter_server.extension.manager import ExtensionManager
from jupyter_server.serverapp import ServerApp
from traitlets import default

from autograder.course import Assignment, Trouble
from autograder.marking.handlers import ROOT
from autograder.marking.questions import questions

PACKAGE = "autograder.marking"
PORT = 8899


class MarkingServer(ServerApp):
    """Serves one extension, and of Jupyter's own services only login and shutdown."""

    default_services = ("auth", "security", "shutdown")

    @default("log_level")
    def _default_log_level(self) -> str:
        return "WARN"

    def find_server_extensions(self) -> None:
        """Others that are installed stay out."""
        self.extension_manager = ExtensionManager(log=self.log, serverapp=self)
        self.extension_manager.from_jpserver_extensions({PACKAGE: True})


def serve(assignment: Assignment, port: int = PORT, browser: bool = True, say=print) -> None:
    """Serves the pages until it is stopped. Raises Trouble where the unit has nothing to mark."""
    those = questions(assignment)
    if not any(asked.places for asked in those):
        name = assignment.name
        raise Trouble(f"{name} has no written answer to mark: `autograder grade {name}` records what was handed in.")
    place = f"{ROOT}/{assignment.name}"
    arguments = [
        *("--ServerApp.ip=127.0.0.1", "--ServerApp.allow_remote_access=False", "--allow-root"),
        *(f"--ServerApp.root_dir={assignment.course.root}", f"--ServerApp.default_url={place}"),
        *(f"--ServerApp.port={port}", f"--ServerApp.open_browser={browser}", "--ServerApp.allow_origin="),
    ]
    server = MarkingServer.instance()
    server.initialize(arguments)
    waiting = sum(len(asked.places) - asked.marked for asked in those)
    say(f"{waiting} answer{' waits' if waiting == 1 else 's wait'} in {assignment.name}. Open {address(server, place)}")
    say("Ctrl+C stops the server; every mark is in the gradebook as soon as it is given.")
    server.start()


def address(server: ServerApp, place: str) -> str:
    """With the token, where there is one."""
    token = server.identity_provider.token
    return f"http://127.0.0.1:{server.port}{server.base_url.rstrip('/')}{place}{f'?token={token}' if token else ''}"
