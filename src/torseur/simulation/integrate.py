"""The motion of a mechanism from its initial state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TypedDict, Unpack, final, overload

import numpy as np

from torseur.algebra.expr import ZERO
from torseur.backends.compiled import CompiledModel, compile
from torseur.backends.integrators.drive import available, integrate
from torseur.backends.integrators.methods import RK4, Dop853, Method, Radau
from torseur.backends.integrators.outcome import Outcome
from torseur.backends.integrators.problem import Events, Problem, StateSizes
from torseur.backends.rows import Rows
from torseur.backends.smooth import SLOW
from torseur.errors import ModelError, SolveError, unknown
from torseur.formalisms.flow import Source
from torseur.mechanism.description import Event, Mechanism
from torseur.simulation.absolute import absolute_run, chosen
from torseur.simulation.assemble import Assembled, assemble
from torseur.simulation.choice import PATIENCE, Choice, implicit
from torseur.simulation.driven import driven
from torseur.simulation.ending import FAILURES, ended_early, interrupted, moved_before
from torseur.simulation.flow import FlowRun, check_method
from torseur.simulation.flow import integrate as integrate_flow
from torseur.simulation.held import Held
from torseur.simulation.independent import independent_rows
from torseur.simulation.mover import Falling, Mover, Straight, mover
from torseur.simulation.request import Progress, Request
from torseur.simulation.run import Happened, Run
from torseur.simulation.state_sizes import Start, joint_sizes
from torseur.simulation.symplectic import ORDERS, Gauss, Phase
from torseur.simulation.trouble import Halt, trouble

Array = np.ndarray
METHODS = ("auto", "dop853", "radau", "rk4", *ORDERS)


@final
@dataclass(frozen=True)
class Moved:
    """The states reached, and what there is to say about them."""

    states: Array
    notices: list[str] = field(default_factory=list)
    events: tuple[Happened, ...] = ()


class Options(TypedDict, total=False):
    """The options of `simulate`, which are the same whatever moves."""

    rate: float
    initial: Mapping[str, float] | None
    parameters: Mapping[str, float] | None
    rtol: float
    method: str
    step: float | None
    progress: Progress | None
    coordinates: str


@overload
def simulate(
    mechanism: Mechanism | CompiledModel, duration: float, **options: Unpack[Options]
) -> Run: ...


@overload
def simulate(mechanism: Source, duration: float, **options: Unpack[Options]) -> FlowRun: ...


def simulate(
    mechanism: Mechanism | CompiledModel | Source,
    duration: float,
    *,
    rate: float = 100.0,
    initial: Mapping[str, float] | None = None,
    parameters: Mapping[str, float] | None = None,
    rtol: float = 1e-9,
    method: str = "auto",
    step: float | None = None,
    progress: Progress | None = None,
    coordinates: str = "auto",
) -> Run | FlowRun:
    """The run of a mechanism over `duration` seconds, sampled `rate` times a second.

    A Lagrangian, a Hamiltonian, a Routhian or derived equations move too, as by `integrate`.
    `parameters` replace the values of the description.
    Initial values come from `initial`, then from the mechanism; what is not given is assembled,
    and values that do not close the loops are moved as little as possible.
    Integrated to the relative tolerance `rtol` by "dop853", by "radau" for stiff systems, or by
    "auto", which starts with the first and changes to the second where stability and not accuracy
    keeps the steps short: the notices of the run say which was used and why. "rk4" has a fixed
    `step` (the sampling interval, if none is given). Constraints are held by projection after
    every step. A mechanism that only imposed motions move is not integrated at all. An
    interruption from the keyboard returns what was computed.
    "symplectic" (of order 4; "symplectic2" and "symplectic6" too) is for very long runs that
    conserve energy, loops included: its error stays bounded. Without a `step`, one is chosen and
    told.
    `coordinates` are those of the "joint"s, or "absolute" ones, six a body; "auto" takes what is
    expected to be quicker: absolute ones for many loops.
    """
    if not duration > 0 or not rate > 0 or not rtol > 0:
        problem = f"duration {duration}, rate {rate} and rtol {rtol} must be positive."
        raise ModelError("simulate", problem)
    if method not in METHODS:
        raise unknown("simulate", "method", method, METHODS)
    if not isinstance(mechanism, Mechanism | CompiledModel):
        check_method(method, step, coordinates)
        return integrate_flow(
            mechanism, duration, rate=rate, initial=initial, parameters=parameters, rtol=rtol
        )
    model = mechanism if isinstance(mechanism, CompiledModel) else compile(mechanism)
    model = model.with_parameters(**parameters) if parameters else model
    times = np.linspace(0.0, duration, round(duration * rate) + 1)
    if method in ORDERS:
        start = assemble(model, initial)
        asked_for = Gauss(ORDERS[method], step, coordinates)
        return _symplectic(start, times, asked_for, progress)
    interval = duration / max(len(times) - 1, 1)
    asked = Request(times, _stepping(method, rtol, step or interval), progress)
    picked = chosen(coordinates, model.mechanism)
    if picked.absolute:
        return absolute_run(model, initial or {}, asked, picked)
    start = assemble(model, initial)
    found = _moved(Held(model), start, asked)
    found.notices.extend(moved_before(start.changed))
    states = found.states
    return Run(model, times[: len(states)], states, tuple(found.notices), found.events)


def _stepping(method: str, rtol: float, step: float) -> Method:
    """A method by its name; "auto" is DOP853 that pauses where it finds itself held short."""
    if method == "rk4":
        return RK4(step)
    return Radau(rtol) if method == "radau" else Dop853(rtol, patience=PATIENCE[method])


def _moved(held: Held, start: Assembled, asked: Request) -> Moved:
    """By integration, unless imposed motions leave nothing to integrate."""
    rows = independent_rows(held, start.q, 0.0)
    moving = mover(held, rows)
    y = np.concatenate([start.q, start.v, [0.0]])
    if held and rows.position_rank == len(start.v):
        found = Moved(*driven(held.model, moving, y, asked))
    elif isinstance(moving, Straight | Falling) and available():
        found = _compiled(held, moving, y, asked, rows)
    else:
        found = _stepped(Halt(held, moving, rows, 0.0, y), asked)
    found.notices.extend((*_redundant(held, rows), *_dry(held)))
    return found


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


def _symplectic(start: Assembled, times: Array, asked_for: Gauss, progress: Progress | None) -> Run:
    """By symplectic steps, in coordinates and momenta."""
    held = Held(start.model)
    rows = independent_rows(held, start.q, 0.0)
    phase = Phase(held, asked_for, rows)
    y = np.concatenate([start.q, start.v, [0.0]])
    stepping, notices = phase.stepping(y, times)
    asked = Request(times, stepping, progress)
    found = _compiled(held, phase, phase.momenta(y), asked, rows)
    states = phase.speeds(found.states)
    events = tuple(Happened(x.name, x.t, phase.speeds(x.state)) for x in found.events)
    notices += [*found.notices, *_redundant(held, rows), *_dry(held)]
    return Run(start.model, times[: len(states)], states, tuple(notices), events)


def _compiled(
    held: Held,
    moving: Straight | Falling | Phase,
    y: Array,
    asked: Request,
    rows: Rows,
) -> Moved:
    """By an integrator that calls the kernels by their addresses."""
    events, method = list(held.model.mechanism.events.values()), asked.stepping
    choice = None
    if isinstance(method, Radau) and isinstance(moving, Straight):
        method = implicit(moving, method.rtol)
    elif isinstance(method, Dop853) and method.patience and isinstance(moving, Straight):
        choice = Choice(held, moving, method)
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
    return Moved(found.states, notices, tuple(happened))


def _sizes(
    model: CompiledModel, moving: Straight | Falling | Phase | Mover, y: Array, times: Array
) -> StateSizes:
    """What the components of the state are compared with."""
    duration = float(times[-1] - times[0])
    if isinstance(moving, Phase):
        return moving.sizes(y, duration)
    return joint_sizes(model, Start(y, moving.rate(float(times[0]), y), duration))


def _problem(moving: Straight | Falling | Phase, events: list[Event]) -> Problem:
    if isinstance(moving, Falling):
        return moving.problem
    entries = moving.entries
    watched = entries.get("events")
    directions = tuple(event.direction for event in events)
    stops = tuple(event.stop for event in events)
    return Problem(
        entries["rate"],
        entries.get("closing"),
        entries.get("calming"),
        None if watched is None else Events(watched, directions, stops),
    )


def _stepped(start: Halt, asked: Request) -> Moved:
    """By SciPy's DOP853 or Radau, one step after the other."""
    from scipy import integrate as scipy  # half a second that other runs need not wait for

    moving, y, times, method = start.moving, start.y, asked.times, asked.stepping
    if not isinstance(method, Dop853 | Radau) or start.model.mechanism.events:
        raise ModelError(
            "simulate",
            "fixed steps and events need machine code, for a mechanism of at most 48 speeds; this "
            f"one has {len(start.model.speeds)}.",
            "Leave out method and events, or install llvmlite and numba.",
        )
    steps = scipy.DOP853 if isinstance(method, Dop853) else scipy.Radau
    atol = 1e-3 * method.rtol * _sizes(start.model, moving, y, times).usual
    solver = steps(moving.rate, 0.0, y, times[-1], rtol=method.rtol, atol=atol)
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
    return Moved(np.array(states), notices)


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
