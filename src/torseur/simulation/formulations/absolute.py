"""The motion of a mechanism in absolute coordinates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from torseur.errors import ModelError, SolveError, unknown
from torseur.machine.absolute import places as at
from torseur.machine.absolute.model import AbsoluteModel
from torseur.machine.compiled import CompiledModel
from torseur.machine.integrators.drive import available, integrate
from torseur.machine.integrators.methods import Dop853, Method, Radau
from torseur.machine.integrators.outcome import Code, Event, Outcome, Reached
from torseur.machine.integrators.problem import Events, Problem
from torseur.machine.tree.evaluator import LARGE
from torseur.machine.tree.tree_rate import only_falls
from torseur.model.description import Mechanism
from torseur.model.joint_graph import spanning
from torseur.simulation.formulations.choice import EXPLICIT, IMPLICIT
from torseur.simulation.formulations.course import Course, Moved, reached
from torseur.simulation.formulations.mover import MOST_ROWS
from torseur.simulation.formulations.request import Request
from torseur.simulation.formulations.state_sizes import Start, absolute_sizes
from torseur.simulation.run.ending import FAILURES, ended_early, moved_before
from torseur.simulation.run.poses import Poses
from torseur.simulation.run.run import Happened
from torseur.simulation.start.assemble import CLOSED, assemble
from torseur.simulation.start.placing import assembled, placed
from torseur.topology.structure import state_names

Array = np.ndarray
COORDINATES = ("auto", "joint", "absolute")
_SURE = 1000  # short steps in a row that no singular position explains
_IMPLICIT = 200  # the most numbers of a state whose matrix of derivatives is soon factorised


@final
@dataclass(frozen=True)
class Picked:
    """Whether coordinates are absolute, and why if nobody asked for them."""

    absolute: bool
    reason: str = ""


def absolute_course(
    model: CompiledModel,
    beginning: tuple[Mapping[str, float], float],
    stepping: Method,
    picked: Picked,
) -> Course:
    """The course from values and a time; small ones are assembled in the coordinates of joints."""
    if not available():
        raise ModelError(
            "simulate",
            f'absolute coordinates need machine code for "{model.mechanism.name}".',
            "Install llvmlite and numba.",
        )
    made = absolute_model(model)
    notices = [f"Absolute coordinates were used: {picked.reason}."] if picked.reason else []
    initial, t = beginning
    if _is_small(model.mechanism):
        start = assemble(model, initial, t=t)
        y, changed = placed(made, start.q, start.v, initial), start.changed
    else:
        y, changed = assembled(made, initial, t)
    notices += moved_before(changed)
    closed = _closed(made, y)

    def move(state: Array, asked: Request) -> Moved:
        return _moved(made, state, (asked, stepping), closed)

    def read(times: Array, states: Array) -> tuple[Array, Poses]:
        found = Poses(made, times, states, y)
        return np.column_stack([found.q, found.v, found.work]), found

    def happened(event: Event) -> Happened:
        name = list(made.mechanism.events)[event.index]
        return Happened(
            name, event.time, read(np.array([event.time]), event.state[np.newaxis])[0][0]
        )

    return Course(model, y, move, read, happened, tuple(notices), stepping)


def _moved(made: AbsoluteModel, y: Array, how: tuple[Request, Method], closed: float) -> Moved:
    asked, stepping = how
    stiffness = _Stiffness(stepping, len(y))
    duration = float(asked.times[-1] - asked.times[0])
    rate = made.entry(at.RATE).value(y, float(asked.times[0]), len(y))
    sizes = absolute_sizes(made, Start(y, rate, duration))
    found = integrate(
        replace(problem(made, asked.watches), sizes=sizes),
        y,
        asked.times,
        stepping,
        closed=closed,
        progress=asked.progress,
        judge=stiffness,
    )
    if found.code in FAILURES:
        raise _failed(made, found)
    notices = [*stiffness.notices, *_notices(made, found)] if asked.watches else []
    is_whole = found.code != Code.INTERRUPTED
    return Moved(*reached(found, asked.times), notices, found.events, is_whole)


def absolute_model(model: CompiledModel) -> AbsoluteModel:
    """The mechanism at the parameters of a model; every one must have a value."""
    missing = [name for name, value in model.parameters.items() if value is None]
    if missing:
        raise ModelError(
            f'mechanism "{model.mechanism.name}"',
            f"{len(missing)} parameter(s) have no value: {', '.join(missing)}.",
            f"Give them: with_parameters({missing[0]}=1.0, …).",
        )
    return AbsoluteModel(model.mechanism, model.parameters)


def _is_small(mechanism: Mechanism) -> bool:
    """Whether the functions of the joint formulation are quickly compiled."""
    return len(mechanism.every_speed) <= LARGE


def _closed(made: AbsoluteModel, y: Array) -> float:
    """The norm of the openings of a mechanism that is closed: that of rounding its positions."""
    bodies = y[: at.STATE * len(made.graph.bodies)].reshape(-1, at.STATE)
    size = 1.0 + np.abs(bodies[:, :3]).max(initial=0.0) / made.scales.length
    rows = sum(len(one.owners) for one in made.graph.sets)
    return float(max(CLOSED, np.finfo(float).eps * size * np.sqrt(rows)))


def problem(made: AbsoluteModel, watches: bool = True) -> Problem:
    """What an integrator calls."""
    held = bool(made.graph.sets)
    events = list(made.mechanism.events.values()) if watches else []
    watched = None
    if events:
        directions = tuple(event.direction for event in events)
        stops = tuple(event.stop for event in events)
        watched = Events(made.entry(at.WATCH), directions, stops)
    return Problem(
        made.entry(at.RATE),
        made.entry(at.CLOSE) if held else None,
        made.entry(at.CALM),
        watched,
    )


@final
class _Stiffness:
    """Asked at the pauses of a run that is stiff: if it still is later on, Radau goes on.

    A singular position looks stiff too, but is soon behind. The implicit steps of a large mechanism
    would cost more than they save: the explicit ones go on.
    """

    def __init__(self, stepping: Method, size: int) -> None:
        self.notices: list[str] = []
        self._stepping, self._size = stepping, size

    def __call__(self, code: Code, reached: Reached) -> Method | None:
        if code != Code.STIFF:
            return None
        assert isinstance(self._stepping, Dop853), "only explicit steps are kept short"
        if self._stepping.patience < _SURE:
            self._stepping = replace(self._stepping, patience=_SURE)
            return self._stepping
        small = self._size <= _IMPLICIT
        what = f"{IMPLICIT} went on" if small else 'method="radau" may be quicker'
        self.notices.append(
            f"Stiff at t = {reached.time:.3g} s: stability kept {EXPLICIT} to steps of "
            f"{reached.step:.1e} s; {what}."
        )
        now = self._stepping
        same = Radau(now.rtol, now.atol, now.max_step)
        return same if small else replace(now, patience=0)


# --- what there is to say -----------------------------------------------------------------------


def _failed(made: AbsoluteModel, found: Outcome) -> SolveError:
    """Where a motion ended, and what was furthest from closed there."""
    place, reason = f"t = {found.time:.6g} s", f"{FAILURES[found.code]}."
    made.report(found.state, found.time)
    if made.loose:
        return SolveError(
            place,
            reason,
            f'No inertia resists a motion of "{made.loose[0]}".',
            "Give it a mass and moments of inertia, or hold that motion.",
        )
    advice = "A dead point, a very stiff spring or a collision of two lengths can cause this."
    if not made.graph.sets:
        return SolveError(place, reason, advice)
    _, gaps = made.moved(at.CLOSE, found.state, found.time)
    name, size = made.worst(gaps)
    return SolveError(place, reason, f'"{name}" is off by {size:.3g} (m or rad).', advice)


def _notices(made: AbsoluteModel, found: Outcome) -> list[str]:
    notices = ended_early(found, list(made.mechanism.events))
    made.report(found.state, found.time)
    extra = made.left_out
    if extra and made.mechanism.reactions != "least_norm":
        notices.append(
            f"Over-constrained, at least {extra} times: some reactions are not unique. Rows that "
            "say nothing new have no multiplier. `reactions: least_norm` accepts this."
        )
    notices += [
        f'No inertia resists a motion of "{name}": in it the body keeps its speed.'
        for name in made.loose
    ]
    return notices


# --- the choice of coordinates ------------------------------------------------------------------


def chosen(coordinates: str, mechanism: Mechanism) -> Picked:
    """The coordinates asked for, or those in which a motion is expected to be quicker.

    Up to some tens of speeds those of the joints are, whose code is made for the one mechanism; and
    for trees that only their weight moves. Beyond, they move step by step in Python, and where
    there are loops the cost of a state grows as the cube of their number; in absolute ones it is
    about a microsecond for each body, and the code is there already.
    """
    if coordinates not in COORDINATES:
        raise unknown("simulate", "kind of coordinates", coordinates, COORDINATES)
    if coordinates != "auto":
        return Picked(coordinates == "absolute")
    speeds, loops = len(state_names(mechanism)[1]), len(spanning(mechanism).closing)
    small = speeds <= LARGE and 6 * loops <= MOST_ROWS
    if small or not available() or only_falls(mechanism):
        return Picked(False)
    bodies = f"{len(mechanism.bodies)} bodies"
    return Picked(True, f"{bodies} make {loops} loops" if loops else f"there are {bodies}")
