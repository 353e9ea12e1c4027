"""What the checks of units compare answers with: small models, the library's nets, cases worked by hand.

In go a random number generator and sizes; out come inputs, and what a right answer makes of them.
`toys`: small models and tables, for the checks of units 1 and 2. `sampling`: texts drawn with them, for unit 2.
`recurrent`: the library's recurrent net and how numbers are drawn, for units 2 to 4. `gated`, then `gated_answers`
and `gated_cases`: LSTM and GRU, for unit 3. `batches`: sentences of unequal length, and the library's net in both
directions; `parts`: parts of a classifier that let pads leak, or do not; both for unit 4. `heads`, then `attending`,
`attention_cases` and `leaking`: attention, for unit 6. `told`: what a wrong value tells of the mistake behind it.
"""
