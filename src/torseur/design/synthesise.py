"""Synthesis: values of parameters with which a mechanism meets its targets, and the result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path as FilePath
from typing import Any, final

import numpy as np

from torseur.algebra.core.expr import number
from torseur.algebra.core.graph import evaluate
from torseur.design.solver import SearchResult, SearchStart, best_result, driver_range
from torseur.design.synthesis_problem import (
    Along,
    Grashof,
    ParameterConditions,
    Response,
    SynthesisProblem,
    named_margins,
)
from torseur.design.targets import Law, Path, Peak, Shaking
from torseur.errors import ModelError, SolveError, unknown
from torseur.figures import Figure, figure, labelled, written
from torseur.language.text.given import given_parameters
from torseur.machine.compiled import CompiledModel, compiled_at
from torseur.model.description import Mechanism
from torseur.model.parameters import with_values
from torseur.plain import entries, plain
from torseur.result import Result
from torseur.simulation.start.assemble import assemble
from torseur.words.sentence import say, worded

Array = np.ndarray
_SAME = 1e-6  # of coordinates of one assembly [rad, or part of the size]


def synthesise(
    mechanism: Mechanism | CompiledModel,
    driver: str,
    variables: Mapping[str, Sequence[Any]],
    targets: Sequence[Any],
    *,
    constraints: Sequence[Any] = (),
    starts: int = 30,
    refined: int = 6,
    steps: int = 300,
    seed: int = 0,
    speed: float = 1.0,
    parameters: Mapping[str, float] | None = None,
) -> Synthesis:
    """Find parameters, between bounds, that minimise the squared errors of targets.

    `driver` is the coordinate that moves the mechanism, at the steady `speed` [rad/s or m/s] where
    rates matter. `variables` gives the bounds of parameters: {"l1": (0.1, 0.5)}. `targets` are
    paths, laws, shaking forces, peaks and responses; `constraints` are limits along the turn,
    Grashof's condition and texts such as "l1 + l4 <= l2 + l3". The search starts from the
    mechanism as it is and from `starts` random ones between the bounds that assemble (those that do
    not are discarded and replaced, up to ten times as many), whose `refined` best are improved, the
    best by at most `steps`; the same `seed` gives the same result. Loops stay in the assembly they
    start in.
    """
    model = compiled_at(mechanism, parameters)
    problem = _problem(model, driver, variables, targets, constraints, speed)
    given = np.array([_value(model, name) for name in problem.design])
    counts = starts, refined, steps
    result = best_result(problem, np.clip(given, problem.low, problem.high), counts, seed)
    if result is None:
        raise SolveError(
            "synthesis",
            say("its loops close at none of {number} starts.", starts + 1),
            "Widen the bounds, or give initial values that are expressions of the parameters.",
        )
    left = len(problem.postures.unknowns) - result.best.evaluation.postures.rank
    if left:
        raise ModelError(
            "synthesis",
            say("{driver} leaves {number} motions of the mechanism free.", driver, left),
            "Hold the other coordinates, or use a mechanism of mobility 1.",
        )
    return _synthesis(problem, result, given)


def _problem(
    model: CompiledModel,
    driver: str,
    variables: Mapping[str, Sequence[Any]],
    targets: Sequence[Any],
    constraints: Sequence[Any],
    speed: float,
) -> SynthesisProblem:
    if not variables or not targets:
        problem = "it needs variables and targets."
        raise ModelError("synthesis", problem, 'For instance: variables={"l1": (0.1, 0.5)}.')
    design = tuple(variables)
    for name in design:
        model.require_changeable((name,))
        if len(tuple(variables[name])) != 2:
            problem = say('"{name}" needs two bounds.', name)
            raise ModelError("synthesis", problem, say("For instance: {name}: [0.1, 0.5].", name))
    low, high = (
        np.array(
            [*given_parameters(model.mechanism, dict(zip(design, side, strict=True))).values()]
        )
        for side in zip(*variables.values(), strict=True)
    )
    for name, a, b in zip(design, low, high, strict=True):
        if not a < b:
            problem = say('the bounds of "{name}" are {a:g} and {b:g}.', name, a, b)
            raise ModelError("synthesis", problem, "The first must be the smaller.")
    texts: list[str] = []
    limits = []
    for entry in constraints:
        if isinstance(entry, Along):
            limits.append(entry)
        elif isinstance(entry, Grashof | str):
            texts += entry.texts if isinstance(entry, Grashof) else (entry,)
        else:
            raise ModelError("synthesis", say("{entry} is no constraint.", repr(entry)))
    for entry in targets:
        if not isinstance(entry, Path | Law | Shaking | Peak | Response):
            raise ModelError("synthesis", say("{entry} is no target.", repr(entry)))
    responses = tuple(x for x in targets if isinstance(x, Response))
    others = tuple(x for x in targets if not isinstance(x, Response))
    if driver not in model.coordinates:
        raise unknown("synthesis", "coordinate", driver, model.coordinates)
    conditions = ParameterConditions(model, design, tuple(texts))
    begin = float(evaluate(model.mechanism.initial.get(driver, number(0)), model.parameters))
    return SynthesisProblem(
        model, driver, design, low, high, others, responses, tuple(limits), conditions, begin, speed
    )


def _value(model: CompiledModel, name: str) -> float:
    """The value that a design variable has; the middle of nothing is no value."""
    value = model.parameters[name]
    if value is None:
        model.require_values({name: None})
    return float(value or 0.0)


def _synthesis(problem: SynthesisProblem, solution: SearchResult, given: Array) -> Synthesis:
    """The result in words and values."""
    best, n = solution.best, len(problem.design)
    after = dict(zip(problem.design, map(float, best.evaluation.X[:n]), strict=True))
    mechanism, notices = _renewed(problem, best, after)
    return Synthesis(
        mechanism,
        problem.model.mechanism,
        problem.driver,
        dict(zip(problem.design, map(float, given), strict=True)),
        after,
        {
            name: (float(a), float(b))
            for name, a, b in zip(problem.design, problem.low, problem.high, strict=True)
        },
        solution.start.evaluation.cost,
        best.evaluation.cost,
        _parts(problem, solution),
        named_margins(problem, best.evaluation),
        best.whole,
        solution.tried,
        notices,
        solution.discarded,
    )


def _parts(problem: SynthesisProblem, solution: SearchResult) -> tuple[TargetPart, ...]:
    n, parts = len(problem.design), []
    first, last = solution.start.evaluation, solution.best.evaluation
    curves = [driver_range(problem, result.X[:n]) for result in (first, last)]
    old, new = (np.zeros((0, len(problem.outputs))) if c is None else c[0].y for c in curves)
    for target, part, cut in zip(problem.targets, last.parts, last.cuts, strict=False):
        columns = problem.columns(target.outputs)
        y = last.postures.y[cut][:, columns]
        parts.append(
            TargetPart(
                target,
                target.outputs,
                last.postures.angles[cut],
                first.postures.y[cut][:, columns],
                y,
                target.residuals(y, last.X[part]).r,
                new[:, columns],
                old[:, columns],
            )
        )
    return tuple(parts)


def _renewed(
    problem: SynthesisProblem, best: SearchStart, after: Mapping[str, float]
) -> tuple[Mechanism, tuple[str, ...]]:
    """The mechanism with its new values; initial values that lead to its own assembly."""
    old = problem.model.mechanism
    values = {**problem.model.given, **after}
    mechanism = replace(old, parameter_table=with_values(old.parameter_table, values))
    posed = driver_range(problem, np.array(list(after.values())))
    if posed is None:
        return mechanism, (say("its loops do not close from its initial values."),)
    names, ladder = problem.model.coordinates, posed[0]
    at = int(np.abs(ladder.angles - problem.begin).argmin())
    posture = ladder.z[at, : len(names)]
    with suppress(SolveError, ModelError):  # its own initial values may lead nowhere
        result = assemble(mechanism, {problem.driver: problem.begin}).q
        if np.abs((result - posture) / problem.postures.scale).max() < _SAME:
            return mechanism, ()
    start = {name: number(float(x)) for name, x in zip(names, posture, strict=True)}
    return replace(mechanism, initial={**old.initial, **start}), ()


# --- result of a synthesis: the new mechanism, values before and after, residuals -----------------

_KEPT = 1e-8  # a margin below zero that is rounding


@final
class TargetPart(Result):
    """A target before and after: what was read at its angles, and what is left."""

    target: Any
    outputs: tuple[str, ...]
    angles: Array  # (stations) of the driver, after
    before: Array  # (stations, outputs); not numbers where it could not be done
    after: Array  # (stations, outputs)
    residuals: Array  # after
    curve: Array  # (samples, outputs): along the way of the driver, after
    old_curve: Array

    @property
    def cost(self) -> float:
        """The sum of squares."""
        return float(self.residuals @ self.residuals)


@final
class Synthesis(Result):
    """Result of a synthesis: the mechanism, its targets and their errors."""

    mechanism: Mechanism  # the new one
    old: Mechanism
    driver: str
    before: dict[str, float]  # the design variables
    after: dict[str, float]
    bounds: dict[str, tuple[float, float]]
    cost_before: float  # the sum of squared residuals
    cost: float
    parts: tuple[TargetPart, ...]
    margins: dict[str, float]  # of conditions and limits, after; not below zero
    turns: bool  # whether the driver makes a whole turn
    starts: int  # that were tried
    notices: tuple[str, ...] = ()
    discarded: int = 0  # random starts at which loops do not close

    @property
    def kept(self) -> bool:
        """Whether all conditions and limits hold."""
        return all(left >= -_KEPT for left in self.margins.values())

    def save(self, path: str | FilePath) -> FilePath:
        """The new mechanism as a file of the YAML form."""
        return self.mechanism.save(path)

    @property
    def document(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "driver": self.driver,
            "cost_before": plain(self.cost_before, finite=True),
            "cost": self.cost,
            "kept": self.kept,
            "whole_turn": self.turns,
            **entries(self, "starts", "discarded"),
            "variables": {
                name: {"before": plain(self.before[name]), "after": plain(value),
                       "bounds": plain(list(self.bounds[name]), finite=True)}
                for name, value in self.after.items()
            },
            "targets": [
                entries(part, "outputs", "angles", "after", "residuals") for part in self.parts
            ],
            **entries(self, "margins", "notices"),
        }  # fmt: skip

    def __str__(self) -> str:
        costs = say("sum of squared errors {before:.6g} → {after:.3g}", self.cost_before, self.cost)
        lines = [costs, *self._variables(), *self._errors()]
        if self.discarded:
            lines.append(self.say("{starts} starts assemble; {discarded} others were discarded."))
        if self.margins:
            lines.append(say("margins of the conditions:"))
            lines += [
                say("  {name}: {left:.3g}", worded(name), left)
                for name, left in self.margins.items()
            ]
        if not self.kept:
            lines.append(say("not all conditions hold: try more starts or wider bounds."))
        return "\n".join((*lines, *map(worded, self.notices)))

    def _variables(self) -> list[str]:
        table, lines, width = self.old.parameter_table, [], max(map(len, self.after))
        for name, value in self.after.items():
            low, high = self.bounds[name]
            near = 1e-9 * (high - low)
            edge = say(" (at its bound)") if min(value - low, high - value) <= near else ""
            unit = f" {table[name].unit}" if table[name].unit not in ("", "1") else ""
            lines.append(f"  {name:<{width}} {self.before[name]:.6g} → {value:.6g}{unit}{edge}")
        return lines

    def _errors(self) -> list[str]:
        """A line for each station of a path or a law; one for what counts along a turn."""
        lines = []
        for part in self.parts:
            names = ", ".join(part.outputs)
            lines.append(say("{names}: sum of squares {cost:.3g}", names, part.cost))
            if part.residuals.size != part.after.size or len(part.angles) > 20:
                continue
            off = part.residuals.reshape(part.after.shape)
            for angle, row, error in zip(part.angles, part.after, off, strict=True):
                values = ", ".join(f"{x:.6g}" for x in row)
                lines.append(
                    self.say(
                        "  {driver} = {angle:.5g}: ({values}), {error:.2g}",
                        angle=angle,
                        values=values,
                        error=np.linalg.norm(error),
                    )
                )
        return lines

    def figure(self, path: str | FilePath | None = None) -> Figure:
        """Each target: what is wanted, what was, what is now."""
        count = max(len(self.parts), 1)
        drawn = figure(5.5 * count, 4.8)
        panels = np.atleast_1d(drawn.subplots(1, count))
        for panel, part in zip(panels, self.parts, strict=False):
            if isinstance(part.target, Path):
                _draw_path(panel, part)
            else:
                _draw_law(panel, part, self.driver)
            panel.legend(frameon=False)
        return written(drawn, path, self.mechanism.name)


def _draw_path(panel: Any, part: TargetPart) -> None:
    """The curve of a point and the points that it shall pass through."""
    first, second = part.outputs[:2]
    targets = part.target.points
    panel.plot(*part.old_curve.T[:2], color="0.7", linewidth=1.0, label=worded("before"))
    panel.plot(*part.curve.T[:2], linewidth=1.6, label=worded("after"))
    panel.plot(*targets.T[:2], "o", markersize=5, label=worded("wanted"))
    panel.set_aspect("equal", adjustable="datalim")
    labelled(panel, f"{first} [m]", f"{second} [m]")


def _draw_law(panel: Any, part: TargetPart, driver: str) -> None:
    """Outputs over the driver."""
    for k, name in enumerate(part.outputs):
        panel.plot(
            part.angles, part.before[:, k], color="0.7", linewidth=1.0, label=worded("before")
        )
        panel.plot(part.angles, part.after[:, k], linewidth=1.6, label=name)
    targets: Sequence[float] | None = getattr(part.target, "wanted", None)
    if targets is not None:
        panel.plot(part.angles, targets, "o", markersize=4, label=worded("wanted"))
    labelled(panel, f"{driver} [rad]", "SI")
