"""Comments to use again, for each question: saved_comments/01_ngrams.json, beside the gradebook.

Two teachers add and remove at once, so a change is one comment more or less, made to what the file says at that time.
"""

import json
import os
from pathlib import Path

from autograder.course import Assignment, Trouble
from autograder.recording.marking import writing

MOST, LONGEST = 18, 2_000  # comments of a question, each of which has a key; characters of one


def path_of(assignment: Assignment) -> Path:
    return assignment.course.root / "saved_comments" / f"{assignment.name}.json"


def of(assignment: Assignment, question: str) -> list[str]:
    """Those of a question, the oldest first."""
    return _read(path_of(assignment)).get(question, [])


def change(assignment: Assignment, question: str, add: str = "", remove: str = "") -> list[str]:
    """Adds or removes one, and returns what there is then. Raises Trouble."""
    path, add = path_of(assignment), add.strip()
    if len(add) > LONGEST:
        raise Trouble(f"A comment to use again has {LONGEST} characters at most.")
    with writing(assignment):
        kept = _read(path)
        those = [text for text in kept.get(question, []) if text != remove]
        if add and add not in those:
            if len(those) >= MOST:
                raise Trouble(f"There are {MOST} saved comments, one for each key: remove one first.")
            those.append(add)
        _write(path, kept | {question: those})
    return those


def _read(path: Path) -> dict[str, list[str]]:
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        return {str(name): [str(text) for text in those] for name, those in kept.items()}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, AttributeError, TypeError) as error:
        raise Trouble(f"{path} cannot be read ({error}): mend it or move it away.") from error


def _write(path: Path, kept: dict[str, list[str]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(".json.new")
    new.write_text(json.dumps(kept, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    os.replace(new, path)
