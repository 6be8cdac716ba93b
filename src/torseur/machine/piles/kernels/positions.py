"""Penetrations taken back: the smallest displacement in the mass metric that opens all gaps."""

from torseur.machine.absolute.places import SPIN, VELOCITY
from torseur.machine.piles import places as at
from torseur.machine.piles.kernels.access import (
    body_row,
    contact_row,
    extra_of,
    first_of,
    motion_row,
    second_of,
    state_row,
)
from torseur.machine.piles.kernels.bodies import displace
from torseur.machine.piles.kernels.cone import held_impulse
from torseur.machine.piles.kernels.contacts import push, respond, speed, speed_along
from torseur.machine.runtime.long_vectors import square_root
from torseur.machine.runtime.vectors import (
    apart,
    applied,
    dot,
    keep,
    plus,
    symmetric,
    times,
    vector,
)

SWEEPS = 50
NOTHING = (0.0, 0.0, 0.0)


@apart
def push_apart(run):
    """Bodies moved out of each other; what this gives to the weight is taken from their speeds."""
    for b in range(run.bodies + 1):
        keep(motion_row(run, b), at.V, NOTHING)
        keep(motion_row(run, b), at.W, NOTHING)
    for c in range(run.contacts):
        row = contact_row(run, c)
        respond(run, row)
        keep(row, at.IMPULSE, NOTHING)
    for _ in range(SWEEPS):
        if _opened(run) <= 0.1 * run.grain:
            break
    lifted = 0.0
    g = run.gx, run.gy, run.gz
    for b in range(1, run.bodies + 1):
        lifted -= body_row(run, b)[at.MASS] * dot(g, vector(motion_row(run, b), at.V))
        displace(run, b)
    extra_of(run)[at.WORK] += lifted
    if lifted > 0.0:
        _slow_down(run, lifted)


@apart
def _opened(run):
    """One sweep over all gaps, gap + J Δ ≥ 0, and what joints hold; the worst that was met."""
    deepest = 0.0
    for c in range(run.contacts):
        row = contact_row(run, c)
        if row[at.HELD] != 0.0:
            left = plus(vector(row, at.MISS), speed(run, row))
            push(run, row, held_impulse(row, left))
            deepest = max(deepest, square_root(dot(left, left)))
            continue
        moved = speed_along(row, 0, first_of(run, row), second_of(run, row), at.V, at.W)
        left = row[at.GAP] + moved
        change = max(-left / row[at.D], -row[at.IMPULSE])
        if change != 0.0:
            push(run, row, (change, 0.0, 0.0))
        deepest = max(deepest, -left)
    return deepest


@apart
def _slow_down(run, energy):
    """The speeds of the bodies that were moved, less an energy, if they have as much."""
    kinetic = 0.0
    for b in range(1, run.bodies + 1):
        if _was_moved(run, b):
            own, state = body_row(run, b), state_row(run, b)
            v, w = vector(state, VELOCITY), vector(state, SPIN)
            turning = dot(w, applied(symmetric(own, at.INERTIA), w))
            kinetic += 0.5 * (own[at.MASS] * dot(v, v) + turning)
    if kinetic <= energy:
        return
    share = square_root(1.0 - energy / kinetic)
    for b in range(1, run.bodies + 1):
        if _was_moved(run, b):
            state = state_row(run, b)
            keep(state, VELOCITY, times(share, vector(state, VELOCITY)))
            keep(state, SPIN, times(share, vector(state, SPIN)))
    extra_of(run)[at.WORK] -= energy


@apart
def _was_moved(run, b):
    row = motion_row(run, b)
    v, w = vector(row, at.V), vector(row, at.W)
    return dot(v, v) + dot(w, w) > 0.0
