"""The same repair inside nbgrader, which has read the notebook already and goes on with the same object."""

from .mending import mend_parsed


def repair(notebook, released) -> list[str]:
    """Mends an nbformat notebook in place against the `released` one; returns one sentence for each repair.

    Raises Unrecognisable, or Unreadable for a notebook beyond all bounds.
    """
    from nbformat import from_dict

    mended = mend_parsed(notebook, released, released)
    notebook.cells = [from_dict(cell) for cell in mended.notebook["cells"]]
    notebook.metadata = from_dict(mended.notebook["metadata"])
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    return mended.repairs


def recognise(notebook, released) -> None:
    """Raises Unrecognisable for a notebook that is not this unit's."""
    mend_parsed(notebook, released, released)
