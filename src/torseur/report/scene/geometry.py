"""The geometry of a mechanism in numbers, lengths without a value included."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, final

import numpy as np

from torseur.algebra.core.expr import Expr, expression
from torseur.algebra.core.graph import evaluate, free_symbols
from torseur.dynamics.tree.kinematics import ground_poses
from torseur.model.description import Mechanism
from torseur.model.joints.freedoms import Slide as Sliding
from torseur.model.joints.freedoms import Turn as Turning
from torseur.model.joints.symbol import freedoms_of
from torseur.model.parameters import values as parameter_values
from torseur.model.values.numeric import numeric_mechanism, tree_parameters
from torseur.spatial.pose import Pose
from torseur.spatial.rotation import AxisTurn
from torseur.topology.structure import Structure, structure

Array = np.ndarray
_ANGLES = ("rad", "deg", "°")
_OTHER = 0.1  # what is neither a length nor an angle, and has no value: the lead of a screw [m/rad]


@final
@dataclass(frozen=True)
class SceneGeometry:
    """The tree and the closing joints with numbers; a length that has no value is 1, an angle 0."""

    mechanism: Mechanism  # as it was described
    numeric: Mechanism  # its bodies and joints with numbers in the place of expressions
    structure: Structure  # of these; its cuts are joints
    values: Mapping[str, float]  # of every symbol
    unvalued: tuple[str, ...]  # the symbols that had no value
    assumed: tuple[str, ...]  # those of them that are lengths, taken as 1

    @property
    def known(self) -> dict[str, float]:
        """The values that were given."""
        return {name: x for name, x in self.values.items() if name not in self.unvalued}

    def numbers(self, values: Any) -> Array:
        """Expressions as floats."""
        return np.asarray(evaluate(np.asarray(values, dtype=object), self.values), dtype=float)

    def dimensions(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The dimensions of a solid as floats; a direction is a text."""
        return {
            key: x if isinstance(x, str) else self.numbers(x).tolist() for key, x in given.items()
        }

    def limits(self, given: tuple[Expr, Expr] | None) -> tuple[float, float] | None:
        """The limits of a coordinate, if both have values and the first is the lower."""
        if given is None or any(x.name not in self.known for x in free_symbols(given)):
            return None
        low, high = map(float, self.numbers(list(given)))
        return (low, high) if low < high else None

    def pose(self, X: Pose) -> Pose:
        """A pose with numbers."""
        return X.numeric(lambda x: float(evaluate(expression(x), self.values)))

    @cached_property
    def up(self) -> Array:
        """The vertical: against gravity, or the axis of its only component while it is a symbol."""
        if self._weighs:
            field = self.gravity
            size = np.linalg.norm(field)
            return -field / size if size else self._weightless_up
        axes = np.array([float(bool(free_symbols([x]))) for x in self._field])
        return np.asarray(axes / np.linalg.norm(axes))

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
        poses = ground_poses(tree, tree.neutral)
        freedoms = [
            (freedom, link.joint.nv, X.R.matrix[:, freedom.axis])
            for X, link in zip(poses, tree.links, strict=True)
            for freedom in freedoms_of(self.mechanism.joints[link.joint_name].kind)
            if isinstance(freedom, Turning | Sliding)
        ]
        axes = [axis for x, nv, axis in freedoms if isinstance(x, Turning) and nv == 1]
        if not axes:
            flat = all(abs(axis[2]) == isinstance(x, Turning) for x, _, axis in freedoms)
            flat = flat and np.ptp([X.p[2] for X in poses]) == 0
            return np.asarray(np.eye(3)[1 if freedoms and flat else 2])
        plane = all(np.linalg.norm(np.cross(axis, axes[0])) < 1e-6 for axis in axes)
        return np.asarray(np.eye(3)[1 if plane and abs(axes[0][2]) > 0.9 else 2])


def geometry(
    mechanism: Mechanism, parameters: Mapping[str, float | None] | None = None
) -> SceneGeometry:
    """The geometry of a mechanism, with these values of parameters in place of its own."""
    lengths, angles = _lengths(mechanism), _angles(mechanism)
    values, unvalued = _values(mechanism, parameters, lengths, angles)
    assumed = tuple(name for name in unvalued if name in lengths and values[name])
    numeric = numeric_mechanism(mechanism, values)
    whole = structure(numeric)
    reduced = replace(whole, cuts=tuple(cut for cut in whole.cuts if cut.name in mechanism.joints))
    return SceneGeometry(mechanism, numeric, reduced, values, tuple(unvalued), assumed)


def _values(
    mechanism: Mechanism,
    parameters: Mapping[str, float | None] | None,
    lengths: set[str],
    angles: set[str],
) -> tuple[dict[str, float], list[str]]:
    """A value for every symbol, and the symbols that had none."""
    table = mechanism.parameter_table
    angles = angles | {name for name, parameter in table.items() if parameter.unit in _ANGLES}
    chosen = {name: x for name, x in (parameters or {}).items() if x is not None}
    unvalued = [name for name, p in table.items() if p.value is None and name not in chosen]
    chosen |= {name: 0.0 if name in angles else 1.0 for name in unvalued}
    known = {name: float(x or 0.0) for name, x in parameter_values(table, chosen).items()}
    loose = sorted((lengths | angles | set(tree_parameters(mechanism))) - set(known))
    known |= {n: 0.0 if n in angles else 1.0 if n in lengths else _OTHER for n in loose}
    return known, [*unvalued, *loose]


def _lengths(mechanism: Mechanism) -> set[str]:
    """The symbols of the places of joints and points."""
    places = [X.p for joint in mechanism.joints.values() for X in (joint.X_AF, joint.X_BM)]
    places += [point.position for point in mechanism.points.values()]
    return _symbols(x for place in places for x in place)


def _angles(mechanism: Mechanism) -> set[str]:
    """The symbols of the angles by which frames of joints are turned."""
    poses = [X for joint in mechanism.joints.values() for X in (joint.X_AF, joint.X_BM)]
    factors = (factor for X in poses for factor in X.R.factors)
    return _symbols(factor.angle for factor in factors if isinstance(factor, AxisTurn))


def _symbols(values: Any) -> set[str]:
    return {x.name for x in free_symbols([expression(value) for value in values])}
