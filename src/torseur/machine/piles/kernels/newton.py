"""All impulses of an island at once, by Newton's method: its equations, and their derivative.

Where a small island slides and its impulses are not unique, the smallest are taken.
"""

from torseur.machine.integrators.kernels.alart_curnier import (
    BOLD,
    PROXIMAL,
    STEPS,
    newton,
    share_of_disc,
    sliding_entry,
    solved,
)
from torseur.machine.integrators.kernels.smallest import GIVES, is_unique, smallest
from torseur.machine.piles import places as at
from torseur.machine.piles.kernels.access import member_row
from torseur.machine.piles.kernels.contacts import push, response, speed
from torseur.machine.runtime.long_vectors import copy, square_root
from torseur.machine.runtime.vectors import address, apart, inlined, keep, minus, vector


@inlined
def mean_response(row):
    """A third of the trace of the response of a contact."""
    return (row[at.D] + row[at.D + 3] + row[at.D + 5]) / 3.0


@apart
def solve_at_once(run, start, stop, close):
    """Impulses of the contacts from start to stop, until the equations hold to a speed."""
    read_impulses(run, start, stop)
    _write_compliance(run, start, stop)
    rows, until = (start, 3 * (stop - start)), (close, STEPS, BOLD)
    newton(run, rows, until, _worst_error, _direction)


@apart
def _write_compliance(run, start, stop):
    """compliance ← the speed at every contact by a unit impulse at every other."""
    n = 3 * (stop - start)
    for k in range(start, stop):
        for m in range(start, stop):
            block = address(run.compliance, 3 * (n * (m - start) + k - start))
            _write_pair(member_row(run, k), member_row(run, m), n, block)


# --- impulses that are not unique ----------------------------------------------------------------


@apart
def share_sliding(run, start, stop, close):
    """Impulses of contacts of which some slide ← the smallest, if that can be; else as they are."""
    n, slides = 3 * (stop - start), False
    for k in range(start, stop):
        slides = slides or _slides(run, member_row(run, k), k - start)
    if not slides:
        return
    _write_compliance(run, start, stop)
    if is_unique(run, n, run.compliance, n, run.gram):
        return
    read_impulses(run, start, stop)
    before, rows, until = run.changed, (start, n), (close, STEPS, BOLD)
    copy(n, run.impulse, before)
    for i in range(n):
        run.anchor[i] = 0.0
    run.soft = GIVES
    newton(run, rows, until, _worst_error, _direction)
    run.soft = 0.0
    if smallest(run, rows, close, _laws, _write_weights) > close:
        copy(n, before, run.impulse)
        _worst_error(run, rows)


@apart
def _slides(run, row, k):
    """Whether a contact slides."""
    z = goal(run, row, k)
    across = square_root(z[1] * z[1] + z[2] * z[2])
    return row[at.HELD] == 0.0 and z[0] > 0.0 and across > row[at.FRICTION] * z[0]


@apart
def _laws(run, rows):
    """The residual; unknown ← what is not zero, tangent ← how that changes with impulses."""
    error = _worst_error(run, rows)
    _write_tangent(run, rows, 0.0)
    return error


@apart
def _write_weights(run, rows, level):
    """weight ← 1 for what holds: of contacts at first, then of joints."""
    for i in range(0, rows[1], 3):
        row, own = member_row(run, rows[0] + i // 3), address(run.weight, i)
        held = row[at.HELD] != 0.0
        own[0] = 1.0 if held == (level == 1) else 0.0
        own[1] = 0.0 if _slides(run, row, i // 3) else own[0]
        own[2] = own[1]


@apart
def read_impulses(run, start, stop):
    """impulse ← of the contacts from start to stop."""
    for k in range(start, stop):
        keep(run.impulse, 3 * (k - start), vector(member_row(run, k), at.IMPULSE))


# --- equations -----------------------------------------------------------------------------------


@inlined
def goal(run, row, k):
    """z of a contact, the k-th of those that are solved; `soft` adds to its response."""
    d, u, P = mean_response(row), speed(run, row), vector(row, at.IMPULSE)
    a = vector(run.anchor, 3 * k)
    return (
        P[0] - (u[0] - row[at.BOUND]) / d - run.soft * (P[0] - a[0]),
        P[1] - u[1] / d - run.soft * (P[1] - a[1]),
        P[2] - u[2] / d - run.soft * (P[2] - a[2]),
    )


@apart
def _worst_error(run, rows):
    """The largest error of any contact [m/s]."""
    return _write_errors(run, rows)[0]


@apart
def total_error(run, rows):
    """The root of the sum of their squares, which halved steps make smaller."""
    return _write_errors(run, rows)[1]


@apart
def _write_errors(run, rows):
    """unknown ← P less what z makes of it; the largest, and the total, times the response [m/s].

    Contacts get the impulses at hand first.
    """
    start, stop, worst, total = rows[0], rows[0] + rows[1] // 3, 0.0, 0.0
    for k in range(start, stop):
        row = member_row(run, k)
        wanted = vector(run.impulse, 3 * (k - start))
        push(run, row, minus(wanted, vector(row, at.IMPULSE)))
    for k in range(start, stop):
        row, own = member_row(run, k), address(run.unknown, 3 * (k - start))
        z = goal(run, row, k - start)
        held = row[at.HELD] != 0.0
        load = z[0] if held else max(z[0], 0.0)
        across = square_root(z[1] * z[1] + z[2] * z[2])
        share = 1.0 if held else share_of_disc(across, row[at.FRICTION] * load)
        own[0] = row[at.IMPULSE] - load
        own[1] = row[at.IMPULSE + 1] - share * z[1]
        own[2] = row[at.IMPULSE + 2] - share * z[2]
        d = mean_response(row)
        size = d * d * (own[0] * own[0] + own[1] * own[1] + own[2] * own[2])
        worst, total = max(worst, size), total + size
    return square_root(worst), square_root(total)


@inlined
def _write_pair(row, other, n, block):
    """One block: through each body that both have, with its sign."""
    for j in range(3):
        for i in range(3):
            total = 0.0
            if row[at.FIRST] == other[at.FIRST]:
                total += response(row, i, other, j, True)
            if row[at.SECOND] == other[at.SECOND]:
                total += response(row, i, other, j, False)
            if row[at.FIRST] == other[at.SECOND]:
                total -= _crossed(row, i, other, j, True)
            if row[at.SECOND] == other[at.FIRST]:
                total -= _crossed(row, i, other, j, False)
            block[n * j + i] = total


@inlined
def _crossed(row, i, other, j, of_first):
    """The response through a body that is the first of one contact and the second of the other."""
    light = row[at.LIGHT_A] if of_first else row[at.LIGHT_B]
    arm, turn = (at.ARM_A, at.TURN_B) if of_first else (at.ARM_B, at.TURN_A)
    x, y = address(row, at.AXES + 3 * i), address(other, at.AXES + 3 * j)
    r, s = address(row, arm + 3 * i), address(other, turn + 3 * j)
    direct = x[0] * y[0] + x[1] * y[1] + x[2] * y[2]
    return light * direct + r[0] * s[0] + r[1] * s[1] + r[2] * s[2]


@apart
def _direction(run, rows):
    """Whether the system is regular; unknown ← the change of impulses."""
    run.newtons += 1
    _write_tangent(run, rows, max(PROXIMAL, run.soft))
    return solved(run, rows[1])


@apart
def _write_tangent(run, rows, soft):
    """tangent ← the derivative of the equations by the impulses: ∂/∂P + ∂/∂u (W + ε)."""
    n, W, J = rows[1], run.compliance, run.tangent
    for i in range(0, n, 3):
        row = member_row(run, rows[0] + i // 3)
        d = mean_response(row)
        z = goal(run, row, i // 3)
        across = square_root(z[1] * z[1] + z[2] * z[2])
        radius = row[at.FRICTION] * z[0]
        held = row[at.HELD] != 0.0
        slides = not held and z[0] > 0.0 and across > radius
        x, y = (z[1] / across, z[2] / across) if slides else (0.0, 0.0)
        bend = radius / across if slides else 0.0
        for c in range(n):
            column, own = address(J, n * c + i), address(W, n * c + i)
            s = c - i  # of its own impulses: 0, 1, 2
            u, v, w = own[0] / d, own[1] / d, own[2] / d
            near = soft if 0 <= s < 3 else 0.0
            u, v, w = u + near * (s == 0), v + near * (s == 1), w + near * (s == 2)
            p, q, r = 1.0 * (s == 0), 1.0 * (s == 1), 1.0 * (s == 2)
            if z[0] <= 0.0 and not held:
                column[0], column[1], column[2] = p, q, r
            elif not slides:
                column[0], column[1], column[2] = u, v, w
            else:
                load, one, other = p - u, q - v, r - w
                along = x * one + y * other
                column[0] = u
                slope = row[at.FRICTION] * load
                column[1] = sliding_entry((q, x), one, along, slope, bend)
                column[2] = sliding_entry((r, y), other, along, slope, bend)
