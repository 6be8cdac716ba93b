"""A motion that a web page computes by the machine code of the mechanism, in WebAssembly."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Unpack, final

import numpy as np

from torseur.machine.compiled import CompiledModel
from torseur.machine.contact import layout as at
from torseur.machine.integrators.methods import Method
from torseur.machine.page.page_code import not_in_a_page
from torseur.machine.page.program import PageProgram, program
from torseur.model.commands import with_commanded
from torseur.model.description import Mechanism
from torseur.simulation.control.loop import Loop, SymbolicLaw
from torseur.simulation.formulations.joint import Driven, JointFormulation
from torseur.simulation.formulations.protocol import Formulation, MotionStates
from torseur.simulation.formulations.request import AUTO, Beginning, Request
from torseur.simulation.formulations.sampling import (
    Sampling,
    Schedule,
    asked_rate,
    schedule_of,
)
from torseur.simulation.formulations.selection import Chosen
from torseur.simulation.formulations.shorthands import Controlling, Shorthands, options_of
from torseur.simulation.formulations.stepped import SteppedFormulation
from torseur.simulation.live.page_functions import (
    Functions,
    Live,
    course_functions,
    page_functions,
)
from torseur.simulation.live.page_settings import PageSettings
from torseur.simulation.run.run import Run
from torseur.simulation.run.watch import check_run
from torseur.simulation.simulate import Initial, beginning_of, formulated
from torseur.words.sentence import say

Array = np.ndarray
_Formulated = tuple[Chosen, CompiledModel, Beginning, Schedule]
_METHOD = "dop853"
_RATE, _MOST = 60.0, 4000  # samples a second at least, and samples at most, where no rate is given


@final
@dataclass(frozen=True)
class LiveMotion:
    """A motion of a page: its program, and the names of what it computes."""

    model: CompiledModel
    moving: Live
    schedule: Schedule
    program: PageProgram
    functions: Functions  # of (y, t), which the script calls
    settings: PageSettings
    pushed: PageProgram | None  # the same motion with a force along every speed, from outside
    tolerance: float | None  # of the method; None for steps of a given length
    notices: tuple[str, ...]

    @property
    def states(self) -> Array:
        """(samples, numbers): the states as they are computed here."""
        return self.motion.states

    @cached_property
    def motion(self) -> MotionStates:
        """The motion as it is computed here."""
        return self.moving.move(self.moving.start, Request(self.schedule.times))

    @cached_property
    def run(self) -> Run:
        """That motion as a run; an error if it is no motion of the mechanism."""
        return check_run(_run_of(self.moving, self.motion), self.tolerance)

    def document(self) -> dict[str, Any]:
        """The program and the names as plain data.

        A module of the motion that is pushed is the place of an equal one of the motion, if any.
        """
        program = self.program.document()
        pushed = None if self.pushed is None else self.pushed.document()
        if pushed is not None:
            place = {x: k for k, x in enumerate(program["modules"])}
            pushed["modules"] = [place.get(x, x) for x in pushed["modules"]]
        return {
            "program": program,
            "pushed": pushed,
            "coordinates": self.model.coordinates,
            "speeds": self.model.speeds,
            "mechanical": len(self.moving.begin.y),
            "settings": self.settings.document(),
            "contacts": self._contacts(),
            "events": list(self.model.mechanism.events),
        }

    def _contacts(self) -> dict[str, Any] | None:
        """What is touched, by name, and where the table of notes has what."""
        if isinstance(self.moving, JointFormulation):
            return None
        contacts = self.moving.contacts
        modes = contacts.in_state["modes"]
        return {
            "names": [x.name for x in contacts.parts],
            "modes": [modes.start, modes.stop],
            "size": contacts.size,
            "noted": at.NOTED,
            "by_steps": isinstance(self.moving, SteppedFormulation),
        }


def live_motion(
    mechanism: Mechanism | CompiledModel,
    duration: float = 10.0,
    *,
    initial: Initial | None = None,
    parameters: Mapping[str, float] | None = None,
    method: str | Method = AUTO,
    control: Controlling | None = None,
    **short: Unpack[Shorthands],
) -> LiveMotion:
    """The motion of a mechanism for a page, with the options of `simulate`.

    "auto" is "dop853" here: what changes the method on the way is Python. Without `rate`, samples
    are as close as the motion asks for, within limits.
    What a page cannot compute, such as laws in Python, meshes and piles, is refused by name.
    """
    if method == AUTO:
        method = _METHOD
    if _is_python(control):
        raise not_in_a_page(
            say("the control law is a function of Python."),
            'Write the law as text: control={"theta": "-20*theta - 3*theta."}.',
        )
    is_chosen = short.get("rate") is None and short.get("at") is None
    if is_chosen:
        short["rate"] = _RATE
    settings, sampling, loop = options_of(method, AUTO, None, control, **short)
    beginning = beginning_of(initial, None)
    schedule = schedule_of(duration, sampling, beginning.t)
    settings.check_steps(schedule.span)

    def formulation(mechanism: Mechanism | CompiledModel) -> _Formulated:
        return formulated(mechanism, parameters, beginning, settings, schedule, loop)

    chosen, model, started, sampled = formulation(mechanism)
    moving, notices = _moving(chosen)
    if is_chosen and (rate := _smooth_rate(moving, sampled)) > _RATE:
        schedule = schedule_of(duration, Sampling(rate), beginning.t)
        chosen, model, started, sampled = formulation(mechanism)
        moving, notices = _moving(chosen)
    settled = _settings(model, moving, started)
    functions, arrays = page_functions(model, moving, settled)
    made = program(moving.ready(Request(sampled.times)), functions, arrays)
    pushed = None if loop is not None else _pushed(formulation, model)
    notices = (*chosen.notices, *notices)
    tolerance = settings.tolerance
    return LiveMotion(model, moving, sampled, made, functions, settled, pushed, tolerance, notices)


def _run_of(moving: Live, motion: MotionStates) -> Run:
    """The motion of a formulation as a run."""
    return Run(moving.samples(motion.t, motion.states, None), (), motion.events)


def _smooth_rate(moving: Live, schedule: Schedule) -> float:
    """The samples a second at which curves are smooth, as far as a page has room for them."""
    motion = moving.move(moving.start, Request(schedule.times))
    wanted = asked_rate(_run_of(moving, motion))
    return float(np.clip(wanted, _RATE, max(_RATE, _MOST / schedule.span)))


def _is_python(control: Controlling | None) -> bool:
    """Whether a control law is a function of Python."""
    law = control.law if isinstance(control, Loop) else control
    return callable(law) and not isinstance(law, SymbolicLaw)


def _settings(model: CompiledModel, moving: Live, started: Beginning) -> PageSettings:
    contacts = None if isinstance(moving, JointFormulation) else moving.contacts
    return PageSettings(model, contacts, tuple(started.given))


def _pushed(
    formulation: Callable[[CompiledModel], _Formulated], model: CompiledModel
) -> PageProgram | None:
    """The motion with a force from outside along every speed; None where nothing can move."""
    if not model.speeds:
        return None
    commanded = with_commanded(model.mechanism, model.speeds)
    chosen, acted_on, started, sampled = formulation(
        CompiledModel(commanded, parameters=model.given)
    )
    moving, _ = _moving(chosen)
    needed = course_functions(acted_on, moving, _settings(acted_on, moving, started))
    return program(moving.ready(Request(sampled.times)), *needed)


def _moving(chosen: Formulation[Any]) -> tuple[Live, tuple[str, ...]]:
    """The formulation that a page computes, and how it differs from the one chosen."""
    notices: tuple[str, ...] = ()
    moving: Any = chosen
    if isinstance(chosen, Driven):
        note = say("Imposed motions are integrated here; `simulate` agrees with that to 1e-8.")
        moving, notices = chosen.moving, (note,)
    if isinstance(moving, JointFormulation) and moving.attend is not None:
        raise not_in_a_page(say("closed loops repeat each other, and Python chooses their rows."))
    if isinstance(moving, SteppedFormulation):
        _require_no_search(moving)
    if isinstance(moving, Live):
        return moving, notices
    raise not_in_a_page(
        say("Python computes this motion, by the method or the coordinates that were chosen."),
        'Leave out the method, or choose "dop853", "radau", "rk4", "euler" or "moreau".',
    )


def _require_no_search(moving: SteppedFormulation) -> None:
    """Refuse contacts that Python places or finds."""
    if moving.pool is not None:
        raise not_in_a_page(say("contacts among bodies are searched for."))
    if moving.finds_points:
        raise not_in_a_page(say("Python finds where meshes touch."))
