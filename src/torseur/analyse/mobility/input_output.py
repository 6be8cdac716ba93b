"""The input-output law of a mechanism of one freedom: every coordinate as a function of one.

Positions are solved in closed form where loops allow it (slider-crank, four-bar, engine, governor,
and linkages made of such loops); the rates dq/dα follow from the loops, and the motion from the
equivalent inertia: I(α) α̈ + ½ I′(α) α̇² = Q(α), Eksergian's equation (1930).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import Any, final

import numpy as np

from torseur.algebra.calculus.derivative import derivative
from torseur.algebra.core.expr import PARAMETER, ZERO, Expr, expression, symbol
from torseur.algebra.core.graph import evaluate, free_symbols, substitute
from torseur.algebra.forms.length import length
from torseur.algebra.forms.readable import readable
from torseur.algebra.printing.reading_order import Ranks
from torseur.algebra.printing.text import text
from torseur.algebra.printing.unicode import symbol_name, unicode_text
from torseur.equations.expressions.explicit import explicit, is_plain
from torseur.equations.formalisms.derive import derive
from torseur.equations.motion.closure_lines import closure_lines
from torseur.equations.motion.equations import Equations
from torseur.errors import ModelError, require_known
from torseur.model.description import Mechanism
from torseur.model.parameters import values
from torseur.model.values.named_numbers import name_ranks, named_numbers, with_short_loops
from torseur.result import Result
from torseur.simulation.start.assemble import assemble
from torseur.words.sentence import say

Array = np.ndarray
_CLOSED = 1e-9  # gaps of loops that are closed where they start [m or rad]


@final
class InputOutput(Result):
    """Positions, their rates and the motion as functions of one coordinate.

    A rate dq/dα is called q_alpha; `positions` and `rates` may use those before them.
    """

    input: str
    positions: Mapping[str, Expr]
    rates: Mapping[str, Expr]  # dq/dα, by name of q
    inertia: Expr | None  # I, with the rates by name; None if there are other freedoms
    force: Expr | None  # Q
    ranks: Ranks = field(default_factory=dict)
    constants: Mapping[str, float] = field(default_factory=dict)  # letters that have values

    def __str__(self) -> str:
        return self.text()

    def text(self, *, ascii_only: bool = False) -> str:
        """One line for each function, then the equation of motion."""
        a = self.input
        rates = {f"{q}_{a}": x for q, x in self.rates.items()}
        lines = {**self.positions, **rates}
        if self.inertia is not None and self.force is not None:
            lines |= {"I": self.inertia, "Q": self.force}
        name = (lambda x: x) if ascii_only else symbol_name
        write = text if ascii_only else unicode_text
        parts = [f"{name(q)} = {write(x, ranks=self.ranks)}" for q, x in lines.items()]
        if self.inertia is None:
            return "\n".join(parts)
        power, times = ("^2", "*") if ascii_only else ("²", " ")
        acceleration, speed, slope = name(f"{a}.."), name(f"{a}."), name(f"I_{a}")
        motion = f"I{times}{acceleration} + {slope}{times}{speed}{power}/2 = Q"
        return "\n".join([*parts, f"{name(a)}: {motion}"])

    @property
    def document(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "input": self.input,
            "positions": {q: text(x) for q, x in self.positions.items()},
            "rates": {q: text(x) for q, x in self.rates.items()},
            "inertia": None if self.inertia is None else text(self.inertia),
            "force": None if self.force is None else text(self.force),
        }

    def at(self, value: float, parameters: Mapping[str, float] | None = None) -> dict[str, float]:
        """The coordinates, their rates (q_alpha), I and Q at a value of the input.

        Parameters have the values of the mechanism, unless others are given.
        """
        constants = {**self.constants, **(parameters or {})}
        known: dict[str, Any] = {**constants, self.input: value}
        for q, x in self.positions.items():
            known[q] = float(evaluate(x, known))
        for q, x in self.rates.items():
            known[f"{q}_{self.input}"] = float(evaluate(x, known))
        if self.inertia is not None and self.force is not None:
            parts = {"I": self.inertia, "Q": self.force}
            known |= {name: float(evaluate(x, known)) for name, x in parts.items()}
        return {name: x for name, x in known.items() if name not in constants}


def input_output(mechanism: Mechanism, input: str) -> InputOutput:
    """Every coordinate that the loops tie to one of them as a function of it, in closed form.

    Loops are cut as the mechanism is described, or so that they are closed by short formulas: the
    shorter law is taken.
    """
    freed = replace(mechanism, motions={})  # the law does not depend on how the input moves
    short, laws, refused = with_short_loops(freed), list[InputOutput](), list[ModelError]()
    for cut in (freed, short) if short is not freed else (freed,):
        try:
            laws.append(_closed_form(cut, input))
        except ModelError as error:
            refused.append(error)
    if not laws:
        raise refused[0]
    return min(laws, key=_length)


def _length(law: InputOutput) -> int:
    """The signs of all formulas of a law."""
    functions = (x for x in (law.inertia, law.force) if x is not None)
    return sum(length(x) for x in (*law.positions.values(), *law.rates.values(), *functions))


def _closed_form(freed: Mechanism, input: str) -> InputOutput:
    named = named_numbers(freed)
    equations = derive(named)
    system, constraints = equations.system, equations.constraints
    require_known("input", "coordinate", input, system.coordinates)
    zeros = [expression(readable(zero)) for _, zero in closure_lines(system, constraints)]
    involved = set(free_symbols(zeros))
    others = [x for x in system.q if x.name != input and x in involved]
    moving = [
        x.name for x in free_symbols([*zeros, *constraints.rate]) if x.kind in ("time", "speed")
    ]
    if moving:
        raise _refused(input, say('the constraints depend on "{name}".', moving[0]))
    result, left = explicit(zeros, others, _start(freed, equations, zeros))
    missing = [x.name for x in others if x not in result]
    if missing:
        why = ", ".join(f"{x} = 0" for x in left[:2]) or say("nothing determines it")
        raise _refused(
            input, say('"{missing}" has no closed form: {why}.', ", ".join(missing), why)
        )
    plain = {x: value for x, value in result.items() if is_plain(value)}
    positions = {
        x.name: _substituted(value, {} if x in plain else plain) for x, value in result.items()
    }
    return _law(equations, input, positions, plain, zeros)


def _substituted(x: Any, known: Mapping[Expr, Expr]) -> Expr:
    return expression(readable(expression(substitute(expression(x), dict(known)))))


def _start(mechanism: Mechanism, equations: Equations, zeros: list[Expr]) -> dict[str, float]:
    """Point that selects the branch: the initial configuration, its loops closed."""
    table = values(equations.system.mechanism.parameter_table)
    known = {k: 1.0 if x is None else float(x) for k, x in table.items()}
    given = {k: x for k, x in mechanism.initial.items() if not k.endswith(".")}
    place = dict.fromkeys(equations.coordinates, 0.0)
    place |= {k: float(evaluate(expression(x), known)) for k, x in given.items()}
    if all(abs(float(evaluate(x, known | place))) < _CLOSED for x in zeros):
        return known | place
    return known | assemble(mechanism).coordinates


def _refused(input: str, problem: str) -> ModelError:
    return ModelError(
        f'input "{input}"',
        problem,
        "Keep the loops with their multipliers, or use .reduced(), which eliminates speeds.",
    )


def _law(
    equations: Equations,
    input: str,
    positions: dict[str, Expr],
    plain: Mapping[Expr, Expr],
    zeros: Sequence[Expr],
) -> InputOutput:
    """The rates by the loops, and I and Q by the rates; `plain` positions are put in."""
    reduced = equations.reduced([input])
    names = [x.removesuffix(".") for x in equations.speeds]
    column = dict(zip(names, reduced.speeds_of[:, reduced.speeds.index(f"{input}.")], strict=True))
    rates = {}
    for q in positions:
        ways = [*_by_a_loop(q, input, positions, zeros), column[q], _rate(q, input, positions)]
        rates[q] = min((_substituted(x, plain) for x in ways), key=length)
    mechanism = equations.system.mechanism
    ranks, given = name_ranks(mechanism), values(mechanism.parameter_table)
    constants = {name: float(x) for name, x in given.items() if x is not None}
    if len(reduced.speeds) != 1:
        return InputOutput(input, positions, rates, None, None, ranks, constants)
    steady = {q: x for q, x in rates.items() if x.op == "number"}
    known = {q: symbol(f"{q}_{input}") for q in names} | {input: expression(1)} | steady
    N = np.array([known[q] for q in names], dtype=object)
    still = dict.fromkeys(equations.system.v, ZERO)
    constant = _constant_rates(input, rates)

    def shortest(x: Any) -> Expr:
        return min(_substituted(x, plain), _substituted(x, {**plain, **constant}), key=length)

    inertia = shortest(N @ equations.M @ N)
    force = shortest(N @ (substitute(equations.Q, still) - equations.g))
    return InputOutput(input, positions, rates, inertia, force, ranks, constants)


def _constant_rates(input: str, rates: Mapping[str, Expr]) -> dict[Expr, Expr]:
    """The rates that parameters alone determine, as those of gears."""
    names = {q: symbol(f"{q}_{input}") for q in rates}
    constant: dict[Expr, Expr] = {}
    for q, x in rates.items():
        value = expression(substitute(x, constant))
        if value.stage <= PARAMETER and not {*names.values()} & {*free_symbols(value)}:
            constant[names[q]] = value
    return constant


def _by_a_loop(
    q: str, input: str, positions: Mapping[str, Expr], zeros: Sequence[Expr]
) -> Iterator[Expr]:
    """dq/dα from a condition between q and the input alone."""
    for zero in zeros:
        symbols = {x.name: x for x in free_symbols(zero) if x.kind == "coordinate"}
        if set(symbols) == {q, input}:
            yield -derivative(zero, symbols[input]) / derivative(zero, symbols[q])


def _rate(q: str, input: str, positions: Mapping[str, Expr]) -> Expr:
    """dq/dα of a position, by the rates of those it is made of."""
    value, total = positions[q], ZERO
    for x in free_symbols(value):
        if x.name == input:
            total = total + derivative(value, x)
        elif x.name in positions:
            total = total + derivative(value, x) * symbol(f"{x.name}_{input}")
    return expression(total)
