"""Where a transformer's parameters are: counted in a net, and by formula.

    counted(model)                 # {"symbols": 8320, "positions": …, "attention": …, "feed-forward": …, "norms": …}
    by_formula(**GPT2)             # the same of a net that need not be made

The formula's sum is `unrolled.transformer_lm.parameter_count`. Left out on purpose: other nets than `TransformerLM`.
"""

from unrolled.transformer_lm import TransformerLM

# the smallest GPT-2 (Radford and others, "Language models are unsupervised multitask learners", 2019)
GPT2 = {"vocab_size": 50_257, "width": 768, "layers": 12, "context": 1024}


def counted(model: TransformerLM) -> dict[str, int]:
    """The numbers of each kind of part, by looking at the net."""
    kinds = {"symbols": 0, "positions": 0, "attention": 0, "feed-forward": 0, "norms": 0}
    for name, parameter in model.named_parameters():
        kinds[_kind(name)] += parameter.numel()
    return kinds


def _kind(name: str) -> str:
    if name in ("E", "V"):
        return "symbols"
    named = {"positions": "positions", "attention": "attention", "feed_forward": "feed-forward"}
    return next((kind for part, kind in named.items() if part in name.split(".")), "norms")


def by_formula(vocab_size: int, width: int, layers: int, context: int, inner: int | None = None) -> dict[str, int]:
    """The same for tied output, learned positions and pre-norm, with V, D, L, C and F."""
    inner = 4 * width if inner is None else inner
    return {
        "symbols": vocab_size * width,  # V D
        "positions": context * width,  # C D
        "attention": layers * 4 * (width * width + width),  # L 4 (D² + D)
        "feed-forward": layers * (2 * width * inner + inner + width),  # L (2 D F + F + D)
        "norms": (2 * layers + 1) * 2 * width,  # (2 L + 1) 2 D
    }
