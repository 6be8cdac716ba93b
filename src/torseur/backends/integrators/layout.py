"""What an integrator remembers: one record of numbers, counts and addresses of arrays.

n is the number of components of the state y, m that of the event functions g.
"""

import numpy as np

STAGES = 16  # rows of stages: the twelve of the method, the derivative at its end, three for output
TERMS = 7  # rows of the polynomial between two steps
SCANNED = 4  # pieces of a step at whose ends the event functions are looked at

_NUMBERS = (
    "t",  # now
    "h",  # the step to try next
    "end",  # when the run ends
    "rtol",
    "max_step",
    "closed",  # square of the gap of a closed loop
    "stop",  # fraction of the step at which a terminal event ends the run
)
_COUNTS = (
    "n",
    "m",
    "budget",  # steps to try before the next pause
    "samples",
    "filled",  # samples written
    "part",  # steps made since the last sample, by a method of fixed step
    "capacity",  # rows for events
    "recorded",  # rows written
    "started",
    "watched",  # whether the event functions have been looked at
    "trouble",  # code of what was wrong with the last step tried; PAUSED when it was accepted
    "accepted",
    "rejected",
    "evaluations",  # of the derivative
)
# A function is the address of its entry, 0 when there is none, and that of its table:
# [constants, y, t, output]. The integrator writes the addresses of y and of the output there.
_FUNCTIONS = ("rate", "closing", "calming", "events")
# Other kernels, called by address; 0 when nothing needs them.
_KERNELS = ("project", "watch")
_ARRAYS = (
    "times",  # (samples,): when y is wanted
    "states",  # (samples, n): y then
    "atol",  # (n,)
    "y",  # (n,): now
    "f",  # (n,): its derivative
    "arrival",  # (n,): y at the end of the step tried, as the method gives it
    "next_y",  # (n,): the same, projected
    "next_f",  # (n,): its derivative
    "inside",  # (n,): y inside a step
    "stages",  # (STAGES, n)
    "polynomial",  # (TERMS, n)
    "room",  # (n + 1,): what the projection and the error estimate work in
    "g",  # (m,): event functions at a point
    "g_before",  # (m,): at the point before
    "g_after",  # (m,): at the point after
    "side",  # (m,): sign of the last value that was not zero
    "root",  # (m,): where each function changes sign in a piece of a step
    "direction",  # (m,): −1 falling, +1 rising, 0 both
    "terminal",  # (m,): 1 when the run ends there
    "records",  # (capacity, 2 + n): time, index, y of each event
)

RUN = np.dtype(
    [(name, np.float64) for name in _NUMBERS]
    + [(name, np.int64) for name in _COUNTS]
    + [(name + end, np.int64) for name in _FUNCTIONS for end in ("", "_table")]
    + [(name, np.int64) for name in (*_KERNELS, *_ARRAYS)],
    align=True,
)
