"""Rows of memory for the recursions: where bodies stand, and what their joints let move.

A joint is its elementary freedoms in order. One that turns about and slides along z in proportion
to its one coordinate is axial; the columns of S of the others are kept, a row a speed. The same
text is compiled for axial joints, where most numbers are known to be zero, and for all others.
"""

from types import ModuleType
from typing import Any

from torseur.dynamics.recursions import row_places as at
from torseur.machine.runtime import vectors
from torseur.machine.runtime.long_vectors import sine_and_cosine
from torseur.machine.runtime.machine_text import finite, finite_apart, machine_text
from torseur.machine.runtime.vectors import address, keep, keep_matrix, matrix, vector, whole
from torseur.machine.tree.strips import receive
from torseur.spatial import triples

NOTHING = (0.0, 0.0, 0.0)
IDENTITY = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
_BITS, _MASK = at.FREEDOM_BITS, (1 << at.FREEDOM_BITS) - 1

_TEXT = machine_text(triples, decorate=finite)
plus, minus, times, cross = (_TEXT[name] for name in ("plus", "minus", "times", "cross"))
mapped, mapped_back, product, transposed, attitude = (
    _TEXT[name] for name in ("mapped", "mapped_back", "product", "transposed", "attitude")
)


# --- rows ---------------------------------------------------------------------------------------


@finite
def bodies(model):
    return whole(model[at.BODIES])


@finite
def carrier_of(body):
    return whole(body[at.PARENT])


@finite
def is_carried(body):
    return body[at.PARENT] > 0.0


@finite
def rows(model, work, i, width):
    body = address(model, i * at.MODEL_WIDTH)
    return body, address(work, i * width), address(work, carrier_of(body) * width)


@finite
def rotation(row):
    return matrix(row, at.R)


@finite
def keep_rotation(row, R):
    keep_matrix(row, at.R, R)


@finite
def unturned():
    return IDENTITY


@finite
def motion_of(motions, k):
    return address(motions, k * at.MOTION_WIDTH)


@finite
def speed_before(column):
    return whole(column[at.BEFORE])


@finite
def reciprocal(body, d):
    return 1.0 / d


# --- every joint --------------------------------------------------------------------------------


@finite
def is_axial(body):
    return body[at.FREEDOMS] < 0.0


@finite
def first_speed(body):
    return whole(body[at.FIRST_V])


def _either(axial: Any, general: Any) -> Any:
    """A step on a body, by the kind of its joint."""

    def step(body, *others):
        if is_axial(body):
            return axial(body, *others)
        return general(body, *others)

    return finite(step)


# --- axial joints -------------------------------------------------------------------------------


@finite
def _place_axial(body, place, columns, q):
    coordinate = q[whole(body[at.FIRST_Q])]
    angle, slide = body[at.TURN] * coordinate, body[at.SLIDE] * coordinate
    s, c = sine_and_cosine(angle)
    for k in range(3):
        x, y, z = vector(body, at.ROTATION + 3 * k)
        keep(place, at.R + 3 * k, (c * x + s * y, c * y - s * x, z))
        place[at.P + k] = body[at.POSITION + k] + slide * z


@finite
def axial_speeds(body):
    first = first_speed(body)
    return first, first + 1


@finite
def axial_outward(body):
    return first_speed(body), 1, 1


@finite
def axial_first_of_ball(body):
    return axial_speeds(body)[1]


@finite
def axial_column(body, columns, k):
    return (0.0, 0.0, body[at.TURN]), (0.0, 0.0, body[at.SLIDE])


@finite
def axial_bias(body, columns, q, v):
    return NOTHING, NOTHING


@finite
def axial_solved(body, place, columns, k):
    return address(place, at.SOLVED)


# --- joints whose columns of S are kept ---------------------------------------------------------


@finite
def kept_speeds(body):
    first = first_speed(body)
    return first, first + whole(body[at.COUNT])


@finite
def kept_outward(body):
    first, end = kept_speeds(body)
    if body[at.REVERSED] != 0.0:
        return end - 1, end - first, -1
    return first, end - first, 1


@finite
def kept_first_of_ball(body):
    end = kept_speeds(body)[1]
    return end - 3 if whole(body[at.FREEDOMS]) & _MASK == at.BALL else end


@finite
def solved(body, place, columns, k):
    return address(columns, k * at.COLUMN_WIDTH)


@finite
def kept_column(body, columns, k):
    column = address(columns, k * at.COLUMN_WIDTH)
    return vector(column, at.ANGULAR), vector(column, at.LINEAR)


@finite
def _axis(k):
    return 1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0


@finite
def _write(columns, k, axis, lead, turns, R, p):
    """The column of a freedom about and along an axis, seen from M, at (R, p) beyond it."""
    e = _axis(axis)
    w = times(turns, e)
    column = address(columns, k * at.COLUMN_WIDTH)
    keep(column, at.ANGULAR, mapped_back(R, w))
    keep(column, at.LINEAR, mapped_back(R, plus(times(lead, e), cross(w, p))))


@finite
def _turn_about(axis, angle, R):
    """R turned about a coordinate axis."""
    s, c = sine_and_cosine(angle)
    if axis == 0:
        return product((1.0, 0.0, 0.0, 0.0, c, -s, 0.0, s, c), R)
    if axis == 1:
        return product((c, 0.0, s, 0.0, 1.0, 0.0, -s, 0.0, c), R)
    return product((c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0), R)


@finite_apart
def _place_kept(body, place, columns, q):
    """From the last freedom to the first: the column of each, then the pose of M before it."""
    left, R, p = whole(body[at.FREEDOMS]), IDENTITY, NOTHING
    k, j, helix = kept_speeds(body)[1] - 1, whole(body[at.LAST_Q]), 0
    while left != 0:
        code = left & _MASK
        left >>= _BITS
        if code == at.BALL:
            for axis in range(2, -1, -1):
                _write(columns, k, axis, 0.0, 1.0, R, p)
                k -= 1
            Q = attitude(2.0, q[j - 3], q[j - 2], q[j - 1], q[j])
            R, p = product(Q, R), mapped(Q, p)
            j -= 4
        else:
            kind, axis = (code - 1) // 3, (code - 1) % 3
            lead, turns = 1.0 if kind == at.SLIDES else 0.0, 0.0 if kind == at.SLIDES else 1.0
            if kind == at.WINDS:
                lead = body[at.LEAD + helix]
                helix += 1
            _write(columns, k, axis, lead, turns, R, p)
            if kind != at.SLIDES:
                T = _turn_about(axis, q[j], IDENTITY)
                R, p = product(T, R), mapped(T, p)
            p = plus(p, times(lead * q[j], _axis(axis)))
            k -= 1
            j -= 1
    if body[at.REVERSED] != 0.0:
        _reverse(body, columns, R, p)
        p = times(-1.0, mapped_back(R, p))
        R = transposed(R)
    R_PF = matrix(body, at.ROTATION)
    keep_matrix(place, at.R, product(R_PF, R))
    keep(place, at.P, plus(vector(body, at.POSITION), mapped(R_PF, p)))


@finite
def _reverse(body, columns, R, p):
    """The columns of F relative to M, at the origin and in the axes of F."""
    first, end = kept_speeds(body)
    for k in range(first, end):
        S = address(columns, k * at.COLUMN_WIDTH)
        w, V = mapped(R, vector(S, at.ANGULAR)), mapped(R, vector(S, at.LINEAR))
        keep(S, at.ANGULAR, times(-1.0, w))
        keep(S, at.LINEAR, times(-1.0, plus(V, cross(p, w))))


@finite_apart
def bias(body, columns, q, v):
    """Ṡ v: each freedom turns and is displaced with those that follow it on the way to the body.

    Σ S v × the twist of what follows; the three columns of a ball are one freedom.
    """
    first, end = kept_speeds(body)
    left, backwards = whole(body[at.FREEDOMS]), body[at.REVERSED] != 0.0
    w_after, v_after, turning, sliding = NOTHING, NOTHING, NOTHING, NOTHING
    k = end
    if backwards:  # the first freedom is the last one met: the sum over those that come before
        for n in range(first, end):
            w, V = kept_column(body, columns, n)
            w_after, v_after = plus(w_after, times(v[n], w)), plus(v_after, times(v[n], V))
    while left != 0:
        count = 3 if left & _MASK == at.BALL else 1
        left >>= _BITS
        w_J, v_J = NOTHING, NOTHING
        for n in range(k - count, k):
            w, V = kept_column(body, columns, n)
            w_J, v_J = plus(w_J, times(v[n], w)), plus(v_J, times(v[n], V))
        k -= count
        if backwards:
            w_after, v_after = minus(w_after, w_J), minus(v_after, v_J)
        turning = plus(turning, cross(w_J, w_after))
        sliding = plus(sliding, plus(cross(v_J, w_after), cross(w_J, v_after)))
        if not backwards:
            w_after, v_after = plus(w_after, w_J), plus(v_after, v_J)
    return turning, sliding


# --- the text on these rows ---------------------------------------------------------------------

_ROWS: dict[str, Any] = {
    **{name: getattr(vectors, name) for name in vectors.OF_ROWS},
    "bodies": bodies,
    "carrier_of": carrier_of,
    "is_carried": is_carried,
    "rows": rows,
    "rotation": rotation,
    "keep_rotation": keep_rotation,
    "unturned": unturned,
    "motion_of": motion_of,
    "speed_before": speed_before,
    "whole": whole,
    "reciprocal": reciprocal,
    "first_speed": first_speed,
    "place": _either(_place_axial, _place_kept),
    "out": mapped,
    "into": mapped_back,
    "composed": product,
    "multiplied": product,
    "turned": _TEXT["on_both_sides"],
    "turned_symmetric": _TEXT["symmetric_on_both_sides"],
}
_AXIAL = {
    "speeds": axial_speeds,
    "outward": axial_outward,
    "first_of_ball": axial_first_of_ball,
    "column": axial_column,
    "bias": axial_bias,
    "solved": axial_solved,
}
_KEPT = {
    "speeds": kept_speeds,
    "outward": kept_outward,
    "first_of_ball": kept_first_of_ball,
    "column": kept_column,
    "bias": bias,
    "solved": solved,
}
_EVERY = {name: _either(axial, _KEPT[name]) for name, axial in _AXIAL.items()}
_EVERY["receive"] = receive


def compiled_recursions(
    *modules: ModuleType, steps: tuple[str, ...], called: tuple[str, ...] = ()
) -> dict[str, Any]:
    """The functions of modules on rows of memory; `steps` are compiled for each kind of joint.

    Those that are `called` are not copied to where they are used.
    """
    texts = (triples, *modules)
    axial = machine_text(*texts, given=_ROWS | _AXIAL, decorate=finite)
    general = machine_text(*texts, given=_ROWS | _KEPT, decorate=finite, apart=steps)
    either = {name: _either(axial[name], general[name]) for name in steps}
    return machine_text(*texts, given=_ROWS | _EVERY | either, decorate=finite, apart=called)
