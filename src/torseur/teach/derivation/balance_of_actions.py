"""The balance of actions on each body: a table of every action, and moments brought to G."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from torseur.algebra.calculus.derivative import derivative
from torseur.algebra.core.expr import ZERO, expression
from torseur.algebra.core.graph import expressions, free_symbols
from torseur.algebra.forms.normal_form import vanishes
from torseur.algebra.forms.readable import readable
from torseur.equations.actions.efforts import Transmitted
from torseur.equations.actions.joint_actions import REACTION, ROTOR, joint_actions
from torseur.model.constraints.selection import restraints
from torseur.spatial.vectors import cross
from torseur.teach.derivation.derivation_steps import Step, told_step
from torseur.teach.derivation.step_formulas import (
    ActionRow,
    ActionTable,
    SymbolLabel,
    Transport,
    Vector,
    components,
    word,
)
from torseur.teach.derivation.telling import Telling
from torseur.words.sentence import type_words

Array = np.ndarray


@final
@dataclass(frozen=True)
class _Action:
    """An action on a body: its row in the table, and what its moment at G is maker of."""

    row: ActionRow
    force: Array  # along the axes of the body, as the couple and GA
    couple: Array
    arm: Array


def balance_steps(telling: Telling) -> list[Step]:
    """A table of actions for each body, then the moments that are not at G already."""
    words = telling.words
    acting = {body: list(_actions(telling, body)) for body in telling.bodies}
    head = [words[f"head {x}"] for x in ("point", "resultant", "moment")]
    tables = [
        ActionTable((words["head actions"].format(body), *head), tuple(x.row for x in rows))
        for body, rows in acting.items()
        if rows
    ]
    transports = [
        transport
        for body, rows in acting.items()
        for x in rows
        if (transport := _transport(telling, body, x)) is not None
    ]
    steps = [told_step(words, "actions", tables)]
    return [*steps, told_step(words, "transport", transports)] if transports else steps


def _actions(telling: Telling, body: str) -> Iterator[_Action]:
    """Weight and loads at G, then each joint with what acts in it, on one body."""
    i, words = telling.bodies[body], telling.words
    for source, torseur in telling.own.by_source(i).items():
        label = words.get(f"source {source}", source)
        maker = _Maker(telling, body, label, f"{label}->{body}", telling.centre(body))
        action = maker.action(torseur.resultant, torseur.moment, np.zeros(3), body)
        if not (action.row.resultant.value.is_nothing and action.row.moment.value.is_nothing):
            yield action
    names = {**{k: name for name, k in telling.bodies.items()}, -1: "0"}
    for x in telling.efforts.transmitted:
        side = x.on({i})
        if not side:
            continue
        first, second = names[x.first], names[x.second]
        ends = f"{first}->{second}" if side > 0 else f"{second}->{first}"
        twins = [{y.first, y.second} for y in telling.efforts.transmitted]
        ends = f"{x.name}: {ends}" if twins.count({x.first, x.second}) > 1 else ends
        axes = second if x.second >= 0 else first
        shift, axes_index = contact_point(x), telling.bodies[axes]
        arm = telling.own.arm(x, i) + telling.own.along(x, i, (shift, shift))[0]
        for source, wrench in joint_actions(telling.efforts, x).items():
            cause = _cause(telling, x, source)
            ends_of = ends if source == REACTION else f"{source}->{body}"
            wrench = wrench[0], wrench[1] - cross(shift, wrench[0])
            point = _point(x, shift)
            maker = _Maker(telling, body, cause, ends_of, point)
            force, couple = (y * side for y in telling.own.along(x, i, wrench))
            along_axes = telling.own.along(x, axes_index, wrench)
            yield maker.action(force, couple, arm, axes, tuple(y * side for y in along_axes))


def contact_point(x: Transmitted) -> Array:
    """Point of the frame of a joint at which its forces have no moment: I of a contact.

    For orthogonal unit forces F with moments C = r ∧ F, two in the plane of r or three, Σ F ∧ C is
    r or 2 r. The origin where there is no such point.
    """
    force, couple = (expressions(y) for y in x.wrench)
    unknowns = [y for y in free_symbols([*force, *couple]) if y.kind == "input"]
    columns = [(derivative(force, y), derivative(couple, y)) for y in unknowns]
    if len(columns) not in (2, 3) or not _acts(couple):
        return np.zeros(3)
    total = sum((cross(F, C) for F, C in columns), np.zeros(3))
    r = expressions(readable(expressions(total / (len(columns) - 1))))
    off = [y for F, C in columns for y in expressions(C - cross(r, F))]
    return r if all(vanishes(y) for y in off) else np.zeros(3)


def _point(x: Transmitted, shift: Array) -> SymbolLabel:
    """The origin of the frame of a joint, or I where a contact touches."""
    if _acts(shift):
        return SymbolLabel(f"I_{x.name}", rf"I_{{{word(x.name)}}}")
    return SymbolLabel(x.name, word(x.name))


def _cause(telling: Telling, x: Transmitted, source: str) -> str:
    """The words for an action in a joint: the joint itself, or what drives it."""
    words, joint = telling.words, telling.mechanism.joints.get(x.name)
    if source == ROTOR:
        return words["action rotor"].format(x.name)
    if source != REACTION:
        return words["action in joint"].format(source, x.name)
    if joint is None:
        constraint = next(y for y in restraints(telling.mechanism) if y.name == x.name)
        return type_words(constraint.words, telling.lang).format(x.name).rstrip(".")
    kind = type_words(joint.kind.words, telling.lang)
    return words["action joint"].format(x.name, kind)


@final
@dataclass(frozen=True)
class _Maker:
    """The labels of an action on a body."""

    telling: Telling
    body: str
    cause: str
    ends: str
    point: SymbolLabel

    def action(
        self,
        force: Any,
        couple: Any,
        arm: Array,
        axes: str,
        along: tuple[Any, ...] = (),
    ) -> _Action:
        """The action, displayed along the axes of a body or the ground, whichever are shorter."""
        R = self.telling.places.rotation(axes)
        displayed = [components(y, axes, R, self.telling.read) for y in along or (force, couple)]
        resultant, moment = self.letters(self.point.text)
        row = ActionRow(
            self.cause, self.point, Vector(resultant, displayed[0]), Vector(moment, displayed[1])
        )
        read = self.telling.read
        return _Action(row, *(expressions(read(expressions(y))) for y in (force, couple, arm)))

    def letters(self, point: str) -> tuple[SymbolLabel, SymbolLabel]:
        """R of the action, and its moment at a point."""
        latex = r"\to ".join(map(word, self.ends.split("->")))
        centre = point.startswith("G(")
        at, below = ("G", "G") if centre else (point, self.point.latex)
        return (
            SymbolLabel(f"R({self.ends})", rf"\vec{{R}}_{{{latex}}}"),
            SymbolLabel(f"M_{at}({self.ends})", rf"\vec{{M}}_{{{below}}}({latex})"),
        )


def _transport(telling: Telling, body: str, x: _Action) -> Transport | None:
    """M_G = M_A + GA ∧ R, of an action that is not at G already."""
    if not _acts(x.arm) or not _acts(x.force):
        return None
    R = telling.places.rotation(body)
    at, ends = x.row.point, x.row.resultant.symbol.text[2:-1]
    total = x.couple + cross(x.arm, x.force)
    arm = Vector(
        SymbolLabel(f"G({body}){at}", _arrow(telling.centre(body).latex + at.latex)),
        components(x.arm, body, R, telling.read),
    )
    latex = x.row.moment.symbol.latex
    label = SymbolLabel(f"M_G({ends})", latex.replace(f"_{{{at.latex}}}", "_{G}", 1))
    moment = Vector(label, components(total, body, R, telling.read))
    middle = f"GA ∧ R({ends})"
    between = rf"{_arrow(f'G{at.latex}')} \wedge {x.row.resultant.symbol.latex}"
    if _acts(x.couple):
        middle = f"{x.row.moment.symbol.text} + {middle}"
        between = f"{latex} + {between}"
    middle = middle.replace("GA", f"G{at.text}")
    return Transport(arm, moment, middle, between)


def _arrow(points: str) -> str:
    return rf"\overrightarrow{{{points}}}"


def _acts(vector: Array) -> bool:
    return any(expression(y) is not ZERO for y in vector)


def unknowns_of(telling: Telling) -> list[str]:
    """The unknowns of all actions, in the order of the tables."""
    names: dict[str, None] = {}
    for x in telling.efforts.transmitted:
        parts = expressions([*x.wrench[0], *x.wrench[1]])
        names |= dict.fromkeys(y.name for y in free_symbols(parts) if y.kind == "input")
    return list(names)
