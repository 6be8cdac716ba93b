"""What joints hold: points of one body in axes of another, beside the contacts of a step."""

from torseur.machine.piles import places as at
from torseur.machine.piles.kernels.access import contact_row, motion_row
from torseur.machine.piles.kernels.bodies import mapped
from torseur.machine.runtime.vectors import (
    address,
    apart,
    dot,
    inlined,
    keep,
    matrix,
    minus,
    plus,
    vector,
    whole,
)


@inlined
def _tie(run, k):
    return address(run.tie, at.TIE_WIDTH * k)


@apart
def add_tie(run, k):
    """A point that a joint holds, among the contacts, if there is room."""
    if run.contacts >= run.capacity:
        run.full = 1
        return
    own, row = _tie(run, k), contact_row(run, run.contacts)
    a = motion_row(run, whole(own[at.TIE_FIRST]))
    b = motion_row(run, whole(own[at.TIE_SECOND]))
    R, S = matrix(a, at.ATTITUDE), matrix(b, at.ATTITUDE)
    point = plus(vector(a, at.CENTRE), mapped(R, vector(own, at.TIE_POINT)))
    base = plus(vector(b, at.CENTRE), mapped(S, vector(own, at.TIE_BASE)))
    row[at.FIRST], row[at.SECOND] = own[at.TIE_FIRST], own[at.TIE_SECOND]
    row[at.FEATURE], row[at.HELD] = -1.0 - k, own[at.TIE_COUNT]
    row[at.FRICTION], row[at.RESTITUTION], row[at.GAP], row[at.SLIP] = 0.0, 0.0, 0.0, 0.0
    keep(row, at.POINT, point)
    for i in range(3):
        axis = mapped(S, vector(own, at.TIE_AXES + 3 * i))
        keep(row, at.AXES + 3 * i, axis)
        row[at.MISS + i] = dot(axis, minus(point, base))
    run.contacts += 1


@apart
def joined(run, a, b):
    """Whether a joint holds two bodies: those do not meet."""
    for k in range(run.ties):
        own = _tie(run, k)
        one, other = whole(own[at.TIE_FIRST]), whole(own[at.TIE_SECOND])
        if (one == a and other == b) or (one == b and other == a):
            return True
    return False
