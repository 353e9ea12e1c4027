# Answers to 8.3, two texts in one input. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: popped_copies — Copies, of which the last falls away
from unrolled.experiments.bert.parts import CLS, SEP


def pack_pair(first, second, longest):
    a, b = list(first), list(second or [])
    room = longest - (2 if second is None else 3)
    while len(a) + len(b) > room:
        (a if len(a) > len(b) else b).pop()
    ids = [CLS, *a, SEP]
    segments = [0 for _ in ids]
    if second is not None:
        ids += [*b, SEP]
        segments += [1] * (len(b) + 1)
    return ids, segments


# %% right: lengths_alone — Lengths go down, the lists are cut once
from unrolled.experiments.bert.parts import CLS, SEP


def pack_pair(first, second, longest):
    if second is None:
        a = first[: longest - 2]
        return [CLS] + a + [SEP], [0] * (len(a) + 2)
    n, m = len(first), len(second)
    while n + m + 3 > longest:
        if n > m:
            n -= 1
        else:
            m -= 1
    return [CLS] + first[:n] + [SEP] + second[:m] + [SEP], [0] * (n + 2) + [1] * (m + 1)


# %% right: by_a_formula — Half the room each, and what the other one leaves
from unrolled.experiments.bert.parts import CLS, SEP


def pack_pair(first, second, longest):
    if second is None:
        kept = first[: longest - 2]
        return [CLS, *kept, SEP], [0] * (2 + len(kept))
    room = longest - 3
    n = min(len(first), max((room + 1) // 2, room - len(second)))
    m = min(len(second), room - n)
    return [CLS, *first[:n], SEP, *second[:m], SEP], [0] * (n + 2) + [1] * (m + 1)


# %% right: parts_and_a_sum — A list of parts with their numbers
from unrolled.experiments.bert.parts import CLS, SEP


def pack_pair(first, second, longest):
    texts = [first] if second is None else [first, second]
    sizes = [len(text) for text in texts]
    for _ in range(max(0, sum(sizes) + 1 + len(texts) - longest)):
        last = len(sizes) - 1
        widest = max(range(len(sizes)), key=lambda n: (sizes[n], n == last))
        sizes[widest] -= 1
    rows = [(CLS, 0)]
    for number, (text, size) in enumerate(zip(texts, sizes)):
        rows += [(one, number) for one in text[:size]] + [(SEP, number)]
    return [one for one, _ in rows], [number for _, number in rows]


# %% right: a_list_of_two — A pair as a list, cut on copies
from unrolled.experiments.bert.parts import CLS, SEP


def pack_pair(first, second, longest):
    a = first.copy()
    b = None if second is None else second.copy()
    extra = 2 if b is None else 3
    while len(a) + len(b or []) + extra > longest:
        if b is None or len(a) > len(b):
            del a[-1]
        else:
            del b[-1]
    ids = [CLS] + a + [SEP]
    segs = [0 for _ in ids]
    if b is not None:
        ids.extend(b)
        ids.append(SEP)
        segs.extend(1 for _ in range(len(b) + 1))
    return [ids, segs]


# %% wrong: cut_through_the_marks — Packed, then cut: the last [SEP] goes
# fails: other_lists_and_lengths
from unrolled.experiments.bert.parts import CLS, SEP


def pack_pair(first, second, longest):
    ids, segments = [CLS, *first, SEP], [0] * (len(first) + 2)
    if second is not None:
        ids, segments = [*ids, *second, SEP], segments + [1] * (len(second) + 1)
    return ids[:longest], segments[:longest]


# %% wrong: sep_put_back — Packed, cut, and [SEP] written over the last
# fails: other_lists_and_lengths
from unrolled.experiments.bert.parts import CLS, SEP


def pack_pair(first, second, longest):
    ids, segments = [CLS, *first, SEP], [0] * (len(first) + 2)
    if second is not None:
        ids, segments = [*ids, *second, SEP], segments + [1] * (len(second) + 1)
    if len(ids) > longest:
        ids, segments = [*ids[: longest - 1], SEP], segments[:longest]
    return ids, segments


# %% wrong: no_cut — Never too long
# fails: other_lists_and_lengths
from unrolled.experiments.bert.parts import CLS, SEP


def pack_pair(first, second, longest):
    a, b = list(first), list(second or [])
    room = longest - (2 if second is None else 3)
    while False:
        if len(a) > len(b):
            a.pop()
        else:
            b.pop()
    ids, segments = [CLS, *a, SEP], [0] * (len(a) + 2)
    if second is not None:
        ids, segments = [*ids, *b, SEP], segments + [1] * (len(b) + 1)
    return ids, segments


# %% wrong: marks_not_counted — The special ids are not counted
# fails: other_lists_and_lengths
from unrolled.experiments.bert.parts import CLS, SEP


def pack_pair(first, second, longest):
    a, b = list(first), list(second or [])
    room = longest
    while len(a) + len(b) > room:
        if len(a) > len(b):
            a.pop()
        else:
            b.pop()
    ids, segments = [CLS, *a, SEP], [0] * (len(a) + 2)
    if second is not None:
        ids, segments = [*ids, *b, SEP], segments + [1] * (len(b) + 1)
    return ids, segments


# %% wrong: always_three — Three special ids, also of one text
# fails: other_lists_and_lengths
from unrolled.experiments.bert.parts import CLS, SEP


def pack_pair(first, second, longest):
    a, b = list(first), list(second or [])
    room = longest - 3
    while len(a) + len(b) > room:
        if len(a) > len(b):
            a.pop()
        else:
            b.pop()
    ids, segments = [CLS, *a, SEP], [0] * (len(a) + 2)
    if second is not None:
        ids, segments = [*ids, *b, SEP], segments + [1] * (len(b) + 1)
    return ids, segments


# %% wrong: one_too_short — Already full when it just fits
# fails: other_lists_and_lengths
from unrolled.experiments.bert.parts import CLS, SEP


def pack_pair(first, second, longest):
    a, b = list(first), list(second or [])
    room = longest - (2 if second is None else 3)
    while len(a) + len(b) >= room and a + b:
        if len(a) > len(b):
            a.pop()
        else:
            b.pop()
    ids, segments = [CLS, *a, SEP], [0] * (len(a) + 2)
    if second is not None:
        ids, segments = [*ids, *b, SEP], segments + [1] * (len(b) + 1)
    return ids, segments


# %% wrong: equal_first_loses — Of equal texts the first one loses
# fails: other_lists_and_lengths
from unrolled.experiments.bert.parts import CLS, SEP


def pack_pair(first, second, longest):
    a, b = list(first), list(second or [])
    room = longest - (2 if second is None else 3)
    while len(a) + len(b) > room:
        if len(a) >= len(b):
            a.pop()
        else:
            b.pop()
    ids, segments = [CLS, *a, SEP], [0] * (len(a) + 2)
    if second is not None:
        ids, segments = [*ids, *b, SEP], segments + [1] * (len(b) + 1)
    return ids, segments


# %% wrong: shorter_loses — The shorter one loses
# fails: other_lists_and_lengths
from unrolled.experiments.bert.parts import CLS, SEP


def pack_pair(first, second, longest):
    a, b = list(first), list(second or [])
    room = longest - (2 if second is None else 3)
    while len(a) + len(b) > room:
        if b == [] or 0 < len(a) < len(b):
            a.pop()
        else:
            b.pop()
    ids, segments = [CLS, *a, SEP], [0] * (len(a) + 2)
    if second is not None:
        ids, segments = [*ids, *b, SEP], segments + [1] * (len(b) + 1)
    return ids, segments


# %% wrong: second_alone — Only the second is cut, as long as it has some
# fails: other_lists_and_lengths
from unrolled.experiments.bert.parts import CLS, SEP


def pack_pair(first, second, longest):
    a, b = list(first), list(second or [])
    room = longest - (2 if second is None else 3)
    while len(a) + len(b) > room:
        if not b:
            a.pop()
        else:
            b.pop()
    ids, segments = [CLS, *a, SEP], [0] * (len(a) + 2)
    if second is not None:
        ids, segments = [*ids, *b, SEP], segments + [1] * (len(b) + 1)
    return ids, segments


# %% wrong: first_alone — Only the first is cut, as long as it has some
# fails: other_lists_and_lengths
from unrolled.experiments.bert.parts import CLS, SEP


def pack_pair(first, second, longest):
    a, b = list(first), list(second or [])
    room = longest - (2 if second is None else 3)
    while len(a) + len(b) > room:
        if a:
            a.pop()
        else:
            b.pop()
    ids, segments = [CLS, *a, SEP], [0] * (len(a) + 2)
    if second is not None:
        ids, segments = [*ids, *b, SEP], segments + [1] * (len(b) + 1)
    return ids, segments


# %% wrong: from_the_front — The first ids fall away
# fails: other_lists_and_lengths
from unrolled.experiments.bert.parts import CLS, SEP


def pack_pair(first, second, longest):
    a, b = list(first), list(second or [])
    room = longest - (2 if second is None else 3)
    while len(a) + len(b) > room:
        if len(a) > len(b):
            a.pop(0)
        else:
            b.pop(0)
    ids, segments = [CLS, *a, SEP], [0] * (len(a) + 2)
    if second is not None:
        ids, segments = [*ids, *b, SEP], segments + [1] * (len(b) + 1)
    return ids, segments


# %% wrong: half_each — Half the room each, whatever the other one needs
# fails: other_lists_and_lengths
from unrolled.experiments.bert.parts import CLS, SEP


def pack_pair(first, second, longest):
    if second is None:
        a = first[: longest - 2]
        return [CLS, *a, SEP], [0] * (len(a) + 2)
    room = longest - 3
    a, b = first[: (room + 1) // 2], second[: room // 2]
    return [CLS, *a, SEP, *b, SEP], [0] * (len(a) + 2) + [1] * (len(b) + 1)


# %% wrong: shares_of_the_lengths — Each loses in proportion to its length
# fails: other_lists_and_lengths
from unrolled.experiments.bert.parts import CLS, SEP


def pack_pair(first, second, longest):
    if second is None:
        a = first[: longest - 2]
        return [CLS, *a, SEP], [0] * (len(a) + 2)
    room, total = longest - 3, len(first) + len(second)
    n = len(first) if total <= room else round(room * len(first) / total)
    m = min(len(second), room - n)
    return [CLS, *first[:n], SEP, *second[:m], SEP], [0] * (n + 2) + [1] * (m + 1)


# %% wrong: in_turn — First and second lose in turn
# fails: other_lists_and_lengths
from unrolled.experiments.bert.parts import CLS, SEP


def pack_pair(first, second, longest):
    a, b = list(first), list(second or [])
    room = longest - (2 if second is None else 3)
    turn = 0
    while len(a) + len(b) > room:
        turn = 1 - turn
        ((b or a) if turn else (a or b)).pop()
    ids, segments = [CLS, *a, SEP], [0] * (len(a) + 2)
    if second is not None:
        ids, segments = [*ids, *b, SEP], segments + [1] * (len(b) + 1)
    return ids, segments


# %% wrong: first_sep_is_second — The first [SEP] belongs to the second text
# fails: other_lists_and_lengths
from unrolled.experiments.bert.parts import CLS, SEP


def pack_pair(first, second, longest):
    a, b = list(first), list(second or [])
    room = longest - (2 if second is None else 3)
    while len(a) + len(b) > room:
        if len(a) > len(b):
            a.pop()
        else:
            b.pop()
    ids, segments = [CLS, *a, SEP], [0] * (len(a) + 1) + [int(second is not None)]
    if second is not None:
        ids, segments = [*ids, *b, SEP], segments + [1] * (len(b) + 1)
    return ids, segments


# %% wrong: last_sep_is_first — The last [SEP] belongs to the first text
# fails: other_lists_and_lengths
from unrolled.experiments.bert.parts import CLS, SEP


def pack_pair(first, second, longest):
    a, b = list(first), list(second or [])
    room = longest - (2 if second is None else 3)
    while len(a) + len(b) > room:
        if len(a) > len(b):
            a.pop()
        else:
            b.pop()
    ids, segments = [CLS, *a, SEP], [0] * (len(a) + 2)
    if second is not None:
        ids, segments = [*ids, *b, SEP], segments + [1] * len(b) + [0]
    return ids, segments


# %% wrong: segments_from_one — Segments 1 and 2
# fails: other_lists_and_lengths
from unrolled.experiments.bert.parts import CLS, SEP


def pack_pair(first, second, longest):
    a, b = list(first), list(second or [])
    room = longest - (2 if second is None else 3)
    while len(a) + len(b) > room:
        if len(a) > len(b):
            a.pop()
        else:
            b.pop()
    ids, segments = [CLS, *a, SEP], [1] * (len(a) + 2)
    if second is not None:
        ids, segments = [*ids, *b, SEP], segments + [2] * (len(b) + 1)
    return ids, segments


# %% wrong: one_segment — All of segment 0
# fails: other_lists_and_lengths
from unrolled.experiments.bert.parts import CLS, SEP


def pack_pair(first, second, longest):
    a, b = list(first), list(second or [])
    room = longest - (2 if second is None else 3)
    while len(a) + len(b) > room:
        if len(a) > len(b):
            a.pop()
        else:
            b.pop()
    ids, segments = [CLS, *a, SEP], [0] * (len(a) + 2)
    if second is not None:
        ids, segments = [*ids, *b, SEP], segments + [0] * (len(b) + 1)
    return ids, segments


# %% wrong: no_last_sep — No [SEP] at the end
# fails: other_lists_and_lengths
from unrolled.experiments.bert.parts import CLS, SEP


def pack_pair(first, second, longest):
    a, b = list(first), list(second or [])
    room = longest - (2 if second is None else 3)
    while len(a) + len(b) > room:
        if len(a) > len(b):
            a.pop()
        else:
            b.pop()
    ids, segments = [CLS, *a, SEP], [0] * (len(a) + 2)
    if second is not None:
        ids, segments = [*ids, *b], segments + [1] * len(b)
    return ids, segments


# %% wrong: cls_again — [CLS] before the second text
# fails: other_lists_and_lengths
from unrolled.experiments.bert.parts import CLS, SEP


def pack_pair(first, second, longest):
    a, b = list(first), list(second or [])
    room = longest - (2 if second is None else 3)
    while len(a) + len(b) > room:
        if len(a) > len(b):
            a.pop()
        else:
            b.pop()
    ids, segments = [CLS, *a, SEP], [0] * (len(a) + 2)
    if second is not None:
        ids, segments = [*ids, CLS, *b, SEP], segments + [1] * (len(b) + 2)
    return ids, segments


# %% wrong: empty_is_none — An empty second text is taken for none
# fails: other_lists_and_lengths
from unrolled.experiments.bert.parts import CLS, SEP


def pack_pair(first, second, longest):
    a, b = list(first), list(second or [])
    room = longest - (2 if second is None else 3)
    while len(a) + len(b) > room:
        if len(a) > len(b):
            a.pop()
        else:
            b.pop()
    ids, segments = [CLS, *a, SEP], [0] * (len(a) + 2)
    if b:
        ids, segments = [*ids, *b, SEP], segments + [1] * (len(b) + 1)
    return ids, segments


# %% wrong: none_is_empty — No second text is taken for an empty one
# fails: other_lists_and_lengths
from unrolled.experiments.bert.parts import CLS, SEP


def pack_pair(first, second, longest):
    a, b = list(first), list(second or [])
    room = longest - 3
    while len(a) + len(b) > room:
        if len(a) > len(b):
            a.pop()
        else:
            b.pop()
    ids, segments = [CLS, *a, SEP], [0] * (len(a) + 2)
    if True:
        ids, segments = [*ids, *b, SEP], segments + [1] * (len(b) + 1)
    return ids, segments


# %% wrong: arguments_popped — The lists that were given are cut
# fails: other_lists_and_lengths
from unrolled.experiments.bert.parts import CLS, SEP


def pack_pair(first, second, longest):
    a, b = first, [] if second is None else second
    room = longest - (2 if second is None else 3)
    while len(a) + len(b) > room:
        if len(a) > len(b):
            a.pop()
        else:
            b.pop()
    ids, segments = [CLS, *a, SEP], [0] * (len(a) + 2)
    if second is not None:
        ids, segments = [*ids, *b, SEP], segments + [1] * (len(b) + 1)
    return ids, segments


# %% wrong: padded — Filled up to the full length
# fails: other_lists_and_lengths
from unrolled.experiments.bert.parts import CLS, SEP


def pack_pair(first, second, longest):
    a, b = list(first), list(second or [])
    room = longest - (2 if second is None else 3)
    while len(a) + len(b) > room:
        if len(a) > len(b):
            a.pop()
        else:
            b.pop()
    ids, segments = [CLS, *a, SEP], [0] * (len(a) + 2)
    if second is not None:
        ids, segments = [*ids, *b, SEP], segments + [1] * (len(b) + 1)
    return ids + [0] * (longest - len(ids)), segments + [0] * (longest - len(ids))


# %% wrong: exchanged — Segments first
# fails: other_lists_and_lengths
from unrolled.experiments.bert.parts import CLS, SEP


def pack_pair(first, second, longest):
    a, b = list(first), list(second or [])
    room = longest - (2 if second is None else 3)
    while len(a) + len(b) > room:
        if len(a) > len(b):
            a.pop()
        else:
            b.pop()
    ids, segments = [CLS, *a, SEP], [0] * (len(a) + 2)
    if second is not None:
        ids, segments = [*ids, *b, SEP], segments + [1] * (len(b) + 1)
    return segments, ids


# %% wrong: its_own_marks — The marks of another list of pieces
# fails: other_lists_and_lengths
CLS, SEP = 101, 102


def pack_pair(first, second, longest):
    a, b = list(first), list(second or [])
    room = longest - (2 if second is None else 3)
    while len(a) + len(b) > room:
        if len(a) > len(b):
            a.pop()
        else:
            b.pop()
    ids, segments = [CLS, *a, SEP], [0] * (len(a) + 2)
    if second is not None:
        ids, segments = [*ids, *b, SEP], segments + [1] * (len(b) + 1)
    return ids, segments


# %% wrong: drops_pads — Ids 0 are taken out of the texts first
# fails: what_is_too_long_loses_its_end
from unrolled.experiments.bert.parts import CLS, SEP


def pack_pair(first, second, longest):
    a = [i for i in first if i != PAD]
    b = None if second is None else [i for i in second if i != PAD]
    if b is None:
        a = a[: longest - 2]
        return [CLS, *a, SEP], [0] * (len(a) + 2)
    while len(a) + len(b) + 3 > longest:
        (a if len(a) > len(b) else b).pop()
    return [CLS, *a, SEP, *b, SEP], [0] * (len(a) + 2) + [1] * (len(b) + 1)
