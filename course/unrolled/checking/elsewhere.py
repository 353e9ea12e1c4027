"""A fault that lies in another exercise, whose function an answer calls: that one is to be mended first.

It decides no point. A report says which exercise it is, and leaves out its own hints, which would lead astray.
"""

from collections.abc import Iterable

from .running import Report


def look_elsewhere(report: Report, used: Iterable[str], others: Iterable[Report]) -> None:
    """Note an exercise that does not hold itself and that the answer uses, by the names of the functions it `used`."""
    wanted = set(used) - {report.exercise}
    broken = [other for other in others if other.exercise in wanted and not (other.all_held or other.is_blank)]
    if report.all_held or report.is_blank or not broken:
        return
    first = next((other for other in broken if not other.mend_first), broken[0])
    report.mend_first = first.exercise
    for result in report.checks:
        result.hint = ""
