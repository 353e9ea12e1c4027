# Answers to 1.7, sampling. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: divided_by_the_largest — Powers of p divided by its largest, drawn with multinomial
import torch


def sample(next_probs, start, length, temperature, seed):
    dice = torch.Generator().manual_seed(seed)
    ids = list(start)
    for _ in range(length):
        p = next_probs(ids)
        if temperature == 0:
            ids.append(p.argmax().item())
        else:
            weights = (p / p.max()) ** (1 / temperature)
            ids.append(torch.multinomial(weights, 1, generator=dice).item())
    return ids[len(start) :]


# %% right: softmax_of_logarithms — Softmax of ln p divided by the temperature
import torch


def sample(next_probs, start, length, temperature, seed):
    dice = torch.Generator()
    dice.manual_seed(seed)
    ids, new = list(start), []
    while len(new) < length:
        p = next_probs(ids)
        if temperature == 0:
            symbol = int(torch.argmax(p))
        else:
            symbol = int(torch.multinomial(torch.softmax(p.log() / temperature, dim=0), 1, generator=dice))
        ids.append(symbol)
        new.append(symbol)
    return new


# %% right: numpy_choice — numpy's own generator
import numpy as np


def sample(next_probs, start, length, temperature, seed):
    draw = np.random.default_rng(seed)
    ids = list(start)
    for _ in range(length):
        p = np.asarray(next_probs(ids), dtype=np.float64)
        if temperature == 0:
            ids.append(int(p.argmax()))
            continue
        p = (p / p.max()) ** (1 / temperature)
        ids.append(int(draw.choice(len(p), p=p / p.sum())))
    return ids[len(start) :]


# %% right: inverse_of_the_distribution — One uniform number, looked up in the sums, in plain Python
import random
from itertools import accumulate


def sample(next_probs, start, length, temperature, seed):
    draw, new = random.Random(seed), []
    for _ in range(length):
        p = next_probs(start + new).tolist()
        best = max(p)
        if temperature == 0:
            new.append(p.index(best))
            continue
        sums = list(accumulate((x / best) ** (1 / temperature) for x in p))
        u = draw.random() * sums[-1]
        new.append(next(i for i, s in enumerate(sums) if u < s))
    return new


# %% right: gumbel_maximum — The largest of ln p / τ plus Gumbel noise
import torch


def sample(next_probs, start, length, temperature, seed):
    dice, ids = torch.Generator().manual_seed(seed), list(start)
    for _ in range(length):
        scores = next_probs(ids).double().log()
        if temperature > 0:
            noise = -torch.log(-torch.log(torch.rand(len(scores), dtype=torch.float64, generator=dice)))
            scores = scores / temperature + noise
        ids.append(int(scores.argmax()))
    return ids[len(start) :]


# %% wrong: temperature_upside_down — Raises to the power τ
# fails: temperature_sharpens_and_flattens
import torch


def sample(next_probs, start, length, temperature, seed):
    dice = torch.Generator().manual_seed(seed)
    ids = list(start)
    for _ in range(length):
        p = next_probs(ids)
        if temperature == 0:
            ids.append(int(p.argmax()))
        else:
            ids.append(int(torch.multinomial(p**temperature, 1, generator=dice)))
    return ids[len(start) :]


# %% wrong: divides_by_zero — Has no case for temperature 0
# fails: temperature_zero_takes_the_most_probable
import torch


def sample(next_probs, start, length, temperature, seed):
    dice = torch.Generator().manual_seed(seed)
    ids = list(start)
    for _ in range(length):
        p = next_probs(ids)
        weights = (p / p.max()) ** (1 / temperature)
        ids.append(int(torch.multinomial(weights, 1, generator=dice)))
    return ids[len(start) :]


# %% wrong: underflows — Raises to the power 1/τ without dividing first
# fails: near_zero_the_most_probable_wins
import torch


def sample(next_probs, start, length, temperature, seed):
    dice = torch.Generator().manual_seed(seed)
    ids = list(start)
    for _ in range(length):
        p = next_probs(ids)
        if temperature == 0:
            ids.append(int(p.argmax()))
        else:
            ids.append(int(torch.multinomial(p ** (1 / temperature), 1, generator=dice)))
    return ids[len(start) :]


# %% wrong: probabilities_as_logits — Softmax of p / τ, as if p were logits
# fails: symbols_are_drawn_as_often_as_they_are_probable
import torch


def sample(next_probs, start, length, temperature, seed):
    dice = torch.Generator().manual_seed(seed)
    ids = list(start)
    for _ in range(length):
        p = next_probs(ids)
        if temperature == 0:
            ids.append(int(p.argmax()))
        else:
            ids.append(int(torch.multinomial(torch.softmax(p / temperature, 0), 1, generator=dice)))
    return ids[len(start) :]


# %% wrong: a_little_for_zero — Adds a small number before the logarithm, so the impossible gets possible
# fails: heat_does_not_make_the_impossible_possible
import torch


def sample(next_probs, start, length, temperature, seed):
    dice = torch.Generator().manual_seed(seed)
    ids = list(start)
    for _ in range(length):
        p = next_probs(ids)
        if temperature == 0:
            ids.append(int(p.argmax()))
        else:
            weights = torch.softmax((p + 1e-9).log() / temperature, 0)
            ids.append(int(torch.multinomial(weights, 1, generator=dice)))
    return ids[len(start) :]


# %% wrong: seed_ignored — Another text at each call
# fails: the_seed_decides_the_text
import torch


def sample(next_probs, start, length, temperature, seed):
    ids = list(start)
    for _ in range(length):
        p = next_probs(ids)
        if temperature == 0:
            ids.append(int(p.argmax()))
        else:
            ids.append(int(torch.multinomial((p / p.max()) ** (1 / temperature), 1)))
    return ids[len(start) :]


# %% wrong: seeded_at_each_step — Seeds anew before each symbol, so the same number is drawn each time
# fails: symbols_are_drawn_as_often_as_they_are_probable
import torch


def sample(next_probs, start, length, temperature, seed):
    ids = list(start)
    for _ in range(length):
        dice = torch.Generator().manual_seed(seed)
        p = next_probs(ids)
        if temperature == 0:
            ids.append(int(p.argmax()))
        else:
            ids.append(int(torch.multinomial((p / p.max()) ** (1 / temperature), 1, generator=dice)))
    return ids[len(start) :]


# %% wrong: always_from_the_start — Never tells the model what was drawn
# fails: each_symbol_depends_on_all_before, temperature_zero_takes_the_most_probable
import torch


def sample(next_probs, start, length, temperature, seed):
    dice = torch.Generator().manual_seed(seed)
    p, new = next_probs(list(start)), []
    for _ in range(length):
        if temperature == 0:
            new.append(int(p.argmax()))
        else:
            new.append(int(torch.multinomial((p / p.max()) ** (1 / temperature), 1, generator=dice)))
    return new


# %% wrong: only_the_last_symbol — Gives the model the last id alone
# fails: each_symbol_depends_on_all_before
import torch


def sample(next_probs, start, length, temperature, seed):
    dice = torch.Generator().manual_seed(seed)
    ids = list(start)
    for _ in range(length):
        p = next_probs(ids[-1:])
        if temperature == 0:
            ids.append(int(p.argmax()))
        else:
            ids.append(int(torch.multinomial((p / p.max()) ** (1 / temperature), 1, generator=dice)))
    return ids[len(start) :]


# %% wrong: with_the_start — Returns the start along with the new symbols
# fails: symbols_are_drawn_as_often_as_they_are_probable, each_symbol_depends_on_all_before
import torch


def sample(next_probs, start, length, temperature, seed):
    dice = torch.Generator().manual_seed(seed)
    ids = list(start)
    for _ in range(length):
        p = next_probs(ids)
        if temperature == 0:
            ids.append(int(p.argmax()))
        else:
            ids.append(int(torch.multinomial((p / p.max()) ** (1 / temperature), 1, generator=dice)))
    return ids


# %% wrong: last_of_nothing — ids[-0:] is the whole list
# fails: starts_and_lengths_of_any_size
import torch


def sample(next_probs, start, length, temperature, seed):
    dice = torch.Generator().manual_seed(seed)
    ids = list(start)
    for _ in range(length):
        p = next_probs(ids)
        if temperature == 0:
            ids.append(int(p.argmax()))
        else:
            ids.append(int(torch.multinomial((p / p.max()) ** (1 / temperature), 1, generator=dice)))
    return ids[-length:]


# %% wrong: always_greedy — The most probable symbol at every temperature
# fails: symbols_are_drawn_as_often_as_they_are_probable, temperature_sharpens_and_flattens, the_seed_decides_the_text
def sample(next_probs, start, length, temperature, seed):
    ids = list(start)
    for _ in range(length):
        ids.append(int(next_probs(ids).argmax()))
    return ids[len(start) :]


# %% wrong: all_equally_often — Draws among the possible symbols without looking at how probable they are
# fails: symbols_are_drawn_as_often_as_they_are_probable
import random


def sample(next_probs, start, length, temperature, seed):
    draw, ids = random.Random(seed), list(start)
    for _ in range(length):
        p = next_probs(ids).tolist()
        possible = [i for i, x in enumerate(p) if x > 0]
        ids.append(draw.choice(possible) if temperature else p.index(max(p)))
    return ids[len(start) :]


# %% wrong: a_list_of_tensors — Leaves the symbols in tensors
# fails: symbols_are_drawn_as_often_as_they_are_probable
import torch


def sample(next_probs, start, length, temperature, seed):
    dice = torch.Generator().manual_seed(seed)
    ids, new = list(start), []
    for _ in range(length):
        p = next_probs(ids)
        if temperature == 0:
            symbol = p.argmax()
        else:
            symbol = torch.multinomial((p / p.max()) ** (1 / temperature), 1, generator=dice)
        ids.append(symbol.item())
        new.append(symbol)
    return new


# %% wrong: zero_is_no_seed — `if seed` is false for 0
# fails: the_seed_decides_the_text
import torch


def sample(next_probs, start, length, temperature, seed):
    if seed:
        torch.random.default_generator.manual_seed(seed)
    ids = list(start)
    for _ in range(length):
        p = next_probs(ids).double()
        if temperature == 0:
            ids.append(int(p.argmax()))
        else:
            ids.append(int(torch.multinomial((p / p.max()) ** (1 / temperature), 1)))
    return ids[len(start) :]


# %% wrong: zero_is_one — `seed or 1`
# fails: the_seed_decides_the_text
import torch


def sample(next_probs, start, length, temperature, seed):
    generator = torch.Generator().manual_seed(seed or 1)
    ids = list(start)
    for _ in range(length):
        p = next_probs(ids).double()
        if temperature == 0:
            ids.append(int(p.argmax()))
        else:
            ids.append(int(torch.multinomial((p / p.max()) ** (1 / temperature), 1, generator=generator)))
    return ids[len(start) :]


# %% wrong: small_is_zero — Below a tenth the most probable is taken
# fails: temperature_sharpens_and_flattens
import torch


def sample(next_probs, start, length, temperature, seed):
    generator = torch.Generator().manual_seed(seed)
    ids = list(start)
    for _ in range(length):
        p = next_probs(ids).double()
        if temperature < 0.1:
            ids.append(int(p.argmax()))
        else:
            ids.append(int(torch.multinomial((p / p.max()) ** (1 / temperature), 1, generator=generator)))
    return ids[len(start) :]


# %% wrong: small_is_a_tenth — Below a tenth it is a tenth
# fails: temperature_sharpens_and_flattens
import torch


def sample(next_probs, start, length, temperature, seed):
    generator = torch.Generator().manual_seed(seed)
    ids = list(start)
    for _ in range(length):
        p = next_probs(ids).double()
        if temperature == 0:
            ids.append(int(p.argmax()))
        else:
            weights = (p / p.max()) ** (1 / max(temperature, 0.1))
            ids.append(int(torch.multinomial(weights, 1, generator=generator)))
    return ids[len(start) :]


# %% wrong: temperature_ignored_but_for_zero — Every temperature above 0 is 1
# fails: temperature_sharpens_and_flattens
import torch


def sample(next_probs, start, length, temperature, seed):
    generator = torch.Generator().manual_seed(seed)
    ids = list(start)
    for _ in range(length):
        p = next_probs(ids)
        drawn = p.argmax() if temperature == 0 else torch.multinomial(p, 1, generator=generator)
        ids.append(int(drawn))
    return ids[len(start) :]


# %% wrong: at_most_three — What is hotter is taken for 3
# fails: temperature_sharpens_and_flattens
import torch


def sample(next_probs, start, length, temperature, seed):
    generator = torch.Generator().manual_seed(seed)
    ids = list(start)
    for _ in range(length):
        p = next_probs(ids).double()
        if temperature == 0:
            ids.append(int(p.argmax()))
        else:
            weights = (p / p.max()) ** (1 / min(temperature, 3))
            ids.append(int(torch.multinomial(weights, 1, generator=generator)))
    return ids[len(start) :]


# %% wrong: at_most_ten — What is hotter is taken for 10
# fails: temperatures_far_from_one_count_as_they_stand
import torch


def sample(next_probs, start, length, temperature, seed):
    generator = torch.Generator().manual_seed(seed)
    ids = list(start)
    for _ in range(length):
        p = next_probs(ids).double()
        if temperature == 0:
            ids.append(int(p.argmax()))
        else:
            weights = (p / p.max()) ** (1 / min(temperature, 10))
            ids.append(int(torch.multinomial(weights, 1, generator=generator)))
    return ids[len(start) :]


# %% wrong: at_least_a_hundredth — Zero, and all below a hundredth, is a hundredth
# fails: temperature_zero_takes_the_most_probable, temperatures_far_from_one_count_as_they_stand
import torch


def sample(next_probs, start, length, temperature, seed):
    generator = torch.Generator().manual_seed(seed)
    ids = list(start)
    for _ in range(length):
        p = next_probs(ids).double()
        if False:
            ids.append(int(p.argmax()))
        else:
            weights = (p / p.max()) ** (1 / max(temperature, 0.01))
            ids.append(int(torch.multinomial(weights, 1, generator=generator)))
    return ids[len(start) :]


# %% wrong: tiny_is_zero — Below a thousandth the most probable is taken
# fails: temperatures_far_from_one_count_as_they_stand
import torch


def sample(next_probs, start, length, temperature, seed):
    generator = torch.Generator().manual_seed(seed)
    ids = list(start)
    for _ in range(length):
        p = next_probs(ids).double()
        if temperature < 1e-3:
            ids.append(int(p.argmax()))
        else:
            weights = (p / p.max()) ** (1 / temperature)
            ids.append(int(torch.multinomial(weights, 1, generator=generator)))
    return ids[len(start) :]


# %% wrong: what_underflows_is_the_best — Where all powers are 0, the most probable is taken
# fails: temperatures_far_from_one_count_as_they_stand
import torch


def sample(next_probs, start, length, temperature, seed):
    generator = torch.Generator().manual_seed(seed)
    ids = list(start)
    for _ in range(length):
        p = next_probs(ids).double()
        weights = p ** (1 / temperature) if temperature else torch.zeros(len(p))
        if weights.sum() > 0:
            ids.append(int(torch.multinomial(weights, 1, generator=generator)))
        else:
            ids.append(int(p.argmax()))
    return ids[len(start) :]


# %% wrong: seed_and_step — A new generator at each step, seeded with seed + step
# fails: the_seed_decides_the_text
import torch


def sample(next_probs, start, length, temperature, seed):
    ids = list(start)
    for step in range(length):
        p = next_probs(ids).double()
        if temperature == 0:
            ids.append(int(p.argmax()))
        else:
            generator = torch.Generator().manual_seed(seed + step)
            ids.append(int(torch.multinomial((p / p.max()) ** (1 / temperature), 1, generator=generator)))
    return ids[len(start) :]


# %% wrong: two_bytes_of_the_seed — Seeds that are 65,536 apart give one text
# fails: the_seed_decides_the_text
import torch


def sample(next_probs, start, length, temperature, seed):
    generator = torch.Generator().manual_seed(seed & 0xFFFF)
    ids = list(start)
    for _ in range(length):
        p = next_probs(ids).double()
        if temperature == 0:
            ids.append(int(p.argmax()))
        else:
            weights = (p / p.max()) ** (1 / temperature)
            ids.append(int(torch.multinomial(weights, 1, generator=generator)))
    return ids[len(start) :]


# %% wrong: sixteen_ids_back — Shows the model the last sixteen ids alone
# fails: each_place_has_its_own_probabilities
import torch


def sample(next_probs, start, length, temperature, seed):
    generator = torch.Generator().manual_seed(seed)
    ids = list(start)
    for _ in range(length):
        p = next_probs(ids[-16:]).double()
        if temperature == 0:
            ids.append(int(p.argmax()))
        else:
            weights = (p / p.max()) ** (1 / temperature)
            ids.append(int(torch.multinomial(weights, 1, generator=generator)))
    return ids[len(start) :]


# %% wrong: four_ids_tell_all — Asks the model once for each four last ids
# fails: each_place_has_its_own_probabilities
import torch


def sample(next_probs, start, length, temperature, seed):
    generator, known = torch.Generator().manual_seed(seed), {}
    ids = list(start)
    for _ in range(length):
        last = tuple(ids[-4:])
        if last not in known:
            known[last] = next_probs(ids).double()
        p = known[last]
        if temperature == 0:
            ids.append(int(p.argmax()))
        else:
            ids.append(int(torch.multinomial((p / p.max()) ** (1 / temperature), 1, generator=generator)))
    return ids[len(start) :]


# %% wrong: the_nucleus_alone — What the likeliest symbols leave of one, five chances in a hundred, is cut off
# fails: rare_symbols_come_too
import torch


def sample(next_probs, start, length, temperature, seed):
    generator = torch.Generator().manual_seed(seed)
    ids = list(start)
    for _ in range(length):
        p = next_probs(ids).double()
        if temperature == 0:
            ids.append(int(p.argmax()))
            continue
        p, order = (p.log() / temperature).softmax(-1).sort(descending=True)
        kept = p * (p.cumsum(0) - p < 0.95)
        ids.append(int(order[torch.multinomial(kept, 1, generator=generator)]))
    return ids[len(start) :]
