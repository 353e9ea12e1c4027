"""What the experiments of unit 6, self-attention with many heads, need.

In go sizes, settings of a net and seeds; out come trained nets, counts and measures to print and draw.

Tasks: `counting` (letters that must look back), `pronouns` (sentences whose pronoun must find its noun), `masks`
(models for a leak detector, some of which see what they are to predict).
Questions: `scale` (why √d), `orders` (positions), `heads` (what single ones do), `costs` (against recurrent layers and
convolutions), `syntax` (heads against a treebank's trees).
`parts`: a net's numbers as plain tensors. `stored`: experiments whose results are kept, which
`python -m unrolled.experiments.attention` runs.
"""
