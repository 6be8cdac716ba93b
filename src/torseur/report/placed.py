"""A mechanism in one pose, in numbers: where every joint and every body is."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from torseur.algebra.expr import Expr, expression
from torseur.algebra.graph import evaluate, free_symbols
from torseur.dynamics.kinematics import ground_poses
from torseur.errors import ModelError, unknown
from torseur.joints.protocol import JointType
from torseur.joints.reversed import Reversed
from torseur.joints.screw import Screw
from torseur.mechanism.description import Mechanism
from torseur.mechanism.parameters import values as parameter_values
from torseur.spatial.pose import Pose
from torseur.spatial.rotation import Turn, from_matrix
from torseur.topology.spanning import spanning_tree
from torseur.topology.tree import Tree

Array = np.ndarray
_ANGLES = ("rad", "deg", "°")
_SWINGS = (0.5, 0.55, 0.4, 0.5, 0.6, 0.35)  # [rad] in turn, to show the structure
_SIGNS = ((1, -1), (-1, 1), (1, 1, -1, -1), (-1, -1, 1, 1), (1, -1, -1, 1), (-1, 1, 1, -1))
_SLIDE = 0.5  # of a usual lever


@final
@dataclass(frozen=True)
class Placed:
    """The joint frames F and the computing frames M of the bodies, in the ground."""

    mechanism: Mechanism
    tree: Tree  # with numbers in the place of expressions
    F: tuple[Pose, ...]
    M: tuple[Pose, ...]
    values: Mapping[str, float]
    assumed: tuple[str, ...]  # lengths without a value, taken as 1

    def points(self, body: int) -> dict[str, Array]:
        """The named points of a body, in the ground."""
        link = self.tree.links[body]
        X = self.M[body] @ link.X_MB
        return {
            point.name: X.point(_numbers(point.position, self.values))
            for point in self.mechanism.points.values()
            if point.body == link.name
        }

    def centre(self, body: int) -> Array:
        """The centre of mass of a body, in the ground."""
        link = self.tree.links[body]
        centre = self.mechanism.bodies[link.name].centre
        return (self.M[body] @ link.X_MB).point(_numbers(centre, self.values))

    @property
    def up(self) -> Array:
        """The vertical: against gravity, or the axis of its only component while it is a symbol."""
        gravity = [expression(x) for x in self.mechanism.gravity]
        known = self.mechanism.parameters
        if all(known.get(x.name) is not None for x in free_symbols(gravity)):
            field = _numbers(gravity, self.values)
            size = np.linalg.norm(field)
            return -field / size if size else np.array([0.0, 0.0, 1.0])
        axes = np.array([float(bool(free_symbols([x]))) for x in gravity])
        return axes / np.linalg.norm(axes)


def poses(
    mechanism: Mechanism, q: Any = None, parameters: Mapping[str, float] | None = None
) -> list[Placed]:
    """The mechanism at q (an array or a dict by name); without q, in poses to choose from.

    A length that has no value is 1, an angle 0.
    """
    tree = spanning_tree(mechanism)
    values, unvalued = _values(mechanism, tree, parameters)
    lengths = {x.name for x in free_symbols(list(_lengths(mechanism, tree)))}
    assumed = tuple(name for name in unvalued if name in lengths and values[name])
    links = (
        replace(
            link,
            joint=_with_numbers(link.joint, values),
            X_PF=_pose(link.X_PF, values),
            X_MB=_pose(link.X_MB, values),
        )
        for link in tree.links
    )
    tree = replace(tree, links=tuple(links))
    known = {name: value for name, value in values.items() if name not in unvalued}
    if q is not None:
        choices = [_given(mechanism, tree, q)]
    else:
        choices = [_showing(mechanism, tree, known, signs) for signs in _SIGNS]
    found = []
    for coordinates in choices:
        M = ground_poses(tree, coordinates)
        F = (M[link.parent] @ link.X_PF if link.parent >= 0 else link.X_PF for link in tree.links)
        found.append(Placed(mechanism, tree, tuple(F), tuple(M), values, assumed))
    return found


def _values(
    mechanism: Mechanism, tree: Tree, parameters: Mapping[str, float] | None
) -> tuple[dict[str, float], list[str]]:
    """A value for every symbol, and the symbols that had none."""
    table = mechanism.parameter_table
    angles = {x.name for x in free_symbols(list(_angles(tree)))}
    angles |= {name for name, parameter in table.items() if parameter.unit in _ANGLES}
    chosen = dict(parameters or {})
    unvalued = [name for name, p in table.items() if p.value is None and name not in chosen]
    chosen |= {name: 0.0 if name in angles else 1.0 for name in unvalued}
    known = {name: float(x or 0.0) for name, x in parameter_values(table, chosen).items()}
    symbols = {x.name for x in free_symbols([*_lengths(mechanism, tree), *_angles(tree)])}
    loose = sorted(symbols - set(known))
    known |= {name: 0.0 if name in angles else 1.0 for name in loose}
    return known, [*unvalued, *loose]


def _lengths(mechanism: Mechanism, tree: Tree) -> Iterator[Expr]:
    for link in tree.links:
        yield from (expression(x) for X in (link.X_PF, link.X_MB) for x in X.p)
    for point in mechanism.points.values():
        yield from (expression(x) for x in point.position)


def _angles(tree: Tree) -> Iterator[Expr]:
    for link in tree.links:
        for factor in (*link.X_PF.R.factors, *link.X_MB.R.factors):
            if isinstance(factor, Turn):
                yield expression(factor.angle)


def _numbers(values: Any, known: Mapping[str, float]) -> Array:
    return np.asarray(evaluate(np.asarray(values, dtype=object), known), dtype=float)


def _pose(X: Pose, known: Mapping[str, float]) -> Pose:
    return Pose(_numbers(X.p, known), from_matrix(_numbers(X.R.matrix, known)))


def _with_numbers(joint: JointType, known: Mapping[str, float]) -> JointType:
    if isinstance(joint, Reversed):
        return Reversed(_with_numbers(joint.kind, known))
    if isinstance(joint, Screw):
        lead = expression(joint.lead)
        missing = {x.name: 0.1 for x in free_symbols([lead]) if x.name not in known}
        return replace(joint, lead=float(evaluate(lead, {**missing, **known})))
    return joint


# --- coordinates --------------------------------------------------------------------------------


def _given(mechanism: Mechanism, tree: Tree, q: Any) -> Array:
    names = mechanism.coordinates
    if isinstance(q, Mapping):
        for name in q:
            if name not in names:
                raise unknown("q", "coordinate", name, names)
        neutral = np.zeros(tree.nq)
        for link in tree.links:
            neutral[link.q] = link.joint.neutral()
        return np.array([q.get(name, x) for name, x in zip(names, neutral, strict=True)], float)
    array = np.asarray(q, dtype=float)
    if array.shape != (len(names),):
        problem = f"expected {len(names)} values, got an array of shape {array.shape}."
        raise ModelError("q", problem, f"In this order: {', '.join(names)}.")
    return array


def _showing(
    mechanism: Mechanism, tree: Tree, known: Mapping[str, float], signs: tuple[int, ...]
) -> Array:
    """The initial values that were given; else angles with these signs, and slides out."""
    levers = [size for link in tree.links if (size := float(np.linalg.norm(link.X_PF.p))) > 0]
    slide = _SLIDE * (float(np.median(levers)) if levers else 1.0)
    q, turned = np.zeros(tree.nq), 0
    for link in tree.links:
        joint = mechanism.joints[link.joint_name]
        own = np.array(link.joint.neutral(), dtype=float)
        for k, unit in enumerate(link.joint.coordinate_units):
            if unit == "m":
                own[k] = slide
            elif unit == "rad":
                own[k] = signs[turned % len(signs)] * _SWINGS[turned % len(_SWINGS)]
                turned += 1
            own[k] = _within(joint.limits[k] if k < len(joint.limits) else None, own[k], known)
            start = mechanism.initial.get(joint.coordinates[k])
            if start is not None and all(x.name in known for x in free_symbols([start])):
                own[k] = float(evaluate(expression(start), known))
        if link.joint.coordinate_units[-4:] == ("1",) * 4 and tuple(own[-4:]) == (1, 0, 0, 0):
            own[-4:] = np.array([0.92, 0.2, 0.3, 0.15]) / np.linalg.norm([0.92, 0.2, 0.3, 0.15])
        q[link.q] = own
    return q


def _within(limits: tuple[Expr, Expr] | None, value: float, known: Mapping[str, float]) -> float:
    """The value, or the nearest limit when both have values."""
    if limits is None or any(x.name not in known for x in free_symbols(limits)):
        return value
    low, high = _numbers(list(limits), known)
    return float(np.clip(value, low, high)) if low < high else value
