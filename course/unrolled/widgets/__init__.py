"""Pictures one can touch: each widget is a folder with its Python, its JavaScript and its style.

In go plain numbers and texts, as arrays, lists or tensors; out comes a widget that a notebook draws, that the book
draws without a kernel, and that also says in words and in a table what it shows.

In a widget's folder read `widget.py` (what Python sends), then view.js (what the reader sees and touches), with the
numbers and words that it imports beside it, and style.css. What they share stands here: `arrays` (numbers of any
kind), `tokens` (a row of words), `traits` (what may be set), `tables` (the table beside the view), `modules` (one
script from several), and elements.js, figures.js, chips.js and shared.css; of those that show attention heads
`head_sets`, `heads`, heads.js, matrix.js and matrix.css.
"""
