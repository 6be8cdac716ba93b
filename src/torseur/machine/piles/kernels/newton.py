"""Newton's method on all impulses of an island at once (Alart and Curnier 1991).

With z = P − u/d, d the response of a contact: P_N = max(z_N, 0), and P_T = z_T brought into the
disc of radius μ max(z_N, 0). Where impulses are not unique the system is singular; a small
response is added to each contact (the proximal point of the impulses at hand), which changes the
way and not the end.
"""

from torseur.machine.integrators.kernels.elimination import factorise, solve
from torseur.machine.piles import places as at
from torseur.machine.piles.kernels.access import contact_row
from torseur.machine.piles.kernels.contacts import push, response, speed
from torseur.machine.runtime.access import numbers, wholes
from torseur.machine.runtime.long_vectors import square_root
from torseur.machine.runtime.vectors import address, apart, inlined, keep, minus, vector

PROXIMAL = 1e-10  # of the response of a contact: what is added to it
ITERATIONS = 30
BOLD = 15  # of them are whole steps
HALVINGS = 8
LARGEST = 1e300


@inlined
def mean_response(row):
    """A third of the trace of the response of a contact."""
    return (row[at.D] + row[at.D + 3] + row[at.D + 5]) / 3.0


@inlined
def _member(run, k):
    return contact_row(run, wholes(run.member)[k])


@apart
def newton(run, start, stop, close):
    """Impulses of the contacts from start to stop, until the equations hold to a speed.

    Whole steps, which may go uphill while it is found out what sticks and slides; then steps that
    are halved until they lead downhill. The best impulses met are kept.
    """
    x = numbers(run.unknown)
    _write_compliance(run, start, stop)
    error = _equations(run, start, stop, x)
    _keep(run, start, stop)
    best = error
    for k in range(ITERATIONS):
        if best <= close or not _solved(run, start, stop):
            break
        run.newtons += 1
        if k == BOLD and error > best:
            _restore(run, start, stop)
            error = _equations(run, start, stop, x)
            continue
        before, error = error, _tried(run, start, stop, LARGEST if k < BOLD else error)
        if error < best:
            _keep(run, start, stop)
            best = error
        elif k > BOLD and not error < before:
            break
    if error > best:
        _restore(run, start, stop)


@apart
def _solved(run, start, stop):
    """Whether the system is regular; unknown ← the change of impulses, from what is not zero."""
    n, J, x = 3 * (stop - start), numbers(run.tangent), numbers(run.unknown)
    _write_tangent(run, start, stop, numbers(run.compliance), J)
    for k in range(n):
        x[k] = -x[k]
    if not factorise(n, J, numbers(run.exchanges), numbers(run.room)):
        return False
    solve(n, J, numbers(run.exchanges), x)
    return True


@apart
def _tried(run, start, stop, before):
    """The error after a change of impulses, halved until it falls or is small."""
    x, tried, share = numbers(run.unknown), numbers(run.tried), 1.0
    for k in range(3 * (stop - start)):
        tried[k] = x[k]
    _change(run, start, stop, tried, 1.0)
    after = _equations(run, start, stop, x)
    for _ in range(HALVINGS):
        if after < before:
            return after
        share *= 0.5
        _change(run, start, stop, tried, -share)
        after = _equations(run, start, stop, x)
    return after


@apart
def _keep(run, start, stop):
    """The impulses at hand, to come back to."""
    for k in range(start, stop):
        keep(numbers(run.kept), 3 * (k - start), vector(_member(run, k), at.IMPULSE))


@apart
def _restore(run, start, stop):
    """Back to the impulses kept."""
    for k in range(start, stop):
        row = _member(run, k)
        kept = vector(numbers(run.kept), 3 * (k - start))
        push(run, row, minus(kept, vector(row, at.IMPULSE)))


@apart
def _change(run, start, stop, x, share):
    for k in range(start, stop):
        own = address(x, 3 * (k - start))
        push(run, _member(run, k), (share * own[0], share * own[1], share * own[2]))


# --- equations -----------------------------------------------------------------------------------


@inlined
def _goal(row, u):
    """z of a contact."""
    d = mean_response(row)
    return (
        row[at.IMPULSE] - (u[0] - row[at.BOUND]) / d,
        row[at.IMPULSE + 1] - u[1] / d,
        row[at.IMPULSE + 2] - u[2] / d,
    )


@apart
def _equations(run, start, stop, into):
    """into ← P less what z makes of it; the largest of them, times the response [m/s]."""
    worst = 0.0
    for k in range(start, stop):
        row, own = _member(run, k), address(into, 3 * (k - start))
        z = _goal(row, speed(run, row))
        load = max(z[0], 0.0)
        across = square_root(z[1] * z[1] + z[2] * z[2])
        radius = row[at.FRICTION] * load
        share = 1.0 if across <= radius else radius / across
        own[0] = row[at.IMPULSE] - load
        own[1] = row[at.IMPULSE + 1] - share * z[1]
        own[2] = row[at.IMPULSE + 2] - share * z[2]
        size = own[0] * own[0] + own[1] * own[1] + own[2] * own[2]
        worst = max(worst, mean_response(row) * square_root(size))
    return worst


@apart
def _write_compliance(run, start, stop):
    """W: the speed at every contact by a unit impulse at every other; by columns."""
    n, W = 3 * (stop - start), numbers(run.compliance)
    for k in range(start, stop):
        for m in range(start, stop):
            _write_pair(
                _member(run, k), _member(run, m), n, address(W, 3 * (n * (m - start) + k - start))
            )


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
def _write_tangent(run, start, stop, W, J):
    """J ← the derivative of the equations by the impulses: ∂/∂P + ∂/∂u (W + ε)."""
    n = 3 * (stop - start)
    for k in range(start, stop):
        row, i = _member(run, k), 3 * (k - start)
        d = mean_response(row)
        z = _goal(row, speed(run, row))
        across = square_root(z[1] * z[1] + z[2] * z[2])
        radius = row[at.FRICTION] * z[0]
        slides = z[0] > 0.0 and across > radius
        x, y = (z[1] / across, z[2] / across) if slides else (0.0, 0.0)
        bend = radius / across if slides else 0.0
        for c in range(n):
            column, own = address(J, n * c + i), address(W, n * c + i)
            s = c - i  # of its own impulses: 0, 1, 2
            u, v, w = own[0] / d, own[1] / d, own[2] / d
            near = PROXIMAL if 0 <= s < 3 else 0.0
            u, v, w = u + near * (s == 0), v + near * (s == 1), w + near * (s == 2)
            p, q, r = 1.0 * (s == 0), 1.0 * (s == 1), 1.0 * (s == 2)
            if z[0] <= 0.0:
                column[0], column[1], column[2] = p, q, r
            elif not slides:
                column[0], column[1], column[2] = u, v, w
            else:  # with e = (x, y): P_T − μ z_N e, and e turns as z_T does
                load, one, other = p - u, q - v, r - w
                along = x * one + y * other
                column[0] = u
                column[1] = q - row[at.FRICTION] * x * load - bend * (one - x * along)
                column[2] = r - row[at.FRICTION] * y * load - bend * (other - y * along)
