"""The little course's unit after its teacher has thought again: one exercise is gone, another is new."""

from little_course import UNIT

NEW = """
```{code-cell} ipython3
:tags: [exercise]

def doubled(eyes):
    ### BEGIN SOLUTION
    return 2 * eyes
    ### END SOLUTION
```

```{code-cell} ipython3
---
tags: [check]
nbgrader: {schema_version: 3, grade_id: doubled-check, points: 1, grade: true, locked: true, solution: false}
---
1.0 * (doubled(2) == 4)
```
"""


def edit(assignment, change):
    source = assignment.course.solutions / f"{UNIT}.md"
    source.write_text(change(source.read_text(encoding="utf-8")), encoding="utf-8")


def changed(text: str) -> str:
    """`throw_sum` is gone, `doubled` is new."""
    head, _, rest = text.partition("## The sum of two dice")
    _, _, tail = rest.partition("## The surprise of a throw")
    return f"{head}## The double\n{NEW}\n## The surprise of a throw{tail}"
