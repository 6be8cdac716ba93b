"""Which elements are open, stick or slide: the modes whose forces and motions agree.

An element that touches is open and stays so only if it does not press in: z = 0 and w ≥ 0; closed
only if z ≥ 0 and w = 0. What does not slide sticks if its friction is within the limit, or starts
to slide against its friction. The modes are found by changing those that disagree; where that goes
in a circle, by trying all. There may be none, or several (Painlevé): then that is said.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product
from typing import final

import numpy as np

from torseur.errors import SolveError
from torseur.machine.contact import layout as at
from torseur.simulation.contact.directions import Turning, aligned
from torseur.simulation.contact.projection import projected, redundant_islands
from torseur.simulation.contact.situation import Situation
from torseur.words.sentence import say

Array = np.ndarray
TOUCH, LIFT, LIMIT, END = "touch", "lift-off", "limit of friction", "end of sliding"
CLOSE = 1e-11  # of the largest force, or of the largest change of a row: what is none
MOST = 200  # changes of modes
MANY = 4096  # sets of modes that are tried one after the other
_LEAVES = 1e3  # times a change that is none: what projection leaves undecided
_HELD = 1e-7  # of the largest change of a row: what is left of one that is held


@final
@dataclass(frozen=True)
class Modes:
    """A mode for each element, and the direction in which each slides."""

    kinds: tuple[int, ...]
    directions: Array  # (elements, 3)

    def changed(self, k: int, kind: int, direction: Array | None = None) -> Modes:
        """One of them in another mode."""
        directions = self.directions.copy()
        if direction is not None:
            directions[k, : len(direction)] = direction
        kinds = (*self.kinds[:k], kind, *self.kinds[k + 1 :])
        return Modes(kinds, directions)


@final
@dataclass(frozen=True)
class Cause:
    """The element of an event, and what happened to it."""

    element: int
    what: str


@final
@dataclass(frozen=True)
class Found:
    """Modes that agree, the forces of the rows, and what becomes of the rows."""

    modes: Modes
    z: Array
    w: Array
    margins: Array  # (elements,): of the friction of what sticks


class Choice:
    """The modes of a situation, forces and accelerations or impulses and speeds."""

    def __init__(self, seen: Situation, slides: Array) -> None:
        self.seen, self.contacts = seen, seen.contacts
        self.contacts["c"][:] = seen.c
        self.contacts["reference"][:] = 0.0
        self._island = seen.contacts["island"].astype(int)
        self._rubbing = seen.contacts.rubbing_rows
        self._normal = seen.contacts.normal_rows
        self._slides = slides
        self._along_u = seen.contacts.directions(seen.u)
        self._pulled: set[int] = set()  # those that cannot stick, because they would pull
        self._sizes = seen.contacts.held.sizes.rows
        diagonal = np.where(seen.movable, seen.A.diagonal(), 1.0)
        moved = np.where(seen.movable, seen.c / self._sizes, 0.0)
        self._force = CLOSE * self._of_rows(moved / diagonal * self._sizes**2)
        self._change = CLOSE * float(np.abs(moved).max(initial=0.0)) * self._sizes

    def _of_rows(self, energies: Array) -> Array:
        """(rows,): the forces of the largest of energies, each over the size of its row."""
        return np.asarray(float(np.abs(energies).max(initial=0.0)) / self._sizes)

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
        z, margins = self.contacts.solved(kinds, directions)
        return Found(Modes(kinds, directions), z, self.seen.A @ z + self.seen.c, margins)

    # --- what disagrees -----------------------------------------------------------------------

    def _objections(self, found: Found) -> Iterator[tuple[int, int, Array | None]]:
        """The elements whose modes disagree with forces and motions, and what to try instead."""
        tension = np.maximum(self._force, CLOSE * self._of_rows(found.z * self._sizes))
        for k, kind in enumerate(found.modes.kinds):
            normal, rows = self._normal[k], self._rubbing[k]
            if not self.seen.touches[k] or self._is_idle(k, found.modes):
                if kind != at.OPEN:
                    yield k, at.OPEN, None
                continue
            if kind == at.OPEN:
                if normal < 0 or found.w[normal] < -self._change[normal]:
                    yield k, *self._closing(k, found.w)
            elif normal >= 0 and found.z[normal] < -tension[normal]:
                if kind == at.STICK:
                    self._pulled.add(k)
                yield k, at.OPEN, None
            elif kind == at.STICK and rows and found.margins[k] < -tension[rows[0]]:
                yield k, at.SLIP, -found.z[rows] / np.linalg.norm(found.z[rows])
            elif kind == at.SLIP and rows and not self._slides[k]:
                along = float(found.w[rows] @ found.modes.directions[k, : len(rows)])
                if along < -self._change[rows[0]]:
                    yield k, at.STICK, None

    def _closing(self, k: int, w: Array | None = None) -> tuple[int, Array | None]:
        """The mode of an element that closes; one that pulled while it stuck slides along w."""
        rows = self._rubbing[k]
        if self._slides[k] or not rows:
            return at.SLIP, self._along_u[k, : len(rows)]
        if k in self._pulled and w is not None:
            return at.SLIP, self.contacts.directions(w)[k, : len(rows)]
        return at.STICK, None

    def _is_idle(self, k: int, modes: Modes) -> bool:
        """Whether an element resists by the normal force of another that is open."""
        owner = self.contacts.pressed_by(k)
        return owner is not None and modes.kinds[owner] == at.OPEN

    def agrees(self, found: Found) -> bool:
        """Whether nothing disagrees."""
        return next(self._objections(found), None) is None and self._is_solved(found)

    def _is_solved(self, found: Found) -> bool:
        """Whether what is held stays: where forces cannot do that, they only come near to it."""
        held = [k for k in self.contacts.state.own_rows if self.seen.movable[k]]
        for k, kind in enumerate(found.modes.kinds):
            closed = [self._normal[k]] if self._normal[k] >= 0 and kind != at.OPEN else []
            held += closed + (self._rubbing[k] if kind == at.STICK else [])
        return bool((np.abs(found.w[held]) <= _HELD / CLOSE * self._change[held]).all())

    # --- the search ---------------------------------------------------------------------------

    def start(self) -> Modes:
        """All that touches sticks, or slides on."""
        kinds = tuple(
            (self._closing(k)[0] if touches else at.OPEN)
            for k, touches in enumerate(self.seen.touches)
        )
        return Modes(kinds, self._along_u)

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
        """The modes that agree."""
        modes, tried = self.after(cause), set()
        for step in range(MOST):
            now = self.solved(modes)
            objections = list(self._objections(now))
            if not objections and self._is_solved(now):
                return now
            if not objections:
                break
            if not step and not all(self._is_told(k) for k, _, _ in objections):
                near = self._near_projection()
                if self.agrees(near):
                    return near
            kinds = tuple(now.modes.kinds)
            alone = step > MOST // 4 or kinds in tried
            tried.add(kinds)
            modes = now.modes
            for k, kind, direction in objections[: 1 if alone else None]:
                modes = modes.changed(k, kind, direction)
        near = self._near_projection()
        if self.agrees(near):
            return near
        every = self.every()
        if every:
            return every[0]
        raise self._paradox(say("no mode of contact agrees with the laws of motion and friction"))

    @cached_property
    def _redundant(self) -> set[int]:
        return redundant_islands(self.seen, self._island)

    def _is_told(self, k: int) -> bool:
        """Whether the forces of an element have no choice."""
        return all(self._island[r] not in self._redundant for r in self.contacts.state.rows[k])

    def _near_projection(self) -> Found:
        """The solution nearest to forces that are found by projection, with their modes."""
        z = projected(self.seen, self._slides)
        self.contacts["reference"][:] = z
        return self.solved(self._modes_of(z))

    def _modes_of(self, z: Array) -> Modes:
        """Those of forces; what neither presses nor leaves stays closed."""
        kinds, w = [], self.seen.A @ z + self.seen.c
        for k, rows in enumerate(self._rubbing):
            n, moves = self._normal[k], np.linalg.norm(w[rows])
            leaves = n >= 0 and z[n] <= self._force[n] and w[n] > _LEAVES * self._change[n]
            if not self.seen.touches[k] or leaves:
                kinds.append(at.OPEN)
            elif not rows or self._slides[k] or moves > _LEAVES * self._change[rows[0]]:
                kinds.append(at.SLIP)
            else:
                kinds.append(at.STICK)
        directions = self.contacts.directions(-z)
        directions[self._slides] = self._along_u[self._slides]
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
            if self.agrees(now):
                found.append(now)
        return found

    def _options(self, k: int) -> list[tuple[int, Array | None]]:
        if not self.seen.touches[k]:
            return [(at.OPEN, None)]
        rows = self._rubbing[k]
        opened = [(at.OPEN, None)] if self._normal[k] >= 0 or self.contacts.pressed_by(k) else []
        if self._slides[k] or not rows:
            return [*opened, (at.SLIP, self._along_u[k, : len(rows)])]
        ways = [np.array([1.0]), np.array([-1.0])] if len(rows) == 1 else self._around(len(rows))
        return [*opened, (at.STICK, None), *((at.SLIP, way) for way in ways)]

    @staticmethod
    def _around(count: int) -> list[Array]:
        """Directions to start from in a plane, or in space."""
        return [sign * np.eye(count)[k] for k in range(count) for sign in (1.0, -1.0)]

    def unique(self, found: Found) -> Found:
        """What was found, if no other modes agree that move otherwise."""
        if not self._may_be_several():
            return found
        others = [x for x in self.every() if not self._same(x, found)]
        if others:
            raise self._paradox(say("several modes of contact agree with the laws of friction"))
        return found

    def _same(self, a: Found, b: Found) -> bool:
        sizes = np.maximum(np.abs(a.w / self._sizes).max(initial=0.0), self._change / self._sizes)
        return bool((np.abs(a.w - b.w) / self._sizes <= 1e-6 * sizes).all())

    def _may_be_several(self) -> bool:
        """Whether some minor of what normal forces do to gaps, sliding on, is not positive."""
        closed = [k for k in range(len(self._normal)) if self._normal[k] >= 0]
        closed = [k for k in closed if self.seen.touches[k]]
        if not any(self._slides[k] for k in closed) or len(closed) > 8:
            return False
        B = self._pressed(closed)
        if np.linalg.eigvalsh(B + B.T)[0] > 0:
            return False
        sets = (list(x) for n in range(1, len(closed) + 1) for x in combinations(range(len(B)), n))
        return any(np.linalg.det(B[np.ix_(x, x)]) < -1e-12 for x in sets)

    def _pressed(self, closed: list[int]) -> Array:
        """How normal forces, with the friction they cause, press gaps open; diagonal about 1."""
        B, directions = np.zeros((len(closed), len(closed))), self._along_u
        table = self.contacts.table
        for j, k in enumerate(closed):
            n, rows = self._normal[k], self._rubbing[k]
            column = self.seen.A[:, n]
            if self._slides[k]:
                column = column - table[k, at.KINETIC] * (
                    self.seen.A[:, rows] @ directions[k, : len(rows)]
                )
            B[:, j] = column[self._normal[closed]] / self.seen.A[n, n]
        return B

    def _paradox(self, problem: str) -> SolveError:
        if not self._slides.any():
            return SolveError(
                f"t = {self.seen.t:.6g} s",
                "the modes of contact that agree were not found, though there are some.",
                "Change the initial values or the friction a little.",
            )
        touching = [
            x.name for x, is_so in zip(self.contacts.parts, self.seen.touches, strict=True) if is_so
        ]
        return SolveError(
            f"t = {self.seen.t:.6g} s",
            say(
                "{problem} (Painlevé's paradox), where these touch: {touching}.",
                problem,
                ", ".join(touching),
            ),
            "Rigid bodies with this friction have no such motion: lower the coefficient, or let a "
            "contact be a spring.",
        )


def chosen(seen: Situation, cause: Cause | None = None) -> Found:
    """The modes of a state, the forces and the accelerations of the rows.

    An element whose sliding has just come to its end is at rest, whatever rounding leaves of it.
    """
    slides = seen.slides.copy()
    if cause is not None and cause.what == END:
        slides[cause.element] = False
    choice = Choice(seen, slides)
    return choice.unique(choice.found(cause))
