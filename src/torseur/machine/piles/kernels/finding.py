"""The contacts of a pile at a place: those of shapes, and points that joints hold."""

from torseur.machine.collision.kernels.access import length, mapped
from torseur.machine.collision.kernels.search import exchange, find_contacts, recall, remember
from torseur.machine.piles import places as at
from torseur.machine.piles.kernels.access import contact_row, motion_row
from torseur.machine.piles.kernels.bodies import fastest, place_bodies
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

REACHED = 2.0  # of the way that the fastest body makes in a step: within it bodies may meet


@apart
def search(run, h):
    """The deepest penetration of the contacts at the present place, which have their impulses."""
    weight = length((run.gx, run.gy, run.gz))
    run.margin = run.grain + REACHED * h * (fastest(run) + h * weight)
    place_bodies(run)
    if run.solved != 0:
        exchange(run)
        run.solved = 0
    remember(run, run.bodies)
    run.contacts, run.full = 0, 0
    for k in range(run.ties):
        _add_tie(run, k)
    first = run.contacts
    find_contacts(run)
    deepest = 0.0
    for c in range(run.contacts):
        row = contact_row(run, c)
        if c >= first:
            row[at.SLIP], row[at.HELD] = 0.0, 0.0
        if run.full == 0:
            recall(run, row)
        off = length(vector(row, at.MISS)) if row[at.HELD] != 0.0 else -row[at.GAP]
        deepest = max(deepest, off)
    return deepest


# --- what joints hold: points of one body in axes of another --------------------------------------


@inlined
def _tie(run, k):
    return address(run.tie, at.TIE_WIDTH * k)


@apart
def _add_tie(run, k):
    """A point that a joint holds, among the contacts, if there is room."""
    if run.contacts >= run.capacity:
        run.full = 1
        return
    tie, row = _tie(run, k), contact_row(run, run.contacts)
    a = motion_row(run, whole(tie[at.TIE_FIRST]))
    b = motion_row(run, whole(tie[at.TIE_SECOND]))
    R, S = matrix(a, at.ATTITUDE), matrix(b, at.ATTITUDE)
    point = plus(vector(a, at.CENTRE), mapped(R, vector(tie, at.TIE_POINT)))
    base = plus(vector(b, at.CENTRE), mapped(S, vector(tie, at.TIE_BASE)))
    row[at.FIRST], row[at.SECOND] = tie[at.TIE_FIRST], tie[at.TIE_SECOND]
    row[at.FEATURE], row[at.HELD] = -1.0 - k, tie[at.TIE_COUNT]
    row[at.FRICTION], row[at.RESTITUTION], row[at.GAP], row[at.SLIP] = 0.0, 0.0, 0.0, 0.0
    keep(row, at.POINT, point)
    for i in range(3):
        axis = mapped(S, vector(tie, at.TIE_AXES + 3 * i))
        keep(row, at.AXES + 3 * i, axis)
        row[at.MISS + i] = dot(axis, minus(point, base))
    run.contacts += 1
