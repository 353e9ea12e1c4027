"""What every language model of the course answers: one call, whatever stands inside.

    output = model(tokens, targets, state)      # .logits (B, T, V), .loss () or None, .state for whoever reads on

So one trainer, one sampler and one evaluation serve the window, the recurrent nets and the transformer. A model says
how it reads (`read`) and what its state is before the first symbol (`start`); the rest stands here.
Left out on purpose: anything that only one kind of model has.

Shapes: B sequences, T symbols of each, V vocabulary.
"""

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

IGNORED = -1  # as a target: padding, which the loss does not count

State = Tensor | tuple[Tensor, ...]


@dataclass
class Output:
    """The answer of a model."""

    logits: Tensor  # (B, T, V) scores of the next symbol, before the softmax
    loss: Tensor | None  # () mean cross-entropy in nats over the targets that count; None without targets
    state: State  # what the model keeps of all it has read


class LanguageModel(nn.Module):
    """A net that reads symbols and scores the next one. Position t of the logits has seen tokens 0 … t, no more."""

    def __init__(self, vocab_size: int):
        super().__init__()
        if vocab_size < 1:
            raise ValueError(f"vocab_size is {vocab_size}: it must be at least 1")
        self.vocab_size = vocab_size

    def start(self, batch: int = 1) -> State:
        """The state before the first symbol; its first axis has the length `batch`."""
        raise NotImplementedError

    def read(self, tokens: Tensor, state: State) -> tuple[Tensor, State]:
        """Logits (B, T, V) and the state after the last symbol; tokens (B, T) int64. T may be 0."""
        raise NotImplementedError

    def forward(self, tokens: Tensor, targets: Tensor | None = None, state: State | None = None) -> Output:
        """Read tokens (B, T). targets (B, T): the symbol after each token, or IGNORED; no logit depends on them.

        state: where an earlier call stopped; None for the beginning of a text. To pad a short sequence, append any
        id to its tokens and IGNORED to its targets. ValueError for what does not fit.
        """
        self._check_tokens(tokens)
        first = self.start(len(tokens))
        if state is not None and _shapes(state) != _shapes(first):
            raise ValueError(f"the state has shape {_shapes(state)}; {len(tokens)} sequences need {_shapes(first)}")
        logits, state = self.read(tokens, first if state is None else state)
        if targets is None:
            return Output(logits, None, state)
        self._check_targets(targets, tokens)
        return Output(logits, cross_entropy(logits, targets), state)

    @torch.no_grad()
    def step(self, symbol: int, state: State) -> tuple[Tensor, State]:
        """Read one symbol: logits (V,) of the next, on the CPU (where one draws), and the new state. No gradients."""
        output = self(torch.tensor([[symbol]], device=self.device), state=state)
        return output.logits[0, 0].cpu(), output.state

    @property
    def device(self) -> torch.device:
        """Where the parameters are."""
        return next(self.parameters()).device

    def _check_tokens(self, tokens: Tensor) -> None:
        if tokens.ndim != 2 or tokens.dtype != torch.int64:
            raise ValueError(f"expected ids of type int64, shape (B, T); got {tokens.dtype}, {tuple(tokens.shape)}")
        self._check_ids(tokens, lowest=0)

    def _check_targets(self, targets: Tensor, tokens: Tensor) -> None:
        if targets.shape != tokens.shape:
            raise ValueError(
                f"targets have shape {tuple(targets.shape)}, tokens {tuple(tokens.shape)}: make them equal"
            )
        if targets.numel() == 0:
            raise ValueError("there is nothing to score: the targets are empty")
        self._check_ids(targets, lowest=IGNORED)

    def _check_ids(self, ids: Tensor, lowest: int) -> None:
        if ids.is_cuda or ids.numel() == 0:  # on CUDA to look would be to wait for the device at every step
            return
        least, most = (int(bound) for bound in ids.aminmax())
        if least < lowest or most >= self.vocab_size:
            wrong = least if least < lowest else most
            raise ValueError(f"id {wrong} is out of range: this model knows 0 to {self.vocab_size - 1}")


def cross_entropy(logits: Tensor, targets: Tensor, reduction: str = "mean") -> Tensor:
    """−ln softmax(logits)[target] in nats, shape (): the mean over all targets that are not IGNORED, or the "sum".

    logits (B, T, V), targets (B, T).
    """
    in_one_row = logits.reshape(-1, logits.shape[-1]), targets.reshape(-1)  # (B·T, V), (B·T,)
    return F.cross_entropy(*in_one_row, ignore_index=IGNORED, reduction=reduction)


def detached(state: State) -> State:
    """The same numbers as constants: a gradient ends here. This is what truncates BPTT."""
    return state.detach() if isinstance(state, Tensor) else tuple(part.detach() for part in state)


def _shapes(state: State) -> list[tuple[int, ...]]:
    return [tuple(part.shape) for part in (state if isinstance(state, tuple) else (state,))]
