"""Couplings: linear relations of coordinates, as those of mimic joints and gears."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from torseur.algebra.core.graph import free_symbols
from torseur.machine.compiled import CompiledModel
from torseur.simulation.constraints.numeric_constraints import NumericConstraints

Array = np.ndarray
AFFINE = 1e-9  # without dimension: an opening that is none


def linear_rows(model: CompiledModel, q: Array) -> tuple[Array, Array] | None:
    """J and the gap, by the sizes of rows, where all constraints are linear in coordinates."""
    rows = model.constraints
    if rows.closures or len(rows.positions) < len(rows.owners):
        return None
    if any(x.name not in model.parameters for x in free_symbols(list(rows.J.ravel()))):
        return None
    if model.takes_time("closure_gap"):
        return None
    held = NumericConstraints(model)
    J = np.asarray(held.scaled_J(q, 0.0)) / model.sizes.displacements
    return J, np.asarray(held.opening(q, 0.0))


def slopes(model: CompiledModel, J: Array, names: Sequence[str]) -> tuple[Array, list[int], float]:
    """(speeds, names): how all speeds go with some; those that may follow; what stays open."""
    driven = [model.speeds.index(f"{name}.") for name in names]
    own = [k for k, x in enumerate(model.speeds) if x.removesuffix(".") in model.coordinates]
    others = [k for k in own if k not in driven]
    result = np.zeros((len(model.speeds), len(driven)))
    result[driven, np.arange(len(driven))] = 1.0
    result[others] = np.linalg.lstsq(J[:, others], -J[:, driven], rcond=None)[0]
    return result, others, float(np.abs(J @ result).max(initial=0.0))
