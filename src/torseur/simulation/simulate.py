"""The motion of a mechanism from its initial state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, TypedDict, Unpack, cast, overload

import numpy as np

from torseur.equations.functions.flow import Source
from torseur.errors import ModelError, SolveError
from torseur.language.text.given import given_state, values_by_name
from torseur.machine.compiled import CompiledModel, compiled_at
from torseur.model.checks.plausibility import starts_in_degrees
from torseur.model.description import Mechanism
from torseur.notices import left_out
from torseur.simulation.batch.batch import BatchRequest, moved_batch, threads_or_all
from torseur.simulation.batch.lane_motion import BatchControl
from torseur.simulation.batch.runs import Runs
from torseur.simulation.batch.touching_rows import Touching
from torseur.simulation.batch.values import batch_values, is_batch
from torseur.simulation.control.control import Control, commanded
from torseur.simulation.control.loop import Instants, Law, Loop, SymbolicLaw, loop_of
from torseur.simulation.formulations.flow import check_method, flow_run
from torseur.simulation.formulations.request import Beginning, Progress, Settings
from torseur.simulation.formulations.sampling import (
    Sampling,
    asked_rate,
    controlled,
    sampled,
    sampling,
)
from torseur.simulation.formulations.selection import formulation
from torseur.simulation.run.flow_run import FlowRun
from torseur.simulation.run.run import Run, State
from torseur.simulation.run.watch import noted, told_of_tracks, watched
from torseur.words.sentence import say

Array = np.ndarray
Initial = Mapping[str, float] | Run | FlowRun
Numbers = Mapping[str, float] | None


class Common(TypedDict, total=False):
    """The options of `simulate`, which are the same whatever moves, one or many."""

    rate: float | None
    at: Sequence[float] | Array | None
    start: float | None
    rtol: float
    atol: float | None
    max_step: float | None
    method: str
    step: float | None
    progress: Progress | None
    coordinates: str
    multipliers: str
    control: Law | SymbolicLaw | Loop | Mapping[str, str | float] | None
    sample: float | None
    delay: float
    threads: int | None


class Options(Common, total=False):
    """Options of one motion."""

    initial: Initial | None
    parameters: Numbers


@overload
def simulate(
    mechanism: Mechanism | CompiledModel, duration: float | None = None, **options: Unpack[Options]
) -> Run: ...


@overload
def simulate(
    mechanism: Mechanism | CompiledModel,
    duration: float | None = None,
    *,
    initial: Mapping[str, Array],
    parameters: Numbers | Mapping[str, Array] = None,
    **options: Unpack[Common],
) -> Runs: ...


@overload
def simulate(
    mechanism: Mechanism | CompiledModel,
    duration: float | None = None,
    *,
    initial: Initial | None = None,
    parameters: Mapping[str, Array],
    **options: Unpack[Common],
) -> Runs: ...


@overload
def simulate(
    mechanism: Source, duration: float | None = None, **options: Unpack[Options]
) -> FlowRun: ...


def simulate(
    mechanism: Mechanism | CompiledModel | Source,
    duration: float | None = None,
    *,
    rate: float | None = None,
    at: Sequence[float] | Array | None = None,
    start: float | None = None,
    initial: Initial | Mapping[str, Array] | None = None,
    parameters: Mapping[str, float] | Mapping[str, Array] | None = None,
    rtol: float = 1e-9,
    atol: float | None = None,
    max_step: float | None = None,
    method: str = "auto",
    step: float | None = None,
    progress: Progress | None = None,
    coordinates: str = "auto",
    multipliers: str = "auto",
    control: Law | SymbolicLaw | Loop | Mapping[str, str | float] | None = None,
    sample: float | None = None,
    delay: float = 0.0,
    threads: int | None = None,
) -> Run | FlowRun | Runs:
    """The run of a mechanism over `duration` seconds from the time `start`.

    Samples are at start + k / `rate` and at the end, or `at` times; with neither, they are as close
    as the motion asks for. `run(t)` is the state at any time between.
    `initial` has values by name: numbers in SI, or texts with a unit such as "60 deg". What is not
    given is assembled, and values that do not close the loops are moved as little as possible. A
    run in its place is carried on. `parameters` replace values of the description. Arrays in either
    make a batch, of which the result is `Runs`, on `threads` threads or all processors.
    `method` is "dop853", "radau" for stiff systems, or "auto", which changes to it where stability
    keeps steps short; relative and absolute tolerance are `rtol` and `atol` (1e-3 rtol), no step is
    longer than `max_step`. "rk4" and "euler" have a fixed `step`; "symplectic" (of order 4, also
    "symplectic2" and "symplectic6") keeps energy over very long runs; "moreau" steps over what
    touches, stops or rubs, piles included, whose residual [m/s] is `atol`. Constraints are held by
    projection after every step. What only imposed motions move is integrated if it has events.
    `control` is a law (t, q, v) → Q, a table {"theta": "-k*theta"}, one of `torseur.control` or a
    `Loop`, asked every `sample` seconds; its forces act `delay` later and hold until the next.
    `coordinates` are "joint", "absolute" (six a body) or "auto", what is expected to be quicker.
    `multipliers` says how M a = S + Jᵀ λ, J a = −γ is solved: "direct", "schur" (λ first),
    "null-space" (a first), "pseudo-inverse", or "auto", eliminated in machine code.
    A Lagrangian, a Hamiltonian, a Routhian or derived equations move too, as by `integrate`. An
    interruption from the keyboard returns what was computed. A run whose loops open or whose energy
    is out of balance is an error, never a result. Notices say what was chosen, and limits passed.
    """
    settings = Settings(method, rtol, atol, max_step, step, multipliers)
    many = is_batch(initial, parameters)
    given, known = cast("Initial | None", initial), cast("Numbers", parameters)
    beginning = _beginning(None if many else given, start)
    schedule = sampling(duration, rate, at, beginning.t)
    settings.check_steps(schedule.span)
    loop = loop_of(control, sample, delay)
    if many:
        single = dict(start=beginning.t, coordinates=coordinates, control=loop, **asdict(settings))
        single |= {"duration": duration, "rate": schedule.rate if at is None else None, "at": at}
        values = initial, parameters
        return _many(
            mechanism, values, settings, schedule, single, threads_or_all(threads), progress
        )
    if not isinstance(mechanism, Mechanism | CompiledModel):
        check_method(method, step, coordinates, loop is not None)
        return flow_run(mechanism, beginning, known, settings, schedule)
    model, schedule, instants = _acted_on(mechanism, known, schedule, loop)
    acting = None if loop is None or instants is None else Control(model, loop, instants)
    beginning = Beginning(given_state(model.mechanism, beginning.given), beginning.t)
    moving = formulation(model, beginning, settings, coordinates, schedule, acting)
    try:
        result = sampled(moving, schedule, lambda samples: asked_rate(Run(samples)), progress)
    except SolveError as error:
        raise told_of_tracks(error, model.mechanism) from None
    doubtful = starts_in_degrees(model.mechanism, beginning.given)
    notices = (*left_out(model.mechanism.notices), *doubtful, *settings.notices, *result.notices)
    run = Run(result.samples, notices, result.events, result.course)
    return noted(watched(run, settings.tolerance))


def _many(
    mechanism: Any,
    values: tuple[Any, Any],
    settings: Settings,
    schedule: Sampling,
    options: dict[str, Any],
    threads: int,
    progress: Progress | None,
) -> Runs:
    """A batch: one motion for each entry of the arrays; `options` are those of a single one."""
    if not isinstance(mechanism, Mechanism | CompiledModel):
        raise ModelError(
            "simulate",
            say("a batch moves mechanisms, not a {kind}.", type(mechanism).__name__),
            "Load the mechanism, or integrate its equations one by one.",
        )
    known, loop = compiled_at(mechanism), options["control"]
    moving, schedule, acting = _acted_on(known, None, schedule, loop)

    def single(_: int, initial: dict[str, float], parameters: dict[str, float]) -> Run:
        run = simulate(known, initial=initial, parameters=parameters, **options)
        assert isinstance(run, Run), "a mechanism makes a run"
        return run

    request = BatchRequest(
        schedule.times,
        settings.in_lanes(schedule.interval) if options["coordinates"] != "absolute" else None,
        settings.tolerance,
        threads,
        progress,
        None if schedule.given is None else np.isin(schedule.times, schedule.given),
        control=None if loop is None or acting is None else BatchControl(loop, acting),
        touching=Touching(settings, schedule, options["coordinates"]),
    )
    return moved_batch(moving, batch_values(moving.mechanism, *values), request, single)


def _acted_on(
    mechanism: Mechanism | CompiledModel,
    parameters: Mapping[str, float] | None,
    schedule: Sampling,
    loop: Loop | None,
) -> tuple[CompiledModel, Sampling, Instants | None]:
    """The model that moves, its samples, and the instants at which control acts on it."""
    if loop is None:
        return compiled_at(mechanism, parameters), schedule, None
    model = commanded(compiled_at(mechanism), loop, parameters or {})
    schedule, instants = controlled(schedule, loop)
    return model, schedule, instants


def _beginning(initial: Initial | None, start: float | None) -> Beginning:
    """The start of a motion and its time: the end of a run, a state of it, or values."""
    if isinstance(initial, Run | FlowRun):
        given, then = dict(initial.end), initial.span[1]
    else:
        then = float(initial.t) if isinstance(initial, State) and np.ndim(initial.t) == 0 else 0.0
        given = values_by_name({} if initial is None else initial)
    return Beginning(given, then if start is None else float(start))
