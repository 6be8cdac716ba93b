"""Derivatives of the motions of a batch by parameters and initial values.

The variational equations of single runs, in the lanes of vectors: one direction at a time, all rows
at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, final

import numpy as np

from torseur.algebra.core.expr import Expr
from torseur.algebra.core.graph import free_symbols
from torseur.analyse.at_a_state.initial_states import states_as_freedoms
from torseur.analyse.at_a_state.tangent import Tangent
from torseur.analyse.sensitivity.sensitivity import Sensitivity, Variation, start_slope
from torseur.analyse.sensitivity.sensitivity import sensitivity as of_one
from torseur.equations.motion.quasi_static import kept_by_balance
from torseur.errors import ModelError, require_known
from torseur.machine.compiled import CompiledModel
from torseur.machine.integrators.codes import Code
from torseur.machine.integrators.drive import integrate_rows
from torseur.machine.integrators.methods import Dop853
from torseur.machine.integrators.problem import MotionRows, Problem, of_size_one
from torseur.model.description import Mechanism
from torseur.result import Result
from torseur.simulation.batch.batch import first_start, threads_or_all
from torseur.simulation.batch.lane_motion import LaneMotion, row_function, why_not
from torseur.simulation.batch.values import BatchValues, batch_values, is_batch
from torseur.simulation.constraints.moving_model import moving_model, require_same_balances
from torseur.simulation.formulations.sampling import Sampling, schedule_of
from torseur.simulation.run.run import Run
from torseur.words.sentence import say

Array = np.ndarray


@final
class Sensitivities(Result):
    """The derivatives of the motions of a batch; not a number where a row could not be followed."""

    model: CompiledModel  # at the parameters of the first row
    t: Array  # (samples) [s]
    names: tuple[str, ...]  # the parameters and initial values, in order
    states: Array  # (rows, samples, state); the state is (q, v, work, first-order states)
    S: Array  # (rows, samples, state, names)
    values: BatchValues
    variation: Variation

    def __len__(self) -> int:
        return len(self.states)

    def __getitem__(self, output: str) -> Array:
        """(rows, samples, names): the derivatives of a coordinate or a speed."""
        states = tuple(self.model.mechanism.states)
        require_known(
            "sensitivity",
            "coordinate",
            output,
            (*self.model.coordinates, *self.model.speeds, *states),
        )
        return self.S[:, :, self.variation.state_names.index(output)]

    def of(self, output: str, name: str) -> Array:
        """(rows, samples): the derivative of a coordinate or a speed by one name."""
        require_known("sensitivity", "parameter", name, self.names)
        return self[output][:, :, self.names.index(name)]

    def row(self, row: int) -> Sensitivity:
        """The derivatives of one row, of anything that can be read from its motion."""
        _, parameters = self.values.of(row)
        run = Run.of_states(self.model.tried(**parameters), self.t, self.states[row])
        return Sensitivity(run, self.names, self.S[row], self.variation)


def sensitivity(
    mechanism: Mechanism | CompiledModel,
    duration: float,
    of: Sequence[str],
    *,
    rate: float = 100.0,
    initial: Mapping[str, float] | None = None,
    parameters: Mapping[str, float] | None = None,
    rtol: float = 1e-10,
    threads: int | None = None,
) -> Sensitivity | Sensitivities:
    """A run and its exact derivatives by the parameters and initial values that `of` names.

    An initial value is that of an independent coordinate ("alpha") or speed ("alpha."); the others
    follow the constraints. Initial values that are expressions of parameters change with them.
    Arrays among the values of `initial` and `parameters` make a batch, one motion for each entry:
    the result has the derivatives of all rows.
    """
    if not is_batch(initial, parameters):
        chosen: Any = {"rate": rate, "initial": initial, "parameters": parameters, "rtol": rtol}
        return of_one(mechanism, duration, of, **chosen)
    if not of:
        raise ModelError(
            "sensitivity", say("of = {of} names nothing.", tuple(of)), "For instance: of=('m',)."
        )
    model = moving_model(mechanism)
    require_same_balances(model.mechanism, parameters or {})
    values = batch_values(model.mechanism, initial, parameters)
    for row, reason in values.reasons.items():
        raise ModelError("sensitivity", say("row {row}: {reason}", row, reason))
    begin, _ = first_start(model, values, 0.0)
    if why := why_not(begin):
        raise ModelError(
            "sensitivity",
            say("a batch of derivatives is not possible: {why}.", why),
            "Ask for the rows one by one.",
        )
    times = schedule_of(duration, Sampling(rate), 0.0).times
    return _followed(LaneMotion(begin, values), tuple(of), times, rtol, threads_or_all(threads))


def _followed(
    motion: LaneMotion, of: tuple[str, ...], times: Array, rtol: float, threads: int
) -> Sensitivities:
    """One direction after the other, all rows at once."""
    model, swept = motion.model, motion.swept
    listed = tuple(name for name in of if name in model.parameters)
    variation = Variation(model, motion.begin.rows, listed)
    codes: dict[str, Any] = {n: row_function(model, x, swept) for n, x in variation.codes.items()}
    problem = Problem(**codes)
    starts, reasons = motion.starts()
    for row, reason in reasons.items():
        raise ModelError("sensitivity", say("row {row}: {reason}", row, reason))
    n, slopes, states = starts.shape[1], [], starts
    for name in of:
        weights = [float(parameter == name) for parameter in variation.weights.values()]
        begun = np.hstack([starts, _slopes(motion, starts, name), _tiled(weights, len(starts))])
        rows = MotionRows(begun, times, of_size_one(begun.shape[1]))
        result = integrate_rows(problem, rows, Dop853(rtol), threads=threads)
        result.states[result.codes != int(Code.DONE)] = np.nan
        states, slope = result.states[:, :, :n], result.states[:, :, n : 2 * n]
        slopes.append(slope)
    stacked_slopes = np.stack(slopes, axis=3)
    return Sensitivities(model, times, of, states, stacked_slopes, motion.values, variation)


def _tiled(row: Any, count: int) -> Array:
    return np.tile(np.asarray(row, dtype=float), (count, 1))


def _slopes(motion: LaneMotion, starts: Array, name: str) -> Array:
    """∂y/∂name at the starts; the same for all rows of a tree without quaternions."""
    model, values, count = motion.model, motion.values, len(starts)
    states = {name: x.initial for name, x in model.mechanism.states.items()}
    stays = dict.fromkeys(kept_by_balance(model.mechanism), 0.0)
    described = {**stays, **model.mechanism.initial, **states}
    fixed = not any(isinstance(x, Expr) and free_symbols(x) for x in described.values())
    plain = fixed and not model.system.constrained and not model.system.tree.quaternions
    result = []
    for row in range(1 if plain else count):
        initial, parameters = values.of(row)
        wide = {n: parameters[n] for n, x in values.parameters.items() if np.ndim(x) > 0}
        tangent = Tangent(states_as_freedoms(model.tried(**wide) if wide else model))
        result.append(start_slope(tangent, starts[row], {**described, **initial}, name))
    return _tiled(result[0], count) if plain else np.array(result)
