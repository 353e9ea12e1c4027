"""What the experiments of unit 7, the transformer, need.

In go sizes, settings of a net and seeds; out come trained nets, losses and measures to print and draw.

Language models: `language` (the training), `recipes`, `texts`, `hunger`, `by_position`, `cache`, `counts`.
Blocks: `switched` (nets whose parts can be left out), `gradients` (by depth), `norms` and `schedules` (two orders, and
rates that rise first), `ablation` (one part removed at a time), `parts` (unit 6's attention as a function).
Tasks: `tasks` (unit 5's, against a recurrent net), `beyond` (strings longer than those of the training),
`first_position` (a class for the whole), `explaining` (what attention maps do and do not explain).
Sick ones: `sick_transformers` (not trained, to be diagnosed), `classmates` (trained, with a fine report).
`drawings`: the whole as a picture. `stored`: experiments whose results are kept, which
`python -m unrolled.experiments.transformer` runs.
"""
