"""The LSTM against arithmetic on paper, torch.nn.LSTM, finite differences, and itself; and what its gates promise."""

import math

import pytest
import torch
from torch import nn
from unrolled.lstm import LSTM, LSTMCell, run, run_fused, run_hoisted, run_steps

V = 7
WAYS = {"steps": run_steps, "hoisted": run_hoisted, "fused": run_fused, "the fastest": run}
every_way = pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)


def ids(*shape):
    return torch.randint(V, shape)


def sigmoid(a):
    return 1 / (1 + math.exp(-a))


# --- one step --------------------------------------------------------------------------------------------------------


def by_hand(width=1, hidden=1, **numbers):
    """A cell with these parameters, and zeros for all others."""
    cell = LSTMCell(width, hidden)
    params = {name: torch.zeros_like(block) for name, block in cell.named().items()}
    return cell.load(params | {name: torch.tensor(value) for name, value in numbers.items()})


def test_a_step_by_hand():
    """x = 2, h = 1, c = 0.5; f = σ(1 − 2), i = σ(3 · 1), g = tanh(0.5 · 2), o = σ(0.25); c' = f c + i g."""
    cell = by_hand(U_f=[[1.0]], W_f=[[-1.0]], U_i=[[3.0]], W_g=[[0.5]], b_o=[0.25])
    h, c = cell(torch.tensor([[2.0]]), torch.tensor([[1.0]]), torch.tensor([[0.5]]))
    wanted = sigmoid(-1) * 0.5 + sigmoid(3) * math.tanh(1)
    assert c.item() == pytest.approx(wanted)
    assert h.item() == pytest.approx(sigmoid(0.25) * math.tanh(wanted))


def test_rows_and_columns_of_u_are_not_exchanged():
    """U_g = [[0, 1], [0, 0]] moves the second number of h to the first place, and nothing to the second."""
    cell = by_hand(hidden=2, U_g=[[0.0, 1.0], [0.0, 0.0]])
    gates = cell.gates(torch.zeros(1, 1), torch.tensor([[0.3, 0.8]]))
    assert gates.g[0].tolist() == pytest.approx([math.tanh(0.8), 0])
    assert gates.f[0].tolist() == gates.i[0].tolist() == gates.o[0].tolist() == [0.5, 0.5]


OPEN, SHUT = 100.0, -800.0  # σ(100) rounds to exactly 1, in double precision too, and σ(−800) to exactly 0


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_saturated_gates_pass_erase_and_replace_the_cell_exactly(dtype):
    x, h, c = torch.randn(3, 4), torch.randn(3, 6).tanh(), torch.randn(3, 6)
    x, h, c = (part.to(dtype) for part in (x, h, c))

    def after(f, i, o):
        cell = LSTMCell(4, 6).to(dtype)
        for gate, bias in (("f", f), ("i", i), ("o", o)):
            cell.named()[f"b_{gate}"].data.fill_(bias)
        return *cell(x, h, c), cell.gates(x, h).g

    passed_h, passed, _ = after(f=OPEN, i=SHUT, o=OPEN)
    assert torch.equal(passed, c) and torch.equal(passed_h, c.tanh())
    erased_h, erased, _ = after(f=SHUT, i=SHUT, o=OPEN)
    assert torch.equal(erased, torch.zeros_like(c)) and torch.equal(erased_h, torch.zeros_like(c))
    _, replaced, proposal = after(f=SHUT, i=OPEN, o=OPEN)
    assert torch.equal(replaced, proposal)
    hidden_h, kept, _ = after(f=OPEN, i=SHUT, o=SHUT)
    assert torch.equal(kept, c) and torch.equal(hidden_h, torch.zeros_like(c))


def test_h_stays_below_one_and_the_cell_does_not():
    """With all gates open the cell adds up a proposal near 1 at each step: c_50 is near 50."""
    cell = by_hand(W_g=[[5.0]], b_f=[OPEN], b_i=[OPEN], b_o=[3.0]).double()
    h, (_, c) = run_steps(cell, torch.ones(1, 50, 1).double(), (torch.zeros(1, 1).double(),) * 2)
    assert c.item() == pytest.approx(50 * math.tanh(5))
    assert h.abs().max() < 1


@pytest.mark.parametrize("scale", [1.0, 30.0])
def test_h_stays_below_one_whatever_the_parameters(scale):
    cell, (x, state, _) = LSTMCell(6, 5).double(), case(30)[1:]
    for block in cell.parameters():
        block.data *= scale
    h, _ = run_steps(cell, x * scale, (state[0], state[1] * scale))
    assert h.abs().max() <= 1  # it is below one on paper; σ and tanh round up to it


# --- many steps ------------------------------------------------------------------------------------------------------


def twin(cells):
    """torch.nn.LSTM with the parameters of the cells, one a layer; its second biases are zero."""
    width, hidden, layers = cells[0].W.shape[1], cells[0].hidden, len(cells)
    lstm = nn.LSTM(width, hidden, layers, batch_first=True).to(cells[0].b)
    with torch.no_grad():
        for layer, cell in enumerate(cells):
            lstm.get_parameter(f"weight_ih_l{layer}").copy_(cell.W)
            lstm.get_parameter(f"weight_hh_l{layer}").copy_(cell.U)
            lstm.get_parameter(f"bias_ih_l{layer}").copy_(cell.b)
            lstm.get_parameter(f"bias_hh_l{layer}").zero_()
    return lstm


def case(T, device="cpu"):
    """B = 4, D = 6, H = 5, float64: a cell, x, (h_0, c_0), and weights for the loss."""
    cell = LSTMCell(width=6, hidden=5).to(device, torch.float64)
    shapes = (4, T, 6), (4, 5), (4, 5), (4, T, 5)
    x, h, c, weights = (torch.randn(shape, dtype=torch.float64, device=device) for shape in shapes)
    return cell, x, (h.tanh(), c), weights


def forward_and_gradients(read, parameters, x, state, weights):
    """Outputs, last state, and the gradients of a loss that hangs on all of them."""
    x, h, c = (part.clone().requires_grad_() for part in (x, *state))
    outputs, (last_h, last_c) = read(x, (h, c))
    loss = (outputs * weights).sum() + (last_h**3).sum() + (last_c**2).sum()
    return outputs, last_h, last_c, *torch.autograd.grad(loss, [*parameters, x, h, c])


@every_way
@pytest.mark.parametrize("T", [1, 2, 17])
def test_all_ways_equal_the_steps_in_outputs_and_gradients(way, T):
    cell, *given = case(T)
    slow = forward_and_gradients(lambda x, state: run_steps(cell, x, state), cell.parameters(), *given)
    fast = forward_and_gradients(lambda x, state: way(cell, x, state), cell.parameters(), *given)
    torch.testing.assert_close(fast, slow)


@every_way
@pytest.mark.parametrize("T", [1, 9])
def test_equals_torch_in_outputs_and_gradients(way, T):
    cell, *given = case(T)
    lstm = twin([cell])

    def theirs(x, state):
        outputs, (h, c) = lstm(x, tuple(part[None] for part in state))
        return outputs, (h[0], c[0])

    parameters = [lstm.weight_hh_l0, lstm.weight_ih_l0, lstm.bias_ih_l0]  # U, W, b
    wanted = forward_and_gradients(theirs, parameters, *given)
    got = forward_and_gradients(lambda x, state: way(cell, x, state), [cell.U, cell.W, cell.b], *given)
    torch.testing.assert_close(got, wanted)


@every_way
def test_single_precision_equals_the_steps_too(way):
    """On a CPU another routine serves float32 (oneDNN) than float64."""
    cell, x, state, weights = case(T=17)
    given = x.float(), tuple(part.float() for part in state), weights.float()
    cell = cell.float()
    slow = forward_and_gradients(lambda x, state: run_steps(cell, x, state), cell.parameters(), *given)
    fast = forward_and_gradients(lambda x, state: way(cell, x, state), cell.parameters(), *given)
    torch.testing.assert_close(fast, slow, rtol=1e-4, atol=1e-5)


@every_way
def test_nothing_read_changes_nothing(way):
    cell, x, state, _ = case(T=0)
    outputs, last = way(cell, x, state)
    assert outputs.shape == (4, 0, 5)
    assert all(after is before for after, before in zip(last, state, strict=True))


@every_way
def test_a_text_in_two_parts_equals_the_whole(way):
    cell, x, state, _ = case(T=9)
    whole, last = way(cell, x, state)
    first, middle = way(cell, x[:, :4], state)
    second, end = way(cell, x[:, 4:], middle)
    torch.testing.assert_close(torch.cat([first, second], 1), whole)
    torch.testing.assert_close(end, last)


@pytest.mark.gpu
@pytest.mark.parametrize("T", [1, 17])
def test_cudnn_equals_the_steps_in_outputs_and_gradients(T):
    """Warnings are errors here, so this also shows that cuDNN is content with how the parameters are packed."""
    cell, *given = case(T, device="cuda")
    slow = forward_and_gradients(lambda x, state: run_steps(cell, x, state), cell.parameters(), *given)
    for way in run_fused, run:
        fast = forward_and_gradients(lambda x, state: way(cell, x, state), cell.parameters(), *given)  # noqa: B023
        torch.testing.assert_close(fast, slow)


@pytest.mark.gpu
def test_cudnn_serves_a_model_from_nothing_read_to_its_gradients():
    model = LSTM(V, hidden=5, layers=2, dropout=0.2).cuda().eval()
    nothing = model(ids(2, 0).cuda())
    torch.testing.assert_close(nothing.state, model.start(2))
    model(ids(2, 9).cuda(), ids(2, 9).cuda()).loss.backward()  # cuDNN has no gradient if it is told that this is a test
    assert all(cell.U.grad.abs().max() > 0 for cell in model.cells)


@pytest.mark.parametrize("way", [run_steps, run_hoisted], ids=["steps", "hoisted"])
def test_gradients_equal_finite_differences(way):
    cell, x, (h, c), _ = case(T=4)

    def read(U, W, b, x, h, c):
        cell.U, cell.W, cell.b = U, W, b
        return way(cell, x, (h, c))

    given = [cell.U.data, cell.W.data, cell.b.data, x, h, c]
    for name in "UWb":
        delattr(cell, name)
    outputs, (last_h, last_c) = read(*given)
    assert not torch.equal(last_h, last_c)

    def flat(*parts):
        outputs, (h, c) = read(*parts)
        return outputs, h, c

    assert torch.autograd.gradcheck(flat, [part.requires_grad_() for part in given])


# --- where a cell starts, and what that means for gradients ----------------------------------------------------------


def test_it_is_drawn_as_torch_draws_and_then_the_forget_bias_is_set():
    torch.manual_seed(0)
    cell = LSTMCell(40, 64, forget_bias=None)
    theirs = nn.LSTM(40, 64)
    sums = theirs.bias_ih_l0 + theirs.bias_hh_l0
    for ours, peers in (cell.U, theirs.weight_hh_l0), (cell.W, theirs.weight_ih_l0), (cell.b, sums):
        assert ours.std().item() == pytest.approx(peers.std().item(), rel=0.1)
        assert ours.abs().max().item() == pytest.approx(peers.abs().max().item(), rel=0.1)
    blocks = LSTMCell(40, 64, forget_bias=2.5).named()
    assert (blocks["b_f"] == 2.5).all()
    assert all(0 < blocks[f"b_{gate}"].std() < 0.2 for gate in "igo")


def test_the_named_parameters_stand_in_torchs_order_and_are_views():
    cell = LSTMCell(3, 2)
    for at, gate in enumerate("ifgo"):
        for packed, kind in (cell.U, "U"), (cell.W, "W"), (cell.b, "b"):
            assert torch.equal(cell.named()[f"{kind}_{gate}"], packed[2 * at : 2 * at + 2])
    cell.named()["b_o"].data.fill_(9.0)
    assert cell.b[6:].tolist() == [9.0, 9.0]


def test_what_is_saved_by_name_can_be_loaded_by_name():
    one, other, x, state = LSTMCell(3, 2), LSTMCell(3, 2), torch.randn(4, 3), (torch.randn(4, 2), torch.randn(4, 2))
    assert other.load(one.named()) is other
    torch.testing.assert_close(other(x, *state), one(x, *state))
    assert other.U.data_ptr() != one.U.data_ptr()


def gradient_after(steps, forget_bias):
    """How much of a change of c_0 arrives at c_T, on average over the numbers of the state."""
    torch.manual_seed(0)
    cell, c = LSTMCell(6, 16, forget_bias).double(), torch.randn(8, 16).double().requires_grad_()
    _, (_, last) = run_steps(cell, torch.randn(8, steps, 6).double(), (torch.zeros(8, 16).double(), c))
    (gradient,) = torch.autograd.grad(last.sum(), c)
    return gradient.abs().mean().item()


def test_a_gradient_survives_a_hundred_steps_behind_an_open_forget_gate():
    """About σ(b)^100: with b = 0 nothing is left, with b = 1 next to nothing, with b = 8 nearly all of it."""
    assert gradient_after(100, forget_bias=None) < 1e-20
    assert 1e-16 < gradient_after(100, forget_bias=1.0) < 1e-8
    assert gradient_after(100, forget_bias=8.0) > 0.5


@pytest.mark.parametrize(
    "make",
    [lambda: LSTM(65, 128), lambda: LSTM(65, 128, width=32, tied=True), lambda: LSTM(65, 64, layers=3, tied=True)],
)
def test_the_first_loss_is_about_that_of_a_uniform_guess(make):
    tokens = torch.randint(65, (16, 65))
    loss = make()(tokens[:, :-1], tokens[:, 1:]).loss.item()
    assert loss == pytest.approx(math.log(65), abs=0.1)


# --- what is special to this one -------------------------------------------------------------------------------------


@pytest.mark.parametrize("layers", [1, 2, 3])
def test_stacked_layers_equal_torch(layers):
    model, tokens = LSTM(V, hidden=5, width=4, layers=layers).double(), ids(3, 8)
    state = tuple(torch.randn(3, layers, 5).double() for _ in "hc")
    lstm, x = twin(model.cells), model.E[tokens]
    outputs, last = lstm(x, tuple(part.transpose(0, 1).contiguous() for part in state))
    got = model(tokens, state=state)
    torch.testing.assert_close(got.logits, outputs @ model.V.T + model.c)
    torch.testing.assert_close(got.state, tuple(part.transpose(0, 1) for part in last))
    theirs = torch.autograd.grad(outputs.square().sum(), lstm.weight_hh_l0)
    h, layer_state = x, zip(*(part.unbind(1) for part in state), strict=True)
    for cell, pair in zip(model.cells, layer_state, strict=True):
        h, _ = run_steps(cell, h, pair)
    torch.testing.assert_close(torch.autograd.grad(h.square().sum(), model.cells[0].U), theirs)


def test_tied_logits_follow_the_equation():
    """o_t = E P h_t + c, and x_t is √D times the row of E."""
    model, tokens = LSTM(V, hidden=5, width=3, tied=True), ids(2, 4)
    zeros = torch.zeros(2, 5)
    h, _ = run_steps(model.cells[0], model.E[tokens] * math.sqrt(3), (zeros, zeros))
    wanted = torch.einsum("vd,dh,bth->btv", model.E, model.P, h) + model.c
    torch.testing.assert_close(model(tokens).logits, wanted)


def count(module):
    return sum(p.numel() for p in module.parameters())


@pytest.mark.parametrize("width, hidden, layers", [(3, 5, 1), (5, 5, 1), (32, 64, 3)])
def test_the_parameters_are_as_many_as_the_formula_says(width, hidden, layers):
    """4 (H D + H² + H) for a layer that reads D numbers; E has V D and the output V H + V. torch counts 4 H more."""
    formula = sum(4 * (hidden * d + hidden**2 + hidden) for d in [width] + [hidden] * (layers - 1))
    assert count(LSTM(V, hidden, width, layers)) == formula + V * width + V * hidden + V
    assert count(LSTM(V, hidden, width, layers).cells) == formula
    assert count(nn.LSTM(width, hidden, layers)) == formula + layers * 4 * hidden
    assert count(LSTM(V, hidden, hidden, layers)) - count(LSTM(V, hidden, layers=layers, tied=True)) == V * hidden


def test_dropout_acts_in_training_only():
    model, tokens = LSTM(V, hidden=5, layers=2, dropout=0.5), ids(2, 9)
    assert model.training and not torch.equal(model(tokens).logits, model(tokens).logits)
    model.eval()
    assert torch.equal(model(tokens).logits, model(tokens).logits)
    whole = LSTM(V, hidden=5, layers=2)
    whole.load_state_dict(model.state_dict())
    assert torch.equal(model(tokens).logits, whole(tokens).logits)


def test_dropout_stands_before_each_layer_and_the_output_but_not_between_steps(monkeypatch):
    seen = []
    monkeypatch.setattr(LSTM, "_dropped", lambda self, x: seen.append(x) or x)
    model, tokens = LSTM(V, hidden=5, width=4, layers=2), ids(2, 9)
    logits = model(tokens).logits
    assert [x.shape for x in seen] == [(2, 9, 4), (2, 9, 5), (2, 9, 5)]
    assert torch.equal(seen[0], model.E[tokens])
    torch.testing.assert_close(seen[2] @ model.V.T + model.c, logits)


def test_dropout_keeps_the_mean_and_drops_its_share():
    model = LSTM(V, hidden=5, dropout=0.3)
    dropped = model._dropped(torch.ones(100_000))
    assert (dropped == 0).float().mean().item() == pytest.approx(0.3, abs=0.01)
    assert dropped.mean().item() == pytest.approx(1, abs=0.02)


# --- what is refused -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: LSTM(0, 5), "vocab_size is 0"),
        (lambda: LSTM(V, 0), "hidden is 0"),
        (lambda: LSTM(V, 5, width=0), "width is 0"),
        (lambda: LSTM(V, 5, layers=0), "layers is 0"),
        (lambda: LSTM(V, 5, dropout=1.0), "dropout is 1.0: it is a share"),
        (lambda: LSTM(V, 5, dropout=-0.1), "dropout is -0.1"),
        (lambda: LSTMCell(0, 5), "width is 0"),
        (lambda: LSTMCell(3, 2).load({}), "U_i must have shape (2, 2); found nothing"),
        (lambda: LSTMCell(3, 2).load(LSTMCell(4, 2).named()), "W_i must have shape (2, 3); found shape (2, 4)"),
        (lambda: LSTM(V, 5)(torch.tensor([[0, V]])), "id 7 is out of range: this model knows 0 to 6"),
        (
            lambda: LSTM(V, 5)(ids(2, 3), state=(torch.zeros(2, 1, 5),)),
            "the state has shape [(2, 1, 5)]; 2 sequences need [(2, 1, 5), (2, 1, 5)]",
        ),
        (lambda: LSTM(V, 5, layers=2)(ids(2, 3), state=LSTM(V, 5).start(2)), "2 sequences need [(2, 2, 5), (2, 2, 5)]"),
    ],
)
def test_bad_input_gets_one_clear_line(make, message):
    with pytest.raises(ValueError) as caught:
        make()
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_refused_load_changes_nothing():
    cell = LSTMCell(3, 2)
    before = cell.U.clone()
    with pytest.raises(ValueError):
        cell.load({"U_i": torch.ones(2, 2)})
    assert torch.equal(cell.U, before)
