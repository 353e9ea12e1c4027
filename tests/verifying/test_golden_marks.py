"""The marks that specimens earn are held to what they were: no change of a check may move one unseen.

`golden_marks.json` has the share of the points and the checks that failed, by unit, exercise and "kind/name". When a
mark is meant to change, or a specimen comes or goes, `python tests/verifying/test_golden_marks.py` writes the file
anew: read its difference line by line before you commit it.
"""

import json
import re
from pathlib import Path

import pytest
from rich.progress import track

from autograder.course import Course
from autograder.releasing.references import references
from autograder.specimens import load
from autograder.verifying import trial
from autograder.verifying.kept import Kept
from autograder.verifying.trial import Job

GOLDEN = Path(__file__).with_suffix("").with_name("golden_marks.json")
pytestmark = pytest.mark.slow
UNITS = [each.name for each in Course.find(Path(__file__).parent).assignments()]
EXPECTED = json.loads(GOLDEN.read_text(encoding="utf-8"))  # of the units that are proved; a new one joins later


def marks(unit: str, progress=lambda results, description: results) -> dict[str, dict[str, list]]:
    """Each specimen of a unit tried: {exercise: {"kind/name": [share, [failed checks]]}}."""
    trial.prepare(unit)
    assignment, found = Course.find(Path(__file__).parent).assignment(unit), {}
    for reference in progress(references(assignment), description=unit):
        specimens = {Job(one.exercise, one.source): one for one in load(unit, reference.exercise)}
        kept, own = Kept.of(assignment, reference), {}  # verify tries the same: who comes second finds them tried
        for result in kept.tried(specimens, seed=0):
            one = specimens[result.job]
            own[f"{one.kind}/{one.name}"] = [result.earned, sorted(result.failed)]
        kept.write(whole=False)
        found[reference.exercise] = own
    return found


def test_the_units_are_those_of_the_course():
    assert set(EXPECTED) <= set(UNITS) and "01_ngrams" in EXPECTED


@pytest.mark.parametrize("unit", EXPECTED)
def test_every_specimen_earns_what_it_earned(unit):
    expected, got = EXPECTED[unit], marks(unit)
    assert got.keys() == expected.keys()
    for exercise in expected:
        assert got[exercise] == expected[exercise], exercise


def written(found: dict) -> str:
    """As JSON with a line a specimen."""
    text = re.sub(r"\n {4,}|\n {3}(?=\])", " ", json.dumps(found, indent=1, sort_keys=True))
    return text.replace("[ ", "[").replace(" ]", "]") + "\n"


if __name__ == "__main__":
    GOLDEN.write_text(written({unit: marks(unit, track) for unit in UNITS}), encoding="utf-8")
