"""The words and the plain table beside a widget's view, for untrusted notebooks, feedback and print.

A widget's view lives as long as its kernel. Where a saved notebook is opened again, JupyterLab would show an error in
its place; so a sentence is shown behind each widget, which a view that lives hides, and which hides that error.
"""

from html import escape

import anywidget
from IPython.display import publish_display_data

AGAIN = """<p class="unr-again">To touch this picture, run this cell again.</p><style>
.unr-again { animation: unr-wait 4s step-end; }
@keyframes unr-wait { from { visibility: hidden; } }
:is(.jp-OutputArea, .cell_container, #output-area):has(.unr) .unr-again { display: none; }
.jp-OutputArea:has(.unr-again) :is([data-mime-type*="widget-view"], .jupyter-widgets):not(:has(*)) { display: none; }
</style>"""


class TabledWidget(anywidget.AnyWidget):
    """A widget that also says in words, and in a table, what its view shows."""

    def _beside(self) -> tuple[str, str]:
        """One line of plain text, and a table as HTML."""
        raise NotImplementedError

    def _repr_mimebundle_(self, **kwargs):
        bundle = super()._repr_mimebundle_(**kwargs)
        if bundle is None:
            return None
        data, metadata = bundle
        data["text/plain"], data["text/html"] = self._beside()
        return data, metadata

    def _ipython_display_(self):
        bundle = self._repr_mimebundle_()
        if bundle is not None:
            publish_display_data(*bundle)
            publish_display_data({"text/html": AGAIN, "text/plain": ""})


def html_table(caption: str, head: list[str], rows: list[list[str]]) -> str:
    """A table as HTML, every text escaped; the first cell of each row is its heading."""
    columns = "".join(f'<th scope="col">{escape(cell)}</th>' if cell else "<th></th>" for cell in head)
    top = f"<caption>{escape(caption)}</caption><thead><tr>{columns}</tr></thead>"
    return f"<table>{top}<tbody>{''.join(map(_row, rows))}</tbody></table>"


def _row(cells: list[str]) -> str:
    heading, *rest = map(escape, cells)
    return f'<tr><th scope="row">{heading}</th>' + "".join(f"<td>{cell}</td>" for cell in rest) + "</tr>"
