"""A tree of numbers as one array, a row a body, ready for the loop kernels.

The axes of every computing frame are exchanged so that the axis of its joint is z. Bodies are
numbered depth first, which keeps a carrier near what it carries.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from torseur.dynamics.recursions import row_places as at
from torseur.errors import ModelError
from torseur.model.joints.freedoms import Ball, Helix, Slide, Turn, only
from torseur.model.joints.protocol import JointType
from torseur.topology.tree import GROUND_INDEX, Link, Tree
from torseur.words.sentence import say

Array = np.ndarray
_UPPER = ((0, 0, 0, 1, 1, 2), (0, 1, 2, 1, 2, 2))  # rows and columns of xx, xy, xz, yy, yz, zz
_XYZ = np.arange(3)


@final
@dataclass(frozen=True)
class TreeArrays:
    """The numbers of a tree at one set of parameters."""

    bodies: Array  # (1 + n, MODEL_WIDTH), the ground first; the columns are those of `row_places`
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
        massless = np.flatnonzero(tip & (bodies[:, at.FREEDOMS] == at.AXIAL) & (D <= 0.0))
        return [self.joints[1 + i] for i in massless]


def tree_arrays(tree: Tree, gravity: Array) -> TreeArrays:
    """The arrays of a tree of numbers; gravity is the field in ground axes."""
    order = depth_first(tree)
    links = [tree.links[i] for i in order]
    row_of = np.zeros(len(tree) + 1, dtype=int)  # the last: the ground
    row_of[order] = np.arange(1, len(tree) + 1)
    table = np.zeros((len(tree) + 1, at.MODEL_WIDTH))
    table[0, : at.GRAVITY] = len(tree), tree.nq, tree.nv
    table[0, at.GRAVITY : at.GRAVITY + 3] = gravity
    axes = np.tile(_XYZ, (len(tree) + 1, 1))  # those of the frame that become x, y and z
    for row, link in enumerate(links, start=1):
        z, *columns, leads = _joint(link)
        table[row, : at.ROTATION] = row_of[link.parent], *columns
        table[row, at.LEAD : at.LEAD + len(leads)] = leads
        axes[row] = (_XYZ + z + 1) % 3
    if links:
        _write_numbers(table[1:], links, axes)
    return TreeArrays(table, ("", *(link.joint_name or link.name for link in links)))


def _write_numbers(bodies: Array, links: Sequence[Link], axes: Array) -> None:
    """The columns from ROTATION on, in the axes of each body and of its carrier."""
    order, carrier = axes[1:], axes[bodies[:, at.PARENT].astype(int)]
    R_PF = _exchanged(_stacked(link.X_PF.R.matrix for link in links), carrier, order)
    K = _exchanged(_stacked(link.inertia.K for link in links), order, order)
    p = _stacked(link.X_PF.p for link in links)
    h = _stacked(link.inertia.h for link in links)
    bodies[:, at.ROTATION : at.POSITION] = R_PF.reshape(-1, 9)
    bodies[:, at.POSITION : at.MASS] = np.take_along_axis(p, carrier, 1)
    bodies[:, at.MASS] = [link.inertia.m for link in links]
    bodies[:, at.FIRST_MOMENT : at.SECOND_MOMENT] = np.take_along_axis(h, order, 1)
    bodies[:, at.SECOND_MOMENT : at.REFLECTED] = K[:, *_UPPER]
    for row, link, frame in zip(bodies, links, carrier, strict=True):
        if link.rotor is not None:
            reflected = link.rotor.ratio * link.rotor.j
            row[at.REFLECTED] = link.rotor.ratio * reflected
            if link.rotor.axis is not None:
                row[at.SPIN : at.SPIN + 3] = reflected * link.rotor.axis[frame]


def _stacked(parts: Iterable[Array]) -> Array:
    return np.array(list(parts), dtype=float)


def _exchanged(matrices: Array, rows: Array, columns: Array) -> Array:
    """Matrices (n, 3, 3) with their rows and columns taken in other orders (n, 3)."""
    turned = np.take_along_axis(matrices, rows[:, :, np.newaxis], 1)
    return np.take_along_axis(turned, columns[:, np.newaxis], 2)


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


def covers(joints: Iterable[JointType]) -> bool:
    """Whether every one of these joint types is made of elementary freedoms."""
    return all(joint.forward.freedoms is not None for joint in joints)


def _joint(link: Link) -> tuple[Any, ...]:
    """The axis that becomes z, the numbers from FREEDOMS to ROTATION, and the leads of helices."""
    joint, freedoms = link.joint, link.joint.forward.freedoms or ()
    first = only(freedoms)
    if first is None or isinstance(first, Ball):
        if link.rotor is not None:
            raise ModelError(
                f'joint "{link.joint_name or link.name}"',
                say("it has a rotor and {nv} degrees of freedom, not one.", joint.nv),
                "Give the rotor to a revolute, a prismatic or a screw joint.",
            )
        leads = [float(x.lead) for x in reversed(freedoms) if isinstance(x, Helix)]
        places = (link.q.stop - 1, link.v.start, float(joint.backwards), joint.nv)
        return 2, _code(freedoms), *places, leads
    sign = -1.0 if joint.backwards else 1.0
    turn = 0.0 if isinstance(first, Slide) else sign
    slide = sign * getattr(first, "lead", float(isinstance(first, Slide)))
    return first.axis, at.AXIAL, link.q.start, link.v.start, turn, slide, ()


_DOING = {Slide: at.SLIDES, Turn: at.TURNS, Helix: at.WINDS}


def _code(freedoms: Iterable[Any]) -> int:
    """The freedoms as digits, the last one first."""
    code = 0
    for x in freedoms:
        digit = at.BALL if isinstance(x, Ball) else 1 + x.axis + 3 * _DOING[type(x)]
        code = (code << at.FREEDOM_BITS) | digit
    return code
