"""A state of a mechanism seen by both formulations: joint coordinates and absolute coordinates."""

from pathlib import Path

import numpy as np

import torseur as ts
from torseur.algebra.core.expr import symbol
from torseur.algebra.core.graph import evaluate, expressions
from torseur.dynamics.absolute.joint_rows import joint_rows
from torseur.dynamics.tree.quantities import kinetic_energy, potential_energy
from torseur.equations.actions.applied import stored_energy
from torseur.equations.actions.reactions import joint_wrenches, wrench_names
from torseur.equations.formalisms.derive import derive
from torseur.equations.functions.catalogue import multiplier_names
from torseur.machine.absolute import body_tables as at
from torseur.machine.absolute.absolute_model import AbsoluteModel
from torseur.simulation.constraints.multipliers import direct
from torseur.simulation.constraints.numeric_constraints import NumericConstraints
from torseur.simulation.run.absolute_samples import AbsoluteSamples
from torseur.simulation.run.placed_bodies import placed
from torseur.simulation.run.poses import Poses


class JointSide:
    """Accelerations, multipliers, wrenches and energies in the coordinates of the joints."""

    def __init__(self, mechanism, q, v, t=0.0):
        self.equations = derive(mechanism)
        self.system = made = self.equations.system
        at = self.equations.evaluate(q=q, v=v, t=t)
        self.a, self.lam = direct(at.M, at.Q - at.h - at.g, at.J, at.gamma)
        self.J = at.J
        owners = self.equations.constraints.owners
        self.owners = owners
        names = multiplier_names(len(owners))
        values = dict(mechanism.parameters) | {"t": t}
        values |= dict(zip(made.coordinates, q, strict=True))
        values |= dict(zip(made.speeds, v, strict=True))
        values |= {f"{name}.": x for name, x in zip(made.speeds, self.a, strict=True)}
        values |= dict(zip(names, self.lam, strict=True))
        self.values = values
        symbols = np.array([symbol(name, "input") for name in names], dtype=object)
        found = self.at(joint_wrenches(made, symbols))
        self.wrenches = dict(zip(wrench_names(made), found, strict=True))
        self.kinetic = float(self.at(kinetic_energy(made.tree, made.q, made.v)))
        weight = potential_energy(made.tree, made.q, made.gravity)
        self.potential = float(self.at(weight + stored_energy(made)))

    def at(self, outputs):
        """Expressions as floats, at the state."""
        return np.asarray(evaluate(expressions(outputs), self.values), dtype=float)


def both(model, duration, **options):
    """The runs of both formulations."""
    made = ts.compile(ts.load(model)) if isinstance(model, dict | str | Path) else model
    return tuple(
        ts.simulate(made, duration, coordinates=name, **options) for name in ("joint", "absolute")
    )


def absolute_side(mechanism, q, v, t=0.0):
    """The same state in absolute coordinates, as a motion of one sample."""
    model = AbsoluteModel(mechanism, mechanism.parameters)
    poses = Poses(model, np.array([t]), placed(model, q, v)[np.newaxis])
    return AbsoluteSamples(ts.compile(mechanism), poses)


def size(*arrays):
    """One plus the largest entry."""
    return 1.0 + max(float(np.abs(x).max(initial=0.0)) for x in arrays)


def absolute_jacobian(samples, k):
    """J at sample k, on forces and couples at the centres of bodies in ground axes; its owners."""
    poses = samples.poses
    model, n = poses.model, len(poses.model.graph.bodies)
    rows = {
        (s, r): np.zeros((n, 6))
        for s, x in enumerate(model.graph.sets)
        for r in range(len(x.owners))
    }

    def add(place, joint, row, factor=1.0):
        _, force, a_i, a_j, _ = row
        for body, sign, couple in ((joint.first, -1.0, a_i), (joint.second, 1.0, a_j)):
            if body in model.mechanism.bodies:
                given = [sign * x for x in force] + list(couple)
                own = [factor * np.broadcast_to(x, poses.t.shape)[k] for x in given]
                rows[place][model.index[body] - 1] += own

    for s, one in enumerate(model.graph.sets):
        if one.joint:
            joint = model.numbers.joints[one.joint]
            for r, row in enumerate(joint_rows(joint.kind, *poses.frames(one.joint))):
                add((s, r), joint, row)
    for one, (s, first) in zip(model.held, model.graph.places, strict=True):
        found = [x[k] for x in poses.outputs(one.element)]
        bodies, measures = one.element.bodies, one.element.measures
        wide = at.PARTIALS + len(measures) + 6 * len(bodies)
        for r in range(one.rows):
            own = found[wide * r + at.PARTIALS : wide * (r + 1)]
            for factor, name in zip(own, measures, strict=False):
                measure = model.place[name][1]
                joint = model.numbers.joints[measure.joint]
                add((s, first + r), joint, poses.measure_row(measure), factor)
            for b, name in enumerate(bodies):
                six = np.array(own[len(measures) + 6 * b :][:6])
                six[3:] = np.array([x[k] for x in poses.body(name).R]).reshape(3, 3) @ six[3:]
                rows[s, first + r][model.index[name] - 1] += six
    return np.array([x.ravel() for x in rows.values()]), samples.owners


def self_stresses(run, k):
    """Wrenches of all joints (joints, 6, h), in ground axes, that change no motion at sample k."""
    q, v, a, t = run.q[k], run.v[k], run.a[k], run.t[k]
    _, sizes, right = np.linalg.svd(NumericConstraints(run.model).scaled_J(q, t).T)
    kept = right[int((sizes > 1e-9 * sizes[0]).sum()) :] / run.model.sizes.rows
    wrenches = run.model.timed("joint_wrenches")
    still = wrenches(q, v, a, run.lambdas[k], t)
    stressed = [wrenches(q, v, a, run.lambdas[k] + x, t) - still for x in kept]
    return np.stack(stressed, axis=2)[:, :6] if stressed else np.zeros((len(still), 6, 0))


def unlike_self_stress(run, k, difference, lengths):
    """What is left of a difference (joints, 6) of wrenches, without the self-stresses in it."""
    if not run.lambdas.shape[1]:
        return difference
    stresses = self_stresses(run, k) / lengths[:, np.newaxis]
    basis = stresses.reshape(difference.size, -1)
    if not basis.shape[1]:
        return difference
    basis = basis / np.abs(basis).max(axis=0)
    return difference.ravel() - basis @ np.linalg.lstsq(basis, difference.ravel(), rcond=1e-9)[0]
