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
from torseur.simulation.contact.modes import END, LIFT, LIMIT, TOUCH, Cause
from torseur.simulation.contact.paradoxes import jams, paradox
from torseur.simulation.contact.path import Path
from torseur.simulation.contact.redundancy import shared_joints
from torseur.simulation.contact.settling import Settling
from torseur.simulation.contact.situation import Modes, situation
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
_BROKEN = 1e-6  # of the size of a gap, or of the largest force, times what its row is compared with
_BARE = -2  # what must not fall below zero, and has no known rate
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
        self.notices = (*begin.notices, *shared_joints(self.contacts))
        self._count = len(self.contacts.parts)
        self.start = first_state(self.contacts, begin)
        self.control = control
        self._own_events = tuple(begin.model.mechanism.events.values())
        self._names = [""] * (3 * self._count) + [x.name for x in self._own_events]
        known = self.stepping.rtol if isinstance(self.stepping, Dop853 | Radau) else 0.0
        self.contacts.speeds_are_known_to(known)
        self._settling = Settling(self.contacts, known)
        if control is not None:
            seen = self.start.copy()
            if control.reactions:
                self._started(Path(self.contacts, np.array([begin.t])), seen)
            act_first(control, self.contacts, begin, seen, self.start)
        self._sizes: StateSizes | None = None

    def samples(self, t: Array, states: Array, whole: Samples | None) -> ContactSamples:
        """What is read of states."""
        assert whole is None or isinstance(whole, ContactSamples), "a motion is read in one way"
        return ContactSamples(self.contacts, t, states, self.begin.given, whole)

    def moved(self, state: Array, asked: Request) -> Moved:
        """The states at the times asked for."""
        path, y = Path(self.contacts, asked.times), state.copy()
        modes = self._started(path, y)
        moved = self._moved(path, y, modes, self._memory(y, asked), asked.progress)
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
            modes, memory = self._started(path, y), self._memory(y, unwatched)
        else:
            modes = self._settling.resume(path, float(times[0]), y)
        moved = self._moved(path, y, modes, memory, keeps_step=True)
        if not moved.is_whole:
            raise KeyboardInterrupt
        return moved.states[-1].copy(), memory

    def _started(self, path: Path, y: Array) -> Modes:
        """The modes at the start, y ← on them."""
        t = float(path.times[0])
        self._settling.require_apart(t, y)
        try:
            with np.errstate(invalid="ignore"):
                return self._settling.settle(path, t, y, None)
        except SolveError:
            undefined = self._undefined(t, y, Code.NOT_FINITE)
            if undefined is not None:
                raise undefined from None
            raise

    def _moved(
        self,
        path: Path,
        y: Array,
        modes: Modes,
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
            memory.restart(y, times, self._turning(modes), step)
            found = driven(memory, progress=progress)
            t, y = found.time, found.state.copy()
            path.add(times[1 : len(found.states)], found.states[1:])
            if self.control is not None:
                self.control.check()
            if found.code in FAILURES:
                raise self._trouble(found)
            if found.code == Code.UNSETTLED:
                modes = self._settling.settle(path, t, y, None)
                path.amend(y)
                continue
            self._check(t, y, self._cause(found))
            is_whole = found.code != Code.INTERRUPTED
            if not self._goes_on(path, found):
                break
            modes = self._settling.settle(path, t, y, self._cause(found))
        events = tuple(sorted(path.events, key=lambda event: event.t))
        return Moved(*path.states(t, y), path.notices, events, is_whole)

    # --- up to an event -----------------------------------------------------------------------

    def _memory(self, y: Array, asked: Request) -> Memory:
        """What is integrated from event to event; of that, only modes change."""
        rate, close, calm, turn = map(self.contacts.entry, (at.RATE, at.CLOSE, at.CALM, at.TURN))
        turns = any(len(rows) > 1 for rows in self.contacts.rubbing_rows)
        own = self._own_events
        events = Events(
            self.contacts.entry(at.EVENTS),
            (*(-1, -1, _NEVER) * self._count, *(x.direction for x in own)),
            (*(True,) * (3 * self._count), *(x.stop and asked.watches for x in own)),
        )
        sizes = self._state_sizes(y, asked.times)
        problem = Problem(rate, close, calm, events, sizes, turn if turns else None)
        if self.control is not None and asked.watches:
            before_end = self.control.instants.acting < asked.times[-1]
            problem = replace(
                problem,
                act=self.control.act,
                acting=self.control.instants.acting[before_end],
                settle=self.contacts.entry(at.STAY),
            )
        return Memory(problem, y, asked.times, self.stepping)

    def _turning(self, modes: Modes) -> Array:
        """Of three functions of each element, the last is the rate of the first if it is open."""
        made, end = np.full(len(self._names), -1), 3 * self._count
        rates = zip(range(2, end, 3), modes.kinds, strict=True)
        made[0:end:3] = [k if kind == at.OPEN else _BARE for k, kind in rates]
        made[1:end:3] = _BARE
        return made

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

    def _check(self, t: float, y: Array, cause: Cause | None = None) -> None:
        """Refuse a stretch at whose end a contact overlaps, pulls or holds by too much friction.

        Where sliding ends its direction turns at once, and with it normal forces: those pass. It
        ends where its event is, whatever speed is left there by an instant that is not exact. What
        has its own event there kept its law up to it, and jumps.
        """
        first, second, _ = self.contacts.call(at.EVENTS, y, t)[: 3 * self._count].reshape(-1, 3).T
        if first.min(initial=0.0) >= 0 and second.min(initial=0.0) >= 0:
            return
        found, modes = self.contacts, self.contacts.table[:, at.MODE]
        works = float(np.abs(found["z"] / found["fineness"]).max(initial=0.0))
        energy = _BROKEN * max(works, found.usual_force * found.length)
        sliding = (modes == at.SLIP) & ~found.has_no_friction
        overlaps = (modes == at.OPEN) & (first < -_BROKEN * found.gap_sizes)
        pulls = (modes != at.OPEN) & (first < -energy / found.gap_sizes) & ~found.has_spring
        over = (modes == at.STICK) & (second < -energy / found.slip_sizes)
        jumps = cause is not None and (cause.what == END or (pulls | over)[cause.element])
        ends = jumps or bool((sliding & (second < 2 * found.slow)).any())
        broken = overlaps | (over & (not jumps)) | (pulls & (not ends))
        if broken.any():
            part = self.contacts.parts[int(broken.argmax())]
            raise SolveError(
                f"t = {t:.6g} s",
                say('"{name}" breaks its law: this is no motion.', part.name),
                "A smaller rtol or max_step may help.",
            )

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

    def _cause(self, found: Outcome) -> Cause | None:
        """What ended a stretch; None where no contact did."""
        if found.code != Code.TERMINAL_EVENT or self._names[found.events[-1].index]:
            return None
        k, limit = divmod(found.events[-1].index, 3)
        mode = self.contacts.table[k, at.MODE]
        if mode == at.OPEN:
            return Cause(k, TOUCH)
        if not limit:
            return Cause(k, LIFT)
        return Cause(k, LIMIT if mode == at.STICK else END)

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
