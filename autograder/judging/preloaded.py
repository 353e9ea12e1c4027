"""What the fork server imports, once for all worker processes: all that judging needs."""

from autograder.judging import quick

quick.import_jsonschema()

import autograder.judging.grader  # noqa: E402, F401
