"""Motion with contacts in the coordinates of joints, by steps of Moreau and Jean.

Every step solves for the impulses of all that touches, stops and rubs at once, shocks included.
Nothing is located: what happens in a step is known to its length. The state is that of a motion
from event to event.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import final

import numpy as np

from torseur.errors import ModelError, SolveError
from torseur.machine.contact import layout as at
from torseur.machine.contact.model import ContactModel
from torseur.machine.integrators.drive import require_available
from torseur.machine.integrators.methods import FixedStep
from torseur.model.contact.element import Element
from torseur.simulation.contact.mesh_points import MeshPoints
from torseur.simulation.contact.modes import END, LIFT, LIMIT, TOUCH
from torseur.simulation.contact.path import SHOCK
from torseur.simulation.contact.redundancy import shared_joints
from torseur.simulation.contact.settling import Settling
from torseur.simulation.formulations.joint_start import JointStart
from torseur.simulation.formulations.moreau import quality, unwatched
from torseur.simulation.formulations.protocol import Moved, interrupted
from torseur.simulation.formulations.request import Request, Settings
from torseur.simulation.formulations.sampling import Sampling
from torseur.simulation.run.contact_samples import STATES, UNKNOWN, ContactSamples
from torseur.simulation.run.samples import Happened, Samples
from torseur.words.sentence import say

Array = np.ndarray
PARTS = 500  # of the usual time of a mechanism: a step that nobody gave
EXACT = 1e-11  # of the speeds: what a residual is asked to be
_WHOLE = 0.9995  # a share that reads as 1
_NEARLY = 1e-9  # an interval longer than whole steps by this fraction of one has no step more
_CAUSES = {
    (at.OPEN, at.STICK): TOUCH,
    (at.OPEN, at.SLIP): TOUCH,
    (at.STICK, at.OPEN): LIFT,
    (at.SLIP, at.OPEN): LIFT,
    (at.STICK, at.SLIP): LIMIT,
    (at.SLIP, at.STICK): END,
}


@final
@dataclass
class Happenings:
    """Events of steps, each at the end of its own but for shocks, and how well laws were held."""

    contacts: ContactModel
    events: list[Happened] = field(default_factory=list)
    residual: float = 0.0  # in sizes of rows a second
    penetration: float = 0.0  # in sizes of gaps
    limited: int = 0  # steps whose shocks gave back less than their restitution says
    granted: float = 1.0  # the least share of a restitution that was given back

    def note(self, t: float, before: Array, after: Array, told: Array) -> None:
        """A step from one state to another, and what it told."""
        self.residual = max(self.residual, float(told[at.RESIDUAL]))
        self.penetration = max(self.penetration, float(told[at.PENETRATION]))
        self.limited += int(told[at.GRANTED] < _WHOLE)
        self.granted = min(self.granted, float(told[at.GRANTED]))
        place = self.contacts.in_state["modes"]
        old, new = before[place], after[place]
        self._note_shocks(t, old, after)
        for k in np.flatnonzero(old != new):
            cause = _CAUSES.get((int(old[k]), int(new[k])), "change")
            name, effect = self.contacts.parts[k].name, STATES[int(new[k])]
            self.events.append(Happened(name, t, after.copy(), cause, effect))

    def _note_shocks(self, t: float, old: Array, after: Array) -> None:
        """Contacts that were open, and pushed in a step: at the instant at which a gap closed."""
        rows, forces = self.contacts.normal_rows, after[self.contacts.in_state["forces"]]
        pushed = self.contacts.has_gap & (old == at.OPEN) & (forces[rows] > 0)
        for k in np.flatnonzero(pushed):
            impulse = float(forces[rows[k]] * self.contacts["step"][0])
            name, left = self.contacts.parts[k].name, max(float(self.contacts["left"][k]), 0.0)
            self.events.append(Happened(name, t - left, after.copy(), SHOCK, "", impulse))

    @property
    def notices(self) -> list[str]:
        """How well the laws of contacts were held, at worst."""
        length = self.contacts.length
        told = [quality(self.residual * length, self.penetration * length)]
        if self.limited:
            told.append(
                say(
                    "In {limited} steps the law of restitution would give energy (friction at the "
                    "shock): a part of the restitution was given back, at least {granted:.3g}.",
                    self.limited,
                    self.granted,
                )
            )
        return told


@final
class SteppedFormulation:
    """A mechanism whose contacts act by impulses, step after step."""

    def __init__(self, begin: JointStart, settings: Settings, asked: Sampling) -> None:
        require_available("simulate", "contacts and dry friction need machine code.")
        self.begin, self.contacts = begin, ContactModel(begin.model)
        self._require_known()
        self._points = MeshPoints(self.contacts)
        usual = float(self.contacts.held.sizes.scales.time) / PARTS
        self.stepping = FixedStep(settings.step or min(asked.interval, usual), "moreau")
        self.start = np.concatenate([begin.y, np.zeros(self.contacts.size - len(begin.y))])
        self.start[self.contacts.in_state["modes"]] = UNKNOWN
        told = say("Steps of Moreau and Jean of {step:.3g} s.", self.stepping.step)
        unseen = unwatched(begin.model.mechanism)
        steps = () if settings.step else (told,)
        self.notices = (*begin.notices, *shared_joints(self.contacts), *steps, *unseen)

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

    def samples(self, t: Array, states: Array, whole: Samples | None) -> Samples:
        """What is read of states."""
        assert whole is None or isinstance(whole, ContactSamples), "a motion is read in one way"
        return ContactSamples(self.contacts, t, states, self.begin.given, whole)

    def moved(self, state: Array, asked: Request) -> Moved:
        """By steps of equal length from each time to the next."""
        noted, times = Happenings(self.contacts), asked.times
        y, found, is_whole = self._settled(state, float(times[0])), [], True
        found.append(y)
        self.contacts.all_rows_act(laws_act=False)
        self.contacts["asked_residual"][0] = EXACT
        try:
            for start, stop in pairwise(times):
                y = self._between(noted, y, float(start), float(stop))
                found.append(y)
                if asked.progress is not None:
                    asked.progress(float(stop))
        except KeyboardInterrupt:
            is_whole = False
        t, notices = times[: len(found)], noted.notices if asked.watches else []
        if not is_whole:
            notices = [*notices, interrupted(float(t[-1]))]
        return Moved(t, np.array(found), notices, tuple(noted.events), is_whole)

    def _settled(self, state: Array, t: float) -> Array:
        """The first state, with the modes that its speeds and gaps have."""
        settling, state = Settling(self.contacts), self._points.placed(state)
        settling.require_apart(t, state)
        return settling.touched(state, t)

    def _between(self, noted: Happenings, y: Array, start: float, stop: float) -> Array:
        """The state after all steps from one time to another."""
        count = 1 + int((stop - start) / self.stepping.step - _NEARLY)
        h, size = (stop - start) / count, self.contacts.size
        self.contacts["step"][0] = h
        for k in range(count):
            t, y = start + k * h, self._points.placed(y)
            out = self.contacts.call(at.STEP, y, t)
            if not np.isfinite(out[:size]).all():
                raise SolveError(
                    f"t = {t:.6g} s",
                    "speeds are not finite after a step.",
                    "A shorter step helps where a force is very stiff.",
                )
            after = out[:size].copy()
            noted.note(t + h, y, after, out[size:])
            y = after
        return y


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
