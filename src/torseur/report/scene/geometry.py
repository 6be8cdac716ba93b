"""The geometry of a mechanism in numbers, lengths without a value included."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from torseur.algebra.core.expr import Expr, expression
from torseur.algebra.core.graph import evaluate, free_symbols
from torseur.dynamics.tree.kinematics import ground_poses
from torseur.model.description import Mechanism
from torseur.model.joints.defined import Defined
from torseur.model.joints.distance import Distance
from torseur.model.joints.reversed import Reversed
from torseur.model.joints.revolute import Revolute
from torseur.model.joints.screw import Screw
from torseur.model.parameters import values as parameter_values
from torseur.spatial.pose import Pose
from torseur.spatial.rotation import Turn, from_matrix
from torseur.topology.structure import Structure, structure
from torseur.topology.tree import Tree

Array = np.ndarray
_ANGLES = ("rad", "deg", "°")
_LEAD = 0.1  # of a screw without a value [m/rad]


@final
@dataclass(frozen=True)
class Geometry:
    """The tree and the closing joints with numbers; a length that has no value is 1, an angle 0."""

    mechanism: Mechanism
    structure: Structure  # with numbers in the place of expressions; its cuts are joints
    values: Mapping[str, float]  # of every symbol
    unvalued: tuple[str, ...]  # the symbols that had no value
    assumed: tuple[str, ...]  # those of them that are lengths, taken as 1

    @property
    def known(self) -> dict[str, float]:
        """The values that were given."""
        return {name: x for name, x in self.values.items() if name not in self.unvalued}

    def numbers(self, values: Any) -> Array:
        """Expressions as floats."""
        return numbers(values, self.values)

    def pose(self, X: Pose) -> Pose:
        """A pose with numbers."""
        return _pose(X, self.values)

    @property
    def up(self) -> Array:
        """The vertical: against gravity, or the axis of its only component while it is a symbol."""
        if self._weighs:
            field = self.gravity
            size = np.linalg.norm(field)
            return -field / size if size else self._weightless_up
        axes = np.array([float(bool(free_symbols([expression(x)]))) for x in self._field])
        return axes / np.linalg.norm(axes)

    @property
    def gravity(self) -> Array:
        """The field [m/s²]; while it is a symbol, 1 downwards."""
        return self.numbers(self._field) if self._weighs else -self.up

    @property
    def _field(self) -> list[Expr]:
        return [expression(x) for x in self.mechanism.gravity]

    @property
    def _weighs(self) -> bool:
        """Whether gravity has a value."""
        return all(x.name in self.known for x in free_symbols(self._field))

    @property
    def _weightless_up(self) -> Array:
        """Without gravity: z, or an axis of the plane that a plane mechanism moves in."""
        tree = self.structure.tree
        frames = ground_poses(tree, neutral(tree))
        kinds = (
            link.joint.kind if isinstance(link.joint, Reversed) else link.joint
            for link in tree.links
        )
        axes = [
            X.R.matrix[:, kind.axis]
            for X, kind in zip(frames, kinds, strict=True)
            if isinstance(kind, Revolute)
        ]
        normal = axes[0] if axes else np.zeros(3)
        plane = all(np.linalg.norm(np.cross(axis, normal)) < 1e-6 for axis in axes)
        z, y = np.eye(3)[2], np.eye(3)[1]
        return y if plane and abs(normal @ z) > 0.9 else z


def neutral(tree: Tree) -> Array:
    """The coordinates at which the frames of every joint coincide."""
    q = np.zeros(tree.nq)
    for link in tree.links:
        q[link.q] = link.joint.neutral()
    return q


def geometry(mechanism: Mechanism, parameters: Mapping[str, float] | None = None) -> Geometry:
    """The geometry of a mechanism, with these values of parameters in place of its own."""
    whole = structure(mechanism)
    found = replace(whole, cuts=tuple(cut for cut in whole.cuts if cut.name in mechanism.joints))
    values, unvalued = _values(mechanism, found, parameters)
    lengths = {x.name for x in free_symbols(list(_lengths(mechanism, found)))}
    assumed = tuple(name for name in unvalued if name in lengths and values[name])
    return Geometry(mechanism, _numeric(found, values), values, tuple(unvalued), assumed)


def numbers(values: Any, known: Mapping[str, float]) -> Array:
    """Expressions as floats, at the values of symbols."""
    return np.asarray(evaluate(np.asarray(values, dtype=object), known), dtype=float)


def _values(
    mechanism: Mechanism, found: Structure, parameters: Mapping[str, float] | None
) -> tuple[dict[str, float], list[str]]:
    """A value for every symbol, and the symbols that had none."""
    table = mechanism.parameter_table
    angles = {x.name for x in free_symbols(list(_angles(found)))}
    angles |= {name for name, parameter in table.items() if parameter.unit in _ANGLES}
    chosen = dict(parameters or {})
    unvalued = [name for name, p in table.items() if p.value is None and name not in chosen]
    chosen |= {name: 0.0 if name in angles else 1.0 for name in unvalued}
    known = {name: float(x or 0.0) for name, x in parameter_values(table, chosen).items()}
    symbols = {x.name for x in free_symbols([*_lengths(mechanism, found), *_angles(found)])}
    loose = sorted(symbols - set(known))
    known |= {name: 0.0 if name in angles else 1.0 for name in loose}
    return known, [*unvalued, *loose]


def _placements(found: Structure) -> Iterator[Pose]:
    for link in found.tree.links:
        yield from (link.X_PF, link.X_MB)
    for cut in found.cuts:
        yield from (cut.X_AF, cut.X_BM)


def _lengths(mechanism: Mechanism, found: Structure) -> Iterator[Expr]:
    for X in _placements(found):
        yield from map(expression, X.p)
    for point in mechanism.points.values():
        yield from map(expression, point.position)


def _angles(found: Structure) -> Iterator[Expr]:
    for X in _placements(found):
        for factor in X.R.factors:
            if isinstance(factor, Turn):
                yield expression(factor.angle)


def _numeric(found: Structure, known: Mapping[str, float]) -> Structure:
    links = (
        replace(
            link,
            joint=_with_numbers(link.joint, known),
            X_PF=_pose(link.X_PF, known),
            X_MB=_pose(link.X_MB, known),
        )
        for link in found.tree.links
    )
    cuts = (
        replace(
            cut,
            joint=_with_numbers(cut.joint, known),
            X_AF=_pose(cut.X_AF, known),
            X_BM=_pose(cut.X_BM, known),
        )
        for cut in found.cuts
    )
    return replace(found, tree=replace(found.tree, links=tuple(links)), cuts=tuple(cuts))


def _pose(X: Pose, known: Mapping[str, float]) -> Pose:
    return Pose(numbers(X.p, known), from_matrix(numbers(X.R.matrix, known)))


def _with_numbers(joint: Any, known: Mapping[str, float]) -> Any:
    """A joint type with numbers for its lead, its length or its parameters."""

    def number(x: Any, otherwise: float = 1.0) -> float:
        missing = {s.name: otherwise for s in free_symbols([expression(x)]) if s.name not in known}
        return float(evaluate(expression(x), {**missing, **known}))

    if isinstance(joint, Reversed):
        return Reversed(_with_numbers(joint.kind, known))
    if isinstance(joint, Screw):
        return replace(joint, lead=number(joint.lead, _LEAD))
    if isinstance(joint, Distance):
        return replace(joint, length=number(joint.length))
    if isinstance(joint, Defined):
        return replace(joint, values=tuple((x, number(x)) for x in joint.parameters))
    return joint
