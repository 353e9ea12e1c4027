"""What the experiments of unit 8, BERT, need.

In go texts, settings and seeds; out come pre-trained nets, batches and measures.

`books` (documents for pre-training), `recipes` (its settings), `pretrain` (the training, a command), `heldout` (what it
is measured by), `pieces_list` (the list of pieces, a command), `snli` (pairs of sentences),
`reading` (texts, pairs and tagged words as batches for a net with a head), `looking` (where heads look), `drawings`
(the input, and the kinds of heads).
"""
