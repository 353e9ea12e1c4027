"""A classmate loads our LSTM from a file. It runs, but it is not the same net any more: two gates changed places.

The file held the blocks one after another, without the gates' names, and they were read back in an order that was
known by heart. All shapes fit, so nothing complains. The last lines of this file give away which two it were: guess
first. With a net trained on the made text, what it writes tells much already.
"""

import copy

from unrolled.lstm import LSTM, LSTMCell


def loaded_by_a_classmate(model: LSTM) -> LSTM:
    """A new net with all the parameters of `model`, but in every layer those of two gates are exchanged."""
    loaded = copy.deepcopy(model)
    for cell in loaded.cells:
        exchange(cell, *EXCHANGED)
    return loaded


def exchange(cell: LSTMCell, one: str, other: str) -> None:
    """Give each of two gates U, W and b of the other, in place. Exchanged once more, they are as before."""
    saved = {name: block.clone() for name, block in cell.named().items()}
    place = {one: other, other: one}
    cell.load({f"{kind}_{gate}": saved[f"{kind}_{place.get(gate, gate)}"] for kind in "UWb" for gate in "figo"})


# What asked how much of the proposal to write now asks how much of the cell to read, and the other way round.
EXCHANGED = "io"
