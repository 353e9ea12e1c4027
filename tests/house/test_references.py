"""The references at the end of a unit: an item a work, in the order of the alphabet, by authors whom the text names."""

import re

import pytest
from little_course import ROOT

from autograder.course import Course

UNITS = Course.find(ROOT).assignments()


def text_and_items(source):
    """What stands before the references, and their items, each with its lines joined."""
    text, _, after = source.partition("\n## References\n")
    lines = [line for line in after.splitlines() if line.strip() and not line.startswith("+++")]
    assert lines and all(line.startswith(("- ", "  ")) for line in lines), "a line that belongs to no item"
    return text, re.split(r"\n(?=- )", "\n".join(lines))


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.notebook)
def test_each_work_is_an_item_in_the_order_of_its_authors_and_named_in_the_text(unit):
    text, items = text_and_items(unit.source.read_text(encoding="utf-8"))
    assert not [item for item in items if ". - " in item or re.search(r"\S {2,}\S", item)], "items run into each other"
    authors = [item[2:].split(",")[0] for item in items]
    assert authors == sorted(authors, key=str.casefold)
    assert [author for author in authors if author not in text] == []
