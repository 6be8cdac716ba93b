"""Reactions that are not unique: the joints that an over-constrained mechanism can stress."""

from __future__ import annotations

from typing import final

import numpy as np

from torseur.algebra.core.graph import evaluate
from torseur.analyse.at_a_state.pose import Posed, posed
from torseur.brief import without_rounding
from torseur.dynamics.tree.closure import SelfStressWrench, carried, transmitted
from torseur.model.constraints.selection import meshes
from torseur.model.description import GROUND, Mechanism
from torseur.result import Result
from torseur.simulation.start.assemble import Assembled
from torseur.spatial.in_words import listed, spanned
from torseur.words.sentence import say

Array = np.ndarray
_NOTHING = 1e-7  # of self-stresses of unit size


@final
class Redundancy(Result):
    """The joints whose reactions the laws of motion do not determine, and which components."""

    degree: int  # h
    components: dict[str, tuple[str, ...]]  # joint or constraint → what is not determined

    @property
    def joints(self) -> tuple[str, ...]:
        """The joints and constraints whose reactions are not unique."""
        return tuple(self.components)

    def __bool__(self) -> bool:
        return bool(self.components)

    def __str__(self) -> str:
        if not self:
            return say("Every reaction is determined.")
        alike: dict[tuple[str, ...], list[str]] = {}
        for name, parts in self.components.items():
            alike.setdefault(parts, []).append(name)
        text = "; ".join(
            say("{parts} in {names}", ", ".join(parts), listed(names))
            for parts, names in alike.items()
        )
        return self.say(
            "the reactions are statically indeterminate (degree {degree}). Not determined: {told}. "
            "Free these directions, or write  reactions: least_norm  to accept the smallest "
            "consistent set.",
            told=text,
        )


def redundancy(mechanism: Mechanism | Assembled) -> Redundancy:
    """Undetermined reaction components of each joint, at the assembled configuration."""
    pose = posed(mechanism)
    stresses = pose.ranks.cokernel
    h = stresses.shape[1]
    closing = transmitted(pose.closures, stresses)
    wrenches = carried(pose.numbers.tree, [*closing, *_teeth(pose, stresses)], h)
    wrenches |= {part.name: part.wrench for part in closing}
    result = {name: _component_texts(pose, name, wrench) for name, wrench in wrenches.items()}
    rows = sum(closure.cut.rows for closure in pose.closures)
    for name, row in zip(pose.owners[rows:], stresses[rows:], strict=True):
        if np.abs(row).max(initial=0.0) > _NOTHING:
            result[name] = (say("its force"),)
    order = (*pose.mechanism.joints, *pose.mechanism.constraints)
    return Redundancy(h, {name: result[name] for name in order if result.get(name)})


def _teeth(pose: Posed, stresses: Array) -> list[SelfStressWrench]:
    """The forces between the teeth of gears; what pushes wheels apart follows from them."""
    number = pose.held.model.parameters
    index = {link.name: i for i, link in pose.numbers.tree} | {GROUND: -1}
    result = []
    for gear in meshes(pose.mechanism):
        X = pose.pose_of(gear.carrier)
        at, push = (np.asarray(evaluate(x, number), float) for x in (gear.point, gear.direction))
        force = np.outer(X.R.out(push), stresses[pose.owners.index(gear.name)])
        moment = np.cross(X.point(at), force, axis=0)
        wrench = np.concatenate([force, moment]).astype(float)
        result.append(SelfStressWrench(gear.name, index[gear.first], index[gear.second], wrench))
    return result


def redundant_reactions(mechanism: Mechanism | Assembled) -> tuple[str, ...]:
    """The joints and constraints whose reactions are not unique."""
    return redundancy(mechanism).joints


def _component_texts(pose: Posed, name: str, stresses: Array) -> tuple[str, ...]:
    """Forces, and couples at the joint, that can be added without changing the motion."""
    force = stresses[:3]
    couple = stresses[3:] - np.cross(pose.joint_points[name], force, axis=0)
    scales = ((1.0, say("force along"), force), (pose.size, say("couple about"), couple))
    parts = []
    for unit, what, part in scales:
        axes = spanned(without_rounding(part, _NOTHING * unit))
        parts += [say("{what} {axes}", what, listed(axes))] if axes else []
    return tuple(parts)
