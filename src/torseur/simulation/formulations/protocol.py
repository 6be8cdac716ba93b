"""A way to move: where it starts, how it goes on, and how its states are read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar, final

import numpy as np

from torseur.algebra.core.called import raise_what_functions_raised
from torseur.algebra.core.expr import ZERO
from torseur.equations.functions.kernel import SLOW
from torseur.errors import SolveError
from torseur.machine.compiled import CompiledModel
from torseur.machine.integrators.codes import Code
from torseur.machine.integrators.drive import driven
from torseur.machine.integrators.lanes import CLOSED
from torseur.machine.integrators.methods import Method
from torseur.machine.integrators.motion_memory import MotionMemory
from torseur.machine.integrators.outcome import Outcome
from torseur.machine.integrators.problem import Events, Function, Problem
from torseur.model.description import Mechanism
from torseur.simulation.control.control import Control
from torseur.simulation.formulations.request import Request
from torseur.simulation.run.samples import Happened
from torseur.simulation.start.assemble import Changes
from torseur.words.sentence import say

Array = np.ndarray
_SMOOTH = ("rate", "project_positions", "project_speeds", "prepare", "energy")
_MOST_MOVED = 8  # values that a notice lists
S = TypeVar("S")  # what is read of states
FAILURES = {
    Code.STEP_TOO_SMALL: say("the step became too small"),
    Code.NOT_FINITE: say("accelerations are not finite"),
    Code.LOOP_OPEN: say("the constraints cannot be held"),
    Code.STEP_TOO_LONG: say("the equations of a step are not solved: the step is too long"),
}


@final
@dataclass(frozen=True)
class MotionStates:
    """The states reached, with events and notices."""

    t: Array
    states: Array
    notices: list[str] = field(default_factory=list)
    events: tuple[Happened, ...] = ()
    is_whole: bool = True  # not interrupted from the keyboard


class Formulation(Protocol[S]):
    """A mechanism, or equations, about to move."""

    @property
    def start(self) -> Array: ...  # the state, as it is integrated
    @property
    def stepping(self) -> Method: ...
    @property
    def notices(self) -> tuple[str, ...]: ...  # before it moves
    def move(self, state: Array, request: Request) -> MotionStates:
        """The states at the times asked for, the given one being that of the first."""

    def samples(self, t: Array, states: Array, whole: S | None) -> S:
        """Samples of states; `whole` has those of the whole motion, None where these are they."""


def problem_of(functions: Mapping[str, Function], mechanism: Mechanism, watches: bool) -> Problem:
    """Problem of functions by name, with the events of a mechanism if they are watched."""
    named: dict[str, Any] = {n: functions[n] for n in _SMOOTH if n in functions}
    events = list(mechanism.events.values())
    if events and watches:
        directions, stops = zip(*((x.direction, x.stop) for x in events), strict=True)
        named["events"] = Events(functions["events"], directions, stops)
    return Problem(**named)


def run_integrator(
    problem: Problem,
    state: Array,
    request: Request,
    method: Method,
    failed: Callable[[Outcome], SolveError],
    control: Control | None = None,
    closed: float = CLOSED,
    **options: Any,  # of `driven`
) -> Outcome:
    """The outcome of an integrator; `failed` gives the error of a motion that could not go on."""
    memory = MotionMemory(problem, state, request.times, method, closed)
    return run_memory(memory, request, failed, control, **options)


def run_memory(
    memory: MotionMemory,
    request: Request,
    failed: Callable[[Outcome], SolveError],
    control: Control | None = None,
    **options: Any,  # of `driven`
) -> Outcome:
    """The outcome of a motion in memory, as of `run_integrator`."""
    outcome = driven(memory, progress=request.progress, **options)
    raise_what_functions_raised()
    if control is not None:
        control.check()
    if outcome.code in FAILURES:
        raise failed(outcome)
    return outcome


def motion_of(
    outcome: Outcome,
    times: Array,
    events: Sequence[str],
    notices: Sequence[str] = (),
    read: Callable[[float, Array], Array] = lambda _, state: state,
) -> MotionStates:
    """The motion of an outcome; `read` gives coordinates, speeds and work at a time.

    The end is a sample too where it is none of the times: an event, an interruption.
    """
    t, states = times[: len(outcome.states)], outcome.states
    early = outcome.code in (Code.TERMINAL_EVENT, Code.INTERRUPTED)
    if early and len(t) and outcome.time > t[-1]:
        t, states = np.append(t, outcome.time), np.vstack([states, outcome.state])
    happened = (Happened(events[x.index], x.time, read(x.time, x.state)) for x in outcome.events)
    remarks = [*notices, *ended_early(outcome, events)]
    return MotionStates(t, states, remarks, tuple(happened), outcome.code != Code.INTERRUPTED)


# --- notices -------------------------------------------------------------------------------------


def start_change_notice(changed: Changes) -> list[str]:
    """Notice about given coordinates and speeds that constraints did not allow."""
    if not changed:
        return []
    listed = [_change(name, *both) for name, both in changed.items()]
    changes = ", ".join(listed[:_MOST_MOVED])
    if len(listed) > _MOST_MOVED:
        changes = say("{moved} and {count} more", changes, len(listed) - _MOST_MOVED)
    return [
        say("The initial values did not fit loops, conditions and laws; moved: {moved}.", changes)
    ]


def _change(name: str, old: float, new: float) -> str:
    """A value that was changed, with as many digits as show it."""
    digits = next((n for n in (6, 9, 12) if f"{old:.{n}g}" != f"{new:.{n}g}"), 17)
    return say("{name} from {old} to {new}", name, f"{old:.{digits}g}", f"{new:.{digits}g}")


def immobility_notice(model: CompiledModel, freedoms: int) -> list[str]:
    """Notice about a mechanism that has no freedom left, where no row has time in it."""
    if freedoms or not model.mechanism.bodies or any(x is not ZERO for x in model.constraints.rate):
        return []
    return [say("It cannot move: its mobility is 0, and this run shows it at rest.")]


def smoothed_friction(mechanism: Mechanism) -> list[str]:
    """Notice about the dry friction of motors where its sign is smoothed."""
    motors = mechanism.motors.values()
    if not any(x is not ZERO for m in motors for x in (*m.dry_motor, *m.dry_output)):
        return []
    return [
        say(
            "Dry friction is smoothed below {slow:g} rad/s or m/s: a joint that should stick "
            "creeps.",
            float(SLOW),
        )
    ]


def interruption_notice(t: float) -> str:
    """Notice about an interruption from the keyboard."""
    return say("Interrupted at t = {t:.6g} s.", t)


def ended_early(outcome: Outcome, events: Sequence[str]) -> list[str]:
    """Notice about an interruption, or the event, of those with these names, that ended a run."""
    if outcome.code == Code.INTERRUPTED:
        return [interruption_notice(outcome.time)]
    if outcome.code == Code.TERMINAL_EVENT:
        name = events[outcome.events[-1].index]
        return [say('Stopped by the event "{name}" at t = {time:.6g} s.', name, outcome.time)]
    return []
