"""What the experiments of unit 5, sequence to sequence, need.

In go the name of a language, sizes and seeds; out come pairs of sentences, trained nets, numbers to print and draw.
"""
