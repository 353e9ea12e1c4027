"""What the experiments of unit 3, LSTM gates, need.

`reach`: how far back a gradient reaches. `trace`: what every gate held along a text, and what changes without one.
`layers`: a drawing of a stacked net. `sick_loading`: a net in which two gates changed places. Read them in this order.
"""
