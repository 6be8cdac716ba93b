"""The motion of a mechanism from its initial state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Unpack, cast, overload

import numpy as np

from torseur.equations.functions.flow import Source
from torseur.errors import ModelError, SolveError
from torseur.language.text.given import given_state, values_by_name
from torseur.machine.compiled import CompiledModel, compiled_at
from torseur.machine.integrators.methods import Method
from torseur.model.checks.plausibility import starts_in_degrees
from torseur.model.description import Mechanism
from torseur.model.forces.custom import slow_forces
from torseur.notices import left_out
from torseur.simulation.batch.batch import BatchRequest, moved_batch, threads_or_all
from torseur.simulation.batch.lane_motion import BatchControl
from torseur.simulation.batch.runs import Runs
from torseur.simulation.batch.touching_rows import ContactBatch
from torseur.simulation.batch.values import batch_values, is_batch
from torseur.simulation.constraints.moving_model import moving_model, require_same_balances
from torseur.simulation.control.control import Control, commanded_model
from torseur.simulation.control.loop import Instants, Loop
from torseur.simulation.formulations.flow import check_method, flow_run
from torseur.simulation.formulations.request import AUTO, Beginning, Progress, Settings
from torseur.simulation.formulations.sampling import (
    Sampling,
    Schedule,
    asked_rate,
    controlled_schedule,
    sample_motion,
    schedule_of,
)
from torseur.simulation.formulations.selection import Chosen, formulation
from torseur.simulation.formulations.shorthands import (
    Controlling,
    Shorthands,
    options_of,
)
from torseur.simulation.run.flow_run import FlowRun
from torseur.simulation.run.passed_limits import with_limit_notices
from torseur.simulation.run.run import Run, State
from torseur.simulation.run.watch import check_run, with_track_advice
from torseur.words.sentence import say

Array = np.ndarray
Initial = Mapping[str, float] | Run | FlowRun
Numbers = Mapping[str, float] | None


class Common(Shorthands, total=False):
    """Options of `simulate`, the same for one motion and for many."""

    sampling: Sampling | None
    start: float | None
    method: str | Method
    progress: Progress | None
    coordinates: str
    multipliers: str
    control: Controlling | None
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
    initial: Initial | Mapping[str, Array] | None = None,
    parameters: Mapping[str, float] | Mapping[str, Array] | None = None,
    sampling: Sampling | None = None,
    method: str | Method = AUTO,
    control: Controlling | None = None,
    coordinates: str = AUTO,
    multipliers: str = AUTO,
    start: float | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    **short: Unpack[Shorthands],
) -> Run | FlowRun | Runs:
    """The run of a mechanism over `duration` seconds from the time `start`.

    `sampling` is a `Sampling` at start + k / `rate` and at the end, or `at` times; without it,
    samples are as close as the motion asks for. `run(t)` is the state at any time between.
    `initial` has values by name: numbers in SI, or texts with a unit such as "60 deg". What is not
    given is assembled, and values that do not close the loops are moved as little as possible. A
    run in its place is carried on. `parameters` replace values of the description. Arrays in either
    make a batch, of which the result is `Runs`, on `threads` threads or all processors.
    `method` is one of `ts.methods` or its name: "dop853", "radau" for stiff systems, or "auto",
    which changes to it where stability keeps steps short; relative and absolute tolerance are
    `rtol` (1e-9) and `atol` (1e-3 rtol), no step is longer than `max_step`. "rk4" and "euler" have
    a fixed `step`; "symplectic" (of order 4, also "symplectic2" and "symplectic6") keeps energy
    over very long runs; "moreau" steps over what touches, stops or rubs, piles included, whose
    residual [m/s] is `atol`. Constraints are held by projection after every step. What only imposed
    motions move is integrated if it has events.
    `control` is a law (t, q, v) → Q, a table {"theta": "-k*theta"}, one of `torseur.control` or a
    `Loop`, asked every `sample` seconds; its forces act `delay` later and hold until the next.
    `rate`, `at`, `rtol`, `atol`, `max_step`, `step`, `sample` and `delay` are short spellings of
    what the objects `sampling`, `method` and `control` say.
    `coordinates` are "joint", "absolute" (six a body) or "auto", what is expected to be quicker.
    `multipliers` says how M a = S + Jᵀ λ, J a = −γ is solved: "direct", "schur" (λ first),
    "null-space" (a first), "pseudo-inverse", or "auto", eliminated in machine code.
    A Lagrangian, a Hamiltonian, a Routhian or derived equations move too, as by `integrate`. An
    interruption from the keyboard returns what was computed. A run whose loops open or whose energy
    is out of balance is an error, never a result. Notices say what was chosen, and limits passed.
    """
    settings, sampling, loop = options_of(method, multipliers, sampling, control, **short)
    many = is_batch(initial, parameters)
    given, known = cast("Initial | None", initial), cast("Numbers", parameters)
    beginning = beginning_of(None if many else given, start)
    schedule = schedule_of(duration, sampling, beginning.t)
    settings.check_steps(schedule.span)
    if many:
        rest: dict[str, Any] = {"coordinates": coordinates, "control": loop, "duration": duration}
        rest |= {"start": beginning.t, "multipliers": multipliers, "method": settings.method}
        rest["sampling"] = Sampling(schedule.rate) if sampling.at is None else sampling
        values = initial, parameters
        return _many(mechanism, values, settings, schedule, rest, threads_or_all(threads), progress)
    if not isinstance(mechanism, Mechanism | CompiledModel):
        check_method(settings, short.get("step"), coordinates, loop is not None)
        return flow_run(mechanism, beginning, known, settings, schedule)
    moving, model, beginning, schedule = formulated(
        mechanism, known, beginning, settings, schedule, loop, coordinates
    )
    try:
        result = sample_motion(moving, schedule, lambda samples: asked_rate(Run(samples)), progress)
    except SolveError as error:
        raise with_track_advice(error, model.mechanism) from None
    doubtful = starts_in_degrees(model.mechanism, beginning.given)
    notices = (
        *left_out(model.mechanism.notices),
        *slow_forces(model.mechanism),
        *doubtful,
        *settings.notices,
        *result.notices,
    )
    run = Run(result.samples, notices, result.events, result.course)
    return with_limit_notices(check_run(run, settings.tolerance))


def formulated(
    mechanism: Mechanism | CompiledModel,
    parameters: Numbers,
    beginning: Beginning,
    settings: Settings,
    schedule: Schedule,
    loop: Loop | None,
    coordinates: str = AUTO,
) -> tuple[Chosen, CompiledModel, Beginning, Schedule]:
    """A motion about to start: its formulation, model, start and samples."""
    model, schedule, instants = _acted_on(mechanism, parameters, schedule, loop)
    acting = None if loop is None or instants is None else Control(model, loop, instants)
    beginning = Beginning(given_state(model.mechanism, beginning.given), beginning.t)
    moving = formulation(model, beginning, settings, coordinates, schedule, acting)
    return moving, model, beginning, schedule


def _many(
    mechanism: Any,
    values: tuple[Any, Any],
    settings: Settings,
    schedule: Schedule,
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

    require_same_balances(moving.mechanism, values[1] or {})
    request = BatchRequest(
        schedule.times,
        settings.in_lanes(schedule.interval) if options["coordinates"] != "absolute" else None,
        settings.tolerance,
        threads,
        progress,
        None if schedule.given is None else np.isin(schedule.times, schedule.given),
        control=None if loop is None or acting is None else BatchControl(loop, acting),
        touching=ContactBatch(settings, schedule, options["coordinates"]),
    )
    return moved_batch(moving, batch_values(moving.mechanism, *values), request, single)


def _acted_on(
    mechanism: Mechanism | CompiledModel,
    parameters: Mapping[str, float] | None,
    schedule: Schedule,
    loop: Loop | None,
) -> tuple[CompiledModel, Schedule, Instants | None]:
    """The model that moves, its samples, and the instants at which control acts on it."""
    if loop is None:
        return moving_model(mechanism, parameters), schedule, None
    model = moving_model(commanded_model(compiled_at(mechanism), loop, parameters or {}))
    schedule, instants = controlled_schedule(schedule, loop)
    return model, schedule, instants


def beginning_of(initial: Initial | None, start: float | None) -> Beginning:
    """The start of a motion and its time: the end of a run, a state of it, or values."""
    if isinstance(initial, Run | FlowRun):
        given, then = dict(initial.end), initial.span[1]
    else:
        then = float(initial.t) if isinstance(initial, State) and np.ndim(initial.t) == 0 else 0.0
        given = values_by_name({} if initial is None else initial)
    return Beginning(given, then if start is None else float(start))
