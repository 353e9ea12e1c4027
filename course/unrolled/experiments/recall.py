"""A task that asks for memory and nothing else: repeat the letter that was named some steps ago.

A sequence names one of four letters, goes on with noise, and ends with a question. A net of 32 hidden units is
trained on ever new sequences for a fixed, small number of steps, and then asked 1,000 new questions. Guessing is
right in one case of four. The plan is that of the tasks in Hochreiter and Schmidhuber, "Long short-term memory"
(1997). Left out on purpose: distances that vary within one training.

Cost: 300 steps take about a second at distance 12 on one core.
Shapes: B sequences of T = distance + 1 symbols each.
"""

from collections.abc import Callable, Iterator

import torch

from unrolled.device import device, one_thread
from unrolled.elman_rnn import ElmanRNN
from unrolled.language_model import IGNORED, LanguageModel
from unrolled.training import Batch, fit

LETTERS, NOISES = 4, 4  # ids 0 to 3 are the letters, 4 to 7 the noise
QUESTION = LETTERS + NOISES
SYMBOLS = QUESTION + 1


def recall_batches(distance: int, batch: int, generator: torch.Generator) -> Iterator[Batch]:
    """Without end: a letter, distance − 1 symbols of noise, the question. The only target is the answer to it."""
    if distance < 1:
        raise ValueError(f"the distance is {distance}: it must be at least 1")
    while True:
        letter = torch.randint(LETTERS, (batch, 1), generator=generator)
        noise = torch.randint(LETTERS, QUESTION, (batch, distance - 1), generator=generator)
        question = torch.full((batch, 1), QUESTION)
        unscored = torch.full((batch, distance), IGNORED)
        yield Batch(torch.cat([letter, noise, question], dim=1), torch.cat([unscored, letter], dim=1))  # (B, T) twice


def recall_accuracy(
    distance: int,
    start: str = "orthogonal",
    seed: int = 0,
    steps: int = 300,
    make: Callable[[int], LanguageModel] | None = None,
) -> float:
    """The share of right answers after training, 0 to 1.

    start: of the Elman net, "default" or "orthogonal". make: builds another model, from the number of symbols.
    """
    torch.manual_seed(seed)
    model = make(SYMBOLS) if make else ElmanRNN(SYMBOLS, hidden=32, start=start)
    batches = recall_batches(distance, 64, torch.Generator().manual_seed(seed))
    exam = next(recall_batches(distance, 1000, torch.Generator().manual_seed(1_000_000 + seed)))
    with one_thread():
        fit(model, batches, steps=steps, rate=3e-3)
    with torch.no_grad():
        answers = model(exam.inputs.to(device())).logits[:, -1].argmax(1).cpu()  # (B,)
    return (answers == exam.targets[:, -1]).float().mean().item()
