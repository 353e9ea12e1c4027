"""Imports what takes long, in less time.

nbformat and nbgrader import jsonschema, which builds the grammar of internationalised addresses from `rfc3987_syntax`
when it finds that package: more than a second, for a check that no schema of theirs asks for. So it must not find it.
"""

import sys

GRAMMAR = "rfc3987_syntax"


def import_jsonschema() -> None:
    """Import it without the grammar, unless one of them is there already."""
    if GRAMMAR in sys.modules or "jsonschema" in sys.modules:
        return
    sys.modules[GRAMMAR] = None  # what Python takes for "there is none"
    try:
        import jsonschema  # noqa: F401
    finally:
        del sys.modules[GRAMMAR]
