"""What a person is told to look at: code that reaches into the grader's side of its process, and no other."""

import nbformat
import pytest
from conftest import UNITS
from graded_units import answers, filled
from one_judge import code, notebook

from autograder.judging.traces import told, traces

REACHES = {
    "import sys\nsys.setprofile(None)": "switches off profiling",
    "from sys import setprofile as s": "switches off profiling",
    "import _thread as t": "switches off profiling",
    "import unrolled.checking.loan as loan\nloan.first_changed = None": "uses the checks' own code",
    "from autograder.judging.boundary import child": "uses the checks' own code",
    "import gc\ngc.get_objects()": "looks through the process's memory",
    "import ctypes": "looks through the process's memory",
    "f.__code__ = g.__code__": "exchanges the code of functions",
}


@pytest.mark.parametrize("source", REACHES)
def test_what_reaches_into_the_process_is_told(source):
    assert traces(notebook(code("x = 1"), code(source))) == [REACHES[source]]
    assert traces(notebook(code(source)), released=[source]) == [], "not its own"


def test_what_is_found_is_one_line():
    assert told([]) == []
    assert told(["a", "b"]) == ["look at its code: it a and b"]


@pytest.mark.parametrize("unit", UNITS)
def test_nobody_is_suspected_who_solves_a_unit(unit):
    assert traces(nbformat.from_dict(filled(unit, **answers(unit)))) == []
