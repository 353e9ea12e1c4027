"""What each property is worth, in points with two decimals that add up.

A share is a property's weight, and rounding it alone would leave a cent too many or too few. So cents are given out by
the largest remainder: among the properties that hold what is earned, among the others what is lost.
"""

from collections.abc import Sequence


def shares(points: float, earned: float, checks: Sequence[tuple[str, float]]) -> list[float]:
    """The points of each check, given its outcome and weight: those held add up to `earned`, all to `points`.

    A faulty check is left out of the account.
    """
    gained, whole = round(100 * earned), round(100 * points)
    held = _divided(gained, [weight * (outcome == "held") for outcome, weight in checks])
    lost = _divided(whole - gained, [weight * (outcome not in ("held", "fault")) for outcome, weight in checks])
    return [(gain + loss) / 100 for gain, loss in zip(held, lost, strict=True)]


def _divided(cents: int, weights: Sequence[float]) -> list[int]:
    """So many cents, divided by weight; none where nothing has a weight."""
    total = sum(weights)
    exact = [cents * weight / total if total else 0.0 for weight in weights]
    whole = [int(part) for part in exact]
    by_rest = sorted(range(len(exact)), key=lambda place: whole[place] - exact[place])
    for place in by_rest[: cents - sum(whole) if total else 0]:
        whole[place] += 1
    return whole
