"""Conditions of contact modes in letters: normal forces press, friction stays below its limit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from torseur.algebra.core.expr import ZERO, Expr, expression
from torseur.algebra.core.graph import expressions, free_symbols
from torseur.equations.motion.equations import Equations
from torseur.equations.motion.formulas import EquationLine
from torseur.model.contact.element import Constant, Element, OwnNormal
from torseur.model.contact.elements import elements
from torseur.model.description import Mechanism


def pressing(
    equations: Equations, modes: Mapping[str, str] | None, loops: Sequence[EquationLine]
) -> dict[Expr, EquationLine]:
    """The multipliers that stay unknowns, each with its line: of what grips, rubs or pushes."""
    friction, conditions = equations.friction, equations.constraints
    used = set(free_symbols([*friction.forces.values()])) if friction else set()
    grips = {name for name, mode in (modes or {}).items() if mode != "open"}
    rows: dict[str, list[Expr]] = {}
    listed = zip(expressions(conditions.unknowns), conditions.owners, conditions.J, strict=True)
    for x, owner, row in listed:
        if (owner in grips or x in used) and any(y is not ZERO for y in row):
            rows.setdefault(owner, []).append(x)
    lines = {owner: [x for x in loops if x.name == owner] for owner in rows}
    return {
        x: line
        for owner, listed in rows.items()
        if len(lines[owner]) == len(listed)
        for x, line in zip(listed, lines[owner], strict=True)
    }


def mode_conditions(
    mechanism: Mechanism, modes: Mapping[str, str] | None, multipliers: Mapping[Expr, EquationLine]
) -> tuple[Expr, ...]:
    """Expressions that are positive where contacts keep their modes."""
    parts = {one.name: one for one in elements(mechanism)}
    listed: list[Expr] = []
    for name, mode in (modes or {}).items():
        forces = [x for x, line in multipliers.items() if line.name == name]
        if forces:
            listed += _of_element(parts[name], mode, forces)
    return tuple(listed)


def _of_element(one: Element, mode: str, forces: Sequence[Expr]) -> list[Expr]:
    normal = [forces[0]] if one.has_gap else []
    along = list(forces[len(normal) :])
    friction = one.friction
    if mode != "stick" or friction is None or not along:
        return normal
    static, _ = friction.limits
    if isinstance(one.load, OwnNormal) and normal:
        limit = expression(static * normal[0])
        if len(along) == 1:
            return [*normal, limit - along[0], limit + along[0]]
        return [*normal, expression(limit**2 - sum(x**2 for x in along))]
    if isinstance(one.load, Constant) and len(along) == 1:
        ahead, back = (expression(static * x) for x in (one.load.forward, one.load.backward))
        return [*normal, ahead - along[0], back + along[0]]
    return normal
