"""A joint of a mechanism: its kind, the two bodies it links and where it stands on them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import final

from torseur.algebra.core.expr import Expr
from torseur.model.joints.protocol import JointType
from torseur.spatial.pose import Pose


@final
@dataclass(frozen=True)
class Joint:
    """A joint between two bodies: the pose of `second` in `first` is X_AF X_FM(q) X_BM⁻¹."""

    name: str
    kind: JointType
    first: str
    second: str
    X_AF: Pose = field(default_factory=Pose)  # frame F in the first body
    X_BM: Pose = field(default_factory=Pose)  # frame M in the second body
    coordinates: tuple[str, ...] = ()
    speeds: tuple[str, ...] = ()
    limits: tuple[tuple[Expr, Expr] | None, ...] = ()
    place: str = ""
