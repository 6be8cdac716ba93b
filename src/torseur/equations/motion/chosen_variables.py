"""Equations in fewer coordinates, or in other speeds, written in the coordinates that are chosen.

A chosen coordinate is a combination, with numbers, of those of joints. It takes its place where all
of them are left: then v = B u with numbers in B. Quasi-velocities stay, and only the coordinates of
what multiplies them change.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from torseur.algebra.calculus.derivative import derivative, jacobian
from torseur.algebra.core.expr import Expr, symbol
from torseur.algebra.core.graph import expressions, free_symbols, substitute
from torseur.equations.motion.equations import Equations
from torseur.model.chosen import Change, change, rate_of

Array = np.ndarray


def in_chosen_variables(found: Equations) -> Equations:
    """The same with the chosen coordinates, and with their speeds where those are left."""
    known = _change(found)
    if not known.taken:
        return found
    system = found.system
    names = {f"{joint}.": f"{own}." for joint, own in known.taken.items()}
    q = _renamed(system.q, known.taken)
    v = _renamed(system.v, names)
    a = _renamed(system.a, {f"{x}.": f"{y}." for x, y in names.items()})
    told = _replacements(found, known)
    B = np.asarray(jacobian(substitute(system.v, told), v))

    def along(rows: Any) -> Array:
        return expressions(B.T @ substitute(rows, told))

    def rates(given: Array) -> Array:
        return _rates(found, known, substitute(given, told))

    own = replace(system, q=q, v=v, a=a)
    tables = {name: _written(x, told) for name, x in found.tables.items()}
    if "p" in tables:
        tables["p"] = along(found.tables["p"])
    if "rates" in tables:
        tables["rates"] = rates(found.tables["rates"])
    held = found.held
    if held is not None:
        J = expressions(substitute(held.J, told).reshape(len(held.owners), len(B)) @ B)
        plain = {name: substitute(getattr(held, name), told) for name in ("gap", "rate", "bias")}
        held = replace(held, J=J, coordinate_rates=rates(held.coordinate_rates), **plain)
    return replace(
        found,
        system=own,
        M=expressions(B.T @ substitute(found.M, told) @ B),
        h=along(found.h),
        g=along(found.g),
        Q=along(found.Q),
        inverse_dynamics=along(found.inverse_dynamics),
        hints={},
        tables=tables,
        held=held,
    )


def _change(found: Equations) -> Change:
    """Of the chosen coordinates that speak of what is left alone."""
    left = found.coordinates
    chosen = {
        name: one
        for name, one in found.system.mechanism.chosen.items()
        if all(x.name in left for x in free_symbols(one.value))
    }
    return change(chosen, left)


def _renamed(symbols: Array, names: Mapping[str, str]) -> Array:
    return np.array([symbol(names.get(x.name, x.name), x.kind) for x in symbols], dtype=object)


def _replacements(found: Equations, known: Change) -> dict[Expr, Any]:
    """What the coordinates, speeds and accelerations of joints are of the chosen ones."""
    told: dict[Expr, Any] = {}
    for name, value in known.values.items():
        told[symbol(name, "coordinate")] = value
        speed = symbol(f"{name}.", "speed")
        if speed in found.system.v:
            rate = rate_of(value)
            told[speed] = rate
            turned = {x: symbol(f"{x.name}.", "acceleration") for x in free_symbols(rate)}
            told[symbol(f"{name}..", "acceleration")] = substitute(rate, turned)
    return told


def _written(table: Any, told: Mapping[Expr, Any]) -> Any:
    if isinstance(table, Mapping):
        return {name: _written(x, told) for name, x in table.items()}
    return substitute(table, told)


def _rates(found: Equations, known: Change, given: Array) -> Array:
    """q̇ of the chosen coordinates from that of those of joints."""
    own = dict(zip(found.coordinates, given, strict=True))
    chosen = found.system.mechanism.chosen
    for joint, name in known.taken.items():
        value = chosen[name].value
        parts = [
            derivative(value, x) * given[found.coordinates.index(x.name)]
            for x in free_symbols(value)
        ]
        own[joint] = sum(parts[1:], parts[0])
    return expressions(list(own.values()))
