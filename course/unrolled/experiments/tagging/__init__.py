"""What the experiments of unit 4, tagging and classifying, need.

In go names of data sets, a net's settings or somebody's answers; out come sentences, trained nets, counts to print.

Data: `grammar` (a made language, and the agreement probe), `conll` (a treebank), `polarity` (reviews), `snips`
(requests with slots); `skip_gram` trains the word vectors.
Before the nets: `baselines` (taggers by counting and by features), `bags` (classifiers of bags of words).
Nets: `trainer` (short trainings), `reach` (the long one, which keeps checkpoints),
`sick_classifier` (one with a fault), `both_ways` (why a bidirectional net is no language model), `agreement` (two nets
for the probe). Scores: `reports`; `chances` (what choosing on the test text does).
`stored`: experiments whose results are kept, which `python -m unrolled.experiments.tagging` runs.
"""
