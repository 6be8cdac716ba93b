"""Joint limits: positions, speeds and efforts of each coordinate, as numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from torseur.algebra.core.expr import Expr
from torseur.machine.compiled import CompiledModel
from torseur.model.values.numbers import Values

Array = np.ndarray


@final
@dataclass(frozen=True, eq=False)
class JointLimits:
    """Limits of some coordinates in order; infinite where the description has none."""

    low: Array
    high: Array
    speed: Array  # [rad/s, m/s]
    effort: Array  # [N m, N]

    @property
    def middle(self) -> Array:
        """Half-way between both limits; not a number where there are none."""
        both = np.isfinite(self.low) & np.isfinite(self.high)
        return np.where(both, (np.where(both, self.low, 0) + np.where(both, self.high, 0)) / 2,
                        np.nan)  # fmt: skip


def joint_limits(model: CompiledModel, names: tuple[str, ...]) -> JointLimits:
    """The limits of some coordinates of a model, as its joints state them."""
    ends = {name: (-np.inf, np.inf) for name in names}
    speeds, efforts = (dict.fromkeys(names, np.inf) for _ in range(2))
    known_value = Values(model.parameters)

    def value(x: Expr, otherwise: float = np.inf) -> float:
        result = known_value(x)
        return otherwise if result is None else result

    for joint in model.mechanism.joints.values():
        limited = (x for x in joint.limited if x.name in ends)
        ends |= {x.name: (value(x.low, -np.inf), value(x.high)) for x in limited}
        if len(joint.coordinates) != len(joint.speeds):
            continue
        for known, stated in ((speeds, joint.velocity), (efforts, joint.effort)):
            listed = zip(joint.coordinates, stated, strict=False)
            known |= {name: value(x) for name, x in listed if name in known}
    low, high = np.array([ends[name] for name in names], dtype=float).reshape(-1, 2).T
    return JointLimits(
        low, high,
        np.array([speeds[name] for name in names]), np.array([efforts[name] for name in names]),
    )  # fmt: skip
