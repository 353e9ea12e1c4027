"""Marking by hand, question by question: recorded answers go in; out come points and comments in nbgrader's gradebook.

A page in the browser, at /autograder/mark behind JupyterLab's login, or by `autograder mark` on a server of its own.
Read on in this order: `questions` (what is asked, its rubric, and everybody's answers), `drawing` (answers as HTML in
which nothing acts), `saved` (comments to use again), `giving` (one mark), `answering` (what every page and request
has), `handlers` (each of them), `serving` (the server).
"""

__all__ = ["serving"]


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    """What Jupyter's server asks of an extension that a file in jupyter_server_config.d names."""
    return [{"module": "autograder.marking"}]


def _load_jupyter_server_extension(serverapp) -> None:
    from autograder.marking.handlers import add_to

    add_to(serverapp)
