# Answers to 2.8, sampling with a state. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: start_first — Reads all of start, then draws and reads in turn
import torch


def generate(step, h0, start, length, temperature, seed):
    dice = torch.Generator().manual_seed(seed)
    h, text = h0, []
    for symbol in start:
        logits, h = step(symbol, h)
    while len(text) < length:
        if temperature == 0:
            text.append(logits.argmax().item())
        else:
            p = torch.softmax(logits / temperature, dim=-1)
            text.append(torch.multinomial(p, 1, generator=dice).item())
        if len(text) < length:
            logits, h = step(text[-1], h)
    return text


# %% right: reads_the_last_too — One call more, for whoever wants the last state
import torch


def generate(step, h0, start, length, temperature, seed):
    dice, h, text = torch.Generator(), h0, []
    dice.manual_seed(seed)
    for i in start:
        logits, h = step(i, h)
    for _ in range(length):
        if temperature > 0:
            i = int(torch.multinomial(torch.softmax(logits / temperature, 0), 1, generator=dice))
        else:
            i = int(torch.argmax(logits))
        text.append(i)
        logits, h = step(i, h)
    return text


# %% right: gumbel_maximum — The largest of logits / τ plus Gumbel noise
import torch


def generate(step, h0, start, length, temperature, seed):
    dice = torch.Generator().manual_seed(seed)
    h, waiting, new = h0, list(start), []
    for _ in range(length):
        for symbol in waiting:
            scores, h = step(symbol, h)
        if temperature:
            noise = torch.rand(len(scores), dtype=torch.float64, generator=dice).clamp(min=1e-300)
            scores = scores.double() / temperature - torch.log(-torch.log(noise))
        waiting = [int(scores.argmax())]
        new += waiting
    return new


# %% right: numpy_choice — numpy's own generator, the largest logit taken off by hand
import numpy as np


def generate(step, h0, start, length, temperature, seed):
    draw = np.random.default_rng(seed)
    h, new = h0, []
    for symbol in start:
        logits, h = step(symbol, h)
    for left in range(length, 0, -1):
        scores = np.asarray(logits, dtype=np.float64)
        if temperature == 0:
            symbol = int(scores.argmax())
        else:
            weights = np.exp((scores - scores.max()) / temperature)
            symbol = int(draw.choice(len(weights), p=weights / weights.sum()))
        new.append(symbol)
        if left > 1:
            logits, h = step(symbol, h)
    return new


# %% right: categorical — torch.distributions, seeded through the global generator
import torch


def generate(step, h0, start, length, temperature, seed):
    torch.random.manual_seed(seed)
    h, new = h0, []
    for symbol in start:
        logits, h = step(symbol, h)
    for _ in range(length):
        if new:
            logits, h = step(new[-1], h)
        if temperature == 0:
            new.append(torch.argmax(logits).item())
        else:
            new.append(torch.distributions.Categorical(logits=logits / temperature).sample().item())
    return new


# %% wrong: state_reset_each_step — Gives step the first state every time
# fails: each_symbol_is_read_once_and_in_order, the_state_carries_all_that_was_read
import torch


def generate(step, h0, start, length, temperature, seed):
    dice, waiting, new = torch.Generator().manual_seed(seed), list(start), []
    for _ in range(length):
        for symbol in waiting:
            logits, _ = step(symbol, h0)
        if temperature == 0:
            drawn = int(logits.argmax())
        else:
            drawn = int(torch.multinomial((logits / temperature).softmax(0), 1, generator=dice))
        new.append(drawn)
        waiting = [drawn]
    return new


# %% wrong: last_of_start_only — Reads no symbol of start but the last
# fails: each_symbol_is_read_once_and_in_order, the_state_carries_all_that_was_read
import torch


def generate(step, h0, start, length, temperature, seed):
    dice, h, symbol, new = torch.Generator().manual_seed(seed), h0, start[-1], []
    for _ in range(length):
        logits, h = step(symbol, h)
        if temperature == 0:
            symbol = int(logits.argmax())
        else:
            symbol = int(torch.multinomial((logits / temperature).softmax(0), 1, generator=dice))
        new.append(symbol)
    return new


# %% wrong: read_twice — Reads the last symbol of start again before the first draw
# fails: each_symbol_is_read_once_and_in_order, the_state_carries_all_that_was_read
import torch


def generate(step, h0, start, length, temperature, seed):
    dice, h, new = torch.Generator().manual_seed(seed), h0, []
    for symbol in start:
        _, h = step(symbol, h)
    for _ in range(length):
        logits, h = step(symbol, h)
        if temperature == 0:
            symbol = int(logits.argmax())
        else:
            symbol = int(torch.multinomial((logits / temperature).softmax(0), 1, generator=dice))
        new.append(symbol)
    return new


# %% wrong: reads_all_again — Reads the whole text anew before each draw, as if there were no state
# fails: each_symbol_is_read_once_and_in_order
import torch


def generate(step, h0, start, length, temperature, seed):
    dice, text = torch.Generator().manual_seed(seed), list(start)
    for _ in range(length):
        h = h0
        for symbol in text:
            logits, h = step(symbol, h)
        if temperature == 0:
            text.append(int(logits.argmax()))
        else:
            text.append(int(torch.multinomial((logits / temperature).softmax(0), 1, generator=dice)))
    return text[len(start) :]


# %% wrong: draws_before_reading — Never reads what it drew
# fails: each_symbol_is_read_once_and_in_order, the_state_carries_all_that_was_read
import torch


def generate(step, h0, start, length, temperature, seed):
    dice, h, new = torch.Generator().manual_seed(seed), h0, []
    for symbol in start:
        logits, h = step(symbol, h)
    for _ in range(length):
        if temperature == 0:
            new.append(int(logits.argmax()))
        else:
            new.append(int(torch.multinomial((logits / temperature).softmax(0), 1, generator=dice)))
    return new


# %% wrong: temperature_multiplied — Multiplies where it should divide
# fails: temperature_sharpens_and_flattens
import torch


def generate(step, h0, start, length, temperature, seed):
    dice, h, waiting, new = torch.Generator().manual_seed(seed), h0, list(start), []
    for _ in range(length):
        for symbol in waiting:
            logits, h = step(symbol, h)
        if temperature == 0:
            drawn = int(logits.argmax())
        else:
            drawn = int(torch.multinomial((logits * temperature).softmax(0), 1, generator=dice))
        new.append(drawn)
        waiting = [drawn]
    return new


# %% wrong: temperature_after_softmax — Divides the probabilities, which changes nothing
# fails: temperature_sharpens_and_flattens
import torch


def generate(step, h0, start, length, temperature, seed):
    dice, h, waiting, new = torch.Generator().manual_seed(seed), h0, list(start), []
    for _ in range(length):
        for symbol in waiting:
            logits, h = step(symbol, h)
        if temperature == 0:
            drawn = int(logits.argmax())
        else:
            drawn = int(torch.multinomial(logits.softmax(0) / temperature, 1, generator=dice))
        new.append(drawn)
        waiting = [drawn]
    return new


# %% wrong: divides_by_zero — Has no case for temperature 0
# fails: temperature_zero_takes_the_largest_logit
import torch


def generate(step, h0, start, length, temperature, seed):
    dice, h, waiting, new = torch.Generator().manual_seed(seed), h0, list(start), []
    for _ in range(length):
        for symbol in waiting:
            logits, h = step(symbol, h)
        drawn = int(torch.multinomial((logits / temperature).softmax(0), 1, generator=dice))
        new.append(drawn)
        waiting = [drawn]
    return new


# %% wrong: exponential_overflows — Takes exponentials of logits as large as they come
# fails: large_logits_and_small_temperatures_are_safe
import torch


def generate(step, h0, start, length, temperature, seed):
    dice, h, waiting, new = torch.Generator().manual_seed(seed), h0, list(start), []
    for _ in range(length):
        for symbol in waiting:
            logits, h = step(symbol, h)
        if temperature == 0:
            drawn = int(logits.argmax())
        else:
            weights = (logits / temperature).exp()
            drawn = int(torch.multinomial(weights / weights.sum(), 1, generator=dice))
        new.append(drawn)
        waiting = [drawn]
    return new


# %% wrong: a_little_for_zero — Lets the impossible happen now and then
# fails: heat_does_not_make_the_impossible_possible
import torch


def generate(step, h0, start, length, temperature, seed):
    dice, h, waiting, new = torch.Generator().manual_seed(seed), h0, list(start), []
    for _ in range(length):
        for symbol in waiting:
            logits, h = step(symbol, h)
        if temperature == 0:
            drawn = int(logits.argmax())
        else:
            p = logits.clamp(min=-30)
            drawn = int(torch.multinomial((p / temperature).softmax(0), 1, generator=dice))
        new.append(drawn)
        waiting = [drawn]
    return new


# %% wrong: always_greedy — The largest logit at every temperature
# fails: temperature_sharpens_and_flattens, the_seed_decides_the_text
import torch


def generate(step, h0, start, length, temperature, seed):
    h, waiting, new = h0, list(start), []
    for _ in range(length):
        for symbol in waiting:
            logits, h = step(symbol, h)
        new.append(int(logits.argmax()))
        waiting = new[-1:]
    return new


# %% wrong: smallest_logit — Takes the least probable symbol at temperature 0
# fails: temperature_zero_takes_the_largest_logit
import torch


def generate(step, h0, start, length, temperature, seed):
    dice, h, waiting, new = torch.Generator().manual_seed(seed), h0, list(start), []
    for _ in range(length):
        for symbol in waiting:
            logits, h = step(symbol, h)
        if temperature == 0:
            drawn = int((-logits.abs()).argmax())
        else:
            drawn = int(torch.multinomial((logits / temperature).softmax(0), 1, generator=dice))
        new.append(drawn)
        waiting = [drawn]
    return new


# %% wrong: seed_ignored — Another text at each call
# fails: the_seed_decides_the_text
import torch


def generate(step, h0, start, length, temperature, seed):
    h, waiting, new = h0, list(start), []
    for _ in range(length):
        for symbol in waiting:
            logits, h = step(symbol, h)
        if temperature == 0:
            drawn = int(logits.argmax())
        else:
            drawn = int(torch.multinomial((logits / temperature).softmax(0), 1))
        new.append(drawn)
        waiting = [drawn]
    return new


# %% wrong: seeded_at_each_step — Seeds anew before each symbol, so the same number is drawn each time
# fails: temperature_sharpens_and_flattens
import torch


def generate(step, h0, start, length, temperature, seed):
    h, waiting, new = h0, list(start), []
    for _ in range(length):
        dice = torch.Generator().manual_seed(seed)
        for symbol in waiting:
            logits, h = step(symbol, h)
        if temperature == 0:
            drawn = int(logits.argmax())
        else:
            drawn = int(torch.multinomial((logits / temperature).softmax(0), 1, generator=dice))
        new.append(drawn)
        waiting = [drawn]
    return new


# %% wrong: with_the_start — Returns the start along with the new symbols
# fails: each_symbol_is_read_once_and_in_order, the_state_carries_all_that_was_read
import torch


def generate(step, h0, start, length, temperature, seed):
    dice, h, waiting, text = torch.Generator().manual_seed(seed), h0, list(start), list(start)
    for _ in range(length):
        for symbol in waiting:
            logits, h = step(symbol, h)
        if temperature == 0:
            drawn = int(logits.argmax())
        else:
            drawn = int(torch.multinomial((logits / temperature).softmax(0), 1, generator=dice))
        text.append(drawn)
        waiting = [drawn]
    return text


# %% wrong: one_too_many — A symbol more than asked for
# fails: each_symbol_is_read_once_and_in_order, the_state_carries_all_that_was_read
import torch


def generate(step, h0, start, length, temperature, seed):
    dice, h, waiting, new = torch.Generator().manual_seed(seed), h0, list(start), []
    while len(new) <= length:
        for symbol in waiting:
            logits, h = step(symbol, h)
        if temperature == 0:
            drawn = int(logits.argmax())
        else:
            drawn = int(torch.multinomial((logits / temperature).softmax(0), 1, generator=dice))
        new.append(drawn)
        waiting = [drawn]
    return new


# %% wrong: start_backwards — Reads the start from its end
# fails: each_symbol_is_read_once_and_in_order
import torch


def generate(step, h0, start, length, temperature, seed):
    dice, h, waiting, new = torch.Generator().manual_seed(seed), h0, list(start)[::-1], []
    for _ in range(length):
        for symbol in waiting:
            logits, h = step(symbol, h)
        if temperature == 0:
            drawn = int(logits.argmax())
        else:
            drawn = int(torch.multinomial((logits / temperature).softmax(0), 1, generator=dice))
        new.append(drawn)
        waiting = [drawn]
    return new


# %% wrong: zero_is_no_seed — `if seed` is false for 0
# fails: the_seed_decides_the_text
import torch


def generate(step, h0, start, length, temperature, seed):
    if seed:
        torch.random.default_generator.manual_seed(seed)
    h, waiting, new = h0, list(start), []
    for _ in range(length):
        for symbol in waiting:
            logits, h = step(symbol, h)
        if temperature == 0:
            drawn = int(logits.argmax())
        else:
            drawn = int(torch.multinomial(torch.softmax(logits / temperature, -1), 1))
        waiting = [drawn]
        new.append(drawn)
    return new


# %% wrong: zero_is_one — `seed or 1`
# fails: the_seed_decides_the_text
import torch


def generate(step, h0, start, length, temperature, seed):
    g = torch.Generator().manual_seed(seed or 1)
    h, waiting, new = h0, list(start), []
    for _ in range(length):
        for symbol in waiting:
            logits, h = step(symbol, h)
        if temperature == 0:
            drawn = int(logits.argmax())
        else:
            drawn = int(torch.multinomial(torch.softmax(logits / temperature, -1), 1, generator=g))
        waiting = [drawn]
        new.append(drawn)
    return new


# %% wrong: two_largest_alone — Draws between the two largest logits, however many there are
# fails: temperature_sharpens_and_flattens
import torch


def generate(step, h0, start, length, temperature, seed):
    g = torch.Generator().manual_seed(seed)
    h, waiting, new = h0, list(start), []
    for _ in range(length):
        for symbol in waiting:
            logits, h = step(symbol, h)
        logits, ids = logits.topk(min(2, len(logits)))
        if temperature == 0:
            drawn = int(ids[logits.argmax()])
        else:
            drawn = int(ids[torch.multinomial(torch.softmax(logits / temperature, -1), 1, generator=g)])
        waiting = [drawn]
        new.append(drawn)
    return new


# %% wrong: small_is_zero — Below a tenth the largest logit is taken
# fails: temperature_sharpens_and_flattens
import torch


def generate(step, h0, start, length, temperature, seed):
    g = torch.Generator().manual_seed(seed)
    h, waiting, new = h0, list(start), []
    for _ in range(length):
        for symbol in waiting:
            logits, h = step(symbol, h)
        if temperature < 0.1:
            drawn = int(logits.argmax())
        else:
            drawn = int(torch.multinomial(torch.softmax(logits / temperature, -1), 1, generator=g))
        waiting = [drawn]
        new.append(drawn)
    return new


# %% wrong: small_is_a_tenth — Below a tenth it is a tenth
# fails: temperature_sharpens_and_flattens
import torch


def generate(step, h0, start, length, temperature, seed):
    g = torch.Generator().manual_seed(seed)
    h, waiting, new = h0, list(start), []
    for _ in range(length):
        for symbol in waiting:
            logits, h = step(symbol, h)
        if temperature == 0:
            drawn = int(logits.argmax())
        else:
            drawn = int(torch.multinomial(torch.softmax(logits / max(temperature, 0.1), -1), 1, generator=g))
        waiting = [drawn]
        new.append(drawn)
    return new


# %% wrong: never_quite_cold — A temperature below a thousandth is a thousandth
# fails: large_logits_and_small_temperatures_are_safe
import torch


def generate(step, h0, start, length, temperature, seed):
    dice = torch.Generator().manual_seed(seed)
    h, waiting, new = h0, list(start), []
    for n in range(length):
        for symbol in waiting:
            logits, h = step(symbol, h)
        scores = logits.double()
        if temperature == 0:
            drawn = int(scores.argmax())
        else:
            p = torch.softmax(scores / max(temperature, 1e-3), 0)
            drawn = int(torch.multinomial(p, 1, generator=dice))
        waiting = [drawn]
        new.append(drawn)
    return new


# %% wrong: never_too_warm — A temperature above two is two
# fails: temperature_sharpens_and_flattens
import torch


def generate(step, h0, start, length, temperature, seed):
    dice = torch.Generator().manual_seed(seed)
    h, waiting, new = h0, list(start), []
    for n in range(length):
        for symbol in waiting:
            logits, h = step(symbol, h)
        scores = logits.double()
        if temperature == 0:
            drawn = int(scores.argmax())
        else:
            p = torch.softmax(scores / min(temperature, 2.0), 0)
            drawn = int(torch.multinomial(p, 1, generator=dice))
        waiting = [drawn]
        new.append(drawn)
    return new


# %% wrong: never_hot — A temperature above ten is ten
# fails: large_logits_and_small_temperatures_are_safe
import torch


def generate(step, h0, start, length, temperature, seed):
    dice = torch.Generator().manual_seed(seed)
    h, waiting, new = h0, list(start), []
    for n in range(length):
        for symbol in waiting:
            logits, h = step(symbol, h)
        scores = logits.double()
        if temperature == 0:
            drawn = int(scores.argmax())
        else:
            p = torch.softmax(scores / min(temperature, 10.0), 0)
            drawn = int(torch.multinomial(p, 1, generator=dice))
        waiting = [drawn]
        new.append(drawn)
    return new


# %% wrong: logits_held_in — Logits beyond fifty are fifty, but for infinite ones
# fails: large_logits_and_small_temperatures_are_safe
import torch


def generate(step, h0, start, length, temperature, seed):
    dice = torch.Generator().manual_seed(seed)
    h, waiting, new = h0, list(start), []
    for n in range(length):
        for symbol in waiting:
            logits, h = step(symbol, h)
        scores = logits.double()
        if temperature == 0:
            drawn = int(scores.argmax())
        else:
            p = torch.softmax(torch.where(scores.isinf(), scores, scores.clamp(-50, 50)) / temperature, 0)
            drawn = int(torch.multinomial(p, 1, generator=dice))
        waiting = [drawn]
        new.append(drawn)
    return new


# %% wrong: power_of_probabilities — p^(1/τ) of each symbol is too small for any number
# fails: large_logits_and_small_temperatures_are_safe
import torch


def generate(step, h0, start, length, temperature, seed):
    dice = torch.Generator().manual_seed(seed)
    h, waiting, new = h0, list(start), []
    for n in range(length):
        for symbol in waiting:
            logits, h = step(symbol, h)
        scores = logits.double()
        if temperature == 0:
            drawn = int(scores.argmax())
        else:
            p = torch.softmax(scores, 0) ** (1 / temperature)
            drawn = int(torch.multinomial(p, 1, generator=dice))
        waiting = [drawn]
        new.append(drawn)
    return new


# %% wrong: five_likeliest_and_ties — Leaves out what is less likely than the fifth
# fails: large_logits_and_small_temperatures_are_safe
import torch


def generate(step, h0, start, length, temperature, seed):
    dice = torch.Generator().manual_seed(seed)
    h, waiting, new = h0, list(start), []
    for n in range(length):
        for symbol in waiting:
            logits, h = step(symbol, h)
        scores = logits.double()
        if temperature == 0:
            drawn = int(scores.argmax())
        else:
            p = torch.softmax(scores.masked_fill(scores < scores.sort().values[-5:][0], -torch.inf) / temperature, 0)
            drawn = int(torch.multinomial(p, 1, generator=dice))
        waiting = [drawn]
        new.append(drawn)
    return new


# %% wrong: smoothed — Adds a thousandth to each probability
# fails: heat_does_not_make_the_impossible_possible
import torch


def generate(step, h0, start, length, temperature, seed):
    dice = torch.Generator().manual_seed(seed)
    h, waiting, new = h0, list(start), []
    for n in range(length):
        for symbol in waiting:
            logits, h = step(symbol, h)
        scores = logits.double()
        if temperature == 0:
            drawn = int(scores.argmax())
        else:
            p = torch.softmax(scores / temperature, 0) + 1e-3
            drawn = int(torch.multinomial(p, 1, generator=dice))
        waiting = [drawn]
        new.append(drawn)
    return new


# %% wrong: a_finite_infinity — Takes −10,000 for −∞
# fails: heat_does_not_make_the_impossible_possible
import torch


def generate(step, h0, start, length, temperature, seed):
    dice = torch.Generator().manual_seed(seed)
    h, waiting, new = h0, list(start), []
    for n in range(length):
        for symbol in waiting:
            logits, h = step(symbol, h)
        scores = logits.double()
        if temperature == 0:
            drawn = int(scores.argmax())
        else:
            p = torch.softmax(scores.clamp(min=-1e4) / temperature, 0)
            drawn = int(torch.multinomial(p, 1, generator=dice))
        waiting = [drawn]
        new.append(drawn)
    return new


# %% wrong: a_seed_each — Draw n has the seed that follows n others
# fails: the_seed_decides_the_text
import torch


def generate(step, h0, start, length, temperature, seed):
    dice = torch.Generator()
    h, waiting, new = h0, list(start), []
    for n in range(length):
        for symbol in waiting:
            logits, h = step(symbol, h)
        scores = logits.double()
        if temperature == 0:
            drawn = int(scores.argmax())
        else:
            dice.manual_seed(seed + n)
            p = torch.softmax(scores / temperature, 0)
            drawn = int(torch.multinomial(p, 1, generator=dice))
        waiting = [drawn]
        new.append(drawn)
    return new


# %% wrong: seeded_again — Begins again after forty draws
# fails: the_seed_decides_the_text
import torch


def generate(step, h0, start, length, temperature, seed):
    dice = torch.Generator().manual_seed(seed)
    h, waiting, new = h0, list(start), []
    for n in range(length):
        for symbol in waiting:
            logits, h = step(symbol, h)
        scores = logits.double()
        if temperature == 0:
            drawn = int(scores.argmax())
        else:
            p = torch.softmax(scores / temperature, 0)
            drawn = int(torch.multinomial(p, 1, generator=dice))
        waiting = [drawn]
        new.append(drawn)
        if n == 39:
            dice.manual_seed(seed)
    return new


# %% wrong: last_symbol_never_best — The largest of all logits but the last
# fails: temperature_zero_takes_the_largest_logit
import torch


def generate(step, h0, start, length, temperature, seed):
    dice = torch.Generator().manual_seed(seed)
    h, waiting, new = h0, list(start), []
    for n in range(length):
        for symbol in waiting:
            logits, h = step(symbol, h)
        scores = logits.double()
        if temperature == 0:
            drawn = int(scores[:-1].argmax())
        else:
            p = torch.softmax(scores / temperature, 0)
            drawn = int(torch.multinomial(p, 1, generator=dice))
        waiting = [drawn]
        new.append(drawn)
    return new


# %% wrong: zero_ends_the_text — Takes id 0 for an end
# fails: temperature_zero_takes_the_largest_logit
import torch


def generate(step, h0, start, length, temperature, seed):
    dice = torch.Generator().manual_seed(seed)
    h, waiting, new = h0, list(start), []
    for n in range(length):
        for symbol in waiting:
            logits, h = step(symbol, h)
        scores = logits.double()
        if temperature == 0:
            drawn = int(scores.argmax())
        else:
            p = torch.softmax(scores / temperature, 0)
            drawn = int(torch.multinomial(p, 1, generator=dice))
        waiting = [drawn]
        new.append(drawn)
        if drawn == 0:
            break
    return new


# %% wrong: the_nucleus_alone — What the likeliest symbols leave of one, five chances in a hundred, is cut off
# fails: rare_symbols_come_too
import torch


def generate(step, h0, start, length, temperature, seed):
    generator = torch.Generator().manual_seed(seed)
    h, waiting, new = h0, list(start), []
    for _ in range(length):
        for symbol in waiting:
            logits, h = step(symbol, h)
        if temperature == 0:
            new.append(int(logits.argmax()))
        else:
            p, order = (logits.double() / temperature).softmax(-1).sort(descending=True)
            kept = p * (p.cumsum(0) - p < 0.95)
            new.append(int(order[torch.multinomial(kept, 1, generator=generator)]))
        waiting = new[-1:]
    return new
