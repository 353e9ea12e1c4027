"""Taking in and mending: a student's folder goes in; out comes a notebook that can be judged, or why there is none.

Read on in this order: `submission` (the whole of it), `repair` (the rules by which a damaged file is mended), `files`
(reading what somebody else chose), `handed_in` (when), `errors` (how it gives up), `strays` (what lies where nobody
looks), `class_list` (who is in the class), `roll_call` (who handed nothing in, or is not on the list), `collecting`
(from a learning platform's files to students' folders).
"""

__all__ = ["class_list", "collecting", "errors", "files", "repair", "roll_call", "strays", "submission"]
