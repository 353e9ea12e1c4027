"""Short trainings of translators, each one call: a reader from the pairs, a net, `training.fit`.

    trained = train_translator(parts["train"], steps=800, context="attention", score="additive")
    trained.exact(parts["test"])                          # the share that is right to the last word

Left out on purpose: choosing anything. The long training on sentences is `unrolled.experiments.seq2seq.reach`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from unrolled.experiments.seq2seq.numbers import Pair
from unrolled.experiments.seq2seq.reading import Reader, Sentences, batches, exact, looked, translations
from unrolled.seq2seq import Config, Translator
from unrolled.training import History, fit


@dataclass
class Trained:
    """A net, what turns words into its ids, and how the training went."""

    model: Translator
    reader: Reader
    history: History

    def translations(self, sources: Sentences) -> list[list[str]]:
        """By greedy decoding."""
        return translations(self.model, self.reader, sources)

    def exact(self, pairs: Sequence[Pair]) -> float:
        """The share of pairs whose translation is right to the last word."""
        return exact(self.translations([p.source for p in pairs]), [p.target for p in pairs])

    def weights(self, source: Sequence[str], target: Sequence[str]) -> Tensor:
        """(M, N): from which source word each word of this translation was written."""
        return looked(self.model, self.reader, source, target)


def train_translator(
    train: Sequence[Pair],
    *,
    steps: int,
    seed: int = 0,
    batch: int = 64,
    rate: float = 5e-3,
    backwards: bool = False,
    make: type[Translator] = Translator,
    minimum_count: int = 1,
    **settings,
) -> Trained:
    """backwards: the source is read from its end. make: the class of the net.

    settings: more of `unrolled.seq2seq.Config`, such as context and score.
    """
    reader = Reader.of(train, minimum_count, backwards)
    torch.manual_seed(seed)
    model = make(Config(len(reader.source), len(reader.target), **settings))
    history = fit(model, batches(reader, train, batch, seed), steps=steps, rate=rate)
    return Trained(model, reader, history)
