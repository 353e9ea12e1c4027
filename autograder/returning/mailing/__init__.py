"""`autograder mail`: each student's feedback page to that student's address, once.

Read on in this order: `settings` (class.toml's [mail]), `addresses` (which address mail can go to), `letters` (one
message), `sent` (the record of what went out, by the page's digest), `planning` (who gets what, and who does not and
why), `sending` (the talk with the server).
"""

from .planning import Plan, plan
from .sending import Stopped, send
from .settings import Settings, missing, password, settings

__all__ = ["Plan", "Settings", "Stopped", "missing", "password", "plan", "send", "settings"]
