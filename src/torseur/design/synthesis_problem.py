"""A problem of synthesis: residuals and margins of its variables, with exact derivatives.

The variables X are the design variables x, then the extra variables e of each target. With the
postures of `design/postures.py`, dy = y_x dx + y_θ dθ(e), and residuals and margins follow by the
chain rule: no difference is taken anywhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import final

import numpy as np

from torseur.algebra.calculus.derivative import gradient
from torseur.algebra.core.expr import Expr, expression, symbol
from torseur.algebra.core.graph import substitute
from torseur.analyse.at_a_state.tangent import parameter_definitions
from torseur.analyse.sensitivity.sensitivity import sensitivity
from torseur.design.postures import Postured, Postures, defined_by
from torseur.design.targets import (
    Extras,
    Peak,
    Target,
    TargetResiduals,
    given_row,
    given_stations,
    round_turn,
)
from torseur.equations.functions.kernel import Kernel, kernel
from torseur.errors import ModelError, SolveError
from torseur.language.text.expression import Names, parse_expression
from torseur.machine.compiled import CompiledModel
from torseur.machine.evaluator import kernel_code
from torseur.machine.native import compiled_function
from torseur.model.values.fingerprint import fingerprint
from torseur.words.sentence import said, say

Array = np.ndarray


@final
@dataclass(frozen=True)
class Evaluation:
    """Residuals and margins at values of the variables."""

    X: Array
    r: Array  # (residuals)
    dr: Array  # (residuals, variables)
    g: Array  # (margins)
    dg: Array  # (margins, variables)
    postures: Postured
    parts: Sequence[slice]  # where the extra variables of each target stand among the variables
    cuts: Sequence[slice]  # where its stations stand, and those of each limit

    @property
    def cost(self) -> float:
        """The sum of the squared residuals."""
        return float(self.r @ self.r)

    @property
    def violation(self) -> float:
        """The largest margin below zero."""
        return max(0.0, -float(self.g.min(initial=0.0)))


@final
@dataclass(frozen=True)
class SynthesisProblem:
    """Problem of synthesis: variables with bounds, targets and limits."""

    model: CompiledModel
    driver: str
    design: tuple[str, ...]
    low: Array
    high: Array
    targets: tuple[Target, ...]
    responses: tuple[Response, ...]
    limits: tuple[Along, ...]
    conditions: ParameterConditions
    begin: float  # the first angle of turns
    speed: float

    @cached_property
    def outputs(self) -> tuple[str, ...]:
        """All that are read, each once."""
        named = (name for target in self.targets for name in target.outputs)
        return tuple(dict.fromkeys((*named, *(limit.output for limit in self.limits))))

    @cached_property
    def postures(self) -> Postures:
        """The compiled function of all outputs."""
        return Postures(self.model, self.driver, self.design, self.outputs)

    def columns(self, names: Sequence[str]) -> list[int]:
        """Where outputs stand."""
        return [self.outputs.index(name) for name in names]

    def parts(self, extras: Sequence[Extras]) -> list[slice]:
        """Where the extra variables of each target stand among the variables."""
        ends = np.cumsum([len(self.design), *(len(e.start) for e in extras)])
        return [slice(int(a), int(b)) for a, b in pairwise(ends)]

    def stations(self, X: Array, parts: Sequence[slice]) -> tuple[Array, list[slice]]:
        """The angles of all targets, then of all limits, and whose they are."""
        angles = [
            t.angles(X[part], self.begin)[0] for t, part in zip(self.targets, parts, strict=True)
        ]
        angles += [limit.angles(self.begin) for limit in self.limits]
        angles = angles or [np.array([self.begin])]
        ends = np.cumsum([0, *map(len, angles)])
        return np.concatenate(angles), [slice(int(a), int(b)) for a, b in pairwise(ends)]

    def evaluated(self, X: Array, parts: Sequence[slice], postures: Postured) -> Evaluation | None:
        """Residuals and margins, reached from postures that are near; None where loops open."""
        n = len(self.design)
        angles, cuts = self.stations(X, parts)
        result = self.postures.continuation(postures, X[:n], angles, self.speed)
        if result is None:
            return None
        residuals: list[tuple[Array, Array]] = []
        margins = [self._widened(*self.conditions.margins(X[:n]), slice(0, n), X)]
        for target, part, cut in zip(self.targets, parts, cuts, strict=False):
            y, dy, extra = *self._read(target.outputs, result, cut), X[part]
            by_angle = target.angles(extra, self.begin)[1]
            residuals.append(_chained(target.residuals(y, extra), dy, by_angle, part, X, n))
            margins.append(self._widened(*target.margins(extra), part, X))
            if isinstance(target, Peak):
                margins.append(_chained(target.bounded(y, extra), dy, by_angle, part, X, n))
        for limit, cut in zip(self.limits, cuts[len(self.targets) :], strict=False):
            y, dy = self._read((limit.output,), result, cut)
            left, signs = limit.margins(y[:, 0])
            slopes = np.tile(dy[:, 0, :n], (len(left) // len(y), 1)) * signs[:, None]
            margins.append(self._widened(left, slopes, slice(0, n), X))
        for response in self.responses:
            r, dr = response.residuals(self.model, dict(zip(self.design, X[:n], strict=True)))
            residuals.append(self._widened(r, dr, slice(0, n), X))
        r, dr, g, dg = (np.concatenate([pair[k] for pair in both]) if both else np.zeros(0)
                        for both in (residuals, margins) for k in (0, 1))  # fmt: skip
        if not (np.isfinite(r).all() and np.isfinite(g).all()):
            return None
        return Evaluation(X, r, dr, g, dg, result, parts, cuts)

    def _read(self, names: Sequence[str], result: Postured, cut: slice) -> tuple[Array, Array]:
        columns = self.columns(names)
        return result.y[cut][:, columns], result.dy[cut][:, columns]

    @staticmethod
    def _widened(values: Array, slopes: Array, part: slice, X: Array) -> tuple[Array, Array]:
        wide = np.zeros((len(values), len(X)))
        wide[:, part] = slopes
        return values, wide


def _chained(
    result: TargetResiduals, dy: Array, by_angle: Array, part: slice, X: Array, n: int
) -> tuple[Array, Array]:
    """The chain rule: dr = r_y (y_x dx + y_θ θ_e de) + r_e de."""
    slopes = np.zeros((len(result.r), len(X)))
    slopes[:, :n] = np.einsum("mko,kox->mx", result.by_y, dy[:, :, :n])
    slopes[:, part] = np.einsum("mko,ko,ke->me", result.by_y, dy[:, :, n], by_angle) + result.by_e
    return result.r, slopes


def named_margins(problem: SynthesisProblem, result: Evaluation) -> dict[str, float]:
    """The smallest margin of each condition and limit, by what it says."""
    left = problem.conditions.margins(result.X[: len(problem.design)])[0]
    named = dict(zip(problem.conditions.texts, map(float, left), strict=True))
    for limit, cut in zip(problem.limits, result.cuts[len(problem.targets) :], strict=False):
        y = result.postures.y[cut][:, problem.columns((limit.output,))[0]]
        named[limit.said()] = float(limit.margins(y)[0].min())
    for target, part in zip(problem.targets, result.parts, strict=True):
        margins = target.margins(result.X[part])[0]
        if len(margins):
            named[say("angles in order: {outputs}", ", ".join(target.outputs))] = float(
                margins.min()
            )
    return named


# --- synthesis limits -----------------------------------------------------------------------------

# Limits of a synthesis: conditions on dimensions, and on outputs along a turn.
#
# Each gives margins that must not be negative, with their exact derivatives.

_SIGN = re.compile(r"(<=|>=|≤|≥)")


@final
@dataclass(frozen=True)
class Grashof:
    """Constraint: the crank of a four-bar turns fully (shortest + longest < other two).

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
    """Constraint: an output stays between two values in a turn of the driver, or at inputs."""

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
    """Constraint: the transmission angle, a coordinate or an expression, stays off 0 and π.

    `least` is the smallest angle that is allowed [rad], whichever way the joint opens.
    """
    return Along(f"sin({angle})^2", least=float(np.sin(least) ** 2), count=count)


def turning(least: float = 0.05, *, count: int = 36) -> Along:
    """Constraint: the driver makes a full turn with closed loops, off dead points.

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
    """Target: an output of a motion from the initial values has given values at times.

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
