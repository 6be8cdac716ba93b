"""Curves of a run by name: a quantity, the length of a vector, or an expression of coordinates."""

from __future__ import annotations

from typing import Any

import numpy as np

from torseur.algebra.core.expr import TIME, symbol
from torseur.algebra.core.graph import evaluate
from torseur.errors import ModelError
from torseur.language.text.expression import Names, parse_expression
from torseur.simulation.run.quantities import Curve, quantity
from torseur.simulation.run.run import Run
from torseur.words.sentence import say

_AXES = "xyz"


def curves_of(run: Run, name: str) -> list[Curve]:
    """The curves of a quantity, with the length of a vector, or that of an expression."""
    try:
        curves = quantity(run, name)
    except ModelError as error:
        return [_expression(run, name, error)]
    if _is_vector(curves):
        return [*curves, Curve(f"|{name}|", curves[0].unit, _length(curves))]
    return curves


def curve_of(run: Run, name: str) -> Curve:
    """A quantity of a run, the length of a vector, or an expression of coordinates and speeds."""
    try:
        result = quantity(run, name)
    except ModelError as error:
        return _expression(run, name, error)
    if len(result) == 1:
        return result[0]
    if not _is_vector(result):
        names = ", ".join(x.name for x in result)
        raise ModelError("outputs", say('"{name}" is several curves: {names}.', name, names))
    return Curve(name, result[0].unit, _length(result))


def _is_vector(curves: list[Curve]) -> bool:
    """Whether curves are the three components of a vector."""
    return [x.name.rpartition(".")[2] for x in curves] == list(_AXES)


def _length(curves: list[Curve]) -> np.ndarray:
    """The length of the vector with these components."""
    return np.asarray(np.sqrt(sum(x.values**2 for x in curves)))


def _expression(run: Run, text: str, otherwise: ModelError) -> Curve:
    """An expression of coordinates, speeds, parameters and t; a name that is none is unknown."""
    plain = text.replace("_", "").replace(".", "")
    if plain.isalnum():
        raise otherwise
    known: dict[str, Any] = {n: run[n] for n in run.names}
    symbols = {n: symbol(n, "input") for n in (*known, *run.model.parameters)}
    value = parse_expression(text, Names(symbols | {TIME.name: TIME}))
    result = evaluate(value, {**run.model.parameters, **known, TIME.name: run.t})
    return Curve(text, "", np.broadcast_to(np.asarray(result, dtype=float), run.t.shape))
