"""A movement and its stage as compact JSON that a page carries."""

import base64
from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any

import numpy as np

from torseur.algebra.calculus.derivative import jacobian
from torseur.algebra.core.expr import ZERO, Expr, expression, symbol
from torseur.algebra.core.graph import evaluate, expressions, free_symbols, substitute
from torseur.model.constraints.selection import restraints
from torseur.model.contact.elements import elements
from torseur.model.description import GROUND
from torseur.named_words import Words, report_words
from torseur.report.pages.json_documents import json_text
from torseur.report.scene.camera import Frames, angles
from torseur.report.scene.geometry import SceneGeometry
from torseur.report.scene.movement import Movement, Touches
from torseur.report.scene.panels import curve_name, curve_unit
from torseur.report.scene.scene import Scene, scene
from torseur.report.scene.scene_solids import (
    BallPart,
    CylinderPart,
    Limb,
    MeshPart,
    Polyline,
    Solid,
)
from torseur.report.scene.skeleton import best
from torseur.report.scene.snapshot import outlook
from torseur.report.scene.ties import strands
from torseur.simulation.run.quantities import Curve
from torseur.spatial import quaternion
from torseur.spatial.pose import Pose
from torseur.spatial.rotation import AxisTurn

Array = np.ndarray
_FIGURES = 6
_WHOLE = 32767  # the largest of small whole numbers
_NAMED = 64  # contacts whose names are written

# Translation "t" or rotation "r": axis, coordinate, factor. "q": the quaternion that starts there.
Step = tuple[str, int, int, float]
KINDS: Mapping[type, str] = {  # by which the script of the page draws a solid
    Limb: "limb",
    CylinderPart: "cylinder",
    BallPart: "ball",
    MeshPart: "mesh",
    Polyline: "path",
}


def embedded(movement: Movement, words: Words | None = None) -> str:
    """The JSON document of a movement, safe inside a <script> element."""
    return carried(document(movement, words))


def carried(content: Mapping[str, Any]) -> str:
    """A document as JSON that is safe inside a <script> element."""
    text = json_text(content, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def document(
    movement: Movement, words: Words | None = None, unit: float | None = None
) -> dict[str, Any]:
    """Everything the page shows: bodies, poses, joints, points, curves, and from where it looks.

    Joints are drawn by a `unit` of length, or as the mechanism and its travels ask for. Curves are
    named in the language of the words, or in that spoken.
    """
    words = words or report_words(None)
    geometry, frames = movement.geometry, movement.frames
    mechanism, solids = geometry.mechanism, scene(movement, unit=unit)
    index = {name: k for k, name in enumerate(frames)}
    return {
        "name": mechanism.name,
        "unit": _short(solids.size.unit),
        "axis": {"name": movement.axis.name, "unit": movement.axis.unit},
        "s": packed(movement.axis.values, np.float64),
        "poses": packed(poses(frames)),
        "bodies": [_body(movement, solids, name) for name in frames],
        "joints": _joints(movement, index),
        "points": [
            {"name": p.name, "body": index[p.body], "at": _numbers(geometry.numbers(p.position))}
            for p in mechanism.points.values()
        ],
        "ties": [
            {
                "name": tie.name,
                "style": tie.style,
                "strands": strands(tie.style),
                "shift": tie.shift,
                "ends": [[index[body], _numbers(place)] for body, place in tie.ends],
            }
            for tie in solids.ties
        ],
        "gravity": _numbers(geometry.gravity),
        "curves": [_panel(kind, curves, words) for kind, curves in movement.curves.items()],
        "offered": [_offer(curve, words) for curve in movement.offered],
        "events": [
            {"name": x.name, "at": float(x.t), "cause": x.cause, "effect": x.effect}
            for x in movement.events
        ],
        "touches": _touches(movement.touches),
        "touching": bool(mechanism.contacts),  # ever, if not at these samples
        "camera": _camera(movement, solids),
        "tree": _tree(geometry, movement.q[0], index) if len(movement.q) == 1 else None,
    }


def packed(values: Array, kind: type = np.float32) -> str:
    """Numbers as little-endian bytes in base64."""
    data = np.ascontiguousarray(values, dtype=np.dtype(kind).newbyteorder("<"))
    return base64.b64encode(data.tobytes()).decode()


def poses(frames: dict[str, Frames]) -> Array:
    """Position and quaternion (x, y, z, w) of each body but the ground (samples, bodies, 7)."""
    columns = []
    for name, (R, p) in frames.items():
        if name != GROUND:
            quaternions = _scalar_last(quaternion.from_matrix(np.moveaxis(R, 0, -1)).T)
            turns = (quaternions[1:] * quaternions[:-1]).sum(axis=1) < 0
            signs = np.where(np.cumsum([False, *turns]) % 2, -1.0, 1.0)
            columns.append(np.concatenate([p, signs[:, None] * quaternions], axis=1))
    return np.stack(columns, axis=1)


def _body(movement: Movement, scene: Scene, name: str) -> dict[str, Any]:
    body = movement.geometry.numeric.bodies.get(name) if name != GROUND else None
    return {
        "name": name,
        "parts": [_part(part) for part in scene.parts[name]],
        "places": [_numbers(place) for place in scene.places[name]],
        "mass": _short(body.mass) if body else 0.0,
        "centre": _numbers(body.centre) if body else [0, 0, 0],
    }


def _part(part: Solid) -> dict[str, Any]:
    """The fields of a solid, and its kind."""
    values = {field.name: getattr(part, field.name) for field in fields(part)}
    return {"kind": KINDS[type(part)]} | {k: _plain(x) for k, x in values.items()}


def _plain(value: Any) -> Any:
    """Numbers with a few figures, arrays as lists; words and indices as they are."""
    if isinstance(value, float):
        return _short(value)
    if isinstance(value, np.ndarray):
        return [_plain(x) for x in value]
    return [_plain(x) for x in value] if isinstance(value, tuple) else value


def _joints(movement: Movement, index: dict[str, int]) -> list[dict[str, Any]]:
    """Each joint with its place on its second body, and its reaction when it is known."""
    forces = {name: packed(force) for name, force in movement.reactions.items()}
    return [
        {
            "name": joint.name,
            "type": joint.kind.names[0],
            "bodies": [index[joint.first], index[joint.second]],
            "at": _numbers(joint.X_BM.p),
            "force": forces.get(joint.name),
        }
        for joint in movement.geometry.numeric.joints.values()
    ]


def _touches(touches: Touches | None) -> dict[str, Any] | None:
    """Contacts; forces are relative to the largest, which is 32 767."""
    if touches is None or not len(touches.which):
        return None
    forces = np.concatenate([touches.normal, touches.friction], axis=1)
    largest = float(np.abs(forces).max())
    share = _WHOLE / largest if largest else 0.0
    return {
        "names": touches.names if len(touches.names) <= _NAMED else [],
        "starts": packed(touches.starts, np.uint32),
        "which": packed(touches.which, np.uint32),
        "states": packed(touches.states, np.uint8),
        "places": packed(touches.places),
        "forces": packed((share * forces).round(), np.int16),
        "newton": 1 / share if share else 0.0,
        "usual": touches.usual,
    }


def _panel(kind: str, curves: Iterable[Curve], words: Words) -> dict[str, Any]:
    lines = [{"name": curve_name(x, words), "values": packed(x.values)} for x in curves]
    title, unit = kind.split(" ")[0], next(iter(curves)).unit
    return {"title": title, "unit": curve_unit(unit, words), "lines": lines}


def _offer(curve: Curve, words: Words) -> dict[str, Any]:
    """A curve in small whole numbers: from its least value to its largest in 65 534 steps."""
    low, high = float(curve.values.min()), float(curve.values.max())
    step = (high - low) / (2 * _WHOLE) or 1.0
    steps = ((curve.values - (low + high) / 2) / step).round()
    of = {"middle": (low + high) / 2, "step": step, "values": packed(steps, np.int16)}
    return {"name": curve_name(curve, words), "unit": curve_unit(curve.unit, words), **of}


def _camera(movement: Movement, scene: Scene) -> dict[str, Any]:
    """From where the mechanism is seen best, as angles about the vertical."""
    geometry = movement.geometry
    sample = len(movement.q) // 3
    view, oblique = outlook(movement, scene, sample), best(movement, [sample])[1]
    first, azimuth, elevation = angles(view, geometry.up)
    return {
        "up": _numbers(geometry.up),
        "first": _numbers(first),
        "azimuth": _short(azimuth),
        "elevation": _short(elevation),
        "oblique": _numbers(angles(oblique, geometry.up)[1:]),
    }


# --- a tree that its reader moves ---------------------------------------------------------------


def _tree(geometry: SceneGeometry, q: Array, index: dict[str, int]) -> list[dict[str, Any]] | None:
    """The joints in the order of the tree, with the elementary motions of their coordinates."""
    if geometry.structure.cuts or restraints(geometry.mechanism) or elements(geometry.mechanism):
        return None
    return [_link(geometry, link, q, index) for link in geometry.structure.tree.links]


def _link(geometry: SceneGeometry, link: Any, q: Array, index: dict[str, int]) -> dict[str, Any]:
    joint = geometry.numeric.joints[link.joint_name]
    kind, F, M, motions = joint.kind, joint.X_AF, joint.X_BM, steps(joint.kind)
    if motions is None:  # it stays as it is
        F, motions = F @ kind.transform(q[link.q]), []
    return {
        "bodies": [index[joint.first], index[joint.second]],
        "backwards": joint.second != link.name,
        "F": _seven(F),
        "M": _seven(M),
        "steps": motions,
        "names": joint.coordinates if motions else [],
        "units": kind.coordinate_units,
        "limits": [x and _numbers(x) for x in map(geometry.limits, joint.limits)],
        "q": _numbers(q[link.q]),
    }


def steps(kind: Any) -> list[Step] | None:
    """The elementary motions from F to M in order; None where they are not proportional.

    They are read from the pose that the joint gives on symbols: a vector, then rotations.
    """
    q = [symbol(f"q{k}", "coordinate") for k in range(kind.nq)]
    X = kind.transform(np.array(q, dtype=object))
    motions: list[Step] = []
    for axis, x in enumerate(X.p):
        factors = _factors(expression(x), q)
        if factors is None:
            return None
        motions += [("t", axis, k, factor) for k, factor in factors.items()]
    for rotation in X.R.factors:
        if not isinstance(rotation, AxisTurn):
            if not kind.turning:
                return None
            motions.append(("q", 0, kind.nq - 4, 1.0))
            continue
        factors = _factors(expression(rotation.angle), q)
        if factors is None:
            return None
        motions += [("r", rotation.axis, k, factor) for k, factor in factors.items()]
    return motions


def _factors(x: Expr, q: list[Expr]) -> dict[int, float] | None:
    """The constant factors of a sum of coordinates; None if it is anything else."""
    slopes: list[Expr] = list(expressions(jacobian([x], q)).ravel()) if q else []
    if free_symbols(slopes):
        return None
    values = [float(evaluate(slope, {})) for slope in slopes]
    at_rest = substitute(x, dict.fromkeys(q, ZERO))
    if free_symbols([at_rest]) or float(evaluate(at_rest, {})) != 0.0:
        return None
    return {k: value for k, value in enumerate(values) if value}


def _seven(X: Pose) -> list[float]:
    R = np.asarray(X.R.matrix, dtype=float)
    return _numbers([*X.p, *_scalar_last(quaternion.from_matrix(R))])


def _scalar_last(attitude: Array) -> Array:
    """(x, y, z, w) of (w, x, y, z), as scripts of pages have them."""
    return np.roll(attitude, -1, axis=-1)


def _short(number: Any) -> float:
    return float(f"{float(number):.{_FIGURES}g}")


def _numbers(values: Any) -> list[float]:
    return [_short(x) for x in values]
