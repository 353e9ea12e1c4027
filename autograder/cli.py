"""`autograder`: from `new` and `release` to `feedback` and `marks`. What a command does stands in `commands`.

Exit codes: 0 done, 1 done, and something is to be looked at, 2 could not be done, which one line says.
"""

import sys

from autograder import commands  # noqa: F401 (the commands join the app)
from autograder.commands.telling import app
from autograder.course import Trouble
from autograder.words import printable


def main() -> None:
    """The console script: trouble becomes one line on standard error and exit code 2."""
    try:
        app()
    except Trouble as trouble:
        first, *more = trouble.lines
        print("\n".join(map(printable, [f"autograder: {first}", *more])), file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        print("autograder: stopped; what was done so far is kept.", file=sys.stderr)
        sys.exit(130)


if __name__ == "__main__":
    main()
