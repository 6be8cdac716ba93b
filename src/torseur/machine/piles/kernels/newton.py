"""All impulses of a small island at once: its cones and responses, for the solver of impulses.

Where such an island slides and its impulses are not unique, the smallest are taken.
"""

from torseur.machine.impulses import layout as solver
from torseur.machine.impulses.kernels.cones import cone_row, slides, write_equations, write_means
from torseur.machine.impulses.kernels.smallest import is_unique
from torseur.machine.impulses.kernels.solving import solve_by_newton, solve_chosen
from torseur.machine.piles import places as at
from torseur.machine.piles.kernels.access import member_row
from torseur.machine.piles.kernels.contacts import free_speed, push, response
from torseur.machine.runtime.long_vectors import copy
from torseur.machine.runtime.vectors import address, apart, inlined, keep, minus, vector, whole


@apart
def solve_at_once(run, start, stop, close):
    """Impulses of the contacts from start to stop, until the equations hold to a speed."""
    run.newtons += 1
    _write_problem(run, start, stop)
    solve_by_newton(run, 3 * (stop - start), close)
    push_all(run, start, stop, run.impulse)


@apart
def share_sliding(run, start, stop, close):
    """Impulses of contacts of which some slide ← the smallest, if that can be; else as they are."""
    n, some = 3 * (stop - start), False
    _write_problem(run, start, stop)
    write_equations(run, (0, n))
    for c in range(run.cones):
        cone = cone_row(run, c)
        pushes = cone[solver.COUNT] > 0.0 and run.impulse[whole(cone[solver.NORMAL])] > 0.0
        some = some or (pushes and slides(run, n, cone))
    if not some or is_unique(run, n):
        return
    copy(n, run.impulse, run.changed)
    if solve_chosen(run, n, close) > close:
        copy(n, run.changed, run.impulse)
    push_all(run, start, stop, run.impulse)


@apart
def read_impulses(run, start, stop):
    """impulse ← of the contacts from start to stop."""
    for k in range(start, stop):
        keep(run.impulse, 3 * (k - start), vector(member_row(run, k), at.IMPULSE))


@apart
def push_all(run, start, stop, impulses):
    """Contacts from start to stop get these impulses."""
    for k in range(start, stop):
        row = member_row(run, k)
        push(run, row, minus(vector(impulses, 3 * (k - start)), vector(row, at.IMPULSE)))


# --- the problem ---------------------------------------------------------------------------------


@apart
def _write_problem(run, start, stop):
    """Cones, responses, speeds without impulses and impulses ← of the contacts of an island."""
    run.cones = 0
    read_impulses(run, start, stop)
    for k in range(start, stop):
        row, i = member_row(run, k), 3 * (k - start)
        for m in range(start, stop):
            block = address(run.response, i * run.rows + 3 * (m - start))
            _write_pair(row, member_row(run, m), run.rows, block)
        keep(run.unpushed, i, free_speed(run, row))
        if row[at.HELD] == 0.0:
            _write_contact(run, row, i)
        else:
            for axis in range(3):
                _write_tie(run, i + axis)
    write_means(run)


@inlined
def _write_contact(run, row, i):
    """The cone of a contact, with its friction of two rows."""
    cone = cone_row(run, run.cones)
    run.cones += 1
    cone[solver.NORMAL], cone[solver.BOUND], cone[solver.FLOOR] = i, row[at.BOUND], 0.0
    cone[solver.COUNT], cone[solver.FIRST], cone[solver.SECOND] = 2.0, i + 1, i + 2
    cone[solver.GRIP], cone[solver.LOAD], cone[solver.FROM] = row[at.FRICTION], solver.OF_ROW, i
    cone[solver.LEVEL] = 0.0


@inlined
def _write_tie(run, i):
    """The cone of an axis that a joint holds; what it does not hold has no impulse."""
    cone, diagonal = cone_row(run, run.cones), address(run.response, i * run.rows + i)
    run.cones += 1
    cone[solver.NORMAL], cone[solver.BOUND], cone[solver.FLOOR] = i, 0.0, solver.HELD
    cone[solver.COUNT], cone[solver.LEVEL] = 0.0, 1.0
    if diagonal[0] == 0.0:
        diagonal[0] = 1.0


@inlined
def _write_pair(row, other, stride, block):
    """Speeds of one contact by impulses of another: through each body that both have."""
    for i in range(3):
        for j in range(3):
            total = 0.0
            if row[at.FIRST] == other[at.FIRST]:
                total += response(row, i, other, j, at.OF_FIRST)
            if row[at.SECOND] == other[at.SECOND]:
                total += response(row, i, other, j, at.OF_SECOND)
            if row[at.FIRST] == other[at.SECOND]:
                total -= response(row, i, other, j, (at.LIGHT_A, at.ARM_A, at.TURN_B))
            if row[at.SECOND] == other[at.FIRST]:
                total -= response(row, i, other, j, (at.LIGHT_B, at.ARM_B, at.TURN_A))
            block[stride * i + j] = total
