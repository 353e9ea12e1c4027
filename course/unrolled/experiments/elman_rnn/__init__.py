"""What the experiments of unit 2, the Elman RNN, need.

`drawings`: the net folded and unrolled with its numbers, and the kinds of its use.
`relatives`: the window with a sigmoid, and Jordan's net.
`sick_trainings`: two trainings with a fault each, to be found from their curves.
The recall task, which unit 3 takes up again, is `unrolled.experiments.recall`.
"""
