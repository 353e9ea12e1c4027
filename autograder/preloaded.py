"""What the fork server imports, once for all worker processes: all that judging needs."""

from autograder import quick

quick.import_jsonschema()

import autograder.examiner  # noqa: E402, F401
