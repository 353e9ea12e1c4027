"""What the unit's exercises share: the ids of the five pieces that are no text."""

PAD, UNK, CLS, SEP, MASK = range(5)
