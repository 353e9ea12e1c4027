# Answers to 4.7, precision, recall and F1 of spans. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: a_list_of_open_spans — Begins, grows and closes one span at a time
def spans_of(tags):
    found, open_one = [], None
    for t, tag in enumerate(tags):
        if tag == "O":
            open_one = None
            continue
        kind, name = tag.split("-", 1)
        if kind == "I" and open_one and open_one[2] == name:
            open_one[1] = t + 1
        else:
            open_one = [t, t + 1, name]
            found.append(open_one)
    return {tuple(span) for span in found}


def span_scores(gold, predicted):
    right = said = there = 0
    for one, other in zip(gold, predicted):
        g, p = spans_of(one), spans_of(other)
        right, said, there = right + len(g & p), said + len(p), there + len(g)
    precision = right / said if said else 0.0
    recall = right / there if there else 0.0
    f1 = 2 * precision * recall / (precision + recall) if right else 0.0
    return precision, recall, f1


# %% right: begins_then_ends — The places where a span begins; each ends where it stops going on
def span_scores(gold, predicted):
    def spans(sentences):
        for n, tags in enumerate(sentences):
            for t, tag in enumerate(tags):
                before = tags[t - 1] if t else "O"
                if tag == "O" or (tag.startswith("I-") and before[1:] == tag[1:]):
                    continue
                end = t + 1
                while end < len(tags) and tags[end] == "I" + tag[1:]:
                    end += 1
                yield n, t, end, tag[2:]

    there, said = set(spans(gold)), set(spans(predicted))
    hits = float(len(there.intersection(said)))
    precision = hits / max(len(said), 1)
    recall = hits / max(len(there), 1)
    return precision, recall, 2 * precision * recall / ((precision + recall) or 1.0)


# %% right: one_text — All sentences as one list with O between them
def span_scores(gold, predicted):
    def spans(sentences):
        tags = [tag for sentence in sentences for tag in [*sentence, "O"]]
        found, begin, name = set(), None, None
        for t, tag in enumerate(tags):
            goes_on = tag[:2] == "I-" and begin is not None and tag[2:] == name
            if begin is not None and not goes_on:
                found.add((begin, t, name))
                begin = None
            if tag != "O" and not goes_on:
                begin, name = t, tag[2:]
        return found

    there, said = spans(gold), spans(predicted)
    right = sum(span in there for span in said)
    return (
        right / len(said) if said else 0.0,
        right / len(there) if there else 0.0,
        right / ((len(said) + len(there)) / 2) if right else 0.0,
    )


# %% right: regular_expressions — Letters for tags, and a pattern for spans
import re


def span_scores(gold, predicted):
    def spans(sentences):
        found = set()
        for n, tags in enumerate(sentences):
            names = [tag[2:] for tag in tags]
            letters = ""
            for t, tag in enumerate(tags):
                goes_on = tag[0] == "I" and t and tags[t - 1] != "O" and names[t - 1] == names[t]
                letters += "O" if tag == "O" else "i" if goes_on else "b"
            found |= {(n, m.start(), m.end(), names[m.start()]) for m in re.finditer("bi*", letters)}
        return found

    g, p = spans(gold), spans(predicted)
    both = len(g & p)
    scores = both / len(p) if p else 0.0, both / len(g) if g else 0.0
    return *scores, (2 * scores[0] * scores[1] / sum(scores) if sum(scores) else 0.0)


# %% wrong: tags_for_spans — Counts tags other than O
# fails: play_help_by_hand, a_span_is_right_as_a_whole
def span_scores(gold, predicted):
    pairs = [(g, p) for one, other in zip(gold, predicted) for g, p in zip(one, other)]
    right = sum(g == p != "O" for g, p in pairs)
    said, there = sum(p != "O" for _, p in pairs), sum(g != "O" for g, _ in pairs)
    precision, recall = right / said if said else 0.0, right / there if there else 0.0
    return precision, recall, 2 * precision * recall / (precision + recall) if right else 0.0


# %% wrong: begins_alone — A span is right where its first tag is
# fails: a_span_is_right_as_a_whole
def span_scores(gold, predicted):
    def spans(sentences):
        found = set()
        for n, tags in enumerate(sentences):
            for t, tag in enumerate(tags):
                before = tags[t - 1] if t else "O"
                if tag[0] == "B" or (tag[0] == "I" and before[2:] != tag[2:]):
                    found.add((n, t, tag[2:]))
        return found

    g, p = spans(gold), spans(predicted)
    right = len(g & p)
    precision, recall = right / len(p) if p else 0.0, right / len(g) if g else 0.0
    return precision, recall, 2 * precision * recall / (precision + recall) if right else 0.0


# %% wrong: stray_i_is_dropped — An I- without a B- is no span
# fails: where_one_span_ends_and_another_begins
def spans_of(tags):
    found, open_one = [], None
    for t, tag in enumerate(tags):
        if tag[0] == "B":
            open_one = [t, t + 1, tag[2:]]
            found.append(open_one)
        elif tag[0] == "I" and open_one and open_one[2] == tag[2:]:
            open_one[1] = t + 1
        else:
            open_one = None
    return {tuple(span) for span in found}


def span_scores(gold, predicted):
    g = {(n, *s) for n, tags in enumerate(gold) for s in spans_of(tags)}
    p = {(n, *s) for n, tags in enumerate(predicted) for s in spans_of(tags)}
    right = len(g & p)
    precision, recall = right / len(p) if p else 0.0, right / len(g) if g else 0.0
    return precision, recall, 2 * precision * recall / (precision + recall) if right else 0.0


# %% wrong: neighbours_melt — B- right behind a span of the same type goes on with it
# fails: where_one_span_ends_and_another_begins
def spans_of(tags):
    found, open_one = [], None
    for t, tag in enumerate(tags):
        if tag == "O":
            open_one = None
        elif open_one and open_one[2] == tag[2:]:
            open_one[1] = t + 1
        else:
            open_one = [t, t + 1, tag[2:]]
            found.append(open_one)
    return {tuple(span) for span in found}


def span_scores(gold, predicted):
    g = {(n, *s) for n, tags in enumerate(gold) for s in spans_of(tags)}
    p = {(n, *s) for n, tags in enumerate(predicted) for s in spans_of(tags)}
    right = len(g & p)
    precision, recall = right / len(p) if p else 0.0, right / len(g) if g else 0.0
    return precision, recall, 2 * precision * recall / (precision + recall) if right else 0.0


# %% wrong: i_goes_on_with_anything — I- of another type does not end a span
# fails: where_one_span_ends_and_another_begins
def spans_of(tags):
    found, open_one = [], None
    for t, tag in enumerate(tags):
        if tag == "O":
            open_one = None
        elif tag[0] == "I" and open_one:
            open_one[1] = t + 1
        else:
            open_one = [t, t + 1, tag[2:]]
            found.append(open_one)
    return {tuple(span) for span in found}


def span_scores(gold, predicted):
    g = {(n, *s) for n, tags in enumerate(gold) for s in spans_of(tags)}
    p = {(n, *s) for n, tags in enumerate(predicted) for s in spans_of(tags)}
    right = len(g & p)
    precision, recall = right / len(p) if p else 0.0, right / len(g) if g else 0.0
    return precision, recall, 2 * precision * recall / (precision + recall) if right else 0.0


# %% wrong: types_are_not_looked_at — A span is right where its ends are
# fails: a_span_is_right_as_a_whole
def spans_of(tags):
    found, open_one = [], None
    for t, tag in enumerate(tags):
        if tag == "O":
            open_one = None
        elif tag[0] == "I" and open_one and open_one[2] == tag[2:]:
            open_one[1] = t + 1
        else:
            open_one = [t, t + 1, tag[2:]]
            found.append(open_one)
    return {tuple(span[:2]) for span in found}


def span_scores(gold, predicted):
    g = {(n, *s) for n, tags in enumerate(gold) for s in spans_of(tags)}
    p = {(n, *s) for n, tags in enumerate(predicted) for s in spans_of(tags)}
    right = len(g & p)
    precision, recall = right / len(p) if p else 0.0, right / len(g) if g else 0.0
    return precision, recall, 2 * precision * recall / (precision + recall) if right else 0.0


# %% wrong: sentences_forgotten — Spans at the same place of two sentences are one
# fails: each_sentence_has_spans_of_its_own
def spans_of(tags):
    found, open_one = [], None
    for t, tag in enumerate(tags):
        if tag == "O":
            open_one = None
        elif tag[0] == "I" and open_one and open_one[2] == tag[2:]:
            open_one[1] = t + 1
        else:
            open_one = [t, t + 1, tag[2:]]
            found.append(open_one)
    return {tuple(span) for span in found}


def span_scores(gold, predicted):
    g = {s for tags in gold for s in spans_of(tags)}
    p = {s for tags in predicted for s in spans_of(tags)}
    right = len(g & p)
    precision, recall = right / len(p) if p else 0.0, right / len(g) if g else 0.0
    return precision, recall, 2 * precision * recall / (precision + recall) if right else 0.0


# %% wrong: one_long_sentence — Spans run on from one sentence into the next
# fails: each_sentence_has_spans_of_its_own
def spans_of(tags):
    found, open_one = [], None
    for t, tag in enumerate(tags):
        if tag == "O":
            open_one = None
        elif tag[0] == "I" and open_one and open_one[2] == tag[2:]:
            open_one[1] = t + 1
        else:
            open_one = [t, t + 1, tag[2:]]
            found.append(open_one)
    return {tuple(span) for span in found}


def span_scores(gold, predicted):
    g, p = (spans_of([tag for tags in sentences for tag in tags]) for sentences in (gold, predicted))
    right = len(g & p)
    precision, recall = right / len(p) if p else 0.0, right / len(g) if g else 0.0
    return precision, recall, 2 * precision * recall / (precision + recall) if right else 0.0


# %% wrong: mean_of_sentences — Scores of each sentence, and their mean
# fails: each_sentence_has_spans_of_its_own, long_sentences_weigh_more
def spans_of(tags):
    found, open_one = [], None
    for t, tag in enumerate(tags):
        if tag == "O":
            open_one = None
        elif tag[0] == "I" and open_one and open_one[2] == tag[2:]:
            open_one[1] = t + 1
        else:
            open_one = [t, t + 1, tag[2:]]
            found.append(open_one)
    return {tuple(span) for span in found}


def span_scores(gold, predicted):
    rows = []
    for one, other in zip(gold, predicted):
        g, p = spans_of(one), spans_of(other)
        right = len(g & p)
        rows.append((right / len(p) if p else 0.0, right / len(g) if g else 0.0, 2 * right / max(len(g) + len(p), 1)))
    return tuple(sum(column) / len(rows) for column in zip(*rows)) if rows else (0.0, 0.0, 0.0)


# %% wrong: the_plain_mean — The mean of precision and recall for F1
# fails: play_help_by_hand
def spans_of(tags):
    found, open_one = [], None
    for t, tag in enumerate(tags):
        if tag == "O":
            open_one = None
        elif tag[0] == "I" and open_one and open_one[2] == tag[2:]:
            open_one[1] = t + 1
        else:
            open_one = [t, t + 1, tag[2:]]
            found.append(open_one)
    return {tuple(span) for span in found}


def span_scores(gold, predicted):
    g = {(n, *s) for n, tags in enumerate(gold) for s in spans_of(tags)}
    p = {(n, *s) for n, tags in enumerate(predicted) for s in spans_of(tags)}
    right = len(g & p)
    precision, recall = right / len(p) if p else 0.0, right / len(g) if g else 0.0
    return precision, recall, (precision + recall) / 2


# %% wrong: precision_and_recall_exchanged — Divides by the other number
# fails: play_help_by_hand, exchanged_arguments_exchange_the_first_two
def spans_of(tags):
    found, open_one = [], None
    for t, tag in enumerate(tags):
        if tag == "O":
            open_one = None
        elif tag[0] == "I" and open_one and open_one[2] == tag[2:]:
            open_one[1] = t + 1
        else:
            open_one = [t, t + 1, tag[2:]]
            found.append(open_one)
    return {tuple(span) for span in found}


def span_scores(gold, predicted):
    g = {(n, *s) for n, tags in enumerate(gold) for s in spans_of(tags)}
    p = {(n, *s) for n, tags in enumerate(predicted) for s in spans_of(tags)}
    right = len(g & p)
    recall, precision = right / len(p) if p else 0.0, right / len(g) if g else 0.0
    return precision, recall, 2 * precision * recall / (precision + recall) if right else 0.0


# %% wrong: divides_by_nothing — No case for a text without spans
# fails: no_spans_make_zeros
def spans_of(tags):
    found, open_one = [], None
    for t, tag in enumerate(tags):
        if tag == "O":
            open_one = None
        elif tag[0] == "I" and open_one and open_one[2] == tag[2:]:
            open_one[1] = t + 1
        else:
            open_one = [t, t + 1, tag[2:]]
            found.append(open_one)
    return {tuple(span) for span in found}


def span_scores(gold, predicted):
    g = {(n, *s) for n, tags in enumerate(gold) for s in spans_of(tags)}
    p = {(n, *s) for n, tags in enumerate(predicted) for s in spans_of(tags)}
    right = len(g & p)
    precision, recall = right / len(p), right / len(g)
    return precision, recall, 2 * precision * recall / (precision + recall)


# %% wrong: nothing_to_find_is_perfect — 1 where there is nothing to divide by
# fails: no_spans_make_zeros
def spans_of(tags):
    found, open_one = [], None
    for t, tag in enumerate(tags):
        if tag == "O":
            open_one = None
        elif tag[0] == "I" and open_one and open_one[2] == tag[2:]:
            open_one[1] = t + 1
        else:
            open_one = [t, t + 1, tag[2:]]
            found.append(open_one)
    return {tuple(span) for span in found}


def span_scores(gold, predicted):
    g = {(n, *s) for n, tags in enumerate(gold) for s in spans_of(tags)}
    p = {(n, *s) for n, tags in enumerate(predicted) for s in spans_of(tags)}
    right = len(g & p)
    precision, recall = right / len(p) if p else 1.0, right / len(g) if g else 1.0
    return precision, recall, 2 * precision * recall / (precision + recall) if right else 0.0


# %% wrong: a_span_at_the_end_is_lost — Closes spans at O and B- only
# fails: each_sentence_has_spans_of_its_own
def spans_of(tags):
    found, begin, name = set(), None, None
    for t, tag in enumerate(tags):
        goes_on = tag[0] == "I" and begin is not None and tag[2:] == name
        if begin is not None and not goes_on:
            found.add((begin, t, name))
            begin = None
        if tag != "O" and not goes_on:
            begin, name = t, tag[2:]
    return found


def span_scores(gold, predicted):
    g = {(n, *s) for n, tags in enumerate(gold) for s in spans_of(tags)}
    p = {(n, *s) for n, tags in enumerate(predicted) for s in spans_of(tags)}
    right = len(g & p)
    precision, recall = right / len(p) if p else 0.0, right / len(g) if g else 0.0
    return precision, recall, 2 * precision * recall / (precision + recall) if right else 0.0


# %% wrong: hyphens_cut — Takes what stands behind the last hyphen for the type
# fails: a_type_may_have_hyphens_or_be_called_O, types_may_have_hyphens
def spans_of(tags):
    found, open_one = [], None
    for t, tag in enumerate(tags):
        name = tag.split("-")[-1]
        if tag == "O":
            open_one = None
        elif tag[0] == "I" and open_one and open_one[2] == name:
            open_one[1] = t + 1
        else:
            open_one = [t, t + 1, name]
            found.append(open_one)
    return {tuple(span) for span in found}


def span_scores(gold, predicted):
    g = {(n, *s) for n, tags in enumerate(gold) for s in spans_of(tags)}
    p = {(n, *s) for n, tags in enumerate(predicted) for s in spans_of(tags)}
    right = len(g & p)
    precision, recall = right / len(p) if p else 0.0, right / len(g) if g else 0.0
    return precision, recall, 2 * precision * recall / (precision + recall) if right else 0.0


# %% wrong: the_experiments_scores — Lets the reports of the experiments count
# fails: play_help_by_hand
from unrolled.experiments.tagging import reports


def span_scores(gold, predicted):
    return tuple(reports.span_scores(gold, predicted))


# %% wrong: a_type_called_O — Takes what stands behind the hyphen for the tag O
# fails: a_type_may_have_hyphens_or_be_called_O, scores_of_other_sentences
def spans_in(sentences):
    found = []
    for number, tags in enumerate(sentences):
        kind, begin = "O", 0
        for place, tag in enumerate([*tags, "O"]):
            name = tag.partition("-")[2] or "O"
            if tag.startswith("B") or name != kind:
                if kind != "O":
                    found.append((number, begin, place, kind))
                kind, begin = name, place
    return set(found)


def span_scores(gold, predicted):
    there, said = spans_in(gold), spans_in(predicted)
    right = len(there & said)
    precision = right / len(said) if said else 0.0
    recall = right / len(there) if there else 0.0
    return precision, recall, 2 * right / (len(there) + len(said)) if there or said else 0.0


# %% wrong: types_from_the_last_hyphen_on — Cuts at each hyphen, and takes a type called O for the tag
# fails: a_type_may_have_hyphens_or_be_called_O
def span_scores(gold, predicted):
    def spans(sentences):
        found = set()
        for place, tags in enumerate(sentences):
            begin, kind = 0, "O"
            for t, tag in enumerate([*tags, "O"]):
                this = tag.split("-")[-1]
                if kind != "O" and (tag[0] != "I" or this != kind):
                    found.add((place, begin, t, kind))
                    kind = "O"
                if this != "O" and kind == "O":
                    begin, kind = t, this
        return found

    there, said = spans(gold), spans(predicted)
    right = len(there & said)
    precision = right / len(said) if said else 0.0
    recall = right / len(there) if there else 0.0
    return precision, recall, 2 * right / (len(there) + len(said)) if right else 0.0
