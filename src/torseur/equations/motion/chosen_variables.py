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


def in_chosen_variables(equations: Equations) -> Equations:
    """Equations in the chosen coordinates, and in their speeds where those remain."""
    known = _change(equations)
    if not known.taken:
        return equations
    system = equations.system
    names = {f"{joint}.": f"{chosen}." for joint, chosen in known.taken.items()}
    q = _renamed(system.q, known.taken)
    v = _renamed(system.v, names)
    a = _renamed(system.a, {f"{x}.": f"{y}." for x, y in names.items()})
    replacements = _replacements(equations, known)
    B = np.asarray(jacobian(substitute(system.v, replacements), v))

    def along(rows: Any) -> Array:
        return expressions(B.T @ substitute(rows, replacements))

    def rates(given: Array) -> Array:
        return _rates(equations, known, substitute(given, replacements))

    chosen = replace(system, q=q, v=v, a=a)
    tables = {name: _written(x, replacements) for name, x in equations.tables.items()}
    if "p" in tables:
        tables["p"] = along(equations.tables["p"])
    if "rates" in tables:
        tables["rates"] = rates(equations.tables["rates"])
    constraints = equations.given_constraints
    if constraints is not None:
        J = expressions(
            substitute(constraints.J, replacements).reshape(len(constraints.owners), len(B)) @ B
        )
        plain = {
            name: substitute(getattr(constraints, name), replacements)
            for name in ("gap", "rate", "bias")
        }
        constraints = replace(
            constraints, J=J, coordinate_rates=rates(constraints.coordinate_rates), **plain
        )
    return replace(
        equations,
        system=chosen,
        M=expressions(B.T @ substitute(equations.M, replacements) @ B),
        h=along(equations.h),
        g=along(equations.g),
        Q=along(equations.Q),
        inverse_dynamics=along(equations.inverse_dynamics),
        hints={},
        tables=tables,
        given_constraints=constraints,
    )


def _change(equations: Equations) -> Change:
    """Change to the chosen coordinates that use only remaining ones."""
    left = equations.coordinates
    chosen = {
        name: one
        for name, one in equations.system.mechanism.chosen.items()
        if all(x.name in left for x in free_symbols(one.value))
    }
    return change(chosen, left)


def _renamed(symbols: Array, names: Mapping[str, str]) -> Array:
    return np.array([symbol(names.get(x.name, x.name), x.kind) for x in symbols], dtype=object)


def _replacements(equations: Equations, known: Change) -> dict[Expr, Any]:
    """Coordinates, speeds and accelerations of joints as expressions of the chosen ones."""
    replacements: dict[Expr, Any] = {}
    for name, value in known.values.items():
        replacements[symbol(name, "coordinate")] = value
        speed = symbol(f"{name}.", "speed")
        if speed in equations.system.v:
            rate = rate_of(value)
            replacements[speed] = rate
            turned = {x: symbol(f"{x.name}.", "acceleration") for x in free_symbols(rate)}
            replacements[symbol(f"{name}..", "acceleration")] = substitute(rate, turned)
    return replacements


def _written(table: Any, replacements: Mapping[Expr, Any]) -> Any:
    if isinstance(table, Mapping):
        return {name: _written(x, replacements) for name, x in table.items()}
    return substitute(table, replacements)


def _rates(equations: Equations, known: Change, given: Array) -> Array:
    """q̇ of the chosen coordinates from that of those of joints."""
    by_name = dict(zip(equations.coordinates, given, strict=True))
    chosen = equations.system.mechanism.chosen
    for joint, name in known.taken.items():
        value = chosen[name].value
        parts = [
            derivative(value, x) * given[equations.coordinates.index(x.name)]
            for x in free_symbols(value)
        ]
        by_name[joint] = sum(parts[1:], parts[0])
    return expressions(list(by_name.values()))
