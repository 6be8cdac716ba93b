"""Contacts made ready for a step: arms, speeds by impulses, bounds, impulses of the step before."""

from torseur.machine.collision.kernels.tangents import tangents
from torseur.machine.piles import places as at
from torseur.machine.piles.kernels.access import body_row, contact_row, first_of, second_of
from torseur.machine.runtime.long_vectors import square_root
from torseur.machine.runtime.vectors import (
    address,
    apart,
    applied,
    cross,
    dot,
    inlined,
    keep,
    minus,
    plus,
    symmetric,
    times,
    vector,
    whole,
)

TINY = 1e-14  # of a speed by an impulse: one that couples nothing


@apart
def prepare(run, h):
    """Every contact: its frame and response, the least speed that its gap or its shock allows."""
    for c in range(run.contacts):
        row = contact_row(run, c)
        respond(run, row)
        _bound(run, row, h)
        keep(row, at.IMPULSE, (0.0, 0.0, 0.0))
        push(run, row, warm_impulse(row))


@inlined
def warm_impulse(row):
    """The impulse that a contact had in the step before, in its frame."""
    pushed = vector(row, at.PUSHED)
    normal = dot(pushed, vector(row, at.AXES))
    return (
        normal if row[at.HELD] != 0.0 else max(normal, 0.0),
        dot(pushed, vector(row, at.AXES + 3)),
        dot(pushed, vector(row, at.AXES + 6)),
    )


# --- responses -----------------------------------------------------------------------------------


@apart
def respond(run, row):
    """Arms and response of a contact, in a frame whose tangents do not couple but by the normal.

    What a joint holds has its own axes.
    """
    if row[at.HELD] != 0.0:
        _frame(run, row, (vector(row, at.AXES + 3), vector(row, at.AXES + 6)))
        return
    n = vector(row, at.AXES)
    t, b = tangents(n)
    _frame(run, row, (t, b))
    nn, n1, n2 = vector(row, at.D)
    xx, xy = row[at.D + 3] - n1 * n1 / nn, row[at.D + 4] - n1 * n2 / nn
    yy = row[at.D + 5] - n2 * n2 / nn
    if abs(xy) > TINY * (xx + yy):
        half = 0.5 * (xx - yy)
        far = square_root(half * half + xy * xy)
        x, y = (half + far, xy) if half >= 0.0 else (xy, far - half)
        s = 1.0 / square_root(x * x + y * y)
        x, y = s * x, s * y
        _frame(run, row, (plus(times(x, t), times(y, b)), minus(times(x, b), times(y, t))))


@apart
def _frame(run, row, across):
    """The rows of a contact for a choice of tangents, and its response."""
    a, b = first_of(run, row), second_of(run, row)
    r = minus(vector(row, at.POINT), vector(a, at.CENTRE))
    s = minus(vector(row, at.POINT), vector(b, at.CENTRE))
    keep(row, at.AXES + 3, across[0])
    keep(row, at.AXES + 6, across[1])
    A, B = symmetric(a, at.COMPLIANCE), symmetric(b, at.COMPLIANCE)
    for k in range(3):
        axis = vector(row, at.AXES + 3 * k)
        one, other = cross(r, axis), cross(s, axis)
        keep(row, at.ARM_A + 3 * k, one)
        keep(row, at.ARM_B + 3 * k, other)
        keep(row, at.TURN_A + 3 * k, applied(A, one))
        keep(row, at.TURN_B + 3 * k, applied(B, other))
    row[at.LIGHT_A] = body_row(run, whole(row[at.FIRST]))[at.INVERSE_MASS]
    row[at.LIGHT_B] = body_row(run, whole(row[at.SECOND]))[at.INVERSE_MASS]
    place = at.D
    for i in range(3):
        for j in range(i, 3):
            row[place] = response(row, i, row, j, at.OF_FIRST)
            row[place] += response(row, i, row, j, at.OF_SECOND)
            place += 1


@inlined
def response(row, i, other, j, body):
    """The speed along axis i of a contact by a unit impulse along axis j of another; one body.

    `body` says where both have it: columns of 1/m, of arms and of what turns.
    """
    light, arm, turn = body
    direct = row[light] * dot(vector(row, at.AXES + 3 * i), vector(other, at.AXES + 3 * j))
    return direct + dot(vector(row, arm + 3 * i), vector(other, turn + 3 * j))


# --- speeds --------------------------------------------------------------------------------------


@inlined
def speed_along(row, k, a, b, linear, turning):
    """The speed of the first body past the second along axis k, of two kinds of speeds."""
    dv = minus(vector(a, linear), vector(b, linear))
    spun = dot(vector(row, at.ARM_A + 3 * k), vector(a, turning))
    return dot(vector(row, at.AXES + 3 * k), dv) + (
        spun - dot(vector(row, at.ARM_B + 3 * k), vector(b, turning))
    )


@inlined
def _speeds_along(run, row, linear, turning):
    """Normal, then along both tangents."""
    a, b = first_of(run, row), second_of(run, row)
    return (
        speed_along(row, 0, a, b, linear, turning),
        speed_along(row, 1, a, b, linear, turning),
        speed_along(row, 2, a, b, linear, turning),
    )


@inlined
def speed(run, row):
    """The speed of a contact now: normal, then along both tangents."""
    return _speeds_along(run, row, at.V, at.W)


@inlined
def free_speed(run, row):
    """The speed of a contact if nothing touched."""
    return _speeds_along(run, row, at.V_FREE, at.W_FREE)


@inlined
def start_speed(run, row):
    """The speed of a contact at the start of the step."""
    return _speeds_along(run, row, at.V_START, at.W_START)


@inlined
def push(run, row, change):
    """One impulse changed: the speeds of both bodies follow."""
    keep(row, at.IMPULSE, plus(vector(row, at.IMPULSE), change))
    x = times(change[0], vector(row, at.AXES))
    x = plus(x, times(change[1], vector(row, at.AXES + 3)))
    x = plus(x, times(change[2], vector(row, at.AXES + 6)))
    _give(first_of(run, row), times(row[at.LIGHT_A], x), address(row, at.TURN_A), change)
    back = -change[0], -change[1], -change[2]
    _give(second_of(run, row), times(-row[at.LIGHT_B], x), address(row, at.TURN_B), back)


@inlined
def _give(body, dv, turn, change):
    keep(body, at.V, plus(vector(body, at.V), dv))
    w = plus(vector(body, at.W), times(change[0], vector(turn, 0)))
    w = plus(w, times(change[1], vector(turn, 3)))
    keep(body, at.W, plus(w, times(change[2], vector(turn, 6))))


# --- the law of the gap --------------------------------------------------------------------------


@inlined
def landing(run, row, h):
    """The normal speed by which a gap just closes at the end of a step; a grain is no gap."""
    return -row[at.GAP] / h if row[at.GAP] > run.grain else 0.0


@inlined
def _bound(run, row, h):
    """Landing; where a gap would be passed, Newton's law at the start and the rest of the step.

    −e u_N + (u_free − u)_N: with the second part, what forces do in the step gives no energy, and
    a rebound that they would end within the step is none.
    """
    row[at.BOUND] = landing(run, row, h)
    if row[at.HELD] != 0.0:
        return
    a, b = first_of(run, row), second_of(run, row)
    start = speed_along(row, 0, a, b, at.V_START, at.W_START)
    free = speed_along(row, 0, a, b, at.V_FREE, at.W_FREE)
    if start < 0.0 and free < row[at.BOUND]:
        shock = -row[at.RESTITUTION] * start + (free - start)
        row[at.BOUND] = max(row[at.BOUND], shock)
