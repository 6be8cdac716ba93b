"""Weight, gyroscopic couples and energy of bodies, and the changes of their state."""

from torseur.machine.absolute import body_tables as at
from torseur.machine.runtime.long_vectors import square_root
from torseur.machine.runtime.vectors import (
    address,
    apart,
    applied,
    cross,
    dot,
    inlined,
    keep,
    symmetric,
    times,
    vector,
)


@inlined
def attitude(state):
    """The quaternion of a body."""
    return state[3], state[4], state[5], state[6]


@inlined
def spin_of(y, b):
    """The angular velocity of body b, from 1, in its own axes."""
    return vector(y, at.STATE * (b - 1) + at.SPIN)


@apart
def weigh_bodies(model, y):
    """The unknowns of bodies ← their weight, and −ω × I ω in body axes; extra forces."""
    body, unknown, extra = model.body, model.unknown, model.extra
    g = model.gx, model.gy, model.gz
    for b in range(1, model.bodies + 1):
        mass_data, into = address(body, at.BODY_WIDTH * b), address(unknown, 6 * (b - 1))
        w = spin_of(y, b)
        keep(into, 0, times(mass_data[at.MASS], g))
        keep(into, 3, cross(applied(symmetric(mass_data, at.INERTIA), w), w))
        for k in range(6):
            into[k] += extra[6 * (b - 1) + k]


@apart
def energies(model, y):
    """½ Σ m v² + ω · I ω (Koenig), and −Σ m g · r."""
    body, kinetic, weight = model.body, 0.0, 0.0
    g = model.gx, model.gy, model.gz
    for b in range(1, model.bodies + 1):
        mass_data, state = address(body, at.BODY_WIDTH * b), address(y, at.STATE * (b - 1))
        r, v, w = vector(state, at.POSITION), vector(state, at.VELOCITY), spin_of(y, b)
        mass, momentum = mass_data[at.MASS], applied(symmetric(mass_data, at.INERTIA), w)
        kinetic += mass * dot(v, v) + dot(w, momentum)
        weight -= mass * dot(g, r)
    return 0.5 * kinetic, weight


@inlined
def compose(q, x, y, z):
    """q ∘ (0, x, y, z)."""
    return (
        -q[1] * x - q[2] * y - q[3] * z,
        q[0] * x + q[2] * z - q[3] * y,
        q[0] * y - q[1] * z + q[3] * x,
        q[0] * z + q[1] * y - q[2] * x,
    )


@inlined
def keep_attitude(state, q):
    """The quaternion of a body ← q, made of unit norm."""
    scale = 1.0 / square_root(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    keep(state, at.ATTITUDE, (scale * q[0], scale * q[1], scale * q[2]))
    state[at.ATTITUDE + 3] = scale * q[3]


@apart
def write_rates(model, y, rate):
    """rate ← velocities, ½ q ∘ ω (erratum E0-26) and the accelerations found."""
    unknown = model.unknown
    for b in range(model.bodies):
        state, into = address(y, at.STATE * b), address(rate, at.STATE * b)
        acceleration, w = address(unknown, 6 * b), vector(state, at.SPIN)
        turned = compose(attitude(state), 0.5 * w[0], 0.5 * w[1], 0.5 * w[2])
        keep(into, at.POSITION, vector(state, at.VELOCITY))
        keep(into, at.ATTITUDE, (turned[0], turned[1], turned[2]))
        into[at.ATTITUDE + 3] = turned[3]
        keep(into, at.VELOCITY, vector(acceleration, 0))
        keep(into, at.SPIN, vector(acceleration, 3))


@apart
def move_bodies(model, y, into):
    """into ← y with its positions moved by the solution, attitudes by q ∘ (1, ½ Δ)."""
    unknown = model.unknown
    for b in range(model.bodies):
        state, target, first = address(y, at.STATE * b), address(into, at.STATE * b), 6 * b
        for k in range(3):
            target[k] = state[k] + unknown[first + k]
        q = attitude(state)
        change = compose(
            q, 0.5 * unknown[first + 3], 0.5 * unknown[first + 4], 0.5 * unknown[first + 5]
        )
        turned = q[0] + change[0], q[1] + change[1], q[2] + change[2], q[3] + change[3]
        keep_attitude(target, turned)
        for k in range(at.VELOCITY, at.STATE):
            target[k] = state[k]


@apart
def calm_bodies(model, y, into):
    """into ← y with its speeds changed by the solution, attitudes of unit norm."""
    unknown = model.unknown
    for b in range(model.bodies):
        state, calmed = address(y, at.STATE * b), address(into, at.STATE * b)
        keep(calmed, at.POSITION, vector(state, at.POSITION))
        keep_attitude(calmed, attitude(state))
        for k in range(6):
            calmed[at.VELOCITY + k] = state[at.VELOCITY + k] + unknown[6 * b + k]
