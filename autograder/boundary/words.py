"""Words that one part of the engine writes and another reads again; both sides of the jail can see this file."""

CHECK = "-check"  # ends the grade id of a cell that checks the exercise named before it
DID_NOT_RUN = ": its cell did not run: "  # in a check's message, between what is missing and the error
