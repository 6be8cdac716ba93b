"""Bodies placed, moved freely, and moved to the end of a step."""

from torseur.machine.absolute.body_tables import POSITION, SPIN, STATE, VELOCITY
from torseur.machine.absolute.kernels.bodies import attitude, keep_attitude
from torseur.machine.collision.kernels.access import mapped, mapped_back, shape_row
from torseur.machine.collision.kernels.placing import place_shape
from torseur.machine.collision.places import OWNER
from torseur.machine.piles import places as at
from torseur.machine.piles.kernels.access import body_row, extra_of, motion_row, state_row
from torseur.machine.runtime.access import evaluate
from torseur.machine.runtime.long_vectors import square_root
from torseur.machine.runtime.machine_text import machine_text
from torseur.machine.runtime.vectors import (
    address,
    apart,
    applied,
    cross,
    dot,
    inlined,
    keep,
    keep_matrix,
    keep_symmetric,
    matrix,
    minus,
    plus,
    symmetric,
    times,
    vector,
    whole,
)
from torseur.spatial import triples

TURNS = 20  # most iterations for a free rotation
EXACT = 1e-15  # of a speed: a change that is rounding

_TEXT = machine_text(triples)
in_ground, rotation = _TEXT["symmetric_on_both_sides"], _TEXT["attitude"]


# --- places -------------------------------------------------------------------------------------


@apart
def place_bodies(run):
    """Attitude and inertia in ground axes of every body, then the places of shapes."""
    for b in range(1, run.bodies + 1):
        body, row, state = body_row(run, b), motion_row(run, b), state_row(run, b)
        w, x, y, z = attitude(state)
        R = rotation(2.0 / (w * w + x * x + y * y + z * z), w, x, y, z)
        keep_matrix(row, at.ATTITUDE, R)
        keep_symmetric(row, at.COMPLIANCE, in_ground(R, symmetric(body, at.INVERSE_INERTIA)))
        keep(row, at.CENTRE, vector(state, POSITION))
    for s in range(run.shapes):
        row = motion_row(run, whole(shape_row(run, s)[OWNER]))
        place_shape(run, s, matrix(row, at.ATTITUDE), vector(row, at.CENTRE))


# --- free motion ---------------------------------------------------------------------------------


@apart
def read_loads(run):
    """Accelerations by what acts besides the weight, and its power; angles of joints follow."""
    if run.rate == 0:
        return
    rates, y = run.rates, run.y
    evaluate(run.rate, run.rate_table, run.t, y, rates)
    g = run.gx, run.gy, run.gz
    for b in range(1, run.bodies + 1):
        body, row, state = body_row(run, b), motion_row(run, b), state_row(run, b)
        rate, w = address(rates, STATE * (b - 1)), vector(state, SPIN)
        keep(row, at.PUSH, minus(times(body[at.INVERSE_MASS], vector(rate, VELOCITY)), g))
        turning = cross(applied(symmetric(body, at.INERTIA), w), w)
        couple = minus(vector(rate, SPIN), turning)
        keep(row, at.TORQUE, applied(symmetric(body, at.INVERSE_INERTIA), couple))
    for k in range(STATE * run.bodies, STATE * run.bodies + run.followers):
        y[k] = rates[k]
    run.power = rates[STATE * run.bodies + run.followers]


@apart
def fall(run, h):
    """The speeds of all bodies at the end of a step in which nothing touches."""
    g = run.gx, run.gy, run.gz
    for b in range(1, run.bodies + 1):
        row, state = motion_row(run, b), state_row(run, b)
        R = matrix(row, at.ATTITUDE)
        v, w = vector(state, VELOCITY), vector(state, SPIN)
        keep(row, at.V_START, v)
        keep(row, at.W_START, mapped(R, w))
        free = plus(v, times(h, plus(g, vector(row, at.PUSH))))
        spun = mapped(R, plus(w, times(h, vector(row, at.TORQUE))))
        keep(row, at.V_FREE, free)
        keep(row, at.W_FREE, spun)
        keep(row, at.V, free)
        keep(row, at.W, spun)
        row[at.TOUCHES] = 0.0


@apart
def _turned(body, w, h):
    """The angular velocity in body axes after a step of free rotation (Simo and Wong 1991).

    E(Θ) I ω′ = I ω with Θ = h (ω + ω′)/2 and E the rotation by Cayley's formula, which leaves Θ as
    it is: angular momentum is kept and, by the product with Θ, energy too.
    """
    if body[at.IS_ROUND] != 0.0:
        return w
    I, J = symmetric(body, at.INERTIA), symmetric(body, at.INVERSE_INERTIA)
    L, spin = applied(I, w), w
    size = dot(w, w)
    for _ in range(TURNS):
        half = times(0.25 * h, plus(w, spin))
        after = applied(J, _turned_back(half, L))
        change = minus(after, spin)
        spin = after
        if dot(change, change) <= EXACT * EXACT * size:
            break
    T, T_before = dot(spin, applied(I, spin)), dot(w, L)
    return times(square_root(T_before / T), spin) if T_before < T else spin


@inlined
def _turned_back(a, x):
    """x turned by the quaternion (1, −a), made of unit norm."""
    k = 2.0 / (1.0 + dot(a, a))
    b = cross(x, a)
    return plus(x, times(k, plus(b, cross(b, a))))


# --- the end of a step ---------------------------------------------------------------------------


@apart
def move(run, h):
    """All bodies to the end of the step: by their mean speed, or by the last one where they touch.

    They turn freely from the angular velocity that impulses leave. The work grows by what contacts
    took: the change of T and of the weight's energy, less the work of loads.
    """
    work = 0.0
    for b in range(1, run.bodies + 1):
        body, row, state = body_row(run, b), motion_row(run, b), state_row(run, b)
        R = matrix(row, at.ATTITUDE)
        v0, v = vector(row, at.V_START), vector(row, at.V)
        w0, w = mapped_back(R, vector(row, at.W_START)), mapped_back(R, vector(row, at.W))
        way = times(0.5 * h, plus(v0, v))
        if row[at.TOUCHES] != 0.0:
            work += _work_of_contacts(run, body, row, h, (v0, v, w0, w))
            way = times(h, v)
        after = _turned(body, w, h)
        _shift(state, way, times(0.25 * h, plus(w, after)))
        keep(state, VELOCITY, v)
        keep(state, SPIN, after)
    extra_of(run)[at.WORK] += work


@inlined
def _work_of_contacts(run, body, row, h, speeds):
    """Work of contacts on a body in a step, energy of its weight included."""
    v0, v, w0, w = speeds
    m, I, g = body[at.MASS], symmetric(body, at.INERTIA), (run.gx, run.gy, run.gz)
    dv, dw = minus(v, v0), minus(w, w0)
    mean, turning = times(0.5, plus(v0, v)), applied(I, times(0.5, plus(w0, w)))
    loads = m * dot(vector(row, at.PUSH), mean) + dot(vector(row, at.TORQUE), turning)
    return m * dot(dv, mean) + dot(dw, turning) - h * (m * dot(g, v) + loads)


@inlined
def _shift(state, d, a):
    """Moved by d and turned by the quaternion (1, a), made of unit norm."""
    if d[0] != 0.0 or d[1] != 0.0 or d[2] != 0.0:
        keep(state, POSITION, plus(vector(state, POSITION), d))
    if a[0] != 0.0 or a[1] != 0.0 or a[2] != 0.0:
        w, x, y, z = attitude(state)
        q = (
            w - x * a[0] - y * a[1] - z * a[2],
            x + w * a[0] + y * a[2] - z * a[1],
            y + w * a[1] - x * a[2] + z * a[0],
            z + w * a[2] + x * a[1] - y * a[0],
        )
        keep_attitude(state, q)


@apart
def displace(run, b):
    """Body b moved by what stands for its speeds: a small displacement and a small turn."""
    row, state = motion_row(run, b), state_row(run, b)
    R = matrix(row, at.ATTITUDE)
    _shift(state, vector(row, at.V), times(0.5, mapped_back(R, vector(row, at.W))))


@apart
def fastest(run):
    """The largest speed of any point of any body."""
    largest = 0.0
    for b in range(1, run.bodies + 1):
        body, state = body_row(run, b), state_row(run, b)
        v, w = vector(state, VELOCITY), vector(state, SPIN)
        largest = max(largest, square_root(dot(v, v)) + body[at.REACH] * square_root(dot(w, w)))
    return largest
