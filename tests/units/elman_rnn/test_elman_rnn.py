"""The window model and the Elman net against arithmetic on paper, torch.nn.RNN, finite differences, and themselves."""

import math

import pytest
import torch
from torch import nn
from unrolled.elman_rnn import ElmanCell, ElmanRNN, WindowModel, run, run_fused, run_hoisted, run_steps
from unrolled.language_model import LanguageModel

V = 7
WAYS = {"hoisted": run_hoisted, "fused": run_fused}


def ids(*shape):
    return torch.randint(V, shape)


# --- one step and many -----------------------------------------------------------------------------------------------


def test_a_step_by_hand():
    """U exchanges the two numbers of the state: tanh(0 + 0.5 + 0.1, 1 − 0.5 + 0.2) = tanh(0.6, 0.7)."""
    cell = ElmanCell(width=1, hidden=2)
    cell.U.data = torch.tensor([[0.0, 1.0], [1.0, 0.0]])
    cell.W.data = torch.tensor([[0.25], [-0.25]])
    cell.b.data = torch.tensor([0.1, 0.2])
    h = cell(torch.tensor([[2.0]]), torch.tensor([[1.0, 0.0]]))
    assert h[0].tolist() == pytest.approx([math.tanh(0.6), math.tanh(0.7)])


def test_rows_and_columns_of_u_are_not_exchanged():
    """U = [[0, 1], [0, 0]] moves the second number to the first place, and nothing to the second."""
    cell = ElmanCell(width=1, hidden=2)
    cell.U.data = torch.tensor([[0.0, 1.0], [0.0, 0.0]])
    cell.b.data.zero_()
    h = cell(torch.zeros(1, 1), torch.tensor([[0.3, 0.8]]))
    assert h[0].tolist() == pytest.approx([math.tanh(0.8), 0])


def twin(cell):
    """torch.nn.RNN with the cell's parameters."""
    rnn = nn.RNN(cell.W.shape[1], len(cell.b), batch_first=True).to(cell.b)
    with torch.no_grad():
        for theirs, ours in (rnn.weight_ih_l0, cell.W), (rnn.weight_hh_l0, cell.U), (rnn.bias_ih_l0, cell.b):
            theirs.copy_(ours)
        rnn.bias_hh_l0.zero_()
    return rnn


def forward_and_gradients(read, parameters, x, h0, weights):
    """Outputs, last state, and the gradients of a loss that hangs on all of them."""
    x, h0 = x.clone().requires_grad_(), h0.clone().requires_grad_()
    states, last = read(x, h0)
    loss = (states * weights).sum() + (last**3).sum()
    return states, last, *torch.autograd.grad(loss, [*parameters, x, h0])


def case(T, device="cpu"):
    """B = 4, D = 6, H = 5, float64: a cell, x, h0, and weights for the loss."""
    cell = ElmanCell(width=6, hidden=5).to(device, torch.float64)
    shapes = (4, T, 6), (4, 5), (4, T, 5)
    return cell, *(torch.randn(shape, dtype=torch.float64, device=device) for shape in shapes)


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
@pytest.mark.parametrize("T", [1, 2, 17])
def test_the_fast_ways_equal_the_steps_in_outputs_and_gradients(way, T):
    cell, *given = case(T)
    slow = forward_and_gradients(lambda x, h: run_steps(cell, x, h), cell.parameters(), *given)
    fast = forward_and_gradients(lambda x, h: way(cell, x, h), cell.parameters(), *given)
    torch.testing.assert_close(fast, slow)


@pytest.mark.parametrize("way", [run_steps, *WAYS.values()], ids=["steps", *WAYS])
def test_equals_torch_in_outputs_and_gradients(way):
    cell, *given = case(T=9)
    rnn = twin(cell)

    def theirs(x, h0):
        states, last = rnn(x, h0[None])
        return states, last[0]

    parameters = [rnn.weight_hh_l0, rnn.weight_ih_l0, rnn.bias_ih_l0]  # U, W, b
    wanted = forward_and_gradients(theirs, parameters, *given)
    got = forward_and_gradients(lambda x, h: way(cell, x, h), [cell.U, cell.W, cell.b], *given)
    torch.testing.assert_close(got, wanted)


@pytest.mark.parametrize("way", [run_steps, *WAYS.values()], ids=["steps", *WAYS])
def test_nothing_read_changes_nothing(way):
    cell, x, h0, _ = case(T=0)
    states, last = way(cell, x, h0)
    assert states.shape == (4, 0, 5)
    assert last is h0


@pytest.mark.gpu
@pytest.mark.parametrize("T", [1, 17])
def test_cudnn_equals_the_steps_in_outputs_and_gradients(T):
    """Warnings are errors here, so this also shows that cuDNN is content with how the parameters are packed."""
    cell, *given = case(T, device="cuda")
    slow = forward_and_gradients(lambda x, h: run_steps(cell, x, h), cell.parameters(), *given)
    fast = forward_and_gradients(lambda x, h: run(cell, x, h), cell.parameters(), *given)
    torch.testing.assert_close(fast, slow)


@pytest.mark.gpu
def test_cudnn_serves_a_model_from_nothing_read_to_its_gradients():
    model = ElmanRNN(V, hidden=5).cuda().eval()
    nothing = model(ids(2, 0).cuda())
    assert torch.equal(nothing.state, model.start(2))
    model(ids(2, 9).cuda(), ids(2, 9).cuda()).loss.backward()  # cuDNN has no gradient if it is told that this is a test
    assert model.cell.U.grad.abs().max() > 0


@pytest.mark.parametrize("way", [run_steps, run_hoisted], ids=["steps", "hoisted"])
def test_gradients_equal_finite_differences(way):
    cell, x, h0, _ = case(T=4)

    def read(U, W, b, x, h0):
        cell.U, cell.W, cell.b = U, W, b
        return way(cell, x, h0)

    for name in "UWb":
        delattr(cell, name)
    parameters = [torch.randn(s, dtype=torch.float64, requires_grad=True) for s in [(5, 5), (5, 6), (5,)]]
    assert torch.autograd.gradcheck(read, (*parameters, x.requires_grad_(), h0.requires_grad_()))


# --- where a net starts ----------------------------------------------------------------------------------------------


def test_the_orthogonal_start_keeps_lengths_and_the_default_does_not():
    U = ElmanCell(8, 64, start="orthogonal").U
    torch.testing.assert_close(U.T @ U, torch.eye(64))
    radius = torch.linalg.eigvals(ElmanCell(8, 256).U).abs().max().item()
    assert radius == pytest.approx(1 / math.sqrt(3), rel=0.1)


@pytest.mark.parametrize(
    "make",
    [
        lambda: WindowModel(65, window=8, width=16, hidden=64),
        lambda: ElmanRNN(65, 128),
        lambda: ElmanRNN(65, 128, start="default"),
        lambda: ElmanRNN(65, 128, width=32, tied=True),
        lambda: ElmanRNN(65, 128, tied=True),
    ],
)
def test_the_first_loss_is_about_that_of_a_uniform_guess(make):
    tokens = torch.randint(65, (16, 65))
    loss = make()(tokens[:, :-1], tokens[:, 1:]).loss.item()
    assert loss == pytest.approx(math.log(65), abs=0.25)


# --- what is special to one ------------------------------------------------------------------------------------------


def test_a_window_by_hand():
    """k = 2, D = 1, E = (1, 2), W = (1, 0.1) on one unit, b = 0, U = (1, −1), c = 0, with e = [older; newer].

    Read 0, 1. First e = (0, 1): h = tanh(0 + 0.1). Then e = (1, 2): h = tanh(1 + 0.2). Logits are h and −h.
    """
    model = WindowModel(2, window=2, width=1, hidden=1)
    model.E.weight.data = torch.tensor([[1.0], [2.0]])
    model.W.weight.data, model.W.bias.data = torch.tensor([[1.0, 0.1]]), torch.zeros(1)
    model.U.weight.data, model.U.bias.data = torch.tensor([[1.0], [-1.0]]), torch.zeros(2)
    first, second = math.tanh(0.1), math.tanh(1.0 + 0.2)
    assert model(torch.tensor([[0, 1]])).logits[0].flatten().tolist() == pytest.approx([first, -first, second, -second])


def test_a_window_sees_its_k_symbols_and_not_one_more():
    model, tokens = WindowModel(V, window=3, width=3, hidden=5), ids(1, 8)
    for back, seen in (2, True), (3, False):
        changed = tokens.clone()
        changed[0, 7 - back] = (tokens[0, 7 - back] + 1) % V
        assert (model(tokens).logits[0, 7] != model(changed).logits[0, 7]).any() == seen


def test_an_elman_net_remembers_what_left_the_window():
    model, tokens = ElmanRNN(V, hidden=16), ids(1, 30)
    changed = tokens.clone()
    changed[0, 0] = (tokens[0, 0] + 1) % V
    assert (model(tokens).logits[0, 29] != model(changed).logits[0, 29]).any()


def test_tied_logits_follow_the_equation():
    """o_t = E P h_t + c, and x_t is √D times the row of E."""
    model, tokens = ElmanRNN(V, hidden=5, width=3, tied=True), ids(2, 4)
    h, _ = run_steps(model.cell, model.E[tokens] * math.sqrt(3), model.start(2))
    wanted = torch.einsum("vd,dh,bth->btv", model.E, model.P, h) + model.c
    torch.testing.assert_close(model(tokens).logits, wanted)


def test_tying_saves_the_output_matrix():
    def count(model):
        return sum(p.numel() for p in model.parameters())

    assert count(ElmanRNN(65, 128)) - count(ElmanRNN(65, 128, tied=True)) == 65 * 128
    assert ElmanRNN(65, 128, tied=True).P is None


# --- what is refused -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: ElmanRNN(0, 5), "vocab_size is 0"),
        (lambda: ElmanRNN(V, 0), "hidden is 0"),
        (lambda: ElmanRNN(V, 5, width=0), "width is 0"),
        (lambda: ElmanRNN(V, 5, start="random"), "the start is 'random': choose 'default' or 'orthogonal'"),
        (lambda: WindowModel(V, window=0, width=3, hidden=5), "window is 0"),
        (
            lambda: ElmanRNN(V, 5)(torch.tensor([1, 2])),
            "expected ids of type int64, shape (B, T); got torch.int64, (2,)",
        ),
        (lambda: ElmanRNN(V, 5)(torch.zeros(1, 2)), "got torch.float32, (1, 2)"),
        (lambda: ElmanRNN(V, 5)(torch.tensor([[0, V]])), "id 7 is out of range: this model knows 0 to 6"),
        (lambda: ElmanRNN(V, 5)(torch.tensor([[0, -1]])), "id -1 is out of range"),
        (lambda: ElmanRNN(V, 5)(ids(1, 2), torch.tensor([[0, V]])), "id 7 is out of range"),
        (lambda: ElmanRNN(V, 5)(ids(1, 2), torch.tensor([[0, -2]])), "id -2 is out of range"),
        (lambda: ElmanRNN(V, 5)(ids(1, 2), ids(2, 1)), "targets have shape (2, 1), tokens (1, 2)"),
        (lambda: ElmanRNN(V, 5)(ids(1, 0), ids(1, 0)), "nothing to score"),
        (lambda: ElmanRNN(V, 5)(ids(2, 3), state=torch.zeros(3, 5)), "[(3, 5)]; 2 sequences need [(2, 5)]"),
        (lambda: WindowModel(V, 3, 4, 5)(ids(2, 3), state=torch.zeros(2, 3, 4)), "2 sequences need [(2, 2, 4)]"),
    ],
)
def test_bad_input_gets_one_clear_line(make, message):
    with pytest.raises(ValueError) as caught:
        make()
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_model_says_how_it_reads():
    class Mute(LanguageModel):
        pass

    with pytest.raises(NotImplementedError):
        Mute(V).start()
    with pytest.raises(NotImplementedError):
        Mute(V).read(ids(1, 1), None)
