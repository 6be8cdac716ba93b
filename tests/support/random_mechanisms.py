"""Random mechanisms with numbers for tests that state laws, and their values at a state."""

import numpy as np
from random_trees import EVERY_JOINT, random_joint, random_pose

from torseur.algebra.calculus.derivative import time_derivative
from torseur.algebra.core.expr import TIME, expression
from torseur.algebra.core.graph import evaluate
from torseur.equations.constraints.constraint_rows import coordinate_rates
from torseur.model.description import GROUND, Body, Joint, Mechanism, Motor


def joint(name, kind, first, second, X_AF, X_BM):
    """A joint whose coordinates and speeds are called after it."""
    coordinates = tuple(f"{name}_{k}" for k in range(kind.nq))
    own = coordinates if kind.nq == kind.nv else [f"{name}_w{k}" for k in range(kind.nv)]
    speeds = tuple(f"{x}." for x in own)
    return Joint(name, kind, first, second, X_AF, X_BM, coordinates, speeds)


def random_body(rng, name):
    """Of a cloud of five particles."""
    masses, points = rng.uniform(0.1, 1.0, 5), rng.normal(size=(5, 3))
    centre = masses @ points / masses.sum()
    arms = points - centre
    tensor = sum(
        m * (r @ r * np.eye(3) - np.outer(r, r)) for m, r in zip(masses, arms, strict=True)
    )
    return Body(name, masses.sum(), centre, tensor)


def random_mechanism(rng, *first, bodies=4, loads=(), frame=None, motors=False):
    """Bodies B0, B1, … carried by the ground or an earlier one; `first` gives the first joints."""
    made = {f"B{i}": random_body(rng, f"B{i}") for i in range(bodies)}
    joints, driven = {}, {}
    for i in range(bodies):
        kind = first[i] if i < len(first) else random_joint(rng, EVERY_JOINT)
        carrier = "B0" if i == 1 else [GROUND, *made][int(rng.integers(0, i + 1))]
        name = f"J{i}"
        joints[name] = joint(name, kind, carrier, f"B{i}", random_pose(rng), random_pose(rng))
        if motors and kind.nv == 1:
            ratio, inertia = rng.normal(), rng.uniform(0.1, 1.0)
            axis = rng.normal(size=3)
            axis /= np.linalg.norm(axis)
            driven[name] = Motor(name, name, expression(ratio), expression(inertia), axis)
    named = {load.name: load for load in loads}
    return Mechanism("random", {}, made, joints, np.zeros(3), driven, named, frame)


def random_state(rng, made):
    """Values of the coordinates, with unit quaternions, and of the speeds, by name."""
    values = {"t": 0.0}
    for link in made.tree.links:
        q = rng.normal(size=link.q.stop - link.q.start)
        if link.joint.turning:
            q[-4:] /= np.linalg.norm(q[-4:])
        values |= dict(zip([x.name for x in made.q[link.q]], q, strict=True))
    return values | dict(zip(made.speeds, rng.normal(size=made.tree.nv), strict=True))


def rate(made, outputs):
    """d/dt of expressions of the coordinates and of time."""
    along = dict(zip(made.q, coordinate_rates(made), strict=True))
    return time_derivative(outputs, along, TIME)


def at(outputs, values):
    """Expressions as floats."""
    return np.asarray(evaluate(outputs, values), dtype=float)


def speeds_of(made, values):
    """v as an array."""
    return np.array([values[name] for name in made.speeds])
