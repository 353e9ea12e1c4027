# Answers to 5.6, the best for its length. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: max_with_key — One line
def best_hypothesis(hypotheses, alpha):
    return max(hypotheses, key=lambda one: one[1] / len(one[0]) ** alpha)[0]


# %% right: sorted_pairs — Sorted by the score, the last one
def best_hypothesis(hypotheses, alpha):
    def score(one):
        words, log_prob = one
        return log_prob * len(words) ** -alpha

    return sorted(hypotheses, key=score)[-1][0]


# %% right: tensors — Scores as a tensor, in double precision
import torch


def best_hypothesis(hypotheses, alpha):
    log_probs = torch.tensor([log_prob for _, log_prob in hypotheses], dtype=torch.float64)
    lengths = torch.tensor([len(words) for words, _ in hypotheses], dtype=torch.float64)
    return hypotheses[int((log_probs / lengths.pow(alpha)).argmax())][0]


# %% right: a_loop — The best so far
def best_hypothesis(hypotheses, alpha):
    best, top = hypotheses[0][0], hypotheses[0][1] / len(hypotheses[0][0]) ** alpha
    for words, log_prob in hypotheses[1:]:
        if log_prob / len(words) ** alpha > top:
            best, top = words, log_prob / len(words) ** alpha
    return list(best)


# %% wrong: penalty_the_wrong_way_round — Multiplied by the length, so that short texts gain
# fails: three_hypotheses_by_hand, the_longer_gains_with_alpha
def best_hypothesis(hypotheses, alpha):
    return max(hypotheses, key=lambda one: one[1] * len(one[0]) ** alpha)[0]


# %% wrong: no_normalisation — The most probable
# fails: three_hypotheses_by_hand
def best_hypothesis(hypotheses, alpha):
    return max(hypotheses, key=lambda one: one[1])[0]


# %% wrong: always_the_mean — Whatever alpha is, as if it were 1
# fails: three_hypotheses_by_hand
def best_hypothesis(hypotheses, alpha):
    return max(hypotheses, key=lambda one: one[1] / len(one[0]))[0]


# %% wrong: times_alpha — alpha as a factor
# fails: three_hypotheses_by_hand
def best_hypothesis(hypotheses, alpha):
    return max(hypotheses, key=lambda one: one[1] / (alpha * len(one[0]) or 1.0))[0]


# %% wrong: the_smallest — min, as for a loss
# fails: three_hypotheses_by_hand
def best_hypothesis(hypotheses, alpha):
    return min(hypotheses, key=lambda one: one[1] / len(one[0]) ** alpha)[0]


# %% wrong: end_mark_not_counted — One word less
# fails: three_hypotheses_by_hand
def best_hypothesis(hypotheses, alpha):
    return max(hypotheses, key=lambda one: one[1] / max(len(one[0]) - 1, 1) ** alpha)[0]


# %% wrong: different_words_counted — A set of words instead of the list
# fails: repeated_words_count_again
def best_hypothesis(hypotheses, alpha):
    return max(hypotheses, key=lambda one: one[1] / len(set(one[0])) ** alpha)[0]


# %% wrong: first_and_second_only — Looks at two
# fails: the_order_is_of_no_matter
def best_hypothesis(hypotheses, alpha):
    return max(hypotheses[:2], key=lambda one: one[1] / len(one[0]) ** alpha)[0]


# %% wrong: the_whole_hypothesis — Words and log probability together
# fails: three_hypotheses_by_hand
def best_hypothesis(hypotheses, alpha):
    return max(hypotheses, key=lambda one: one[1] / len(one[0]) ** alpha)


# %% wrong: a_reward_for_length — alpha for each word is added
# fails: the_best_of_other_hypotheses
def best_hypothesis(hypotheses, alpha):
    return max(hypotheses, key=lambda one: one[1] + alpha * len(one[0]))[0]


# %% wrong: other_penalty — The formula with 5 + length
# fails: the_best_of_other_hypotheses
def best_hypothesis(hypotheses, alpha):
    return max(hypotheses, key=lambda one: one[1] / ((5 + len(one[0])) / 6) ** alpha)[0]


# %% wrong: probabilities — e to the log probability, divided
# fails: the_longer_gains_with_alpha
import math


def best_hypothesis(hypotheses, alpha):
    return max(hypotheses, key=lambda one: math.exp(one[1]) / len(one[0]) ** alpha)[0]


# %% wrong: sorts_the_list — Sorts what was handed over
# fails: three_hypotheses_by_hand
def best_hypothesis(hypotheses, alpha):
    hypotheses.sort(key=lambda one: one[1] / len(one[0]) ** alpha, reverse=True)
    return hypotheses[0][0]


# %% wrong: compares_probabilities — The exponential of what is far below 0 is 0, for all of them
# fails: however_improbable_or_long
import math


def best_hypothesis(hypotheses, alpha):
    return max(hypotheses, key=lambda one: math.exp(one[1] / len(one[0]) ** alpha))[0]


# %% wrong: begins_at_a_number — The first one is compared with a number that is thought to be lower than all
# fails: however_improbable_or_long
def best_hypothesis(hypotheses, alpha):
    best, most = hypotheses[0][0], -1e6
    for words, log_prob in hypotheses:
        if log_prob / len(words) ** alpha > most:
            best, most = words, log_prob / len(words) ** alpha
    return best


# %% wrong: nothing_beats_minus_infinity — Where all are of probability 0, none of them comes
# fails: however_improbable_or_long
def best_hypothesis(hypotheses, alpha):
    best, most = None, float("-inf")
    for words, log_prob in hypotheses:
        if (rank := log_prob / len(words) ** alpha) > most:
            best, most = words, rank
    return best


# %% wrong: long_texts_count_as_fifty — Behind its fiftieth word a text is not longer
# fails: however_improbable_or_long
def best_hypothesis(hypotheses, alpha):
    return max(hypotheses, key=lambda one: one[1] / min(len(one[0]), 50) ** alpha)[0]
