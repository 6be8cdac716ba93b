"""Meanings of the unknowns of the equations: reactions of joints, efforts of drives.

A line under the equations tells the force or the couple that each letter stands for, which body
exerts it on which, and its unit.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import final

import numpy as np

from torseur.algebra.core.expr import PARAMETER, ZERO, Expr
from torseur.algebra.core.graph import expressions
from torseur.dynamics.absolute.joint_rows import Effort, efforts
from torseur.dynamics.tree.closure import Closure
from torseur.equations.constraints.constraint_rows import Held, constraints_of
from torseur.equations.constraints.unknowns import closing_names, multipliers
from torseur.equations.symbols.system import System
from torseur.model.constraints.protocol import MULTIPLIER, multiplier_of
from torseur.model.constraints.relation import BodyMotion
from torseur.model.description import GROUND
from torseur.model.joints.library import Distance, PointContact
from torseur.model.joints.rolling import ContactType
from torseur.words.sentence import said, say

_FORCE, _COUPLE = "N", "N·m"


@final
@dataclass(frozen=True)
class Meaning:
    """Unknowns of one kind: their names, what they are, and their unit if they have one."""

    names: tuple[str, ...]
    words: str
    unit: str = ""

    def sentence(self, names: Iterable[str], lang: str | None = None) -> str:
        """The names as they are written, what they are and in which unit; as it is spoken."""
        unit = f" [{self.unit}]" if self.unit else ""
        line = say("{names}: {meaning}", ", ".join(names), said(self.words, lang) + unit)
        return said(line, lang)


def legend(system: System, constraints: Held, used: Collection[Expr]) -> tuple[Meaning, ...]:
    """Meanings of the unknowns of equations, grouped by kind."""
    used_names = {x.name for x in used}
    if not used_names & {x.name for x in constraints.unknowns}:
        return ()
    grouped: dict[tuple[str, str], list[str]] = {}
    meanings = (
        *_of_joints(system),
        *_of_bodies(system, constraints),
        *_of_others(system, constraints),
    )
    for name, words, unit in meanings:
        if name in used_names:
            grouped.setdefault((words, unit), []).append(name)
    return tuple(Meaning(tuple(names), *kind) for kind, names in grouped.items())


def _of_joints(system: System) -> Iterator[tuple[str, str, str]]:
    """The components of closing joints, contacts and imposed motions of bodies."""
    motions = system.mechanism.motions
    for closure in constraints_of(system).closures if system.cuts else ():
        cut, T = closure.cut, expressions(closure.T)
        motion = motions.get(cut.name)
        for k, name in enumerate(closing_names(cut, T)):
            couple = all(x is ZERO for x in T[3:, k])
            unit = _COUPLE if couple else _FORCE
            if isinstance(motion, BodyMotion):
                yield name, _moving(motion.body, couple), unit
            else:
                yield name, _reaction_words(system, closure, k, name), unit


def _moving(body: str, couple: bool) -> str:
    if couple:
        return say("couple that turns {body}, in the axes of {body}", body)
    return say("force that moves {body}, in the axes of {body}", body)


def _reaction_words(system: System, closure: Closure, k: int, name: str) -> str:
    """Component k of what a closing joint carries."""
    cut, column = closure.cut, expressions(closure.T)[:, k]
    couple = all(x is ZERO for x in column[3:])
    if isinstance(cut.joint, Distance):
        return say("force in {joint}, positive where it pushes its ends apart", cut.name)
    first, second = (_body(system, k) for k in (cut.A, cut.B))
    if isinstance(cut.joint, ContactType | PointContact) and not couple:
        if name.startswith("N"):
            return say("normal force {first} → {second} in {joint}", first, second, cut.name)
        return say("tangential force {first} → {second} in {joint}", first, second, cut.name)
    axes = second if _along_its_body(system, closure) else cut.name
    if any(x.stage > PARAMETER for x in column):  # along axes that do not turn with the second
        axes = first
    if couple:
        return say(
            "couple {first} → {second} in {joint}, in the axes of {axes}",
            first,
            second,
            cut.name,
            axes,
        )
    return say(
        "force {first} → {second} in {joint}, in the axes of {axes}", first, second, cut.name, axes
    )


def _along_its_body(system: System, closure: Closure) -> bool:
    """Whether the frame M of a closing joint has the axes of its body."""
    cut, link = closure.cut, closure.cut.B
    X = cut.X_BM if link < 0 else system.tree.links[link].X_MB.inverse @ cut.X_BM
    return bool(np.all(expressions(X.R.matrix) == np.eye(3)))


def _body(system: System, index: int) -> str:
    return system.tree.links[index].name if index >= 0 else say("ground")


def _of_bodies(system: System, constraints: Held) -> Iterator[tuple[str, str, str]]:
    """The rows of joints in absolute coordinates, where all of them are constraints."""
    joints = system.mechanism.joints
    rows: dict[str, list[str]] = {}
    for owner, unknown in zip(constraints.owners, constraints.unknowns, strict=True):
        if owner in joints and unknown.name.startswith(MULTIPLIER):
            rows.setdefault(owner, []).append(unknown.name)
    for owner, names in rows.items():
        joint = joints[owner]
        for name, effort in zip(names, efforts(joint.kind), strict=True):
            yield name, *_row(effort, (joint.first, joint.second), owner)


def _row(effort: Effort, pair: tuple[str, str], joint: str) -> tuple[str, str]:
    """Effort in a row of a joint, and its unit."""
    first, second = (say("ground") if x == GROUND else x for x in pair)
    if effort is Effort.FORCE_IN_GROUND_AXES:
        words = say("force {first} → {second} in {joint}, in ground axes", first, second, joint)
        return words, _FORCE
    if effort is Effort.FORCE:
        return say("force {first} → {second} in {joint}", first, second, joint), _FORCE
    return say("couple {first} → {second} in {joint}", first, second, joint), _COUPLE


def _of_others(system: System, constraints: Held) -> Iterator[tuple[str, str, str]]:
    """The multipliers of drives, gears, belts and relations."""
    known = multipliers(system.mechanism)
    closing = {cut.name for cut in system.cuts} | set(system.mechanism.joints)
    for owner, unknown in zip(constraints.owners, constraints.unknowns, strict=True):
        if owner not in closing:
            meaning = known.get(owner) or multiplier_of(owner)
            yield unknown.name, meaning.words, meaning.unit
