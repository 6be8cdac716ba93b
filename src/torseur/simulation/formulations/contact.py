"""Motion with contacts, from event to event.

Between two events the modes stay: what sticks or is closed is held, what slides has its friction,
and the integrator sees smooth equations. An event is a gap that closes, a normal force that would
pull, a friction at its limit, a sliding that ends. Then speeds may jump, and the modes that agree
are chosen anew. The state is (q, v, work, work of the friction and mode of each element).
"""

from __future__ import annotations

from dataclasses import replace
from math import nan
from typing import final

import numpy as np

from torseur.errors import SolveError
from torseur.machine.contact import layout as at
from torseur.machine.contact.model import ContactModel
from torseur.machine.integrators.codes import Code
from torseur.machine.integrators.drive import driven, require_available
from torseur.machine.integrators.memory import Memory
from torseur.machine.integrators.methods import Dop853, Method, Radau
from torseur.machine.integrators.outcome import Outcome
from torseur.machine.integrators.problem import Events, Problem, StateSizes
from torseur.model.contact.meshes import require_no_meshes
from torseur.simulation.contact.broken_laws import require_laws
from torseur.simulation.contact.paradoxes import jams, paradox
from torseur.simulation.contact.path import Path
from torseur.simulation.contact.redundancy import shared_joints
from torseur.simulation.contact.settling import Settling
from torseur.simulation.contact.situation import situation
from torseur.simulation.control.control import Control
from torseur.simulation.formulations.contact_start import act_first, first_state
from torseur.simulation.formulations.joint_start import JointStart
from torseur.simulation.formulations.protocol import FAILURES, Moved, ended_early
from torseur.simulation.formulations.request import Progress, Request
from torseur.simulation.formulations.state_sizes import joint_sizes
from torseur.simulation.formulations.trouble import stopped, undefined_force
from torseur.simulation.run.contact_samples import ContactSamples
from torseur.simulation.run.samples import Happened, Samples
from torseur.words.sentence import say

Array = np.ndarray
_NEVER = nan  # the direction of a function whose changes of sign are no events
_NO_SOLUTION = (
    "A force that depends on reactions may have no value that agrees with what it causes: "
    "lower its factor."
)


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
        self._settling = Settling(self.contacts)
        self._act_first()
        self._sizes: StateSizes | None = None
        self._memories: dict[tuple[int, bool, float], Memory] = {}

    @property
    def notices(self) -> tuple[str, ...]:
        """What there is to say before it moves."""
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
            seen = self.start.copy()
            if self.control.reactions:
                self._settle_start(Path(self.contacts, np.array([self.begin.t])), seen)
            act_first(self.control, self.contacts, self.begin, seen, self.start)

    def samples(self, t: Array, states: Array, whole: Samples | None) -> ContactSamples:
        """What is read of states."""
        assert whole is None or isinstance(whole, ContactSamples), "a motion is read in one way"
        return ContactSamples(self.contacts, t, states, self.begin.given, whole)

    def moved(self, state: Array, asked: Request) -> Moved:
        """The states at the times asked for."""
        path, y = Path(self.contacts, asked.times), state.copy()
        self._settle_start(path, y)
        moved = self._moved(path, y, self._memory(y, asked), asked.progress)
        moved.states[0] = self._settling.balanced(state, moved.states[0], float(moved.t[0]))
        return moved

    def stepped(
        self, state: Array, times: Array, memory: Memory | None = None
    ) -> tuple[Array, Memory]:
        """The state at the last time, and the memory of a step, for the next.

        With it, the state is the one reached last, on which somebody acted: most often modes stay.
        """
        path, y = Path(self.contacts, times, has_choice=True), state.copy()  # notices are not read
        if memory is None:
            unwatched = Request(times, watches=False)
            self._settle_start(path, y)
            memory = self._memory(y, unwatched)
        else:
            self._settling.settle(path, float(times[0]), y, at.AFTER_ACT)
        moved = self._moved(path, y, memory, keeps_step=True)
        if not moved.is_whole:
            raise KeyboardInterrupt
        return moved.states[-1].copy(), memory

    def _settle_start(self, path: Path, y: Array) -> None:
        """y ← on the modes at the start."""
        t = float(path.times[0])
        try:
            with np.errstate(invalid="ignore"):
                self._settling.settle(path, t, y, at.AT_START)
        except SolveError:
            undefined = self._undefined(t, y, Code.NOT_FINITE)
            if undefined is not None:
                raise undefined from None
            raise

    def _moved(
        self,
        path: Path,
        y: Array,
        memory: Memory,
        progress: Progress | None = None,
        *,
        keeps_step: bool = False,
    ) -> Moved:
        """From event to event, in memory that is used again and again.

        A stretch begins with the last step of the one before, or guesses its first one.
        """
        t, is_whole = float(path.times[0]), True
        path.add(np.array([t]), y[np.newaxis])
        while not path.is_over:
            times = path.ahead(t)
            step = memory.step if keeps_step else 0.0
            memory.restart(y, times, step)
            found = driven(memory, progress=progress)
            t, y = found.time, found.state.copy()
            path.add(times[1 : len(found.states)], found.states[1:])
            path.take_notes()
            if self.control is not None:
                self.control.check()
            if found.code in FAILURES:
                raise self._trouble(found)
            if found.code == Code.UNSETTLED:
                self._settling.settle(path, t, y, at.AFTER_ACT)
                path.amend(y)
                continue
            is_whole = found.code != Code.INTERRUPTED
            if not self._goes_on(path, found):
                require_laws(self.contacts, t, y)
                break
            self._settling.settle(path, t, y, found.events[-1].index)
        events = tuple(sorted(path.events, key=lambda event: event.t))
        return Moved(*path.states(t, y), path.notices, events, is_whole)

    # --- up to an event -----------------------------------------------------------------------

    def _memory(self, y: Array, asked: Request) -> Memory:
        """What is integrated from event to event; of that, only modes change.

        The memory of a motion serves the next of as many samples up to the same end.
        """
        end, sizes = float(asked.times[-1]), self._state_sizes(y, asked.times)
        kind = len(asked.times), asked.watches, 0.0 if self.control is None else end
        if kind in self._memories:
            self._memories[kind].compare_with(sizes)
            return self._memories[kind]
        rate, close, calm, turn = map(self.contacts.entry, (at.RATE, at.CLOSE, at.CALM, at.TURN))
        turns = any(len(rows) > 1 for rows in self.contacts.rubbing_rows)
        own = self._own_events
        events = Events(
            self.contacts.entry(at.EVENTS),
            (*(-1, -1, _NEVER) * self._count, *(x.direction for x in own)),
            (*(True,) * (3 * self._count), *(x.stop and asked.watches for x in own)),
            self.contacts["turning"],
        )
        settle = self.contacts.entry(at.SETTLE)
        problem = Problem(rate, close, calm, events, sizes, turn if turns else None, settle=settle)
        if self.control is not None and asked.watches:
            before_end = self.control.instants.acting < asked.times[-1]
            problem = replace(
                problem,
                act=self.control.act,
                acting=self.control.instants.acting[before_end],
            )
        self._memories = {kind: Memory(problem, y, asked.times, self.stepping)}
        return self._memories[kind]

    def _state_sizes(self, y: Array, times: Array) -> StateSizes:
        """What the components of the state are compared with, from the first stretch on.

        Of contacts, only work changes.
        """
        if self._sizes is not None:
            return self._sizes
        t, n, more = float(times[0]), len(self.begin.y), self.contacts.size - len(self.begin.y)
        rate = self.contacts.call(at.RATE, y, t).copy()
        found = joint_sizes(self.begin.model, y[:n], rate[:n], float(times[-1]) - t)
        self._sizes = StateSizes(
            np.concatenate([found.usual, np.full(more, found.usual[-1])]),
            np.concatenate([found.most, np.full(more, np.inf)]),
            np.concatenate([found.grain, np.zeros(more)]),
        )
        return self._sizes

    # --- at an event --------------------------------------------------------------------------

    def _goes_on(self, path: Path, found: Outcome) -> bool:
        """Whether the motion goes on; events of the mechanism itself are noted."""
        names = self._names
        for one in found.events:
            if names[one.index]:
                path.events.append(Happened(names[one.index], one.time, one.state))
        if found.code == Code.TERMINAL_EVENT and not names[found.events[-1].index]:
            return True
        path.notices += ended_early(found, names)
        return False

    def _undefined(self, t: float, y: Array, code: Code) -> SolveError | None:
        """That a force is not a number at a state, or a little ahead; None where none is."""
        model = self.begin.model
        q, v = y[: len(model.coordinates)], y[len(model.coordinates) :][: len(model.speeds)]
        cause = undefined_force(model, t, q, v)
        return None if cause is None else stopped(model, t, q, FAILURES[code], *cause)

    def _trouble(self, found: Outcome) -> SolveError:
        """Why a motion could not go on."""
        undefined = self._undefined(found.time, found.state, found.code)
        if undefined is not None:
            return undefined
        seen = situation(self.contacts, found.state, found.time)
        if found.code == Code.STEP_TOO_SMALL and jams(seen):
            problem = say("the normal forces of what slides grow without end")
            return paradox(seen, seen.slides, problem, say("have no such motion"))
        kinds = found.state[self.contacts.in_state["modes"]]
        modes = zip(self.contacts.parts, kinds, strict=True)
        acting = ", ".join(part.name for part, mode in modes if mode != at.OPEN)
        return SolveError(
            f"t = {found.time:.6g} s",
            say("{why}; acting then: {acting}.", FAILURES[found.code], acting or say("nothing")),
            "Where a normal force grows without end, sliding jams (Painlevé): lower the friction.",
            *([_NO_SOLUTION] if self.contacts.state.named else []),
        )
