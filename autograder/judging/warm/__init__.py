"""The warm worker: limits go in, and with each of them comes a fork in its jail, ready for one submission.

Read on in this order: `zygote` (imports once, then forks), `keeper` (watches one fork from outside), `worker` (the
grader's end of both).
"""

__all__ = ["keeper", "worker", "zygote"]
