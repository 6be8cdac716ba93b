"""A tree of bodies as one array of numbers, a row a body, ready for the loop kernels.

The axes of every computing frame are exchanged so that the axis of its joint is z. Bodies are
numbered depth first, which keeps a carrier near what it carries.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np

from torseur.backends.loops import places as at
from torseur.backends.loops.quantities import Quantities, factor_axes, plain, quantities, rotations
from torseur.errors import ModelError
from torseur.joints.cylindrical import Cylindrical
from torseur.joints.fixed import Fixed
from torseur.joints.free import Free
from torseur.joints.planar import Planar
from torseur.joints.prismatic import Prismatic
from torseur.joints.reversed import Reversed
from torseur.joints.revolute import Revolute
from torseur.joints.screw import Screw
from torseur.joints.spherical import Spherical
from torseur.joints.universal import Universal
from torseur.topology.tree import GROUND_INDEX, Link, Tree

Array = np.ndarray
KINDS: dict[type, int] = {
    Revolute: at.AXIAL,
    Prismatic: at.AXIAL,
    Screw: at.AXIAL,
    Fixed: at.FIXED,
    Cylindrical: at.CYLINDRICAL,
    Universal: at.UNIVERSAL,
    Spherical: at.SPHERICAL,
    Planar: at.PLANAR,
    Free: at.FREE,
}
_UPPER = ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))
_THREE = np.arange(3)


@final
@dataclass(frozen=True)
class TreeArrays:
    """The numbers of a tree at one set of parameters."""

    bodies: Array  # (1 + n, MODEL_WIDTH), the ground first; the columns are those of `places`
    joints: tuple[str, ...]  # the name of the joint of each row

    @property
    def parents(self) -> Array:
        """(n,): the row of the carrier of each body; 0 is the ground."""
        return self.bodies[1:, at.PARENT].astype(int)

    @property
    def loose(self) -> list[str]:
        """The joints at the tips of the tree whose motion no inertia resists."""
        bodies, K = self.bodies[1:], at.SECOND_MOMENT
        about, along = bodies[:, K] + bodies[:, K + 3], bodies[:, at.MASS]
        turn, slide = bodies[:, at.TURN], bodies[:, at.SLIDE]
        D = turn**2 * about + slide**2 * along + bodies[:, at.REFLECTED]
        tip = np.bincount(self.parents, minlength=len(self.bodies))[1:] == 0
        found = np.flatnonzero(tip & (bodies[:, at.KIND] == at.AXIAL) & (D <= 0.0))
        return [self.joints[1 + i] for i in found]


@final
@dataclass(frozen=True)
class TreeSource:
    """A tree whose numbers may be expressions of parameters, ordered and sorted once for all."""

    tree: Tree
    gravity: Array  # the field in ground axes

    @cached_property
    def _links(self) -> list[Link]:
        return [self.tree.links[i] for i in depth_first(self.tree)]

    @cached_property
    def _quantities(self) -> Quantities:
        return quantities(self._links, self.gravity)

    @cached_property
    def _factor_axes(self) -> Array:
        return factor_axes(self._links)

    @cached_property
    def _codes(self) -> tuple[Array, Array]:
        """Columns PARENT to SLIDE or FIRST_AXIS, and which axes become x, y and z (n, 3)."""
        row_of = np.zeros(len(self.tree) + 1)  # the last: the ground
        row_of[depth_first(self.tree)] = np.arange(1, len(self.tree) + 1)
        codes, axes = np.zeros((len(self.tree), 6)), np.zeros((len(self.tree), 3), dtype=int)
        for i, link in enumerate(self._links):
            z, first, second = _joint(link)
            axes[i] = (_THREE + z + 1) % 3
            kind, starts = KINDS[type(plain(link))], (link.q.start, link.v.start)
            codes[i] = row_of[link.parent], kind, *starts, first, second
        return codes, axes

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """The parameters that the numbers depend on."""
        return self._quantities.parameters

    def numeric(self, values: Mapping[str, float]) -> TreeArrays:
        """The arrays at these values of the parameters."""
        numbers = self._quantities.numeric(values)
        codes, axes = self._codes
        made = np.zeros((1 + len(codes), at.MODEL_WIDTH))
        made[0, : at.GRAVITY] = len(self.tree), self.tree.nq, self.tree.nv
        made[0, at.GRAVITY : at.GRAVITY + 3] = numbers.gravity
        made[1:, : codes.shape[1]] = codes
        _write(made[1:], axes, numbers, rotations(self._factor_axes, numbers))
        return TreeArrays(made, ("", *(link.joint_name or link.name for link in self._links)))


def _write(bodies: Array, own: Array, numbers: Quantities, R_PF: Array) -> None:
    """The columns from ROTATION on, in the axes of each body and of its carrier."""
    i = np.arange(len(bodies))[:, np.newaxis]
    parents = bodies[:, at.PARENT].astype(int) - 1
    carrier = np.vstack([own, _THREE])[parents]  # the last: the ground keeps its axes
    exchanged = R_PF[i[:, :, np.newaxis], carrier[:, :, np.newaxis], own[:, np.newaxis]]
    K = numbers.K[i[:, :, np.newaxis], own[:, :, np.newaxis], own[:, np.newaxis]]
    reflected = numbers.ratio * numbers.j
    screws = numbers.lead != 0.0
    bodies[screws, at.SLIDE] = bodies[screws, at.TURN] * numbers.lead[screws]
    bodies[:, at.ROTATION : at.POSITION] = exchanged.reshape(-1, 9)
    bodies[:, at.POSITION : at.MASS] = numbers.p[i, carrier]
    bodies[:, at.MASS] = numbers.m
    bodies[:, at.FIRST_MOMENT : at.SECOND_MOMENT] = numbers.h[i, own]
    bodies[:, at.SECOND_MOMENT : at.REFLECTED] = K[:, *zip(*_UPPER, strict=True)]
    bodies[:, at.REFLECTED] = numbers.ratio * reflected
    bodies[:, at.SPIN : at.SPIN + 3] = reflected[:, np.newaxis] * numbers.axis[i, carrier]


def depth_first(tree: Tree) -> list[int]:
    """The bodies in an order where each is followed by everything it carries."""
    carried: list[list[int]] = [[] for _ in range(len(tree) + 1)]  # the last: by the ground
    for i, link in tree.backwards():
        carried[link.parent].append(i)
    order, waiting = [], carried[GROUND_INDEX]
    while waiting:
        i = waiting.pop()
        order.append(i)
        waiting.extend(carried[i])
    return order


def covers(joints: Sequence[Any]) -> bool:
    """Whether the kernels know every one of these joint types."""
    return all(type(getattr(joint, "kind", joint)) in KINDS for joint in joints)


def _joint(link: Link) -> tuple[int, float, float]:
    """The axis that becomes z, and columns TURN and SLIDE, or REVERSED and FIRST_AXIS."""
    joint, backwards = plain(link), isinstance(link.joint, Reversed)
    if link.rotor is not None and KINDS[type(joint)] != at.AXIAL:
        raise ModelError(
            f'joint "{link.joint_name or link.name}"',
            f"it has a rotor and {joint.nv} degrees of freedom, not one.",
            "Give the rotor to a revolute, a prismatic or a screw joint.",
        )
    sign = -1.0 if backwards else 1.0
    if isinstance(joint, Revolute | Screw):
        return joint.axis, sign, 0.0
    if isinstance(joint, Prismatic):
        return joint.axis, 0.0, sign
    if isinstance(joint, Cylindrical):
        return joint.axis, float(backwards), 0.0
    if isinstance(joint, Planar):
        return joint.normal, float(backwards), 0.0
    if isinstance(joint, Universal):
        return joint.second, float(backwards), float((joint.first - joint.second - 1) % 3)
    return 2, float(backwards), 0.0
