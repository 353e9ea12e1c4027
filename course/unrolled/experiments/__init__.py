"""What experiments of single units need and no lesson teaches: tasks to train on, faults to find, a look inside.

In goes a net, a text or a distance; out come numbers to draw. What one unit's experiments need stands in a folder of
its name, `elman_rnn`, `lstm`, `tagging`, `seq2seq` or `attention`. What two units share stands here: `recall`, a task
for memory alone, of units 2 and 3; `drawings`, a net unrolled and the kinds of its use, of units 2 and 4; `storing`,
rows of results, and `checkpoints`, trainings that go on where they stopped, from unit 4 on; `reading`, words to ids,
and `vectors`, word vectors of our own, of units 4 and 6; `ways`, how far a gradient goes, of units 5 and 6.
"""
