"""Numbers that steady motions keep, and the assembly that has them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from torseur.analyse.at_a_state.initial_states import assembled_start
from torseur.errors import ModelError, SolveError, require_known
from torseur.machine.compiled import CompiledModel
from torseur.simulation.start.assemble import Assembled, assemble
from torseur.words.sentence import say


def check_names(model: CompiledModel, given: Mapping[str, float]) -> None:
    """Coordinates and speeds of the tree, with numbers."""
    require_known("given", "coordinate or speed", given, (*model.coordinates, *model.speeds))
    for name, value in given.items():
        if not np.isfinite(value):
            raise ModelError(
                "given", say('"{name}" is {value}.', name, value), "Give a finite number."
            )


def kept_start(model: CompiledModel, given: Mapping[str, float]) -> Assembled:
    """The assembly nearest to the initial one with the given coordinates; an error if none has."""
    start = assembled_start(model, given, 0.0)
    changed = [n for n in given if n in model.coordinates and n in start.changed]
    if not changed:
        return start
    pinned = tuple(n for n in given if n in model.coordinates and f"{n}." in model.speeds)
    try:
        return assemble(model, given, pinned=pinned)
    except SolveError as error:
        listed = ", ".join(f"{name} = {given[name]:g}" for name in pinned)
        problem = say(
            "{listed} cannot be kept. {place}: {problem}", listed, error.place, error.problem
        )
        raise ModelError("given", problem, *error.advice) from None
