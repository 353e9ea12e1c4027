"""`unrolled.device`: what the two switches choose, with and without being told."""

import subprocess
import sys

import pytest
import torch
from unrolled.device import SettingError, device, one_thread, pick, scale


@pytest.fixture(autouse=True)
def untold(monkeypatch):
    monkeypatch.delenv("UNROLLED_DEVICE", raising=False)
    monkeypatch.delenv("UNROLLED_SCALE", raising=False)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)


def test_the_cpu_is_taken_where_there_is_nothing_else():
    assert device() == torch.device("cpu")
    assert scale() == "cpu"


def test_cuda_is_taken_where_it_is(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    assert device() == torch.device("cuda")
    assert scale() == "gpu"


def test_the_device_can_be_told(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setenv("UNROLLED_DEVICE", "cpu")
    assert device() == torch.device("cpu")
    assert scale() == "cpu"


def test_another_kind_of_device_computes_at_the_laptop_scale(monkeypatch):
    monkeypatch.setattr("unrolled.device.device", lambda: torch.device("mps"))
    assert scale() == "cpu"


@pytest.mark.parametrize("wanted", ["banana", "cuda:99", "meta"])
def test_a_device_that_is_not_there_is_one_line(monkeypatch, wanted):
    monkeypatch.setenv("UNROLLED_DEVICE", wanted)
    line = f"UNROLLED_DEVICE is '{wanted}', and this machine has no such device: unset it, or set it to 'cpu'."
    with pytest.raises(SettingError) as error:
        device()
    assert str(error.value) == line
    assert error.value._render_traceback_() == [f"SettingError: {line}"]


@pytest.mark.parametrize("told", ["smoke", "cpu", "gpu", " GPU "])
def test_the_scale_can_be_told(monkeypatch, told):
    monkeypatch.setenv("UNROLLED_SCALE", told)
    assert scale() == told.strip().lower()
    assert pick(smoke="smoke", cpu="cpu", gpu="gpu") == scale()


def test_a_wrong_scale_is_one_line(monkeypatch):
    monkeypatch.setenv("UNROLLED_SCALE", "huge")
    with pytest.raises(
        SettingError, match="^UNROLLED_SCALE is 'huge': set it to 'smoke', 'cpu' or 'gpu', or unset it.$"
    ):
        pick(smoke=1, cpu=2, gpu=3)


def test_a_told_scale_needs_no_torch():
    program = "import sys; from unrolled.device import scale; scale(); sys.exit('torch' in sys.modules)"
    told = {"UNROLLED_SCALE": "smoke"}
    assert subprocess.run([sys.executable, "-c", program], env=told).returncode == 0


def test_one_thread_within_the_block_and_as_before_after_it_even_if_it_breaks():
    before = torch.get_num_threads()
    with pytest.raises(RuntimeError, match="in the block"), one_thread():
        assert torch.get_num_threads() == 1
        raise RuntimeError("in the block")
    assert torch.get_num_threads() == before


@pytest.mark.gpu
def test_a_real_gpu_is_found(monkeypatch):
    monkeypatch.undo()
    monkeypatch.delenv("UNROLLED_DEVICE", raising=False)
    monkeypatch.delenv("UNROLLED_SCALE", raising=False)
    assert device().type == "cuda"
    assert scale() == "gpu"
