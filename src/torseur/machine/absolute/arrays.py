"""A mechanism at given parameters as the arrays that the kernel works on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from torseur.machine.absolute import body_tables as at
from torseur.machine.absolute.constraint_elements import RowElement
from torseur.machine.absolute.forms import FormElement, compiled, grouped
from torseur.machine.absolute.joint_elements import Measures
from torseur.machine.absolute.row_graph import Graph
from torseur.machine.integrators.problem import Entry
from torseur.model.description import Mechanism

Array = np.ndarray
_LIGHT = 1e-10  # of the largest moment of inertia of a body: a smaller one counts as zero


# --- bodies -------------------------------------------------------------------------------------


def body_table(numbers: Mechanism) -> Array:
    """Mass and inertia of each body, the ground first."""
    table = np.zeros((len(numbers.bodies) + 1, at.BODY_WIDTH))
    for row, body in zip(table[1:], numbers.bodies.values(), strict=True):
        I = np.asarray(body.inertia, dtype=float)
        row[at.MASS] = body.mass
        row[at.INERTIA : at.INERTIA + 6] = I[0, 0], I[0, 1], I[0, 2], I[1, 1], I[1, 2], I[2, 2]
    return table


def light_bodies(numbers: Mechanism) -> set[int]:
    """The bodies, from 1, whose mass matrix is singular."""
    tensors = np.array([body.inertia for body in numbers.bodies.values()], dtype=float)
    masses = np.array([body.mass for body in numbers.bodies.values()], dtype=float)
    sizes = np.linalg.eigvalsh(tensors.reshape(-1, 3, 3))
    empty = (masses <= 0) | (sizes[:, 0] <= _LIGHT * sizes[:, 2]) | (sizes[:, 2] <= 0)
    return {1 + int(k) for k in np.flatnonzero(empty)}


# --- masses that couple bodies ------------------------------------------------------------------


def rotor_table(
    numbers: Mechanism, graph: Graph, measures: Measures, index: Mapping[str, int]
) -> Array:
    """The rotors of motors; their axes are given in the frame of the first body of the joint."""
    rows = []
    for motor in numbers.motors.values():
        if not motor.rotor_inertia:
            continue
        joint, row = numbers.joints[motor.joint], np.zeros(at.ROTOR_WIDTH)
        i, j = index[joint.first], index[joint.second]
        row[at.ROTOR_MEASURE] = measures[joint.coordinates[0]][0]
        numeric_motor: Any = motor
        ratio, inertia = float(numeric_motor.ratio), float(numeric_motor.rotor_inertia)
        row[at.REFLECTED] = ratio**2 * inertia
        if motor.axis is not None:
            row[at.COUPLED] = ratio * inertia
            row[at.EPSILON : at.EPSILON + 3] = motor.axis
        row[at.BLOCK_I] = graph.block(i, i) if i else -1
        row[at.BLOCK_J] = graph.block(j, j) if j else -1
        row[at.BLOCK_IJ] = graph.block(i, j) if i and j else -1
        row[at.J_IS_LATER] = bool(i and j) and graph.later(j, i)
        rows.append(row)
    return np.array(rows).reshape(-1, at.ROTOR_WIDTH)


def pair_table(graph: Graph, light: set[int]) -> Array:
    """The bodies of the sets of rows that touch a light body, two by two."""
    pairs = []
    for k, one in enumerate(graph.sets):
        if light.isdisjoint(one.bodies):
            continue
        for n, a in enumerate(one.bodies):
            for b in one.bodies[: n + 1]:
                later, earlier = (a, b) if a == b or graph.later(a, b) else (b, a)
                pairs.append((graph.slots[k, later], graph.slots[k, earlier], graph.block(a, b)))
    return np.array(pairs, dtype=np.int64).reshape(-1, at.WEIGHT_WIDTH)


def coupled_bodies(
    numbers: Mechanism, sets: Sequence[Any], light: set[int], index: Mapping[str, int]
) -> list[tuple[int, int]]:
    """The pairs of bodies whose masses are coupled, by rotors or by rows of light bodies."""
    pairs = []
    for motor in numbers.motors.values():
        joint = numbers.joints[motor.joint]
        both = index[joint.first], index[joint.second]
        if motor.rotor_inertia and all(both):
            pairs.append(both)
    for one in sets:
        if not light.isdisjoint(one.bodies):
            pairs += [(a, b) for n, a in enumerate(one.bodies) for b in one.bodies[:n]]
    return pairs


Placed = Sequence[tuple[RowElement, tuple[int, int]]]  # with their set and their first row


def weight_table(numbers: Mechanism, sets: int, elements: Placed, length: float) -> Array:
    """σ of every row: a mass for rows of forces, a moment of inertia for those of couples.

    What is no row of a joint has the weight of a mass at the length over the size of the row.
    """
    bodies = body_table(numbers)[1:]
    masses = bodies[bodies[:, at.MASS] > 0, at.MASS]
    mass = float(masses.mean()) if len(masses) else 1.0
    traces = bodies[:, at.INERTIA] + bodies[:, at.INERTIA + 3] + bodies[:, at.INERTIA + 5]
    moment = max(float(traces.mean()) if len(bodies) else 0.0, 1e-3 * mass * length**2)
    weights = np.full((sets, 6), mass)
    for one, (k, first) in elements:
        if one.rows:
            row_weights = mass * (length / np.array(one.sizes)) ** 2
            row_weights[[row for row, is_angle in enumerate(one.angles) if is_angle]] = moment
            weights[k, first : first + one.rows] = row_weights
    return weights


def fineness_table(sets: int, elements: Placed) -> Array:
    """(sets, 6): one over what each row is compared with, zero where there is no row."""
    sizes = np.full((sets, 6), np.inf)
    for one, (k, first) in elements:
        if one.rows:
            sizes[k, first : first + one.rows] = one.sizes
    return 1 / sizes


# --- elements -----------------------------------------------------------------------------------


@final
@dataclass(frozen=True)
class Groups:
    """Groups of elements with the same code, and room to call it."""

    arrays: dict[str, Array]
    entries: tuple[Entry, ...]  # kept alive as long as their code is used
    counts: tuple[int, ...]  # of the groups of each kind
    places: dict[int, int]  # by the id of an element: where what it gives stands among all


def group_tables(kinds: Sequence[Sequence[tuple[FormElement, Sequence[int]]]]) -> Groups:
    """Elements of several kinds with their indices."""
    rows: list[list[int]] = []
    indices: list[int] = []
    constants: list[float] = []
    entries, counts = [], []
    places: dict[int, int] = {}
    given, most = 0, np.zeros(4, dtype=int)  # bodies, measures, numbers, outputs of a form
    for listed in kinds:
        indices_of = {id(one): index for one, index in listed}
        groups = grouped([one for one, _ in listed])
        counts.append(len(groups))
        for group in groups:
            first, outputs = group[0], len(group[0].outputs)
            code = compiled(first.outputs, *first.counts)
            entries.append(code)
            most = np.maximum(most, (*first.counts, outputs))
            starts = len(group), len(indices), len(constants), outputs, given
            rows.append([code.address, code.constants.ctypes.data, *first.counts, *starts])
            for one in group:
                indices.extend(indices_of[id(one)])
                constants.extend(one.numbers)
                places[id(one)] = given
                given += outputs
    arrays = {
        "groups": np.array(rows, dtype=np.int64).reshape(-1, at.GROUP_WIDTH),
        "indices": np.array(indices, dtype=np.int64),
        "constants": np.array(constants, dtype=float),
        "table": np.zeros(most[0] + 5, dtype=np.int64),
        "inputs": np.zeros(max(2 * most[1], 6)),
        "output": np.zeros(max(most[3], 6)),
    }
    return Groups(arrays, tuple(entries), tuple(counts), places)


def row_indices(
    given: RowElement,
    place: tuple[int, int],
    graph: Graph,
    numbers: Mechanism,
    measures: Measures,
    index: Mapping[str, int],
) -> list[int]:
    """Set, first row, number of rows, of position rows; bodies, measures; the slots of both."""
    (k, first), one = place, given.element
    row = [k, first, given.rows, given.positions, *(index[b] for b in one.bodies)]
    row += [measures[name][0] for name in one.measures]
    row += [graph.slots.get((k, index[b]), -1) for b in one.bodies]
    for name in one.measures:
        joint = numbers.joints[measures[name][1].joint]
        row += [graph.slots.get((k, index[b]), -1) for b in (joint.first, joint.second)]
    return row
