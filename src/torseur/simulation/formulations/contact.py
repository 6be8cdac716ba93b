"""Motion with contacts, from event to event.

Between two events the modes stay: what sticks or is closed is held, what slides has its friction,
and the integrator sees smooth equations. An event is a gap that closes, a normal force that would
pull, a friction at its limit, a sliding that ends. Then speeds may jump, and the modes that agree
are chosen anew. The state is (q, v, work, work of the friction and mode of each element).
"""

from __future__ import annotations

from dataclasses import replace
from math import inf, nan
from typing import final

import numpy as np

from torseur.algebra.core.called import raise_what_functions_raised
from torseur.errors import SolveError
from torseur.machine.contact import layout as at
from torseur.machine.contact.model import ContactModel
from torseur.machine.integrators.codes import Code
from torseur.machine.integrators.drive import driven, finish, require_available
from torseur.machine.integrators.methods import Dop853, Method, Radau
from torseur.machine.integrators.motion_memory import MotionMemory
from torseur.machine.integrators.outcome import Outcome
from torseur.machine.integrators.problem import Events, Problem, StateSizes
from torseur.model.contact.meshes import require_no_meshes
from torseur.simulation.contact.errors import halted, jam, unsettled
from torseur.simulation.contact.path import ContactPath, balanced, require_laws, settle
from torseur.simulation.control.control import Control
from torseur.simulation.formulations.joint_start import JointStart, joint_sizes
from torseur.simulation.formulations.protocol import FAILURES, MotionStates, ended_early
from torseur.simulation.formulations.request import Progress, Request
from torseur.simulation.formulations.sensing import act_first, first_state, shared_joints
from torseur.simulation.formulations.trouble import undefined
from torseur.simulation.run.contact_samples import ContactSamples
from torseur.simulation.run.samples import Happened, Samples
from torseur.words.sentence import say

Array = np.ndarray
_NO_PROGRESS = (-inf, 0.0)  # since when events are counted, and how many
_NEVER = nan  # the direction of a function whose changes of sign are no events


@final
class ContactFormulation:
    """A mechanism whose contacts open and close, stick and slide."""

    def __init__(
        self, begin: JointStart, stepping: Method | None = None, control: Control | None = None
    ) -> None:
        require_available("simulate", "contacts and dry friction need machine code.")
        require_no_meshes(begin.model.mechanism, say("motion from event to event"))
        self.begin, self.contacts = begin, ContactModel(begin.model)
        self.stepping = stepping or Dop853()
        self._shared = shared_joints(self.contacts)
        self._count = len(self.contacts.parts)
        self.start = first_state(self.contacts, begin)
        self.control = control
        self._own_events = tuple(begin.model.mechanism.events.values())
        self._names = [""] * (3 * self._count) + [x.name for x in self._own_events]
        known = self.stepping.rtol if isinstance(self.stepping, Dop853 | Radau) else 0.0
        self.contacts.speeds_are_known_to(known)
        self._act_first()
        self._sizes: StateSizes | None = None
        self._memories: dict[tuple[int, bool, float], MotionMemory] = {}

    @property
    def notices(self) -> tuple[str, ...]:
        """Notices before the motion starts."""
        return (*self.begin.notices, *self._shared)

    def start_from(self, begin: JointStart) -> None:
        """Another start of the same mechanism, perhaps with other values of its parameters."""
        if begin.model is not self.begin.model:
            self.contacts.change(begin.model)
            self._shared = shared_joints(self.contacts)
        self.begin, self._sizes = begin, None
        self.start = first_state(self.contacts, begin)
        if self.control is not None:
            self.control.restart(begin.model)
            self._act_first()

    def _act_first(self) -> None:
        """The first commands are part of the start."""
        if self.control is not None:
            measured = self.start.copy()
            if self.control.reactions:
                self._settle_start(ContactPath(self.contacts, np.array([self.begin.t])), measured)
            act_first(self.control, self.contacts, self.begin, measured, self.start)

    def samples(self, t: Array, states: Array, whole: Samples | None) -> ContactSamples:
        """Samples of states."""
        assert whole is None or isinstance(whole, ContactSamples), "a motion is read in one way"
        return ContactSamples(self.contacts, t, states, self.begin.given, whole)

    def move(self, state: Array, request: Request) -> MotionStates:
        """The states at the times asked for."""
        path, y = ContactPath(self.contacts, request.times), state.copy()
        self._settle_start(path, y)
        motion = self._follow(path, y, self._memory(y, request), request.progress)
        motion.states[0] = balanced(self.contacts, state, motion.states[0], float(motion.t[0]))
        return motion

    def ready(self, request: Request) -> MotionMemory:
        """The memory of the motion before its first step, its modes settled."""
        y = self.start.copy()
        self._settle_start(ContactPath(self.contacts, request.times), y)
        memory = self._memory(y, request)
        memory.restart(y, request.times)
        return memory

    def step_to(
        self, state: Array, times: Array, memory: MotionMemory | None = None
    ) -> tuple[Array, MotionMemory]:
        """The state at the last time, and the memory of a step, for the next.

        With a memory, the state is the one reached last, changed by the caller: most often modes
        stay. Events and notices are not read.
        """
        contacts, y, t, end = self.contacts, state.copy(), float(times[0]), float(times[-1])
        if memory is None:
            self._settle_start(ContactPath(contacts, times, has_choice=True), y)
            memory, step = self._memory(y, Request(times, watches=False)), 0.0
        else:
            step = memory.step
            contacts["progress"][:] = _NO_PROGRESS
            self._settle(t, y, at.AFTER_ACT)
        while t < end:
            memory.restart(y, (t, end), step)
            code = finish(memory)
            step, t, y = memory.step, memory.time, memory.state.copy()
            contacts["noted"][0] = 0.0
            raise_what_functions_raised()
            if code is Code.DONE:
                break
            if code in FAILURES:
                raise self._trouble(memory.outcome(code))
            event = at.AFTER_ACT if code is Code.UNSETTLED else memory.last_event
            self._settle(t, y, event)
        require_laws(contacts, t, y)
        return y, memory

    def _settle(self, t: float, y: Array, event: int) -> None:
        """y ← as it goes on, of a motion whose events are not read."""
        verdict = self.contacts.settle(y, t, event)
        self.contacts["noted"][0] = 0.0
        if verdict != at.SETTLED:
            raise unsettled(self.contacts, t, verdict)

    def _settle_start(self, path: ContactPath, y: Array) -> None:
        """y ← on the modes at the start."""
        t = float(path.times[0])
        try:
            with np.errstate(invalid="ignore"):
                settle(path, t, y, at.AT_START)
        except SolveError:
            undefined = self._undefined(t, y, Code.NOT_FINITE)
            if undefined is not None:
                raise undefined from None
            raise

    def _follow(
        self,
        path: ContactPath,
        y: Array,
        memory: MotionMemory,
        progress: Progress | None = None,
    ) -> MotionStates:
        """The motion from event to event, in memory that is used again and again.

        A stretch guesses its first step.
        """
        t, is_whole = float(path.times[0]), True
        path.add(np.array([t]), y[np.newaxis])
        while not path.is_over:
            times = path.ahead(t)
            memory.restart(y, times)
            outcome = driven(memory, progress=progress)
            t, y = outcome.time, outcome.state.copy()
            path.add(times[1 : len(outcome.states)], outcome.states[1:])
            path.take_notes()
            raise_what_functions_raised()
            if self.control is not None:
                self.control.check()
            if outcome.code in FAILURES:
                raise self._trouble(outcome)
            if outcome.code == Code.UNSETTLED:
                settle(path, t, y, at.AFTER_ACT)
                path.amend(y)
                continue
            is_whole = outcome.code != Code.INTERRUPTED
            if not self._goes_on(path, outcome):
                require_laws(self.contacts, t, y)
                break
            settle(path, t, y, outcome.events[-1].index)
        events = tuple(sorted(path.events, key=lambda event: event.t))
        return MotionStates(*path.states(t, y), path.notices, events, is_whole)

    # --- up to an event -----------------------------------------------------------------------

    def _memory(self, y: Array, request: Request) -> MotionMemory:
        """MotionMemory of an integrator from event to event; only modes change in it.

        The memory of a motion serves the next of as many samples up to the same end.
        """
        end, sizes = float(request.times[-1]), self.state_sizes(y, request.times)
        kind = len(request.times), request.watches, 0.0 if self.control is None else end
        if kind in self._memories:
            self._memories[kind].compare_with(sizes)
            return self._memories[kind]
        rate, close, calm, turn = map(self.contacts.entry, (at.RATE, at.CLOSE, at.CALM, at.TURN))
        turns = any(len(rows) > 1 for rows in self.contacts.rubbing_rows)
        described = self._own_events
        events = Events(
            self.contacts.entry(at.EVENTS),
            (*(-1, -1, _NEVER) * self._count, *(x.direction for x in described)),
            (*(True,) * (3 * self._count), *(x.stop and request.watches for x in described)),
            self.contacts["turning"],
        )
        problem = Problem(rate, close, calm, events, sizes, turn if turns else None)
        problem = replace(problem, settle=self.contacts.entry(at.SETTLE))
        if self.control is not None and request.watches:
            before_end = self.control.instants.acting < request.times[-1]
            problem = replace(
                problem,
                act=self.control.act,
                acting=self.control.instants.acting[before_end],
            )
        self._memories = {kind: MotionMemory(problem, y, request.times, self.stepping)}
        return self._memories[kind]

    def state_sizes(self, y: Array, times: Array) -> StateSizes:
        """Sizes that components of the state are compared with, from the first stretch on.

        Of contacts, only work changes.
        """
        if self._sizes is not None:
            return self._sizes
        t, n, more = float(times[0]), len(self.begin.y), self.contacts.size - len(self.begin.y)
        rate = self.contacts.call(at.RATE, y, t).copy()
        sizes = joint_sizes(self.begin.model, y[:n], rate[:n], float(times[-1]) - t)
        self._sizes = StateSizes(
            np.concatenate([sizes.usual, np.full(more, sizes.usual[-1])]),
            np.concatenate([sizes.most, np.full(more, np.inf)]),
            np.concatenate([sizes.grain, np.zeros(more)]),
        )
        return self._sizes

    # --- at an event --------------------------------------------------------------------------

    def _goes_on(self, path: ContactPath, outcome: Outcome) -> bool:
        """Whether the motion goes on; events of the mechanism itself are noted."""
        names = self._names
        for one in outcome.events:
            if names[one.index]:
                path.events.append(Happened(names[one.index], one.time, one.state))
        if outcome.code == Code.TERMINAL_EVENT and not names[outcome.events[-1].index]:
            return True
        path.notices += ended_early(outcome, names)
        return False

    def _undefined(self, t: float, y: Array, code: Code) -> SolveError | None:
        """The error of a force that is not a number at a state, or a little ahead; None: none."""
        model = self.begin.model
        q, v = y[: len(model.coordinates)], y[len(model.coordinates) :][: len(model.speeds)]
        return undefined(model, t, q, v, FAILURES[code])

    def _trouble(self, outcome: Outcome) -> SolveError:
        """The error of a motion that could not go on."""
        undefined = self._undefined(outcome.time, outcome.state, outcome.code)
        if undefined is not None:
            return undefined
        self.contacts.see(outcome.state, outcome.time)
        jammed = jam(self.contacts, outcome.time) if outcome.code == Code.STEP_TOO_SMALL else None
        if jammed is not None:
            return jammed
        acts = outcome.state[self.contacts.in_state["modes"]] != at.OPEN
        return halted(self.contacts, outcome.time, FAILURES[outcome.code], acts)
