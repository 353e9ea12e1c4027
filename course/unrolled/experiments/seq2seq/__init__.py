"""What the experiments of unit 5, sequence to sequence, need.

In go the name of a language, sizes and seeds; out come pairs of sentences, trained nets, numbers to print and draw.

Pairs: `numbers` and `dates` (with their true alignment), `copying` (strings of letters), `two_answers` (times of day),
`tatoeba` (sentences of people).
Nets: `reading` (words to ids), `trainer` (short trainings), `reach` (the long one), `sick_translator` (one with
faults), `captions` (another encoder: pictures).
Questions: `waning` (how long c counts), `exposure` (after its own words), `beams`, `alignment`, `costs`; `scoring`
(BLEU and chrF), `evaluating` (sentences).
`stored`: experiments whose results are kept, which `python -m unrolled.experiments.seq2seq` runs.
"""
