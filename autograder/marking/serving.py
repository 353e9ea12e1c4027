"""A server for the marking pages alone: Jupyter's own, with a token, and without kernels, terminals and contents.

It listens on this machine only, whatever Jupyter's settings say. Behind JupyterLab no such server is needed. Who is
logged in is so until this server ends, since nobody else knows what its cookies are signed with.
"""

import logging
import secrets
from collections.abc import Callable

from jupyter_server.serverapp import ServerApp
from traitlets import default

from autograder.course import Assignment, Trouble
from autograder.marking.answering import ROOT
from autograder.marking.questions import questions

PACKAGE = "autograder.marking"
HERE_ONLY = ("--ServerApp.ip=127.0.0.1", "--ServerApp.allow_remote_access=False", "--ServerApp.allow_origin=")


class MarkingServer(ServerApp):
    """Serves one extension, and of Jupyter's own services only login and shutdown."""

    default_services = ("auth", "security", "shutdown")

    @default("log_level")
    def _default_log_level(self) -> str:
        return "WARN"

    def find_server_extensions(self) -> None:
        """Others that are installed stay out."""
        self.jpserver_extensions = {PACKAGE: True}


def serve(assignment: Assignment, port: int, browser: bool, say: Callable[[str], None]) -> None:
    """Serves the pages until it is stopped. Raises Trouble where the unit has nothing to mark."""
    those = questions(assignment)
    if not any(asked.places for asked in those):
        name = assignment.name
        raise Trouble(f"{name} has no written answer to mark: `autograder grade {name}` records what was handed in.")
    place, token = f"{ROOT}/{assignment.name}", secrets.token_hex(24)
    server = MarkingServer.instance()
    server.initialize(
        [
            *(*HERE_ONLY, "--allow-root", "--ServerApp.answer_yes=True"),
            *(f"--ServerApp.port={port}", f"--ServerApp.open_browser={browser}"),
            *(f"--ServerApp.root_dir={assignment.course.root}", f"--ServerApp.default_url={place}"),
            f"--IdentityProvider.token={token}",  # given, so that Jupyter does not print it, too
            f"--ServerApp.cookie_secret={secrets.token_hex(32)}",  # else one of a file, and logins outlive the server
        ]
    )
    _keep_to_itself(server, token)
    waiting = sum(len(asked.places) - asked.marked for asked in those)
    say(f"{waiting} answer{' waits' if waiting == 1 else 's wait'} for a mark. Ctrl+C stops the server.")
    say(f"Open http://127.0.0.1:{server.port}{server.base_url.rstrip('/')}{place}?token={token}")
    server.start()


def _keep_to_itself(server: MarkingServer, token: str) -> None:
    """The login goes to no other server of this machine that another page leads to, and the token into no log.

    A browser sends cookies of 127.0.0.1 to each of its ports, so Strict: not where a page from elsewhere leads there.
    """
    server.identity_provider.cookie_name = f"autograder-mark-{secrets.token_hex(8)}"
    server.identity_provider.cookie_options = {"samesite": "Strict", "expires_days": None}  # until the browser ends
    for handler in server.log.handlers:
        handler.addFilter(_Without(token))


class _Without(logging.Filter):
    """Log lines without a word that is secret: addresses of requests carry it."""

    def __init__(self, word: str):
        super().__init__()
        self._word = word

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = record.getMessage().replace(self._word, "[secret]"), ()
        return True
