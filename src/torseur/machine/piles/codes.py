"""Why the kernel of piles returned, beside the codes of integrators."""

from torseur.machine.integrators.codes import DONE, NOT_FINITE, PAUSED

OVERLAP = 101  # bodies are in each other at the start
FULL = 100  # more contacts were found than the tables hold

__all__ = ["DONE", "FULL", "NOT_FINITE", "OVERLAP", "PAUSED"]
