"""Absolute equations seen in the speeds of the joints, so that they can be compared with others.

w = B v and w' = B v' + β give Bᵀ (M (B v' + β) + h + g) = Bᵀ Q: the reactions of the joints that
carry the bodies do not work in B and drop out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import final

import numpy as np

from torseur.algebra.calculus.derivative import jacobian, time_derivative
from torseur.algebra.core.expr import TIME, Expr
from torseur.algebra.core.graph import expressions, flat, free_symbols
from torseur.equations.compare.agreement import OUTPUTS, Numbers, numbers, over_states
from torseur.equations.constraints.rows import coordinate_rates
from torseur.equations.motion.equations import Equations
from torseur.equations.symbols.places import SystemPlaces
from torseur.equations.symbols.system import System
from torseur.model.forces.protocol import Attachment
from torseur.model.joints.library import Free

Array = np.ndarray


@final
class JointSpeeds:
    """The poses and speeds of all bodies as functions of the coordinates of a tree."""

    def __init__(self, absolute: Equations, tree: System) -> None:
        self._absolute = absolute
        places, bodies = SystemPlaces(tree), tree.mechanism.bodies
        poses, speeds = [], []
        for _, link in absolute.system.tree:
            centre = Attachment(link.name, bodies[link.name].centre)
            poses += [*places.position(centre), *places.rotation(link.name).matrix.ravel()]
            speeds += [*places.velocity(centre), *places.twist(centre)[0]]
        self._poses, self._speeds = expressions(poses), expressions(speeds)
        self._B = jacobian(self._speeds, tree.v).reshape(len(speeds), len(tree.v))
        along = dict(zip(tree.q, coordinate_rates(tree), strict=True))
        self._turning = time_derivative(self._speeds, along, TIME)

    @property
    def spoken(self) -> list[Expr]:
        """The symbols that must have a value."""
        outputs = [x for name in OUTPUTS for x in flat(self._absolute.output(name))]
        return free_symbols([*outputs, *self._poses, *self._speeds, *self._turning])

    def numbers(self, values: Mapping[str, Array], states: int) -> Numbers:
        """M, h, g and Q in the speeds of the tree, at states of the tree."""
        n, m = self._B.shape
        at = numbers(self._absolute, {**values, **self._states(values, states)}, states)
        M = at["M"].reshape(n, n, states)
        B = over_states(self._B.ravel(), values, states).reshape(n, m, states)
        turning = over_states(self._turning, values, states)
        needed = at["h"] + np.einsum("ijk,jk->ik", M, turning)
        return {
            "M": np.einsum("iak,ijk,jbk->abk", B, M, B).reshape(m * m, states),
            "h": np.einsum("iak,ik->ak", B, needed),
            "g": np.einsum("iak,ik->ak", B, at["g"]),
            "Q": np.einsum("iak,ik->ak", B, at["Q"]),
        }

    def _states(self, values: Mapping[str, Array], states: int) -> dict[str, Array]:
        """The absolute coordinates and speeds by name."""
        system = self._absolute.system
        poses = over_states(self._poses, values, states).reshape(-1, 4, 3, states)
        placed = [
            Free().read(pose[1:, :, k], pose[0, :, k]) for k in range(states) for pose in poses
        ]
        q = np.array(placed, dtype=float).reshape(states, len(system.q)).T
        v = over_states(self._speeds, values, states)
        return dict(zip((*system.coordinates, *system.speeds), (*q, *v), strict=True))
