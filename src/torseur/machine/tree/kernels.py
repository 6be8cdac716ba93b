"""The kernels: one function of a compiled model for every row of a batch.

Each takes the number of rows, the model, room to work in, up to three inputs and the output. Arrays
are contiguous and row-major; an input that a function does not need is not looked at.
"""

from numba import types

from torseur.dynamics.recursions import (
    articulated_body,
    composite_body,
    energy,
    motion,
    newton_euler,
)
from torseur.dynamics.recursions import places as at
from torseur.machine.runtime.machine_text import finite
from torseur.machine.runtime.vectors import address, keep, times, vector, whole
from torseur.machine.tree.joints import compiled_recursions

_TEXT = compiled_recursions(
    motion,
    newton_euler,
    articulated_body,
    composite_body,
    energy,
    steps=("move", "project", "release", "accelerate", "enter", "carry_velocity"),
)
inverse_row, forward_row = _TEXT["find_forces"], _TEXT["find_accelerations"]
mass_row, kinetic_row = _TEXT["fill_mass_matrix"], _TEXT["find_kinetic_energy"]
potential_row = _TEXT["find_potential_energy"]
NUMBERS = types.CPointer(types.float64)
SIGNATURE = types.void(types.int64, *[NUMBERS] * 6)
NOTHING = (0.0, 0.0, 0.0)


@finite
def _sizes(model):
    return whole(model[at.BODIES]), whole(model[at.COORDINATES]), whole(model[at.SPEEDS])


@finite
def _room(model, work, width):
    """Where the columns of S are kept, after the rows of the bodies, and a zero for each speed."""
    n, _, nv = _sizes(model)
    columns = address(work, (n + 1) * width)
    still = address(columns, nv * at.COLUMN_WIDTH)
    for k in range(nv):
        still[k] = 0.0
    return columns, still


@finite
def _ground(work, acceleration):
    """The ground's row of the workspace: at rest, accelerated upward in place of gravity."""
    for k in range(at.INVERSE_WIDTH):
        work[k] = 0.0
    keep(work, at.ACC, acceleration)


def inverse_dynamics(count, model, work, q, v, a, Q):
    """Q = M a + h + g."""
    _, nq, nv = _sizes(model)
    columns, _ = _room(model, work, at.INVERSE_WIDTH)
    _ground(work, times(-1.0, vector(model, at.GRAVITY)))
    for k in range(count):
        q_k, v_k, a_k = address(q, k * nq), address(v, k * nv), address(a, k * nv)
        inverse_row(model, work, columns, q_k, v_k, a_k, address(Q, k * nv))


def forward_dynamics(count, model, work, q, v, Q, a):
    """a = M⁻¹ (Q − h − g)."""
    _, nq, nv = _sizes(model)
    columns, still = _room(model, work, at.FORWARD_WIDTH)
    _ground(work, times(-1.0, vector(model, at.GRAVITY)))
    for k in range(count):
        q_k, v_k, Q_k = address(q, k * nq), address(v, k * nv), address(Q, k * nv)
        forward_row(model, work, columns, q_k, v_k, Q_k, still, address(a, k * nv))


def bias(count, model, work, q, v, unused, h):
    """The velocity terms h."""
    _, nq, nv = _sizes(model)
    columns, still = _room(model, work, at.INVERSE_WIDTH)
    _ground(work, NOTHING)
    for k in range(count):
        q_k, v_k = address(q, k * nq), address(v, k * nv)
        inverse_row(model, work, columns, q_k, v_k, still, address(h, k * nv))


def gravity(count, model, work, q, unused, neither, g):
    """The gravity terms g."""
    _, nq, nv = _sizes(model)
    columns, still = _room(model, work, at.INVERSE_WIDTH)
    _ground(work, times(-1.0, vector(model, at.GRAVITY)))
    for k in range(count):
        q_k = address(q, k * nq)
        inverse_row(model, work, columns, q_k, still, still, address(g, k * nv))


def mass_matrix(count, model, work, q, unused, neither, M):
    """M, dense."""
    _, nq, nv = _sizes(model)
    columns, _ = _room(model, work, at.COMPOSITE_WIDTH)
    for k in range(count * nv * nv):
        M[k] = 0.0
    for k in range(count):
        mass_row(model, work, columns, address(q, k * nq), address(M, k * nv * nv), nv)


def kinetic_energy(count, model, work, q, v, unused, T):
    """T."""
    _, nq, nv = _sizes(model)
    columns, _ = _room(model, work, at.COMPOSITE_WIDTH)
    for k in range(count):
        T[k] = kinetic_row(model, work, columns, address(q, k * nq), address(v, k * nv))


def potential_energy(count, model, work, q, unused, neither, V):
    """V."""
    _, nq, _ = _sizes(model)
    columns, _ = _room(model, work, at.COMPOSITE_WIDTH)
    for k in range(count):
        gravity = vector(model, at.GRAVITY)
        V[k] = potential_row(model, work, columns, address(q, k * nq), gravity)
