"""Why a net that reads both ways is no language model: it is shown the answer.

`BothWays` looks like any language model of the course and can be trained like one. But the state that predicts the
next symbol has read that symbol already, from the right. So the loss falls towards zero, and when it has to write,
with nothing to the right, it was never trained for that.
"""

import torch
from torch import Tensor

from unrolled.language_model import LanguageModel
from unrolled.tagging import BiLSTM


class BothWays(LanguageModel):
    """Scores of the symbol after each place, from [→h_t ; ←h_t] over the piece that it is given, each piece anew.

    directions=1 makes an honest one of it: the same net without the way from right to left.
    """

    def __init__(self, vocab_size: int, hidden: int = 64, width: int = 32, directions: int = 2):
        super().__init__(vocab_size)
        self.E = torch.nn.Embedding(vocab_size, width)
        self.states = BiLSTM(width, hidden, directions=directions)
        self.output = torch.nn.Linear(self.states.size, vocab_size)

    def start(self, batch: int = 1) -> Tensor:
        """Nothing, (B, 0): it carries nothing from one piece to the next."""
        return self.output.weight.new_zeros(batch, 0)

    def read(self, tokens: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
        states = self.states(self.E(tokens), torch.ones_like(tokens, dtype=torch.bool))  # (B, T, 2H)
        return self.output(states), state


@torch.no_grad()
def written(model: BothWays, beginning: Tensor, length: int, seed: int = 0, window: int = 64) -> Tensor:
    """A text (N,) and `length` more symbols, each drawn from what the model says after the last `window` of them."""
    chance, ids = torch.Generator().manual_seed(seed), beginning.clone()
    for _ in range(length):
        logits = model(ids[None, -window:].to(model.device)).logits[0, -1].cpu()
        ids = torch.cat([ids, torch.multinomial(logits.softmax(0), 1, generator=chance)])
    return ids
