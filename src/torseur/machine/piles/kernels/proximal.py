"""Impulses of a large island by proximal points, each by Newton's method on the graph of bodies.

Loads that are not unique, in a pile that is held by more contacts than it needs, stay near those of
before. A step of Newton's method leaves of each contact ΔP = −f − K Δu, with which
(M + Σ Jᵀ K J) Δv = −Σ Jᵀ f is solved for the speeds of bodies: six numbers each, in blocks that
only bodies which touch have.
"""

from torseur.machine.impulses.kernels.alart_curnier import newton, proximal_points
from torseur.machine.piles import places as at
from torseur.machine.piles.kernels.access import body_row, member_row, motion_row
from torseur.machine.piles.kernels.bodies import in_ground
from torseur.machine.piles.kernels.cone import mean_response, off_law, wish
from torseur.machine.piles.kernels.contacts import speed
from torseur.machine.piles.kernels.factors import (
    BLOCK,
    SIDE,
    block,
    factorise_blocks,
    nodes_of,
    order_bodies,
    solve_blocks,
)
from torseur.machine.piles.kernels.newton import push_all, read_impulses
from torseur.machine.piles.kernels.relaxing import accelerated, residual_of
from torseur.machine.runtime.long_vectors import copy, square_root
from torseur.machine.runtime.vectors import (
    address,
    apart,
    dot,
    inlined,
    matrix,
    symmetric,
    vector,
)

SOFT, HARDEST, SOFTEST = 1e-3, 1e-9, 1.0  # ε: at first, and its ends
POINTS = 40
STEPS = 12  # of Newton's method for one of them
QUICK = 6  # the same: so few that the next may be harder
PART = 0.01  # of the residual: what an inner problem is solved to
SWEEPS = 100  # after a failure


@apart
def proximal(run, start, stop, close):
    """The residual of an island after as many proximal points as it takes, or all."""
    residual = residual_of(run, start, stop)
    if residual <= close or not order_bodies(run, start, stop):
        return residual
    until, softness = (residual, close, POINTS), (SOFT, HARDEST, SOFTEST, True)
    return proximal_points(run, (start, 3 * (stop - start)), until, softness, _point)


@apart
def _point(run, rows, soft, residual, close):
    """One of them: harder after few steps; after a failure, sweeps if it made things worse."""
    start, stop, before = rows[0], rows[0] + rows[1] // 3, run.newtons
    goal_of_point = max(PART * residual, 0.1 * close)
    read_impulses(run, start, stop)
    copy(rows[1], run.impulse, run.anchor)
    run.soft = soft
    error = newton(run, rows, (goal_of_point, STEPS, 0), _total_error, _direction)
    run.soft = 0.0
    after = residual_of(run, start, stop)
    if error <= goal_of_point:
        return (1 if run.newtons - before <= QUICK else 0), after
    if after >= residual:
        push_all(run, start, stop, run.anchor)  # back to the impulses of before
        after = accelerated(run, start, stop, SWEEPS, close)
    return -1, after


# --- equations -----------------------------------------------------------------------------------


@inlined
def _wish(run, row, k):
    """z of a contact, the k-th of those that are solved."""
    return wish(row, speed(run, row), run.soft, vector(run.anchor, 3 * k))


@apart
def _total_error(run, rows):
    """unknown ← P less what z makes of it; the root of the sum of squares of all, as speeds.

    Contacts get the impulses at hand first.
    """
    start, stop, total = rows[0], rows[0] + rows[1] // 3, 0.0
    push_all(run, start, stop, run.impulse)
    for k in range(start, stop):
        row, error = member_row(run, k), address(run.unknown, 3 * (k - start))
        off = off_law(row, _wish(run, row, k - start))
        error[0], error[1], error[2] = off
        total += mean_response(row) * mean_response(row) * dot(off, off)
    return square_root(total)


# --- a step of Newton's method -------------------------------------------------------------------


@apart
def _direction(run, rows):
    """Whether the system is regular; unknown ← the change of impulses."""
    start, count = rows[0], rows[1] // 3
    run.newtons += 1
    _write_inertia(run)
    for k in range(count):
        row = member_row(run, start + k)
        part = address(run.local, LOCAL * k)
        _linearise(run, row, k, part)
        _assemble(run, row, part)
    if not factorise_blocks(run):
        return False
    solve_blocks(run, run.given)
    for k in range(count):
        row = member_row(run, start + k)
        _write_change(run, row, k)
    return True


@apart
def _write_inertia(run):
    """block ← M, given ← 0."""
    blocks, x = run.block, run.given
    for i in range(BLOCK * run.blocks):
        blocks[i] = 0.0
    for i in range(run.nodes):
        body, row = body_row(run, run.owner[i]), motion_row(run, run.owner[i])
        M = block(run, i, i)
        xx, xy, xz, yy, yz, zz = in_ground(matrix(row, at.ATTITUDE), symmetric(body, at.INERTIA))
        for k in range(3):
            M[(SIDE + 1) * k] = body[at.MASS]
        M[21], M[22], M[23] = xx, xy, xz
        M[27], M[28], M[29] = xy, yy, yz
        M[33], M[34], M[35] = xz, yz, zz
        for k in range(SIDE):
            x[SIDE * i + k] = 0.0


F, K, LOCAL = 0, 3, 12  # what a contact has in `local`: f, then K by rows


@apart
def _linearise(run, row, k, into):
    """into ← f and K of a contact: open, sticking, or sliding along e with the disc of friction."""
    soft, d, mu = run.soft, mean_response(row), row[at.FRICTION]
    z, off = _wish(run, row, k), vector(run.unknown, 3 * k)
    for i in range(LOCAL):
        into[i] = 0.0
    is_held = row[at.HELD] != 0.0
    if z[0] <= 0.0 and not is_held:
        into[F], into[F + 1], into[F + 2] = off
        return
    stiff = 1.0 / (soft * d)
    into[F], into[K] = off[0] / soft, stiff
    across = square_root(z[1] * z[1] + z[2] * z[2])
    if is_held or across <= mu * z[0]:
        into[F + 1], into[F + 2] = off[1] / soft, off[2] / soft
        into[K + 4], into[K + 8] = stiff, stiff
        return
    x, y, bend = z[1] / across, z[2] / across, mu * z[0] / across
    turning = 1.0 / (1.0 - (1.0 - soft) * bend)
    along, aside = x * off[1] + y * off[2], turning * (x * off[2] - y * off[1])
    pressed = along + (1.0 - soft) * mu * into[F]
    into[F + 1], into[F + 2] = x * pressed - y * aside, y * pressed + x * aside
    normal, turn = mu * (1.0 / d + (1.0 - soft) * stiff), bend * turning / d
    into[K + 3], into[K + 4], into[K + 5] = normal * x, turn * y * y, -turn * x * y
    into[K + 6], into[K + 7], into[K + 8] = normal * y, -turn * x * y, turn * x * x


@inlined
def _entry(row, arm, i, c):
    """Component c of row i of J: along an axis, then about its arm."""
    return row[at.AXES + 3 * i + c] if c < 3 else row[arm + 3 * i + c - 3]


@apart
def _assemble(run, row, part):
    """block ← with Jᵀ K J of a contact, given ← with −Jᵀ f."""
    a, b = nodes_of(run, row)
    for one in range(2):
        i, arm, sign = (a, at.ARM_A, 1.0) if one == 0 else (b, at.ARM_B, -1.0)
        if i >= 0:
            x = address(run.given, SIDE * i)
            for c in range(SIDE):
                for r in range(3):
                    x[c] -= sign * _entry(row, arm, r, c) * part[F + r]
            if a >= 0:
                _add(row, part, block(run, i, a), (arm, at.ARM_A), sign)
            if b >= 0:
                _add(row, part, block(run, i, b), (arm, at.ARM_B), -sign)


@inlined
def _add(row, part, into, arms, sign):
    """into ← into + sign Jᵀ K J, of two bodies."""
    for c in range(SIDE):
        for s in range(3):
            left = 0.0
            for r in range(3):
                left += _entry(row, arms[0], r, c) * part[K + 3 * r + s]
            left *= sign
            for m in range(SIDE):
                into[SIDE * c + m] += left * _entry(row, arms[1], s, m)


@apart
def _write_change(run, row, k):
    """unknown ← −f − K Δu of a contact."""
    part, into = address(run.local, LOCAL * k), address(run.unknown, 3 * k)
    a, b = nodes_of(run, row)
    for r in range(3):
        into[r] = -part[F + r]
    for s in range(3):
        change = 0.0
        for c in range(SIDE):
            if a >= 0:
                change += _entry(row, at.ARM_A, s, c) * run.given[SIDE * a + c]
            if b >= 0:
                change -= _entry(row, at.ARM_B, s, c) * run.given[SIDE * b + c]
        for r in range(3):
            into[r] -= part[K + 3 * r + s] * change
