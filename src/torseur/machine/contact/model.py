"""The contacts of a compiled model, ready for an integrator: tables of elements, and the tasks."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, final

import numpy as np

from torseur.algebra.core.expr import ZERO
from torseur.algebra.core.graph import evaluate
from torseur.equations.symbols.system import signal_names
from torseur.machine.compiled import CompiledModel
from torseur.machine.contact import layout as at
from torseur.machine.contact.code import ContactCode
from torseur.machine.contact.element_table import element_table, held_positions, pressed_by
from torseur.machine.contact.negligible import RANK, RESTING, SLIDING
from torseur.machine.contact.roles import Acting, Roles
from torseur.machine.evaluator import Evaluator
from torseur.machine.integrators.problem import Call, Entry, entry
from torseur.machine.runtime.loop_kernel import loop_kernel
from torseur.machine.runtime.memory import Record, room, side_by_side
from torseur.model.contact.meshes import mesh_signals

Array = np.ndarray
_FIRST = np.array([1.0, 0.0, 0.0])
SLOW = 1e-12  # of the usual speed, or of the usual energy: none
STARTING = 1e-6  # of the usual speed: near that what starts to slide turns to its speed
_ERRORS = 10  # times rtol and the root of the count of speeds, over which errors have a mean


@final
class ContactModel:
    """The elements of a mechanism at given parameters; their modes are a mask that may change."""

    def __init__(self, model: CompiledModel) -> None:
        self.model, self._shared = model, model.once(ContactCode)
        self.parts, self.state = self._shared.parts, self._shared.state
        self.held = self._shared.held.tried(**model.given)
        self._run = self._record()
        self._arrays = self._run.arrays
        self._entries: dict[int, Entry] = {}
        self._calls: dict[int, Call] = {}
        self.roles = Roles(self._shared, self.table)
        self._hold_roles(self.roles.all(laws_act=True), "every_")
        self.laws_act = True  # forces by reactions do, but not in shocks
        self.returned: list[int] = []  # rows of normals whose impulse is given, in shocks

    # --- made once --------------------------------------------------------------------------

    @cached_property
    def _counts(self) -> dict[str, int]:
        nq, nv = len(self.model.coordinates), len(self.model.speeds)
        laws, named = len(self.state.laws), len(self.state.named)
        inputs = len(signal_names(self.model.mechanism))
        return {
            "coordinates": nq,
            "speeds": nv,
            "rows": len(self.state.held.owners),
            "elements": len(self.parts),
            "loads": self.state.shapes["load"][0],
            "quaternions": len(self._quaternions),
            "watched": len(self.model.mechanism.events),
            "ends": nv + 1,
            **{f"{name}_entries": len(own) for name, own in self._shared.places.items()},
            "shared": len(self.state.shared),
            "laws": laws,
            "named": named,
            "outputs": laws * (1 + named),
            "asked": nq + nv + named + 1,
            "inputs": inputs,
            "size": nq + nv + 1 + inputs + 2 * len(self.parts) + len(self.state.held.owners),
        }

    @cached_property
    def _quaternions(self) -> list[int]:
        """Where the quaternions of joints start in q."""
        links = (link for _, link in self.held.system.tree if link.joint.turning)
        return [link.q.stop - 4 for link in links]

    def _made(self) -> dict[str, Array]:
        made = room(at.TABLES, self._counts)
        made["parts"] = np.zeros(sum(int(np.prod(x)) for x in self.state.shapes.values()))
        made |= {f"{name}_place": own for name, own in self._shared.places.items()}
        made |= self._shared.tree
        made["every_row"][:] = np.arange(len(made["every_row"]))
        made["quaternion"][:] = self._quaternions
        made["holds"][held_positions(self.state)] = 1.0
        made["fineness"][:] = 1 / self.held.sizes.rows
        made["role"][list(self.state.own_rows)] = at.HELD
        made["own"][list(self.state.own_rows)] = 1.0
        made["role"][list(self.state.idle)] = at.OFF
        made["element"][:] = element_table(self.state, self.number)
        made["reach"][:] = 1 / self.held.sizes.displacements
        made["restitution"][:] = [self.number(one.restitution) for one in self.parts]
        made["returns"][:] = made["restitution"] * [one.by_impulse for one in self.parts]
        made["law_row"][:] = [row for row, _ in self.state.laws]
        made["shared_row"][:] = self.state.shared
        first, joints = sum(len(x.components) for x in self.state.loads), len(self.state.carried)
        made["carried"][first : first + 6 * joints] = np.tile([2, 2, 2, 1, 1, 1], joints)
        made["arm"][:] = np.where(made["carried"] == 1, 1 / self.length, 1.0)
        made["judged"][:, at.PRESSED] = pressed_by(made["element"])
        return made

    def pushed(self, impulses: Array) -> Array:
        """(speeds,): what impulses of rows do, at the state looked at last."""
        found, L = impulses @ self["half"], self["factor"]
        for i in range(len(found)):
            found[i] = (found[i] - L[i, :i] @ found[:i]) * L[i, i]
        return np.asarray(found)

    def number(self, x: Any) -> float:
        """The value of an expression of the parameters."""
        return float(evaluate(x, self.model.parameters))

    def _record(self) -> Record:
        run, shared = Record(at.CONTACTS), self._shared
        run.keep(**side_by_side(self._made()))
        run.keep(**self._parts_of_output(run.arrays["parts"]))
        run.write(**self._counts, rank=RANK, pace=self.pace, slow=SLOW * self.pace)
        run.write(starting=STARTING * self.pace, known=0.0)
        run.write(least=SLOW * float(self.held.sizes.scales.of(["J"])[0]))
        codes = {"events": shared.of_events, "law": shared.of_laws}
        for name in ("state", "kinematics"):
            codes[name] = shared.of_parts(at.OF_PARTS[name])
        for name, code in codes.items():
            self._call(run, name, code)
        return run

    def _call(self, run: Record, name: str, code: Evaluator | None) -> None:
        """A function of the record, at the parameters of the model."""
        if code is not None:
            made = entry(code, self.held.numbers(code))
            run.call(name, made.address, made.constants)

    def _parts_of_output(self, parts: Array) -> dict[str, Array]:
        """What the state function gives, as views of its parts."""
        found, place = {}, 0
        for name, shape in self.state.shapes.items():
            size = int(np.prod(shape))
            found[name] = parts[place : place + size].reshape(shape)
            place += size
        return found

    def speeds_are_known_to(self, rtol: float) -> None:
        """Steps may err by a part of the usual speeds; before any task is asked for."""
        assert not self._entries, "tasks have a copy of the record"
        known = _ERRORS * rtol * float(np.sqrt(len(self.model.speeds)))
        self._run.write(known=known * self.pace, starting=max(STARTING, 2 * known) * self.pace)

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
        rows = np.maximum(self.normal_rows, self.spring_rows)
        return np.where(rows >= 0, self.held.sizes.rows[rows], 1.0)

    @cached_property
    def spring_rows(self) -> Array:
        """(elements,): the row of the spring that presses each; −1 where there is none."""
        return np.array(self.state.spring_rows, dtype=int)

    @cached_property
    def has_spring(self) -> Array:
        """(elements,): whether a spring presses it."""
        return np.asarray(self.spring_rows >= 0)

    @cached_property
    def slip_sizes(self) -> Array:
        """(elements,): what is slid is compared with; 1 where nothing rubs."""
        sizes = self.held.sizes.rows
        return np.array([sizes[rows[0]] if rows else 1.0 for rows in self.rubbing_rows])

    @cached_property
    def resting_speeds(self) -> Array:
        """(elements,): speeds of gaps that are none."""
        return np.asarray(RESTING * self.pace * self.gap_sizes)

    @cached_property
    def sliding_speeds(self) -> Array:
        """(elements,): speeds above which an element slides."""
        return np.asarray(SLIDING * self.pace * self.slip_sizes)

    @property
    def size(self) -> int:
        """Of the state: q, v, work, inputs; work of friction and mode of each element; forces.

        Of forces that hold and are not unique, those nearest to these are found: to zero, unless
        that is beyond a limit of friction. What slides has started against them.
        """
        return self._counts["size"]

    @cached_property
    def in_state(self) -> dict[str, slice]:
        """Where the speeds are in a state, and what has to do with contacts."""
        nq, nv, count = len(self.model.coordinates), len(self.model.speeds), len(self.parts)
        first = nq + nv + 1 + self._counts["inputs"]
        return {
            "speeds": slice(nq, nq + nv),
            "points": slice(first - len(mesh_signals(self.model.mechanism)), first),
            "work": slice(first, first + count),
            "modes": slice(first + count, first + 2 * count),
            "forces": slice(first + 2 * count, self.size),
            "all": slice(nq + nv + 1, self.size),
        }

    @property
    def table(self) -> Array:
        """The elements (elements, WIDTH); a view."""
        return self._arrays["element"]

    def __getitem__(self, name: str) -> Array:
        """A part of what was found at the last state: an array of the layout; a view."""
        return self._arrays[name]

    def set_modes(self, modes: Sequence[int] | Array, directions: Array) -> None:
        """From here on the elements are in these modes; no speed has to stay zero."""
        self.table[:, at.MODE], self.table[:, at.DIRECTION :] = modes, directions
        self._arrays["still"][:] = 0.0
        self._part(self.roles.of_modes(self.table[:, at.MODE], self.laws_act))

    @cached_property
    def has_no_friction(self) -> Array:
        """(elements,): those in which nothing rubs."""
        return np.asarray(self.table[:, at.COUNT] == 0)

    def _part(self, found: Acting) -> None:
        """Rows have roles; those that have nothing to do with each other are solved apart."""
        self._hold_roles(found)
        self._arrays["role"][self.returned] = at.RETURNED
        self.islands = found[1]
        self._arrays["part"][:] = self.islands.of_speeds

    def _hold_roles(self, found: Acting, which: str = "") -> None:
        """Roles and islands go to the tables of what acts now, or of every row."""
        self._arrays[f"{which}role"][:], islands = found
        self._arrays[f"{which}islands"][0] = len(islands.parts)
        self._arrays[f"{which}order"][: len(islands.order)] = islands.order
        self._arrays[f"{which}first"][: len(islands.first)] = islands.first

    def all_rows_act(self, laws_act: bool = True) -> None:
        """Every row that is not idle has its part in A from now on."""
        self.laws_act = laws_act
        self._part(self.roles.all(laws_act))

    def entry(self, task: int) -> Entry:
        """A task as a function of the state and of time."""
        if task not in self._entries:
            for name in at.IN_STEPS if task == at.STEP else ():
                self._call(self._run, name, self._shared.of_parts(at.OF_PARTS[name]))
            run = self._run.values.copy()
            run["task"] = task
            name = "stepping" if task == at.STEP else "motion"
            code = loop_kernel(f"torseur.machine.contact.kernels.{name}", name)
            self._entries[task] = Entry(code.address, run, self)
        return self._entries[task]

    def call(self, task: int, y: Array | float = 0.0, t: float = 0.0) -> Array:
        """The output of a task; it is overwritten by the next of its kind."""
        if task not in self._calls:
            nv, rows, m = len(self.model.speeds), self._counts["rows"], len(self.parts)
            sizes = {
                at.CLOSE: self.size + 1,
                at.EVENTS: 3 * m + self._counts["watched"],
                at.FORCES: nv + m,
                at.LOOK: 0,
                at.WEIGH: 0,
                at.SOLVE: 2 + m,
                at.PROJECT: rows,
                at.STAY: self.size + 1,
                at.BOUNCE: 2 * self.size + rows + 1,
            }
            self._calls[task] = Call(self.entry(task), self.size, sizes.get(task, self.size))
        return self._calls[task](y, t)

    def solved(self, modes: Sequence[int] | Array, directions: Array) -> Array:
        """Whether there are forces of given modes at the state looked at last, and they hold.

        Then how far the friction of each element may grow, which counts where that sticks.
        """
        self.set_modes(modes, directions)
        return self.call(at.SOLVE)

    @property
    def slow(self) -> Array:
        """(elements,): speeds of sliding below which the direction is the one that was kept."""
        return np.asarray(self._run["slow"] * self.slip_sizes)

    def at_state(self, y: Array, t: float) -> tuple[Array, Array]:
        """The accelerations at a state that has its modes in it, and the loads of elements."""
        modes, v = y[self.in_state["modes"]].astype(int), y[self.in_state["speeds"]]
        directions = self._directions(modes, y, t)
        self.set_modes(modes, directions)
        if (v == 0).any():
            self.call(at.LOOK, y, t)
            self._arrays["still"][:] = self.still_speeds(v)
        found = self.call(at.FORCES, y, t).copy()
        return found[: len(v)], found[len(v) :]

    def still_speeds(self, v: Array) -> Array:
        """(speeds,): 1 for those of parts at rest that the rows which hold leave no freedom.

        Speeds belong to one part where inertia or a row that acts joins them, at whatever place the
        mechanism is. What time moves is not at rest. Parts that sticking holds stay exactly.
        """
        sizes, found = self.held.sizes, np.zeros(len(v))
        fast = np.abs(v) > RESTING * self.pace * sizes.displacements
        moving = np.bincount(self.islands.of_speeds, weights=fast)
        for place in np.flatnonzero(moving == 0):
            part, joining = self.islands.parts[place]
            rows = [k for k in joining if self["role"][k] == at.HELD]
            enough = len(rows) >= len(part)
            if enough and all(self.state.held.rate[k] is ZERO for k in rows):
                J = self["J"][rows][:, part]
                own = J / sizes.rows[rows, np.newaxis] * sizes.displacements[part]
                found[part] = np.linalg.matrix_rank(own, tol=RANK) == len(part)
        return found

    @cached_property
    def rubbing_rows(self) -> list[list[int]]:
        """The rows of friction of each element."""
        return [
            [int(k) for k in line[at.FIRST : at.FIRST + int(line[at.COUNT])]] for line in self.table
        ]

    @cached_property
    def _rubbing(self) -> tuple[Array, Array]:
        """(elements, 3): the rows of friction of each element, and 1 where there is one."""
        found, there = np.zeros((len(self.parts), 3), dtype=int), np.zeros((len(self.parts), 3))
        for k, rows in enumerate(self.rubbing_rows):
            found[k, : len(rows)], there[k, : len(rows)] = rows, 1.0
        return found, there

    def rubbing_sizes(self, along: Array) -> Array:
        """(elements,): of speeds of rows, those of sliding; of forces, those of friction."""
        rows, there = self._rubbing
        own = along[rows] * there
        return np.asarray(np.sqrt(np.einsum("ij,ij->i", own, own)))

    def directions(self, along: Array) -> Array:
        """(elements, 3): unit vectors of rows of friction, of speeds or of what they become."""
        (rows, there), size = self._rubbing, self.rubbing_sizes(along)[:, np.newaxis]
        none = size == 0
        return np.asarray(there * np.where(none, _FIRST, along[rows] / np.where(none, 1.0, size)))

    def _directions(self, modes: Array, y: Array, t: float) -> Array:
        """Those in which elements slide at a state; what is about to slide, as it started."""
        nothing = np.zeros((len(self.parts), 3))
        if not ((modes == at.SLIP) & (self.table[:, at.COUNT] > 0)).any():
            return nothing
        self.set_modes(np.where(modes == at.SLIP, at.STICK, modes), nothing)
        self.call(at.FORCES, y, t)
        starting = self.directions(-y[self.in_state["forces"]])
        found = self.directions(self["u"])
        slow = self.rubbing_sizes(self["u"]) <= self.slow
        return np.where(slow[:, np.newaxis], starting, found)
