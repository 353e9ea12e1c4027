"""Words that the engine writes and the record of marks reads again; both sides of the jail can see this file."""

DID_NOT_RUN = ": its cell did not run: "  # in a check's message, between what is missing and the error
