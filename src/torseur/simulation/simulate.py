"""The motion of a mechanism from its initial state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypedDict, Unpack, overload

import numpy as np

from torseur.algebra.core.expr import ZERO
from torseur.equations.flow import Source
from torseur.equations.functions.held_rows import Rows
from torseur.equations.functions.smooth import SLOW
from torseur.errors import ModelError, SolveError
from torseur.language.text.given import given_parameters, given_state, values_by_name
from torseur.machine.compiled import CompiledModel, compile
from torseur.machine.integrators.drive import available, integrate
from torseur.machine.integrators.methods import Dop853, Method, Radau
from torseur.machine.integrators.outcome import Code, Outcome
from torseur.machine.integrators.problem import Events, Problem, StateSizes
from torseur.model.description import Event, Mechanism
from torseur.simulation.formulations.absolute import absolute_course, chosen
from torseur.simulation.formulations.choice import Choice, implicit
from torseur.simulation.formulations.course import Course, Moved, reached
from torseur.simulation.formulations.driven import driven
from torseur.simulation.formulations.flow import FlowRun, check_method
from torseur.simulation.formulations.flow import integrate as integrate_flow
from torseur.simulation.formulations.mover import Falling, Mover, Straight, mover
from torseur.simulation.formulations.request import Progress, Request, Settings
from torseur.simulation.formulations.sampling import Sampling, sampling
from torseur.simulation.formulations.state_sizes import Start, joint_sizes
from torseur.simulation.formulations.symplectic import ORDERS, Phase
from torseur.simulation.formulations.trouble import Halt, trouble
from torseur.simulation.run.ending import FAILURES, ended_early, interrupted, moved_before
from torseur.simulation.run.passed_limits import noted
from torseur.simulation.run.run import Happened, Run
from torseur.simulation.run.state import State
from torseur.simulation.run.watch import watched
from torseur.simulation.start.assemble import Assembled, assemble
from torseur.simulation.start.independent import independent_rows
from torseur.simulation.start.numeric_constraints import Held

Array = np.ndarray
Initial = Mapping[str, float] | Run | FlowRun


class Options(TypedDict, total=False):
    """The options of `simulate`, which are the same whatever moves."""

    rate: float | None
    at: Sequence[float] | Array | None
    start: float | None
    initial: Initial | None
    parameters: Mapping[str, float] | None
    rtol: float
    atol: float | None
    max_step: float | None
    method: str
    step: float | None
    progress: Progress | None
    coordinates: str


@overload
def simulate(
    mechanism: Mechanism | CompiledModel, duration: float | None = None, **options: Unpack[Options]
) -> Run: ...


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
    initial: Initial | None = None,
    parameters: Mapping[str, float] | None = None,
    rtol: float = 1e-9,
    atol: float | None = None,
    max_step: float | None = None,
    method: str = "auto",
    step: float | None = None,
    progress: Progress | None = None,
    coordinates: str = "auto",
) -> Run | FlowRun:
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
    A run whose loops open or whose energy is out of balance is an error, never a result.
    `coordinates` are those of the "joint"s, or "absolute" ones, six a body; "auto" takes what is
    expected to be quicker: absolute ones for many loops.
    """
    settings = Settings(method, rtol, atol, max_step, step)
    given, begins = _beginning(initial, start)
    asked = sampling(duration, rate, at, begins)
    settings.check_steps(float(asked.times[-1] - asked.times[0]))
    if not isinstance(mechanism, Mechanism | CompiledModel):
        check_method(method, step, coordinates)
        return integrate_flow(
            mechanism,
            duration,
            rate=rate,
            at=at,
            start=begins,
            initial=given,
            parameters=parameters,
            rtol=rtol,
            atol=atol,
            max_step=max_step,
        )
    model = mechanism if isinstance(mechanism, CompiledModel) else compile(mechanism)
    if parameters:
        model = model.with_parameters(**given_parameters(model.mechanism, parameters))
    given = given_state(model.mechanism, given)
    if method in ORDERS:
        course = _canonical(assemble(model, given, t=begins), settings, coordinates, asked)
    elif (picked := chosen(coordinates, model.mechanism)).absolute:
        stepping = settings.stepping(asked.interval)
        course = absolute_course(model, (given, begins), stepping, picked)
    else:
        assembled = assemble(model, given, t=begins)
        course = _jointed(assembled, settings.stepping(asked.interval), begins)
    notices = (*settings.notices, *course.notices)
    run = replace(course, given=given, notices=notices).run(asked, progress)
    return noted(watched(run, settings.tolerance))


def _beginning(initial: Initial | None, start: float | None) -> tuple[dict[str, float], float]:
    """What is given to start from, and when: the end of a run, a state of it, or values."""
    if isinstance(initial, Run | FlowRun):
        given, then = dict(initial.end), initial.span[1]
    else:
        then = float(initial.t) if isinstance(initial, State) and np.ndim(initial.t) == 0 else 0.0
        given = values_by_name({} if initial is None else initial)
    return given, then if start is None else float(start)


def _read(t: Array, states: Array) -> tuple[Array, None]:
    """States that are coordinates, speeds and work already."""
    return states, None


def _jointed(start: Assembled, stepping: Method, t: float) -> Course:
    """By integration, unless imposed motions leave nothing to integrate."""
    held = Held(start.model)
    rows = independent_rows(held, start.q, t)
    moving = mover(held, rows)
    is_driven = bool(held) and rows.position_rank == len(start.v)
    machine_code = available()

    def move(y: Array, asked: Request) -> Moved:
        if is_driven:
            return driven(start.model, moving, y, asked)
        if isinstance(moving, Straight | Falling) and machine_code:
            return _compiled(held, moving, y, (asked, stepping), rows)
        return _stepped(Halt(held, moving, rows, t, y), asked, stepping)

    y = np.concatenate([start.q, start.v, [0.0]])
    notices = (*_redundant(held, rows), *_dry(held), *moved_before(start.changed))
    return Course(start.model, y, move, _read, lambda x: x, notices, stepping)


def _dry(held: Held) -> list[str]:
    """What to say of dry friction, whose sign cannot be integrated as it is."""
    motors = held.model.mechanism.motors.values()
    if not any(x is not ZERO for m in motors for x in (*m.dry_motor, *m.dry_output)):
        return []
    return [
        f"Dry friction is smoothed below {float(SLOW):g} rad/s or m/s: a joint that should stick "
        "creeps."
    ]


def _redundant(held: Held, rows: Rows) -> list[str]:
    """What to say of reactions that the laws of motion leave open."""
    extra = len(held.owners) - rows.rank if held else 0
    if not extra or held.model.mechanism.reactions == "least_norm":
        return []
    return [
        f"Over-constrained {extra} times: some reactions are not unique, and the smallest "
        "multipliers are given. `torseur mobility` tells which; `reactions: least_norm` accepts "
        "them."
    ]


# --- integrated ---------------------------------------------------------------------------------


def _canonical(start: Assembled, settings: Settings, coordinates: str, asked: Sampling) -> Course:
    """By symplectic steps, in coordinates and momenta."""
    held = Held(start.model)
    rows = independent_rows(held, start.q, float(asked.times[0]))
    phase = Phase(held, settings.gauss(coordinates), rows)
    y = np.concatenate([start.q, start.v, [0.0]])
    stepping, said = phase.stepping(y, asked)

    def move(z: Array, request: Request) -> Moved:
        return _compiled(held, phase, z, (request, stepping), rows)

    def read(t: Array, states: Array) -> tuple[Array, None]:
        return phase.speeds(states), None

    def happened(event: Happened) -> Happened:
        return replace(event, state=phase.speeds(event.state))

    notices = (*said, *_redundant(held, rows), *_dry(held))
    return Course(start.model, phase.momenta(y), move, read, happened, notices, stepping)


def _compiled(
    held: Held,
    moving: Straight | Falling | Phase,
    y: Array,
    how: tuple[Request, Method],
    rows: Rows,
) -> Moved:
    """By an integrator that calls the kernels by their addresses."""
    asked, method = how
    events = list(held.model.mechanism.events.values()) if asked.watches else []
    choice = None
    if isinstance(method, Radau) and isinstance(moving, Straight):
        method = implicit(moving, method)
    elif isinstance(method, Dop853) and method.patience and isinstance(moving, Straight):
        choice = Choice(held, moving, method, float(asked.times[0]))
    elif isinstance(method, Dop853):
        method = replace(method, patience=0)
    problem = replace(_problem(moving, events), sizes=_sizes(held.model, moving, y, asked.times))
    found = integrate(
        problem,
        y,
        asked.times,
        method,
        progress=asked.progress,
        judge=choice,
        attend=None if isinstance(moving, Falling) else moving.attend,
    )
    if found.code in FAILURES:
        raise _failed(held, moving, rows, found)
    notices = [] if choice is None else choice.notices
    notices.extend(ended_early(found, [event.name for event in events]))
    happened = [Happened(events[x.index].name, x.time, x.state) for x in found.events]
    is_whole = found.code != Code.INTERRUPTED
    return Moved(*reached(found, asked.times), notices, tuple(happened), is_whole)


def _sizes(
    model: CompiledModel, moving: Straight | Falling | Phase | Mover, y: Array, times: Array
) -> StateSizes:
    """What the components of the state are compared with."""
    if isinstance(moving, Phase):
        return moving.sizes(y, times)
    rate, duration = moving.rate(float(times[0]), y), float(times[-1] - times[0])
    return joint_sizes(model, Start(y, rate, duration))


def _problem(moving: Straight | Falling | Phase, events: list[Event]) -> Problem:
    if isinstance(moving, Falling):
        return moving.problem
    entries = moving.entries
    watched = entries.get("events") if events else None
    directions = tuple(event.direction for event in events)
    stops = tuple(event.stop for event in events)
    return Problem(
        entries["rate"],
        entries.get("closing"),
        entries.get("calming"),
        None if watched is None else Events(watched, directions, stops),
    )


def _stepped(start: Halt, asked: Request, method: Method) -> Moved:
    """By SciPy's DOP853 or Radau, one step after the other."""
    from scipy import integrate as scipy  # half a second that other runs need not wait for

    moving, y, times = start.moving, start.y, asked.times
    if not isinstance(method, Dop853 | Radau) or start.model.mechanism.events:
        raise ModelError(
            "simulate",
            "fixed steps and events need machine code, for a mechanism of at most 48 speeds; this "
            f"one has {len(start.model.speeds)}.",
            "Leave out method and events, or install llvmlite and numba.",
        )
    steps = scipy.DOP853 if isinstance(method, Dop853) else scipy.Radau
    atol = method.atol
    if atol is None:
        atol = 1e-3 * method.rtol * _sizes(start.model, moving, y, times).usual
    solver = steps(
        moving.rate, times[0], y, times[-1], rtol=method.rtol, atol=atol, max_step=method.max_step
    )
    states, notices = [y], []
    try:
        while solver.status == "running":
            solver.step()
            if solver.status == "failed":
                raise trouble(replace(start, t=solver.t, y=solver.y), "the step became too small")
            dense = solver.dense_output()
            while len(states) < len(times) and times[len(states)] <= solver.t:
                states.append(moving.kept(times[len(states)], dense(times[len(states)])))
            solver.y = moving.kept(solver.t, solver.y)
            solver.f = moving.rate(solver.t, solver.y)
            if asked.progress is not None:
                asked.progress(solver.t)
    except KeyboardInterrupt:
        notices.append(interrupted(solver.t))
    return Moved(times[: len(states)], np.array(states), notices, is_whole=not notices)


def _failed(
    held: Held, moving: Straight | Falling | Phase, rows: Rows, found: Outcome
) -> SolveError:
    """With the cause, unless the state is not one of speeds."""
    reason = FAILURES[found.code]
    if not isinstance(moving, Phase):
        return trouble(Halt(held, moving, rows, found.time, found.state), reason)
    names = held.model.coordinates
    pose = ", ".join(f"{n} = {x:.4g}" for n, x in zip(names, found.state, strict=False))
    return SolveError(
        f"t = {found.time:.6g} s",
        f"{reason}.",
        f"The mechanism was at {pose}.",
        "A shorter step helps, unless the cause is a dead point, a very stiff spring or a "
        "collision of two lengths.",
    )
