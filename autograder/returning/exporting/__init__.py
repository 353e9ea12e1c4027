"""`autograder marks`: marks as a learning platform takes them, or as a table of one's own.

Read on in this order: `standing` (what each student has in each unit), `template` (a platform's own file with its
marks filled in), `whose` (which row of it is whose), `own` (a table or JSON).
"""

from . import own, standing, template, whose

__all__ = ["own", "standing", "template", "whose"]
