"""The words and the plain table beside a widget's view, for untrusted notebooks, feedback and print."""

from html import escape

import anywidget


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


def html_table(caption: str, head: list[str], rows: list[list[str]]) -> str:
    """A table as HTML, every text escaped; the first cell of each row is its heading."""
    columns = "".join(f'<th scope="col">{escape(cell)}</th>' if cell else "<th></th>" for cell in head)
    top = f"<caption>{escape(caption)}</caption><thead><tr>{columns}</tr></thead>"
    return f"<table>{top}<tbody>{''.join(map(_row, rows))}</tbody></table>"


def _row(cells: list[str]) -> str:
    heading, *rest = map(escape, cells)
    return f'<tr><th scope="row">{heading}</th>' + "".join(f"<td>{cell}</td>" for cell in rest) + "</tr>"
