"""What the kernel writes: the rate of a state, its return onto the constraints, or a report."""

from torseur.machine.absolute import places as at
from torseur.machine.absolute.kernels.blocks import SIZE
from torseur.machine.absolute.kernels.bodies import calm_bodies, energies, move_bodies, write_rates
from torseur.machine.absolute.kernels.measures import follow, write_follower_rates
from torseur.machine.absolute.kernels.rotors import rotor_energy
from torseur.machine.runtime.long_vectors import copy, dot
from torseur.machine.runtime.vectors import address, apart, inlined


@apart
def gap_of(model):
    """The square of what the rows ask for, each in units of what it is compared with."""
    right, fineness, total = model.right, model.fineness, 0.0
    for k in range(SIZE * model.rows):
        part = fineness[k] * right[k]
        total += part * part
    return total


@inlined
def _last(model):
    """The place of the work in a state."""
    return at.STATE * model.bodies + model.followers


@inlined
def _imposed(model):
    """The power of what imposes motions: −λ · b, with μ = −λ."""
    mu = address(model.unknown, SIZE * model.bodies)
    return dot(SIZE * model.rows, mu, model.drift)


@apart
def write_rate(model, y, power, rate):
    """rate ← ẏ; the last is the power of what has no potential."""
    write_rates(model, y, rate)
    write_follower_rates(model, rate)
    rate[_last(model)] = power + _imposed(model)


@apart
def write_loads(model, y, power, into):
    """into ← velocities, what acts on the bodies, followers as poses tell them, and the power."""
    write_rates(model, y, into)
    follow(model, y, into)
    into[_last(model)] = power


@apart
def write_closed(model, y, gap, into):
    """into ← y after one step of its positions onto the constraints, then the gap² it had."""
    move_bodies(model, y, into)
    follow(model, y, into)
    n = _last(model)
    into[n], into[n + 1] = y[n], gap


@apart
def write_calmed(model, y, into):
    """into ← y with its speeds on the constraints."""
    calm_bodies(model, y, into)
    follow(model, y, into)
    into[_last(model)] = y[_last(model)]


@apart
def write_gaps(model, into):
    """into ← how far the rows are from their positions."""
    right = model.right
    for k in range(SIZE * model.rows):
        into[k] = -right[k]


@apart
def write_report(model, y, potential, power, into):
    """into ← after the gaps: accelerations, multipliers, kinetic and potential energy, power."""
    rows, bodies, unknown = SIZE * model.rows, SIZE * model.bodies, model.unknown
    copy(bodies, unknown, address(into, rows))
    for k in range(rows):
        into[rows + bodies + k] = -unknown[bodies + k]
    last = address(into, 2 * rows + bodies)
    kinetic, weight = energies(model, y)
    last[0] = kinetic + rotor_energy(model, y)
    last[1] = weight + potential
    last[2] = power + _imposed(model)
