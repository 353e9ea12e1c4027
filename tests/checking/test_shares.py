"""What the table says each property is worth: points that add up."""

import itertools
import random
import re

import pytest
from unrolled.checking import table
from unrolled.checking.running import Report, Result
from unrolled.checking.shares import shares

OUTCOMES = ("held", "failed", "skipped", "fault")


def report(points, *checks):
    return Report("e", points, [Result(f"c{i}", "S.", outcome, weight) for i, (outcome, weight) in enumerate(checks)])


def cents(values):
    return sum(round(100 * value) for value in values)


def made_up():
    chance = random.Random(0)
    for points, many in itertools.product((1, 2, 2.5, 3, 4, 7), range(1, 12)):
        yield points, [(chance.choice(OUTCOMES), chance.choice((1, 1, 2, 3, 0.5, 1.5))) for _ in range(many)]


def test_shares_add_up_to_the_points_and_those_held_to_what_is_earned():
    tried = 0
    for points, checks in made_up():
        data = report(points, *checks).to_dict()
        counted = [check for check in data["checks"] if check["outcome"] != "fault"]
        tried += bool(counted)
        assert cents(check["points"] for check in counted) == round(100 * points) * bool(counted)
        assert cents(check["points"] for check in counted if check["outcome"] == "held") == round(100 * data["earned"])
        assert all(check["points"] == 0 for check in data["checks"] if check["outcome"] == "fault")
    assert tried > 60


def test_a_share_is_its_weights_part_within_a_cent_and_a_half():
    for points, checks in made_up():
        total = sum(weight for outcome, weight in checks if outcome != "fault")
        earned = report(points, *checks).earned
        for (outcome, weight), share in zip(checks, shares(points, earned, checks), strict=True):
            if outcome != "fault":
                assert share == pytest.approx(points * weight / total, abs=0.015)


def test_both_tables_say_the_points():
    data = report(2, ("held", 1), ("failed", 2), ("fault", 1), ("skipped", 1)).to_dict()
    told = [line.split("S.")[1].strip() for line in table.text(data).splitlines() if "S." in line]
    assert told == ["(0.5 points)", "(1 point, counts double)", "", "(0.5 points)"]
    cells = re.findall(r"<td[^>]*>([^<]*)</td></tr>", table.to_html(data))
    assert cells == ["0.5", "0 of 1", "–", "0 of 0.5"]
