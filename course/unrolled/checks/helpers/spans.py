"""Tags of sentences, and the spans that they make, for the checks of 4.7: what stands in the text, and edges."""

PLAYED = "O B-artist I-artist O B-album O O".split()  # noqa: SIM905  (the text's example)
OFF = {  # what is wrong with the artist of each
    "a word too short": "O B-artist O O B-album O O",
    "a word too long": "O B-artist I-artist I-artist B-album O O",
    "of another type": "O B-title I-title O B-album O O",
}
EDGES = (  # gold, predicted, and all three scores
    ("B-x B-x", "B-x I-x", (0.0, 0.0, 0.0)),  # two of one word each; one of two words
    ("B-x I-y", "B-x B-y", (1.0, 1.0, 1.0)),
    ("O I-x I-x", "O B-x I-x", (1.0, 1.0, 1.0)),  # a stray I- opens a span
    ("B-x O I-x", "B-x O B-x", (1.0, 1.0, 1.0)),
    ("I-x B-x I-x", "B-x I-x I-x", (0.0, 0.0, 0.0)),
)
NAMES = (  # types with hyphens of their own, and such as are called as the tag O is
    ("B-a-x I-a-x O B-x", "B-a-x I-a-x O B-x", (1.0, 1.0, 1.0)),
    ("B-a-x", "B-b-x", (0.0, 0.0, 0.0)),
    ("B-a-x I-a-x", "B-a-x I-b-x", (0.0, 0.0, 0.0)),
    ("B-a-x", "B-a-y", (0.0, 0.0, 0.0)),
    ("B-O I-O O B-x", "B-O I-O O B-x", (1.0, 1.0, 1.0)),
    ("O B-O O I-O", "O B-O O O", (1.0, 0.5, 2 / 3)),
)
NOTHING = (([PLAYED], [["O"] * 7]), ([["O"] * 7], [PLAYED]), ([["O", "O"]], [["O", "O"]]), ([], []))
TWO_SENTENCES = (
    ([["B-x", "O"]] * 2, [["B-x", "O"], ["O", "O"]], (1.0, 0.5, 2 / 3), "one of two equal spans is found"),
    ([["O", "B-x"], ["B-x"]], [["O", "B-x"], ["I-x"]], (1.0, 1.0, 1.0), "I-x begins a sentence"),
)
