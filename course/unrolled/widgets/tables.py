"""The plain table beside a widget's view, for untrusted notebooks, feedback and print."""

from html import escape


def html_table(caption: str, head: list[str], rows: list[list[str]]) -> str:
    """A table as HTML, every text escaped; the first cell of each row is its heading."""
    columns = "".join(f'<th scope="col">{escape(cell)}</th>' if cell else "<th></th>" for cell in head)
    top = f"<caption>{escape(caption)}</caption><thead><tr>{columns}</tr></thead>"
    return f"<table>{top}<tbody>{''.join(map(_row, rows))}</tbody></table>"


def _row(cells: list[str]) -> str:
    heading, *rest = map(escape, cells)
    return f'<tr><th scope="row">{heading}</th>' + "".join(f"<td>{cell}</td>" for cell in rest) + "</tr>"
