"""One class for a whole text: read from a first position that stands for no word, or from the mean of the words.

    texts, labels = made(1500, seed=0)                           # made reviews of unit 4, and "0" or "1"
    trained = train_class(texts, labels, steps=300, seed=0)      # a Classed
    trained.accuracy(*made(500, seed=1))
    trained.looks(texts[0])                                      # for each layer (H, N + 1): where the first looks

`reading` is "first" (Devlin and others, "BERT", 2019, whose first position is called [CLS]), "mean" (of the vectors of
real words, with no first position), or "LSTM": unit 4's classifier, which reads in both directions and takes the
largest number of each kind. `reviews` are the sentences of unit 4's film reviews.

Cost: 300 steps on 32 made reviews each take about 4 processor seconds.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from unrolled.attention import padding_mask
from unrolled.encoder_decoder import Classifier, Config
from unrolled.experiments.reading import Reader, Sentences, answers, batches
from unrolled.experiments.tagging.polarity import Review, made_reviews, sentence_polarity
from unrolled.experiments.transformer.schedules import descended
from unrolled.language_model import Output
from unrolled.tagging import Classifier as Recurrent
from unrolled.tagging import Config as RecurrentConfig
from unrolled.tagging import Words, masked_mean

NET = {"width": 32, "heads": 4, "layers": 2}
RECURRENT = {"width": 32, "hidden": 32, "pooling": "max"}
READINGS = "first", "mean", "LSTM"
RATES = {"first": 3e-3, "mean": 3e-3, "LSTM": 1e-2}  # the LSTM's is unit 4's
WARMUP, CLIP, BATCH = 50, 1.0, 32


class MeanClassifier(Classifier):
    """The same net, which does not use its first position: softmax(V x̄ + c), x̄ the mean of the words' last vectors."""

    def forward(self, words: Words, targets: Tensor | None = None, state: None = None) -> Output:
        x = self.encoder(self.source(words.ids), padding_mask(words.mask))  # (B, N, D)
        logits = self.output(masked_mean(x, words.mask))
        return Output(logits, None if targets is None else F.cross_entropy(logits, targets), None)


@dataclass
class Classed:
    """A net that gives a class to a text."""

    model: nn.Module
    reader: Reader
    losses: list[float]

    def accuracy(self, texts: Sentences, labels: Sequence[str]) -> float:
        """The share of texts that get their class."""
        said = answers(self.model, self.reader, texts)
        return sum(one == other for one, other in zip(said, labels, strict=True)) / len(labels)

    def looks(self, text: Sequence[str]) -> list[Tensor]:
        """For each layer (H, N + 1): where the first position looks, itself in front. Of reading "first" alone."""
        return [weights[0, :, 0].cpu() for weights in self.model.weights(self.shown([text]))]

    def shown(self, texts: Sentences) -> Words:
        """What the net reads, where it is."""
        return self.reader.words(texts).to(self.model.device)


def train_class(
    texts: Sentences, labels: Sequence[str], steps: int, seed: int = 0, reading: str = "first", **settings
) -> Classed:
    """reading: one of READINGS; settings: others, or more, than NET or RECURRENT has."""
    if reading not in READINGS:
        raise ValueError(f"there is no reading {reading!r}: choose one of {', '.join(READINGS)}")
    reader = Reader.of(texts, labels, minimum_count=2)
    torch.manual_seed(seed)
    if reading == "LSTM":
        net = Recurrent(RecurrentConfig(reader.learned, len(reader.classes), **RECURRENT | settings))
    else:
        kind = Classifier if reading == "first" else MeanClassifier
        net = kind(Config(reader.learned, len(reader.classes), **NET | settings))
    drawn = batches(reader, texts, labels, BATCH, seed)
    return Classed(
        net, reader, descended(net, drawn, steps=steps, rate=RATES[reading], warmup=min(WARMUP, steps), clip=CLIP)
    )


def made(n: int, seed: int) -> tuple[list[list[str]], list[str]]:
    """n made reviews, and the class of each: "1" if it is favourable."""
    return _cut(made_reviews(n, seed))


def reviews() -> dict[str, tuple[list[list[str]], list[str]]]:
    """Film reviews, by parts: "train", "dev" and "test". DataError where they cannot be had."""
    return {part: _cut(of) for part, of in sentence_polarity(stand_in=False).items()}


def _cut(of: Sequence[Review]) -> tuple[list[list[str]], list[str]]:
    return [review.words for review in of], [str(review.label) for review in of]
