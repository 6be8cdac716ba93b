"""A motion that a web page computes by the machine code of the mechanism, in WebAssembly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Unpack, final

import numpy as np

from torseur.machine.compiled import CompiledModel
from torseur.machine.contact import layout as at
from torseur.machine.integrators.methods import Method
from torseur.machine.page.page_code import not_in_a_page
from torseur.machine.page.program import PageProgram, program
from torseur.model.description import Mechanism
from torseur.simulation.formulations.joint import Driven, JointFormulation
from torseur.simulation.formulations.protocol import Formulation
from torseur.simulation.formulations.request import AUTO, Request
from torseur.simulation.formulations.sampling import Schedule, schedule_of
from torseur.simulation.formulations.shorthands import Controlling, Shorthands, options_of
from torseur.simulation.formulations.stepped import SteppedFormulation
from torseur.simulation.live.page_functions import Live, page_functions
from torseur.simulation.simulate import Initial, beginning_of, formulated
from torseur.words.sentence import say

Array = np.ndarray
_METHOD = "dop853"
_RATE = 60.0  # samples a second where no rate is given


@final
@dataclass(frozen=True)
class LiveMotion:
    """A motion of a page: its program, and the names of what it computes."""

    model: CompiledModel
    moving: Live
    schedule: Schedule
    program: PageProgram
    notices: tuple[str, ...]

    @property
    def states(self) -> Array:
        """(samples, numbers): the states as they are computed here."""
        return self.moving.move(self.moving.start, Request(self.schedule.times)).states

    def document(self) -> dict[str, Any]:
        """The program and the names as plain data."""
        return {
            "program": self.program.document(),
            "coordinates": self.model.coordinates,
            "speeds": self.model.speeds,
            "mechanical": len(self.moving.begin.y),
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

    "auto" is "dop853" here: what changes the method on the way is Python.
    What a page cannot compute, such as laws in Python, meshes and piles, is refused by name.
    """
    if method == AUTO:
        method = _METHOD
    if short.get("rate") is None and short.get("at") is None:
        short["rate"] = _RATE
    settings, sampling, loop = options_of(method, AUTO, None, control, **short)
    beginning = beginning_of(initial, None)
    schedule = schedule_of(duration, sampling, beginning.t)
    settings.check_steps(schedule.span)
    chosen, model, beginning, schedule = formulated(
        mechanism, parameters, beginning, settings, schedule, loop
    )
    moving, notices = _moving(chosen)
    memory = moving.ready(Request(schedule.times))
    called, arrays = page_functions(model, moving)
    made = program(memory, called, arrays)
    return LiveMotion(model, moving, schedule, made, (*chosen.notices, *notices))


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
    raise not_in_a_page(say("this formulation runs in Python."))


def _require_no_search(moving: SteppedFormulation) -> None:
    """Refuse contacts that Python places or finds."""
    if moving.pool is not None:
        raise not_in_a_page(say("contacts among bodies are searched for."))
    if moving.finds_points:
        raise not_in_a_page(say("Python finds where meshes touch."))
