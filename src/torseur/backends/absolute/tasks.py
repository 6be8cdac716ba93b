"""What the kernel is asked for: the rate of a state, its return onto the constraints, a report."""

from torseur.backends.absolute import places as at
from torseur.backends.absolute.access import numbers
from torseur.backends.absolute.blocks import SIZE, clear
from torseur.backends.absolute.bodies import (
    calm_bodies,
    kinetic_energy,
    move_bodies,
    place_bodies,
    weigh_bodies,
    weight_energy,
    write_rates,
)
from torseur.backends.absolute.bordered import assemble, factorise, solve
from torseur.backends.absolute.elements import add_loads, watch, write_element_rows
from torseur.backends.absolute.measures import follow, measure, write_follower_rates
from torseur.backends.absolute.rotors import add_rotor_forces, rotor_energy
from torseur.backends.absolute.rows import clear_rows, write_joint_rows
from torseur.backends.integrators.vectors import copy, dot
from torseur.backends.loops.vectors import address, apart


@apart
def perform(model, y, t, into):
    """The task of the record."""
    place_bodies(model, y)
    measure(model, y)
    if model.task == at.WATCH:
        watch(model, y, t, into)
    elif model.task == at.RATE:
        _rate(model, y, t, into)
    elif model.task == at.CLOSE:
        _close(model, y, t, into)
    elif model.task == at.CALM:
        _calm(model, y, t, into)
    else:
        _report(model, y, t, into)


@apart
def _write_rows(model, y, t, task):
    clear_rows(model)
    write_joint_rows(model, task)
    write_element_rows(model, y, t, task)


@apart
def _accelerate(model, y, t):
    """unknown ← accelerations and μ; the energy of loads and their power without it."""
    weigh_bodies(model)
    potential, power = add_loads(model, y, t)
    if model.rotors > 0:
        add_rotor_forces(model)
    _write_rows(model, y, t, at.RATE)
    assemble(model)
    factorise(model)
    solve(model)
    mu = address(numbers(model.unknown), SIZE * model.bodies)
    imposed = dot(SIZE * model.rows, mu, numbers(model.drift))
    return potential, power + imposed


@apart
def _rate(model, y, t, rate):
    """rate ← ẏ; the last is the power of what has no potential."""
    _, power = _accelerate(model, y, t)
    write_rates(model, y, rate)
    write_follower_rates(model, rate)
    rate[at.STATE * model.bodies + model.followers] = power


@apart
def _close(model, y, t, into):
    """into ← y after one step of its positions onto the constraints, then the gap² it had."""
    _write_rows(model, y, t, at.CLOSE)
    gaps, n = numbers(model.right), at.STATE * model.bodies + model.followers
    gap = dot(SIZE * model.rows, gaps, gaps)
    _clear_bodies(model)
    if gap > 0.0:
        assemble(model)
        factorise(model)
        solve(model)
    move_bodies(model, y, into)
    follow(model, y, into, True)
    into[n], into[n + 1] = y[n], gap


@apart
def _calm(model, y, t, into):
    """into ← y with its speeds on the constraints."""
    _write_rows(model, y, t, at.CALM)
    _clear_bodies(model)
    assemble(model)
    factorise(model)
    solve(model)
    calm_bodies(model, y, into)
    follow(model, y, into, False)
    n = at.STATE * model.bodies + model.followers
    into[n] = y[n]


@apart
def _clear_bodies(model):
    """Nothing acts on the bodies."""
    clear(numbers(model.unknown), SIZE * model.bodies)


@apart
def _report(model, y, t, into):
    """into ← gaps, accelerations, multipliers, kinetic and potential energy, power."""
    rows, bodies = SIZE * model.rows, SIZE * model.bodies
    _write_rows(model, y, t, at.CLOSE)
    right, unknown = numbers(model.right), numbers(model.unknown)
    for k in range(rows):
        into[k] = -right[k]
    potential, power = _accelerate(model, y, t)
    copy(bodies, unknown, address(into, rows))
    for k in range(rows):
        into[rows + bodies + k] = -unknown[bodies + k]
    last = address(into, 2 * rows + bodies)
    last[0] = kinetic_energy(model) + rotor_energy(model)
    last[1] = weight_energy(model) + potential
    last[2] = power
