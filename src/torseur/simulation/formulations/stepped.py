"""Motion with contacts in the coordinates of joints, by steps of Moreau and Jean.

Every step solves for the impulses of all that touches, stops and rubs at once, shocks included.
Nothing is located: what happens in a step is known to its length. The state is that of a motion
from event to event.
"""

from __future__ import annotations

from dataclasses import replace
from typing import final

import numpy as np

from torseur.algebra.core.called import raise_what_functions_raised
from torseur.algebra.core.expr import ZERO
from torseur.errors import ModelError, SolveError
from torseur.machine.collision.places import GAP
from torseur.machine.collision.tables import piles_of
from torseur.machine.contact import layout as at
from torseur.machine.contact.model import ContactModel
from torseur.machine.contact.pool import EXACT, Pool
from torseur.machine.integrators.codes import Code
from torseur.machine.integrators.drive import driven, finish, require_available
from torseur.machine.integrators.methods import Moreau
from torseur.machine.integrators.motion_memory import MotionMemory
from torseur.machine.integrators.outcome import Outcome, SignChange
from torseur.machine.integrators.problem import Problem
from torseur.machine.piles.memory import OVERLAP
from torseur.model.contact.element import Element
from torseur.simulation.contact.mesh_points import MeshPoints
from torseur.simulation.contact.path import END, LIFT, LIMIT, SHOCK, TOUCH, touching_state
from torseur.simulation.control.control import Control
from torseur.simulation.formulations.joint_start import JointStart
from torseur.simulation.formulations.moreau import falling_step, overlap, quality, unwatched
from torseur.simulation.formulations.protocol import MotionStates, interruption_notice
from torseur.simulation.formulations.request import Request, Settings
from torseur.simulation.formulations.sampling import Schedule
from torseur.simulation.formulations.sensing import act_first, first_state, shared_joints
from torseur.simulation.run.contact_samples import STATES, ContactSamples
from torseur.simulation.run.samples import Happened, Samples
from torseur.words.sentence import say

Array = np.ndarray
PARTS = 500  # of the usual time of a mechanism: a step that nobody gave
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
        sampling: Schedule,
        control: Control | None = None,
    ) -> None:
        require_available("simulate", "contacts and dry friction need machine code.")
        self.begin, self.contacts, self.control = begin, ContactModel(begin.model), control
        self._require_known()
        self._points = MeshPoints(self.contacts)
        self._settings, self._interval = settings, sampling.interval
        self._prepare()
        self._begin()

    @property
    def notices(self) -> tuple[str, ...]:
        """Notices before the motion starts."""
        length = say("Steps of Moreau and Jean of {step:.3g} s.", self.stepping.length)
        unseen = unwatched(self.begin.model.mechanism)
        steps = () if self._settings.step else (length,)
        return (*self.begin.notices, *self._shared, *steps, *unseen)

    def start_from(self, begin: JointStart) -> None:
        """Another start of the same mechanism, perhaps with other values of its parameters."""
        changed, self.begin = begin.model is not self.begin.model, begin
        if changed:
            self.contacts.change(begin.model)
            self._prepare()
        if self.control is not None:
            self.control.restart(begin.model)
        self._begin()

    def _prepare(self) -> None:
        """Contacts among bodies, length of steps and shares, which depend on parameters."""
        model = self.begin.model
        self.pool = Pool(model) if piles_of(model.mechanism) else None
        usual = float(self.contacts.held.sizes.scales.time) / PARTS
        if self.pool is not None:
            usual = min(usual, falling_step(self.pool.tables.least, self.pool.gravity))
        step = self._settings.step or min(self._interval, usual)
        self.stepping, self._shared = Moreau(step), shared_joints(self.contacts)

    def _begin(self) -> None:
        """The first state, the first commands included."""
        first, control, begin = first_state(self.contacts, self.begin), self.control, self.begin
        report = self._first_report()[: self.contacts.reported]
        self.start = np.concatenate([first, report])
        if control is not None:
            settled = self._settled(first, begin.t) if control.reactions else first
            measured = np.concatenate([settled, report])
            act_first(control, self.contacts, begin, measured, self.start)

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
        """Samples of states."""
        assert whole is None or isinstance(whole, ContactSamples), "a motion is read in one way"
        return ContactSamples(self.contacts, t, states, self.begin.given, whole)

    def move(self, state: Array, request: Request) -> MotionStates:
        """The motion by steps of equal length from each time to the next."""
        size = self.contacts.size
        y = self._settled(state[:size], float(request.times[0]))
        outcome = self._driven(y, request)
        raise_what_functions_raised()
        if self.control is not None:
            self.control.check()
        if outcome.code is Code.NOT_FINITE:
            raise _not_finite(outcome.time)
        report, width = outcome.state[size:], size + self.contacts.reported
        is_whole = outcome.code is not Code.INTERRUPTED
        t = request.times[: len(outcome.states)]
        notices = self._quality_notices(report) if request.watches else []
        if not is_whole:
            notices = [*notices, interruption_notice(float(t[-1]))]
        events = tuple(map(self._happened, outcome.events))
        return MotionStates(t, outcome.states[:, :width], notices, events, is_whole)

    @property
    def finds_points(self) -> bool:
        """Whether Python finds where meshes touch, before every step."""
        return self._points.attend is not None

    def ready(self, request: Request) -> MotionMemory:
        """The memory of the motion before its first step, with the modes of its start."""
        y = self._settled(self.start[: self.contacts.size], float(request.times[0]))
        first = np.concatenate([y, self._first_report()])
        return self._memory(first, request.times, self.control if request.watches else None)

    def step_to(
        self, state: Array, times: Array, memory: MotionMemory | None = None
    ) -> tuple[Array, MotionMemory]:
        """The state at the last time, and the memory of the steps, for the next call.

        With this memory, the state is the one reached last, perhaps under other commands.
        """
        size = self.contacts.size
        if memory is None:
            y = self._settled(state[:size], float(times[0]))
            self._require_apart(y, float(times[0]))
            memory = self._memory(np.concatenate([y, self._first_report()]), times)
        else:
            memory.restart(np.concatenate([state[:size], self._first_report()]), times)
        code = finish(memory, self._points.attend)
        while self.pool is not None and code is Code.NOT_FINITE and self.pool.is_full:
            self.pool.grow()
            memory = self._memory(memory.state, np.array([memory.time, times[-1]]))
            code = finish(memory, self._points.attend)
        if code is Code.NOT_FINITE:
            raise _not_finite(memory.time)
        return memory.state[: size + self.contacts.reported].copy(), memory

    def _require_apart(self, y: Array, t: float) -> None:
        """Refuse to start with bodies inside each other; the step before is forgotten."""
        if self.pool is not None:
            require_apart(self.pool, y, t)

    def _driven(self, y: Array, request: Request) -> Outcome:
        """The motion from a state; where contacts have no room, it goes on from there with more."""
        self._require_apart(y, float(request.times[0]))
        outcome = self._run(np.concatenate([y, self._first_report()]), request, request.times)
        while self.pool is not None and outcome.code is Code.NOT_FINITE and self.pool.is_full:
            self.pool.grow()
            count, events = len(outcome.states), outcome.events
            left = np.concatenate([[outcome.time], request.times[count:]])
            more = self._run(outcome.state, request, left)
            states = np.concatenate([outcome.states, more.states[1:]])
            outcome = replace(more, states=states, events=(*events, *more.events))
        return outcome

    def _first_report(self) -> Array:
        """Report of the steps, before the first."""
        report = np.zeros(at.TOLD)
        report[at.GRANTED], report[at.LENGTH] = 1.0, self.stepping.length
        return report

    def _run(self, y: Array, request: Request, times: Array) -> Outcome:
        """The steps of a kernel, of the state and their report after it."""
        memory = self._memory(y, times, self.control if request.watches else None)
        return driven(memory, progress=request.progress, attend=self._points.attend)

    def _memory(self, y: Array, times: Array, control: Control | None = None) -> MotionMemory:
        """MotionMemory of the steps of a kernel."""
        contacts = self.contacts if self.pool is None else self.pool.contacts
        contacts.all_rows_act(laws_act=False)
        contacts["asked_residual"][0] = EXACT
        problem = Problem(None, leap=contacts.entry(at.STEP), elements=len(contacts.parts))
        if control is not None:
            instants = control.instants.acting
            acting = instants[(times[0] <= instants) & (instants < times[-1])]
            problem = replace(problem, act=control.act, acting=acting)
        return MotionMemory(problem, y, times, self.stepping)

    def _settled(self, state: Array, t: float) -> Array:
        """The first state, with the modes that its speeds and gaps have."""
        return touching_state(self.contacts, self._points.placed(state), t)

    # --- reports of steps ---------------------------------------------------------------------

    def _happened(self, event: SignChange) -> Happened:
        """An event: a change of modes at the end of its step, or a shock when its gap closed."""
        width, h = self.contacts.size + self.contacts.reported, float(event.state[-1])
        state = event.state[:width]
        if event.index < 0:
            k = -1 - event.index
            force = state[self.contacts.in_state["forces"]][self.contacts.normal_rows[k]]
            name = self.contacts.parts[k].name
            return Happened(name, event.time, state, SHOCK, "", float(force) * h)
        change, k = divmod(event.index, len(self.contacts.parts))
        old, new = (x - 1 for x in divmod(change, at.MODES))
        cause, name = _CAUSES.get((old, new), "change"), self.contacts.parts[k].name
        return Happened(name, event.time, state, cause, STATES[new])

    def _quality_notices(self, report: Array) -> list[str]:
        """Notices about the largest violation of the laws of contacts."""
        length = self.contacts.length
        notices = [quality(report[at.RESIDUAL] * length, report[at.PENETRATION] * length)]
        if report[at.LIMITED]:
            notices.append(
                say(
                    "In {limited} steps the law of restitution would give energy (friction at the "
                    "shock): a part of the restitution was given back, at least {granted:.3g}.",
                    int(report[at.LIMITED]),
                    report[at.GRANTED],
                )
            )
        return notices


def _not_finite(t: float) -> SolveError:
    """The error of a step after which speeds are not numbers."""
    return SolveError(
        f"t = {t:.6g} s",
        "speeds are not finite after a step.",
        "A shorter step helps where a force is very stiff.",
    )


def require_apart(pool: Pool, y: Array, t: float) -> None:
    """Refuse to start with bodies of a pile inside each other."""
    rows = pool.contacts_at(y, t)
    worst = rows[int(np.argmin(rows[:, GAP]))] if len(rows) else None
    if worst is not None and -worst[GAP] > OVERLAP * pool.tables.least:
        raise overlap(t, worst, pool.names)
    pool.forget()


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
    if one.tangential is not ZERO:
        return say(
            '"{name}" has a tangential restitution, which acts at the instant of a shock; '
            "steps cannot follow that.",
            one.name,
        )
    if one.patch:
        return say(
            '"{name}" rubs over a patch, where sliding and pivoting share one friction; '
            "steps cannot follow that.",
            one.name,
        )
    return None
