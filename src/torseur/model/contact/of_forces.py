"""Forces that rub, and forces that depend on reactions, as elements.

A force whose value names a reaction cannot be known before the reactions are: its rows carry it,
and its law is solved together with them. The force itself states its effect.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NoReturn, final

from torseur.algebra.core.expr import ZERO, Expr, symbol
from torseur.algebra.core.graph import expressions, free_symbols
from torseur.algebra.core.rules import larger
from torseur.errors import ModelError
from torseur.model.constraints.protocol import ExpressionRow, JointRows
from torseur.model.contact.element import Element, ExpressionLoad, ReactionLaw
from torseur.model.description import GROUND, Body, Mechanism
from torseur.model.forces.joint import freedom_index
from torseur.model.forces.protocol import Action, Effect, Force, Freedom, expressions_of, place_of
from torseur.model.joints.library import Fixed
from torseur.spatial.pose import Pose
from torseur.words.sentence import say

REACTION = "reaction"  # the kind of the symbols that name one


def reactions_in(values: Any) -> tuple[str, ...]:
    """The reactions that expressions name, in alphabetical order."""
    return tuple(sorted(x.name for x in free_symbols(values) if x.kind == REACTION))


def by_reactions(force: Force) -> bool:
    """Whether the value of a force names reactions."""
    values = [x for _, x in expressions_of(force) if isinstance(x, Expr)]
    return bool(values) and bool(reactions_in(expressions(values)))


def apart_from_elements(mechanism: Mechanism) -> dict[str, Force]:
    """The forces of a mechanism that are no elements."""
    element_names = {one.name for one in force_elements(mechanism)}
    return {name: force for name, force in mechanism.loads.items() if name not in element_names}


def force_elements(mechanism: Mechanism) -> Iterator[Element]:
    """Elements of forces that rub or name reactions."""
    for force in mechanism.loads.values():
        if not (force.rubs or by_reactions(force)):
            continue
        effect = force.effect(_Joints(mechanism, place_of(force)))
        for freedom, law, load in effect.rubbing:
            row = ExpressionRow(force.name, freedom.v)
            pressing = ExpressionLoad(larger(load, ZERO))
            yield Element(force.name, (row,), False, law, pressing, place=force.place)
        yield from _effect_elements(force, effect)


def _effect_elements(force: Force, effect: Effect) -> Iterator[Element]:
    """The rows of the effect of a force, each with its value."""
    for k, (freedom, value) in enumerate(effect.joint_forces):
        name = f"{force.name} {k}" if k else force.name
        row = ExpressionRow(name, freedom.v)
        yield Element(name, (row,), False, place=force.place, law=ReactionLaw((value,)))
    for k, action in enumerate(x for x in effect.actions if x.at.body != GROUND):
        yield _body_element(f"{force.name} {k}" if k else force.name, force, action)


def _body_element(name: str, force: Force, action: Action) -> Element:
    at = action.at
    rows = JointRows(name, Fixed(), GROUND, at.body, Pose(), Pose(at.point))
    values = (*action.couple, *action.force)
    law = ReactionLaw(tuple(values), "" if action.follows else at.body)
    return Element(name, (rows,), False, place=force.place, law=law)


@final
class _Joints:
    """The joints of a mechanism, by the symbols of their coordinates; bodies have no place here."""

    def __init__(self, mechanism: Mechanism, place: str) -> None:
        self._mechanism = mechanism
        self._place = place

    def freedom(self, joint: str, coordinate: str, unit: str) -> Freedom:
        """A coordinate of a joint."""
        described = self._mechanism.joints[joint]
        k = freedom_index(self._place, described, coordinate, unit)
        q, v = described.coordinates[k], described.speeds[k]
        return Freedom(joint, k, symbol(q, "coordinate"), symbol(v, "speed"))

    @property
    def bodies(self) -> Mapping[str, Body]:
        return self._mechanism.bodies

    def __getattr__(self, name: str) -> NoReturn:
        """Refused: all else that a force asks is where bodies are."""
        raise ModelError(
            self._place,
            say("a force of this type cannot depend on reactions."),
            "Forces that can: joint, law, wrench, brake.",
        )
