"""Records of a beam search, read from what a notebook has; what is no search is refused in one line."""

from collections.abc import Mapping, Sequence

import numpy as np

from ..arrays import numeric

MOST_PRUNED = 6  # of a step, drawn: the best ones
_MOST_KEPT = 8
_MOST_STEPS = 40
_KEYS = ("parent", "word", "log_prob", "kept", "ended")
_SLACK = 1e-6  # sums of float32 may differ by so much
_ROOT = {"log_prob": 0.0, "ended": False}


def read_steps(steps) -> list[list[dict]]:
    """The record with plain values, in each step what is kept first. ValueError, in one line, for what is no record."""
    if not _is_list(steps) or not all(map(_is_list, steps)):
        raise ValueError("steps must be a list with a list of candidates for each step, none of them empty")
    if len(steps) > _MOST_STEPS:
        raise ValueError(f"there are {len(steps)} steps: up to {_MOST_STEPS} can be shown")
    read, parents = [], [_ROOT]
    for t, candidates in enumerate(steps):
        found = [_read(one, parents, f"step {t}, candidate {n}") for n, one in enumerate(candidates)]
        parents = [one for one in found if one["kept"]]
        if not 1 <= len(parents) <= _MOST_KEPT:
            raise ValueError(f"step {t} keeps {len(parents)} candidates: from 1 to {_MOST_KEPT} can be shown")
        read.append(parents + [one for one in found if not one["kept"]])
    return read


def finals(steps: list[list[dict]]) -> list[list[int]]:
    """[step, candidate] of what was left: kept in the last step, or ended before and not listed again after that."""
    left = []
    for t, candidates in enumerate(steps):
        last = t == len(steps) - 1
        extended = set() if last else {one["parent"] for one in steps[t + 1]}
        left += [
            [t, n] for n, one in enumerate(candidates) if one["kept"] and (last or (one["ended"] and n not in extended))
        ]
    return left


def _is_list(values) -> bool:
    return isinstance(values, Sequence) and not isinstance(values, str) and len(values) > 0


def _read(one, parents: list[dict], where: str) -> dict:
    if not isinstance(one, Mapping) or (missing := [key for key in _KEYS if key not in one]):
        lacks = f"lacks {missing[0]!r}" if isinstance(one, Mapping) else f"is {one!r:.40}"
        raise ValueError(f"{where} {lacks}: give {{{', '.join(_KEYS)}}}")
    log_prob = numeric(one["log_prob"], f"log_prob of {where}")
    if log_prob.size != 1 or not np.isfinite(log_prob).all():
        raise ValueError(
            f"{where}: log_prob is {one['log_prob']!r:.40}: give a finite number, leave out what cannot be"
        )
    parent = parents[_read_parent(one["parent"], parents, where)]
    read = {"parent": int(one["parent"]), "word": one["word"] or "", "log_prob": log_prob.item()}
    read |= {"kept": bool(one["kept"]), "ended": bool(one["ended"])}
    _check_growth(read, parent, where)
    return read


def _read_parent(parent, parents: list[dict], where: str) -> int:
    if not isinstance(parent, int | np.integer) or not 0 <= parent < len(parents):
        among = "the first step has one parent, 0" if parents == [_ROOT] else f"the step before kept {len(parents)}"
        raise ValueError(f"{where}: parent is {parent!r:.40}: {among}")
    return int(parent)


def _check_growth(one: dict, parent: dict, where: str) -> None:
    """A word makes a text no more probable; after its end a text only stays as it is."""
    word, log_prob, before = one["word"], one["log_prob"], parent["log_prob"]
    if not isinstance(word, str):
        raise ValueError(f"{where}: word is {word!r:.40}: give it as text (unrolled.decoding.named does that)")
    if parent["ended"] and (word or not one["ended"] or abs(log_prob - before) > _SLACK):
        raise ValueError(f'{where} follows an end: it may only stay as it is, with word "" and the same log_prob')
    if not word and not parent["ended"]:
        raise ValueError(f"{where} has no word")
    if log_prob > before + _SLACK:
        whole = f"at most {before:.4g}, its parent's" if parent is not _ROOT else "at most 0"
        raise ValueError(f"{where}: log_prob is {log_prob:.4g}: that of the whole hypothesis is {whole}")
