"""Arguments read once and handed over as often as they come; models that need not be asked."""

import socket
import threading
from contextlib import contextmanager
from types import SimpleNamespace

import pytest
import torch
from hypothesis import given
from test_frames import VALUES
from unrolled.checking import LocalAnswer, close
from unrolled.checking.always import Always
from unrolled.checking.answer import StudentError

from autograder.judging.boundary.arguments import MAX_REMEMBERED, Memory, spelled
from autograder.judging.boundary.channel import Channel, Kind
from autograder.judging.boundary.child import Child
from autograder.judging.boundary.decoding import decode
from autograder.judging.boundary.encoding import encode
from autograder.judging.boundary.session import Session
from autograder.judging.boundary.standin import RemoteAnswer


@given(VALUES)
def test_what_comes_again_is_the_same_and_nobody_elses(value):
    memory, data = Memory(decode), encode(value)
    first, second = memory.value(data)[0], memory.value(data)[0]
    close(first, value, "the first", rtol=0, atol=0, same_dtype=True)
    close(second, value, "the second", rtol=0, atol=0, same_dtype=True)
    assert type(first) is type(second) is type(value)
    assert first is not second or not isinstance(value, list | dict | set | torch.Tensor)


@given(VALUES)
def test_two_values_of_one_spelling_are_one(value):
    again = decode(encode(value))
    assert spelled(value) is None or isinstance(value, set | dict | list | tuple) or spelled(again) == spelled(value)


def test_tables_are_read_once_and_few_are_kept():
    reads = []
    memory = Memory(lambda data: reads.append(data) or decode(data))
    table = encode({("a",): {"b": 1}})
    for _ in range(3):
        assert memory.value(table)[0] == {("a",): {"b": 1}}
    assert reads == [table]
    for number in range(2 * MAX_REMEMBERED):
        memory.value(encode(number))
        assert len(memory._known) <= MAX_REMEMBERED


def test_one_true_and_one_point_zero_stay_three_values():
    memory = Memory(decode)
    for _ in range(2):
        assert [type(memory.value(encode(value))[0]) for value in (1, True, 1.0)] == [int, bool, float]


# --- through a socket, with a child that is a thread


class Nobody:
    def interrupt(self):
        """There is no process."""

    def end(self, gone=False):
        return SimpleNamespace(status="", reason="")


@contextmanager
def asked(function):
    """The stand-in of a function, and the kinds of all frames that came from the student's side."""
    ours, theirs = socket.socketpair()
    channel, kinds = Channel(theirs), []
    send = channel.send
    channel.send = lambda kind, *content, **options: kinds.append(kind) or send(kind, *content, **options)
    child = Child(channel, SimpleNamespace(user_ns={"f": function}))
    thread = threading.Thread(target=child.serve)
    thread.start()
    session = Session(
        Channel(ours), Nobody(), lambda session, handle: RemoteAnswer(lambda: (session, handle), lambda: 5)
    )
    try:
        yield session.request(Kind.PIN, "f", "f", seconds=5), kinds
    finally:
        session.end()
        thread.join(5)
        channel.close()


def spoil(table, key):
    found = table[key].pop()
    return found


SPOILT = {
    "a list": ({"a": [1, 2]}, "a"),
    "a list of tensors": ([[torch.ones(2), torch.zeros(1)]], 0),
}


@pytest.mark.parametrize("name", SPOILT)
def test_a_changed_argument_is_noticed_each_time_and_never_seen_again(name):
    with asked(spoil) as (answer, _):
        for _ in range(3):
            with pytest.raises(StudentError, match="changes an argument"):
                answer(*SPOILT[name])
            assert len(SPOILT[name][0][SPOILT[name][1]]) == 2


def test_a_tensor_written_to_is_noticed():
    with asked(lambda x: x.add_(1)) as (answer, _), pytest.raises(StudentError, match="changes an argument"):
        answer(torch.zeros(3))


def test_a_dict_put_in_another_order_is_not_changed():
    def reorder(table):
        table["a"] = table.pop("a")
        return list(table)

    with asked(reorder) as (answer, _):
        assert answer({"a": 1, "b": 2}) == ["b", "a"]
        assert answer({"a": 1, "b": 2}) == ["b", "a"]


def test_named_arguments_arrive_under_their_names():
    with asked(lambda a, *, b=0, c=0: [a, b, c]) as (answer, _):
        assert answer(1, c=[3]) == [1, 0, [3]]
        assert answer(1, b={"x": 2}, c=3) == [1, {"x": 2}, 3]


def chatty(model):
    return [model("word", ("a", "b")) for _ in range(20)]


def test_a_model_that_always_says_the_same_is_not_asked():
    with asked(chatty) as (answer, kinds):
        assert answer(Always(0.5, "word", "context")) == [0.5] * 20
        assert Kind.CALLBACK not in kinds
        assert answer(lambda word, context: 0.5) == [0.5] * 20
        assert kinds.count(Kind.CALLBACK) == 20


def by_name(model):
    return model(context=("a",), word="b")


def too_few(model):
    return model("a")


def with_an_object(model):
    return model(object(), ())


@pytest.mark.parametrize("function", [chatty, by_name, too_few, with_an_object])
def test_it_answers_beside_the_student_as_it_does_in_a_notebook(function):
    def told(answer):
        try:
            return answer(Always(torch.ones(2), "word", "context"))
        except StudentError as error:
            return str(error).split(":")[0]

    with asked(function) as (answer, _):
        close(told(answer), told(LocalAnswer(function)), "what comes of it")


def test_what_it_said_cannot_be_spoilt():
    def write(model):
        model("a", ()).zero_()
        return model("a", ())

    model = Always(torch.ones(2), "word", "context")
    for answer in (LocalAnswer(write),):
        close(answer(model), torch.ones(2), "the second answer")
    with asked(write) as (answer, _):
        close(answer(model), torch.ones(2), "the second answer")
    close(model.value, torch.ones(2), "the check's own")
