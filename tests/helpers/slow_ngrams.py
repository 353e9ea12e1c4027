"""The count models once more, for one word at a time with dictionaries of tuples: what the fast ones must equal.

The beginning of a sentence is a symbol of its own here, "<s>"; the fast ones share one id for both ends.
"""

from collections import Counter, defaultdict


class Slow:
    """A model by its name in the tests; the additions and weights are those of the tests too."""

    def __init__(self, name, order, vocab_size, boundary, sequences):
        self.name, self.order, self.vocab_size, self.boundary = name, order, vocab_size, boundary
        self.raw, lefts = Counter(), defaultdict(set)
        for sequence in sequences:
            tokens = self.tokens(sequence)
            for end in range(len(tokens)):
                for k in range(1, min(order, end + 1) + 1):
                    gram = tuple(tokens[end - k + 1 : end + 1])
                    if gram != ("<s>",):
                        self.raw[gram] += 1
                        lefts[gram[1:]].add(gram[0])
        self.counts = dict(self.raw)
        if name.startswith("Kneser"):
            for gram in self.raw:
                if len(gram) < order and lefts[gram]:
                    self.counts[gram] = len(lefts[gram])

    def tokens(self, sequence):
        return sequence if self.boundary is None else ["<s>", *sequence, self.boundary]

    def discount(self, k, count):
        of_count = Counter(c for gram, c in self.counts.items() if len(gram) == k)
        n1, n2, n3, n4 = (of_count[c] for c in (1, 2, 3, 4))
        if not (n1 and n2 and n3):
            return min(count, 3) / 2
        y = n1 / (n1 + 2 * n2)
        d = [1 - 2 * y * n2 / n1, 2 - 3 * y * n3 / n2, 3 - 4 * y * n4 / n3]
        if not all(0 <= d[i] <= i + 1 for i in range(3)):
            return min(count, 3) / 2
        return d[min(count, 3) - 1]

    def prob(self, word, context):
        h = tuple(context)
        followers = {g[-1]: c for g, c in self.counts.items() if len(g) == len(h) + 1 and g[:-1] == h}
        total, count, uniform = sum(followers.values()), followers.get(word, 0), 1 / self.vocab_size
        below = self.prob(word, h[1:]) if h else uniform
        if self.name in ("maximum likelihood", "add-k"):
            k = 0.3 if self.name == "add-k" else 0.0
            return (count + k) / (total + k * self.vocab_size) if total else uniform
        if not total:
            return below
        if self.name == "Jelinek–Mercer":
            return 0.6 * count / total + 0.4 * below
        d = {w: self.discount(len(h) + 1, c) for w, c in followers.items()}
        strength = 0.5 if "strength" in self.name else 0.0
        return (count - d.get(word, 0) + (strength + sum(d.values())) * below) / (total + strength)

    def probs(self, sequence):
        tokens = self.tokens(sequence)
        first = 0 if self.boundary is None else 1
        return [self.prob(tokens[i], tokens[max(0, i - self.order + 1) : i]) for i in range(first, len(tokens))]

    def next_probs(self, so_far):
        seen = list(so_far) if self.boundary is None else ["<s>", *so_far]
        return [self.prob(w, seen[max(0, len(seen) - self.order + 1) :]) for w in range(self.vocab_size)]
