"""What the experiments of unit 2, the Elman RNN, need.

`relatives`: the window with a sigmoid, and Jordan's net.
`sick_trainings`: two trainings with a fault each, to be found from their curves.
The recall task, which unit 3 takes up again, and the drawings, of which unit 4 needs some, stand one folder up.
"""
