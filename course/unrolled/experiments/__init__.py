"""What experiments of single units need and no lesson teaches: tasks to train on, faults to find, a look inside.

In goes a net, a text or a distance; out come numbers to draw. What one unit's experiments need stands in a folder of
its name, `elman_rnn`, `lstm`, `tagging` or `seq2seq`. What two units share stands here: `recall`, a task for memory
alone, of units 2 and 3; `drawings`, a net unrolled and the kinds of its use, of units 2 and 4; `storing`, rows of
results, and `checkpoints`, trainings that go on where they stopped, of units 4 and 5.
"""
