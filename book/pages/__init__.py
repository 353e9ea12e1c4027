"""The pages of the book that are no unit, made from what the course itself keeps.

`write_pages` writes them into the folder that Jupyter Book reads, and `PAGES` names them. Read `writing` first: each
page is a Markdown text beside it, with what is made in double braces. Then `front` (the page with a live widget),
`unit_map`, `ladder` and `drawings` (results, as tables and figures), `words` (notation and glossary, from their two
tables) and `guides` (what the repository's own guides say). `book.source` writes the page on data from the registry;
`data_tail` is what stands below that.
"""

from book.pages.writing import GUIDES, TEXTS, data_tail, write_pages

PAGES = ["index", *TEXTS, "data", "search"]

__all__ = ["GUIDES", "PAGES", "data_tail", "write_pages"]
