"""The contacts of a compiled model, ready for an integrator: tables of elements, and the tasks."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, final

import numpy as np

from torseur.algebra.core.graph import evaluate
from torseur.algebra.printing.text import text
from torseur.equations.functions.contact import ContactState
from torseur.equations.functions.held_rows import FREE
from torseur.equations.functions.motion import MotionKernels
from torseur.machine.compiled import CompiledModel
from torseur.machine.contact import layout as at
from torseur.machine.contact.at_rest import RANK, Parts, still_speeds
from torseur.machine.contact.element_table import element_table, held_positions
from torseur.machine.evaluator import Evaluator, kernel_code
from torseur.machine.integrators.problem import Entry, entry
from torseur.machine.runtime.loop_kernel import loop_kernel
from torseur.machine.runtime.memory import side_by_side, table
from torseur.model.contact.closed import closed
from torseur.model.contact.elements import elements
from torseur.model.description import Mechanism
from torseur.model.values.fingerprint import fingerprint, written

Array = np.ndarray
_ROLES = np.array([at.OFF, at.HELD, at.RESISTED])  # of rows of friction, by the mode
SLOW = 1e-12  # of the usual speed, or of the usual energy: none


@final
class ContactModel:
    """The elements of a mechanism at given parameters; their modes are a mask that may change."""

    def __init__(self, model: CompiledModel, shared: ContactModel | None = None) -> None:
        self.model = model
        self.parts = elements(model.mechanism)
        if shared is None:
            held = closed(model.mechanism, self.parts)
            self.held = CompiledModel(held, parameters=model.given)
            self.state = ContactState(self.held.system, self.parts)
            self._codes = self._state_code(held), self._event_code(held), self._law_code(held)
        else:
            self.held = shared.held.tried(**model.given)
            self.state, self._codes = shared.state, shared._codes
        self._code = entry(self._codes[0], self.held.numbers(self._codes[0]))
        self._events, self._laws = (
            None if code is None else entry(code, self.held.numbers(code))
            for code in self._codes[1:]
        )
        self._arrays = side_by_side(self._made())
        self._run = self._record()
        self._views = self._parts_of_output()
        self._records: list[Array] = []
        self._entries: dict[int, Entry] = {}
        self._islands: dict[bytes, tuple[Array, Parts]] = {}
        self.laws_act = True  # forces by reactions do, but not in shocks

    # --- made once --------------------------------------------------------------------------

    def _state_code(self, held: Mechanism) -> Evaluator:
        identity = f"contact_state {written(list(self.parts))} {fingerprint(held)}"
        return kernel_code(self.state.kernel, identity)

    def _event_code(self, held: Mechanism) -> Evaluator | None:
        zeros = [text(x.zero) for x in held.events.values()]
        if not zeros:
            return None
        made = MotionKernels(self.held.system, FREE)
        return kernel_code(made.events, f"contact events {zeros} {fingerprint(held)}")

    def _law_code(self, held: Mechanism) -> Evaluator | None:
        if not self.state.laws:
            return None
        identity = f"contact_laws {written(list(self.parts))} {fingerprint(held)}"
        return kernel_code(self.state.laws_kernel, identity)

    @cached_property
    def _counts(self) -> dict[str, int]:
        nq, nv = len(self.model.coordinates), len(self.model.speeds)
        laws, named = len(self.state.laws), len(self.state.named)
        return {
            "coordinates": nq,
            "speeds": nv,
            "rows": len(self.state.held.owners),
            "elements": len(self.parts),
            "loads": self.state.shapes["load"][0],
            "quaternions": len(self._quaternions),
            "watched": len(self.model.mechanism.events),
            "laws": laws,
            "named": named,
            "outputs": laws * (1 + named),
            "asked": nq + nv + named + 1,
            "size": nq + nv + 1 + 2 * len(self.parts) + len(self.state.held.owners),
        }

    @cached_property
    def _quaternions(self) -> list[int]:
        """Where the quaternions of joints start in q."""
        links = (link for _, link in self.held.system.tree if link.joint.turning)
        return [link.q.stop - 4 for link in links]

    def _made(self) -> dict[str, Array]:
        counts = self._counts
        made = {
            name: np.zeros([x if isinstance(x, int) else counts[x] for x in shape])
            for name, shape in at.TABLES.items()
        }
        made["parts"] = np.zeros(sum(int(np.prod(x)) for x in self.state.shapes.values()))
        made["quaternion"][:] = self._quaternions
        made["holds"][held_positions(self.state)] = 1.0
        made["fineness"][:] = 1 / self.held.sizes.rows
        made["role"][list(self.state.own_rows)] = at.HELD
        made["start"][:], made["low"][:], made["high"][:] = self.state.spans
        made["role"][list(self.state.idle)] = at.OFF
        made["element"][:] = element_table(self.state, self._number)
        made["law_row"][:] = [row for row, _ in self.state.laws]
        return made

    def _number(self, x: Any) -> float:
        return float(evaluate(x, self.model.parameters))

    def _record(self) -> Array:
        made = np.zeros((), dtype=at.CONTACTS)
        for name, value in self._counts.items():
            made[name] = value
        made["rank"], made["slow"] = RANK, SLOW * self.pace
        made["least"] = SLOW * float(self.held.sizes.scales.of(["J"])[0])
        for name, array in self._arrays.items():
            made[name] = array.ctypes.data
        place = self._arrays["parts"].ctypes.data
        for name, shape in self.state.shapes.items():
            made[name] = place
            place += 8 * int(np.prod(shape))
        self._clock = np.zeros(1)
        codes = {"state": self._code, "events": self._events, "law": self._laws}
        self._tables = {name: self._table(code) for name, code in codes.items()}
        for name, code in codes.items():
            if code is not None:
                made[name], made[f"{name}_table"] = code.address, self._tables[name].ctypes.data
        return made

    def _table(self, code: Entry | None) -> Array:
        constants = np.zeros(1) if code is None else code.constants
        return table(constants, self._clock, self._clock, self._clock)

    def _parts_of_output(self) -> dict[str, Array]:
        """The parts of the state function's output, as views."""
        found, place = {}, 0
        for name, shape in self.state.shapes.items():
            size = int(np.prod(shape))
            found[name] = self._arrays["parts"][place : place + size].reshape(shape)
            place += size
        return found

    def at(self, model: CompiledModel) -> ContactModel:
        """The same at other values of parameters."""
        return ContactModel(model, self)

    # --- used -------------------------------------------------------------------------------

    @property
    def length(self) -> float:
        """Of the mechanism [m]."""
        return float(self.held.sizes.scales.length)

    @property
    def usual_force(self) -> float:
        """Of the mechanism [N]."""
        return float(self.held.sizes.scales.of(["J"])[0]) / self.length

    @property
    def pace(self) -> float:
        """How many times its own size anything of the mechanism usually goes in a second [1/s]."""
        return 1 / float(self.held.sizes.scales.time)

    @cached_property
    def normal_rows(self) -> Array:
        """(elements,): the rows of gaps; −1 where there is none."""
        return self.table[:, at.NORMAL].astype(int)

    @cached_property
    def has_gap(self) -> Array:
        """(elements,): whether there is one."""
        return np.asarray(self.normal_rows >= 0)

    @cached_property
    def gap_sizes(self) -> Array:
        """(elements,): what gaps are compared with, lengths or angles; 1 where there is none."""
        return np.where(self.has_gap, self.held.sizes.rows[self.normal_rows], 1.0)

    @cached_property
    def slip_sizes(self) -> Array:
        """(elements,): what is slid is compared with; 1 where nothing rubs."""
        sizes = self.held.sizes.rows
        return np.array([sizes[rows[0]] if rows else 1.0 for rows in self.rubbing_rows])

    @property
    def size(self) -> int:
        """Of the state: q, v, work; for each element the work of its friction and its mode; forces.

        Of forces that are not unique, those nearest to the last are found.
        """
        return self._counts["size"]

    @cached_property
    def in_state(self) -> dict[str, slice]:
        """Where the speeds are in a state, and what has to do with contacts."""
        nq, nv, count = len(self.model.coordinates), len(self.model.speeds), len(self.parts)
        first = nq + nv + 1
        return {
            "speeds": slice(nq, nq + nv),
            "work": slice(first, first + count),
            "modes": slice(first + count, first + 2 * count),
            "forces": slice(first + 2 * count, self.size),
            "all": slice(first, self.size),
        }

    @property
    def table(self) -> Array:
        """The elements (elements, WIDTH); a view."""
        return self._arrays["element"]

    def __getitem__(self, name: str) -> Array:
        """A part of what was found at the last state: an array of the layout; a view."""
        return self._views[name] if name in self._views else self._arrays[name]

    def set_modes(
        self, modes: Sequence[int] | Array, directions: Array, still: Array | float = 0.0
    ) -> None:
        """From here on the elements are in these modes; `still` are speeds that stay zero."""
        line, role = self.table, self._arrays["role"]
        line[:, at.MODE], line[:, at.DIRECTION :] = modes, directions
        kinds, (rubbing, owner) = line[:, at.MODE], self._rubbing_owners
        role[self._element_rows] = at.OFF
        role[self.normal_rows[(kinds != at.OPEN) & self.has_gap]] = at.HELD
        role[rubbing] = _ROLES[kinds[owner].astype(int)]
        role[self.given_rows] = at.LAWFUL if self.laws_act else at.OFF
        self._arrays["still"][:] = still
        self._part_rows()

    @cached_property
    def given_rows(self) -> list[int]:
        """The rows whose forces follow from laws."""
        return [row for row, _ in self.state.laws if row >= 0]

    @cached_property
    def _element_rows(self) -> list[int]:
        return [k for rows in self.state.rows for k in rows]

    @cached_property
    def _rubbing_owners(self) -> tuple[list[int], list[int]]:
        """The rows of friction, and the element of each."""
        pairs = [(row, k) for k, rows in enumerate(self.rubbing_rows) for row in rows]
        return [row for row, _ in pairs], [k for _, k in pairs]

    def _part_rows(self) -> None:
        """Rows that have nothing to do with each other are solved apart."""
        self._arrays["island"][:], parts = self.parted()
        for record in (self._run, *self._records):
            record["islands"] = len(parts)

    def parted(self) -> tuple[Array, Parts]:
        """The island of each row, and of each island its speeds and the rows that act on them."""
        acts = self._arrays["role"] != at.OFF
        if (key := acts.tobytes()) not in self._islands:
            island, parts = np.zeros(len(acts)), self.state.joined(np.flatnonzero(acts).tolist())
            for place, (_, rows) in enumerate(parts):
                island[rows] = place
            self._islands[key] = island, parts
        return self._islands[key]

    def all_rows_act(self) -> None:
        """Every row that is not idle has its part in A from now on."""
        role = self._arrays["role"]
        role[:] = at.HELD
        role[list(self.state.idle)] = at.OFF
        role[self.given_rows] = at.LAWFUL
        self.laws_act = True
        self._part_rows()

    def entry(self, task: int) -> Entry:
        """A task as a function of the state and of time."""
        if task not in self._entries:
            run = self._run.copy()
            run["task"] = task
            self._records.append(run)
            code = loop_kernel("torseur.machine.contact.kernels.motion", "motion")
            self._entries[task] = Entry(code.address, run, self)
        return self._entries[task]

    def call(self, task: int, y: Array, t: float) -> Array:
        """The output of a task."""
        nv, m = len(self.model.speeds), len(self.parts)
        sizes = {
            at.CLOSE: self.size + 1,
            at.EVENTS: 3 * m + len(self.model.mechanism.events),
            at.FORCES: nv,
            at.LOOK: 0,
        }
        return self.entry(task).value(y, t, max(sizes.get(task, self.size), 1))

    def solved(self, modes: Sequence[int] | Array, directions: Array) -> tuple[Array, Array]:
        """The forces of given modes at the state looked at last, and how far friction may grow.

        The second is of each element that rubs; it counts where that sticks.
        """
        self.set_modes(modes, directions)
        found = self.entry(at.SOLVE).value(np.zeros(1), 0.0, 1 + len(self.parts))
        return self._arrays["z"] * found[0], found[1:]

    def given_forces(self, z: Array) -> Array:
        """What laws give of their rows, at the forces z and the state looked at last."""
        if self._laws is None or not self.laws_act:
            return np.zeros(len(self.given_rows))
        asked, named = self._arrays["at"].copy(), len(self.state.named)
        loads = self._arrays["load_0"] + self._arrays["load_by"] @ z
        asked[-1 - named : -1] = loads[len(loads) - named :]
        given = self._laws.value(asked[:-1], asked[-1], self._counts["outputs"])
        rows = [row for row, _ in self.state.laws]
        return np.array([given[rows.index(row)] for row in self.given_rows])

    @property
    def slow(self) -> Array:
        """(elements,): speeds of sliding below which the direction is the one that was kept."""
        return np.asarray(self._run["slow"] * self.slip_sizes)

    def at_state(self, y: Array, t: float) -> Array:
        """The accelerations at a state that has its modes in it."""
        modes, v = y[self.in_state["modes"]].astype(int), y[self.in_state["speeds"]]
        directions = self._directions(modes, y, t)
        self.set_modes(modes, directions)
        if (v == 0).any():
            self.set_modes(modes, directions, still_speeds(self, v))
        return self.call(at.FORCES, y, t)

    def load(self, k: int, z: Array) -> float:
        """What the friction of an element is proportional to, at given forces of all rows."""
        line = self.table[k]
        match int(line[at.LOAD]):
            case at.NORMAL_LOAD:
                return float(max(z[int(line[at.LOAD_FROM])], 0.0))
            case at.JOINT_LOAD:
                by = slice(int(line[at.LOAD_FROM]), int(line[at.LOAD_FROM] + line[at.LOAD_COUNT]))
                found = self._arrays["load_0"][by] + self._arrays["load_by"][by] @ z
                return float(line[at.ARM] * np.linalg.norm(found))
            case at.GIVEN_LOAD:
                return float(self._arrays["given"][int(line[at.LOAD_FROM])])
            case _:
                return float(min(line[at.FORWARD], line[at.BACKWARD]))

    @cached_property
    def rubbing_rows(self) -> list[list[int]]:
        """The rows of friction of each element."""
        return [
            [int(k) for k in line[at.FIRST : at.FIRST + int(line[at.COUNT])]] for line in self.table
        ]

    def directions(self, along: Array) -> Array:
        """(elements, 3): unit vectors of rows of friction, of speeds or of what they become."""
        found = np.zeros((len(self.parts), 3))
        for line, rows in zip(found, self.rubbing_rows, strict=True):
            size = np.linalg.norm(along[rows])
            line[: len(rows)] = along[rows] / size if size > 0 else np.eye(3)[0, : len(rows)]
        return found

    def _directions(self, modes: Array, y: Array, t: float) -> Array:
        """Those in which elements slide at a state; what is about to slide, against its friction.

        That is what would hold it.
        """
        nothing = np.zeros((len(self.parts), 3))
        if not ((modes == at.SLIP) & (self.table[:, at.COUNT] > 0)).any():
            return nothing
        self.set_modes(np.where(modes == at.SLIP, at.STICK, modes), nothing)
        self.call(at.FORCES, y, t)
        u = self._arrays["u"]
        found, starting = self.directions(u), self.directions(-self._arrays["z"])
        for k, rows in enumerate(self.rubbing_rows):
            if np.linalg.norm(u[rows]) <= self.slow[k]:
                found[k] = starting[k]
        return found

    def pressed_by(self, k: int) -> int | None:
        """The element whose normal force the friction of another is proportional to."""
        line = self.table[k]
        if line[at.NORMAL] >= 0 or line[at.LOAD] != at.NORMAL_LOAD:
            return None
        return int(np.flatnonzero(self.normal_rows == line[at.LOAD_FROM])[0])
