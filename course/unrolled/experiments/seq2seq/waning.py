"""How much the context still counts at step t: the norm of the derivative of ln p_t by c, in ideas 1 and 2.

In idea 1 c is the first state, and whatever of it is to reach step t must pass through all steps before. In idea 2 each
step sees c itself, too.

    waning(trained.model, trained.reader, pairs)       # [‖∂ ln p_1/∂c‖, ‖∂ ln p_2/∂c‖, …], means over the pairs

p_t is the probability of the right word at step t, after the right words before it. Left out on purpose: attention,
which has no c that is the same for all steps.
"""

from collections.abc import Sequence

import torch

from unrolled.experiments.seq2seq.numbers import Pair
from unrolled.experiments.seq2seq.reading import Reader
from unrolled.language_model import IGNORED
from unrolled.seq2seq import Translator


def waning(model: Translator, reader: Reader, pairs: Sequence[Pair]) -> list[float]:
    """One number for each step, the end mark's included, as far as the shortest of the translations goes."""
    batch = reader.batch(pairs)
    shown, due = batch.inputs.to(model.device), batch.targets.to(model.device)
    state = model.start(shown.source, shown.mask)
    c = state.summary.detach().requires_grad_()  # a leaf, of which everything else is made again
    state = state._replace(s=torch.tanh(model.first(c)), summary=c)
    log_probs = model.output(model.written(shown.words, state)[0]).log_softmax(2)  # (B, M, U)
    of_due = log_probs.gather(2, due.clamp(min=0)[:, :, None])[:, :, 0]  # (B, M)
    norms = []
    for t in range(int((due != IGNORED).all(0).sum())):
        slope = torch.autograd.grad(of_due[:, t].sum(), c, retain_graph=True)[0]  # (B, G): no row knows of another
        norms.append(slope.norm(dim=1).mean().item())
    return norms
