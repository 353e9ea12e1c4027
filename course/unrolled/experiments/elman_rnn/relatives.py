"""Two relatives of unit 2's nets, to be measured beside them: a window with another squashing, and Jordan's net.

`SigmoidWindow` is the window model with a sigmoid for its tanh. `JordanRNN` (Jordan, "Serial order", 1986) hands on
what it said instead of a state of its own. Left out on purpose: speed.

Shapes: B sequences, T steps, V vocabulary, D embedding, H hidden units, k window.
"""

import torch
from torch import Tensor, nn

from unrolled.elman_rnn import WindowModel
from unrolled.language_model import LanguageModel


class SigmoidWindow(WindowModel):
    """h = σ(W e + b); all else as in `WindowModel`."""

    def read(self, tokens: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
        """Logits (B, T, V) and the embeddings (B, k−1, D) of the last symbols; tokens (B, T)."""
        steps = tokens.shape[1]
        x = torch.cat([state, self.E(tokens)], dim=1)  # (B, k−1+T, D)
        e = torch.cat([x[:, place : place + steps] for place in range(self.window)], dim=2)  # (B, T, k·D)
        return self.U(torch.sigmoid(self.W(e))), x[:, steps:]


class JordanRNN(LanguageModel):
    """h_t = tanh(U ŷ_{t−1} + W x_t + b),  ŷ_t = softmax(V h_t + c): the state is the output ŷ (B, V)."""

    def __init__(self, vocab_size: int, hidden: int):
        """hidden: H."""
        super().__init__(vocab_size)
        self.W = nn.Embedding(vocab_size, hidden)  # weight (V, H): a symbol's column of W in a row
        self.U = nn.Linear(vocab_size, hidden)  # weight (H, V), bias b (H,)
        self.V = nn.Linear(hidden, vocab_size)  # weight (V, H), bias c (V,)

    def start(self, batch: int = 1) -> Tensor:
        """ŷ_0: zeros, (B, V)."""
        return self.V.weight.new_zeros(batch, self.vocab_size)

    def read(self, tokens: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
        """Logits (B, T, V) and the last output (B, V); tokens (B, T)."""
        logits = [state.new_zeros(len(tokens), 0, self.vocab_size)]  # so that T may be 0
        for from_input in self.W(tokens).unbind(1):  # (B, H)
            o = self.V(torch.tanh(self.U(state) + from_input))  # (B, V)
            logits.append(o[:, None])
            state = o.softmax(-1)
        return torch.cat(logits, dim=1), state
