"""A classmate's transformer: it has more words right than anybody could know, and alone it writes nonsense.

    hers, sound = classmates_translator(steps=300), healthy_translator(steps=300)
    told_words(hers), told_words(sound)        # shares of right words, each after the right words before it
    alone(hers), alone(sound)                  # shares of the answers that are right, written word by word
    parts(hers.model)                          # model and sizes, as the suspects of `sick_transformers` have them

The task is unit 5's time of day, which has two right answers: nobody can know which of the two is meant before its
first word is read. `most_words` says how many words somebody can have right who knows the rest. The last lines of this
file give the fault away: guess first.
"""

import copy

import torch
from torch import Tensor

from unrolled.attention import causal_mask, padding_mask
from unrolled.encoder_decoder import Config, EncoderDecoder
from unrolled.experiments.seq2seq.numbers import Pair
from unrolled.experiments.seq2seq.reading import Reader, batches, translations
from unrolled.experiments.seq2seq.trainer import Trained
from unrolled.experiments.seq2seq.two_answers import all_times
from unrolled.language_model import IGNORED, cross_entropy
from unrolled.seq2seq import Pairs, Translation
from unrolled.training import fit

NET = {"width": 32, "heads": 4, "layers": 2}
RATE = 3e-3


def classmates_translator(steps: int, seed: int = 0) -> Trained:
    """The classmate's net, trained on all times of day."""
    return _trained(LeakingDecoder, steps, seed)


def healthy_translator(steps: int, seed: int = 0) -> Trained:
    """One of the same size without the fault."""
    return _trained(EncoderDecoder, steps, seed)


def _trained(make: type[EncoderDecoder], steps: int, seed: int) -> Trained:
    pairs = all_times()
    reader = Reader.of(pairs)
    torch.manual_seed(seed)
    model = make(Config(len(reader.source), len(reader.target), **NET))
    return Trained(model, reader, fit(model, batches(reader, pairs, 48, seed), steps=steps, rate=RATE))


@torch.no_grad()
def told_words(trained: Trained) -> float:
    """The share of right words over all times and both of their answers, END among them: by teacher forcing."""
    batch = trained.reader.batch(all_times())
    said = trained.model(batch.inputs.to(trained.model.device)).logits.argmax(2).cpu()  # (B, M)
    asked = batch.targets != IGNORED
    return (said == batch.targets)[asked].float().mean().item()


def alone(trained: Trained) -> float:
    """The share of times for which one of the two right answers is written, by greedy decoding."""
    right = _answers(all_times())
    written = translations(trained.model, trained.reader, [list(source) for source in right])
    return sum(words in of for words, of in zip(written, right.values(), strict=True)) / len(right)


def most_words() -> float:
    """The share of right words of somebody who knows all, but cannot know which of the two answers is meant."""
    both = list(_answers(all_times()).values())
    ends = [[[*words, ""] for words in of] for of in both]
    words = sum(len(one) for of in ends for one in of)
    return sum(len(one) - 0.5 * _splits(of) for of in ends for one in of) / words


def _splits(of: list[list[str]]) -> bool:
    """Whether the two answers to a time differ: then the first word that does is known in one case of two."""
    return of[0] != of[1]


def _answers(pairs: list[Pair]) -> dict[tuple, list[list[str]]]:
    found: dict[tuple, list[list[str]]] = {}
    for p in pairs:
        found.setdefault(tuple(p.source), []).append(p.target)
    return found


def parts(model: EncoderDecoder) -> tuple:
    """(source, real, words) -> logits, on the CPU and without gradients, and its sizes: as in `sick_transformers`."""
    net = copy.deepcopy(model).cpu().double().eval()  # so that rounding hides and shows nothing

    @torch.no_grad()
    def read(source: Tensor, real: Tensor, words: Tensor) -> Tensor:
        return net(Pairs(source, real, words)).logits.float()

    return read, {"V": net.config.source, "U": net.config.target}


class LeakingDecoder(EncoderDecoder):
    """See above."""

    def forward(self, inputs: Pairs, targets: Tensor | None = None, state: None = None) -> Translation:
        mask, m = padding_mask(inputs.mask), inputs.words.shape[1]
        order = causal_mask(m + 1, device=self.device)[1:, :m]  # row t of it is row t + 1 of the right one
        memory = self.encoder(self.source(inputs.source), mask)
        logits = self.output(self.decoder(self.target(inputs.words), memory, order, mask))
        return Translation(logits, None if targets is None else cross_entropy(logits, targets))


# The mask is off by one, so that in the training each word could be copied from the place where it stands as the next
# input. Alone there is no next input, and the word has to be found by a net that never learned to find it.
