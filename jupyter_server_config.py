"""Read by JupyterLab when it starts in this folder: the pages for marking by hand, at /autograder/mark."""

from importlib.util import find_spec

c = get_config()  # noqa: F821  (traitlets puts it here)

if find_spec("autograder"):
    c.ServerApp.jpserver_extensions = {"autograder.marking": True}
