"""Command line: one module per command or group; a command opens a transaction and calls a rule.

Exit codes, for scripts: 0 done · 1 failed, or a check found something · 2 wrong usage or settings · 3 not found ·
4 not allowed by the state of things · 70 a fault of ours · 75 something does not answer, try again later ·
130 interrupted.
"""

from intelli.cli.program import main

__all__ = ["main"]
