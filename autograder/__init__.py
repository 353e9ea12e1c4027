"""The instructor's side of Unrolled. Each room is a step of the way that a unit and its submissions take.

`releasing` (the students' notebook is made), `receiving` (what comes back is mended), `judging` (it is run and judged),
`recording` (marks are written down), `marking` (by hand, in the browser), `returning` (and given back); `verifying`
tests the checks themselves. `hidden` and `specimens` hold what belongs to one unit each. `cli` is the command line,
`commands` what stands in it, `grade` its longest way; `course`, `outcome`, `quiet` and `words` are what all rooms
share.
"""
