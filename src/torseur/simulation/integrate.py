"""The motion of a mechanism from its initial state."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import final

import numpy as np
from scipy.integrate import DOP853

from torseur.algebra.expr import ZERO
from torseur.backends.compiled import CompiledModel, compile
from torseur.backends.integrators.drive import available, integrate
from torseur.backends.integrators.methods import RK4, Dop853
from torseur.backends.integrators.outcome import Code
from torseur.backends.integrators.problem import Events, Problem, entry
from torseur.backends.motion import SLOW
from torseur.errors import ModelError, SolveError, unknown
from torseur.mechanism.description import Event, Mechanism
from torseur.simulation.assemble import Assembled, assemble
from torseur.simulation.held import Held
from torseur.simulation.independent import independent_rows
from torseur.simulation.mover import Mover, Straight, mover
from torseur.simulation.run import Happened, Run

Array = np.ndarray
Progress = Callable[[float], None]
METHODS = ("dop853", "rk4")


@final
@dataclass(frozen=True)
class Request:
    """What was asked of a motion."""

    times: Array
    stepping: Dop853 | RK4
    progress: Progress | None = None


@final
@dataclass(frozen=True)
class Moved:
    """The states reached, and what there is to say about them."""

    states: Array
    notices: list[str] = field(default_factory=list)
    events: tuple[Happened, ...] = ()


def simulate(
    mechanism: Mechanism | CompiledModel,
    duration: float,
    *,
    rate: float = 100.0,
    initial: Mapping[str, float] | None = None,
    rtol: float = 1e-9,
    method: str = "dop853",
    step: float | None = None,
    progress: Progress | None = None,
) -> Run:
    """The run of a mechanism over `duration` seconds, sampled `rate` times a second.

    Initial values come from `initial`, then from the mechanism; what is not given is assembled,
    and values that do not close the loops are moved as little as possible.
    Integrated by DOP853 to the relative tolerance `rtol`, or by "rk4" with a fixed `step` (the
    sampling interval, if none is given); constraints are held by projection after every step. A
    mechanism that only imposed motions move is not integrated at all. An interruption from the
    keyboard returns what was computed.
    """
    if not duration > 0 or not rate > 0 or not rtol > 0:
        problem = f"duration {duration}, rate {rate} and rtol {rtol} must be positive."
        raise ModelError("simulate", problem)
    if method not in METHODS:
        raise unknown("simulate", "method", method, METHODS)
    model = mechanism if isinstance(mechanism, CompiledModel) else compile(mechanism)
    start = _started(model, initial or {})
    times = np.linspace(0.0, duration, round(duration * rate) + 1)
    interval = duration / max(len(times) - 1, 1)
    stepping = Dop853(rtol) if method == "dop853" else RK4(step or interval)
    found = _moved(Held(model), start, Request(times, stepping, progress))
    if start.changed:
        moved = ", ".join(f"{name} by {change:.3g}" for name, change in start.changed.items())
        found.notices.append(f"The initial values did not close the loops; moved: {moved}.")
    states = found.states
    return Run(model, times[: len(states)], states, tuple(found.notices), found.events)


def _started(model: CompiledModel, initial: Mapping[str, float]) -> Assembled:
    """The state nearest to what is given: all of it kept if loops close so, else less and less.

    What had to move is told in the notices of the run.
    """
    speeds = set(model.speeds)

    def pinnable(names: Iterable[str]) -> tuple[str, ...]:
        return tuple(n for n in names if n in model.coordinates and f"{n}." in speeds)

    given = pinnable(initial)
    everything = pinnable({**initial, **model.mechanism.initial})
    for pinned in dict.fromkeys((everything, given, given[:1])):
        try:
            return assemble(model, initial, pinned=pinned)
        except SolveError:
            continue
    return assemble(model, initial)


def _moved(held: Held, start: Assembled, asked: Request) -> Moved:
    """By integration, unless imposed motions leave nothing to integrate."""
    rows = independent_rows(held, start.q, 0.0)
    moving = mover(held, rows)
    y = np.concatenate([start.q, start.v, [0.0]])
    if len(rows) == len(start.v) and rows:
        found = _driven(moving, y, len(start.q), asked)
    elif isinstance(moving, Straight) and available():
        found = _compiled(held, moving, y, asked)
    else:
        found = _stepped(held.model, moving, y, asked)
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


def _redundant(held: Held, rows: tuple[int, ...]) -> list[str]:
    """What to say of reactions that the laws of motion leave open."""
    extra = len(held.owners) - len(rows) if held else 0
    if not extra or held.model.mechanism.reactions == "least_norm":
        return []
    return [
        f"Over-constrained {extra} times: some reactions are not unique, and the smallest "
        "multipliers are given. `torseur mobility` tells which; `reactions: least_norm` accepts "
        "them."
    ]


# --- all motions imposed ------------------------------------------------------------------------

# Nodes and weights of Gauss and Legendre on [0, 1], and of the end: the work to order 6.
_NODES = np.array([0.5 - np.sqrt(0.15), 0.5, 0.5 + np.sqrt(0.15), 1.0])
_WEIGHTS = np.array([5.0, 8.0, 5.0, 0.0]) / 18
_FAR = 0.2  # the most that a coordinate moves between two solutions [rad or m]
_AGREED = 1e-6  # of the work of a step, by Gauss and by Simpson


def _driven(moving: Mover, y: Array, nq: int, asked: Request) -> Moved:
    """Positions and speeds from the constraints alone; the work by quadrature."""
    states, notices = [moving.kept(0.0, y)], []
    try:
        for before, after in zip(asked.times[:-1], asked.times[1:], strict=True):
            y, t = states[-1], before
            while t < after:
                fastest = np.abs(moving.rate(t, y)[:nq]).max(initial=0.0)
                step = min(after - t, _FAR / max(fastest, 1e-300))
                y, step = _carried(moving, y, t, step)
                t = after if step >= after - t else t + step
            states.append(y)
            if asked.progress is not None:
                asked.progress(after)
    except KeyboardInterrupt:
        notices.append(f"Interrupted at t = {asked.times[len(states) - 1]:.6g} s.")
    return Moved(np.array(states), notices)


def _carried(moving: Mover, y: Array, t: float, step: float) -> tuple[Array, float]:
    """The state a step later, and the step: halved until two quadratures of the work agree."""
    for _ in range(20):
        now, then, powers = y, t, [moving.rate(t, y)[-1]]
        for node in _NODES:
            at = t + node * step
            now, then = moving.kept(at, now + (at - then) * moving.rate(then, now)), at
            powers.append(moving.rate(at, now)[-1])
        work = step * (_WEIGHTS @ powers[1:])
        simpson = step * (powers[0] + 4 * powers[2] + powers[-1]) / 6
        if abs(work - simpson) <= _AGREED * step * np.abs(powers).max():
            break
        step /= 2
    return np.append(now[:-1], y[-1] + work), step


# --- integrated ---------------------------------------------------------------------------------


def _compiled(held: Held, moving: Straight, y: Array, asked: Request) -> Moved:
    """By an integrator that calls the kernels by their addresses."""
    model = held.model
    events = list(model.mechanism.events.values())
    found = integrate(
        _problem(moving, events), y, asked.times, asked.stepping, progress=asked.progress
    )
    if found.code in _REASONS:
        q = found.state[: len(model.coordinates)]
        raise _failed(model, found.time, q, _REASONS[found.code])
    notices = []
    if found.code == Code.INTERRUPTED:
        notices.append(f"Interrupted at t = {found.time:.6g} s.")
    happened = [Happened(events[x.index].name, x.time, x.state) for x in found.events]
    if found.code == Code.TERMINAL_EVENT:
        last = happened[-1]
        notices.append(f'Stopped by the event "{last.name}" at t = {last.t:.6g} s.')
    return Moved(found.states, notices, tuple(happened))


def _problem(moving: Straight, events: list[Event]) -> Problem:
    entries = {name: entry(*kernel) for name, kernel in moving.kernels.items()}
    watched = entries.get("events")
    directions = tuple(event.direction for event in events)
    stops = tuple(event.stop for event in events)
    return Problem(
        entries["rate"],
        entries.get("closing"),
        entries.get("calming"),
        None if watched is None else Events(watched, directions, stops),
    )


_REASONS = {
    Code.STEP_TOO_SMALL: "the step became too small",
    Code.NOT_FINITE: "accelerations are not finite",
    Code.LOOP_OPEN: "the constraints cannot be held",
}


def _stepped(model: CompiledModel, moving: Mover, y: Array, asked: Request) -> Moved:
    """By SciPy's DOP853, one step after the other."""
    if not isinstance(asked.stepping, Dop853) or model.mechanism.events:
        raise ModelError(
            "simulate",
            "fixed steps and events need machine code, for a mechanism of at most 48 speeds.",
            "Leave out method and events, or install llvmlite and numba.",
        )
    times, nq, rtol = asked.times, len(model.coordinates), asked.stepping.rtol
    solver = DOP853(moving.rate, 0.0, y, times[-1], rtol=rtol, atol=1e-3 * rtol)
    states, notices = [y], []
    try:
        while solver.status == "running":
            message = solver.step()
            if solver.status == "failed":
                raise _failed(model, solver.t, solver.y[:nq], f"the step became small: {message}")
            dense = solver.dense_output()
            while len(states) < len(times) and times[len(states)] <= solver.t:
                states.append(moving.kept(times[len(states)], dense(times[len(states)])))
            solver.y = moving.kept(solver.t, solver.y)
            solver.f = moving.rate(solver.t, solver.y)
            if asked.progress is not None:
                asked.progress(solver.t)
    except KeyboardInterrupt:
        notices.append(f"Interrupted at t = {solver.t:.6g} s.")
    return Moved(np.array(states), notices)


def _failed(model: CompiledModel, t: float, q: Array, reason: str) -> SolveError:
    pose = ", ".join(f"{n} = {x:.4g}" for n, x in zip(model.coordinates, q, strict=True))
    return SolveError(
        f"t = {t:.6g} s",
        f"{reason}.",
        f"The mechanism was at {pose}.",
        "A dead point, a very stiff spring or a collision of two lengths can cause this.",
    )
