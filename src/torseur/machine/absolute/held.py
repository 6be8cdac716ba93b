"""Defined joints, contacts, gears, imposed motions and relations as elements that give rows.

The outputs of a row are its gap, the part of its speed that time alone causes, its second rate
without accelerations, its partial derivatives by the speeds of measures, then its Jacobian on the
speeds of each body.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from torseur.algebra.calculus.derivative import jacobian, time_derivative
from torseur.algebra.core.expr import ZERO, Expr, symbol
from torseur.algebra.core.graph import evaluate, expressions, free_symbols, substitute
from torseur.dynamics.tree.closure import (
    closures,
    constraint_bias,
    constraint_jacobian,
    constraint_rate,
)
from torseur.equations.absolute_rows import joint_coordinates
from torseur.equations.formalisms.absolute import free_system
from torseur.equations.rows import check_linear, coordinate_rates, integrated, sliding
from torseur.equations.system import system
from torseur.machine.absolute.forms import Element, body_part, spoken, template
from torseur.machine.absolute.guided import Guided
from torseur.machine.absolute.loads import Naming
from torseur.machine.sizes import holds_lengths
from torseur.model.description import (
    GROUND,
    BodyMotion,
    Contact,
    Gear,
    Mechanism,
    Motion,
    Relation,
)
from torseur.model.values.scales import Scales, coordinate_units
from torseur.topology.structure import TIME

Array = np.ndarray
_SAMPLES = 8  # configurations at which the slopes of a relation are looked at


@final
@dataclass(frozen=True)
class RowElement:
    """An element that gives rows."""

    name: str  # of the constraint or motion
    element: Element
    rows: int
    positions: int  # how many of them, the first, hold positions
    sizes: tuple[float, ...]  # what each row is compared with
    joint: str = ""  # the joint whose coordinate it moves
    holds: str = ""  # the joint that it holds


def row_elements(
    mechanism: Mechanism, naming: Naming, joints: Mapping[str, Guided], known: Scales
) -> list[RowElement]:
    """Everything that holds a mechanism besides joints composed of elementary constraints."""
    found: list[RowElement] = []
    for name, joint in joints.items():
        element, lengths = joint.held
        rows = len(lengths)
        if rows:
            sizes = _sizes(known, lengths)
            found.append(RowElement(name, element, rows, rows, sizes, holds=name))
    for constraint in mechanism.constraints.values():
        if isinstance(constraint, Contact):
            found.append(_closure(mechanism, constraint, naming, known))
        elif isinstance(constraint, Gear):
            found.append(_gear(mechanism, constraint, naming, known))
        elif isinstance(constraint, Relation):
            check_linear(constraint)
            zero = integrated(joint_coordinates(mechanism), constraint.zero)
            units = coordinate_units(mechanism)
            found.append(_relation(constraint.name, zero, naming, (known, units)))
    for motion in mechanism.motions.values():
        if isinstance(motion, BodyMotion):
            found.append(_closure(mechanism, motion, naming, known))
        else:
            found.append(_law(mechanism, motion, naming, known))
    return found


def _has_speeds(zero: Expr) -> bool:
    return any(x.kind == "speed" for x in free_symbols(zero))


def _sizes(known: Scales, lengths: Sequence[bool]) -> tuple[float, ...]:
    """The length of the mechanism for rows that hold lengths, 1 for angles."""
    return tuple(known.length if is_length else 1.0 for is_length in lengths)


def _slope(
    slopes: Array, v: list[Expr], naming: Naming, of: tuple[Scales, Mapping[str, str]]
) -> float:
    """How much a relation changes at most when its coordinates change by their sizes."""
    known, units = of
    sizes = known.of(units.get(naming.measured[x.name], "rad") for x in v)
    spoken = {x.name: units.get(x.name, "rad") for x in free_symbols(slopes) if x.kind != "time"}
    names = [name for name in spoken if name not in naming.values]
    rng, largest = np.random.default_rng(0), 0.0
    for _ in range(_SAMPLES):
        far = rng.uniform(0.2, 1.2, len(names)) * known.of(spoken[name] for name in names)
        values = {**naming.values, **dict(zip(names, far, strict=True)), TIME.name: 0.0}
        with np.errstate(all="ignore"):
            found = np.abs(np.asarray(evaluate(slopes, values), dtype=float) * sizes)
        largest = max(largest, float(found[np.isfinite(found)].max(initial=0.0)))
    return largest or 1.0


def _relation(
    name: str, zero: Expr, naming: Naming, of: tuple[Scales, Mapping[str, str]]
) -> RowElement:
    """u = d zero/dt, or zero itself if it speaks of speeds; both are linear in the speeds."""
    holds = not _has_speeds(zero)
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
    made = template(outputs, (), measures, naming.measured).at(naming.values)
    return RowElement(name, made, 1, int(holds), (_slope(expressions(slopes), v, naming, of),))


def _law(mechanism: Mechanism, motion: Motion, naming: Naming, known: Scales) -> RowElement:
    zero = symbol(motion.coordinate, "coordinate") - motion.law
    joints = mechanism.joints.values()
    own = next(joint.name for joint in joints if motion.coordinate in joint.coordinates)
    of = known, coordinate_units(mechanism)
    return replace(_relation(motion.name, zero, naming, of), joint=own)


def _closure(
    mechanism: Mechanism, given: Contact | BodyMotion, naming: Naming, known: Scales
) -> RowElement:
    """A contact, or a body that follows a pose: what a joint that closes a loop demands."""
    alone = replace(mechanism, joints={}, constraints={}, motions={})
    if isinstance(given, Contact):
        bodies = tuple(name for name in (given.first, given.second) if name != GROUND)
        alone = replace(alone, constraints={given.name: given})
    else:
        bodies = (given.body,)
        alone = replace(alone, motions={given.name: given})
    made = free_system(alone, bodies, named=body_part)
    tree, q, v = made.tree, made.q, made.v
    found = closures(tree, made.cuts, q)
    gap, rows = list(found[0].gap), made.cuts[0].rows
    J = constraint_jacobian(tree, found, q)
    b, g = constraint_rate(found), constraint_bias(tree, found, q, v)
    outputs = _rows([*gap, *(ZERO for _ in range(rows - len(gap)))], b, g, J)
    element = template(outputs, bodies, (), naming.measured).at(naming.values)
    sizes = _sizes(known, holds_lengths(made.cuts[0].joint))
    return RowElement(given.name, element, rows, len(gap), sizes)


def _rows(gap: Any, b: Any, g: Any, J: Array) -> list[Any]:
    return [x for k in range(len(J)) for x in (gap[k], b[k], g[k], *J[k])]


def _gear(mechanism: Mechanism, gear: Gear, naming: Naming, known: Scales) -> RowElement:
    """The speed at which teeth would slide; the gap is its integral, where it has one."""
    alone = replace(mechanism, joints={}, constraints={}, motions={})
    named = (gear.first, gear.second, gear.carrier)
    bodies = tuple(dict.fromkeys(name for name in named if name != GROUND))
    made = free_system(alone, bodies, named=body_part)
    u = sliding(made, gear)
    J = jacobian(expressions([u]), made.v)
    along = dict(zip(made.q, coordinate_rates(made), strict=True))
    g = time_derivative(expressions([u]), along)
    whole = system(mechanism)
    zero = integrated(whole, sliding(whole, gear))
    holds = not _has_speeds(zero)
    gap = zero if holds else ZERO
    measures = spoken(gap, naming.measured)
    outputs = [gap, ZERO, g[0], *(ZERO for _ in measures), *J[0]]
    element = template(outputs, bodies, measures, naming.measured).at(naming.values)
    return RowElement(gear.name, element, 1, int(holds), (known.length,))
