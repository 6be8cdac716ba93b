"""Joints that repeat each other share their loads: first couples are least, then forces.

Rows of closing joints that move nothing may carry any force, if other joints carry the opposite:
a self-stress. Two pivots of a door at a distance so carry its weight by forces across their axis,
as bearings do, and no couples. What friction and laws feel of joints is that of these loads.
"""

from torseur.machine.contact import layout as at
from torseur.machine.contact.kernels.acting import hold, scale_rows
from torseur.machine.contact.kernels.tree_factor import halve
from torseur.machine.runtime.long_vectors import copy, dot
from torseur.machine.runtime.vectors import address, apart, whole

COUPLES, FORCES = 1, 2  # in the order in which they are made small
ROUNDING = 1e-9  # of a self-stress: a part of it that is none


@apart
def share_joints(model):
    """load_0 and load_by ← with the self-stresses that make the loads of joints least."""
    for s in range(model.shared):
        _write_stress(model, s)
    done = 0
    for level in range(COUPLES, FORCES + 1):
        while done < model.shared and _choose(model, level, done):
            _take_from_others(model, done)
            _take_from_loads(model, done)
            done += 1


@apart
def _write_stress(model, s):
    """stress_z ← a force of one in a row that is shared, and those that hold against it."""
    n, rows, row = model.speeds, model.rows, whole(model.shared_row[s])
    z, J, count, moves = address(model.stress_z, s * rows), address(model.J, row * n), 0, False
    half = model.load_half
    copy(n, J, half)
    halve(model, model.every_speed, n, half)
    for i in range(rows):
        z[i] = 0.0
        if model.own[i] == 1.0 and model.role[i] == at.HELD:
            model.active[count] = i
            count += 1
            model.w[i] = dot(n, half, address(model.half, i * n))
    for k in range(n):
        moves = moves or J[k] != 0.0
    z[row], model.stress_of[s] = 1.0, 0.0
    if moves:
        scale_rows(model, count)
        hold(model, count, model.w)
        for k in range(count):
            z[whole(model.active[k])] = -model.found[k]
    for k in range(model.loads):
        by = address(model.load_z, k * rows)
        model.stress[s * model.loads + k] = dot(rows, by, z)


@apart
def _square(model, level, s):
    """The square of the couples, or of the forces, of a self-stress."""
    return _product(model, level, s, address(model.stress, s * model.loads), 1)


@apart
def _product(model, level, s, x, stride):
    """Scalar product of a self-stress and of loads, over couples or forces."""
    total = 0.0
    for k in range(model.loads):
        if model.carried[k] == level:
            arm = model.arm[k]
            total += arm * arm * model.stress[s * model.loads + k] * x[stride * k]
    return total


@apart
def _choose(model, level, done):
    """Whether a self-stress is left that has couples, or forces; it stands at the place."""
    best, size, rows, loads = -1, 0.0, model.rows, model.loads
    for s in range(done, model.shared):
        square = _square(model, level, s)
        whole_size = _square(model, COUPLES, s) + _square(model, FORCES, s)
        if square > size and square > ROUNDING * ROUNDING * whole_size:
            best, size = s, square
    if best < 0:
        return False
    one, other = address(model.stress, done * loads), address(model.stress, best * loads)
    for k in range(loads):
        one[k], other[k] = other[k], one[k]
    one, other = address(model.stress_z, done * rows), address(model.stress_z, best * rows)
    for i in range(rows):
        one[i], other[i] = other[i], one[i]
    model.stress_size[done], model.stress_of[done] = size, level
    return True


@apart
def _part(model, s, x, stride):
    """Component of loads along a self-stress."""
    return _product(model, whole(model.stress_of[s]), s, x, stride) / model.stress_size[s]


@apart
def _take_from_others(model, s):
    """The self-stresses that follow ← without what they have of one."""
    rows, loads = model.rows, model.loads
    source, source_z = address(model.stress, s * loads), address(model.stress_z, s * rows)
    for other in range(s + 1, model.shared):
        its, its_z = address(model.stress, other * loads), address(model.stress_z, other * rows)
        part = _part(model, s, its, 1)
        for k in range(loads):
            its[k] -= part * source[k]
        for i in range(rows):
            its_z[i] -= part * source_z[i]


@apart
def _take_from_loads(model, s):
    """load_0 and load_by ← without what they have of a self-stress."""
    rows, loads, source = model.rows, model.loads, address(model.stress, s * model.loads)
    part = _part(model, s, model.load_0, 1)
    for k in range(loads):
        model.load_0[k] -= part * source[k]
    for i in range(rows):
        if model.role[i] != at.OFF:
            column = address(model.load_by, i)
            part = _part(model, s, column, rows)
            for k in range(loads):
                column[rows * k] -= part * source[k]


@apart
def add_stresses(model, a):
    """z ← with the self-stresses of the loads at hand, by accelerations."""
    n, rows, now = model.speeds, model.rows, model.load_now
    if model.shared == 0:
        return
    for k in range(model.loads):
        by_a, by_z = address(model.load_a, k * n), address(model.load_z, k * rows)
        now[k] = model.load[k] + dot(n, by_a, a) + dot(rows, by_z, model.z)
    for s in range(model.shared):
        if model.stress_of[s] > 0.0:
            source, source_z = (
                address(model.stress, s * model.loads),
                address(model.stress_z, s * rows),
            )
            part = _part(model, s, now, 1)
            for k in range(model.loads):
                now[k] -= part * source[k]
            for i in range(rows):
                model.z[i] -= part * source_z[i]
