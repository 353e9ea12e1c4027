"""Right answers of odd forms that students wrote, by form: the unit, the exercise, and the source."""

ROW = "counts.get(context, {})"
BODY = f"    row = {ROW}\n    total = sum(row.values())\n    return {{s: c / total for s, c in row.items()}}\n"
ODD_FORMS = {
    "a lambda": f"mle = lambda counts, context: {{s: c / sum({ROW}.values()) for s, c in {ROW}.items()}}",
    "a partial": f"import functools\ndef share(unused, counts, context):\n{BODY}mle = functools.partial(share, 0)",
    "an object": "class Share:\n    def __call__(self, counts, context):\n"
    + BODY.replace("    ", "        ")
    + "mle = Share()",
    "a module": "class Share(torch.nn.Module):\n    def forward(self, counts, context):\n"
    + BODY.replace("    ", "        ")
    + "mle = Share()",
    "a wrapper without wraps": "def logged(f):\n    def wrapper(*a):\n        return f(*a)\n    return wrapper\n\n"
    f"@logged\ndef mle(counts, context):\n{BODY}",
    "another name": f"def my_shares(counts, context):\n{BODY}mle = my_shares",
    "another exercise's name": f"def backoff(counts, context):\n{BODY}mle = backoff",
    "a bound method": "class Share:\n    def of(self, counts, context):\n"
    + BODY.replace("    ", "        ")
    + "mle = Share().of",
}
SCRIPTED = """
def soft(
    old: torch.Tensor, new: torch.Tensor, x: torch.Tensor, h: torch.Tensor, params: Dict[str, torch.Tensor]
) -> torch.Tensor:
    w = torch.sigmoid(h @ params["U"].T + x @ params["W"].T + params["b"])
    return w * new + (1 - w) * old
soft_write = torch.jit.script(soft)
"""
FORMS = {form: ("ngrams", "mle", source) for form, source in ODD_FORMS.items()}
FORMS["a scripted function"] = ("lstm", "soft_write", f"from typing import Dict\n{SCRIPTED}")
