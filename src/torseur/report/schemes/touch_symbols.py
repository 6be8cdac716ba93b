"""Where bodies touch on a sheet: the point, the normal, and what is touched."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from torseur.model.description import GROUND
from torseur.model.joints.rolling import ContactType
from torseur.model.joints.symbol import Plate
from torseur.report.scene.camera import level
from torseur.report.scene.scene import Site
from torseur.report.schemes.scheme_sheet import Sheet
from torseur.spatial.pose import Pose

Array = np.ndarray


@final
@dataclass(frozen=True)
class TouchSymbol:
    """A contact at the pose of a sheet, in the ground."""

    site: Site
    at: Array  # the point of the second body that touches, or would
    foot: Array  # below it on the first body
    normal: Array  # from the first body to the second
    tangents: Array  # (2, 3)
    radius: float  # of what touches
    F: Pose
    M: Pose
    ends: tuple[str, ...]  # the bodies whose levers go there
    sized: bool  # it is no point that touches

    @property
    def on_plane(self) -> bool:
        """Whether what is touched is a plane."""
        return any(isinstance(part, Plate) for part in self.site.symbol.first)


def touches(sheet: Sheet) -> list[TouchSymbol]:
    """Every contact of a mechanism."""
    return [_touch(sheet, site) for site in sheet.touching]


def _touch(sheet: Sheet, site: Site) -> TouchSymbol:
    F, M = sheet.frames(site)
    X = F.inverse @ M
    described: Any = site.joint.kind
    kind: ContactType = described.numeric(lambda x: float(sheet.geometry.numbers(x)))
    R, p = X.R.matrix, X.p
    at = M.point(np.asarray(kind.touching(R, p), dtype=float))
    normal, *others = (F.R.matrix @ np.asarray(kind.frame(R, p), dtype=np.float64).T).T
    tangents = np.array(level(normal) if len(others) < 2 else others)
    foot = at - float(kind.gap(R, p)[0]) * normal
    radius = float(sheet.geometry.numbers(getattr(kind, "radius", None) or 0.0))
    second = site.joint.second
    sizes = [float(np.ptp(solid.corners, axis=0).max()) for _, solid in sheet.touched(site)]
    sized = max([radius, *sizes]) > 0
    bare = not sized and second != GROUND and second not in sheet.solids
    return TouchSymbol(
        site, at, foot, normal, tangents, radius, F, M, (second,) if bare else (), sized
    )
