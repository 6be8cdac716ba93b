"""A mechanism in absolute coordinates, ready to be moved by an integrator."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np

from torseur.algebra.core.graph import expressions
from torseur.machine.absolute import body_tables as at
from torseur.machine.absolute.arrays import (
    Groups,
    body_table,
    coupled_bodies,
    fineness_table,
    group_tables,
    light_bodies,
    pair_table,
    rotor_table,
    row_indices,
    weight_table,
)
from torseur.machine.absolute.body_tables import ELIMINATION, MODEL, ROOM
from torseur.machine.absolute.constraint_elements import row_elements
from torseur.machine.absolute.forms import FormElement, spoken, template
from torseur.machine.absolute.joint_elements import (
    LENGTH,
    Measure,
    ground_rows,
    joint_elements,
    measure_table,
    naming,
    needed,
)
from torseur.machine.absolute.loads import Naming, load_elements
from torseur.machine.absolute.row_graph import Graph, row_sets
from torseur.machine.integrators.problem import Entry
from torseur.machine.runtime.loop_kernel import LoopKernel, loop_kernel
from torseur.machine.runtime.memory import Record, room, side_by_side
from torseur.model.description import GROUND, Mechanism
from torseur.model.values.numeric import numeric_mechanism
from torseur.model.values.scales import scales

Array = np.ndarray
_GROUPS = ("joint_groups", "row_groups", "load_groups", "watch_groups")


@final
@dataclass(frozen=True)
class Report:
    """Forces, motions and energies at one state."""

    gaps: Array  # (sets, 6): how far each row is from its position [m or rad]
    accelerations: Array  # (bodies, 6): of the centre in ground axes, of ω in body axes
    multipliers: Array  # (sets, 6)
    kinetic: float
    potential: float
    power: float  # of what has no potential


@final
class AbsoluteModel:
    """The arrays of a mechanism at given parameters, and the tasks of the kernel on them."""

    def __init__(self, mechanism: Mechanism, values: Mapping[str, Any]) -> None:
        self.mechanism = mechanism
        self.values = dict(values)
        self.numbers = numeric_mechanism(mechanism, values)
        self.index = {GROUND: 0} | {name: 1 + k for k, name in enumerate(mechanism.bodies)}
        named = naming(mechanism, values)
        self.scales = scales(mechanism, values)
        self.held = row_elements(mechanism, named, self.scales)
        self.loads = load_elements(mechanism, named)
        events = _event_elements(mechanism, named)
        elements = *(one.element for one in self.held), *self.loads, *events
        self.spoken = {name for one in elements for name in one.measures}  # values are needed
        motors = (motor for motor in self.numbers.motors.values() if motor.rotor_inertia)
        self.spoken |= {mechanism.joints[motor.joint].coordinates[0] for motor in motors}
        self.measures = needed(self.numbers, self.spoken)
        self.place = {measure.name: (k, measure) for k, measure in enumerate(self.measures)}
        self._known = {**values, LENGTH.name: self.scales.length}
        self._joints = joint_elements(
            mechanism, self.numbers, self.measures, self._known, self.scales
        )
        self.graph = self._graph()
        self._run = Record(MODEL)
        self._run.keep(**side_by_side(self._tables(events)))
        self._run.further += [(f"element {k}", x) for k, x in enumerate(self._entries)]
        self._arrays = self._run.arrays
        self._arrays["kept"][:] = np.inf
        g = zip(("gx", "gy", "gz"), self.numbers.gravity, strict=True)
        self._run.write(**self._counts, **dict(g))
        self.repeats = bool(self.graph.sets)  # whether rows may say what others say

    def __reduce__(self) -> tuple[Any, ...]:
        return AbsoluteModel, (self.mechanism, self.values)

    # --- made once --------------------------------------------------------------------------

    def _graph(self) -> Graph:
        sets, places = row_sets(self.mechanism, self._joints, self.held, self.place, self.index)
        light = light_bodies(self.numbers)
        coupled = coupled_bodies(self.numbers, sets, light, self.index)
        return Graph(tuple(self.mechanism.bodies), tuple(sets), tuple(places), tuple(coupled))

    def _tables(self, events: list[FormElement]) -> dict[str, Any]:
        """Every array of the record, and the counts."""
        numbers, graph, index = self.numbers, self.graph, self.index
        order = graph.elimination
        set_of_joint = {one.joint: k for k, one in enumerate(graph.sets) if one.joint}
        placed = [(one, (set_of_joint.get(one.name, -1), 0)) for one in self._joints]
        placed += zip(self.held, graph.places, strict=True)
        rows = [
            (one.element, row_indices(one, place, graph, numbers, self.place, index))
            for one, place in placed
        ]
        acting = [(one, self._indices(one)) for one in self.loads]
        watched = [(one, [k, *self._indices(one)]) for k, one in enumerate(events)]
        n, sets = len(self._joints), len(graph.sets)
        groups = group_tables([rows[:n], rows[n:], acting, watched])
        pairs = pair_table(graph, light_bodies(numbers))
        rotors = rotor_table(numbers, graph, self.place, index)
        self._entries = groups.entries
        self._counts = {
            "bodies": len(graph.bodies),
            "followers": len(self.followers),
            "rows": sets,
            "slots": len(graph.slots),
            "measures": len(self.measures),
            "rotors": len(rotors),
            "pairs": len(pairs),
            "blocks": order.blocks,
            **dict(zip(_GROUPS, groups.counts, strict=True)),
        }
        joined = sum(len(one.element.outputs) for one in self._joints)
        return room(ROOM, self._counts | {"nodes": len(order.order), "joined": joined}) | {
            "body": body_table(numbers),
            "slot": graph.slot_table,
            "measure": self._measure_table(groups),
            "rotor": rotors,
            "pair": pairs,
            "weight": weight_table(numbers, sets, placed, self.scales.length),
            "fineness": fineness_table(sets, placed),
            **groups.arrays,
            **{name: getattr(order, name) for name in ELIMINATION},
        }

    def _measure_table(self, groups: Groups) -> Array:
        places = {}
        for one in self._joints:
            bodies, measures, _ = one.element.counts
            width = at.PARTIALS + measures + 6 * bodies
            places[one.name] = groups.places[id(one.element)] + width * one.rows
        return measure_table(self.mechanism, self.measures, self.spoken, self.index, places)

    def _indices(self, one: FormElement) -> list[int]:
        bodies = [self.index[name] for name in one.bodies]
        return bodies + [self.place[name][0] for name in one.measures]

    # --- used -------------------------------------------------------------------------------

    @cached_property
    def followers(self) -> list[Measure]:
        """The measures that the state follows."""
        return [measure for measure in self.measures if measure.followed]

    @property
    def size(self) -> int:
        """Numbers of the state: 13 a body, the measures that are followed, the work."""
        return at.STATE * len(self.graph.bodies) + len(self.followers) + 1

    def ground_rows(self, joint: str) -> FormElement:
        """The rows of a joint that its user defines."""
        return ground_rows(self.mechanism.joints[joint], self.numbers, self._known)

    def entry(self, task: int) -> Entry:
        """A task as a function of the state and of time."""
        run = self._run.copied(task=task)
        return Entry(self._code.address, run.values, self, record=run)

    @cached_property
    def _code(self) -> LoopKernel:
        return loop_kernel("torseur.machine.absolute.kernels.absolute_motion", "motion")

    def call(self, task: int, y: Array, t: float, size: int) -> Array:
        """The output of a task."""
        self._arrays["kept"][:] = np.inf
        self._run.write(task=task)
        return Entry(self._code.address, self._run.values, self).value(y, t, size)

    def project(self, task: int, y: Array, t: float) -> tuple[Array, Array]:
        """The state closed by one step, or calmed; the right-hand sides of its rows (sets, 6)."""
        output = self.call(task, y, t, self.size + 1)
        return output[: self.size], -self._arrays["right"]

    def choose_rows(self, y: Array, t: float) -> int:
        """Select as many rows as are independent at a state; the number of the others."""
        choice = self._arrays["choice"]
        choice[at.FOLLOWS] = 0.0
        self.call(at.CHOOSE, y, t, self.size)
        return int(choice[at.LEFT_OUT])

    @property
    def choices(self) -> int:
        """The number of times that rows have been chosen."""
        return int(self._arrays["choice"][at.CHOICES])

    @property
    def left_out(self) -> int:
        """The number of rows that said nothing new in the last factorisation."""
        inverses = self._arrays["inverses"][len(self.graph.bodies) :]
        return int(((inverses == 0) & self._is_row).sum())

    @cached_property
    def _is_row(self) -> Array:
        """(sets, 6): which places of the sets have a row."""
        counts = np.array([len(one.owners) for one in self.graph.sets])
        return np.arange(6) < counts[:, np.newaxis]

    @property
    def loose(self) -> list[str]:
        """The bodies with a motion that the last factorisation found no inertia to resist."""
        bodies = self.graph.bodies
        empty = (self._arrays["inverses"][: len(bodies)] == 0).any(axis=1)
        return [bodies[k] for k in np.flatnonzero(empty)]

    def opening(self, gaps: Array) -> Array:
        """Gaps in units of what their rows are compared with."""
        return np.asarray(gaps * self._arrays["fineness"].reshape(gaps.shape))

    def worst(self, gaps: Array) -> tuple[str, float]:
        """The owner of the row that is furthest off beside its size, and its gap [m or rad]."""
        k, row = np.unravel_index(np.abs(self.opening(gaps)).argmax(), gaps.shape)
        return self.graph.sets[k].owners[row], float(abs(gaps[k, row]))

    def report(self, y: Array, t: float, extra: Array | None = None) -> Report:
        """Gaps, accelerations, multipliers and energies at a state.

        `extra` (bodies, 6) acts on the bodies besides: forces in ground axes, couples in body axes.
        """
        if self.repeats:
            self.choose_rows(y, t)
        self._arrays["extra"][:] = 0.0 if extra is None else extra
        n, sets = 6 * len(self.graph.bodies), 6 * len(self.graph.sets)
        output = self.call(at.REPORT, y, t, 2 * sets + n + 3)
        gaps, a, lam = np.split(output[:-3], [sets, sets + n])
        self._arrays["extra"][:] = 0.0
        energies = map(float, output[-3:])
        return Report(gaps.reshape(-1, 6), a.reshape(-1, 6), lam.reshape(-1, 6), *energies)


def _event_elements(mechanism: Mechanism, named: Naming) -> list[FormElement]:
    elements = []
    for event in mechanism.events.values():
        zero = expressions([event.zero])
        measures = spoken(zero, named.measured)
        elements.append(template(list(zero), (), measures, named.measured).at(named.values))
    return elements
