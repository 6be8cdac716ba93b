"""Rows that were chosen to count: what their pivots must be, and whether they still are.

A choice holds as long as every row that counts keeps a pivot of the size that it was chosen for,
at which the first rate of each step looks, and as long as the other rows hold with them, of which
their speeds tell at the end of each step.
"""

from math import inf

from torseur.machine.absolute import places as at
from torseur.machine.absolute.kernels.blocks import SIZE
from torseur.machine.runtime.vectors import address, inlined

LIGHT = 1e-10  # of what a body had: a pivot that is rounding
FASTER = 100.0  # times the speed of rows that count: that of one which they do not hold
SOFT = 100.0  # times the least pivot of a row: one that has lost half its weight


@inlined
def set_least(model, row, had):
    """model.least ← parts of what a body or a row had; their softness."""
    choice, least = model.choice, model.least
    chosen = address(model.chosen, SIZE * row)
    part, softness, follows = LIGHT, 0.0, False
    if row >= 0:
        part, softness = at.RANK, SOFT
        if model.task == at.CHOOSE:
            part, softness = choice[at.TRIED], 0.0
        elif model.task != at.CLOSE:  # rows on speeds ask for nothing: not they, if others can
            follows = choice[at.FOLLOWS] == 1.0
    for i in range(SIZE):
        least[i] = inf if follows and chosen[i] != 1.0 else part * had[i]
    return softness


@inlined
def is_looked_at(model):
    """Whether the pivots of this factorisation tell how good the choice still is."""
    looks = model.task == at.RATE and model.choice[at.LOOKS] == 1.0
    if looks:
        model.choice[at.LOOKS] = 0.0
    return looks


@inlined
def look(model, row, had):
    """The choice is stale if a row that counts has too small a pivot."""
    choice, pivot = model.choice, model.pivot
    chosen = address(model.chosen, SIZE * row)
    for i in range(SIZE):
        if chosen[i] == 1.0 and abs(pivot[i]) < choice[at.LEVEL] * had[i]:
            choice[at.STALE] = 1.0


@inlined
def listen(model):
    """The choice is stale if other rows open much faster than those that count."""
    choice, chosen = model.choice, model.chosen
    right, fineness = model.right, model.fineness
    counting, others = 0.0, 0.0
    for k in range(SIZE * model.rows):
        speed = abs(fineness[k] * right[k])
        if chosen[k] == 1.0:
            counting = max(counting, speed)
        else:
            others = max(others, speed)
    if choice[at.FOLLOWS] == 1.0 and others > FASTER * counting:
        choice[at.STALE] = 1.0
