# Answers to 5.5, beam search. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: heap — The largest by a heap, states looked up by the words
import heapq
import math


def beam_search(step, state, begin, end, width, limit):
    kept, states = [((), 0.0)], {(): state}
    for _ in range(limit):
        ways = []
        after = {}
        for words, total in kept:
            if words and words[-1] == end:
                ways.append((total, words))
                continue
            log_probs, after[words] = step(states[words], words[-1] if words else begin)
            ways.extend((total + float(p), (*words, w)) for w, p in enumerate(log_probs) if math.isfinite(p))
        best = heapq.nlargest(width, ways)
        kept = [(words, total) for total, words in best]
        states = {words: after[words[:-1]] for _, words in best if words[:-1] in after}
    return [(list(words), total) for words, total in kept]


# %% right: topk_of_each — The best `width` words of each, which is enough; stops when all have ended
import torch


def beam_search(step, state, begin, end, width, limit):
    beams = [{"words": [], "total": 0.0, "state": state, "over": False}]
    for _ in range(limit):
        if all(beam["over"] for beam in beams):
            break
        new = [beam for beam in beams if beam["over"]]
        for beam in beams:
            if beam["over"]:
                continue
            read = beam["words"][-1] if beam["words"] else begin
            log_probs, following = step(beam["state"], read)
            values, ids = torch.topk(log_probs, min(width, len(log_probs)))
            for value, word in zip(values.tolist(), ids.tolist()):
                if value != float("-inf"):
                    words = [*beam["words"], word]
                    new.append(
                        {"words": words, "total": beam["total"] + value, "state": following, "over": word == end}
                    )
        new.sort(key=lambda beam: beam["total"], reverse=True)
        beams = new[:width]
    return [(beam["words"], beam["total"]) for beam in beams]


# %% right: recursive — A round calls the next one
import math


def beam_search(step, state, begin, end, width, limit):
    def rounds(kept, left):
        if not left:
            return kept
        grown = []
        for score, words, inner, finished in kept:
            if finished:
                grown.append((score, words, inner, True))
            else:
                out, following = step(inner, words[-1] if words else begin)
                for word in range(out.shape[0]):
                    number = out[word].item()
                    if not math.isinf(number):
                        grown.append((score + number, words + [word], following, word == end))
        return rounds(sorted(grown, key=lambda one: -one[0])[:width], left - 1)

    return [(words, score) for score, words, _, _ in rounds([(0.0, [], state, False)], limit)]


# %% right: marks_inside_until_the_end — Begin stands in each list until it is returned; pairs as lists
import torch


def beam_search(step, state, begin, end, width, limit):
    alive, done = [([begin], torch.zeros((), dtype=torch.float64), state)], []
    for _ in range(limit):
        candidates = [(words, score, None) for words, score in done]
        for words, score, inner in alive:
            log_probs, after = step(inner, words[-1])
            for word in torch.isfinite(log_probs).nonzero().flatten().tolist():
                candidates.append((words + [word], score + log_probs[word].double(), after))
        candidates.sort(key=lambda one: float(one[1]), reverse=True)
        candidates = candidates[:width]
        alive = [one for one in candidates if len(one[0]) == 1 or one[0][-1] != end]
        done = [one[:2] for one in candidates if len(one[0]) > 1 and one[0][-1] == end]
    every = [one[:2] for one in alive] + done
    every.sort(key=lambda one: float(one[1]), reverse=True)
    return [[words[1:], float(score)] for words, score in every]


# %% wrong: greedy_whatever_the_width — The best word at each step, one hypothesis
# fails: the_tree_of_the_text, a_wide_beam_finds_the_best_of_all
def beam_search(step, state, begin, end, width, limit):
    words, total, last = [], 0.0, begin
    for _ in range(limit):
        log_probs, state = step(state, last)
        last = int(log_probs.argmax())
        total += float(log_probs[last])
        words.append(last)
        if last == end:
            break
    return [(words, total)]


# %% wrong: probabilities_multiplied — Products of probabilities instead of sums of logarithms
# fails: the_tree_of_the_text, log_probabilities_are_those_of_the_words
import math


def beam_search(step, state, begin, end, width, limit):
    kept = [([], 1.0, state)]
    for _ in range(limit):
        grown = []
        for words, total, inner in kept:
            if words and words[-1] == end:
                grown.append((words, total, inner))
                continue
            log_probs, after = step(inner, words[-1] if words else begin)
            grown += [(words + [w], total * p, after) for w, p in enumerate(log_probs.exp().tolist()) if p > 0]
        kept = sorted(grown, key=lambda one: -one[1])[:width]
    return [(words, total) for words, total, _ in kept]


# %% wrong: multiplied_and_logged_at_last — The logarithm of a product that has become 0
# fails: long_texts_do_not_underflow
import math


def beam_search(step, state, begin, end, width, limit):
    kept = [([], 1.0, state)]
    for _ in range(limit):
        grown = []
        for words, total, inner in kept:
            if words and words[-1] == end:
                grown.append((words, total, inner))
                continue
            log_probs, after = step(inner, words[-1] if words else begin)
            grown += [(words + [w], total * p, after) for w, p in enumerate(log_probs.exp().tolist()) if p > 0]
        kept = sorted(grown, key=lambda one: -one[1])[:width]
    return [(words, math.log(total) if total > 0 else -math.inf) for words, total, _ in kept]


# %% wrong: log_probabilities_multiplied — Products of logarithms
# fails: log_probabilities_are_those_of_the_words
import math


def beam_search(step, state, begin, end, width, limit):
    kept = [([], 1.0, state)]
    for _ in range(limit):
        grown = []
        for words, total, inner in kept:
            if words and words[-1] == end:
                grown.append((words, total, inner))
                continue
            log_probs, after = step(inner, words[-1] if words else begin)
            grown += [(words + [w], -abs(total * p), after) for w, p in enumerate(log_probs.tolist()) if p > -math.inf]
        kept = sorted(grown, key=lambda one: -one[1])[:width]
    return [(words, total if words else 0.0) for words, total, _ in kept]


# %% wrong: finished_beams_extended — An end mark stops nothing
# fails: the_tree_of_the_text, what_has_ended_competes_as_it_is
import math


def beam_search(step, state, begin, end, width, limit):
    kept = [([], 0.0, state)]
    for _ in range(limit):
        grown = []
        for words, total, inner in kept:
            log_probs, after = step(inner, words[-1] if words else begin)
            grown += [(words + [w], total + p, after) for w, p in enumerate(log_probs.tolist()) if p > -math.inf]
        kept = sorted(grown, key=lambda one: -one[1])[:width]
    return [(words, total) for words, total, _ in kept]


# %% wrong: beams_mixed — The states stay in their places while the hypotheses move
# fails: log_probabilities_are_those_of_the_words
import math


def beam_search(step, state, begin, end, width, limit):
    kept, states = [([], 0.0)], [state]
    for _ in range(limit):
        grown, new = [], []
        for (words, total), inner in zip(kept, states):
            if words and words[-1] == end:
                grown.append((words, total))
                new.append(inner)
                continue
            log_probs, after = step(inner, words[-1] if words else begin)
            new.append(after)
            grown += [(words + [w], total + p) for w, p in enumerate(log_probs.tolist()) if p > -math.inf]
        kept = sorted(grown, key=lambda one: -one[1])[:width]
        states = [new[min(place, len(new) - 1)] for place in range(len(kept))]
    return kept


# %% wrong: one_state_for_all — The state of the last call goes on with every hypothesis
# fails: log_probabilities_are_those_of_the_words
import math


def beam_search(step, state, begin, end, width, limit):
    kept = [([], 0.0)]
    for _ in range(limit):
        grown = []
        for words, total in kept:
            if words and words[-1] == end:
                grown.append((words, total))
                continue
            log_probs, state = step(state, words[-1] if words else begin)
            grown += [(words + [w], total + p) for w, p in enumerate(log_probs.tolist()) if p > -math.inf]
        kept = sorted(grown, key=lambda one: -one[1])[:width]
    return kept


# %% wrong: siblings_share_a_list — append changes the words of all children
# fails: the_tree_of_the_text
import math


def beam_search(step, state, begin, end, width, limit):
    kept = [([], 0.0, state)]
    for _ in range(limit):
        grown = []
        for words, total, inner in kept:
            if words and words[-1] == end:
                grown.append((words, total, inner))
                continue
            log_probs, after = step(inner, words[-1] if words else begin)
            for w, p in enumerate(log_probs.tolist()):
                if p > -math.inf:
                    words.append(w)
                    grown.append((words, total + p, after))
        kept = sorted(grown, key=lambda one: -one[1])[:width]
    return [(words, total) for words, total, _ in kept]


# %% wrong: finished_put_aside — What has ended leaves the beam and gives its place away
# fails: other_trees_and_widths
import math


def beam_search(step, state, begin, end, width, limit):
    alive, done = [([], 0.0, state)], []
    for _ in range(limit):
        grown = []
        for words, total, inner in alive:
            log_probs, after = step(inner, words[-1] if words else begin)
            grown += [(words + [w], total + p, after) for w, p in enumerate(log_probs.tolist()) if p > -math.inf]
        best = sorted(grown, key=lambda one: -one[1])[:width]
        done += [one for one in best if one[0][-1] == end]
        alive = [one for one in best if one[0][-1] != end]
    every = sorted(done + alive, key=lambda one: -one[1])[:width]
    return [(words, total) for words, total, _ in every]


# %% wrong: finished_thrown_out — Only what goes on is kept
# fails: what_has_ended_competes_as_it_is
import math


def beam_search(step, state, begin, end, width, limit):
    kept = [([], 0.0, state)]
    for _ in range(limit):
        grown = []
        for words, total, inner in kept:
            if words and words[-1] == end:
                continue
            log_probs, after = step(inner, words[-1] if words else begin)
            grown += [(words + [w], total + p, after) for w, p in enumerate(log_probs.tolist()) if p > -math.inf]
        if not grown:
            break
        kept = sorted(grown, key=lambda one: -one[1])[:width]
    return [(words, total) for words, total, _ in kept]


# %% wrong: stops_at_the_first_end — The first hypothesis that ends is taken for the best
# fails: other_trees_and_widths
import math


def beam_search(step, state, begin, end, width, limit):
    kept = [([], 0.0, state)]
    for _ in range(limit):
        grown = []
        for words, total, inner in kept:
            log_probs, after = step(inner, words[-1] if words else begin)
            grown += [(words + [w], total + p, after) for w, p in enumerate(log_probs.tolist()) if p > -math.inf]
        kept = sorted(grown, key=lambda one: -one[1])[:width]
        if any(words[-1] == end for words, _, _ in kept):
            break
    return [(words, total) for words, total, _ in kept]


# %% wrong: only_what_has_ended_is_returned — Hypotheses that reach the limit are lost
# fails: what_has_ended_competes_as_it_is
import math


def beam_search(step, state, begin, end, width, limit):
    kept = [([], 0.0, state)]
    for _ in range(limit):
        grown = []
        for words, total, inner in kept:
            if words and words[-1] == end:
                grown.append((words, total, inner))
                continue
            log_probs, after = step(inner, words[-1] if words else begin)
            grown += [(words + [w], total + p, after) for w, p in enumerate(log_probs.tolist()) if p > -math.inf]
        kept = sorted(grown, key=lambda one: -one[1])[:width]
    return [(words, total) for words, total, _ in kept if words and words[-1] == end]


# %% wrong: width_of_each — The best few of each hypothesis, cut over all to a hundred at most
# fails: the_tree_of_the_text
import math


def beam_search(step, state, begin, end, width, limit):
    kept = [([], 0.0, state)]
    for _ in range(limit):
        grown = []
        for words, total, inner in kept:
            if words and words[-1] == end:
                grown.append((words, total, inner))
                continue
            log_probs, after = step(inner, words[-1] if words else begin)
            own = [(words + [w], total + p, after) for w, p in enumerate(log_probs.tolist()) if p > -math.inf]
            grown += sorted(own, key=lambda one: -one[1])[:width]
        kept = sorted(grown, key=lambda one: -one[1])[:100]
    return [(words, total) for words, total, _ in sorted(kept, key=lambda one: -one[1])]


# %% wrong: best_child_of_each — Each hypothesis goes on with one word alone after the first
# fails: other_trees_and_widths
import math


def beam_search(step, state, begin, end, width, limit):
    kept = [([], 0.0, state)]
    for round in range(limit):
        grown = []
        for words, total, inner in kept:
            if words and words[-1] == end:
                grown.append((words, total, inner))
                continue
            log_probs, after = step(inner, words[-1] if words else begin)
            own = [(words + [w], total + p, after) for w, p in enumerate(log_probs.tolist()) if p > -math.inf]
            own.sort(key=lambda one: -one[1])
            grown += own if round == 0 else own[:1]
        kept = sorted(grown, key=lambda one: -one[1])[:width]
    return [(words, total) for words, total, _ in kept]


# %% wrong: worst_first — Sorted the wrong way round, and cut there
# fails: the_tree_of_the_text, one_beam_is_greedy
import math


def beam_search(step, state, begin, end, width, limit):
    kept = [([], 0.0, state)]
    for _ in range(limit):
        grown = []
        for words, total, inner in kept:
            if words and words[-1] == end:
                grown.append((words, total, inner))
                continue
            log_probs, after = step(inner, words[-1] if words else begin)
            grown += [(words + [w], total + p, after) for w, p in enumerate(log_probs.tolist()) if p > -math.inf]
        kept = sorted(grown, key=lambda one: one[1])[:width]
    return [(words, total) for words, total, _ in kept]


# %% wrong: last_word_alone — Ranked by the last word's log probability, not by the sum
# fails: other_trees_and_widths
import math


def beam_search(step, state, begin, end, width, limit):
    kept = [([], 0.0, 0.0, state)]
    for _ in range(limit):
        grown = []
        for words, total, own, inner in kept:
            if words and words[-1] == end:
                grown.append((words, total, own, inner))
                continue
            log_probs, after = step(inner, words[-1] if words else begin)
            grown += [(words + [w], total + p, p, after) for w, p in enumerate(log_probs.tolist()) if p > -math.inf]
        kept = sorted(grown, key=lambda one: -one[2])[:width]
    return [(words, total) for words, total, _, _ in sorted(kept, key=lambda one: -one[1])]


# %% wrong: normalised_on_the_way — Ranked by the mean of a word, at each step
# fails: other_trees_and_widths
import math


def beam_search(step, state, begin, end, width, limit):
    kept = [([], 0.0, state)]
    for _ in range(limit):
        grown = []
        for words, total, inner in kept:
            if words and words[-1] == end:
                grown.append((words, total, inner))
                continue
            log_probs, after = step(inner, words[-1] if words else begin)
            grown += [(words + [w], total + p, after) for w, p in enumerate(log_probs.tolist()) if p > -math.inf]
        kept = sorted(grown, key=lambda one: -one[1] / len(one[0]))[:width]
    return [(words, total) for words, total, _ in sorted(kept, key=lambda one: -one[1])]


# %% wrong: impossible_words_fill_the_beam — −∞ is kept where there are places
# fails: few_ways_and_no_round, what_is_impossible_is_never_kept
def beam_search(step, state, begin, end, width, limit):
    kept = [([], 0.0, state)]
    for _ in range(limit):
        grown = []
        for words, total, inner in kept:
            if words and words[-1] == end:
                grown.append((words, total, inner))
                continue
            log_probs, after = step(inner, words[-1] if words else begin)
            grown += [(words + [w], total + p, after) for w, p in enumerate(log_probs.tolist())]
        kept = sorted(grown, key=lambda one: -one[1])[:width]
    return [(words, total) for words, total, _ in kept]


# %% wrong: end_mark_left_off — The words without the mark of their end
# fails: the_tree_of_the_text
import math


def beam_search(step, state, begin, end, width, limit):
    kept = [([], 0.0, state)]
    for _ in range(limit):
        grown = []
        for words, total, inner in kept:
            if words and words[-1] == end:
                grown.append((words, total, inner))
                continue
            log_probs, after = step(inner, words[-1] if words else begin)
            grown += [(words + [w], total + p, after) for w, p in enumerate(log_probs.tolist()) if p > -math.inf]
        kept = sorted(grown, key=lambda one: -one[1])[:width]
    return [(words[:-1] if words and words[-1] == end else words, total) for words, total, _ in kept]


# %% wrong: begin_among_the_words — The mark of the beginning is returned
# fails: the_tree_of_the_text
import math


def beam_search(step, state, begin, end, width, limit):
    kept = [([begin], 0.0, state)]
    for _ in range(limit):
        grown = []
        for words, total, inner in kept:
            if len(words) > 1 and words[-1] == end:
                grown.append((words, total, inner))
                continue
            log_probs, after = step(inner, words[-1])
            grown += [(words + [w], total + p, after) for w, p in enumerate(log_probs.tolist()) if p > -math.inf]
        kept = sorted(grown, key=lambda one: -one[1])[:width]
    return [(words, total) for words, total, _ in kept]


# %% wrong: one_word_too_many — limit + 1 rounds
# fails: few_ways_and_no_round
import math


def beam_search(step, state, begin, end, width, limit):
    kept = [([], 0.0, state)]
    for _ in range(limit + 1):
        grown = []
        for words, total, inner in kept:
            if words and words[-1] == end:
                grown.append((words, total, inner))
                continue
            log_probs, after = step(inner, words[-1] if words else begin)
            grown += [(words + [w], total + p, after) for w, p in enumerate(log_probs.tolist()) if p > -math.inf]
        kept = sorted(grown, key=lambda one: -one[1])[:width]
    return [(words, total) for words, total, _ in kept]


# %% wrong: begin_is_taken_for_an_end — Where both marks are one id, nothing is ever written
# fails: other_trees_and_widths
import math


def beam_search(step, state, begin, end, width, limit):
    kept = [([begin], 0.0, state)]
    for _ in range(limit):
        grown = []
        for words, total, inner in kept:
            if words[-1] == end:
                grown.append((words, total, inner))
                continue
            log_probs, after = step(inner, words[-1])
            grown += [(words + [w], total + p, after) for w, p in enumerate(log_probs.tolist()) if p > -math.inf]
        kept = sorted(grown, key=lambda one: -one[1])[:width]
    return [(words[1:], total) for words, total, _ in kept]


# %% wrong: half_precision — Each log probability is rounded to three digits
# fails: log_probabilities_are_those_of_the_words
import math

import torch


def beam_search(step, state, begin, end, width, limit):
    kept = [([], torch.zeros(()), state)]
    for _ in range(limit):
        grown = []
        for words, total, inner in kept:
            if words and words[-1] == end:
                grown.append((words, total, inner))
                continue
            log_probs, after = step(inner, words[-1] if words else begin)
            half = log_probs.half()
            grown += [(words + [w], total + p, after) for w, p in enumerate(half) if p > -math.inf]
        kept = sorted(grown, key=lambda one: -one[1].item())[:width]
    return [(words, total.item()) for words, total, _ in kept]


# %% wrong: the_units_own — The finished search of the module
# fails: the_tree_of_the_text
import torch
from unrolled import decoding


def beam_search(step, state, begin, end, width, limit):
    found = decoding.beam_search(lambda s, w: step(s, int(w[0])), state, begin, end, width, limit)
    return [(list(one.words), one.log_prob) for one in found]


# %% wrong: stops_when_the_best_has_ended — No better one can come, but the others are left unfinished
# fails: what_has_ended_competes_as_it_is
import math


def beam_search(step, state, begin, end, width, limit):
    kept = [([], 0.0, state)]
    for _ in range(limit):
        best = kept[0][0]
        if best and best[-1] == end:
            break
        grown = []
        for words, total, inner in kept:
            if words and words[-1] == end:
                grown.append((words, total, inner))
                continue
            log_probs, after = step(inner, words[-1] if words else begin)
            grown += [(words + [w], total + p, after) for w, p in enumerate(log_probs.tolist()) if p > -math.inf]
        kept = sorted(grown, key=lambda one: -one[1])[:width]
    return [(words, total) for words, total, _ in kept]


# %% wrong: the_best_alone — Only the first of what is kept is returned
# fails: the_tree_of_the_text
import math


def beam_search(step, state, begin, end, width, limit):
    kept = [([], 0.0, state)]
    for _ in range(limit):
        grown = []
        for words, total, inner in kept:
            if words and words[-1] == end:
                grown.append((words, total, inner))
                continue
            log_probs, after = step(inner, words[-1] if words else begin)
            grown += [(words + [w], total + p, after) for w, p in enumerate(log_probs.tolist()) if p > -math.inf]
        kept = sorted(grown, key=lambda one: -one[1])[:width]
    return [kept[0][:2]]


# %% wrong: sorts_whole_tuples — Where two are as probable, Python goes on and compares their states
# fails: equal_ones_may_be_kept_either_way
def beam_search(step, state, begin, end, width, limit):
    beam = [(0.0, state, [])]
    for _ in range(limit):
        grown = []
        for total, state, words in beam:
            if words and words[-1] == end:
                grown.append((total, state, words))
                continue
            log_probs, after = step(state, words[-1] if words else begin)
            for word, log_prob in enumerate(log_probs.tolist()):
                if log_prob > -float("inf"):
                    grown.append((total + log_prob, after, [*words, word]))
        grown.sort(reverse=True)
        beam = grown[:width]
    return [(words, total) for total, _, words in beam]


# %% wrong: a_place_for_another_beginning — Behind the first round no beginning may fill the whole beam
# fails: all_may_come_of_one_beginning
def beam_search(step, state, begin, end, width, limit):
    beam = [([], 0.0, state)]
    for turn in range(limit):
        grown = []
        for words, total, state in beam:
            if words and words[-1] == end:
                grown.append((words, total, state))
                continue
            log_probs, after = step(state, words[-1] if words else begin)
            own = [(words + [w], total + p, after) for w, p in enumerate(log_probs.tolist()) if p > -float("inf")]
            own.sort(key=lambda one: -one[1])
            most = width if turn == 0 or width == 1 else width - 1
            grown += own[:most] if len(beam) > 1 else own
        beam = sorted(grown, key=lambda one: -one[1])[:width]
    return [(words, total) for words, total, _ in beam]


# %% wrong: begin_stands_in_front — Each list begins with begin, which looks ended where it is the end mark, too
# fails: begin_and_end_may_be_one_mark
import math


def beam_search(step, state, begin, end, width, limit):
    kept = [([begin], 0.0, state)]
    for _ in range(limit):
        grown = []
        for words, total, state in kept:
            if words[-1] == end:
                grown.append((words, total, state))
                continue
            log_probs, after = step(state, words[-1])
            for word, log_prob in enumerate(log_probs.tolist()):
                if log_prob > -math.inf:
                    grown.append(([*words, word], total + log_prob, after))
        kept = sorted(grown, key=lambda one: one[1], reverse=True)[:width]
    return [(words[1:], total) for words, total, _ in kept]
