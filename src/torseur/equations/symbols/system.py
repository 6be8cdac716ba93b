"""A mechanism ready for the recursions: its tree, its symbols and what is applied to it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import final

import numpy as np

from torseur.algebra.core.expr import ZERO, Expr, symbol
from torseur.errors import ModelError
from torseur.model.constraints.selection import restraints
from torseur.model.contact.meshes import mesh_signals
from torseur.model.description import Mechanism
from torseur.model.joints.mesh_points import SIGNAL
from torseur.once import once
from torseur.topology.structure import Cut, structure
from torseur.topology.tree import Tree
from torseur.words.sentence import say

Array = np.ndarray


@final
@dataclass(frozen=True)
class System:
    """The tree, the joints that close it, and the symbols of the tree's state in order."""

    mechanism: Mechanism
    tree: Tree
    q: Array
    v: Array
    a: Array
    cuts: tuple[Cut, ...] = ()

    @property
    def constrained(self) -> bool:
        """Whether anything but the tree's own joints restrains it."""
        return bool(self.cuts or restraints(self.mechanism))

    @property
    def coordinates(self) -> tuple[str, ...]:
        """The names of q."""
        return tuple(x.name for x in self.q)

    @property
    def speeds(self) -> tuple[str, ...]:
        """The names of v, those of the rows of the equations."""
        return tuple(x.name for x in self.v)

    @property
    def quaternions(self) -> tuple[tuple[str, ...], ...]:
        """The names of the four components of each, where coordinates were eliminated too."""
        whole = len(self.q) >= self.tree.nq
        names = self.coordinates if whole else self.mechanism.coordinates
        return tuple(names[four] for four in self.tree.quaternions)

    @property
    def signals(self) -> Array:
        """A symbol for each number that is given while the mechanism moves, and for each state."""
        return symbols_of(signal_names(self.mechanism), SIGNAL)

    @property
    def signal_rates(self) -> Array:
        """Rates of the signals: zero for those that are given."""
        states = self.mechanism.states
        rates = [states[x].rate if x in states else ZERO for x in signal_names(self.mechanism)]
        return np.array(rates, dtype=object)

    @property
    def gravity(self) -> Array:
        """The field in ground axes."""
        return self.mechanism.gravity


@once
def system(mechanism: Mechanism) -> System:
    """The system of a mechanism; its state is that of the joints that carry bodies."""
    parts = structure(mechanism)
    return System(
        mechanism,
        parts.tree,
        symbols_of(parts.coordinates, "coordinate"),
        symbols_of(parts.speeds, "speed"),
        symbols_of([f"{name}." for name in parts.speeds], "acceleration"),
        parts.cuts,
    )


def signal_names(mechanism: Mechanism) -> tuple[str, ...]:
    """The names of what a motion has besides q, v and work: forces, states, points of meshes."""
    commands = (mechanism.command_symbol(name) for name in mechanism.commanded)
    return (*commands, *mechanism.states, *mesh_signals(mechanism))


def symbols_of(names: Iterable[str], kind: str = "parameter") -> Array:
    """A symbol for each name."""
    return np.array([symbol(name, kind) for name in names], dtype=object)


def require_rates(known: System, what: str, *advice: str) -> None:
    """Refuse joints with speeds that are no rates, such as those with quaternions."""
    for _, link in known.tree:
        if link.joint.nq != link.joint.nv or link.joint.turning:
            raise ModelError(
                f'joint "{link.joint_name}"',
                say(
                    "its {nv} speeds are not the rates of its {nq} coordinates, which {what} would "
                    "need.",
                    link.joint.nv,
                    link.joint.nq,
                    what,
                ),
                "Describe the attitude by angles, for instance by Euler's: type: defined, "
                "coordinates: [psi, theta, phi], rotation: [{z: psi}, {x: theta}, {z: phi}].",
                *advice,
            )


def unit_quaternions(known: System) -> dict[Expr, Expr]:
    """w² = 1 − x² − y² − z² for the attitude of every joint that has a quaternion."""
    parts = (symbols_of(four, "coordinate") for four in known.quaternions)
    return {w: 1 - x**2 - y**2 - z**2 for w, x, y, z in parts}
