"""Limits of a synthesis: conditions on dimensions, and on outputs along a turn.

Each gives margins that must not be negative, with their exact derivatives.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from torseur.algebra.calculus.derivative import gradient
from torseur.algebra.core.expr import Expr, expression, symbol
from torseur.algebra.core.graph import substitute
from torseur.analyse.at_a_state.tangent import parameter_definitions
from torseur.analyse.sensitivity.sensitivity import sensitivity
from torseur.design.postures import defined_by
from torseur.design.targets import given_row, given_stations, round_turn
from torseur.equations.functions.kernel import Kernel, kernel
from torseur.errors import ModelError, SolveError
from torseur.language.text.expression import Names, parse_expression
from torseur.machine.compiled import CompiledModel
from torseur.machine.evaluator import kernel_code
from torseur.machine.native import compiled_function
from torseur.model.values.fingerprint import fingerprint
from torseur.words.sentence import said, say

Array = np.ndarray
_SIGN = re.compile(r"(<=|>=|≤|≥)")


@final
@dataclass(frozen=True)
class Grashof:
    """The crank of a four-bar turns round: shortest and longest are less than the other two.

    Names or expressions of the four lengths. With l₁ the crank, l₁ + lᵢ ≤ lⱼ + lₖ for the three
    others (Grashof 1883); `margin` is what must be left of it, in parts of all four.
    """

    crank: str
    coupler: str
    rocker: str
    ground: str
    margin: float = 0.0

    @property
    def texts(self) -> tuple[str, ...]:
        """The three conditions."""
        lengths = (self.crank, self.coupler, self.rocker, self.ground)
        crank, *others = (x if x.isidentifier() else f"({x})" for x in lengths)
        left = f" + {self.margin!r}*({' + '.join((crank, *others))})" if self.margin else ""
        return tuple(
            f"{crank} + {x}{left} <= {' + '.join(y for k, y in enumerate(others) if k != i)}"
            for i, x in enumerate(others)
        )


@final
@dataclass(frozen=True)
class Along:
    """An output stays between two values along a turn of the driver, or at given inputs."""

    output: str
    least: float | None = None
    most: float | None = None
    inputs: Array | None = None
    count: int = 36

    def __post_init__(self) -> None:
        place = f'limit of "{self.output}"'
        if self.least is None and self.most is None:
            raise ModelError(place, "neither least nor most is given.")
        object.__setattr__(self, "inputs", given_stations(place, self.inputs, self.count))

    def said(self, lang: str | None = None) -> str:
        """The limit in words."""
        sides = [f"{self.least:.6g} ≤ "] if self.least is not None else [""]
        sides += [f" ≤ {self.most:.6g}"] if self.most is not None else [""]
        return said(say("{limit} along the turn", self.output.join(sides)), lang)

    def angles(self, begin: float) -> Array:
        """Where it is looked at."""
        return round_turn(begin, self.count) if self.inputs is None else self.inputs

    def margins(self, y: Array) -> tuple[Array, Array]:
        """Margins, and the sign of the output in them: (stations · sides) each."""
        sides = [(y - self.least, 1.0)] if self.least is not None else []
        sides += [(self.most - y, -1.0)] if self.most is not None else []
        left = np.concatenate([margin for margin, _ in sides])
        return left, np.concatenate([np.full(len(y), sign) for _, sign in sides])


def transmission(angle: str, least: float, *, count: int = 36) -> Along:
    """The transmission angle, of a coordinate or an expression, is never nearer to 0 or π.

    `least` is the smallest angle that is allowed [rad], whichever way the joint opens.
    """
    return Along(f"sin({angle})^2", least=float(np.sin(least) ** 2), count=count)


def turning(least: float = 0.05, *, count: int = 36) -> Along:
    """The driver makes a whole turn in which loops close, and stays clear of dead points.

    At one, other coordinates would move infinitely fast: the slowness 1/|dq/dθ| vanishes there.
    """
    return Along("slowness", least=least, count=count)


@final
class ParameterConditions:
    """Inequalities between expressions of parameters."""

    def __init__(self, model: CompiledModel, design: tuple[str, ...], texts: tuple[str, ...]):
        self.texts, self._model, self._design = texts, model, design
        for text in texts:
            _margin(text, model)  # which raises what is wrong with it

    def _kernel(self) -> Kernel:
        inputs = {name: symbol(f"design {name}", "input") for name in self._design}
        known = defined_by(self._model, inputs)
        left = [expression(substitute(_margin(x, self._model), known)) for x in self.texts]
        rows = [[x, *gradient(x, inputs.values())] for x in left]
        listed = [("x", [x.name for x in inputs.values()])]
        return kernel("conditions", listed, np.array(rows, dtype=object))

    @cached_property
    def _function(self) -> Callable[[Array], Array]:
        model = self._model
        identity = f"conditions {self.texts} {self._design} {parameter_definitions(model)}"
        result = kernel_code(self._kernel, f"{identity} {fingerprint(model.mechanism)}")
        return compiled_function(result, model.numbers(result))

    def margins(self, x: Array) -> tuple[Array, Array]:
        """Margin of each condition, and its derivatives by the variables."""
        if not self.texts:
            return np.zeros(0), np.zeros((0, len(x)))
        result = self._function(np.ascontiguousarray(x))
        return result[:, 0], result[:, 1:]


def _margin(text: str, model: CompiledModel) -> Expr:
    """Margin of `a <= b`."""
    parts = _SIGN.split(text)
    if len(parts) != 3:
        problem = say('"{text}" is no inequality of two expressions.', text)
        raise ModelError("synthesis", problem, 'For instance: "l1 + l4 <= l2 + l3".')
    names = Names({name: symbol(name) for name in model.mechanism.parameter_table})
    first, second = (parse_expression(parts[k], names) for k in (0, 2))
    return second - first if parts[1] in ("<=", "≤") else first - second


# --- a motion that shall go as wanted: outputs of a run at times, by its exact sensitivity --------


@final
@dataclass(frozen=True)
class Response:
    """An output of a motion from the initial values shall have given values at times.

    Outputs are coordinates, speeds (`x.`) and what else a sensitivity reads: points, energies,
    reactions, expressions. One time and one value make it any scalar of a motion.
    """

    output: str
    times: Array  # [s]
    wanted: Array
    weight: float = 1.0
    rate: float = 100.0  # samples a second, between which values are interpolated

    def __post_init__(self) -> None:
        place = f'response of "{self.output}"'
        times, values = (given_row(place, x) for x in (self.times, self.wanted))
        if times.shape != values.shape or times.min() < 0 or not times.max():
            problem = say("{count} values are given for {number} times.", values.size, times.size)
            raise ModelError(place, problem, "Times are positive.")
        object.__setattr__(self, "times", times)
        object.__setattr__(self, "wanted", values)

    def residuals(self, model: CompiledModel, design: Mapping[str, float]) -> tuple[Array, Array]:
        """The errors at the times, and their derivatives; not numbers where nothing moves so."""
        duration = float(self.times.max())
        try:
            result = sensitivity(model.tried(**design), duration, tuple(design), rate=self.rate)
        except (SolveError, ModelError):
            nothing = np.full(len(self.times), np.nan)
            return nothing, np.full((len(self.times), len(design)), np.nan)
        t = result.run.t
        values = np.asarray(result.run[self.output], dtype=float)
        slopes = result[self.output]
        y = np.interp(self.times, t, values)
        dy = np.column_stack([np.interp(self.times, t, column) for column in slopes.T])
        return self.weight * (y - self.wanted), self.weight * dy
