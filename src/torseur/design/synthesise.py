"""Synthesis: values of parameters with which a mechanism meets its targets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from torseur.algebra.core.expr import number
from torseur.algebra.core.graph import evaluate
from torseur.design.solver import SearchResult, SearchStart, best_result, driver_range
from torseur.design.synthesis_limits import Along, Grashof, ParameterConditions, Response
from torseur.design.synthesis_problem import SynthesisProblem, named_margins
from torseur.design.synthesis_result import Synthesis, TargetPart
from torseur.design.targets import Law, Path, Peak, Shaking
from torseur.errors import ModelError, SolveError, unknown
from torseur.language.text.given import given_parameters
from torseur.machine.compiled import CompiledModel, compiled_at
from torseur.model.description import Mechanism
from torseur.model.parameters import with_values
from torseur.simulation.start.assemble import assemble
from torseur.words.sentence import say

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
    """Values of parameters, between bounds, with which the squared errors of targets are least.

    `driver` is the coordinate that moves the mechanism, at the steady `speed` [rad/s or m/s] where
    rates matter. `variables` gives the bounds of parameters: {"l1": (0.1, 0.5)}. `targets` are
    paths, laws, shaking forces, peaks and responses; `constraints` are limits along the turn,
    Grashof's condition and texts such as "l1 + l4 <= l2 + l3". The search starts from the
    mechanism as it is and from `starts` random ones between the bounds, whose `refined` best are
    improved, the best by at most `steps`; the same `seed` gives the same result. Loops stay in the
    assembly they start in.
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
            "Hold the others, or drive a mechanism of one motion.",
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
