"""One script or style sheet from several: a widget's files may import from files beside and above them.

anywidget sends a widget's module and its styles to the browser as one string each, and a string has no neighbours to
import from. So the text of a neighbour takes the place of the line that first imports it; a neighbour that two files
import stands there once. This keeps each file a module of its own, which Node can test, without a bundler. Left out on
purpose: renaming, circles of imports, packages.
"""

import re
from pathlib import Path

_IMPORT = re.compile(r'^(?:import \{[^}]*\} from|@import) "(\.\.?/[\w./]+)";\n', re.MULTILINE)


def join_module(path: Path) -> str:
    """The text of the JavaScript or CSS file at `path` with its neighbours' text in place of its imports."""
    joined = set()

    def text_of(file: Path) -> str:
        if file in joined:
            return ""
        joined.add(file)
        beside = file.parent
        return _IMPORT.sub(lambda line: text_of((beside / line[1]).resolve()), file.read_text(encoding="utf-8"))

    return text_of(path.resolve())
