"""Numbers of entries: expressions, vectors and tensors, in the units of each entry."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from torseur.algebra.core.expr import ZERO, Expr
from torseur.algebra.core.graph import free_symbols
from torseur.algebra.forms.dimensions import DimensionForm
from torseur.errors import unknown
from torseur.language.text.expression import Names
from torseur.language.yaml.fields import Faults, Fields, entries, listed, number, numbers, vector
from torseur.language.yaml.scope import Scope
from torseur.language.yaml.source import Item
from torseur.model.forces.protocol import OF_COORDINATE, Key
from torseur.model.sensors import ImuErrors
from torseur.words.sentence import say

Array = np.ndarray


def read_number(item: Item, of: Scope, key: Key, known: Names) -> Expr:
    """An expression; the names that have a meaning in this entry only hide no other."""
    if not key.local:
        return number(item, known, of.measured(key.unit))
    local = {name: x for name, x, _ in key.local}
    units = {name: of.measured(unit) for name, _, unit in key.local}
    names = replace(known.also(local), units_of={**known.units_of, **units})
    value = number(item, names, of.measured(key.unit))
    used = {x.key for x in free_symbols(value)}
    for name, x in local.items():
        if name in known.known and x.key in used:
            problem = say(
                '"{name}" has a special meaning in this entry, and is also a name of the model.',
                name,
            )
            raise item.fault(problem, say('Rename the parameter or the coordinate "{name}".', name))
    return value


def read_tensor(item: Item, of: Scope, key: Key) -> Array:
    """One value, three on the diagonal, or three rows."""
    names, unit = of.constant, key.unit
    if isinstance(item.value, str):
        return _diagonal([number(item, names, unit)] * 3)
    rows = listed(item, key.name, 3)
    if isinstance(rows[0].value, tuple):
        return np.array([vector(row, names, unit, f"a row of {key.name}") for row in rows])
    return _diagonal(numbers(rows, names, unit))


def read_six_tensor(item: Item, of: Scope, key: Key) -> Array:
    """Three values for displacements, six on the diagonal, or six rows."""
    straight, turning, mixed = key.unit.split()
    rows = listed(item, key.name, 3, 6)
    if not isinstance(rows[0].value, tuple):
        values = [*numbers(rows[:3], of.constant, straight)]
        values += [*numbers(rows[3:], of.constant, turning)] or [ZERO] * 3
        return _diagonal(values)
    matrix = []
    for k, row in enumerate(listed(item, f"rows of {key.name}", 6)):
        parts, units = listed(row, f"a row of {key.name}", 6), (straight, mixed, mixed, turning)
        left, right = units[:2] if k < 3 else units[2:]
        first = numbers(parts[:3], of.constant, left)
        matrix.append([*first, *numbers(parts[3:], of.constant, right)])
    return np.array(matrix, dtype=object)


def read_vector(item: Item, of: Scope, key: Key) -> Array:
    """Three expressions, which may have names of this entry only."""
    if not key.local:
        return vector(item, of.varying, of.measured(key.unit), key.name)
    faults, parts = Faults(), listed(item, key.name, 3)
    values = [faults.attempt(ZERO, read_number, part, of, key, of.varying) for part in parts]
    faults.raised()
    return np.array(values, dtype=object)


def _diagonal(values: Any) -> Array:
    indices = range(len(values))
    rows = [[values[i] if i == j else ZERO for j in indices] for i in indices]
    return np.array(rows, dtype=object)


def read_two_constants(item: Item, of: Scope, key: Key) -> tuple[Expr, Expr]:
    units = (key.unit.split() * 2)[:2]
    parts = zip(listed(item, key.name, 2), units, strict=True)
    first, second = (number(x, of.constant, of.measured(unit)) for x, unit in parts)
    return first, second


def read_imu_errors(item: Item, of: Scope, key: Key) -> ImuErrors:
    """An acceleration and a rate: one value for all axes, or three."""
    units = {"acceleration": "m/s^2", "rate": "rad/s"}
    fields = Fields(item, "the errors of an imu", tuple(units))
    vectors = {name: fields.read(name, None, _axes, of.constant, x) for name, x in units.items()}
    fields.faults.raised()
    return ImuErrors(**{name: x for name, x in vectors.items() if x is not None})


def _axes(item: Item, names: Names, unit: str) -> Array:
    """Three values, or one for each axis."""
    if isinstance(item.value, tuple):
        return vector(item, names, unit)
    return np.array([number(item, names, unit)] * 3, dtype=object)


def read_factors(item: Item, of: Scope, key: Key) -> list[tuple[str, Expr]]:
    factors, faults, whole = [], Faults(), of.measured(key.unit)
    for name, factor in entries(item).items():
        if name not in of.coordinates:
            raise unknown(str(item.keys[name]), "coordinate", name, of.coordinates)
        dimension = replace(of, acting=name).measured(OF_COORDINATE)
        unit = None
        if isinstance(whole, DimensionForm) and isinstance(dimension, DimensionForm):
            unit = whole * dimension**-1
        factors.append((name, faults.attempt(ZERO, number, factor, of.constant, unit)))
    faults.raised()
    return factors
