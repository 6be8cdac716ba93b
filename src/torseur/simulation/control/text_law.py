"""A law written as expressions of coordinates, speeds, reactions and time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import final

from torseur.algebra.core.expr import TIME, Expr, symbol
from torseur.equations.constraints.constraint_rows import constraints_of
from torseur.equations.symbols.system import System
from torseur.errors import ModelError
from torseur.language.text.expression import parse_expression
from torseur.model.contact.reactions import measurable
from torseur.words.sentence import say


@final
@dataclass(frozen=True)
class TextLaw:
    """Forces along coordinates, {"theta": "-k*theta - c*theta."}, as machine code.

    Expressions may name coordinates, speeds, parameters of the mechanism and of the law, the time
    t, reactions ("N_floor", "X_A", as forces name them) and what is remembered from sample to
    sample: `remembered` gives the next value of each, {"sum": "sum + theta*0.001"}, `memory` the
    first.
    """

    forces: Mapping[str, str | float]
    parameters: Mapping[str, float] = field(default_factory=dict)
    memory: Mapping[str, float] = field(default_factory=dict)
    remembered: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if set(self.memory) != set(self.remembered):
            odd = sorted(set(self.memory) ^ set(self.remembered))
            problem = say('"{odd}" has a first value or a next one, not both.', ", ".join(odd))
            advice = 'Give both: memory={"sum": 0.0}, remembered={"sum": "sum + 0.001*theta"}.'
            raise ModelError("control", problem, advice)

    def commands(self, system: System) -> dict[str, Expr]:
        """The texts as expressions of the state."""
        mechanism = system.mechanism
        known = dict(measurable(mechanism))
        known |= {name: symbol(name) for name in (*mechanism.parameter_table, *self.parameters)}
        known |= {name: symbol(name, "coordinate") for name in mechanism.every_coordinate}
        known |= {name: symbol(name, "speed") for name in mechanism.every_speed}
        known |= {name: symbol(name, "input") for name in self.memory} | {TIME.name: TIME}
        texts = {**self.forces, **self.remembered}
        expressions = {name: _read(name, str(text), known) for name, text in texts.items()}
        if not system.cuts:
            return expressions
        opened = constraints_of(system).opened
        return {name: opened(x) for name, x in expressions.items()}


def _read(name: str, text: str, known: Mapping[str, Expr]) -> Expr:
    try:
        return parse_expression(text, known)
    except ModelError as error:
        problem = say('"{text}": {problem}', text, error.problem)
        raise ModelError(say('control of "{name}"', name), problem, *error.advice) from None
