"""Modelica text of a mechanism: its equations with multipliers, which a tool of Modelica solves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.linalg import qr

from torseur.algebra.core.expr import Expr
from torseur.algebra.core.graph import expressions
from torseur.dynamics.tree.base_parameters import regrouped
from torseur.dynamics.tree.inverse_dynamics import inverse_dynamics
from torseur.equations.constraints.constraint_rows import constraints_of, coordinate_rates
from torseur.equations.functions.kernel import Kernel, kernel
from torseur.equations.symbols.system import symbols_of
from torseur.errors import ModelError
from torseur.export.exported_model import Model, model
from torseur.export.names import Language, words
from torseur.export.notation import INDENT, Notation
from torseur.export.routine import Routine
from torseur.language.packaged import described
from torseur.model.description import Mechanism
from torseur.tools.fmu.model import FmuModel, fmu_model
from torseur.tools.fmu.sources import with_state
from torseur.tools.fmu.variables import si_unit, variables
from torseur.tools.target import Exported, Target
from torseur.version import __version__
from torseur.words.language import spoken
from torseur.words.sentence import say

Array = np.ndarray
_RESERVED = words(
    "algorithm and annotation block break class connect connector constant constrainedby der "
    "discrete each else elseif elsewhen encapsulated end enumeration equation expandable extends "
    "external false final flow for function if import impure in initial inner input loop model not "
    "operator or outer output package parameter partial protected public pure record redeclare "
    "replaceable return stream then true type when while within time Real Integer Boolean String "
    "abs sign sqrt div mod rem ceil floor integer delay cardinality pre edge change reinit sample "
    "noEvent smooth initial terminal assert terminate cross size vector matrix transpose min max"
)
_NOTATION = Notation(
    {},
    power="^",
    end=";",
    choice="(if {c} > 0.0 then {a} else {b})",
    comment="//",
)
MODELICA_NAMES: Language = Language("modelica", _RESERVED, lambda model: {}, tables=False)


def _exported(mechanism: Mechanism, **options: Any) -> Exported:
    """NAME.mo."""
    name = str(options.pop("name", ""))
    given = {x: options.get(x) for x in ("actuators", "outputs", "initial", "parameters")}
    moving = fmu_model(mechanism, place="modelica", **given)
    if moving.engine is not None:
        raise ModelError(
            "modelica",
            say("contacts, stops and dry friction are not equations of one mode."),
            say("Export it to fmu, or one contact state: ts.in_mode."),
        )
    written = with_state(model(moving.system, (), MODELICA_NAMES, name=name), moving)
    text = "\n".join(_lines(moving, written, mechanism))
    return Exported({f"{written.identifier}.mo": text.encode()})


def _outputs(moving: FmuModel) -> list[tuple[str, str, str, Expr]]:
    """Name, unit, meaning and value; forces of imposed motions are multipliers themselves."""
    owners, selected = constraints_of(moving.system).owners, moving.begin.rows.selected
    listed = []
    for name in moving.chosen:
        if name not in moving.mechanism.motions or name in moving.mechanism.points:
            listed += [(x.name, x.unit, x.meaning, x.value) for x in moving.output(name)]
        else:
            k = selected.index(owners.index(name))
            (force,) = symbols_of([f"lambda[{k}]"], "input")
            meaning = say("force of the motion {name}", name)
            listed.append((f"{name}.force", moving.drive_unit(name), meaning, force))
    return listed


def _kernel(moving: FmuModel) -> Kernel:
    """Rates of coordinates and states, balances of forces, gaps, rows of speeds, outputs."""
    system, motion, rows = moving.system, moving.motion, moving.begin.rows
    lam = symbols_of((f"lambda[{k}]" for k in range(rows.rank)), "input")
    tree = regrouped(system.tree)
    forces = inverse_dynamics(tree, system.q, system.v, system.a, system.gravity).Q
    balance = forces - motion.applied - motion.J.T @ lam if rows.rank else forces - motion.applied
    speeds = [k for k in range(rows.rank) if k not in motion.positions]
    of_speeds = (motion.J @ system.v + motion.restraint_rate)[speeds] if speeds else []
    states = motion.signal_rates[len(moving.inputs) :]
    values = [x[3] for x in _outputs(moving)]
    gaps = list(motion.gap) if rows.rank else []
    listed = [*coordinate_rates(system), *states, *balance, *gaps, *of_speeds, *values]
    opened = constraints_of(system).opened(expressions(listed))
    inputs = (
        ("u", ()), ("a", tuple(x.name for x in system.a)),
        ("L", tuple(x.name for x in lam)), ("t", ("t",)),
    )  # fmt: skip
    return replace(moving.written(kernel("equations", inputs, opened)), shape=(len(listed),))


def _routine(moving: FmuModel, written: Model) -> Routine:
    """The equations with intermediates under names."""
    built = _kernel(moving)
    names = tuple(x.name for x in written.arrays["u"])
    inputs = tuple((letter, names if letter == "u" else listed) for letter, listed in built.inputs)
    arrays = {**written.arrays, "t": (replace(written.arrays["t"][0], identifier="time"),)}
    described = replace(written, arrays=arrays)
    return described.routine(replace(built, inputs=inputs), "", {})


def _lines(moving: FmuModel, written: Model, mechanism: Mechanism) -> Iterator[str]:
    """The text."""
    routine, outputs = _routine(moving, written), _outputs(moving)
    known = {x.name: x.identifier for x in written.arrays["u"]}
    table = {x.name: x for x in variables(moving, written)}
    meaning = described(mechanism.name, mechanism.description, spoken())
    yield f'model {written.identifier} "{_clean(meaning)}"'
    yield f"{INDENT}// " + say("Written by Torseur {version}. SI units, radians.", __version__)
    for p in written.parameters:
        yield _declared(f"parameter Real {p.identifier}", si_unit(p.unit), p.meaning,
                        f" = {p.value!r}")  # fmt: skip
    for step in routine.once:
        yield from _NOTATION.assignment(f"final parameter Real {step.name}", step.value, INDENT)
    fixed = _fixed(moving)
    for name, x in table.items():
        if name in known and x.causality == "output":
            start = f"start={x.start!r}, fixed={'true' if name in fixed else 'false'}"
            yield _declared(f"Real {known[name]}", x.unit, x.meaning, more=start)
    commands = zip(moving.mechanism.commanded, moving.inputs, moving.input_units, strict=True)
    signals = [x.name for x in moving.system.signals]
    for k, (_, label, unit) in enumerate(commands):
        identifier = known[signals[k]]
        yield _declared(f"input Real {identifier}", si_unit(unit), f"command of {label}",
                        more=f"start={float(moving.start[_first(moving) + k])!r}")  # fmt: skip
    for entry in written.arrays["a"]:
        yield f"{INDENT}Real {entry.identifier};"
    for k in range(moving.begin.rows.rank):
        yield f"{INDENT}Real {written.arrays['L'][k].identifier};"
    taken = written.identifiers
    named = [(taken.take(name), unit, text) for name, unit, text, _ in outputs]
    for identifier, unit, text in named:
        yield _declared(f"output Real {identifier}", si_unit(unit), text)
    for step in routine.steps:
        yield f"{INDENT}Real {step.name};"
    yield "equation"
    yield from _NOTATION.assignments(routine.steps)
    yield from _equations(moving, written, routine, [x for x, *_ in named])
    yield f"end {written.identifier};"
    yield ""


def _equations(
    moving: FmuModel, written: Model, routine: Routine, outputs: Sequence[str]
) -> Iterator[str]:
    """Left sides and results, in the order of the kernel."""
    known = {x.name: x.identifier for x in written.arrays["u"]}
    system = moving.system
    lefts = [f"der({known[x]})" for x in (*system.coordinates, *moving.mechanism.states)]
    count = len(routine.results) - len(outputs) - len(lefts)
    for left, tree in zip([*lefts, *["0.0"] * count, *outputs], routine.results, strict=True):
        yield from _NOTATION.assignment(left, tree, INDENT)
    for name, entry in zip(system.speeds, written.arrays["a"], strict=True):
        yield f"{INDENT}der({known[name]}) = {entry.identifier};"


def _first(moving: FmuModel) -> int:
    return len(moving.system.coordinates) + len(moving.system.speeds) + 1


def _fixed(moving: FmuModel) -> set[str]:
    """Coordinates, speeds and states whose start is taken as it is; loops decide the others."""
    system, rows = moving.system, moving.begin.rows
    listed = {*system.coordinates, *system.speeds, *moving.mechanism.states}
    if not rows.rank:
        return listed
    q = moving.begin.y[: len(system.coordinates)]
    J = moving.begin.constraints.J(q, 0.0)[list(rows.selected)]
    holds = [k for k, row in enumerate(rows.selected) if row in rows.positions]
    for matrix, names in ((J[holds], system.coordinates), (J, system.speeds)):
        if matrix.shape[1] == len(names) and len(matrix):
            *_, order = qr(matrix, pivoting=True)
            listed -= {names[k] for k in order[: len(matrix)]}
    return listed


def _declared(head: str, unit: str, meaning: str, value: str = "", more: str = "") -> str:
    """A declaration with its unit, its start and its meaning."""
    inside = ", ".join(x for x in (more, f'unit="{unit}"' if unit else "") if x)
    text = f' "{_clean(meaning)}"' if meaning else ""
    return f"{INDENT}{head}{f'({inside})' if inside else ''}{value}{text};"


def _clean(text: str) -> str:
    return " ".join(str(text).split()).replace("\\", "/").replace('"', "'")


MODELICA: Target = Target(
    "modelica", _exported, ("name", "actuators", "outputs", "initial", "parameters")
)
