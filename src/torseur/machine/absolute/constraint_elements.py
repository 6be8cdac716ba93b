"""Contacts, gears, imposed motions and relations as elements that give rows.

The outputs of a row are its gap, the part of its speed that time alone causes, its second rate
without accelerations, its partial derivatives by the speeds of measures, then its Jacobian on the
speeds of each body.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from torseur.algebra.calculus.derivative import jacobian, time_derivative
from torseur.algebra.core.expr import TIME, ZERO, Expr, symbol
from torseur.algebra.core.graph import evaluate, expressions, free_symbols, substitute
from torseur.dynamics.tree.closure import closures
from torseur.equations.constraints.absolute_rows import closing_rows
from torseur.equations.constraints.conditions import (
    Conditions,
    between_bodies,
    integrated,
    joint_coordinates,
)
from torseur.equations.constraints.constraint_rows import coordinate_rates
from torseur.equations.symbols.system import System, system
from torseur.machine.absolute.forms import FormElement, free_bodies, spoken, template
from torseur.machine.absolute.loads import Naming
from torseur.machine.sizes import holds_lengths
from torseur.model.constraints.protocol import (
    ExpressionRow,
    JointRows,
    MeshRow,
    RopeRow,
    bodies_of,
    has_speeds,
)
from torseur.model.constraints.selection import rows_of
from torseur.model.description import GROUND, Mechanism
from torseur.model.values.scales import Scales, coordinate_units
from torseur.topology.structure import cuts_of

Array = np.ndarray
_SAMPLES = 8  # configurations at which the slopes of a relation are looked at


@final
@dataclass(frozen=True)
class RowElement:
    """An element that gives rows."""

    name: str  # of the constraint or motion
    element: FormElement
    rows: int
    positions: int  # how many of them, the first, hold positions
    sizes: tuple[float, ...]  # what each row is compared with
    joint: str = ""  # the joint that it is, or whose coordinate it moves
    angles: tuple[bool, ...] = ()  # which rows of a joint hold angles


def row_elements(mechanism: Mechanism, naming: Naming, known: Scales) -> list[RowElement]:
    """Elements of all constraints of a mechanism except its joints."""
    elements: list[RowElement] = []
    coordinates, units = joint_coordinates(mechanism), coordinate_units(mechanism)
    for row in rows_of(mechanism):
        if isinstance(row, JointRows):
            elements.append(_closure(mechanism, row, naming, known))
        elif isinstance(row, MeshRow | RopeRow):
            elements.append(_between_bodies(mechanism, row, naming, known))
        else:
            elements.append(_relation(coordinates, row, naming, (known, units)))
    return elements


def row_sizes(known: Scales, lengths: Sequence[bool]) -> tuple[float, ...]:
    """The length of the mechanism for rows that hold lengths, 1 for angles."""
    return tuple(known.length if is_length else 1.0 for is_length in lengths)


def _slope(
    slopes: Array, v: list[Expr], naming: Naming, of: tuple[Scales, Mapping[str, str]]
) -> float:
    """Largest change of a relation when its coordinates change by their sizes."""
    known, units = of
    sizes = known.of(units.get(naming.measured[x.name], "rad") for x in v)
    spoken = {x.name: units.get(x.name, "rad") for x in free_symbols(slopes) if x.kind != "time"}
    names = [name for name in spoken if name not in naming.values]
    rng, largest = np.random.default_rng(0), 0.0
    for _ in range(_SAMPLES):
        far = rng.uniform(0.2, 1.2, len(names)) * known.of(spoken[name] for name in names)
        values = {**naming.values, **dict(zip(names, far, strict=True)), TIME.name: 0.0}
        with np.errstate(all="ignore"):
            changes = np.abs(np.asarray(evaluate(slopes, values), dtype=float) * sizes)
        largest = max(largest, float(changes[np.isfinite(changes)].max(initial=0.0)))
    return largest or 1.0


def _relation(
    coordinates: System, row: ExpressionRow, naming: Naming, of: tuple[Scales, Mapping[str, str]]
) -> RowElement:
    """u = d zero/dt, or zero itself if it speaks of speeds; both are linear in the speeds."""
    zero = integrated(coordinates, row.zero)
    joints = coordinates.mechanism.joints.values()
    joint_name = next((joint.name for joint in joints if row.coordinate in joint.coordinates), "")
    holds = not has_speeds(zero)
    u = time_derivative(zero, naming.rates(zero), TIME) if holds else zero
    measures = spoken([zero, u], naming.measured)
    v = [symbol(naming.speeds[measure], "speed") for measure in measures]
    slopes = jacobian([u], v)[0]
    outputs = [
        zero if holds else ZERO,
        substitute(u, dict.fromkeys(v, ZERO)),
        time_derivative(u, naming.rates(u), TIME),
        *slopes,
    ]
    element = template(outputs, (), measures, naming.measured).at(naming.values)
    size = _slope(expressions(slopes), v, naming, of)
    return RowElement(row.name, element, 1, int(holds), (size,), joint=joint_name)


def _free(
    mechanism: Mechanism, rows: JointRows | MeshRow | RopeRow
) -> tuple[System, tuple[str, ...]]:
    """The bodies that rows name, free and alone."""
    bodies = tuple(name for name in bodies_of(rows) if name != GROUND)
    return free_bodies(mechanism, bodies), bodies


def _closure(mechanism: Mechanism, given: JointRows, naming: Naming, known: Scales) -> RowElement:
    """A contact, or a body that follows a pose: what a joint that closes a loop demands."""
    free, bodies = _free(mechanism, given)
    outputs: list[Any] = []
    closing = closures(free.tree, cuts_of(free.tree, [given]), free.q)
    for _, gap, J, b, g in closing_rows(free, closing):
        outputs += [ZERO if gap is None else gap, b, g, *J]
    element = template(outputs, bodies, (), naming.measured).at(naming.values)
    sizes = row_sizes(known, holds_lengths(given.kind))
    return RowElement(given.name, element, given.count, given.positions, sizes)


def _between_bodies(
    mechanism: Mechanism, row: MeshRow | RopeRow, naming: Naming, known: Scales
) -> RowElement:
    """The teeth of a gear, a rope: the gap of a speed is its integral, where it has one."""
    free, bodies = _free(mechanism, row)
    along = dict(zip(free.q, coordinate_rates(free), strict=True))
    conditions = Conditions([between_bodies(free, row)], free.v, along)
    zero: Expr = ZERO
    if conditions.positions:
        (zero,) = conditions.gap
    else:
        whole = system(mechanism)
        zero = integrated(whole, between_bodies(whole, row))
    holds = not has_speeds(zero)
    gap = zero if holds else ZERO
    measures = () if conditions.positions else spoken(gap, naming.measured)
    outputs = [gap, *conditions.rate, *conditions.bias, *(ZERO for _ in measures), *conditions.J[0]]
    element = template(outputs, bodies, measures, naming.measured).at(naming.values)
    return RowElement(row.name, element, 1, int(holds), (known.length,))
