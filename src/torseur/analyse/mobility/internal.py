"""Internal mobilities: pieces of a mechanism that can move while everything around them rests."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import final

import numpy as np

from torseur.analyse.at_a_state.pose import Posed, inside, ranks, seen_from
from torseur.analyse.mobility.twists import CLOSE, BodyFreedom, freedom
from torseur.model.constraints.protocol import JointRows
from torseur.model.constraints.selection import between_frames
from torseur.model.description import GROUND, Joint, Mechanism
from torseur.model.joints.freedoms import slides, turns
from torseur.model.joints.protocol import JointType
from torseur.spatial.in_words import direction, listed, point
from torseur.spatial.pose import Pose
from torseur.words.sentence import say

Array = np.ndarray
# A jack between two ball joints is a piece of two bodies; pieces of more are not looked for.
_LARGEST = 3


@final
@dataclass(frozen=True)
class Internal:
    """A piece of one to three bodies that moves as one: its motions, and how in words."""

    motions: Array  # (n, k): in the speeds of the tree, of unit size as those of `Posed.ranks`
    text: str


def internal_motions(pose: Posed, space: Array | None = None) -> list[Internal]:
    """The pieces that move alone, within a space of motions (by default all the free ones).

    A piece counts when its joints lead to at least two different bodies that are joined without it:
    what is part of an open chain has useful motions only, two sliders in series for instance.
    """
    scale = pose.scale[:, np.newaxis]
    space = (pose.ranks.kernel if space is None else space) / scale
    forbidden, near = _forbidden(pose), None
    covered = np.zeros((len(space), 0))
    result: list[Internal] = []
    for piece, holding in _pieces(pose.mechanism):
        if not _allowed(forbidden, holding):
            continue
        if near is None:
            near = [_forbidden(there) for there in pose.neighbours()]
        # at a dead point a piece may move alone for an instant: that is no internal mobility
        if not all(_allowed(there, holding) for there in near):
            continue
        fresh = _beyond(inside(space, _others_at_rest(pose, piece) * pose.scale), covered)
        if fresh.shape[1]:
            covered = np.concatenate([covered, fresh], axis=1)
            motions = scale * fresh
            free = freedom(pose.twists[piece[0]] @ motions, pose.centre, pose.size)
            result.append(Internal(motions, _sentence(pose, piece, free)))
    return result


def _allowed(forbidden: dict[str, Array], holding: list[str]) -> int:
    """Number of motions that the joints of a piece allow while the bodies around it rest."""
    rows = np.concatenate([forbidden[name] for name in holding])
    return int(ranks(rows, CLOSE).kernel.shape[1])


def _forbidden(pose: Posed) -> dict[str, Array]:
    """For every joint and contact, rows that vanish on the relative motions it allows.

    Lengths are in units of the size.
    """
    everything, size = np.eye(6), pose.size
    turns = np.repeat([1.0, size], 3)[:, np.newaxis]

    def transform(X: Pose) -> Array:
        return seen_from(Pose(np.asarray(X.p, dtype=float) / size, X.R), everything)

    forbidden = {}
    for i, link in pose.numbers.tree:
        S = np.asarray(link.joint.motion_subspace(pose.q[link.q]), dtype=float).reshape(6, -1)
        basis = np.linalg.qr(S / turns)[0]
        forbidden[link.joint_name] = (everything - basis @ basis.T) @ transform(pose.placed[i])
    for closure in pose.closures:
        T = np.asarray(closure.T, dtype=float) / turns[::-1]
        forbidden[closure.cut.name] = (T / np.linalg.norm(T, axis=0)).T @ transform(closure.X_WM)
    return forbidden


def _pieces(mechanism: Mechanism) -> Iterator[tuple[tuple[str, ...], list[str]]]:
    """Connected sets of bodies, small ones first, with the joints that hold them.

    Only those that at least two bodies of a loop hold by a centre, an axis or a contact.
    """
    parts: list[Joint | JointRows] = [j for j in mechanism.joints.values() if j.kind.nv < 6]
    parts += between_frames(mechanism.constraints.values())
    placeless = {part.name for part in parts if isinstance(part, Joint) and _placeless(part.kind)}
    ends: dict[str, list[tuple[str, str]]] = {name: [] for name in (GROUND, *mechanism.bodies)}
    for part in parts:
        ends[part.first].append((part.name, part.second))
        ends[part.second].append((part.name, part.first))
    current: set[tuple[str, ...]] = {(name,) for name in mechanism.bodies if name != GROUND}
    for _ in range(_LARGEST):
        larger = set()
        for piece in sorted(current):
            around = [end for name in piece for end in ends[name] if end[1] not in piece]
            others = {other for _, other in around}
            holders = {other for name, other in around if name not in placeless}
            if _in_a_loop(holders, piece, ends):
                yield piece, [name for name, _ in around]
            larger |= {tuple(sorted((*piece, other))) for other in others - {GROUND}}
        current = larger


def _placeless(kind: JointType) -> bool:
    """Whether a joint has no centre and no axis: most often the parameters of a plane motion."""
    freedoms = kind.freedoms or ()
    about = turns(freedoms)
    return len(slides(freedoms)) > 1 and about is not None and len(about) < 2


def _in_a_loop(
    holders: set[str], piece: tuple[str, ...], ends: dict[str, list[tuple[str, str]]]
) -> bool:
    """Whether two of the bodies that hold a piece are joined without it: else the chain is open."""
    left = set(holders)
    while left:
        reached, waiting = set(piece), [left.pop()]
        while waiting:
            body = waiting.pop()
            reached.add(body)
            waiting += [other for _, other in ends[body] if other not in reached]
        if left & reached:
            return True
    return False


def _others_at_rest(pose: Posed, piece: tuple[str, ...]) -> Array:
    """Rows that vanish when all other bodies rest and the piece moves as one."""
    twists = pose.plain_twists
    rows = [twist for name, twist in twists.items() if name not in piece]
    rows += [twists[name] - twists[piece[0]] for name in piece[1:]]
    return np.concatenate(rows)


def _beyond(space: Array, covered: Array) -> Array:
    """The part of a space outside the one that is covered already."""
    if not space.shape[1]:
        return space
    left = space - covered @ (np.linalg.pinv(covered) @ space) if covered.shape[1] else space
    columns = ranks(left.T, CLOSE)
    return np.linalg.svd(left)[0][:, : columns.rank]


# --- words --------------------------------------------------------------------------------------


def _sentence(pose: Posed, piece: tuple[str, ...], freedom: BodyFreedom) -> str:
    who, one = listed(piece), len(piece) == 1
    if freedom.name == "revolute" and freedom.axis is not None and freedom.point is not None:
        through = _joints_on(pose, piece, freedom.axis, freedom.point)
        return _turning(who, one, through, direction(freedom.axis), point(freedom.point))
    if freedom.name == "prismatic" and freedom.axis is not None:
        along = direction(freedom.axis)
        if one:
            return say("{who} slides along {axis}", who, along)
        return say("{who} slide together along {axis}", who, along)
    if one:
        return say("{who} moves as in a joint: {joint}", who, freedom.words)
    return say("{who} move together as in a joint: {joint}", who, freedom.words)


def _turning(who: str, one: bool, through: list[str], axis: str, at: str) -> str:
    """About which axis, by the joints on it where there are several."""
    if len(through) > 1 and one:
        return say("{who} turns about its own axis, through {joints}", who, listed(through))
    if len(through) > 1:
        return say("{who} turn together about one axis, through {joints}", who, listed(through))
    if one:
        return say("{who} turns about {axis} through {at}", who, axis, at)
    return say("{who} turn together about {axis} through {at}", who, axis, at)


def _joints_on(pose: Posed, piece: tuple[str, ...], axis: Array, foot: Array) -> list[str]:
    """The joints of a piece with the rest whose points are on an axis."""
    joints = pose.mechanism.joints.values()
    names = [j.name for j in joints if (j.first in piece) != (j.second in piece)]
    away = {name: np.cross(pose.joint_points[name] - foot, axis) for name in names}
    return [name for name, arm in away.items() if np.linalg.norm(arm) < CLOSE * pose.size]
