"""Eigenvalues of small motions as a parameter changes, each followed from value to value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import final

import numpy as np
from scipy.optimize import linear_sum_assignment

from torseur.analyse.at_a_state.statics import Unknowns
from torseur.analyse.equilibria.holding import state
from torseur.analyse.equilibria.space import cyclic_displacements
from torseur.analyse.stability.steady import Steady
from torseur.errors import ModelError, SolveError
from torseur.figures import Figure, labelled, one_panel, written
from torseur.machine.compiled import CompiledModel
from torseur.model.description import Mechanism
from torseur.model.values.scales import with_unit
from torseur.result import Result
from torseur.simulation.start.assemble import Assembled
from torseur.words.sentence import say

Array = np.ndarray


@final
class RootLocus(Result, document=("parameter", "values", "eigenvalues", "stable")):
    """A column for each eigenvalue, a row for each value of the parameter."""

    parameter: str
    values: Array  # (k)
    eigenvalues: Array  # (k, states) [1/s]
    states: tuple[Steady, ...]  # (k) the equilibria

    @property
    def stable(self) -> Array:
        """(k) True where the equilibrium is stable, by its verdict."""
        return np.array([bool(x.stable) for x in self.states])

    def __str__(self) -> str:
        lines = [say("eigenvalues [1/s], each in its column")]
        for value, row, good in zip(self.values, self.eigenvalues, self.stable, strict=True):
            listed = "  ".join(f"{x.real:9.4g}{x.imag:+.4g}i" for x in row)
            verdict = say("stable") if good else say("not stable")
            lines.append(f"{self.parameter} = {value:<10.6g} {verdict}  {listed}")
        return "\n".join(lines)

    def plot(self, path: str | Path | None = None) -> Figure:
        """The eigenvalues in the complex plane, coloured by the parameter."""
        drawn, panel = one_panel(6.5, 5.0)
        for column in self.eigenvalues.T:
            panel.plot(column.real, column.imag, color="0.8", linewidth=0.8, zorder=1)
            dots = panel.scatter(column.real, column.imag, c=self.values, s=12, zorder=2)
        panel.axvline(0.0, color="k", linewidth=0.8)
        labelled(panel, "Re λ [1/s]", "Im λ [rad/s]")
        model = self.states[0].model
        drawn.colorbar(dots, label=with_unit(model.mechanism, self.parameter))
        return written(drawn, path, model.mechanism.name)


def root_locus(
    mechanism: Mechanism | CompiledModel,
    parameter: str,
    values: Sequence[float] | Array,
    *,
    at: Steady | Assembled | Mapping[str, float] | None = None,
    independent: Sequence[str] = (),
    parameters: Mapping[str, float] | None = None,
) -> RootLocus:
    """The eigenvalues about an equilibrium that is followed as a parameter takes the values.

    `at` says where it starts, as for `linearise`.
    """
    listed = np.atleast_1d(np.asarray(values, dtype=float))
    if not len(listed):
        raise ModelError("root locus", say("values = {values} is empty.", values))
    first = {**(parameters or {}), parameter: float(listed[0])}
    steady = state(mechanism, at, independent, first, 0.0)
    if not steady.is_steady:
        raise ModelError("root locus", say("the start is no equilibrium: {steady}.", steady))
    states = [steady]
    for value in listed[1:]:
        states.append(_next(states[-1], parameter, float(value)))
    rows = [x.small_motions.eigenvalues for x in states]
    return RootLocus(parameter, listed, _followed(rows), tuple(states))


def _next(before: Steady, parameter: str, value: float) -> Steady:
    """The equilibrium at the next value.

    Cyclic coordinates keep their speeds; those of an equilibrium that nothing holds stay.
    """
    state, turning = before.here, before.turning
    idle = frozenset(k for k in state.chart.speeds if k in turning)
    frozen = turning or cyclic_displacements(state)
    sought = Unknowns(frozen=frozen, turning=turning, idle=idle, wanted=state.chart.shifts)
    tangent = state.tangent.with_parameters(**{parameter: value})
    start = replace(state, tangent=tangent).at(state.q, sought=sought)
    after = sought.solved(start)
    if after is None:
        if start is not None:
            raise start.unbalanced()
        raise SolveError(f"{parameter} = {value:g}", "the loops cannot be closed any more.")
    return Steady(after, turning)


def _followed(rows: list[Array]) -> Array:
    """Each eigenvalue next to the one it came from: the assignment of least total distance."""
    ordered = [rows[0]]
    for row in rows[1:]:
        cost = np.abs(ordered[-1][:, np.newaxis] - row[np.newaxis])
        ordered.append(row[linear_sum_assignment(cost)[1]])
    return np.array(ordered)
