"""The motion of a mechanism from its initial state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict, Unpack, cast, overload

import numpy as np

from torseur.equations.functions.flow import Source
from torseur.errors import ModelError, SolveError
from torseur.language.text.given import given_state, values_by_name
from torseur.machine.compiled import CompiledModel, compiled_at
from torseur.model.description import Mechanism
from torseur.simulation.batch.batch import BatchRequest, moved_batch, threads_or_all
from torseur.simulation.batch.runs import Runs
from torseur.simulation.batch.values import batch_values, is_batch
from torseur.simulation.control.control import Control, commanded
from torseur.simulation.control.loop import Law, Loop, SymbolicLaw, loop_of
from torseur.simulation.formulations.flow import check_method, flow_run
from torseur.simulation.formulations.request import FIXED, Beginning, Progress, Settings
from torseur.simulation.formulations.sampling import (
    Sampling,
    asked_rate,
    controlled,
    sampled,
    sampling,
)
from torseur.simulation.formulations.selection import formulation
from torseur.simulation.run.fits import told_of_tracks
from torseur.simulation.run.flow_run import FlowRun
from torseur.simulation.run.run import Run, State
from torseur.simulation.run.watch import noted, watched
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
    control: Law | SymbolicLaw | Loop | Mapping[str, str] | None
    sample: float | None
    delay: float
    threads: int | None


class Options(Common, total=False):
    """Those of one motion."""

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
    control: Law | SymbolicLaw | Loop | Mapping[str, str] | None = None,
    sample: float | None = None,
    delay: float = 0.0,
    threads: int | None = None,
) -> Run | FlowRun | Runs:
    """The run of a mechanism over `duration` seconds from the time `start`.

    Samples are at start + k / `rate` and at the end; or at the times `at`, without which the
    duration must be given. With neither there are at least 100 a second, and as many as it takes
    that no angle turns by more than 0.1 rad from one to the next, and nothing moves by more than a
    twentieth of its range; at most 20 000, and then the notices say so. `run(t)` is the state at
    any time between.
    A Lagrangian, a Hamiltonian, a Routhian or derived equations move too, as by `integrate`.
    `parameters` replace the values of the description. Values are numbers in SI, or texts with a
    unit such as "60 deg". Limits of joints that the motion passes are told in the notices.
    Initial values come from `initial`, then from the mechanism; what is not given is assembled,
    and values that do not close the loops are moved as little as possible. If `initial` is a run,
    this one starts where and when that one ended.
    Integrated to the relative tolerance `rtol` and the absolute one `atol` (1e-3 rtol) by "dop853",
    by "radau" for stiff systems, or by "auto", which starts with the first and changes to the
    second where stability and not accuracy keeps the steps short: the notices of the run say which
    was used and why. No step is longer than `max_step`. "rk4" and "euler" have a fixed `step` (the
    sampling interval, if none is given). Constraints are held by projection after every step. A
    mechanism that only imposed motions move is not integrated at all. An interruption from the
    keyboard returns what was computed.
    "symplectic" (of order 4; "symplectic2" and "symplectic6" too) is for very long runs that
    conserve energy, loops included: its error stays bounded. Without a `step`, one is chosen and
    told.
    "moreau" is time stepping for what touches, stops or rubs: every step of fixed length solves for
    the impulses of all contacts, with Coulomb's friction. It moves any mechanism with contacts, and
    many free bodies that touch (contacts `among` bodies), of which `run.touching` has the forces;
    there `atol` is the natural residual [m/s] that large heaps are solved to.
    `control` is a law (t, q, v) → Q that is asked every `sample` seconds; its forces act `delay`
    seconds later and hold until the next ones do. As a table of expressions, {"theta": "-k*theta"},
    or as one of `torseur.control`, it runs as machine code; `torseur.control.Loop` has limits,
    noise and resolution too. `run.input("theta")` is what acted.
    Arrays among the values of `initial` and `parameters` make a batch, one motion for each entry:
    the result is that of all rows (`Runs`), on `threads` threads, all processors if none is given.
    A run whose loops open or whose energy is out of balance is an error, never a result.
    `coordinates` are those of the "joint"s, or "absolute" ones, six a body; "auto" takes what is
    expected to be quicker: absolute ones for many loops.
    """
    settings = Settings(method, rtol, atol, max_step, step)
    if is_batch(initial, parameters):
        own = dict(control=control, sample=sample, delay=delay, coordinates=coordinates)
        when = dict(duration=duration, rate=rate, at=at, start=start)
        values = initial, parameters
        return _many(mechanism, values, settings, when, own, threads, progress)
    given, parameters = cast("Initial | None", initial), cast("Numbers", parameters)
    beginning = _beginning(given, start)
    asked = sampling(duration, rate, at, beginning.t)
    settings.check_steps(float(asked.times[-1] - asked.times[0]))
    loop = loop_of(control, sample, delay)
    if not isinstance(mechanism, Mechanism | CompiledModel):
        check_method(method, step, coordinates, loop is not None)
        return flow_run(mechanism, beginning, parameters, settings, asked)
    model, asked, acting = _acted_on(mechanism, parameters, asked, loop)
    beginning = Beginning(given_state(model.mechanism, beginning.given), beginning.t)
    moving = formulation(model, beginning, settings, coordinates, asked, acting)
    try:
        found = sampled(moving, asked, lambda samples: asked_rate(Run(samples)), progress)
    except SolveError as error:
        raise told_of_tracks(error, model.mechanism) from None
    run = Run(found.samples, (*settings.notices, *found.notices), found.events, found.course)
    return noted(watched(run, settings.tolerance))


def _many(
    mechanism: Any,
    values: tuple[Any, Any],
    settings: Settings,
    when: dict[str, Any],
    options: dict[str, Any],
    threads: int | None,
    progress: Progress | None,
) -> Runs:
    """A batch: one motion for each entry of the arrays."""
    if not isinstance(mechanism, Mechanism | CompiledModel):
        raise ModelError(
            "simulate",
            say("a batch moves mechanisms, not a {kind}.", type(mechanism).__name__),
            "Load the mechanism, or integrate its equations one by one.",
        )
    start = 0.0 if when["start"] is None else float(when["start"])
    asked = sampling(when["duration"], when["rate"], when["at"], start)
    settings.check_steps(float(asked.times[-1] - asked.times[0]))
    plain = options["control"] is None and options["coordinates"] != "absolute"
    laned = plain and settings.method in ("auto", "dop853", *FIXED)
    known = compiled_at(mechanism)
    named = batch_values(known.mechanism, *values)
    chosen = {"at": asked.times, "start": start, **options}
    chosen |= {n: getattr(settings, n) for n in ("method", "rtol", "atol", "max_step", "step")}

    def single(_: int, initial: dict[str, float], parameters: dict[str, float]) -> Run:
        found = simulate(known, initial=initial, parameters=parameters, **chosen)
        assert isinstance(found, Run), "a mechanism makes a run"
        return found

    request = BatchRequest(
        asked.times,
        settings.stepping(asked.interval) if laned else None,
        settings.tolerance,
        threads_or_all(threads),
        progress,
        None if asked.given is None else np.isin(asked.times, asked.given),
    )
    return moved_batch(known, named, request, single)


def _acted_on(
    mechanism: Mechanism | CompiledModel,
    parameters: Mapping[str, float] | None,
    asked: Sampling,
    loop: Loop | None,
) -> tuple[CompiledModel, Sampling, Control | None]:
    """The model that moves, when it is sampled, and who acts on it at instants."""
    if loop is None:
        return compiled_at(mechanism, parameters), asked, None
    model = commanded(compiled_at(mechanism), loop, parameters or {})
    asked, instants = controlled(asked, loop)
    return model, asked, Control(model, loop, instants)


def _beginning(initial: Initial | None, start: float | None) -> Beginning:
    """What is given to start from, and when: the end of a run, a state of it, or values."""
    if isinstance(initial, Run | FlowRun):
        given, then = dict(initial.end), initial.span[1]
    else:
        then = float(initial.t) if isinstance(initial, State) and np.ndim(initial.t) == 0 else 0.0
        given = values_by_name({} if initial is None else initial)
    return Beginning(given, then if start is None else float(start))
