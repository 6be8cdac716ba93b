"""Contacts of a mechanism in joint coordinates that a search finds, and what became of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from torseur.algebra.core.graph import evaluate
from torseur.machine.collision.memory import hold_collision
from torseur.machine.collision.tables import CollisionTables, collision_tables, piles_of
from torseur.machine.collision.touch import Touch, touch
from torseur.machine.compiled import CompiledModel
from torseur.machine.contact import layout as at
from torseur.machine.contact import pool_layout as slot
from torseur.machine.contact.code import ContactCode
from torseur.machine.contact.inertia_tree import parents, path
from torseur.machine.contact.model import ContactModel
from torseur.machine.contact.negligible import RESTING, SLIDING, TOUCHING
from torseur.machine.integrators.problem import Entry, entry_of
from torseur.machine.integrators.run_record import HAPPENED
from torseur.machine.native import Calls
from torseur.machine.runtime.loop_kernel import loop_kernel
from torseur.machine.runtime.memory import Record, one_after_the_other, room
from torseur.model.description import GROUND
from torseur.model.freed import bound, is_freed
from torseur.model.values.numeric import numeric_mechanism

Array = np.ndarray
EXACT = 1e-11  # of the speeds: what a residual of a step is asked to be
_FIRST_CAPACITY, _OF_A_SHAPE = 8, 2  # contacts that there is room for at first


@final
@dataclass(frozen=True)
class PoolStep:
    """A step of a mechanism whose bodies touch: means over it, and where rows were at its start."""

    a: Array  # (speeds,)
    forces: Array  # (rows,)
    u: Array  # (rows,): speeds
    gap: Array  # (rows,)
    load: Array  # (elements,): what friction is proportional to
    touches: tuple[Touch, ...]


def _tables_of(model: CompiledModel) -> CollisionTables:
    """The shapes of a model at its parameters."""
    mechanism = model.mechanism
    numbers, piles = numeric_mechanism(mechanism, model.parameters), piles_of(mechanism)
    if is_freed(mechanism):
        numbers = replace(numbers, joints=bound(mechanism).joints)  # which hold neighbours
    return collision_tables(numbers, piles, model.parameters)


@final
class Pool:
    """The contacts among the bodies of a mechanism, as elements of its steps."""

    def __init__(self, model: CompiledModel, capacity: int = 0) -> None:
        self.model, self._code = model, model.once(ContactCode)
        self.tables = model.value("collision_tables", lambda: _tables_of(model))
        self.names = (GROUND, *model.mechanism.bodies)
        gravity = evaluate(model.mechanism.gravity, model.parameters)
        self.gravity = float(np.linalg.norm(np.asarray(gravity, dtype=float)))
        self._grow(capacity or _FIRST_CAPACITY + _OF_A_SHAPE * len(self.tables.shape))

    def __reduce__(self) -> tuple[Any, ...]:
        return Pool, (self.model, self.capacity)

    # --- memory -----------------------------------------------------------------------------

    def _grow(self, capacity: int) -> None:
        """Room for more contacts; what was known of the step before is forgotten."""
        self.capacity = capacity
        self.contacts = ContactModel(self.model, capacity)
        self._run = self._record()
        self._kernel = loop_kernel("torseur.machine.contact.kernels.pooling", "pooling")
        self.contacts.search_by(self._kernel.address, self._run)

    def grow(self) -> None:
        """Twice the room."""
        self._grow(2 * self.capacity)

    def forget(self) -> None:
        """A motion starts: there is no step before."""
        self._run.write(contacts=0, before=0, full=0)

    @property
    def is_full(self) -> bool:
        """Whether a contact of the last step had no room."""
        return bool(self._run["full"])

    def _record(self) -> Record:
        run, placing, length = Record(slot.POOL), self._code.placing, self.contacts.length
        bodies, speeds = len(self.names) - 1, len(self.model.speeds)
        hold_collision(run, self.tables, bodies)
        counts = {
            "shapes + 1": len(self.tables.shape) + 1,
            "bodies + 1": bodies + 1,
            "speeds": speeds,
            "loads": placing.shapes["felt"][0],
            "capacity": self.capacity,
        }
        run.keep(**room(slot.ROOM, counts), **room(slot.OF_CONTACTS, counts))
        run.keep(**room(slot.BODY_PATHS, counts, np.int64))
        run.arrays["reach"][:] = self.tables.reaches(bodies)
        run.arrays["feels"][:, 1:] = placing.feels
        parent = parents(self._code.state.inertia)
        for b, carrying in enumerate(placing.carrying, 1):
            speeds_above = path(carrying, parent)
            run.arrays["moves"][b, carrying] = 1.0
            run.arrays["body_path"][b, : len(speeds_above)] = speeds_above
            run.arrays["body_path_count"][b] = len(speeds_above)
        output = np.zeros(sum(int(np.prod(shape)) for shape in placing.shapes.values()))
        run.keep(placing_output=output, **one_after_the_other(output, placing.shapes))
        code = self._code.of_placing
        run.call("placing", entry_of(Calls(code, self.contacts.held.numbers(code))))
        pace = self.contacts.pace * length
        run.write(touching=TOUCHING * length, resting=RESTING * pace, sliding=SLIDING * pace)
        run.write(weight=self.gravity, bodies=bodies, capacity=self.capacity)
        run.write(contact_width=slot.CONTACT_WIDTH)
        return run

    # --- what is read -----------------------------------------------------------------------

    @property
    def entry(self) -> Entry:
        """A step of the mechanism."""
        return self.contacts.entry(at.STEP)

    def contacts_at(self, y: Array, t: float) -> Array:
        """The contacts at a state, nearer than what moves in the step before."""
        self.forget()
        self._run.write(task=slot.LIST, model=self.entry.constants.ctypes.data)
        Entry(self._kernel.address, self._run.words, self).value(y, t, 0)
        if self.is_full:
            self.grow()
            return self.contacts_at(y, t)
        return self.rows

    @property
    def rows(self) -> Array:
        """The contacts that the last step listed."""
        names = ("contact", "contact_before", "contact_seen")
        tables = (self._run.arrays[name] for name in names)  # which the kernel exchanges
        table = next(x for x in tables if x.ctypes.data == self._run["contact"])
        return table[: self._run["contacts"]].copy()

    def step(self, state: Array, t: float) -> PoolStep:
        """The step that begins at a state."""
        self.forget()
        contacts, size = self.contacts, self.contacts.size
        contacts.all_rows_act(laws_act=False)
        contacts["asked_residual"][0] = EXACT
        happened = HAPPENED * len(contacts.parts)
        after = self.entry.value(state, t, size + at.TOLD + happened)
        if self.is_full:
            self.grow()
            return self.step(state, t)
        h, where, rows = float(state[-1]), contacts.in_state, len(contacts.state.constraints.owners)
        return PoolStep(
            (after[where["speeds"]] - state[where["speeds"]]) / h,
            after[where["forces"]],
            contacts["start_speed"][:rows].copy(),
            contacts["start_gap"][:rows].copy(),
            self._loads(after[where["forces"]], h),
            tuple(touch(row, self.names, h) for row in self.rows),
        )

    def _loads(self, forces: Array, h: float) -> Array:
        """(elements,): what the friction of each is proportional to, in the mean of a step."""
        contacts, table = self.contacts, self.contacts.table
        acts = np.flatnonzero(contacts["acts"][: len(table) + self._run["contacts"]])
        whole = contacts["element"][acts]
        n = int((whole[:, at.NORMAL] >= 0).sum() + whole[:, at.COUNT].sum())
        components = (
            contacts["load_free"] + contacts["load_response"][:, :n] @ contacts["impulse"][:n]
        )
        loads = np.zeros(len(table))
        for k, line in enumerate(table):
            if line[at.LOAD] == at.NORMAL_LOAD:
                loads[k] = max(forces[int(line[at.LOAD_FROM])], 0.0)
            elif line[at.LOAD] == at.JOINT_LOAD:
                first = int(line[at.LOAD_FROM])
                load = components[first : first + int(line[at.LOAD_COUNT])]
                loads[k] = line[at.ARM] * np.linalg.norm(load) / h
            else:
                loads[k] = min(line[at.FORWARD], line[at.BACKWARD])
        return loads

    def touches(self, state: Array, t: float) -> tuple[Array, tuple[Touch, ...]]:
        """Accelerations (speeds) and contacts of the step that begins at a state."""
        step = self.step(state, t)
        return step.a, step.touches

    def qualities(self, states: Array) -> tuple[Array, Array]:
        """The largest residual [m/s] and the deepest penetration [m] of all steps so far."""
        worst = states[:, self.contacts.size :] * self.contacts.length
        return worst[:, at.RESIDUAL], worst[:, at.PENETRATION]
