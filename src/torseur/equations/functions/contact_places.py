"""Places of bodies, axes of speeds and loads of joints: all that rows of contacts are table of.

The twist of a body at the origin of the ground is the sum of the axes of the speeds that carry it,
each times its speed: one axis of six numbers serves all bodies beyond a joint (Featherstone 2008,
Rigid Body Dynamics Algorithms, section 4.1). A wrench on a body is felt in the same way by every
joint that carries it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from torseur.algebra.core.expr import ZERO
from torseur.algebra.core.graph import expressions
from torseur.equations.functions.contact import ContactState
from torseur.equations.functions.kernel import Kernel, kernel
from torseur.equations.functions.motion import inputs_of_state
from torseur.equations.symbols.system_places import (
    body_places,
    carrying_speeds,
    places_of,
    speed_axes,
)
from torseur.model.contact.element import JointWrenchLoad
from torseur.spatial.vectors import cross

Array = np.ndarray
PLACE, TWIST = 12, 6  # numbers of a place: axes by rows, centre of mass; of a twist: ω, v


@final
@dataclass(frozen=True)
class Placing:
    """The bodies of a mechanism with contacts, in the order of its description."""

    state: ContactState

    @cached_property
    def _loads(self) -> tuple[JointWrenchLoad, ...]:
        return (*self.state.loads, *self.state.carried)

    @cached_property
    def _links(self) -> list[int]:
        """The link of each body."""
        return [
            places_of(self.state.system).index[name] for name in self.state.system.mechanism.bodies
        ]

    @cached_property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The parts of the output."""
        bodies, speeds = len(self._links), len(self.state.system.v)
        return {
            "body_place": (bodies, PLACE),
            "speed_axis": (speeds, TWIST),
            "felt": (self.state.shapes["load"][0], TWIST),
        }

    def kernel(self) -> Kernel:
        """Places of bodies, axes of speeds (ω; v) and what couple and force do to loads."""
        parts = [self._poses, speed_axes(self.state.system), self._load_wrenches]
        output = np.concatenate([expressions(x).ravel() for x in parts])
        return kernel("placing", inputs_of_state(self.state.system), output)

    @cached_property
    def _poses(self) -> Array:
        return body_places(self.state.system)

    @cached_property
    def _load_wrenches(self) -> Array:
        """Loads by a couple and a force on what their joints carry, at the origin of the ground."""
        tree = self.state.system.tree
        table = np.full(self.shapes["felt"], ZERO, dtype=object)
        links = {link.joint_name: (i, link) for i, link in tree}
        place = 0
        for load in self._loads:
            count = len(load.components)
            if load.joint in links:
                i, link = links[load.joint]
                X, sign = places_of(self.state.system).poses[i], -1
                if link.joint.backwards:
                    parent = (
                        places_of(self.state.system).poses[link.parent] @ link.X_PF
                        if link.parent >= 0
                        else None
                    )
                    X, sign = parent or link.X_PF, 1
                R = X.R.matrix
                force = np.hstack([np.zeros((3, 3)), R.T])
                arms = np.array([cross(X.p, unit) for unit in np.eye(3)]).T
                couple = np.hstack([R.T, -R.T @ arms])
                table[place : place + count] = sign * load.components @ np.vstack([force, couple])
            place += count
        return table

    # --- which bodies a speed moves, and a joint carries ----------------------------------------

    @cached_property
    def carrying(self) -> list[list[int]]:
        """The speeds that carry each body."""
        return carrying_speeds(self.state.system)

    @cached_property
    def feels(self) -> Array:
        """(loads, bodies): 1 where the joint of a load carries a body."""
        tree = self.state.system.tree
        table = np.zeros((self.shapes["felt"][0], len(self._links)))
        links = {link.joint_name: i for i, link in tree}
        place = 0
        for load in self._loads:
            count = len(load.components)
            for b, i in enumerate(self._links):
                carries = links.get(load.joint) in tree.ancestors(i)
                table[place : place + count, b] = carries
            place += count
        return table
