"""Tagged sentences out of a treebank: CoNLL-U read line by line, and the English Web Treebank in its official parts.

In CoNLL-U a sentence is a block of lines, a word a line, ten columns with tabs between; the second is the word as it
stands in the text, the fourth its universal part of speech (17 of them; de Marneffe and others, "Universal
Dependencies", 2021). Lines that begin with # are remarks. A number such as 3-4 is no word but what two words are in
writing ("don't"), and 5.1 is a word that was left out in the text: both are passed over.
Left out on purpose: everything else that a treebank knows, the trees above all.
"""

from unrolled.data import DataError, load
from unrolled.data.places import say_once
from unrolled.experiments.tagging.grammar import Sentence, made_splits

PARTS = "train", "dev", "test"


def read_conllu(text: str) -> list[Sentence]:
    """The sentences of a text in CoNLL-U, with universal tags. ValueError, with the line, for what is no such text."""
    sentences: list[Sentence] = []
    words, tags = [], []
    for number, line in enumerate([*text.split("\n"), ""], start=1):
        if line.startswith("#"):
            continue
        if not line.strip():
            if words:
                sentences.append(Sentence(words, tags))
            words, tags = [], []
            continue
        columns = line.split("\t")
        if len(columns) != 10:
            raise ValueError(f"line {number} has {len(columns)} columns; CoNLL-U has 10, with tabs between them")
        if columns[0].isdecimal():
            words.append(columns[1])
            tags.append(columns[3])
    return sentences


def ud_ewt(stand_in: bool = True) -> dict[str, list[Sentence]]:
    """The English Web Treebank: 12,544 sentences to train on, 2,001 to choose with, 2,077 to test on.

    Keys "train", "dev", "test". Where it cannot be had, sentences of `grammar` stand in, and one line says
    so; stand_in=False: DataError.
    """
    try:
        return {part: read_conllu(load("ud_ewt", f"en_ewt-ud-{part}.conllu")) for part in PARTS}
    except DataError:
        if not stand_in:
            raise
        say_once(
            "The English Web Treebank cannot be had (`python -m unrolled.data ud_ewt` says why): "
            "sentences of a small grammar of ours stand in."
        )
        return made_splits()
