"""Motion with contacts in the coordinates of joints, by steps of Moreau and Jean.

Every step solves for the impulses of all that touches, stops and rubs at once, shocks included.
Nothing is located: what happens in a step is known to its length. The state is that of a motion
from event to event.
"""

from __future__ import annotations

from dataclasses import replace
from typing import final

import numpy as np

from torseur.errors import ModelError, SolveError
from torseur.machine.contact import layout as at
from torseur.machine.contact.model import ContactModel
from torseur.machine.integrators.codes import Code
from torseur.machine.integrators.drive import driven, require_available
from torseur.machine.integrators.memory import Memory
from torseur.machine.integrators.methods import FixedStep
from torseur.machine.integrators.outcome import Event
from torseur.machine.integrators.problem import Problem
from torseur.model.contact.element import Element
from torseur.simulation.contact.causes import END, LIFT, LIMIT, SHOCK, TOUCH
from torseur.simulation.contact.mesh_points import MeshPoints
from torseur.simulation.contact.redundancy import shared_joints
from torseur.simulation.contact.settling import Settling
from torseur.simulation.control.control import Control
from torseur.simulation.formulations.contact_start import act_first, first_state
from torseur.simulation.formulations.joint_start import JointStart
from torseur.simulation.formulations.moreau import quality, unwatched
from torseur.simulation.formulations.protocol import Moved, interrupted
from torseur.simulation.formulations.request import Request, Settings
from torseur.simulation.formulations.sampling import Sampling
from torseur.simulation.run.contact_samples import STATES, ContactSamples
from torseur.simulation.run.samples import Happened, Samples
from torseur.words.sentence import say

Array = np.ndarray
PARTS = 500  # of the usual time of a mechanism: a step that nobody gave
EXACT = 1e-11  # of the speeds: what a residual is asked to be
_CAUSES = {
    (at.OPEN, at.STICK): TOUCH,
    (at.OPEN, at.SLIP): TOUCH,
    (at.STICK, at.OPEN): LIFT,
    (at.SLIP, at.OPEN): LIFT,
    (at.STICK, at.SLIP): LIMIT,
    (at.SLIP, at.STICK): END,
}


@final
class SteppedFormulation:
    """A mechanism whose contacts act by impulses, step after step."""

    def __init__(
        self,
        begin: JointStart,
        settings: Settings,
        asked: Sampling,
        control: Control | None = None,
    ) -> None:
        require_available("simulate", "contacts and dry friction need machine code.")
        self.begin, self.contacts, self.control = begin, ContactModel(begin.model), control
        self._require_known()
        self._points = MeshPoints(self.contacts)
        self._settings, self._interval = settings, asked.interval
        self.stepping = self._steps()
        self.start = first_state(self.contacts, begin)
        self._act_first()
        self._shared = shared_joints(self.contacts)

    @property
    def notices(self) -> tuple[str, ...]:
        """What there is to say before it moves."""
        told = say("Steps of Moreau and Jean of {step:.3g} s.", self.stepping.step)
        unseen = unwatched(self.begin.model.mechanism)
        steps = () if self._settings.step else (told,)
        return (*self.begin.notices, *self._shared, *steps, *unseen)

    def start_from(self, begin: JointStart) -> None:
        """Another start of the same mechanism, perhaps with other values of its parameters."""
        if begin.model is not self.begin.model:
            self.contacts.change(begin.model)
            self.stepping, self._shared = self._steps(), shared_joints(self.contacts)
        self.begin, self.start = begin, first_state(self.contacts, begin)
        if self.control is not None:
            self.control.restart(begin.model)
            self._act_first()

    def _steps(self) -> FixedStep:
        """Steps as long as they are asked to be, or a part of the usual time."""
        usual = float(self.contacts.held.sizes.scales.time) / PARTS
        return FixedStep(self._settings.step or min(self._interval, usual), "moreau")

    def _act_first(self) -> None:
        """The first commands are part of the start."""
        control, begin = self.control, self.begin
        if control is not None:
            seen = self._settled(self.start, begin.t) if control.reactions else self.start
            act_first(control, self.contacts, begin, seen, self.start)

    def _require_known(self) -> None:
        """Refuse what has no place in a step, by name."""
        for one in self.contacts.parts:
            reason = _why_not(one, by_reactions=one.name in self.contacts.state.given_loads)
            if reason is not None:
                raise ModelError(
                    one.place or f'"{one.name}"',
                    reason,
                    "Leave out the method: from event to event it is solved with the motion.",
                )

    def samples(self, t: Array, states: Array, whole: Samples | None) -> ContactSamples:
        """What is read of states."""
        assert whole is None or isinstance(whole, ContactSamples), "a motion is read in one way"
        return ContactSamples(self.contacts, t, states, self.begin.given, whole)

    def moved(self, state: Array, asked: Request) -> Moved:
        """By steps of equal length from each time to the next."""
        y = self._settled(state, float(asked.times[0]))
        found = driven(self._memory(y, asked), progress=asked.progress, attend=self._points.attend)
        if self.control is not None:
            self.control.check()
        if found.code is Code.NOT_FINITE:
            raise SolveError(
                f"t = {found.time:.6g} s",
                "speeds are not finite after a step.",
                "A shorter step helps where a force is very stiff.",
            )
        told, size = found.state[self.contacts.size :], self.contacts.size
        is_whole = found.code is not Code.INTERRUPTED
        t, notices = asked.times[: len(found.states)], self._told(told) if asked.watches else []
        if not is_whole:
            notices = [*notices, interrupted(float(t[-1]))]
        events = tuple(map(self._happened, found.events))
        return Moved(t, found.states[:, :size], notices, events, is_whole)

    def _memory(self, y: Array, asked: Request) -> Memory:
        """What a kernel moves: the state, and what steps tell after it."""
        self.contacts.all_rows_act(laws_act=False)
        self.contacts["asked_residual"][0] = EXACT
        told = np.zeros(at.TOLD)
        told[at.GRANTED] = 1.0
        leap = self.contacts.entry(at.STEP)
        problem = Problem(None, leap=leap, elements=len(self.contacts.parts))
        if self.control is not None and asked.watches:
            instants = self.control.instants.acting
            acting = instants[instants < asked.times[-1]]
            problem = replace(problem, act=self.control.act, acting=acting)
        return Memory(problem, np.concatenate([y, told]), asked.times, self.stepping)

    def _settled(self, state: Array, t: float) -> Array:
        """The first state, with the modes that its speeds and gaps have."""
        settling, state = Settling(self.contacts), self._points.placed(state)
        settling.require_apart(t, state)
        return settling.touched(state, t)

    # --- what steps tell ----------------------------------------------------------------------

    def _happened(self, event: Event) -> Happened:
        """An event: a change of modes at the end of its step, or a shock when its gap closed."""
        state, h = event.state[: self.contacts.size], float(event.state[-1])
        if event.index < 0:
            k = -1 - event.index
            force = state[self.contacts.in_state["forces"]][self.contacts.normal_rows[k]]
            name = self.contacts.parts[k].name
            return Happened(name, event.time, state, SHOCK, "", float(force) * h)
        change, k = divmod(event.index, len(self.contacts.parts))
        old, new = (x - 1 for x in divmod(change, at.MODES))
        cause, name = _CAUSES.get((old, new), "change"), self.contacts.parts[k].name
        return Happened(name, event.time, state, cause, STATES[new])

    def _told(self, told: Array) -> list[str]:
        """How well the laws of contacts were held, at worst."""
        length = self.contacts.length
        notices = [quality(told[at.RESIDUAL] * length, told[at.PENETRATION] * length)]
        if told[at.LIMITED]:
            notices.append(
                say(
                    "In {limited} steps the law of restitution would give energy (friction at the "
                    "shock): a part of the restitution was given back, at least {granted:.3g}.",
                    int(told[at.LIMITED]),
                    told[at.GRANTED],
                )
            )
        return notices


def _why_not(one: Element, *, by_reactions: bool) -> str | None:
    """Why steps cannot follow the law of an element; None if they can."""
    if one.law or by_reactions:
        return say(
            '"{name}" depends on reactions, and a step with a shock has impulses and no forces; '
            "steps cannot follow that.",
            one.name,
        )
    if one.spring:
        return say(
            '"{name}" is a spring, in whose period many steps must lie; steps cannot follow that.',
            one.name,
        )
    if one.patch:
        return say(
            '"{name}" rubs over a patch, where sliding and pivoting share one friction; '
            "steps cannot follow that.",
            one.name,
        )
    return None
