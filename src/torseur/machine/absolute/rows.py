"""The rows of joints: Jacobians on the speeds of bodies, and what the rows ask for."""

from math import cos, sin

from torseur.machine.absolute import places as at
from torseur.machine.absolute.access import TEXT, angle
from torseur.machine.absolute.blocks import AREA, SIZE, clear
from torseur.machine.absolute.measures import body_here, end
from torseur.machine.runtime.access import numbers, wholes
from torseur.machine.runtime.vectors import (
    address,
    apart,
    dot,
    inlined,
    into,
    matrix,
    minus,
    out,
    vector,
    whole,
)

coincidence, distance, in_plane, orthogonality, speed, threaded, turning = (
    TEXT[name]
    for name in (
        "coincidence",
        "distance",
        "in_plane",
        "orthogonality",
        "speed",
        "threaded",
        "turning",
    )
)


@apart
def clear_rows(model):
    """No rows yet; nor anything else in the matrix, if they are to be written into it."""
    if model.writes != 0:
        clear(numbers(model.matrix), model.blocks * AREA)
    clear(numbers(model.right), model.rows * SIZE)
    clear(numbers(model.drift), model.rows * SIZE)


@inlined
def entries(model, slot):
    """The block of J of a body in a set of rows, and the strides of its rows and columns.

    A block has columns of what goes first, a body or rows.
    """
    own = address(wholes(model.slot), at.SLOT_WIDTH * slot)
    block = address(numbers(model.matrix), AREA * own[at.SLOT_BLOCK])
    if own[at.SLOT_UPRIGHT] != 0:
        return block, SIZE, 1
    return block, 1, SIZE


@apart
def write_joint_rows(model, task):
    """The rows of every joint; see `asked`."""
    node, parts = wholes(model.node), numbers(model.part)
    for k in range(model.rows):
        own = address(node, at.NODE_WIDTH * k)
        for n in range(own[at.FIRST_PART], own[at.LAST_PART]):
            _write_part(model, k, own, address(parts, at.PART_WIDTH * n), task)


@inlined
def asked(task, value, rate, bias):
    """What a row is to change: its second rate, its value or its rate."""
    if task == at.CLOSE:
        return -value
    if task == at.CALM:
        return -rate
    return -bias


@apart
def _write_part(model, k, own, part, task):
    """The rows of one elementary constraint."""
    first, second = body_here(model, own[at.FIRST_BODY]), body_here(model, own[at.SECOND_BODY])
    R_i, R_j, i, j = matrix(first, at.R), matrix(second, at.R), end(first), end(second)
    kind, r = whole(part[at.KIND]), whole(part[at.ROW])
    p_i, p_j = out(R_i, vector(part, at.P_I)), out(R_j, vector(part, at.P_J))
    u_i, u_j = out(R_i, vector(part, at.U_I)), out(R_j, vector(part, at.U_J))
    if kind == at.COINCIDENT:
        x, y, z = coincidence(i, p_i, j, p_j)
        _write(model, k, own, r, task, x)
        _write(model, k, own, r + 1, task, y)
        _write(model, k, own, r + 2, task, z)
    elif kind == at.APART:
        row = distance(part[at.LENGTH], part[at.SCALE], i, p_i, j, p_j)
        _write(model, k, own, r, task, row)
    elif kind == at.ORTHOGONAL:
        _write(model, k, own, r, task, orthogonality(i, u_i, j, u_j))
    elif kind == at.IN_PLANE:
        _write(model, k, own, r, task, in_plane(0.0, i, u_i, p_i, j, p_j))
    else:
        slide = in_plane(0.0, i, u_i, p_i, j, p_j)
        row = threaded(part[at.LENGTH], slide, turning(i, j, u_i, i[2]))
        b, c = out(R_i, vector(part, at.B_I)), out(R_i, vector(part, at.C_I))
        ahead = _ahead(part[at.LENGTH], part[at.SCALE] * slide[0], dot(c, u_j), dot(b, u_j))
        _write(model, k, own, r, task, (ahead, row[1], row[2], row[3], row[4]))


@inlined
def _ahead(lead, turned, sine, cosine):
    """The distance that the angle of a thread does not explain, which is known within one pitch."""
    s, c = sin(turned), cos(turned)
    return lead * angle(cosine * s - sine * c, cosine * c + sine * s)


@apart
def _write(model, k, own, r, task, row):
    """One row of a joint."""
    first, second = body_here(model, own[at.FIRST_BODY]), body_here(model, own[at.SECOND_BODY])
    value, n, a_i, a_j, bias = row
    rate = speed(row, end(first), end(second))
    numbers(model.right)[SIZE * k + r] = asked(task, value, rate, bias)
    add(model, own[at.FIRST_SLOT], r, first, minus((0.0, 0.0, 0.0), n), a_i)
    add(model, own[at.SECOND_SLOT], r, second, n, a_j)


@inlined
def add(model, slot, r, here, n, a):
    """A force n and a couple a, in ground axes, to row r of the Jacobian of a body."""
    if slot >= 0 and model.writes != 0:
        block, row, column = entries(model, slot)
        _gather(address(block, row * r), column, n)
        _gather(address(block, row * r + 3 * column), column, into(matrix(here, at.R), a))


@inlined
def _gather(numbers, stride, a):
    """A vector to numbers that are a stride apart."""
    numbers[0] += a[0]
    numbers[stride] += a[1]
    numbers[2 * stride] += a[2]
