# Answers to 4.1, the best path. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: numpy_table — Two numpy tables, filled word by word, and an array for the way back
import numpy as np


def viterbi(start, transition, emission):
    start, transition, emission = (table.double().numpy() for table in (start, transition, emission))
    steps, tags = emission.shape
    if steps == 0:
        return []
    score, back = np.full((steps, tags), -np.inf), np.zeros((steps, tags), dtype=int)
    score[0] = start + emission[0]
    for t in range(1, steps):
        for tag in range(tags):
            ways = score[t - 1] + transition[:, tag]
            back[t, tag] = ways.argmax()
            score[t, tag] = ways.max() + emission[t, tag]
    path = [int(score[-1].argmax())]
    for t in range(steps - 1, 0, -1):
        path.append(int(back[t, path[-1]]))
    path.reverse()
    return path


# %% right: whole_paths — Keeps K whole paths instead of a way back
def viterbi(start, transition, emission):
    if not len(emission):
        return list()
    K = len(start)
    best = {tag: (start[tag].item() + emission[0, tag].item(), (tag,)) for tag in range(K)}
    for row in emission[1:].tolist():
        best = {
            tag: max(
                (score + transition[path[-1], tag].item() + row[tag], path + (tag,)) for score, path in best.values()
            )
            for tag in range(K)
        }
    return list(max(best.values())[1])


# %% right: from_the_right — The best that is still to come, from the last word back; then forwards along it
import torch


def viterbi(start, transition, emission):
    steps, K = emission.shape
    later = torch.zeros(K, dtype=emission.dtype)
    choices = []
    for t in reversed(range(1, steps)):
        ways = transition + emission[t] + later
        choices.append(ways.max(1).indices)
        later = ways.max(1).values
    path = []
    for t in range(steps):
        if t == 0:
            path.append((start + emission[0] + later).argmax().item())
        else:
            path.append(choices[steps - 1 - t][path[-1]].item())
    return path


# %% right: max_with_topk — Values and places of the maxima in one call, in float64
import torch


def viterbi(start, transition, emission):
    path, back = [], []
    for t, row in enumerate(emission.double()):
        if t:
            (best,), (place,) = torch.topk(best[:, None] + transition.double(), 1, dim=0)
            back.append(place)
        best = (best if t else start.double()) + row
    if len(emission):
        path = [int(best.argmax())]
    for place in back[::-1]:
        path.insert(0, int(place[path[0]]))
    return path


# %% wrong: greedy — The best tag at each word, given the one that was just chosen
# fails: no_path_is_better, a_late_word_changes_an_early_tag
def viterbi(start, transition, emission):
    path = []
    for row in emission:
        before = transition[path[-1]] if path else start
        path.append(int((before + row).argmax()))
    return path


# %% wrong: no_way_back — The best tag at each word by the table alone
# fails: no_path_is_better, a_late_word_changes_an_early_tag
def viterbi(start, transition, emission):
    if len(emission) == 0:
        return []
    best = start + emission[0]
    path = [int(best.argmax())]
    for row in emission[1:]:
        best = (best[:, None] + transition).amax(0) + row
        path.append(int(best.argmax()))
    return path


# %% wrong: sums_for_maxima — Adds the probabilities of all paths, as for the likelihood of a sentence
# fails: one_path_beats_two_that_meet, other_sentences_and_tags
def viterbi(start, transition, emission):
    if len(emission) == 0:
        return []
    best, back = start + emission[0], []
    for row in emission[1:]:
        ways = best[:, None] + transition
        back.append(ways.argmax(0))
        best = ways.logsumexp(0) + row
    path = [int(best.argmax())]
    for came in reversed(back):
        path.append(int(came[path[-1]]))
    return path[::-1]


# %% wrong: columns_before_rows — Reads the table of transitions the wrong way round
# fails: no_path_is_better, rows_come_before_columns
def viterbi(start, transition, emission):
    if len(emission) == 0:
        return []
    best, back = start + emission[0], []
    for row in emission[1:]:
        ways = best[:, None] + transition.T
        back.append(ways.argmax(0))
        best = ways.amax(0) + row
    path = [int(best.argmax())]
    for came in reversed(back):
        path.append(int(came[path[-1]]))
    return path[::-1]


# %% wrong: maximum_over_the_tag_that_comes — Takes the maximum over columns
# fails: no_path_is_better
def viterbi(start, transition, emission):
    if len(emission) == 0:
        return []
    best, back = start + emission[0], []
    for row in emission[1:]:
        ways = best[:, None] + transition
        back.append(ways.argmax(1))
        best = ways.amax(1) + row
    path = [int(best.argmax())]
    for came in reversed(back):
        path.append(int(came[path[-1]]))
    return path[::-1]


# %% wrong: the_start_is_forgotten — All tags begin a sentence alike
# fails: no_path_is_better, no_word_and_one_word
def viterbi(start, transition, emission):
    if len(emission) == 0:
        return []
    best, back = emission[0], []
    for row in emission[1:]:
        ways = best[:, None] + transition
        back.append(ways.argmax(0))
        best = ways.amax(0) + row
    path = [int(best.argmax())]
    for came in reversed(back):
        path.append(int(came[path[-1]]))
    return path[::-1]


# %% wrong: in_probabilities — Multiplies probabilities, which underflow
# fails: long_sentences_do_not_underflow
def viterbi(start, transition, emission):
    if len(emission) == 0:
        return []
    start, transition, emission = start.exp(), transition.exp(), emission.exp()
    best, back = start * emission[0], []
    for row in emission[1:]:
        ways = best[:, None] * transition
        back.append(ways.argmax(0))
        best = ways.amax(0) * row
    path = [int(best.argmax())]
    for came in reversed(back):
        path.append(int(came[path[-1]]))
    return path[::-1]


# %% wrong: turned_round — The path as it was found, last word first
# fails: no_path_is_better, rows_come_before_columns
def viterbi(start, transition, emission):
    if len(emission) == 0:
        return []
    best, back = start + emission[0], []
    for row in emission[1:]:
        ways = best[:, None] + transition
        back.append(ways.argmax(0))
        best = ways.amax(0) + row
    path = [int(best.argmax())]
    for came in reversed(back):
        path.append(int(came[path[-1]]))
    return path


# %% wrong: words_alone — Each word by itself
# fails: no_path_is_better
def viterbi(start, transition, emission):
    return emission.argmax(1).tolist()


# %% wrong: nothing_for_no_words — Has no case for a sentence without a word
# fails: no_word_and_one_word
def viterbi(start, transition, emission):
    best, back = start + emission[0], []
    for row in emission[1:]:
        ways = best[:, None] + transition
        back.append(ways.argmax(0))
        best = ways.amax(0) + row
    path = [int(best.argmax())]
    for came in reversed(back):
        path.append(int(came[path[-1]]))
    return path[::-1]


# %% wrong: all_of_them — Tries every path, which ends for short sentences only
# fails: long_sentences_do_not_underflow
import itertools


def viterbi(start, transition, emission):
    T, K = emission.shape
    if T == 0:
        return []
    if K**T > 10**4:
        raise OverflowError("too many paths")

    def score(path):
        total = start[path[0]] + sum(emission[t, tag] for t, tag in enumerate(path))
        return total + sum(transition[a, b] for a, b in zip(path, path[1:]))

    return list(max(itertools.product(range(K), repeat=T), key=score))


# %% wrong: impossible_is_unlikely — Puts a small number where a step is impossible
# fails: other_sentences_and_tags
def viterbi(start, transition, emission):
    if len(emission) == 0:
        return []
    start, transition, emission = (table.clamp(min=-5.0) for table in (start, transition, emission))
    best, back = start + emission[0], []
    for row in emission[1:]:
        ways = best[:, None] + transition
        back.append(ways.argmax(0))
        best = ways.amax(0) + row
    path = [int(best.argmax())]
    for came in reversed(back):
        path.append(int(came[path[-1]]))
    return path[::-1]


# %% wrong: the_experiments_search — Lets the hidden Markov model of the experiments search
# fails: no_path_is_better
from types import SimpleNamespace

from unrolled.experiments.tagging.baselines import HiddenMarkov


def viterbi(start, transition, emission):
    T, K = emission.shape
    own = SimpleNamespace(start=start, transition=transition, emission=emission.T, tags=list(range(K)), encode=list)
    return HiddenMarkov.tag(own, range(T))


# %% wrong: the_likeliest_tag_of_each_word — Forward and backward sums, and for each word the tag that has most
# fails: one_path_beats_two_that_meet, other_sentences_and_tags
import torch


def viterbi(start, transition, emission):
    T = len(emission)
    before, behind = torch.zeros_like(emission), torch.zeros_like(emission)
    for t in range(T):
        so_far = torch.logsumexp(before[t - 1][:, None] + transition, 0) if t else start
        before[t] = so_far + emission[t]
    for t in range(T - 2, -1, -1):
        behind[t] = torch.logsumexp(transition + emission[t + 1] + behind[t + 1], 1)
    return (before + behind).argmax(1).tolist()


# %% wrong: in_single_precision — Makes all tables float32, so that near paths become equal ones
# fails: a_sum_more_at_every_word_changes_no_path
import numpy as np


def viterbi(start, transition, emission):
    start, transition, emission = (np.asarray(table, dtype=np.float32) for table in (start, transition, emission))
    if len(emission) == 0:
        return []
    best, came = start + emission[0], []
    for row in emission[1:]:
        ways = best[:, None] + transition
        came.append(ways.argmax(0))
        best = ways.max(0) + row
    path = [int(best.argmax())]
    for earlier in came[::-1]:
        path.append(int(earlier[path[-1]]))
    return path[::-1]


# %% wrong: impossible_is_minus_a_thousand — A number for −∞ that long sentences go below
# fails: a_sum_more_at_every_word_changes_no_path
def viterbi(start, transition, emission):
    if len(emission) == 0:
        return []
    K, path = len(start), []
    best, came = (start + emission[0]).tolist(), []
    for row in emission[1:].tolist():
        now, places = [], []
        for j in range(K):
            top, place = -1000.0, 0
            for i in range(K):
                if best[i] + transition[i, j].item() > top:
                    top, place = best[i] + transition[i, j].item(), i
            now.append(top + row[j])
            places.append(place)
        best = now
        came.append(places)
    path = [max(range(K), key=best.__getitem__)]
    for places in reversed(came):
        path.append(places[path[-1]])
    return path[::-1]


# %% wrong: probabilities_scaled_at_each_word — Products whose largest is made one: what lies far below it is lost
# fails: long_sentences_do_not_underflow
def viterbi(start, transition, emission):
    if len(emission) == 0:
        return []
    best, back = start.double() + emission[0].double(), []
    best = (best - best.max()).exp()
    for row in emission[1:].double():
        ways = best[:, None] * transition.double().exp()
        back.append(ways.argmax(0))
        best = ways.amax(0) * (row - row.max()).exp()
        best = best / best.max()
    path = [int(best.argmax())]
    for came in reversed(back):
        path.append(int(came[path[-1]]))
    return path[::-1]
