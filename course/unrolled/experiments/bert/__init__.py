"""What the experiments of unit 8, BERT, need.

In go texts, settings and seeds; out come pre-trained nets, batches and measures.

Before the tasks: `books` (documents for pre-training), `recipes` (its settings), `pretrain` (the training, a command),
`heldout` (what it is measured by), `pieces_list` (the list of pieces, a command), `ship` and `small` (the net that the
course brings), `looking` (where heads look), `drawings` (the input, and the kinds of heads), `parts` (ids).

Tasks: `snli` (pairs of sentences), `reading` (texts, pairs and tagged words as batches for a net with a head),
`finetuning` (all of it), `questions` (answers that are spans), `minilm` (a net of others), `sick_tunings` (suspects).

Comparisons: `senses`, `retrieval`, `one_way` (GPT beside BERT), `cuts` (long documents), `compressing`. The modules
`stored_…` make what lies under assets/bert, by `python -m unrolled.experiments.bert`.
"""
