"""A state of a mechanism seen by both formulations: joint coordinates and absolute coordinates."""

import numpy as np

from torseur.algebra.expr import symbol
from torseur.algebra.graph import evaluate, expressions
from torseur.backends.absolute.model import AbsoluteModel
from torseur.backends.functions import multiplier_names
from torseur.dynamics.energy import kinetic_energy, potential_energy
from torseur.formalisms.applied import stored_energy
from torseur.formalisms.derive import derive
from torseur.formalisms.reactions import joint_wrenches, wrench_names
from torseur.simulation.multipliers import direct
from torseur.simulation.placing import placed
from torseur.simulation.poses import Poses


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


def absolute_side(mechanism, q, v, t=0.0):
    """The same state in absolute coordinates, as a motion of one sample."""
    model = AbsoluteModel(mechanism, mechanism.parameters)
    return Poses(model, np.array([t]), placed(model, q, v)[np.newaxis])


def size(*arrays):
    """One plus the largest entry."""
    return 1.0 + max(float(np.abs(x).max(initial=0.0)) for x in arrays)
