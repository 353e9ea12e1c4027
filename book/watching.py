"""Runs in a unit's kernel before its first cell: writes down each file that the run opens to read.

A line a file, as it was named, into the file that UNROLLED_READS names. Modules count as well: Python opens what it
compiled of them. What a library opens past Python is not seen; the course has no such reader.
"""


def _watch():
    import os  # here, since what stands above a function would be known to the notebook's cells
    import sys

    target, noted = os.open(os.environ["UNROLLED_READS"], os.O_WRONLY | os.O_APPEND | os.O_CREAT), set()

    def note(event: str, arguments: tuple) -> None:
        if event != "open" or not isinstance(arguments[0], str) or arguments[0] in noted:
            return
        if "r" in (arguments[1] or "r"):
            noted.add(arguments[0])
            os.write(target, f"{os.path.abspath(arguments[0])}\n".encode())

    sys.addaudithook(note)


if __name__ == "__main__":  # which a kernel's first file is, too
    _watch()
    del _watch
