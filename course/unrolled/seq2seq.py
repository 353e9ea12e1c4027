"""Sequence to sequence: one net reads, another one writes, and attention lets the decoder look back.

Sutskever, Vinyals and Le, "Sequence to sequence learning with neural networks" (2014), and Cho and others, "Learning
phrase representations using RNN encoder–decoder for statistical machine translation" (2014): a context c = g(h_{1:n})
of all that was read is the decoder's first state (idea 1), and given to each of its steps, too (idea 2). Bahdanau, Cho
and Bengio, "Neural machine translation by jointly learning to align and translate" (2015): a context of its own for
each step j, Σ_i α_i^j h_i, with α^j = softmax_i φ(s_{j−1}, h_i). Scores φ by Luong, Pham and Manning, "Effective
approaches to attention-based neural machine translation" (2015), and Vaswani and others, "Attention is all you need"
(2017). The encoder is unit 4's BiLSTM; the decoder's cell is the GRU of unit 3, as torch has it, which is faster.

Left out on purpose: an output layer that sees c and the last word, too; coverage; copying of source words; sub-words.
Choosing words from what the decoder says is `unrolled.decoding`.
Cost: 500 training steps on 64 number phrases each, in a net of 32, 32 and 64 numbers, take about 13 processor seconds
with attention, 8 without.

Shapes: B sentences, N words of a source, M of a target, U words of the target's vocabulary, D numbers in an embedding,
G in a state of the encoder (2 hidden, or hidden if it reads in one direction), S in a state of the decoder; Q in a
query, K in a key. A mask is torch.bool, (B, N), true where a word is real; pads stand at the end.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int64
from torch import Tensor, nn

from unrolled.language_model import Output, cross_entropy
from unrolled.tagging import PAD, UNKNOWN, BiLSTM, last_states

# ruff: noqa: F722 (jaxtyping writes shapes as strings)

BEGIN, END = 2, 3  # ids of <s> and </s>, on the target's side; PAD is 0 and UNKNOWN 1 on both
SPECIAL = {PAD: "<pad>", UNKNOWN: "<unk>", BEGIN: "<s>", END: "</s>"}
CONTEXTS = "first", "every", "attention"  # idea 1, idea 2, attention
SCORES = "dot", "scaled", "bilinear", "additive"


class Pairs(NamedTuple):
    """What a translator is shown: sources, and what it has written so far."""

    source: Tensor  # (B, N) int64; for another encoder than `Encoder` whatever that reads
    mask: Tensor  # (B, N) bool
    words: Tensor  # (B, M) int64: BEGIN, then the words before the one that is due

    def to(self, device: torch.device | str) -> "Pairs":
        return Pairs(*(part.to(device) for part in self))


@dataclass(frozen=True)
class Config:
    """The settings of a translator."""

    source: int  # ids of source words, with PAD and UNKNOWN
    target: int  # U: ids of target words, with PAD, UNKNOWN, BEGIN and END
    context: str = "attention"  # one of CONTEXTS
    score: str = "bilinear"  # one of SCORES; only attention has one
    width: int = 64  # D, numbers in a word's embedding
    hidden: int = 64  # of the encoder, in each direction
    state: int = 128  # S, of the decoder; for the scores without parameters it must be G
    directions: int = 2  # of the encoder; 1: from left to right alone
    dropout: float = 0.0  # share of numbers set to zero, in training, in embeddings and before the output


# --- the encoder ------------------------------------------------------------------------------------------------------


class Encoded(NamedTuple):
    """What was read."""

    states: Float[Tensor, "B N G"]  # h_1 … h_n, zeros at pads
    mask: Bool[Tensor, "B N"]
    summary: Float[Tensor, "B G"]  # c = g(h_{1:n}), of all of them


class Encoder(nn.Module):
    """h_i = [→h_i ; ←h_i], and c = [→h_n ; ←h_1]: the last state of each direction."""

    def __init__(self, config: Config):
        super().__init__()
        self.E = nn.Embedding(config.source, config.width, padding_idx=PAD)
        self.states = BiLSTM(config.width, config.hidden, directions=config.directions)
        self.size, self.dropout = self.states.size, config.dropout

    def forward(self, source: Int64[Tensor, "B N"], mask: Bool[Tensor, "B N"]) -> Encoded:
        states = self.states(F.dropout(self.E(source), self.dropout, self.training), mask)  # (B, N, D) -> (B, N, G)
        one_way = self.size // len(self.states.layers[0])
        forward = last_states(states, mask)[:, :one_way]  # →h_n
        backward = states[:, :1].sum(1)[:, one_way:]  # ←h_1: a sum over one step, or over none
        return Encoded(states, mask, torch.cat([forward, backward], dim=1))


# --- attention -------------------------------------------------------------------------------------------------------


class Score(nn.Module):
    """φ(q, h): how well a key h answers a query q.

    dot        q · h                              (Q = K)
    scaled     q · h / √K                         (Q = K)
    bilinear   q · W h                            W (Q, K)
    additive   u · tanh(W q + W' h + b)           W (A, Q), W' (A, K), b and u (A,)

    What a key needs alone is computed once for all queries: `ready`. That makes n products of matrices for the keys
    and m for the queries; n · m are only the sums of products (dot), or the tanh of sums (additive).
    """

    def __init__(self, kind: str, query: int, key: int, width: int | None = None):
        """query: Q; key: K; width: A of "additive", by default Q."""
        super().__init__()
        if kind not in SCORES:
            raise ValueError(f"there is no score {kind!r}: choose one of {', '.join(SCORES)}")
        if kind in ("dot", "scaled") and query != key:
            raise ValueError(f"score {kind!r} needs queries and keys of one width; got {query} and {key}")
        self.kind, width = kind, query if width is None else width
        if kind == "bilinear":
            self.W = nn.Parameter(torch.randn(query, key) / math.sqrt(key))
        if kind == "additive":
            self.W = nn.Parameter(torch.randn(width, query) / math.sqrt(query))
            self.W2 = nn.Parameter(torch.randn(width, key) / math.sqrt(key))  # W'
            self.b = nn.Parameter(torch.zeros(width))
            self.u = nn.Parameter(torch.randn(width) / math.sqrt(width))

    def forward(self, query: Tensor, keys: Float[Tensor, "B N K"]) -> Tensor:
        """query (B, Q) -> (B, N); query (B, M, Q) -> (B, M, N)."""
        return self.against(query, self.ready(keys))

    def ready(self, keys: Float[Tensor, "B N K"]) -> Tensor:
        """The share of the keys: (B, N, Q), or (B, N, A) of "additive"."""
        if self.kind == "scaled":
            return keys / math.sqrt(keys.shape[2])
        if self.kind == "bilinear":
            return keys @ self.W.T  # (B, N, K) @ (K, Q)
        return keys @ self.W2.T if self.kind == "additive" else keys  # (B, N, K) @ (K, A)

    def against(self, query: Tensor, ready: Tensor) -> Tensor:
        """The scores of queries against keys that are ready."""
        if query.ndim == 2:
            return self.against(query[:, None], ready)[:, 0]  # (B, Q) -> (B, 1, Q) -> (B, 1, N) -> (B, N)
        if self.kind != "additive":
            return query @ ready.mT  # (B, M, Q) @ (B, Q, N) -> (B, M, N)
        from_query = query @ self.W.T + self.b  # (B, M, A)
        return torch.tanh(from_query[:, :, None] + ready[:, None]) @ self.u  # (B, M, N, A) @ (A,) -> (B, M, N)


def attention_weights(scores: Tensor, mask: Bool[Tensor, "B N"]) -> Tensor:
    """softmax over the real keys, exactly 0 on pads; zeros for a row without any. scores (B, N) or (B, M, N)."""
    mask = mask if scores.ndim == 2 else mask[:, None]
    scores = scores.masked_fill(~mask, -torch.inf)
    scores = scores.masked_fill(~mask.any(-1, keepdim=True), 0.0)  # a row of −inf alone has no softmax
    return scores.softmax(-1).masked_fill(~mask, 0.0)


def attended(weights: Tensor, states: Float[Tensor, "B N K"]) -> Tensor:
    """Σ_i α_i h_i: (B, N) -> (B, K), or (B, M, N) -> (B, M, K)."""
    return (weights[:, None] @ states)[:, 0] if weights.ndim == 2 else weights @ states


# --- the decoder, and the whole ---------------------------------------------------------------------------------------


class State(NamedTuple):
    """Where the decoder stands; each part has a row for each sentence, so that rows can be chosen."""

    s: Float[Tensor, "B S"]  # s_{j−1}, after what has been written
    summary: Float[Tensor, "B G"]  # c of ideas 1 and 2
    states: Float[Tensor, "B N G"]
    ready: Tensor | None  # the states as `Score.ready` gives them; None without attention
    mask: Bool[Tensor, "B N"]


@dataclass
class Translation(Output):
    """logits (B, M, U), loss, no state, and the weights."""

    state: None = None
    weights: Tensor | None = None  # (B, M, N), from which source word each target word took how much; or None


class Translator(nn.Module):
    """An encoder, and a decoder: s_j = GRU([E[y_{j−1}] ; c^j], s_{j−1}), ŷ_j = softmax(V s_j + b), s_0 = tanh(W c + d).

    context "first": c^j is left out. "every": c^j = c. "attention": c^j = Σ_i α_i^j h_i, α^j from s_{j−1}.
    """

    def __init__(self, config: Config, encoder: nn.Module | None = None):
        """encoder: another encoder, with a `size` G, which answers (source, mask) with `Encoded`."""
        super().__init__()
        if config.context not in CONTEXTS:
            raise ValueError(f"there is no context {config.context!r}: choose one of {', '.join(CONTEXTS)}")
        self.config, self.encoder = config, Encoder(config) if encoder is None else encoder
        size = self.encoder.size
        attends = config.context == "attention"
        self.score = Score(config.score, query=config.state, key=size) if attends else None
        self.first = nn.Linear(size, config.state)
        self.E = nn.Embedding(config.target, config.width, padding_idx=PAD)
        self.cell = nn.GRUCell(config.width + (0 if config.context == "first" else size), config.state)
        self.output = nn.Linear(config.state, config.target)

    @property
    def device(self) -> torch.device:
        """Where the parameters are."""
        return self.output.weight.device

    def forward(self, inputs: Pairs, targets: Int64[Tensor, "B M"] | None = None, state: None = None) -> Translation:
        """Teacher forcing: at each step the right word before it is read, whatever the decoder would have said.

        targets: the word that is due at each step, END after the last, IGNORED for pads. The loss is the mean, in nats,
        over all words of the batch.
        """
        states, weights = self.written(inputs.words, self.start(inputs.source, inputs.mask))
        logits = self.output(self._dropped(states))  # (B, M, S) -> (B, M, U)
        return Translation(logits, None if targets is None else cross_entropy(logits, targets), weights=weights)

    def start(self, source: Tensor, mask: Bool[Tensor, "B N"]) -> State:
        """Read the sources; nothing is written yet."""
        states, mask, summary = self.encoder(source, mask)
        ready = None if self.score is None else self.score.ready(states)
        return State(torch.tanh(self.first(summary)), summary, states, ready, mask)

    @torch.no_grad()
    def step(self, state: State, words: Int64[Tensor, " B"]) -> tuple[Float[Tensor, "B U"], State, Tensor | None]:
        """Read the word written last (BEGIN at first): ln ŷ of the next, the state after it, and the weights (B, N).

        For `unrolled.decoding`; no gradients, no dropout in an `eval` model.
        """
        state, weights = self.advance(state, self.E(words.to(self.device)))
        return self.output(self._dropped(state.s)).log_softmax(1), state, weights

    def advance(self, state: State, x: Float[Tensor, "B D"]) -> tuple[State, Tensor | None]:
        """s_j in place of s_{j−1}, from the embedding of y_{j−1}; the weights (B, N), if there is attention."""
        context, weights = self.context(state)
        s = self.cell(x if context is None else torch.cat([x, context], dim=1), state.s)
        return state._replace(s=s), weights

    def context(self, state: State) -> tuple[Tensor | None, Tensor | None]:
        """c^j (B, G) and α^j (B, N), as far as there are any."""
        if self.score is None:
            return (state.summary if self.config.context == "every" else None), None
        weights = attention_weights(self.score.against(state.s, state.ready), state.mask)
        return attended(weights, state.states), weights

    def written(self, words: Int64[Tensor, "B M"], state: State) -> tuple[Float[Tensor, "B M S"], Tensor | None]:
        """s_1 … s_M when these words are read; the weights (B, M, N), if there is attention."""
        found, weights = [], []
        for x in self._dropped(self.E(words)).unbind(1):  # (B, M, D) -> M of (B, D)
            state, looked = self.advance(state, x)
            found.append(state.s)
            weights.append(looked)
        if not found:
            return state.s[:, None][:, :0], None if self.score is None else state.states.new_zeros(*words.shape, 0)
        return torch.stack(found, dim=1), None if self.score is None else torch.stack(weights, dim=1)

    def _dropped(self, x: Tensor) -> Tensor:
        return F.dropout(x, self.config.dropout, self.training)
