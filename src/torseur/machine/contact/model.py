"""The contacts of a compiled model, ready for an integrator: tables of elements, and the tasks."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, final

import numpy as np

from torseur.algebra.core.graph import evaluate
from torseur.machine.collision.tables import piles_of
from torseur.machine.compiled import CompiledModel
from torseur.machine.contact import layout as at
from torseur.machine.contact.code import ContactCode
from torseur.machine.contact.element_table import element_table, pressed_by
from torseur.machine.contact.negligible import RANK, RESTING, SLIDING
from torseur.machine.contact.tables import counts_of, fixed_tables
from torseur.machine.evaluator import Evaluator
from torseur.machine.integrators.problem import Call, Entry, entry_of
from torseur.machine.native import Calls
from torseur.machine.runtime.loop_kernel import loop_kernel
from torseur.machine.runtime.memory import Record, one_after_the_other, side_by_side
from torseur.model.contact.meshes import mesh_signals

Array = np.ndarray
_FIRST = np.array([1.0, 0.0, 0.0])
SLOW = 1e-12  # of the usual speed, or of the usual energy: none
STARTING = 1e-6  # of the usual speed: near that what starts to slide turns to its speed
STOPPED = 10.0  # times a speed that is none, or its error: what slides slower stops
_ERRORS = 10  # times rtol and the root of the count of speeds, over which errors have a mean


@final
class ContactModel:
    """The elements of a mechanism at given parameters; their modes are a mask that may change.

    Steps may have slots besides, for contacts that a search finds; a state has nothing of them.
    """

    def __init__(self, model: CompiledModel, slots: int = 0) -> None:
        self.model, self._shared = model, model.once(ContactCode)
        self.parts, self.state = self._shared.parts, self._shared.state
        self.held = self._shared.held.tried(**model.given)
        self._rtol, self._codes = 0.0, list[Calls]()
        self.slots, self._counts = slots, counts_of(model, self._shared, slots)
        self._run = self._record()
        self._arrays = self._run.arrays
        self._entries: dict[int, Entry] = {}
        self._calls: dict[int, Call] = {}
        self.all_rows_act()
        for name in ("islands", "order", "first"):
            self._arrays[f"every_{name}"][:] = self._arrays[name]

    # --- made once --------------------------------------------------------------------------

    def _write_values(self, tables: dict[str, Array]) -> None:
        """Numbers of tables that depend on the values of parameters."""
        m, rows = len(self.parts), self._counts["described_rows"]
        tables["fineness"][:rows] = 1 / self.held.sizes.rows
        tables["fineness"][rows:] = 1 / self.length
        tables["element"][:m] = element_table(self.state, self.number)
        tables["judged"][:, at.PRESSED] = -1.0
        tables["judged"][:m, at.PRESSED] = pressed_by(tables["element"][:m])
        tables["reach"][:] = 1 / self.held.sizes.displacements
        tables["restitution"][:m] = [self.number(one.restitution) for one in self.parts]
        tables["tangential"][:m] = [self.number(one.tangential) for one in self.parts]
        tables["returns"][:] = tables["restitution"] * tables["by_impulse"]
        tables["arm"][:] = np.where(tables["carried"] == 1, 1 / self.length, 1.0)

    def number(self, x: Any) -> float:
        """The value of an expression of the parameters."""
        return float(evaluate(x, self.model.parameters))

    def _record(self) -> Record:
        run, shared = Record(at.CONTACTS), self._shared
        tables = fixed_tables(self._shared, self._counts)
        self._write_values(tables)
        run.keep(**side_by_side(tables))
        shapes = self.state.shapes_with(at.SLOT * self.slots)
        run.keep(**one_after_the_other(run.arrays["parts"], shapes))
        run.write(**self._counts, **self._sizes(), rank=RANK)
        run.write(elements=len(self.parts))  # slots are added step by step
        codes = {"events": shared.of_events, "law": shared.of_laws}
        for name in ("state", "kinematics"):
            codes[name] = shared.of_parts(at.OF_PARTS[name])
        for name, code in codes.items():
            self._call(run, name, code)
        return run

    def _call(self, run: Record, name: str, code: Evaluator | None) -> None:
        """A function of the record, at the parameters of the model."""
        if code is not None:
            calls = Calls(code, self.held.numbers(code))
            self._codes.append(calls)
            run.call(name, entry_of(calls))

    def search_by(self, address: int, pool: Record) -> None:
        """Steps ask a function at an address for contacts, by the record of a pool."""
        self._run.call("search", Entry(address, pool.words, pool, record=pool))

    def _sizes(self) -> dict[str, float]:
        """Comparison sizes for speeds and energies; steps may err by a part of usual speeds."""
        known = _ERRORS * self._rtol * float(np.sqrt(len(self.model.speeds)))
        energy = self.usual_force * self.length
        return {
            "pace": self.pace,
            "slow": SLOW * self.pace,
            "known": known * self.pace,
            "starting": max(STARTING, 2 * known) * self.pace,
            "stopped": STOPPED * max(1.0, self._rtol / SLIDING),
            "usual_work": energy,
            "least": SLOW * energy,
        }

    def change(self, model: CompiledModel) -> None:
        """Other values of the parameters, in tables and code that stay."""
        self.model, self.held = model, self._shared.held.tried(**model.given)
        for name in ("gap_sizes", "slip_sizes", "resting_speeds"):
            self.__dict__.pop(name, None)
        self._write_values(self._arrays)
        self["measured"][0], self["known_time"][:] = -1.0, np.nan
        for calls in self._codes:
            calls.set(self.held.numbers(calls.evaluator))
        self._write_sizes()

    def _write_sizes(self) -> None:
        """Into the record, and those that tasks have copies of."""
        for record in (self._run.values, *(x.constants for x in self._entries.values())):
            for name, value in self._sizes().items():
                record[name] = value

    def speeds_are_known_to(self, rtol: float) -> None:
        """Steps may err by a part of the usual speeds."""
        self._rtol = rtol
        self._write_sizes()

    # --- used -------------------------------------------------------------------------------

    @property
    def length(self) -> float:
        """Characteristic length of the mechanism [m]."""
        return float(self.held.sizes.scales.length)

    @property
    def usual_force(self) -> float:
        """Characteristic force of the mechanism [N]."""
        return float(self.held.sizes.scales.of(["J"])[0]) / self.length

    @property
    def pace(self) -> float:
        """Usual rate of the mechanism: speed over size [1/s]."""
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
    def slip_sizes(self) -> Array:
        """(elements,): what is slid is compared with; 1 where nothing rubs."""
        sizes = self.held.sizes.rows
        return np.array([sizes[rows[0]] if rows else 1.0 for rows in self.rubbing_rows])

    @cached_property
    def resting_speeds(self) -> Array:
        """(elements,): speeds of gaps that are none."""
        return np.asarray(RESTING * self.pace * self.gap_sizes)

    @property
    def size(self) -> int:
        """Length of the state: q, v, work, inputs; friction work and mode of elements; forces.

        Of forces that hold and are not unique, those nearest to these are found: to zero, unless
        that is beyond a limit of friction. What slides has started against them.
        """
        return self._counts["size"]

    @cached_property
    def reported(self) -> int:
        """Numbers after those of a state that are kept: what steps with a search tell."""
        return at.TOLD if piles_of(self.model.mechanism) else 0

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
            "all": slice(nq + nv + 1, self.size + self.reported),
        }

    @property
    def table(self) -> Array:
        """The elements (elements, WIDTH); a view."""
        return self._arrays["element"][: len(self.parts)]

    def __getitem__(self, name: str) -> Array:
        """A part of what was found at the last state: an array of the layout; a view."""
        return self._arrays[name]

    def set_modes(self, modes: Sequence[int] | Array, directions: Array) -> None:
        """From here on the elements are in these modes; no speed has to stay zero."""
        self.table[:, at.MODE], self.table[:, at.DIRECTION :] = modes, directions
        self.call(at.PART)

    def all_rows_act(self, laws_act: bool = True) -> None:
        """Every row that is not idle has its part in A from now on."""
        self["laws_act"][0] = laws_act
        self.call(at.EVERY)

    @cached_property
    def has_no_friction(self) -> Array:
        """(elements,): those in which nothing rubs."""
        return np.asarray(self.table[:, at.COUNT] == 0)

    def entry(self, task: int) -> Entry:
        """A task as a function of the state and of time."""
        if task not in self._entries:
            for name in at.IN_STEPS if task == at.STEP else ():
                self._call(self._run, name, self._shared.of_parts(at.OF_PARTS[name]))
            if task == at.STEP:
                self._call(self._run, "yielding", self._shared.of_slopes)
            run = self._run.copied(task=task)
            name = "stepping" if task == at.STEP else "motion"
            code = loop_kernel(f"torseur.machine.contact.kernels.{name}", name)
            self._entries[task] = Entry(code.address, run.values, self, record=run)
        return self._entries[task]

    def call(self, task: int, y: Array | float = 0.0, t: float = 0.0, given: float = 0.0) -> Array:
        """The output of a task, whose last number is given; the next call overwrites it."""
        if task not in self._calls:
            m = len(self.parts)
            sizes = {
                at.CLOSE: self.size + 1,
                at.EVENTS: 3 * m + self._counts["watched"],
                at.FORCES: len(self.model.speeds) + m,
                **dict.fromkeys((at.LOOK, at.PART, at.EVERY), 0),
                **dict.fromkeys((at.SEE, at.CHOOSE, at.CHECK), 1),
                at.SETTLE: self.size + 1,
            }
            self._calls[task] = Call(self.entry(task), self.size, sizes.get(task, self.size))
        return self._calls[task](y, t, given)

    def settle(self, y: Array, t: float, event: int) -> int:
        """The verdict on an event; y ← as it goes on, with its modes, or as it was.

        The event is a function of the integrator, AFTER_ACT or AT_START.
        """
        result = self.call(at.SETTLE, y, t, float(event))
        while result[-1] == at.NO_ROOM:
            self._add_lines()
            result = self.call(at.SETTLE, y, t, float(event))
        y[:] = result[:-1]
        return int(result[-1])

    def _add_lines(self) -> None:
        """Twice as many lines in the table of notes."""
        lines = self._counts["lines"] = 2 * self._counts["lines"]
        notes = np.zeros((lines, self._counts["noting"]))
        notes[: lines // 2] = self["notes"]
        self._run.keep(notes=notes)
        self._run.write(lines=lines)
        for entry in self._entries.values():
            entry.constants["notes"], entry.constants["lines"] = self._run["notes"], lines

    def see(self, y: Array, t: float) -> int:
        """The element whose bodies are deepest inside each other at a state; −1: none.

        Elements that touch and slide there, and how forces of all rows move them, are known then.
        """
        answer = float(self.call(at.SEE, y, t)[0])
        return -1 if np.isnan(answer) else int(answer)

    def choose(self, y: Array, t: float) -> int:
        """The verdict on the modes at a state; forces z and changes w of rows are known then."""
        return int(self.call(at.CHOOSE, y, t)[0])

    def law_breaker(self, y: Array, t: float) -> int:
        """The first element that breaks its law at a state, in the modes at hand; −1: none."""
        return int(self.call(at.CHECK, y, t)[0])

    @property
    def touches(self) -> Array:
        """(elements,): whether each touches at the state seen last."""
        return np.asarray(self["touching"] == 1.0)

    @property
    def slides(self) -> Array:
        """(elements,): whether each slides there."""
        return np.asarray(self["sliding"] == 1.0)

    @property
    def approaches(self) -> Array:
        """(elements,): whether the gap of each closes there, though it touches: that is a shock."""
        closing = self["seen"][:, at.CLOSING] < -self.resting_speeds
        return np.asarray(self.touches & self.has_gap & closing)

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
            self.call(at.STAND, y)
        output = self.call(at.FORCES, y, t).copy()
        return output[: len(v)], output[len(v) :]

    @cached_property
    def rubbing_rows(self) -> list[list[int]]:
        """The rows of friction of each element."""
        return [
            [int(k) for k in line[at.FIRST : at.FIRST + int(line[at.COUNT])]] for line in self.table
        ]

    @cached_property
    def _rubbing(self) -> tuple[Array, Array]:
        """(elements, 3): the rows of friction of each element, and 1 where there is one."""
        table, there = np.zeros((len(self.parts), 3), dtype=int), np.zeros((len(self.parts), 3))
        for k, rows in enumerate(self.rubbing_rows):
            table[k, : len(rows)], there[k, : len(rows)] = rows, 1.0
        return table, there

    def rubbing_sizes(self, along: Array) -> Array:
        """(elements,): of speeds of rows, those of sliding; of forces, those of friction."""
        rows, there = self._rubbing
        components = along[rows] * there
        return np.asarray(np.sqrt(np.einsum("ij,ij->i", components, components)))

    def directions(self, along: Array) -> Array:
        """(elements, 3): unit vectors of rows of friction, of speeds or of what they become."""
        (rows, there), size = self._rubbing, self.rubbing_sizes(along)[:, np.newaxis]
        none = size == 0
        return np.asarray(there * np.where(none, _FIRST, along[rows] / np.where(none, 1.0, size)))

    def _directions(self, modes: Array, y: Array, t: float) -> Array:
        """Directions of sliding at a state; for an element about to slide, that of its start."""
        nothing = np.zeros((len(self.parts), 3))
        if not ((modes == at.SLIP) & (self.table[:, at.COUNT] > 0)).any():
            return nothing
        self.set_modes(np.where(modes == at.SLIP, at.STICK, modes), nothing)
        self.call(at.FORCES, y, t)
        starting = self.directions(-y[self.in_state["forces"]])
        sliding = self.directions(self["u"])
        slow = self.rubbing_sizes(self["u"]) <= self.slow
        return np.where(slow[:, np.newaxis], starting, sliding)
