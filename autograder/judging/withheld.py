"""What a student may see of a hidden check that did not hold: its sentence, its hint, and where the answer raised.

Values that a hidden check expects, and inputs that an answer writes into an exception's text, would be known to the
whole class the next day. The teacher's record keeps them. What this side says of limits is kept; of what comes from
the student's process only the kind of a known exception and a line number pass.
"""

import builtins
import re
from typing import Any

VALUES = ("expected", "got", "what", "where", "printed")
RAISED = re.compile(r"(?P<kind>\w{1,60})(?:: .*)? \(in .*?, line (?P<line>\d{1,4})\b.*\)", re.DOTALL)


def withheld(report: dict[str, Any]) -> dict[str, Any]:
    """A report (`Report.to_dict`) as it may stand in a notebook or on a page; a copy."""
    return report | {"checks": [_shown(check) for check in report["checks"]]}


def _shown(check: dict[str, Any]) -> dict[str, Any]:
    if not check["hidden"] or check["outcome"] not in ("failed", "fault"):
        return check
    return check | dict.fromkeys(VALUES, "") | {"message": _message(check)}


def _message(check: dict[str, Any]) -> str:
    if check["outcome"] == "fault":
        return "The check itself broke and does not count."
    if check["cause"] == "run":
        return check["message"]
    if check["message"].startswith("the answer calls "):
        return "The answer calls what it is to be itself."
    found = RAISED.fullmatch(check["message"]) if check["cause"] == "answer" else None
    kind = getattr(builtins, found["kind"], None) if found else None
    if isinstance(kind, type) and issubclass(kind, BaseException):
        return f"{found['kind']} in line {found['line']} of the cell"
    return ""
