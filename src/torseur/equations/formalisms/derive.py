"""The formalisms by name, and the equations of a mechanism as a book writes them.

Equations in fewer coordinates, or in other speeds, are written in the coordinates that the
description chooses. A chosen coordinate is a combination, with numbers, of those of joints. It
takes its place where all of them are left: then v = B u with numbers in B. Quasi-velocities stay,
and only the coordinates of what multiplies them change.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from inspect import signature
from typing import Any

import numpy as np

from torseur.algebra.calculus.derivative import derivative, jacobian
from torseur.algebra.core.expr import Expr, symbol
from torseur.algebra.core.graph import expressions, free_symbols, substitute
from torseur.equations.actions.sliding import Slides
from torseur.equations.formalisms import (
    absolute,
    augmented_bodies,
    gibbs_appell,
    hamilton,
    kane,
    lagrange,
    newton_euler,
    uicker,
    virtual_power,
)
from torseur.equations.motion.equations import Equations
from torseur.equations.motion.formulas import Formulas
from torseur.equations.motion.parametrisation import chosen_coordinates, in_variables
from torseur.equations.symbols.system import System, system
from torseur.errors import ModelError, require_known
from torseur.model.chosen import Change, change, rate_of
from torseur.model.contact.smooth import kept_modes
from torseur.model.description import Mechanism
from torseur.model.values.named_numbers import named_numbers, with_short_loops
from torseur.words.sentence import say

FORMALISMS: dict[str, Callable[..., Equations]] = {
    "newton-euler": newton_euler.derive,
    "lagrange": lagrange.derive,
    "kane": kane.derive,
    "virtual-power": virtual_power.derive,
    "gibbs-appell": gibbs_appell.derive,
    "hamilton": hamilton.derive,
    "augmented-bodies": augmented_bodies.derive,
    "uicker": uicker.derive,
    "absolute": absolute.derive,
}
Array = np.ndarray


def derive(mechanism: Mechanism, formalism: str = "newton-euler", **options: Any) -> Equations:
    """The equations of motion of a mechanism by a formalism; all formalisms agree.

    Options: "lagrange" takes `eliminate`, the names of constraints, or {constraint: coordinate},
    whose coordinates are replaced by what they give; "kane" takes `quasi_velocities`, {name: text},
    speeds that are linear in those of the mechanism. The equations are in the coordinates that the
    description chooses, as far as these are left.
    """
    require_known("derive", "formalism", formalism, FORMALISMS)
    accepted = list(signature(FORMALISMS[formalism]).parameters)[1:]
    require_known(f'derive by "{formalism}"', "option", options, accepted)
    known = system(mechanism)
    equations = derived(known, formalism, **options)
    if mechanism.chosen and formalism != "absolute":
        if options:
            equations = in_chosen_variables(equations)
        else:
            equations = in_variables(equations, chosen_coordinates(known))
    named = named_numbers(mechanism)
    if named.parameter_table.keys() == mechanism.parameter_table.keys():
        return equations
    return replace(equations, lettered=partial(derive, named, formalism, **options))


def derived(known: System, formalism: str, **options: Any) -> Equations:
    """Equations of a system that is already built."""
    equations = FORMALISMS[formalism](known, **options)
    names = ("M", "h", "g", "Q", "inverse_dynamics")
    arrays: dict[str, Any] = {name: expressions(equations.output(name)) for name in names}
    return replace(equations, **arrays)


def formulas(
    mechanism: Mechanism,
    formalism: str = "newton-euler",
    *,
    solved: bool = False,
    reactions: bool = False,
    modes: Mapping[str, str] | None = None,
    **options: Any,
) -> Formulas:
    """One line for each coordinate, then those of loops; letters such as g replace numbers.

    Loops are cut where the lines that close them are short, whatever the order of the joints is, so
    that coordinates may be others than those of `derive`. Options are those of `derive`, and keep
    its coordinates. `solved` has one acceleration in each line; `reactions` has one acceleration,
    or one reaction, and none of the others. `modes` keeps contacts, stops and frictions in a mode:
    "open", "stick" or "slip", with the friction of what slides.
    """
    read = mechanism if options or modes else with_short_loops(mechanism)
    equations = derive_in_modes(named_numbers(read), formalism, modes, **options)
    return equations.solved(reactions=reactions) if solved or reactions else equations.formulas()


def derive_in_modes(
    mechanism: Mechanism, formalism: str, modes: Mapping[str, str] | None, **options: Any
) -> Equations:
    """The equations of a mechanism whose contacts keep their modes, with the friction of sliding.

    Friction depends on multipliers, which are symbols of Q: such equations are read, not computed.
    """
    if modes is None:
        return derive(mechanism, formalism, **options)
    closed = kept_modes(mechanism, modes, "modes")
    equations = derive(closed.mechanism, formalism, **options)
    if not closed.slides:
        return equations
    conditions, chosen = equations.constraints, chosen_coordinates(system(closed.mechanism))
    if equations.speeds != chosen.reduced.speeds:
        names = ", ".join(one.name for one in closed.slides)
        problem = say(
            "friction of sliding contacts ({names}) is explained in all coordinates.", names
        )
        raise ModelError("modes", problem, "Leave out the options of the formalism.")
    slides = Slides(mechanism, closed.slides, signs=True)
    rubbing = slides.friction(conditions.owners, conditions.unknowns)
    forces = chosen.B.T @ chosen.written(rubbing.generalised)
    return replace(
        equations,
        Q=expressions(equations.Q + forces),
        friction=rubbing.written(chosen.written),
        lettered=None,
    )


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
    tables = {name: _table_with(x, replacements) for name, x in equations.tables.items()}
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


def _table_with(table: Any, replacements: Mapping[Expr, Any]) -> Any:
    if isinstance(table, Mapping):
        return {name: _table_with(x, replacements) for name, x in table.items()}
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
