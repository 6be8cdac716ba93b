"""Events that machine code settles, judged by formulas of their own in plain NumPy.

Every event: forces and impulses obey Newton's law with M and J, Signorini's condition, Coulomb's
law and Newton's law of restitution. Events of planar contacts with one coefficient of friction:
speeds and accelerations are those of an enumeration of modes, which knows M, J, mu and e alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from mode_oracle import System, acceleration, after_newton, after_poisson

from torseur.machine.contact import layout as at
from torseur.machine.contact.model import ContactModel
from torseur.machine.integrators import lanes

Array = np.ndarray
EQUAL = 1e-7  # of the largest speed, acceleration or force
TOUCH = 5e-11  # of the size of a gap: one that is none
UNCLEAR = 1e-6  # of the size of a gap: it is none, or not, by what counts as zero
FEW = 4  # contacts whose modes are tried one by one


@dataclass(frozen=True)
class State:
    """Speeds, rows and forces at one state."""

    v: Array
    M: Array
    J: Array
    b: Array  # of rows: speeds besides J v
    S: Array
    gamma: Array  # accelerations besides J a
    gap: Array

    @property
    def u(self) -> Array:
        """Speeds of rows."""
        return np.asarray(self.J @ self.v + self.b)


def state_of(contacts: ContactModel, y: Array, t: float) -> State:
    """What a state function tells."""
    contacts.call(at.LOOK, y, t)
    v = y[contacts.in_state["speeds"]].copy()
    return State(v, *(contacts[x].copy() for x in ("M", "J", "b", "S", "gamma", "gap")))


@dataclass
class Judge:
    """Counts of events that were settled, left and enumerated; sentences on what is wrong."""

    served: int = 0
    left: int = 0
    enumerated: int = 0
    wrong: list[Any] = field(default_factory=list)
    _settle: Any = ContactModel.settle

    def settle(self, contacts: ContactModel, t: float, y: Array, event: int = at.AFTER_ACT) -> int:
        """The verdict on an event, which is judged; y ← as it goes on, or as it was."""
        before, table, noted = y.copy(), contacts.table.copy(), int(contacts["noted"][0])
        contacts["over"][:] = 0.0
        verdict = int(self._settle(contacts, y, t, event))
        if verdict != at.SETTLED:
            self.left += 1
            assert (y == before).all() and (contacts.table == table).all()
            assert contacts["noted"][0] == noted
            if verdict in (at.NO_MODES, at.SEVERAL_MODES):
                state = state_of(contacts, before, t)
                self._tell(contacts, t, event, self._has_a_motion(contacts, state))
            return verdict
        self.served += 1
        kept = {x: contacts[x].copy() for x in ("z", "total_impulse", "granted_share", "given")}
        notes = contacts["notes"][noted : int(contacts["noted"][0])].copy()
        first, last = state_of(contacts, before, t), state_of(contacts, y, t)
        loads = {x: contacts[x].copy() for x in ("load", "load_a", "load_z")}
        found = Found(contacts, kept["z"], kept["given"], **loads)
        self._tell(contacts, t, event, found.broken(last))
        self._tell(contacts, t, event, wrong_notes(contacts, before, notes))
        bounces = not contacts["over"].any()  # otherwise the rest of them, too short to see
        shocks = notes[notes[:, at.CAUSE] == at.SHOCK]
        last_impulses = kept["total_impulse"][contacts.normal_rows[shocks[:, at.WHICH].astype(int)]]
        is_one = len(shocks) > 0 and np.array_equal(shocks[:, at.NUMBER], last_impulses)
        if bounces and is_one:
            struck = kept["total_impulse"], float(kept["granted_share"][0])
            self._tell(contacts, t, event, shock_laws(contacts, first, last, *struck))
        if bounces and contacts.model.mechanism.impacts != "sequential":
            self._tell(contacts, t, event, self._against_modes(contacts, first, last, found))
        return verdict

    def _tell(self, contacts: ContactModel, t: float, event: int, wrong: Iterator[str]) -> None:
        self.wrong += [(contacts.model.mechanism.name, t, event, x) for x in wrong]

    def _against_modes(
        self, contacts: ContactModel, first: State, last: State, found: Found
    ) -> Iterator[str]:
        """Speeds and accelerations beside those of the modes that agree, where these are known."""
        touching = plain_contacts(contacts, first)
        if touching is None:
            return
        by_impulse = contacts["by_impulse"][touching] == 1.0
        alike = by_impulse.all() or not by_impulse.any()
        own = contacts.table[touching]
        alike = alike and (own[:, at.STATIC] == own[:, at.KINETIC]).all()
        if alike and (first.u[contacts.normal_rows[touching]] < -UNCLEAR).any():
            rule = after_poisson if by_impulse.all() else after_newton
            system, _ = system_of(contacts, first, touching)
            after = rule(system, first.v, contacts["restitution"][touching])
            if after is not None:
                self.enumerated += 1
                yield from _off("speeds after a shock", last.v, after, np.abs(first.v).max())
        still = plain_contacts(contacts, last)
        wanted = None if still is None else enumerated(contacts, last, still)
        if wanted is not None:
            self.enumerated += 1
            yield from _off("accelerations", found.acceleration(last), wanted, 1.0)

    def _has_a_motion(self, contacts: ContactModel, state: State) -> Iterator[str]:
        """Why a verdict of none or several motions is wrong: the enumeration has just one."""
        touching = plain_contacts(contacts, state)
        if touching is None or (state.u[contacts.normal_rows[touching]] < -UNCLEAR).any():
            return
        self.enumerated += 1
        wanted = enumerated(contacts, state, touching)
        if wanted is not None:
            yield f"there is one motion, with accelerations {wanted}"


def enumerated(contacts: ContactModel, state: State, touching: Array) -> Array | None:
    """Accelerations of the only motion, of modes tried one by one; None: there is none, or more."""
    normals = contacts.normal_rows[touching]
    if not (state.u[normals] < UNCLEAR).all():
        return None
    system, rubs = system_of(contacts, state, touching)
    curved = np.concatenate([state.gamma[normals], rubs @ state.gamma])
    held = state.gamma[np.array(_held(contacts), dtype=int)]
    return acceleration(system, state.v, state.S, curved, held)


def wrong_notes(contacts: ContactModel, before: Array, notes: Array) -> Iterator[str]:
    """Changes of modes that are not noted, and notes of none.

    A shock is noted for each element that it pushes; an end of sliding that goes on, and a touch
    with a shock that leaves the mode as it was, are events too.
    """
    old, new = before[contacts.in_state["modes"]], contacts.table[:, at.MODE]
    struck = set(notes[notes[:, at.CAUSE] == at.SHOCK, at.WHICH])
    if not (notes[notes[:, at.CAUSE] == at.SHOCK, at.NUMBER] > 0).all():
        yield "a shock that pulls is noted"
    told = notes[notes[:, at.CAUSE] <= at.END]
    told = np.vstack([told, notes[notes[:, at.CAUSE] == at.CHANGE]])
    for k, part in enumerate(contacts.parts):
        lines = told[told[:, at.WHICH] == k]
        if len(lines) != int(old[k] >= 0 and old[k] != new[k]):
            cause = lines[0, at.CAUSE] if len(lines) == 1 else at.CHANGE
            if cause != at.END and not (cause == at.TOUCH and k in struck):
                yield f"{part.name}: from mode {old[k]} to {new[k]} with {len(lines)} notes"
        if (lines[:, at.EFFECT] != new[k]).any():
            yield f"{part.name}: in mode {new[k]}, noted as {lines[:, at.EFFECT]}"


def _off(what: str, found: Array, wanted: Array, size: float) -> Iterator[str]:
    size = max(1.0, size, float(np.abs(wanted).max(initial=0.0)))
    if np.abs(found - wanted).max(initial=0.0) > EQUAL * size:
        yield f"{what}: {found} instead of {wanted}"


def _held(contacts: ContactModel) -> list[int]:
    """Rows of the mechanism itself that hold."""
    return [k for k in contacts.state.own_rows if contacts["every_role"][k] == at.HELD]


# --- forces ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Found:
    """Modes of the table, and the forces that were found with them."""

    contacts: ContactModel
    z: Array
    given: Array  # loads by laws
    load: Array  # loads of joints are load + load_a a + load_z z
    load_a: Array
    load_z: Array

    def acceleration(self, state: State) -> Array:
        """a of M a = S + Jᵀ z."""
        return np.asarray(np.linalg.solve(state.M, state.S + state.J.T @ self.z))

    def _pressing(self, line: Array, a: Array) -> float:
        """What the friction of an element is proportional to."""
        first, kind = int(line[at.LOAD_FROM]), line[at.LOAD]
        if kind == at.NORMAL_LOAD:
            return float(self.z[first])
        if kind == at.GIVEN_LOAD:
            return float(self.given[first])
        if kind == at.JOINT_LOAD:
            loads = self.load + self.load_a @ a + self.load_z @ self.z
            return float(line[at.ARM] * np.linalg.norm(loads[first:][: int(line[at.LOAD_COUNT])]))
        return float(line[at.FORWARD])

    def broken(self, state: State) -> Iterator[str]:
        """Laws of forces that are broken."""
        contacts, a = self.contacts, self.acceleration(state)
        w, sizes = state.J @ a + state.gamma, contacts.held.sizes.rows
        parts = np.abs(state.J) @ np.abs(a) + np.abs(state.gamma)
        none = EQUAL * max(float((parts / sizes).max(initial=0.0)), contacts.pace**2) * sizes
        work = max(float(np.abs(self.z * sizes).max(initial=0.0)), contacts.usual_force)
        weak = EQUAL * work / sizes
        for k in _held(contacts):
            if abs(w[k]) > none[k]:
                yield f"{contacts.state.constraints.owners[k]} is not held, by {w[k]}"
        for part, line in zip(contacts.parts, contacts.table, strict=True):
            for sentence in self._of_element(state, line, a, w, none, weak):
                yield f"{part.name}: {sentence}"

    def _of_element(
        self, state: State, line: Array, a: Array, w: Array, none: Array, weak: Array
    ) -> Iterator[str]:
        n, mode = int(line[at.NORMAL]), line[at.MODE]
        rows = line[at.FIRST : at.FIRST + int(line[at.COUNT])].astype(int)
        if mode == at.OPEN:
            own = [*rows, *([n] if n >= 0 else [])]
            if self.z[own].any():
                yield "open, with a force"
            touches = (
                n >= 0
                and state.gap[n] <= TOUCH * self.contacts.held.sizes.rows[n]
                and state.u[n] <= 0
            )
            if touches and w[n] < -none[n]:
                yield f"open, and closes by {w[n]}"
            return
        if n >= 0 and abs(w[n]) > none[n]:
            yield f"closed, and its gap changes by {w[n]}"
        if n >= 0 and self.z[n] < -weak[n]:
            yield f"pulls by {self.z[n]}"
        shared = line[at.LOAD] == at.JOINT_LOAD and len(self.contacts.state.shared) > 0
        if len(rows) and line[at.PATCH] == at.NO_PATCH and not line[at.WRAPPED] and not shared:
            yield from self._friction(state, line, rows, self._pressing(line, a), w, none, weak)

    def _friction(
        self,
        state: State,
        line: Array,
        rows: Array,
        load: float,
        w: Array,
        none: Array,
        weak: Array,
    ) -> Iterator[str]:
        z, u, first = self.z[rows], state.u[rows], rows[0]
        speed = float(np.linalg.norm(u))
        if line[at.MODE] == at.STICK:
            if np.abs(w[rows]).max() > none[first] or speed > 1e-8 * self.contacts.pace:
                yield f"sticks, and moves by {u}, {w[rows]}"
            backward = len(rows) == 1 and line[at.LOAD] == at.CONSTANT_LOAD and z[0] > 0
            most = line[at.STATIC] * (line[at.BACKWARD] if backward else load)
            if np.linalg.norm(z) > most + weak[first]:
                yield f"sticks by {z}, more than {most}"
            return
        starts = speed <= 1e-6 * self.contacts.pace
        d = line[at.DIRECTION :][: len(rows)] if starts else u / speed
        if starts and speed == 0.0:
            along = float(w[rows] @ d)
            if along < -none[first] or np.abs(w[rows] - along * d).max() > 1e3 * none[first]:
                yield f"starts to slide along {d}, and not along {w[rows]}"
        if len(rows) == 1 and line[at.LOAD] == at.CONSTANT_LOAD and d[0] < 0:
            load = line[at.BACKWARD]
        mu = line[at.KINETIC]
        if line[at.STRIBECK]:
            mu += (line[at.STATIC] - mu) * np.exp(-((speed / line[at.STRIBECK]) ** 2))
        wanted = -mu * load * d - line[at.VISCOUS] * u
        loose = 1e-3 * mu * abs(load) if starts and speed > 0.0 else 0.0  # it still turns
        if np.abs(z - wanted).max() > weak[first] + loose:
            yield f"slides by {z} instead of {wanted}"


# --- shocks ---------------------------------------------------------------------------------------


def shock_laws(
    contacts: ContactModel, first: State, last: State, P: Array, share: float
) -> Iterator[str]:
    """Laws of one shock that are broken: of momentum, of Newton and of Coulomb."""
    pushed, size = np.linalg.solve(first.M, first.J.T @ P), max(1.0, float(np.abs(first.v).max()))
    if np.abs(last.v - first.v - pushed).max() > EQUAL * size:
        yield f"speeds change by {last.v - first.v} instead of {pushed}"
    u, after, sizes = first.u, first.u + first.J @ pushed, contacts.held.sizes.rows
    none, weak = EQUAL * size * sizes, EQUAL * float(np.abs(P * sizes).max()) / sizes
    for k in _held(contacts):
        if abs(after[k]) > none[k] + abs(u[k]):
            yield f"{contacts.state.constraints.owners[k]} is not held, by {after[k]}"
    for e, (part, line) in enumerate(zip(contacts.parts, contacts.table, strict=True)):
        n = int(line[at.NORMAL])
        if n < 0 or not (P[n] or (first.gap[n] <= TOUCH * sizes[n] and u[n] < -none[n])):
            continue
        least = -contacts["restitution"][e] * share * u[n] if u[n] < 0 else 0.0
        if contacts["by_impulse"][e] == 0.0:
            if P[n] < -weak[n] or after[n] < least - none[n]:
                yield f"{part.name}: impulse {P[n]}, and leaves at {after[n]} not {least}"
            if P[n] > weak[n] and share == 1.0 and abs(after[n] - least) > none[n]:
                yield f"{part.name}: leaves at {after[n]}, not at {least}"
        elif after[n] < -none[n]:
            yield f"{part.name}: closes at {after[n]}"
        rows = line[at.FIRST : at.FIRST + int(line[at.COUNT])].astype(int)
        most = max(line[at.STATIC], line[at.KINETIC]) * max(P[n], 0.0)
        if len(rows) and line[at.PATCH] == at.NO_PATCH and np.linalg.norm(P[rows]) > most + weak[n]:
            yield f"{part.name}: friction {P[rows]} of more than {most}"


# --- modes tried one by one -----------------------------------------------------------------------


def plain_contacts(contacts: ContactModel, state: State) -> Array | None:
    """The contacts that touch, if the enumeration knows all their laws; None where it does not."""
    table, n = contacts.table, contacts.normal_rows
    if contacts.state.laws or (~contacts.has_gap).any() or state.b.any():
        return None
    sizes = contacts.held.sizes.rows[n]
    gap, speed = state.gap[n] / sizes, np.abs(state.u[n]) / sizes
    touching = np.flatnonzero(gap <= TOUCH)
    doubtful = ((gap > TOUCH) & (gap < UNCLEAR)) | ((speed > 1e-3 * TOUCH) & (speed < UNCLEAR))
    if doubtful.any():
        return None
    own = table[touching]
    slides = np.array([_slides(state, line) for line in own], dtype=bool)
    plain = (own[:, at.COUNT] <= 1) & ((own[:, at.STATIC] == own[:, at.KINETIC]) | slides)
    plain &= (own[:, at.VISCOUS] == 0) & (own[:, at.STRIBECK] == 0) & (own[:, at.PATCH] == 0)
    if not len(touching) or len(touching) > FEW or not plain.all():
        return None
    return touching


def _slides(state: State, line: Array) -> bool:
    """Whether a contact slides, by far."""
    return bool(line[at.COUNT] and abs(state.u[int(line[at.FIRST])]) > UNCLEAR)


def system_of(contacts: ContactModel, state: State, touching: Array) -> tuple[System, Array]:
    """The oracle's system of contacts that touch, and which row each rubs along."""
    rubs, table = np.zeros((len(touching), len(state.J))), contacts.table
    for k, e in enumerate(touching):
        if table[e, at.COUNT]:
            rubs[k, int(table[e, at.FIRST])] = 1.0
    mu = np.where(table[touching, at.COUNT] > 0, table[touching, at.KINETIC], 0.0)
    normal = state.J[contacts.normal_rows[touching]]
    return System(state.M, normal, rubs @ state.J, mu, state.J[_held(contacts)]), rubs


# --- runs -----------------------------------------------------------------------------------------


def events_in_python(monkeypatch: Any) -> None:
    """From now on integrators leave events to Python, which calls `ContactModel.settle`."""
    without = tuple(name for name in lanes._OF_PROBLEMS if name != "settle")
    monkeypatch.setattr(lanes, "_OF_PROBLEMS", without)


def judged(monkeypatch: Any) -> Judge:
    """From now on all events of runs are judged."""
    judge = Judge()
    events_in_python(monkeypatch)
    monkeypatch.setattr(
        ContactModel, "settle", lambda self, y, t, event: judge.settle(self, t, y, event)
    )
    return judge
