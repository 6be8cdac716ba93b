"""Stops of joints on a sheet: across a rail, or where the lever of a pivot would be."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from torseur.model.description import Joint
from torseur.model.joints.freedoms import Slide, Turn
from torseur.model.joints.symbol import freedoms_of
from torseur.report.schemes.bodies import places
from torseur.report.schemes.joints import JointDrawing
from torseur.report.schemes.lines import SchemeStroke
from torseur.report.schemes.sheet import Sheet
from torseur.report.schemes.symbols import LONG
from torseur.spatial.rotation import rodrigues

Array = np.ndarray
_REACH = (2.0, 3.6)  # from where to where a stop of a pivot reaches, in radii of symbols
_ACROSS = 1.3  # half a stop of a slide, in the same


def stop_lines(sheet: Sheet, drawn: list[JointDrawing]) -> Iterator[SchemeStroke]:
    """A thick line at each limit at which a pivot or a slide stops."""
    points = places(sheet, drawn)
    for one in drawn:
        joint, freedoms = one.site.joint, freedoms_of(one.site.joint.kind)
        if not isinstance(joint, Joint) or joint.stop is None or len(freedoms) != 1:
            continue
        X = one.F.inverse @ one.M
        now = float(joint.kind.read(X.R.matrix, X.p)[0])
        for limit in _limits(sheet, joint):
            match freedoms[0]:
                case Slide(axis):
                    ends = _of_slide(sheet, one, one.F.R.matrix[:, axis], limit - now)
                case Turn(axis):
                    start, *others = points.get(joint.second, [one.at])
                    arm = next((x - start for x in others), sheet.camera.right)
                    turned = rodrigues(one.F.R.matrix[:, axis], limit - now) @ arm
                    out = sheet.radius * turned / float(np.linalg.norm(arm))
                    ends = one.at + np.outer(_REACH, out)
                case _:
                    continue
            yield SchemeStroke(sheet.camera.at(ends), sheet.colour(joint.first), style="thick")


def _limits(sheet: Sheet, joint: Joint) -> tuple[float, ...]:
    described = sheet.geometry.mechanism.joints[joint.name]
    limits = sheet.geometry.limits(described.limits[0]) if described.limits else None
    return () if limits is None else limits


def _of_slide(sheet: Sheet, one: JointDrawing, axis: Array, way: float) -> Array:
    """Across the rail where the end of the sleeve would be, after so much of a way."""
    at = one.M.p + (way + float(np.copysign(LONG * sheet.radius, way))) * axis
    across = np.cross(axis, sheet.camera.reader)
    across = across / (float(np.linalg.norm(across)) or 1.0)
    return np.asarray(at + np.outer((-1.0, 1.0), _ACROSS * sheet.radius * across))
