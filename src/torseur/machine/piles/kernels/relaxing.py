"""Contact after contact solved exactly, sweep after sweep, and what makes that quicker.

Block Gauss-Seidel (Moreau 1994, Jean 1999) alone converges slowly where loads pass through many
bodies. Large islands go on along conjugate directions: what a sweep changes is taken as a gradient
(Silcowitz, Niebe and Erleben 2010), and where that grows, they begin anew.
"""

from torseur.machine.piles import places as at
from torseur.machine.piles.kernels.access import member_row
from torseur.machine.piles.kernels.cone import natural_residual, solved_alone
from torseur.machine.piles.kernels.contacts import push, speed
from torseur.machine.runtime.vectors import address, apart, inlined, vector

LOOK = 6  # sweeps from one look at the residual to the next
SHORT, LONG = 20, 48  # the same along conjugate directions, which a look interrupts


@apart
def swept(run, start, stop, most, close):
    """The residual after as many sweeps as it takes, or the most."""
    residual = residual_of(run, start, stop)
    done = 0
    while residual > close and done < most:
        for _ in range(LOOK):
            for k in range(start, stop):
                _sweep(run, member_row(run, k))
        done += LOOK
        residual = residual_of(run, start, stop)
    run.sweeps += done
    return residual


@inlined
def _sweep(run, row):
    """One contact solved while all others stay."""
    u, P = speed(run, row), vector(row, at.IMPULSE)
    nn, n1, n2 = vector(row, at.D)
    xx, xy, yy = vector(row, at.D + 3)
    q = (
        u[0] - nn * P[0] - n1 * P[1] - n2 * P[2],
        u[1] - n1 * P[0] - xx * P[1] - xy * P[2],
        u[2] - n2 * P[0] - xy * P[1] - yy * P[2],
    )
    impulse = solved_alone(row, q)
    push(run, row, (impulse[0] - P[0], impulse[1] - P[1], impulse[2] - P[2]))


@apart
def residual_of(run, start, stop):
    """The largest natural residual of an island [m/s]."""
    worst = 0.0
    for k in range(start, stop):
        row = member_row(run, k)
        worst = max(worst, natural_residual(row, speed(run, row)))
    return worst


@apart
def accelerated(run, start, stop, most, close):
    """The residual after sweeps along conjugate directions, as many as it takes, or the most."""
    residual, before, done = residual_of(run, start, stop), 0.0, 0
    for k in range(3 * start, 3 * stop):  # no direction yet
        run.along[k] = 0.0
    while residual > close and done < most:
        stretch = SHORT if done < SHORT else LONG
        for _ in range(stretch):
            before = _conjugate(run, start, stop, before)
        done += stretch + 1
        for k in range(start, stop):
            _sweep(run, member_row(run, k))
        residual = residual_of(run, start, stop)
    run.sweeps += done
    return residual


@apart
def _conjugate(run, start, stop, before):
    """Energy of the changes by a sweep; impulses then go on along the conjugate direction."""
    size = 0.0
    for k in range(start, stop):
        row, change = member_row(run, k), address(run.changed, 3 * k)
        P = vector(row, at.IMPULSE)
        _sweep(run, row)
        Q = vector(row, at.IMPULSE)
        change[0], change[1], change[2] = Q[0] - P[0], Q[1] - P[1], Q[2] - P[2]
        d = row[at.D] + row[at.D + 3] + row[at.D + 5]
        size += d * (change[0] * change[0] + change[1] * change[1] + change[2] * change[2])
    share = size / before if before > 0.0 else 0.0
    if share > 1.0:
        share = 0.0
    for k in range(start, stop):
        direction, change = address(run.along, 3 * k), address(run.changed, 3 * k)
        x, y, z = share * direction[0], share * direction[1], share * direction[2]
        if share > 0.0:
            push(run, member_row(run, k), (x, y, z))
        direction[0], direction[1], direction[2] = x + change[0], y + change[1], z + change[2]
    return size
