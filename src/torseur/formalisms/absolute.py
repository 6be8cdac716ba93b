"""Absolute coordinates: every body free, at its mass centre, and every joint a constraint.

Llibre (2009), chapter 4: M w' = F + Jᵀ λ, J w' + γ = 0, with the position of each centre and its
velocity in ground axes, a unit quaternion, and the angular velocity in body axes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from torseur.algebra.expr import symbol
from torseur.algebra.graph import expressions
from torseur.formalisms.system import System
from torseur.joints.free import Free
from torseur.mechanism.description import Mechanism
from torseur.spatial.inertia import inertia
from torseur.spatial.pose import Pose
from torseur.topology.graph import Spanning
from torseur.topology.structure import cuts_of
from torseur.topology.tree import GROUND_INDEX, Link, Tree

Array = np.ndarray
COORDINATES = ("x", "y", "z", "qw", "qx", "qy", "qz")
SPEEDS = ("x.", "y.", "z.", "wx", "wy", "wz")


def _named(body: str, part: str) -> str:
    return f"{body}_{part}"


def free_system(
    mechanism: Mechanism,
    bodies: Iterable[str],
    *,
    named: Callable[[str, str], str] = _named,
    centres: Mapping[str, Any] | None = None,
) -> System:
    """These bodies, each free; every joint of the mechanism closes a loop between them.

    Other symbols may stand for the centres of mass.
    """
    listed, zero = tuple(bodies), np.zeros(3)
    links = []
    for k, body in enumerate(mechanism.bodies[name] for name in listed):
        centre = body.centre if centres is None else centres[body.name]
        links.append(
            Link(
                body.name,
                GROUND_INDEX,
                Free(),
                Pose(),
                inertia(body.mass, zero, body.inertia),
                slice(7 * k, 7 * k + 7),
                slice(6 * k, 6 * k + 6),
                X_MB=Pose(-expressions(centre)),
            )
        )
    tree = Tree(tuple(links), 7 * len(links), 6 * len(links))

    def symbols(parts: tuple[str, ...], kind: str, end: str = "") -> Array:
        names = [named(name, part) + end for name in listed for part in parts]
        return np.array([symbol(name, kind) for name in names], dtype=object)

    return System(
        mechanism,
        tree,
        symbols(COORDINATES, "coordinate"),
        symbols(SPEEDS, "speed"),
        symbols(SPEEDS, "acceleration", "."),
        cuts_of(mechanism, tree, Spanning((), tuple(mechanism.joints.values()))),
    )
