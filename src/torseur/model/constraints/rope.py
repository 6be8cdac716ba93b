"""Ropes that do not stretch, over points and sheaves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, final

from torseur.algebra.core.expr import Expr
from torseur.errors import ModelError
from torseur.model.constraints.protocol import Constraint, RopeRow, Unknown
from torseur.model.forces.protocol import Attachment, Key, Kind, Sheave
from torseur.words.sentence import say


@final
@dataclass(frozen=True)
class TightRope(Constraint):
    """A rope of constant length that is always tight; its multiplier is the tension.

    It slips over the sheaves inside its path without friction. A sheave at an end is a drum, on
    which it is wound: a sheave that turns with a rope is the end of one and the start of another.
    With a `length` between two points it holds positions; without one it holds speeds, the length
    being that of the start.
    """

    name: str
    through: tuple[Attachment | Sheave, ...]
    length: Expr | None = None  # [m]
    place: str = ""

    names = ("rope", "corde")
    keys = (
        Key("through", Kind.PATH, "[[ground, [0, 2, 0]], [hook, [0, 0, 0]], [ground, [1, 2, 0]]]"),
        Key("length", Kind.CONSTANT, unit="m"),
    )
    words: ClassVar = "{}: a tight rope of constant length."

    def __post_init__(self) -> None:
        wound = any(isinstance(self.through[k], Sheave) for k in (0, -1))
        if wound and self.length is not None:
            problem = "a rope that is wound on a drum has no constant length between its ends."
            raise ModelError(self.place or self.name, problem, 'Leave out "length".')

    @property
    def rows(self) -> RopeRow:
        return RopeRow(self.name, self.through, self.length, self.place)

    @property
    def meanings(self) -> tuple[str, ...]:
        return (say("tension of the rope, negative where it would have to push"),)

    def unknown(self, units: Mapping[str, str]) -> Unknown:
        return Unknown("T", say("tension of {rope}", self.name), "N")
