"""A batch of motions: rows in lanes where that is possible, one after the other where it is not."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import final

import numpy as np

from torseur.errors import ModelError, SolveError
from torseur.machine.compiled import CompiledModel, compiled_at
from torseur.machine.integrators.codes import Code
from torseur.machine.integrators.drive import integrate_rows
from torseur.machine.integrators.methods import Method
from torseur.machine.integrators.outcome import RowsOutcome
from torseur.machine.integrators.problem import MotionRows, Problem, at_rows
from torseur.model.checks.plausibility import starts_in_degrees
from torseur.model.description import Mechanism
from torseur.notices import left_out
from torseur.simulation.batch.lane_motion import BatchControl, LaneMotion, why_not
from torseur.simulation.batch.row_limits import limit_notices
from torseur.simulation.batch.rows import RowEvents, RowResults, empty_results
from torseur.simulation.batch.runs import Runs
from torseur.simulation.batch.touching_rows import ContactBatch, TouchingRows
from torseur.simulation.batch.values import BatchValues, Reasons
from torseur.simulation.formulations.joint_start import JointStart, joint_start
from torseur.simulation.formulations.protocol import FAILURES
from torseur.simulation.formulations.request import Beginning
from torseur.simulation.run.run import Run
from torseur.simulation.run.watch import EXPLAINED, LOST
from torseur.words.sentence import say

Array = np.ndarray
Single = Callable[[int, dict[str, float], dict[str, float]], Run]  # row, initial, parameters
_FIRST = 3  # rows that are refused for one reason: so are all
_ALL_CHECKED = 64  # rows of which every one is looked at before they move


@final
@dataclass(frozen=True)
class BatchRequest:
    """Request for all rows: sample times, method, number of threads."""

    times: Array
    method: Method | None  # None: no row runs in lanes
    tolerance: float | None  # None for steps of fixed length
    threads: int
    progress: Callable[[float], None] | None = None
    mask: Array | None = None  # (samples): those that are kept; None: all
    inputs: Array | None = None  # (rows or 1, samples, inputs): given while they move
    control: BatchControl | None = None  # that acts on them
    touching: ContactBatch | None = None  # how rows that touch move together; None: each alone


def threads_or_all(threads: int | None) -> int:
    """The number of threads: as many as there are processors, unless it is given."""
    if threads is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
    if threads < 1:
        raise ModelError("simulate", say("threads must be at least 1, got {threads}.", threads))
    return threads


def moved_batch(
    mechanism: Mechanism | CompiledModel,
    values: BatchValues,
    request: BatchRequest,
    single: Single,
) -> Runs:
    """The motions of all rows; `single` moves one that lanes do not."""
    reasons = dict(values.reasons)
    reasons |= _impossible(mechanism, values, reasons)
    good = np.array([row for row in range(values.count) if row not in reasons], dtype=int)
    if not len(good):
        raise ModelError("simulate", say("no row can move: {reason}", next(iter(reasons.values()))))
    movable = values.only(good) if reasons else values
    begin, first_reasons = first_start(mechanism, movable, float(request.times[0]))
    method = request.method
    why = (
        say("its method or its coordinates move one motion at a time")
        if method is None
        else why_not(begin)
    )
    if request.control is not None:
        why = why or request.control.why_not(begin.model)
    if method is None or why:
        results = _one_by_one(begin, movable, request, single)
        notices: tuple[str, ...] = (say("Moved one by one: {why}.", why),)
    else:
        results, notices = _in_lanes(LaneMotion(begin, movable), method, request, single)
    results = results.spread(values.count, good, reasons) if reasons else results
    if request.mask is not None:
        results.states = np.ascontiguousarray(results.states[:, request.mask])
    times = request.times if request.mask is None else request.times[request.mask]
    description = begin.model.mechanism
    doubtful = starts_in_degrees(description, values.initial)
    notices = (*left_out(description.notices), *doubtful, *notices, *first_reasons)
    runs = Runs(begin, values, times, results, notices)
    runs.notices = (*runs.notices, *limit_notices(runs))
    return runs


def _impossible(
    mechanism: Mechanism | CompiledModel, values: BatchValues, known: Reasons
) -> Reasons:
    """The rows whose parameters no description could have.

    Of many rows, those with the smallest and the largest value of each parameter are looked at
    first, and the others only where one of these is impossible.
    """
    model, reasons = compiled_at(mechanism), dict[int, str]()
    wide = {n: x for n, x in values.parameters.items() if isinstance(x, np.ndarray)}
    rows = [row for row in range(values.count) if row not in known]
    if not wide or not rows:
        return reasons

    def look(row: int) -> bool:
        try:
            model.with_parameters(**values.of(row)[1])
        except ModelError as error:
            reasons[row] = str(error)
        return row in reasons

    some = rows
    if len(rows) > _ALL_CHECKED:
        possible = np.array(rows)
        ends = (f(x[possible]) for x in wide.values() for f in (np.argmin, np.argmax))
        some = [rows[int(k)] for k in ends]
    if any([look(row) for row in dict.fromkeys(some)]):
        for row in rows:
            look(row)
    return reasons


def first_start(
    mechanism: Mechanism | CompiledModel, values: BatchValues, t: float
) -> tuple[JointStart, tuple[str, ...]]:
    """The start of the first row that can be assembled."""
    failed: SolveError | None = None
    for row in range(min(values.count, _ALL_CHECKED)):
        initial, parameters = values.of(row)
        try:
            begin = joint_start(compiled_at(mechanism, parameters), Beginning(initial, t))
        except SolveError as error:
            failed = failed or error
            continue
        return begin, begin.notices
    assert failed is not None, "a batch has rows"
    raise failed


def _in_lanes(
    motion: LaneMotion, method: Method, request: BatchRequest, single: Single
) -> tuple[RowResults, tuple[str, ...]]:
    """All rows in lanes; stiff ones move again, one by one, by a method that is made for it."""
    problem, rows, reasons = _prepared(motion, request)
    times, count, report = request.times, len(rows.starts), request.progress
    first = float(times[0])

    def progress(begun: int) -> None:
        if report is not None:
            report(first + (float(times[-1]) - first) * begun / count)

    outcome = integrate_rows(
        problem,
        rows,
        motion.method(method),
        threads=request.threads,
        progress=None if report is None else progress,
    )
    results = _results(motion, outcome, reasons, request.tolerance)
    stiff = np.flatnonzero(outcome.codes == int(Code.STIFF))
    # an imposed speed may jump, over which no integrator steps: alone, positions follow the law
    jumping = [row for row in results.reasons if row not in reasons and motion.begin.is_driven]
    for row in (*stiff, *jumping):
        results.take(int(row), *_alone(motion.values, int(row), single), times)
    notices = (say("{count} rows are stiff: moved one by one.", len(stiff)),) if len(stiff) else ()
    return results, notices


def _prepared(motion: LaneMotion, request: BatchRequest) -> tuple[Problem, MotionRows, Reasons]:
    """The problem and the rows that lanes move, with their first inputs; why some cannot move."""
    starts, reasons = motion.starts()
    problem, first = motion.problem(), float(request.times[0])
    count = len(motion.model.mechanism.commanded) if request.control is not None else 0
    inputs, after = np.zeros((1, 1, count)), len(motion.model.mechanism.states)
    if request.inputs is not None:
        numbers = motion.values.numbers
        wide = len(request.inputs) > 1 and numbers is not None
        inputs = request.inputs[numbers] if wide else request.inputs
        place = len(motion.model.coordinates) + len(motion.model.speeds) + 1
        starts[:, place : place + inputs.shape[-1]] = inputs[:, 0]
    if request.control is not None:
        problem = request.control.acting(problem, motion, len(starts))
        assert problem.act is not None and problem.places is not None, "it acts"
        starts = at_rows(problem.act, problem.places, starts, first, starts.copy())
    sizes = motion.sizes(starts, first, float(request.times[-1]) - first)
    return problem, MotionRows(starts, request.times, sizes, inputs, after), reasons


def _results(
    motion: LaneMotion, outcome: RowsOutcome, reasons: Reasons, rtol: float | None
) -> RowResults:
    """The results of rows, with a reason for each that is no motion."""
    reasons = dict(reasons)
    for row in np.flatnonzero(
        ~np.isin(outcome.codes, (Code.DONE, Code.TERMINAL_EVENT, Code.STIFF))
    ):
        reason = FAILURES[Code(int(outcome.codes[row]))]
        reasons.setdefault(int(row), say("t = {t:.6g} s: {reason}.", outcome.ended[row], reason))
    least = np.sqrt(np.finfo(float).eps) * outcome.balance[:, 2]
    drift = outcome.balance[:, 0] / np.maximum(outcome.balance[:, 1], np.maximum(least, 1e-300))
    if rtol is not None:
        for row in np.flatnonzero(drift > max(LOST, EXPLAINED * rtol)):
            reason = say("the balance of energy is off by {drift:.2g}.", drift[row])
            reasons.setdefault(int(row), reason)
    events = RowEvents(tuple(motion.model.mechanism.events), outcome.events)
    stopped = outcome.codes == int(Code.TERMINAL_EVENT)
    return RowResults(outcome.states, outcome.ended, outcome.last, drift, stopped, reasons, events)


def _alone(values: BatchValues, row: int, single: Single) -> tuple[Run | None, str]:
    """The run of one row, or why there is none."""
    try:
        return single(values.number(row), *values.of(row)), ""
    except (SolveError, ModelError) as error:
        return None, str(error)


def _one_by_one(
    begin: JointStart, values: BatchValues, request: BatchRequest, single: Single
) -> RowResults:
    """All rows, one after the other; a request that no row can follow is refused at once.

    Rows that touch move together, once the first has moved.
    """
    model, start, end = begin.model, float(request.times[0]), float(request.times[-1])
    n = len(begin.y)
    results = empty_results(values.count, request.times, n, tuple(model.mechanism.events))
    tried = [_alone(values, 0, single)]
    while len(tried) < min(values.count, _FIRST) and tried[-1][0] is None:
        tried.append(_alone(values, len(tried), single))
    if len({why for _, why in tried}) == 1 and all(run is None for run, _ in tried):
        with suppress(SolveError):
            single(values.number(0), *values.of(0))  # it raises the reason why all are refused

    def report(row: int) -> None:
        if request.progress is not None:
            request.progress(start + (end - start) * (row + 1) / values.count)

    def alone(row: int) -> tuple[Run | None, str]:
        return tried[row] if row < len(tried) else _alone(values, row, single)

    results.take(0, *alone(0), request.times)
    control = None if request.control is None else request.control.of(model)
    way = request.touching
    if tried[0][0] is not None and way is not None and way.serves(model.mechanism, control):
        together = TouchingRows(begin, values, request.times, request.mask, way, control)
        together.move(results, alone, report)
        return results
    for row in range(1, values.count):
        results.take(row, *alone(row), request.times)
        report(row)
    return results
