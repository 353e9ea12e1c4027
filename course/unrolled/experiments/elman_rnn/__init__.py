"""What the experiments of unit 2, the Elman RNN, need.

`sick_trainings`: two trainings with a fault each, to be found from their curves.
The recall task, which unit 3 takes up again, is `unrolled.experiments.recall`.
"""
