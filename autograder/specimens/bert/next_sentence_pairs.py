# Answers to 8.5, does it follow?. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: by_place — The place of a document is left out
import random


def next_sentence_pairs(documents, seed):
    rng, pairs = random.Random(seed), []
    for n, document in enumerate(documents):
        for first, following in zip(document, document[1:]):
            if rng.random() < 0.5:
                pairs.append((first, following, 0))
            else:
                other = rng.randrange(len(documents) - 1)
                pairs.append((first, rng.choice(documents[other + (other >= n)]), 1))
    return pairs


# %% right: all_other_sentences — All sentences of all others in one list
import random


def next_sentence_pairs(documents, seed):
    random.seed(seed)
    out = []
    for n in range(len(documents)):
        strangers = [s for m in range(len(documents)) if m != n for s in documents[m]]
        for i in range(len(documents[n]) - 1):
            kind = random.randint(0, 1)
            out.append((documents[n][i], random.choice(strangers) if kind else documents[n][i + 1], kind))
    return out


# %% right: drawn_until_another — Drawn again until it is another document
import torch


def next_sentence_pairs(documents, seed):
    dice = torch.Generator().manual_seed(seed)
    draw = lambda n: int(torch.randint(n, (), generator=dice))
    result = []
    for place, document in enumerate(documents):
        for i, sentence in enumerate(document[:-1]):
            if draw(2):
                other = place
                while other == place:
                    other = draw(len(documents))
                result.append((sentence, documents[other][draw(len(documents[other]))], 1))
            else:
                result.append((sentence, document[i + 1], 0))
    return result


# %% right: coins_first — All coins at once, by numpy
import numpy as np


def next_sentence_pairs(documents, seed):
    rng = np.random.default_rng(seed)
    pairs = [(n, a, b) for n, d in enumerate(documents) for a, b in zip(d[:-1], d[1:])]
    coins = rng.integers(0, 2, len(pairs)).tolist()
    found = []
    for (n, a, b), coin in zip(pairs, coins):
        if coin == 1:
            rest = documents[:n] + documents[n + 1 :]
            d = rest[rng.integers(len(rest))]
            b = d[rng.integers(len(d))]
        found.append((a, b, coin))
    return found


# %% right: numpy_numbers — Numbers as numpy draws them
import random


import numpy as np


def next_sentence_pairs(documents, seed):
    rng = np.random.default_rng(seed)
    out = []
    for d, doc in enumerate(documents):
        others = documents[:d] + documents[d + 1 :]
        for a, b in zip(doc, doc[1:]):
            k = rng.integers(2)
            if k:
                o = others[rng.integers(len(others))]
                b = o[rng.integers(len(o))]
            out.append((a, b, k))
    return out


# %% wrong: from_any_document — The own document is drawn from, too
# fails: half_of_them_each_by_itself
import random


def next_sentence_pairs(documents, seed):
    rng, pairs = random.Random(seed), []
    for n, document in enumerate(documents):
        others = [other for m, other in enumerate(documents)]
        for i in range(len(document) - 1):
            if rng.random() < 0.5:
                pairs.append((document[i], document[i + 1], 0))
            else:
                pairs.append((document[i], rng.choice(rng.choice(others)), 1))
    return pairs


# %% wrong: own_document — The second sentence from the same document
# fails: half_of_them_each_by_itself
import random


def next_sentence_pairs(documents, seed):
    rng, pairs = random.Random(seed), []
    for n, document in enumerate(documents):
        others = [other for m, other in enumerate(documents) if m != n]
        for i in range(len(document) - 1):
            if rng.random() < 0.5:
                pairs.append((document[i], document[i + 1], 0))
            else:
                pairs.append((document[i], rng.choice(document), 1))
    return pairs


# %% wrong: following_document_alone — Always from the next document
# fails: all_of_the_others_may_be_drawn
import random


def next_sentence_pairs(documents, seed):
    rng, pairs = random.Random(seed), []
    for n, document in enumerate(documents):
        others = [other for m, other in enumerate(documents) if m != n]
        for i in range(len(document) - 1):
            if rng.random() < 0.5:
                pairs.append((document[i], document[i + 1], 0))
            else:
                pairs.append((document[i], rng.choice(documents[(n + 1) % len(documents)]), 1))
    return pairs


# %% wrong: first_sentences_alone — Always another document's first sentence
# fails: all_of_the_others_may_be_drawn
import random


def next_sentence_pairs(documents, seed):
    rng, pairs = random.Random(seed), []
    for n, document in enumerate(documents):
        others = [other for m, other in enumerate(documents) if m != n]
        for i in range(len(document) - 1):
            if rng.random() < 0.5:
                pairs.append((document[i], document[i + 1], 0))
            else:
                pairs.append((document[i], rng.choice(others)[0], 1))
    return pairs


# %% wrong: never_last_sentences — The last sentence of a document is never drawn
# fails: all_of_the_others_may_be_drawn
import random


def next_sentence_pairs(documents, seed):
    rng, pairs = random.Random(seed), []
    for n, document in enumerate(documents):
        others = [other for m, other in enumerate(documents) if m != n]
        for i in range(len(document) - 1):
            if rng.random() < 0.5:
                pairs.append((document[i], document[i + 1], 0))
            else:
                pairs.append((document[i], rng.choice([s for other in others for s in (other[:-1] or other)]), 1))
    return pairs


# %% wrong: long_documents_alone — Documents of one sentence are not drawn from
# fails: all_of_the_others_may_be_drawn
import random


def next_sentence_pairs(documents, seed):
    rng, pairs = random.Random(seed), []
    for n, document in enumerate(documents):
        others = [other for m, other in enumerate(documents) if m != n and len(other) > 1] or [documents[n - 1]]
        for i in range(len(document) - 1):
            if rng.random() < 0.5:
                pairs.append((document[i], document[i + 1], 0))
            else:
                pairs.append((document[i], rng.choice(rng.choice(others)), 1))
    return pairs


# %% wrong: marked_the_other_way — 1 where it follows
# fails: half_of_them_each_by_itself
import random


def next_sentence_pairs(documents, seed):
    rng, pairs = random.Random(seed), []
    for n, document in enumerate(documents):
        others = [other for m, other in enumerate(documents) if m != n]
        for i in range(len(document) - 1):
            if rng.random() < 0.5:
                pairs.append((document[i], document[i + 1], 1))
            else:
                pairs.append((document[i], rng.choice(rng.choice(others)), 0))
    return pairs


# %% wrong: one_in_three — A third from elsewhere
# fails: half_of_them_each_by_itself
import random


def next_sentence_pairs(documents, seed):
    rng, pairs = random.Random(seed), []
    for n, document in enumerate(documents):
        others = [other for m, other in enumerate(documents) if m != n]
        for i in range(len(document) - 1):
            if rng.random() < 0.667:
                pairs.append((document[i], document[i + 1], 0))
            else:
                pairs.append((document[i], rng.choice(rng.choice(others)), 1))
    return pairs


# %% wrong: coin_a_document — One coin for a document
# fails: half_of_them_each_by_itself
import random


def next_sentence_pairs(documents, seed):
    rng, pairs = random.Random(seed), []
    for n, document in enumerate(documents):
        others = [other for m, other in enumerate(documents) if m != n]
        coin = rng.random()
        for i in range(len(document) - 1):
            if coin < 0.5:
                pairs.append((document[i], document[i + 1], 0))
            else:
                pairs.append((document[i], rng.choice(rng.choice(others)), 1))
    return pairs


# %% wrong: every_second — Every second pair
# fails: half_of_them_each_by_itself
import random


def next_sentence_pairs(documents, seed):
    rng, pairs = random.Random(seed), []
    for n, document in enumerate(documents):
        others = [other for m, other in enumerate(documents) if m != n]
        for i in range(len(document) - 1):
            if len(pairs) % 2:
                pairs.append((document[i], document[i + 1], 0))
            else:
                pairs.append((document[i], rng.choice(rng.choice(others)), 1))
    return pairs


# %% wrong: exactly_half — Exactly half of a document's pairs
# fails: half_of_them_each_by_itself
import random


def next_sentence_pairs(documents, seed):
    rng, pairs = random.Random(seed), []
    for n, document in enumerate(documents):
        others = [other for m, other in enumerate(documents) if m != n]
        half = set(rng.sample(range(len(document) - 1), (len(document) - 1) // 2))
        for i in range(len(document) - 1):
            if i in half:
                pairs.append((document[i], document[i + 1], 0))
            else:
                pairs.append((document[i], rng.choice(rng.choice(others)), 1))
    return pairs


# %% wrong: both_of_each — Each sentence twice, once with each
# fails: half_of_them_each_by_itself
import random


def next_sentence_pairs(documents, seed):
    rng, pairs = random.Random(seed), []
    for n, document in enumerate(documents):
        others = [other for m, other in enumerate(documents) if m != n]
        for i in range(len(document) - 1):
            pairs.append((document[i], document[i + 1], 0))
            pairs.append((document[i], rng.choice(rng.choice(others)), 1))
    return pairs


# %% wrong: negatives_behind — First all that follow, then the others
# fails: half_of_them_each_by_itself
import random


def next_sentence_pairs(documents, seed):
    rng, pairs = random.Random(seed), []
    for n, document in enumerate(documents):
        others = [other for m, other in enumerate(documents) if m != n]
        for i in range(len(document) - 1):
            if rng.random() < 0.5:
                pairs.append((document[i], document[i + 1], 0))
            else:
                pairs.append((document[i], rng.choice(rng.choice(others)), 1))
    return sorted(pairs, key=lambda pair: pair[2])


# %% wrong: shuffled — In another order
# fails: half_of_them_each_by_itself
import random


def next_sentence_pairs(documents, seed):
    rng, pairs = random.Random(seed), []
    for n, document in enumerate(documents):
        others = [other for m, other in enumerate(documents) if m != n]
        for i in range(len(document) - 1):
            if rng.random() < 0.5:
                pairs.append((document[i], document[i + 1], 0))
            else:
                pairs.append((document[i], rng.choice(rng.choice(others)), 1))
    rng.shuffle(pairs)
    return pairs


# %% wrong: every_second_sentence — Sentences are used up by pairs
# fails: half_of_them_each_by_itself
import random


def next_sentence_pairs(documents, seed):
    rng, pairs = random.Random(seed), []
    for n, document in enumerate(documents):
        others = [other for m, other in enumerate(documents) if m != n]
        for i in range(0, len(document) - 1, 2):
            if rng.random() < 0.5:
                pairs.append((document[i], document[i + 1], 0))
            else:
                pairs.append((document[i], rng.choice(rng.choice(others)), 1))
    return pairs


# %% wrong: last_sentences_too — The last sentence gets a stranger
# fails: half_of_them_each_by_itself
import random


def next_sentence_pairs(documents, seed):
    rng, pairs = random.Random(seed), []
    for n, document in enumerate(documents):
        others = [other for m, other in enumerate(documents) if m != n]
        for i in range(len(document)):
            if i + 1 < len(document) and rng.random() < 0.5:
                pairs.append((document[i], document[i + 1], 0))
            else:
                pairs.append((document[i], rng.choice(rng.choice(others)), 1))
    return pairs


# %% wrong: across_documents — A document's last sentence goes on in the next document
# fails: half_of_them_each_by_itself
import random


def next_sentence_pairs(documents, seed):
    rng, pairs = random.Random(seed), []
    text = [(n, sentence) for n, document in enumerate(documents) for sentence in document]
    for (n, first), (_, following) in zip(text, text[1:]):
        if rng.random() < 0.5:
            pairs.append((first, following, 0))
        else:
            pairs.append((first, rng.choice([s for m, s in text if m != n]), 1))
    return pairs


# %% wrong: by_what_it_reads — Another document is one that reads otherwise
# fails: what_reads_the_same_is_not_the_same
import random


def next_sentence_pairs(documents, seed):
    rng, pairs = random.Random(seed), []
    for n, document in enumerate(documents):
        others = [other for m, other in enumerate(documents) if other != document]
        for i in range(len(document) - 1):
            if rng.random() < 0.5:
                pairs.append((document[i], document[i + 1], 0))
            else:
                pairs.append((document[i], rng.choice(rng.choice(others)), 1))
    return pairs


# %% wrong: found_by_index — The next sentence by the place where this one stands first
# fails: what_reads_the_same_is_not_the_same
import random


def next_sentence_pairs(documents, seed):
    rng, pairs = random.Random(seed), []
    for n, document in enumerate(documents):
        others = [other for m, other in enumerate(documents) if m != n]
        for i in range(len(document) - 1):
            if rng.random() < 0.5:
                pairs.append((document[i], document[document.index(document[i]) + 1], 0))
            else:
                pairs.append((document[i], rng.choice(rng.choice(others)), 1))
    return pairs


# %% wrong: one_stranger_for_all — One sentence from elsewhere for a whole document
# fails: strangers_are_drawn_anew
import random


def next_sentence_pairs(documents, seed):
    rng, pairs = random.Random(seed), []
    for n, document in enumerate(documents):
        others = [other for m, other in enumerate(documents) if m != n]
        stranger = rng.choice(rng.choice(others))
        for i in range(len(document) - 1):
            if rng.random() < 0.5:
                pairs.append((document[i], document[i + 1], 0))
            else:
                pairs.append((document[i], stranger, 1))
    return pairs


# %% wrong: no_seed — The seed is not used
# fails: a_seed_decides_the_pairs
import random


def next_sentence_pairs(documents, seed):
    rng, pairs = random.Random(), []
    for n, document in enumerate(documents):
        others = [other for m, other in enumerate(documents) if m != n]
        for i in range(len(document) - 1):
            if rng.random() < 0.5:
                pairs.append((document[i], document[i + 1], 0))
            else:
                pairs.append((document[i], rng.choice(rng.choice(others)), 1))
    return pairs


# %% wrong: one_seed — One seed for all
# fails: a_seed_decides_the_pairs
import random


def next_sentence_pairs(documents, seed):
    rng, pairs = random.Random(1), []
    for n, document in enumerate(documents):
        others = [other for m, other in enumerate(documents) if m != n]
        for i in range(len(document) - 1):
            if rng.random() < 0.5:
                pairs.append((document[i], document[i + 1], 0))
            else:
                pairs.append((document[i], rng.choice(rng.choice(others)), 1))
    return pairs


# %% wrong: lists — Lists of three
# fails: half_of_them_each_by_itself
import random


def next_sentence_pairs(documents, seed):
    rng, pairs = random.Random(seed), []
    for n, document in enumerate(documents):
        others = [other for m, other in enumerate(documents) if m != n]
        for i in range(len(document) - 1):
            if rng.random() < 0.5:
                pairs.append([document[i], document[i + 1], 0])
            else:
                pairs.append((document[i], rng.choice(rng.choice(others)), 1))
    return pairs


# %% wrong: previous — The sentence before for the next one
# fails: half_of_them_each_by_itself
import random


def next_sentence_pairs(documents, seed):
    rng, pairs = random.Random(seed), []
    for n, document in enumerate(documents):
        others = [other for m, other in enumerate(documents) if m != n]
        for i in range(len(document) - 1):
            if rng.random() < 0.5:
                pairs.append((document[i + 1], document[i], 0))
            else:
                pairs.append((document[i], rng.choice(rng.choice(others)), 1))
    return pairs


# %% wrong: first_by_chance — The stranger stands first
# fails: half_of_them_each_by_itself
import random


def next_sentence_pairs(documents, seed):
    rng, pairs = random.Random(seed), []
    for n, document in enumerate(documents):
        others = [other for m, other in enumerate(documents) if m != n]
        for i in range(len(document) - 1):
            if rng.random() < 0.5:
                pairs.append((document[i], document[i + 1], 0))
            else:
                pairs.append((rng.choice(rng.choice(others)), document[i], 1))
    return pairs


# %% wrong: no_seed_zero — A seed of 0 is taken for none
# fails: the_seed_decides_all_pairs
import random


def next_sentence_pairs(documents, seed):
    rng = random.Random(seed or None)
    out = []
    for d, doc in enumerate(documents):
        o = [s for e, x in enumerate(documents) if e != d for s in x]
        for a, b in zip(doc, doc[1:]):
            k = rng.randrange(2)
            out.append((a, rng.choice(o) if k else b, k))
    return out


# %% wrong: whether_it_follows — True where it goes on, False where it does not
# fails: half_of_them_each_by_itself
import random


def next_sentence_pairs(documents, seed):
    rng, pairs = random.Random(seed), []
    for n, document in enumerate(documents):
        others = [other for m, other in enumerate(documents) if m != n]
        for i in range(len(document) - 1):
            if rng.random() < 0.5:
                pairs.append((document[i], document[i + 1], True))
            else:
                pairs.append((document[i], rng.choice(rng.choice(others)), False))
    return pairs


# %% wrong: by_value — Other documents are those that differ in text; of equal ones none is another
# fails: each_stranger_may_come
import random


def next_sentence_pairs(documents, seed):
    rng = random.Random(seed)
    out = []
    for d in documents:
        others = [e for e in documents if e != d] or documents
        for a, b in zip(d, d[1:]):
            out.append((a, b, 0) if rng.random() < 0.5 else (a, rng.choice(rng.choice(others)), 1))
    return out


# %% wrong: exact_half — Exactly half go on: labels are shuffled
# fails: each_stranger_may_come
import random


def next_sentence_pairs(documents, seed):
    rng = random.Random(seed)
    n = sum(len(d) - 1 for d in documents)
    labels = [k % 2 for k in range(n)]
    if n % 2:
        labels[-1] = rng.randrange(2)
    rng.shuffle(labels)
    labels = iter(labels)
    out = []
    for i, d in enumerate(documents):
        others = documents[:i] + documents[i + 1 :]
        for a, b in zip(d, d[1:]):
            out.append((a, rng.choice(rng.choice(others)), 1) if next(labels) else (a, b, 0))
    return out


# %% wrong: label_by_text — Label found afterwards from whether B reads like the next one
# fails: each_stranger_may_come
import random


def next_sentence_pairs(documents, seed):
    rng = random.Random(seed)
    out = []
    for i, d in enumerate(documents):
        others = documents[:i] + documents[i + 1 :]
        for a, b in zip(d, d[1:]):
            c = b if rng.random() < 0.5 else rng.choice(rng.choice(others))
            out.append((a, c, int(c != b)))
    return out


# %% wrong: no_repeat — A sentence that was drawn is not drawn again as long as there are others
# fails: each_stranger_may_come
import random


def next_sentence_pairs(documents, seed):
    rng = random.Random(seed)
    out, used = [], set()
    for i, d in enumerate(documents):
        places = [(j, k) for j, e in enumerate(documents) if j != i for k in range(len(e))]
        for a, b in zip(d, d[1:]):
            if rng.random() < 0.5:
                out.append((a, b, 0))
                continue
            j, k = rng.choice([p for p in places if p not in used] or places)
            used.add((j, k))
            out.append((a, documents[j][k], 1))
    return out


# %% wrong: no_same_text — A drawn sentence that reads like the next one is drawn again
# fails: each_stranger_may_come
import random


def next_sentence_pairs(documents, seed):
    rng = random.Random(seed)
    out = []
    for i, d in enumerate(documents):
        others = documents[:i] + documents[i + 1 :]
        for a, b in zip(d, d[1:]):
            if rng.random() < 0.5:
                out.append((a, b, 0))
                continue
            pool = [s for e in others for s in e]
            out.append((a, rng.choice([s for s in pool if s != b] or pool), 1))
    return out


# %% wrong: one_other_each — One other document is drawn for each document, not for each sentence
# fails: each_stranger_may_come
import random


def next_sentence_pairs(documents, seed):
    rng = random.Random(seed)
    out = []
    for i, d in enumerate(documents):
        e = rng.choice(documents[:i] + documents[i + 1 :])
        for a, b in zip(d, d[1:]):
            out.append((a, b, 0) if rng.random() < 0.5 else (a, rng.choice(e), 1))
    return out


# %% wrong: pool_of_texts — Leaves out of the pool every sentence that stands in the own document, too
# fails: each_stranger_may_come
import random


def next_sentence_pairs(documents, seed):
    rng = random.Random(seed)
    out = []
    for i, d in enumerate(documents):
        pool = [s for j, e in enumerate(documents) if j != i for s in e]
        pool = [s for s in pool if s not in d] or pool
        for a, b in zip(d, d[1:]):
            out.append((a, b, 0) if rng.random() < 0.5 else (a, rng.choice(pool), 1))
    return out


# %% wrong: by_text — Equal sentences get equal coins (a coin for each text)
# fails: half_of_the_pairs_go_on
import random


def next_sentence_pairs(documents, seed):
    rng = random.Random(seed)
    coins = {}
    out = []
    for i, d in enumerate(documents):
        others = documents[:i] + documents[i + 1 :]
        for a, b in zip(d, d[1:]):
            coin = coins.setdefault((a, b), rng.random() < 0.5)
            out.append((a, b, 0) if coin else (a, rng.choice(rng.choice(others)), 1))
    return out


# %% wrong: true_and_false — True and False are 1 and 0
# fails: a_pair_for_each_that_has_a_next
import random


def next_sentence_pairs(documents, seed):
    rng = random.Random(seed)
    out = []
    for d, doc in enumerate(documents):
        others = [s for e, o in enumerate(documents) if e != d for s in o]
        for a, b in zip(doc, doc[1:]):
            k = rng.random() < 0.5
            out.append((a, rng.choice(others) if k else b, k))
    return out
