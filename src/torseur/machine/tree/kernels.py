"""The kernels: one for each function of a compiled model.

Each takes the address of a table: the model, room to work in, three inputs and the output. Arrays
are contiguous and row-major; an input that a function does not need is not read.
"""

from numba import types

from torseur.dynamics.recursions import articulated_body, composite_body, energy, newton_euler
from torseur.dynamics.recursions import body_motion as motion
from torseur.dynamics.recursions import row_places as at
from torseur.machine.runtime.access import numbers, wholes
from torseur.machine.runtime.machine_text import finite
from torseur.machine.runtime.vectors import address, inlined, keep, times, vector, whole
from torseur.machine.tree.joints import compiled_recursions

_TEXT = compiled_recursions(
    motion,
    newton_euler,
    articulated_body,
    composite_body,
    energy,
    steps=("move", "project", "release", "accelerate", "enter", "carry_velocity"),
)
find_forces, find_accelerations = _TEXT["find_forces"], _TEXT["find_accelerations"]
fill_mass_matrix, find_kinetic_energy = _TEXT["fill_mass_matrix"], _TEXT["find_kinetic_energy"]
find_potential_energy = _TEXT["find_potential_energy"]
SIGNATURE = types.void(types.int64)
ENTRIES = (
    *("inverse_dynamics", "forward_dynamics", "bias", "gravity"),
    *("mass_matrix", "kinetic_energy", "potential_energy"),
)
NOTHING = (0.0, 0.0, 0.0)


@inlined
def given(table):
    """The model, the room, three inputs and the output of a table."""
    listed = wholes(table)
    model, work, output = numbers(listed[0]), numbers(listed[1]), numbers(listed[5])
    return model, work, numbers(listed[2]), numbers(listed[3]), numbers(listed[4]), output


@finite
def _room(model, work, width, acceleration):
    """Where the columns of S are kept, after the rows of the bodies, and a zero for each speed.

    The ground's row of the workspace: at rest, but for an acceleration.
    """
    columns = address(work, (whole(model[at.BODIES]) + 1) * width)
    still = address(columns, whole(model[at.SPEEDS]) * at.COLUMN_WIDTH)
    for k in range(whole(model[at.SPEEDS])):
        still[k] = 0.0
    for k in range(min(width, at.INVERSE_WIDTH)):
        work[k] = 0.0
    keep(work, at.ACC, acceleration)
    return columns, still


@finite
def _lifted_ground(model):
    """The ground accelerated upward in place of gravity."""
    return times(-1.0, vector(model, at.GRAVITY))


def inverse_dynamics(table):
    """Q = M a + h + g."""
    model, work, q, v, a, Q = given(table)
    columns, _ = _room(model, work, at.INVERSE_WIDTH, _lifted_ground(model))
    find_forces(model, work, columns, q, v, a, Q)


def forward_dynamics(table):
    """a = M⁻¹ (Q − h − g)."""
    model, work, q, v, Q, a = given(table)
    columns, still = _room(model, work, at.FORWARD_WIDTH, _lifted_ground(model))
    find_accelerations(model, work, columns, q, v, Q, still, a)


def bias(table):
    """The velocity terms h."""
    model, work, q, v, _, h = given(table)
    columns, still = _room(model, work, at.INVERSE_WIDTH, NOTHING)
    find_forces(model, work, columns, q, v, still, h)


def gravity(table):
    """The gravity terms g."""
    model, work, q, _, _, g = given(table)
    columns, still = _room(model, work, at.INVERSE_WIDTH, _lifted_ground(model))
    find_forces(model, work, columns, q, still, still, g)


def mass_matrix(table):
    """M, dense."""
    model, work, q, _, _, M = given(table)
    columns, _ = _room(model, work, at.COMPOSITE_WIDTH, NOTHING)
    nv = whole(model[at.SPEEDS])
    for k in range(nv * nv):
        M[k] = 0.0
    fill_mass_matrix(model, work, columns, q, M, nv)


def kinetic_energy(table):
    """T."""
    model, work, q, v, _, T = given(table)
    columns, _ = _room(model, work, at.COMPOSITE_WIDTH, NOTHING)
    T[0] = find_kinetic_energy(model, work, columns, q, v)


def potential_energy(table):
    """V."""
    model, work, q, _, _, V = given(table)
    columns, _ = _room(model, work, at.COMPOSITE_WIDTH, NOTHING)
    V[0] = find_potential_energy(model, work, columns, q, vector(model, at.GRAVITY))
