"""Masses and moments of inertia of solids in the letters of books: m, A, B, C, each defined once.

A cylinder given by its radius, length and density has m = π ρ R² e and C = ½ m R²; energies and
equations are written with m and C. Bodies with equal masses and moments share their letters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from torseur.algebra.core.coefficients import split
from torseur.algebra.core.expr import Expr, expression, symbol
from torseur.algebra.core.graph import free_symbols
from torseur.algebra.forms.length import length
from torseur.algebra.forms.readable import readable
from torseur.algebra.printing.latex import name as latex_name
from torseur.model.description import Body, Mechanism, Parameter
from torseur.named_words import Words
from torseur.teach.derivation.derivation_steps import Step, told_step
from torseur.teach.derivation.step_formulas import Scalar, SymbolLabel, expressions_of

_SHORT = 12  # signs of a moment that needs no letter beside a mass that is one
_AXES = "ABC"  # moments about x, y and z
_COUNTER = re.compile(r"[\W\d_]+$")


def with_letters(mechanism: Mechanism) -> tuple[Mechanism, dict[str, Expr]]:
    """The mechanism with letters for its long masses and moments, and what each stands for."""
    groups: dict[tuple[Any, ...], list[Body]] = {}
    for body in mechanism.bodies.values():
        if _unnamed(_mass_data(body)):
            groups.setdefault(_mass_data(body), []).append(body)
    used_names = {*mechanism.parameter_table, *mechanism.every_coordinate, *mechanism.joints}
    used_names |= {*mechanism.constraints, *mechanism.points}
    bodies, letters, added = dict(mechanism.bodies), dict[str, Expr](), dict[str, Parameter]()
    for data, group in groups.items():
        named = _letters(data, _ending(group, len(groups), used_names))
        if used_names & named.keys():
            continue
        used_names |= named.keys()
        mass, moments = data[0], data[1:]
        by_value = {value: symbol(name) for name, (value, _) in named.items()}
        for body in group:
            inertia = body.inertia.astype(object)
            for k, moment in enumerate(moments):
                inertia[k, k] = by_value.get(moment, moment)
            lettered = replace(body, mass=by_value.get(mass, mass), inertia=inertia)
            bodies[body.name] = lettered
        letters |= _definitions(named, mass)
        added |= {name: Parameter(name, value, unit) for name, (value, unit) in named.items()}
    table = {**mechanism.parameter_table, **added}
    return replace(mechanism, bodies=bodies, parameter_table=table), letters


def _mass_data(body: Body) -> tuple[Expr, ...]:
    return tuple(expression(x) for x in (body.mass, *np.diagonal(body.inertia)))


def _unnamed(data: Sequence[Expr]) -> dict[Expr, str]:
    """The mass and the moments that are worth a letter, each with the letter."""
    mass, *moments = data
    shortest = 0 if _is_composed(mass) else _SHORT
    values = {} if shortest else {mass: "m"}
    for letter, moment in zip(_AXES, moments, strict=True):
        if _is_composed(moment) and length(moment) > shortest:
            values.setdefault(moment, letter)
    return values


def _is_composed(x: Expr) -> bool:
    """Whether something is a formula of parameters: more than a letter with a number before it."""
    symbols = free_symbols([x])
    parameters = bool(symbols) and all(y.kind == "parameter" for y in symbols)
    return parameters and split(x)[1].op != "symbol"


def _ending(group: Sequence[Body], groups: int, used_names: set[str]) -> str:
    """Ending of the letters of a group: none for the only solid if they are free, or its name."""
    names = [body.name for body in group]
    stems = {_COUNTER.sub("", name) for name in names}
    stem = stems.pop() if len(names) > 1 and len(stems) == 1 else names[0]
    alone = groups == 1 and not used_names & {"m", *_AXES}
    return "" if alone else f"_{stem or names[0]}"


def _letters(data: Sequence[Expr], ending: str) -> dict[str, tuple[Expr, str]]:
    """Value and unit by letter; equal moments have one."""
    return {
        f"{letter}{ending}": (value, "kg" if letter == "m" else "kg.m^2")
        for value, letter in _unnamed(data).items()
    }


def _definitions(named: dict[str, tuple[Expr, str]], mass: Expr) -> dict[str, Expr]:
    """Value of each letter, moments by the mass where that is shorter: C = ½ m R²."""
    letter = next((name for name, (value, unit) in named.items() if unit == "kg"), None)
    definitions: dict[str, Expr] = {}
    for name, (value, unit) in named.items():
        plain = expression(readable(value))
        if letter is not None and unit != "kg":
            by_mass = symbol(letter) * expression(readable(expression(value / mass)))
            plain = min(expression(by_mass), plain, key=length)
        definitions[name] = plain
    return definitions


def with_definitions(
    steps: Sequence[Step], letters: dict[str, Expr], words: Words
) -> Iterator[Step]:
    """The steps, with one after the first on the letters that are used in them."""
    used = {
        x.name for step in steps for y in step.formulas for x in free_symbols(expressions_of(y))
    }
    present = {name: value for name, value in letters.items() if name in used}
    masses = {x.name for value in present.values() for x in free_symbols([value])} & letters.keys()
    yield steps[0]
    if present:
        formulas = [
            Scalar(SymbolLabel(name, latex_name(name)), value)
            for name, value in letters.items()
            if name in present or name in masses
        ]
        yield told_step(words, "mass geometry", formulas)
    yield from steps[1:]
