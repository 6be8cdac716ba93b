"""Penetrations taken back: the smallest displacement in the mass metric that opens all gaps."""

from torseur.machine.absolute.body_tables import SPIN, VELOCITY
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
from torseur.machine.piles.kernels.islands import part_islands, root_of
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
    whole,
)

SWEEPS = 50
NOTHING = (0.0, 0.0, 0.0)


@apart
def push_apart(run):
    """Bodies moved out of each other; what this gives to the weight is taken from their speeds.

    Islands pay for themselves: what rolls over others lifts them though they rest.
    """
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
    part_islands(run)
    _sum_energies(run)
    for b in range(1, run.bodies + 1):
        displace(run, b)
        row = motion_row(run, b)
        if whole(row[at.ROOT]) == b:
            extra_of(run)[at.WORK] += row[at.LIFTED]
    _slow_down(run)


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
        way = speed_along(row, 0, first_of(run, row), second_of(run, row), at.V, at.W)
        left = row[at.GAP] + way
        change = max(-left / row[at.D], -row[at.IMPULSE])
        if change != 0.0:
            push(run, row, (change, 0.0, 0.0))
        deepest = max(deepest, -left)
    return deepest


@apart
def _sum_energies(run):
    """LIFTED, KINETIC ← of the root of each island: given to the weight, and had by its bodies."""
    g = run.gx, run.gy, run.gz
    for b in range(1, run.bodies + 1):
        row = motion_row(run, b)
        row[at.LIFTED], row[at.KINETIC] = 0.0, 0.0
    for b in range(1, run.bodies + 1):
        body, state, root = body_row(run, b), state_row(run, b), motion_row(run, root_of(run, b))
        v, w = vector(state, VELOCITY), vector(state, SPIN)
        turning = dot(w, applied(symmetric(body, at.INERTIA), w))
        root[at.LIFTED] -= body[at.MASS] * dot(g, vector(motion_row(run, b), at.V))
        root[at.KINETIC] += 0.5 * (body[at.MASS] * dot(v, v) + turning)


@apart
def _slow_down(run):
    """The speeds of islands, less the energy that was given to their weight, if they have it."""
    for b in range(1, run.bodies + 1):
        root, state = motion_row(run, root_of(run, b)), state_row(run, b)
        lifted, kinetic = root[at.LIFTED], root[at.KINETIC]
        if 0.0 < lifted < kinetic:
            share = square_root(1.0 - lifted / kinetic)
            keep(state, VELOCITY, times(share, vector(state, VELOCITY)))
            keep(state, SPIN, times(share, vector(state, SPIN)))
            if root_of(run, b) == b:
                extra_of(run)[at.WORK] -= lifted
