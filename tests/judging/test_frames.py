"""Frames: what goes in comes out, whatever else comes in is refused, and quickly."""

import math
import socket
import struct
import threading
import time

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from unrolled.checking import close

from autograder.judging.boundary import wire
from autograder.judging.boundary.channel import Channel, Kind, TimeUp
from autograder.judging.boundary.decoding import decode
from autograder.judging.boundary.encoding import encode
from autograder.judging.boundary.wire import Callback, FrameError, Handle, Unsendable

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(2**1000), 2**1000)
    | st.floats()
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
    | st.binary(max_size=20)
)
KEYS = st.none() | st.integers(-(2**63) + 1, 2**63 - 1) | st.text(st.characters(exclude_categories=["Cs"]), max_size=5)
KEYS |= st.tuples(KEYS, KEYS) | st.just(())


@st.composite
def tensors(draw):
    shape = draw(st.lists(st.integers(0, 4), max_size=3))
    generator = torch.Generator().manual_seed(draw(st.integers(0, 1000)))
    value = (torch.randn(shape, generator=generator) * 3).to(draw(st.sampled_from(wire.DTYPES)))
    return value.movedim(0, -1) if shape and draw(st.booleans()) else value


VALUES = st.recursive(
    SCALARS | tensors(),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(KEYS, inner, max_size=4)
        | st.lists(st.integers(-(2**63) - 1, 2**63), max_size=6)
        | st.lists(st.floats(), max_size=6)
        | st.sets(KEYS, max_size=4)
    ),
    max_leaves=12,
)


@pytest.mark.parametrize("dtype", wire.DTYPES)
def test_a_matrix_lies_in_memory_as_it_lay(dtype):
    value = torch.arange(24).reshape(2, 3, 4).to(dtype)
    for sent in (value, value.movedim(0, -1), value[0].T):
        back = decode(encode(sent))
        assert back.stride() == sent.stride() and torch.equal(back, sent)


@given(VALUES)
def test_a_value_comes_back_as_it_went(value):
    back = decode(encode(value))
    close(back, value, "the value", rtol=0, atol=0, same_dtype=True)
    assert type(back) is type(value)
    assert encode(back) == encode(value) or isinstance(value, set | dict | list | tuple)


@given(st.binary(max_size=200))
def test_arbitrary_bytes_are_refused_or_mean_themselves(data):
    try:
        value = decode(data)
    except FrameError:
        return
    assert len(encode(value)) == len(data)


@settings(max_examples=400)
@given(VALUES, st.data())
def test_a_damaged_frame_is_refused_or_read_as_plain_data(value, data):
    frame = bytearray(encode(value))
    for _ in range(data.draw(st.integers(1, 4))):
        frame[data.draw(st.integers(0, len(frame) - 1))] = data.draw(st.integers(0, 255))
    frame = frame[: data.draw(st.integers(1, len(frame)))]
    try:
        back = decode(frame)
    except FrameError:
        return
    assert len(encode(back)) == len(frame)


@given(VALUES, st.integers(1, 20))
def test_a_frame_cut_short_or_too_long_is_refused(value, count):
    frame = encode(value)
    for wrong in (frame[:-count], frame + b"N" * count):
        with pytest.raises(FrameError):
            decode(wrong)


COUNT = struct.Struct("<I").pack
HOSTILE = {
    "nothing": b"",
    "an unknown tag": b"z",
    "more items than bytes": b"l" + COUNT(2**32 - 1),
    "a million empty lists": b"l" + COUNT(1000) + (b"l" + COUNT(1000) + b"N" * 1000) * 1000,
    "too deep": (b"l" + COUNT(1)) * 5000 + b"N",
    "a string longer than the frame": b"s" + COUNT(2**31) + b"abc",
    "a string that is no UTF-8": b"s" + COUNT(1) + b"\xff",
    "half a character": b"s" + COUNT(3) + "\ud800".encode("utf-8", "surrogatepass"),
    "a long spelling of 1": b"i\x02\x01\x00",
    "a packed list of nothing": b"L" + COUNT(0),
    "a packed list cut short": b"D" + COUNT(2) + bytes(8),
    "a slow spelling of a packed list": b"l" + COUNT(1) + b"i\x01\x01",
    "an integer of no bytes": b"i\x00",
    "an integer that has no float": b"i\x80" + b"\x7f" * 128,
    "equal keys": b"d" + COUNT(2) + b"TNi\x01\x01N",
    "equal items": b"e" + COUNT(2) + b"TT",
    "a list as a key": b"d" + COUNT(1) + b"l" + COUNT(0) + b"N",
    "a tensor as a key": b"d" + COUNT(1) + b"x\x09\x00" + bytes(8) + b"N",
    "a huge integer as a key": b"d" + COUNT(1) + b"i\x09" + b"\x01" * 9 + b"N",
    "a tensor of unknown dtype": b"x\x0a\x00",
    "a tensor with too many axes": b"x\x08\x11" + COUNT(1) * 17 + bytes(4),
    "a tensor larger than the frame": b"x\x08\x02" + COUNT(2**31 - 1) * 2,
    "a hollow tensor whose strides overflow": b"x\x08\x04" + COUNT(0) + COUNT(2**31 - 1) * 3,
    "a tensor of no axis turned": b"x\x88\x00" + bytes(4),
    "a vector turned": b"x\x88\x01" + COUNT(2) + bytes(8),
    "a row turned": b"x\x88\x02" + COUNT(1) + COUNT(2) + bytes(8),
    "a boolean of value 2": b"x\x00\x01" + COUNT(3) + b"\x00\x02\x01",
    "a handle": b"h" + COUNT(1) + b"s" + COUNT(0),
    "a callback": b"c" + COUNT(1),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_frames_are_refused_at_once(name):
    begin = time.process_time()
    with pytest.raises(FrameError):
        decode(HOSTILE[name])
    assert time.process_time() - begin < 2


def test_keys_made_to_collide_cannot_hold_up_the_reader():
    """Pairs (a, b) whose hashes agree: b is solved for, since a tuple's hash is a known function of its items'."""
    keys = _colliding_pairs(30_000)
    assert len({hash(key) for key in keys}) == 1
    frame = b"e" + COUNT(len(keys)) + b"".join(map(encode, keys))
    begin = time.process_time()
    with pytest.raises(FrameError, match="too long"):
        decode(frame, seconds=0.3)
    assert time.process_time() - begin < 1.5


def _colliding_pairs(count: int) -> list[tuple[int, int]]:
    """Follows CPython's tuple hash (xxHash's rounds), run backwards for the second item."""
    one, two, five, mask = 11400714785074694791, 14029467366897019727, 2870177450012600261, 2**64 - 1
    inverse_one, inverse_two = pow(one, -1, 2**64), pow(two, -1, 2**64)

    def rotated(x: int, by: int) -> int:
        return (x << by | x >> (64 - by)) & mask

    def step(state: int, lane: int) -> int:
        return rotated((state + lane * two) & mask, 31) * one & mask

    pairs, wanted, a = [], step(step(five, 1), 1), 0
    while len(pairs) < count:
        a += 1
        b = (rotated(wanted * inverse_one & mask, 33) - step(five, a)) * inverse_two & mask
        if b < 2**61 - 1:  # else its own hash is another number
            pairs.append((a, b))
    return pairs


NOT_SENDABLE = {
    "an object": object(),
    "an int subclass": type("Number", (int,), {})(3),
    "an int of 2000 bits": 2**2000,
    "a lone surrogate": "\ud800",
    "a key that could collide": {2**64: 1},
    "a handle in a set": {Handle(1)},
    "a sparse tensor": torch.eye(2).to_sparse(),
    "a complex tensor": torch.zeros(2, dtype=torch.complex64),
    "a meta tensor": torch.zeros(2, device="meta"),
    "a huge expanded tensor": torch.zeros(1).expand(2**30),
    "a parameter": torch.nn.Parameter(torch.zeros(1)),
    "too many items": [[None] * 600_000] * 2,
    "too many bytes": [b"x" * 2**20] * 70,
}


@pytest.mark.parametrize("name", NOT_SENDABLE)
def test_what_is_no_plain_data_or_too_large_is_not_sent(name):
    with pytest.raises(Unsendable):
        encode(NOT_SENDABLE[name])


def test_a_list_that_holds_itself_is_not_sent():
    endless = []
    endless.append(endless)
    with pytest.raises(Unsendable, match="deep"):
        encode(endless)


def test_handles_and_callbacks_become_what_the_reader_says():
    sent = encode([Handle(7, "Generator"), Callback(3)])
    read = decode(sent, handle=lambda h: f"{h.name} {h.number}", callback=lambda c: c.number)
    assert read == ["Generator 7", 3]


def test_views_that_are_not_contiguous_cross_whole():
    matrix = torch.arange(6.0).reshape(2, 3)
    assert torch.equal(decode(encode(matrix.T)), matrix.T)
    assert torch.equal(decode(encode(matrix[:, 1])), matrix[:, 1])


def test_every_integer_that_crosses_has_a_float():
    largest = 2 ** (8 * wire.MAX_INT_BYTES - 1) - 1
    assert math.isfinite(float(decode(encode(largest))))
    with pytest.raises(Unsendable):
        encode(largest + 1)


def test_frames_that_come_in_pieces_or_together_are_told_apart():
    ours, theirs = socket.socketpair()
    with ours, theirs:
        values = ["a", "b" * 200_000, [1, 2]]
        frames = b"".join(_frame(Kind.RETURN, value) for value in values)
        writer = threading.Thread(target=_written_in_pieces, args=(theirs, frames))
        writer.start()
        channel = Channel(ours)
        for value in values:
            kind, data = channel.receive(time.monotonic() + 20)
            assert kind is Kind.RETURN and decode(data) == (value,)
        writer.join()


def test_half_a_frame_is_kept_until_the_rest_comes():
    ours, theirs = socket.socketpair()
    with ours, theirs:
        channel, frame = Channel(ours), _frame(Kind.RETURN, "late")
        for part in (frame[:5], frame[5:11]):
            theirs.sendall(part)
            with pytest.raises(TimeUp):
                channel.receive(time.monotonic() + 0.12)
        theirs.sendall(frame[11:])
        assert decode(channel.receive(time.monotonic() + 5)[1]) == ("late",)


def test_a_reader_without_a_deadline_outwaits_the_ticks_of_one_before():
    ours, theirs = socket.socketpair()
    with ours, theirs:
        channel = Channel(ours)
        with pytest.raises(TimeUp):
            channel.receive(time.monotonic() + 0.06)
        threading.Timer(0.3, theirs.sendall, [_frame(Kind.RETURN, 1)]).start()
        assert channel.receive()[0] is Kind.RETURN


def _frame(kind, *values):
    body = encode(values)
    return struct.pack("<2sBBI", b"un", kind, 0, len(body)) + body


def _written_in_pieces(end, data):
    for at in range(0, len(data), 7_001):
        end.sendall(data[at : at + 7_001])
        time.sleep(0.001)


def test_what_is_deepest_crosses_and_one_deeper_does_not():
    for inner in ("word", 1, 2.5, None):
        value = inner
        for _ in range(wire.MAX_DEPTH):
            value = [value, None]
        assert decode(encode(value)) == value
        with pytest.raises(Unsendable, match="deep"):
            encode([value, None])


def test_small_integers_have_the_spelling_of_all_others():
    for value in range(-300, 300):
        size = value.bit_length() // 8 + 1
        assert encode(value) == b"i" + bytes([size]) + value.to_bytes(size, "little", signed=True)
        assert decode(encode(value)) == value
