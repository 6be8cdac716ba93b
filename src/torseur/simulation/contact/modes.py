"""Which elements are open, stick or slide: the modes whose forces and motions agree.

An element that touches is open and stays so only if it does not press in: z = 0 and w ≥ 0; closed
only if z ≥ 0 and w = 0. What does not slide sticks if its friction is within the limit, or starts
to slide against its friction. The modes are found by changing those that disagree; where that goes
in a circle, by trying all. There may be none, or several (Painlevé): then that is said.
"""

from __future__ import annotations

from functools import cached_property
from itertools import product

import numpy as np

from torseur.machine.contact import layout as at
from torseur.machine.contact.negligible import CLOSE, RESTING
from torseur.simulation.contact.causes import LIFT, LIMIT, TOUCH, Cause
from torseur.simulation.contact.directions import Turning, aligned
from torseur.simulation.contact.paradoxes import may_be_several, paradox
from torseur.simulation.contact.redundancy import held_by_others, is_redundant, with_a_choice
from torseur.simulation.contact.resting import resting_forces
from torseur.simulation.contact.situation import Found, Modes, Situation
from torseur.words.sentence import say

Array = np.ndarray
MOST = 200  # changes of modes
MANY = 4096  # sets of modes that are tried one after the other
_CLEAR = tuple(4.0**-k for k in range(1, 17))  # of the largest force, kept from limits of friction
_ROUNDING = 1e-14  # of the parts of an acceleration: what is left of those that cancel
_LEAVES = 1e3  # times a change that is none: what projection leaves undecided


class Choice:
    """The modes of a situation, forces and accelerations or impulses and speeds."""

    def __init__(self, seen: Situation, slides: Array, weighed: Array | None = None) -> None:
        """Rounding is judged by what rows do without forces, or by what is `weighed` instead."""
        self.seen, self.contacts = seen, seen.contacts
        self._rubbing = seen.contacts.rubbing_rows
        self._normal = seen.contacts.normal_rows
        self._slides = slides
        self._redundant: dict[int, bool] = {}
        self._lifts = -1  # the element about to leave, whether or not its gap opens
        tables = seen.contacts
        tables["c"][:], tables["u"][:] = seen.c if weighed is None else weighed, seen.u
        tables.call(at.WEIGH)
        tables["c"][:] = seen.c
        self._force, self._change = tables["no_force"], tables["no_change"]
        if weighed is None:
            self._weigh_rest()
        judged = tables["judged"]
        judged[:, at.TOUCHES], judged[:, at.SLIDES] = seen.touches, slides
        judged[:, at.PULLED] = judged[:, at.ROOM] = 0.0

    def _weigh_rest(self) -> None:
        """Changes and forces ← none up to those that speeds which are none give a body, and up to
        rounding of what cancels: what falls with an accelerated ground has no weight there."""
        tables, fineness = self.contacts, self.contacts["fineness"]
        parts = np.abs(tables["J"]) @ np.abs(tables["free"]) + np.abs(tables["gamma"])
        least = max((RESTING * tables.pace) ** 2, _ROUNDING * float((parts * fineness).max()))
        ease = self.seen.A.diagonal() * fineness**2
        easiest = ease.min(where=tables["movable"] == 1.0, initial=np.inf)
        np.maximum(self._change, least / fineness, out=self._change)
        np.maximum(self._force, least / easiest * fineness, out=self._force)

    # --- solutions of given modes -------------------------------------------------------------

    def solved(self, modes: Modes) -> Found:
        """The forces of given modes; the directions of what starts to slide follow."""
        turning = [
            (k, rows)
            for k, rows in enumerate(self._rubbing)
            if modes.kinds[k] == at.SLIP and not self._slides[k] and len(rows) > 1
        ]
        if not turning:
            return self._along(modes.kinds, modes.directions)
        directions = aligned(
            Turning(turning, self.seen.A),
            modes.directions,
            lambda directions: self._along(modes.kinds, directions),
        )
        return self._along(modes.kinds, directions)

    def _along(self, kinds: tuple[int, ...], directions: Array) -> Found:
        """The forces of modes that slide in given directions."""
        tables = self.contacts
        is_solved, holds = tables.solved(kinds, directions)[:2]
        w, z, wanted, near = (tables[x].copy() for x in ("w", "z", "wanted", "reference"))
        if np.isnan(is_solved):
            tables["z"][:] = 0.0
        return Found(Modes(kinds, directions), z, w, bool(holds), wanted, near)

    # --- the search ---------------------------------------------------------------------------

    def start(self) -> Modes:
        """All that touches sticks, or slides on."""
        closed = np.where(self._slides | self.contacts.has_no_friction, at.SLIP, at.STICK)
        kinds = np.where(self.seen.touches, closed, at.OPEN)
        return Modes(tuple(kinds.tolist()), self.seen.along)

    def after(self, cause: Cause | None) -> Modes:
        """What to try first: what is about to leave its mode has left it."""
        modes = self.start()
        if cause is None or cause.what not in (LIFT, LIMIT):
            return modes
        k, rows = cause.element, self._rubbing[cause.element]
        if cause.what == LIFT:
            return modes.changed(k, at.OPEN)
        friction = self.solved(modes).z[rows]
        return modes.changed(k, at.SLIP, -friction / np.linalg.norm(friction))

    def found(self, cause: Cause | None = None) -> Found:
        """The modes that agree, in which nothing slides that others hold."""
        if cause is not None and cause.what == LIMIT and self._is_unpressed(cause.element):
            cause = Cause(cause.element, LIFT)
        self._lifts = cause.element if cause is not None and cause.what == LIFT else -1
        return self._at_rest(self._held_together(self._agreeing(cause)), cause)

    def _is_unpressed(self, k: int) -> bool:
        """Whether an element does not press, if all that touches stays closed."""
        n, z = self._normal[k], np.abs(self.solved(self.start()).z)
        largest = float((z / self.contacts["fineness"]).max())
        none = max(self._force[n], CLOSE * largest * self.contacts["fineness"][n])
        return bool(n >= 0 and z[n] <= none)

    def _agreeing(self, cause: Cause | None) -> Found:
        """Modes that agree."""
        modes, tried = self.after(cause), set()
        for step in range(MOST):
            now = self.solved(modes)
            objections = now.objections
            if now.agrees:
                return now
            if not objections:
                break
            self._note_pulled(now)
            if not step and not all(self._is_told(k) for k, _, _ in objections):
                near = self._near_projection()
                if near.agrees:
                    return near
            kinds = tuple(now.modes.kinds)
            alone = step > MOST // 4 or kinds in tried
            tried.add(kinds)
            modes = now.modes
            for k, kind, direction in objections[: 1 if alone else None]:
                modes = modes.changed(k, kind, direction)
        near = self._near_projection()
        if near.agrees:
            return near
        every = self.every()
        if every:
            return every[0]
        problem = say("no mode of contact agrees with the laws of motion and friction")
        raise paradox(self.seen, self._slides, problem, say("have no such motion"))

    def _held_together(self, found: Found) -> Found:
        """The same motion, in which what others hold sticks, with a share that is clear of limits.

        It would slide at no speed, its friction one choice of shares among many, and rounding would
        choose its direction. Where projection comes too slowly to a share, the smallest forces are
        one, unless they are beyond a limit.
        """
        kinds, none = np.array(found.modes.kinds), _LEAVES * self._change
        rubs = ~self.contacts.has_no_friction & (self.contacts.table[:, at.STATIC] > 0.0)
        starts = (kinds == at.SLIP) & ~self._slides & rubs
        still = (k for k in np.flatnonzero(starts).tolist() if self._rests(found, k, none))
        locked = held_by_others(self.contacts, self.seen.A, found.modes, still)
        if not len(locked):
            return found
        near = self._near_projection()
        if near.agrees and (np.array(near.modes.kinds)[locked] == at.STICK).all():
            return near
        kinds[locked] = at.STICK
        modes = Modes(tuple(kinds.tolist()), found.modes.directions)
        self.contacts["reference"][:] = 0.0
        least = self.solved(modes)
        if least.agrees:
            return least
        self.contacts["reference"][:] = found.z
        return self.solved(modes)

    def _at_rest(self, found: Found, cause: Cause | None) -> Found:
        """The same, but what starts to slide rests where forces that have a choice can hold it.

        What was at its limit and sticks on has other shares, as clear of all limits as they can be:
        others would bring it there again at once.
        """
        kinds = np.array(found.modes.kinds)
        starts = (kinds == at.SLIP) & ~self._slides & ~self.contacts.has_no_friction
        if cause is not None and cause.what == LIMIT:
            starts[cause.element] |= kinds[cause.element] == at.STICK
        own = self._islands[[rows[0] for rows in self.contacts.state.rows]]
        for island in set(own[starts].tolist()):
            here = self.seen.touches & (own == island)
            alone = not (here & self._slides & ~self.contacts.has_no_friction).any()
            if self._lifts < 0 and alone and self._is_redundant(island):
                rows = [k for k in self._touching_rows if self._islands[k] == island]
                z = resting_forces(self.seen, np.flatnonzero(here), rows)
                if z is not None:
                    found = self._kept(found, here, z, rows)
        return found

    def _kept(self, found: Found, here: Array, z: Array, rows: list[int]) -> Found:
        """Modes of which some elements stick by given forces, if that agrees."""
        kinds = np.where(here & ~self.contacts.has_no_friction, at.STICK, found.modes.kinds)
        reference = found.z.copy()
        reference[rows] = z[rows]
        self.contacts["reference"][:] = reference
        rests = self.solved(Modes(tuple(kinds.tolist()), found.modes.directions))
        return rests if rests.agrees else found

    def _rests(self, found: Found, k: int, none: Array) -> bool:
        """Whether an element that does not slide does not start to."""
        rows = self._rubbing[k]
        return bool((np.abs(found.w[rows]) <= none[rows]).all())

    def _note_pulled(self, found: Found) -> None:
        """Those that pull cannot stick; if they close again, they slide along w."""
        for k, kind, _ in found.objections:
            pulls = kind == at.OPEN and self._normal[k] >= 0 and self.seen.touches[k]
            if pulls and found.modes.kinds[k] == at.STICK:
                self.contacts["judged"][k, at.PULLED] = 1.0

    def _is_told(self, k: int) -> bool:
        """Whether the forces of an element have no choice."""
        islands = {int(self._islands[r]) for r in self.contacts.state.rows[k]}
        return not any(self._is_redundant(island) for island in islands)

    def _is_redundant(self, island: int) -> bool:
        """Whether the rows of all that touches in an island leave the forces a choice."""
        if island not in self._redundant:
            rows = [k for k in self._touching_rows if self._islands[k] == island]
            self._redundant[island] = is_redundant(self.seen.A, rows)
        return self._redundant[island]

    @cached_property
    def _islands(self) -> Array:
        """(rows,): the island of each, if all that touches sticks."""
        return self.contacts.islands_of(self.seen.touches)

    @cached_property
    def _touching_rows(self) -> list[int]:
        """The rows that forces move of all that touches, and of the mechanism itself."""
        state, given = self.contacts.state, self.contacts.given  # which hold nothing
        rows = [r for k in np.flatnonzero(self.seen.touches) for r in state.rows[k]]
        rows = [r for r in (*rows, *state.own_rows) if r not in given]
        return [r for r in rows if self.contacts["movable"][r]]

    def _near_projection(self) -> Found:
        """The modes of forces that are found by projection, with the smallest forces of these.

        Where the smallest are beyond a limit of friction, forces are those nearest to the ones
        found, and keep what sticks as clear of the limits as they can, all by as much: what is
        added is shared alike, and reaches all limits together. At a limit they would be over it at
        once, and rounding could put them there; what starts to slide elsewhere would bring them
        there again and again.
        """
        near = self._projected()
        self.contacts["reference"][:] = 0.0
        least = self.solved(near.modes)
        if least.agrees:
            return least
        sticks = np.array(near.modes.kinds) == at.STICK
        largest = self._largest_forces(near.z) * sticks
        if not largest.any():
            return near
        for clear in _CLEAR:
            found = self._projected(clear * largest)
            if found.agrees and found.modes.kinds == near.modes.kinds:
                return found
        return self._projected()

    def _projected(self, room: Array | float = 0.0) -> Found:
        """The same, with friction below its limit by some room."""
        self.contacts.all_rows_act(bool(self.contacts["laws_act"][0]))
        self.contacts["judged"][:, at.ROOM] = room
        z = self.contacts.call(at.PROJECT).copy()
        self.contacts["reference"][:] = z
        return self.solved(self._modes_of(z))

    def _largest_forces(self, z: Array) -> Array:
        """(elements,): the largest force of elements in the island of each, in its own units.

        Zero where friction has no choice, and can keep no room.
        """
        own, fineness = self._islands, self.contacts["fineness"]
        largest, rows = np.zeros(own.max(initial=0) + 2), self.contacts.owned
        np.maximum.at(largest, own[rows], np.abs(z[rows]) / fineness[rows])
        first = [rows[0] if rows else 0 for rows in self._rubbing]
        chosen = with_a_choice(self.seen.A, self._touching_rows)
        has_choice = [bool(chosen[rows].any()) for rows in self._rubbing]
        return np.asarray(largest[own[first]] * fineness[first] * has_choice)

    def _modes_of(self, z: Array) -> Modes:
        """Those of forces; what neither presses nor leaves stays closed, unless it is to leave."""
        kinds, w = [], self.seen.A @ z + self.seen.c
        for k, rows in enumerate(self._rubbing):
            n, moves = self._normal[k], np.linalg.norm(w[rows])
            lifts = k == self._lifts
            free = n >= 0 and z[n] <= (_LEAVES if lifts else 1.0) * self._force[n]
            leaves = free and (lifts or w[n] > _LEAVES * self._change[n])
            if not self.seen.touches[k] or leaves:
                kinds.append(at.OPEN)
            elif not rows or self._slides[k] or moves > _LEAVES * self._change[rows[0]]:
                kinds.append(at.SLIP)
            else:
                kinds.append(at.STICK)
        directions = self.contacts.directions(-z)
        directions[self._slides] = self.seen.along[self._slides]
        return Modes(tuple(kinds), directions)

    def every(self) -> list[Found]:
        """All modes that agree, of those that can be tried one by one."""
        options = [self._options(k) for k in range(len(self._rubbing))]
        if np.prod([float(len(x)) for x in options]) > MANY:
            return []
        found = []
        for chosen in product(*options):
            modes = Modes(tuple(kind for kind, _ in chosen), self.start().directions)
            for k, (kind, direction) in enumerate(chosen):
                modes = modes.changed(k, kind, direction)
            now = self.solved(modes)
            if now.agrees:
                found.append(now)
        return found

    def _options(self, k: int) -> list[tuple[int, Array | None]]:
        if not self.seen.touches[k]:
            return [(at.OPEN, None)]
        rows = self._rubbing[k]
        opens = self._normal[k] >= 0 or self.contacts["judged"][k, at.PRESSED] >= 0
        opened = [(at.OPEN, None)] if opens else []
        if self._slides[k] or not rows:
            return [*opened, (at.SLIP, self.seen.along[k, : len(rows)])]
        ways = [sign * axis for axis in np.eye(len(rows)) for sign in (1.0, -1.0)]
        return [*opened, (at.STICK, None), *((at.SLIP, way) for way in ways)]

    def unique(self, found: Found) -> Found:
        """What was found, if no other modes agree that move otherwise."""
        if not may_be_several(self.seen, self._slides):
            return found
        others = [x for x in self.every() if not self._same(x, found)]
        if others:
            problem = say("several modes of contact agree with the laws of friction")
            raise paradox(self.seen, self._slides, problem, say("can move in several ways"))
        return found

    def _same(self, a: Found, b: Found) -> bool:
        own = self.contacts.held.sizes.rows
        sizes = np.maximum(np.abs(a.w / own).max(initial=0.0), self._change / own)
        return bool((np.abs(a.w - b.w) / own <= 1e-6 * sizes).all())


def leaves(cause: Cause | None) -> bool:
    """Whether an element is about to leave its mode, and others are tried first."""
    return cause is not None and cause.what != TOUCH


def chosen(seen: Situation, cause: Cause | None = None) -> Found:
    """The modes of a state, the forces and the accelerations of the rows."""
    choice = Choice(seen, seen.slides)
    return choice.unique(choice.found(cause))
