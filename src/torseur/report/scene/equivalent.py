"""A body given by its mass and inertia, as the simple solid that has them."""

from dataclasses import replace

import numpy as np

from torseur.report.scene.solid_parts import shape_parts
from torseur.report.scene.solids import Solid

Array = np.ndarray
Shape = tuple[str, dict[str, object]]
_EQUAL = 0.02  # of the largest moment


def wheel(mass: float, inertia: Array, arm: Array, axis: int) -> Shape | None:
    """The flat cylinder of a body that turns about the axis through its centre of mass.

    `inertia` (3×3) is about the centre of mass, `arm` leads there from the joint.
    """
    moments = _moments(mass, inertia)
    off_axis = float(np.linalg.norm(np.delete(arm, axis)))
    if moments is None or not _is_round(moments, axis) or moments.argmax() != axis:
        return None
    shape, radius = _cylinder(mass, moments, axis)
    return shape if off_axis < 0.01 * radius else None


def loose(mass: float, inertia: Array, arm: Array) -> Shape | None:
    """The cylinder, the ball or the box of a body that may turn in every direction."""
    moments = _moments(mass, inertia)
    if moments is None:
        return None
    same = np.ptp(moments) <= _EQUAL * moments.max()
    if same and not arm.any():
        return "sphere", {"radius": float(np.sqrt(2.5 * moments[0] / mass))}
    axes = [int(np.argmax(np.abs(arm)))] if same else [k for k in range(3) if _is_round(moments, k)]
    if axes:
        return _cylinder(mass, moments, axes[0])[0]
    squares = 6 * (moments.sum() - 2 * moments) / mass
    return ("box", {"size": np.sqrt(squares).tolist()}) if squares.min() > 0 else None


def hint(shape: Shape, centre: Array) -> list[Solid]:
    """The parts of such a solid, drawn so that one sees through it."""
    return [replace(part, style="hint") for part in shape_parts(shape, centre, 0.0)]


def _moments(mass: float, inertia: Array) -> Array | None:
    """The moments of a body of some volume whose axes are principal, or nearly."""
    moments: Array = np.diag(inertia)
    products = float(np.abs(inertia - np.diag(moments)).max())
    known = mass > 0 and moments.min() > 0 and products <= _EQUAL * moments.max()
    return moments if known else None


def _is_round(moments: Array, axis: int) -> bool:
    """Whether the axis is one of symmetry, and the only one."""
    first, second = np.delete(moments, axis)
    least = _EQUAL * float(moments.max())
    return bool(abs(first - second) <= least < abs(moments[axis] - first))


def _cylinder(mass: float, moments: Array, axis: int) -> tuple[Shape, float]:
    """I = m r²/2 along its axis and m (3 r² + h²)/12 across; a disc is a little thick."""
    across = float(np.delete(moments, axis).mean())
    radius = float(np.sqrt(2 * moments[axis] / mass))
    length = float(np.sqrt(max(12 * across / mass - 3 * radius**2, (0.15 * radius) ** 2)))
    return ("cylinder", {"radius": radius, "length": length, "axis": "xyz"[axis]}), radius
