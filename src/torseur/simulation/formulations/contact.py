"""Motion with contacts, from event to event.

Between two events the modes stay: what sticks or is closed is held, what slides has its friction,
and the integrator sees smooth equations. An event is a gap that closes, a normal force that would
pull, a friction at its limit, a sliding that ends. Then speeds may jump, and the modes that agree
are chosen anew. The state is (q, v, work, work of the friction and mode of each element).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import nan
from typing import final

import numpy as np

from torseur.algebra.core.graph import evaluate
from torseur.errors import ModelError, SolveError
from torseur.machine.contact import layout as at
from torseur.machine.contact.model import ContactModel
from torseur.machine.integrators.codes import Code
from torseur.machine.integrators.drive import available, integrate
from torseur.machine.integrators.methods import Dop853, Method
from torseur.machine.integrators.outcome import Outcome
from torseur.machine.integrators.problem import Events, Problem, StateSizes
from torseur.simulation.contact.modes import Found, Modes, chosen
from torseur.simulation.contact.shocks import Shock, one_by_one, shock
from torseur.simulation.contact.situation import Situation, rubbing_rows, situation
from torseur.simulation.contact.stillness import still_speeds
from torseur.simulation.formulations.joint_start import JointStart
from torseur.simulation.formulations.protocol import FAILURES, Moved, interrupted
from torseur.simulation.formulations.request import Request
from torseur.simulation.formulations.state_sizes import Start, joint_sizes
from torseur.simulation.run.contact_samples import ContactSamples
from torseur.simulation.run.samples import Happened, Samples
from torseur.words.sentence import say

Array = np.ndarray
END = "end of sliding"
UNKNOWN = -1.0  # the mode of an element before any was chosen
NAMES = {at.OPEN: "open", at.STICK: "stick", at.SLIP: "slip"}
ZENO = 1e-10  # of the time of the mechanism: a rest of bounces that is over at once
_INSIDE = 1e-9  # of the length of the mechanism: how far bodies may overlap at the start
LOW = 4e-15  # of the length of the mechanism: a bounce that rounding hides
_FAST = 10  # times the speed of a bounce: what slides slower than that ends with it
_NEVER = nan  # the direction of a function whose changes of sign are no events
_TOGETHER = 1000  # events at one instant: more would go on for ever


@final
class ContactFormulation:
    """A mechanism whose contacts open and close, stick and slide."""

    def __init__(self, begin: JointStart, stepping: Method | None = None) -> None:
        if not available():
            raise ModelError(
                "simulate",
                "contacts and dry friction need machine code.",
                "Install llvmlite and numba.",
            )
        self.begin, self.contacts = begin, ContactModel(begin.model)
        self.stepping = stepping or Dop853()
        self.notices = begin.notices
        count = len(self.contacts.parts)
        self.start = np.concatenate([begin.y, np.zeros(count), np.full(count, UNKNOWN)])
        self._restitution = np.array(
            [float(evaluate(x.restitution, begin.model.parameters)) for x in self.contacts.parts]
        )
        self._tasks = {task: self.contacts.entry(task) for task in range(at.FORCES)}

    def samples(self, t: Array, states: Array, whole: Samples | None) -> Samples:
        """What is read of states."""
        assert whole is None or isinstance(whole, ContactSamples), "a motion is read in one way"
        return ContactSamples(self.contacts, t, states, self.begin.given, whole)

    # --- from event to event ------------------------------------------------------------------

    def moved(self, state: Array, asked: Request) -> Moved:
        """The states at the times asked for."""
        path = _Path(asked.times)
        t, y = float(asked.times[0]), state.copy()
        modes = self._settle(path, t, y, is_start=True)
        path.add(np.array([t]), y[np.newaxis])
        while not path.is_over:
            found = self._smooth(modes, t, y, path.ahead(t), asked)
            t, y = found.time, found.state.copy()
            path.add(*_reached(found, path.ahead(float(path.t))))
            if found.code in FAILURES:
                raise self._trouble(found)
            if found.code == Code.INTERRUPTED:
                path.notices.append(interrupted(t))
                break
            if found.code != Code.TERMINAL_EVENT or self._own_event(path, found):
                break
            modes = self._settle(path, t, y, cause=self._cause(found))
        return Moved(*path.states(t, y), path.notices, tuple(path.events), not path.notices)

    def _smooth(self, modes: Found, t: float, y: Array, times: Array, asked: Request) -> Outcome:
        """The motion up to the next event."""
        count, mechanism = len(self.contacts.parts), self.begin.model.mechanism
        own = list(mechanism.events.values()) if asked.watches else []
        directions = (*(-1, -1, _NEVER) * count, *(x.direction for x in own))
        terminal = (*(True,) * (3 * count), *(x.stop for x in own))
        opened = [kind == at.OPEN for kind in modes.modes.kinds]
        rates = (x for k, is_open in enumerate(opened) for x in (3 * k + 2 if is_open else -1, -1, -1))
        turning = (*rates, *(-1 for _ in own))
        events = Events(self._tasks[at.EVENTS], directions, terminal, turning)
        problem = Problem(
            self._tasks[at.RATE], self._tasks[at.CLOSE], self._tasks[at.CALM], events
        )
        turns = any(
            kind == at.SLIP and len(rows) > 1
            for kind, rows in zip(modes.modes.kinds, rubbing_rows(self.contacts), strict=True)
        )
        return integrate(
            problem.with_sizes(self._sizes(t, y, float(times[-1]))),
            y,
            times,
            self.stepping,
            progress=asked.progress,
            attend=self._turn if turns else None,
        )

    def _turn(self, t: float, y: Array) -> None:
        """Keep the directions in which elements slide, before a step."""
        self._tasks[at.EVENTS].value(y, t, 3 * len(self.contacts.parts) + len(self.begin.model.mechanism.events))
        u, line = self.contacts["u"], self.contacts.table
        for one, rows in zip(line, rubbing_rows(self.contacts), strict=True):
            size = np.linalg.norm(u[rows])
            if one[at.MODE] == at.SLIP and len(rows) > 1 and size > self.contacts.slow:
                one[at.DIRECTION : at.DIRECTION + len(rows)] = u[rows] / size

    def _sizes(self, t: float, y: Array, end: float) -> StateSizes:
        """What the components of the state are compared with; modes with nothing."""
        n, count = len(self.begin.y), len(self.contacts.parts)
        rate = self._tasks[at.RATE].value(y, t, len(y))
        found = joint_sizes(self.begin.model, Start(y[:n], rate[:n], max(end - t, 1e-300)))
        work = np.full(count, found.usual[n - 1])
        endless = np.full(2 * count, np.inf)
        return StateSizes(
            np.concatenate([found.usual, work, np.ones(count)]),
            np.concatenate([found.most, endless]),
            np.concatenate([found.grain, np.zeros(2 * count)]),
        )

    # --- at an event --------------------------------------------------------------------------

    def _settle(
        self, path: _Path, t: float, y: Array, cause: tuple[int, str] | None = None,
        is_start: bool = False,
    ) -> Found:
        """The modes from here on; y ← with the speeds after shocks, and exactly on what holds."""
        seen = situation(self.contacts, y, t)
        if is_start:
            self._require_apart(seen)
        if seen.approaches.any():
            path.note_shock(self, t, y, self._struck(t, y, self._restitution))
            seen = self._calmed_bounces(path, t, y)
        ended = cause is not None and cause[1] == END
        found = chosen(seen, cause[0] if cause is not None and ended else None)
        self._adopt(t, y, found.modes)
        path.note(self, t, y, found.modes, cause)
        return found

    def _struck(self, t: float, y: Array, restitution: Array) -> Shock:
        """y ← after a shock; the kinetic energy that it took is work."""
        law = one_by_one if self._in_turn else shock
        nq, nv = len(self.begin.model.coordinates), len(self.begin.model.speeds)
        found = law(self.contacts, y, t, restitution)
        before, M = y[nq : nq + nv].copy(), self.contacts["M"]
        lost = 0.5 * (found.v @ M @ found.v - before @ M @ before)
        y[nq : nq + nv] = found.v
        y[nq + nv] += lost
        y[nq + nv + 1 : nq + nv + 1 + len(found.work)] += found.work
        return found

    @property
    def _in_turn(self) -> bool:
        return self.begin.model.mechanism.impacts == "sequential"

    def _calmed_bounces(self, path: _Path, t: float, y: Array) -> Situation:
        """The situation after a shock; bounces that would be over at once are over now.

        A contact that leaves at u and is pulled back by a bounces for 2u/(a (1 − e)) in all, and up
        to u²/2a, which may be less than rounding. The end of the bounces is noted when it would be.
        """
        seen = situation(self.contacts, y, t)
        leaving = (seen.gap <= 1e-10 * self.contacts.length) & (seen.normal_speed > 0)
        if not leaving.any():
            return seen
        pulled = self._pulled_back(seen)
        e = np.minimum(self._restitution, 1 - 1e-12)
        with np.errstate(divide="ignore", invalid="ignore"):
            lasting = 2 * seen.normal_speed / (pulled * (1 - e))
            height = seen.normal_speed**2 / (2 * pulled)
        pace = self.contacts.length / self.contacts.usual_speed
        short = (lasting < ZENO * pace) | (height < LOW * self.contacts.length)
        over = np.flatnonzero(leaving & (pulled > 0) & short)
        if not len(over):
            return seen
        path.rests = {int(k): t + float(lasting[k]) for k in over if e[k] < 1 - 1e-9}
        self._stop_leaving(t, y, seen, over)
        return situation(self.contacts, y, t)

    def _pulled_back(self, seen: Situation) -> Array:
        """−w of the gaps (elements,) where what touches otherwise has its forces."""
        found = chosen(seen)
        normal = self.contacts.table[:, at.NORMAL].astype(int)
        return np.where(normal >= 0, -found.w[normal], 0.0)

    def _stop_leaving(self, t: float, y: Array, seen: Situation, over: Array) -> None:
        """y ← with what touches at rest there, by the smallest impulses; what slides fast goes on."""
        nq, nv = len(self.begin.model.coordinates), len(self.begin.model.speeds)
        fastest = _FAST * float(seen.normal_speed[over].max())
        kinds = [
            at.OPEN if not is_near else at.STICK if np.linalg.norm(seen.u[rows]) < fastest else at.SLIP
            for is_near, rows in zip(
                seen.touches | np.isin(np.arange(len(seen.gap)), over),
                rubbing_rows(self.contacts),
                strict=True,
            )
        ]
        self.contacts.set_modes(kinds, seen.directions(seen.u), np.zeros(nv))
        M, v = self.contacts["M"].copy(), y[nq : nq + nv].copy()
        y[:] = self._tasks[at.CALM].value(y, t, len(y))
        now = y[nq : nq + nv]
        y[nq + nv] += 0.5 * (now @ M @ now - v @ M @ v)

    def _adopt(self, t: float, y: Array, modes: Modes) -> None:
        """y ← on what the modes hold, with the modes in it."""
        nq, nv = len(self.begin.model.coordinates), len(self.begin.model.speeds)
        nothing = np.zeros(nv)
        self.contacts.set_modes(modes.kinds, modes.directions, nothing)
        y[:] = self._tasks[at.CALM].value(y, t, len(y))
        still = still_speeds(self.contacts, y[nq : nq + nv])
        self.contacts.set_modes(modes.kinds, modes.directions, still)
        y[nq : nq + nv][still == 1.0] = 0.0
        y[-len(modes.kinds) :] = modes.kinds
        self.contacts["reference"][:] = 0.0

    def _require_apart(self, seen: Situation) -> None:
        """Refuse to start with bodies inside each other."""
        worst = int(seen.gap.argmin()) if len(seen.gap) else 0
        if len(seen.gap) and seen.gap[worst] < -_INSIDE * self.contacts.length:
            one = self.contacts.parts[worst]
            raise ModelError(
                one.place or f'contact "{one.name}"',
                say(
                    '"{name}" starts with its bodies inside each other, by {gap:.3g} (m or rad).',
                    one.name,
                    -seen.gap[worst],
                ),
                "Give other initial values.",
            )

    def _cause(self, found: Outcome) -> tuple[int, str]:
        """The element of an event, and what happened to it."""
        k, limit = divmod(found.events[-1].index, 3)
        mode = self.contacts.table[k, at.MODE]
        if mode == at.OPEN:
            return k, "touch"
        if not limit:
            return k, "lift-off"
        return k, "limit of friction" if mode == at.STICK else END

    def _own_event(self, path: _Path, found: Outcome) -> bool:
        """Whether an event of the mechanism ended the motion; all of them are noted."""
        count, names = 3 * len(self.contacts.parts), list(self.begin.model.mechanism.events)
        for one in found.events:
            if one.index >= count:
                path.events.append(Happened(names[one.index - count], one.time, one.state))
        last = found.events[-1].index
        if last >= count:
            path.notices.append(
                say(
                    'Stopped by the event "{name}" at t = {time:.6g} s.',
                    names[last - count],
                    found.time,
                )
            )
        return last >= count

    def _trouble(self, found: Outcome) -> SolveError:
        """Why a motion could not go on."""
        parts = self.contacts.parts
        acting = [x.name for x, k in zip(parts, found.state[-len(parts) :], strict=True) if k]
        return SolveError(
            f"t = {found.time:.6g} s",
            say(
                "{failure}; acting then: {acting}.",
                FAILURES[found.code],
                ", ".join(acting) or say("nothing"),
            ),
            "Where a normal force grows without end, sliding jams (Painlevé): lower the friction.",
        )


def _reached(found: Outcome, times: Array) -> tuple[Array, Array]:
    """The samples of a stretch, without its start."""
    count = len(found.states)
    return times[1:count], found.states[1:]


@final
@dataclass
class _Path:
    """States kept so far, events, and what there is to say."""

    times: Array
    t: float = 0.0
    events: list[Happened] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    rests: dict[int, float] = field(default_factory=dict)  # when bounces end that are over now
    _t: list[Array] = field(default_factory=list)
    _states: list[Array] = field(default_factory=list)
    _last: Modes | None = None
    _together: int = 0

    def __post_init__(self) -> None:
        self.t = float(self.times[0])

    @property
    def _kept(self) -> int:
        return sum(map(len, self._t))

    @property
    def is_over(self) -> bool:
        """Whether every time has its state."""
        return self._kept >= len(self.times)

    def ahead(self, t: float) -> Array:
        """A time, and the times asked for that come after it."""
        later = self.times[self._kept :]
        self.t = t
        return np.concatenate([[t], later[later > t]])

    def add(self, t: Array, states: Array) -> None:
        """States at times asked for."""
        self._t.append(t)
        self._states.append(states)

    def states(self, t: float, y: Array) -> tuple[Array, Array]:
        """All of them, the end too."""
        times, found = np.concatenate(self._t), np.concatenate(self._states)
        if t > times[-1] and not self.is_over:
            return np.append(times, t), np.vstack([found, y])
        return times, found

    def note(
        self, own: ContactFormulation, t: float, y: Array, modes: Modes, cause: tuple[int, str] | None
    ) -> None:
        """What changed."""
        before, self._last = self._last, modes
        if before is None:
            return
        self._count(t)
        for k, part in enumerate(own.contacts.parts):
            why = cause[1] if cause is not None and cause[0] == k else ""
            if before.kinds[k] != modes.kinds[k] or why:
                effect, when = NAMES[modes.kinds[k]], self.rests.get(k, t)
                self.events.append(Happened(part.name, when, y.copy(), why or "change", effect))
        self.rests = {}

    def note_shock(self, own: ContactFormulation, t: float, y: Array, found: Shock) -> None:
        """A shock."""
        normal = own.contacts.table[:, at.NORMAL].astype(int)
        for k, part in enumerate(own.contacts.parts):
            push = found.impulses[normal[k]] if normal[k] >= 0 else 0.0
            if push > 0:
                said = Happened(part.name, t, y.copy(), "shock", "", float(push))
                self.events.append(said)
        if found.e < 1:
            self.notices.append(
                say(
                    "At t = {t:.6g} s Newton's law of restitution would give energy (friction at "
                    "the shock): {share:.3g} of the restitution was given back.",
                    t,
                    found.e,
                )
            )

    def _count(self, t: float) -> None:
        """Refuse events without end at one instant."""
        latest = self.events[-1].t if self.events else -np.inf
        self._together = self._together + 1 if t == latest else 0
        if self._together > _TOGETHER:
            raise SolveError(
                f"t = {t:.6g} s",
                "modes of contact change without end at one instant.",
                "Two laws of friction or of stops may contradict each other there.",
            )


def names_of_modes(kinds: Sequence[float]) -> list[str]:
    """Modes in words."""
    return [NAMES[int(k)] for k in kinds]
