"""Least and greatest forces with which dry friction in joints keeps a mechanism in a pose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from torseur.algebra.core.expr import Expr, expression, symbol
from torseur.analyse.equilibria.sticking import Band, sticking_band
from torseur.errors import ModelError
from torseur.machine.compiled import CompiledModel
from torseur.model.contact.elements import elements
from torseur.model.contact.smooth import in_mode
from torseur.model.description import JointLoad, Mechanism
from torseur.model.parameters import Parameter
from torseur.words.sentence import say

Array = np.ndarray


def only_rubs(mechanism: Mechanism) -> bool:
    """Whether joints rub, and nothing else changes its mode or has a state of its own."""
    smooth_otherwise = all(
        one.friction is not None and not one.pushes and one.law is None
        for one in elements(mechanism)
    )
    rubbing = any(joint.friction is not None for joint in mechanism.joints.values())
    return rubbing and smooth_otherwise and not mechanism.states and not mechanism.contacts


def dry_names(mechanism: Mechanism) -> tuple[str, ...]:
    """The names of the elements that rub without motion."""
    rubbing = ((one.name, one.friction) for one in elements(mechanism))
    return tuple(name for name, law in rubbing if law is not None and law.is_dry)


def at_rest(model: CompiledModel) -> dict[str, float]:
    """Zero for each speed that the description starts with."""
    named = model.mechanism.initial
    return {x: 0.0 for x in named if x.endswith(".") or x in model.speeds}


def without_friction(model: CompiledModel) -> CompiledModel:
    """The model without dry friction, where only that would change its mode."""
    if not only_rubs(model.mechanism):
        return model
    return CompiledModel(in_mode(model.mechanism), parameters=model.given)


def holding_bands(
    model: CompiledModel, pose: Array, push: Array, sizes: dict[str, float]
) -> dict[str, Band]:
    """The values of each force between which the mechanism rests, the others being as they are.

    `push` (n, forces) has what a unit of each does along the speeds of the model. Friction is at
    most μ times the load of its joint, which the force changes too: both are solved together.
    """
    if not only_rubs(model.mechanism) or not dry_names(model.mechanism):
        return {}
    letters = {name: f"held.{name}" for name in sizes}
    pushed = _pushed(model, push, list(letters.values()), sizes)
    known = {x: value for x, value in model.parameters.items() if value is not None}
    there = at_rest(model) | dict(zip(model.coordinates, map(float, pose), strict=True))
    return {
        name: replace(sticking_band(pushed, letter, there, parameters=known), parameter=name)
        for name, letter in letters.items()
    }


def _pushed(
    model: CompiledModel, push: Array, letters: Sequence[str], sizes: dict[str, float]
) -> Mechanism:
    """The mechanism with the holding forces, which are parameters of it."""
    mechanism = model.mechanism
    owners = {f"{q}.": (x.name, q) for x in mechanism.joints.values() for q in x.coordinates}
    loads = dict(mechanism.loads)
    for k, row in enumerate(push):
        if not row.any():
            continue
        value: Expr = expression(0)
        for letter, factor in zip(letters, map(float, row), strict=True):
            value = value + factor * symbol(letter, "parameter")
        speed = model.speeds[k]
        if speed not in owners:
            problem = say('the speed "{name}" is no rate of a coordinate.', speed)
            advice = 'Fix the modes: ts.in_mode(mechanism); or hold other coordinates: by=("…",).'
            raise ModelError("holding forces", problem, advice)
        joint, coordinate = owners[speed]
        name = f"held along {coordinate}"
        loads[name] = JointLoad(name, joint, value, coordinate=coordinate)
    table = dict(mechanism.parameter_table)
    for letter, size in zip(letters, sizes.values(), strict=True):
        table[letter] = Parameter(letter, expression(size))
    return replace(mechanism, loads=loads, parameter_table=table)
