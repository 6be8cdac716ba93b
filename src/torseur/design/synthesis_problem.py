"""A problem of synthesis: residuals and margins of its variables, with exact derivatives.

The variables X are the design variables x, then the extra variables e of each target. With the
postures of `design/postures.py`, dy = y_x dx + y_θ dθ(e), and residuals and margins follow by the
chain rule: no difference is taken anywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import final

import numpy as np

from torseur.design.postures import Postured, Postures
from torseur.design.synthesis_limits import Along, ParameterConditions, Response
from torseur.design.targets import Extras, Peak, Target, TargetResiduals
from torseur.machine.compiled import CompiledModel
from torseur.words.sentence import say

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
