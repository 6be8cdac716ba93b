"""The functions of mechanisms with loops, on the rows of J that hold where they are closed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from torseur.algebra.core.expr import expression
from torseur.algebra.core.graph import evaluate, free_symbols, substitute
from torseur.equations.functions.closed import BUILDS, ClosedSystem, closed_kernel
from torseur.equations.functions.held_rows import Rows
from torseur.equations.functions.kernel import Kernel
from torseur.errors import ModelError
from torseur.machine.closed import (
    chosen_actuators,
    independent_rows,
    require_actuated,
    require_closed,
)
from torseur.machine.compiled import CompiledModel
from torseur.model.description import Mechanism
from torseur.words.sentence import say

Array = np.ndarray


def closed_kernels(
    mechanism: Mechanism,
    functions: Sequence[str],
    at: Sequence[float] | Array | None,
    actuators: Sequence[str] | None,
) -> dict[str, Kernel]:
    """The kernels of those functions that loops make others of; none for a tree."""
    model = CompiledModel(mechanism)
    names = [name for name in functions if name in BUILDS]
    if not names or not model.system.constrained:
        return {}
    q = _closed(model, at)
    rows = independent_rows(model, q, 0.0)
    kernels = {}
    for name in names:
        driving: tuple[str, ...] = ()
        if name == "inverse_dynamics":
            driving = chosen_actuators(mechanism, actuators)
            require_actuated(model, driving, q, 0.0)
        kernels[name] = _kernel(model, name, rows, driving)
    return kernels


def _kernel(model: CompiledModel, name: str, rows: Rows, actuators: tuple[str, ...]) -> Kernel:
    """With numbers for the sizes of rows, which weigh what has no inertia of its own."""
    kernel = closed_kernel(name, ClosedSystem(model.system, rows, actuators), judged=False)
    outputs = list(kernel.outputs)
    sizes = {x: model.sizes.number(x.name) for x in free_symbols(outputs)}
    known = {x: expression(size) for x, size in sizes.items() if size is not None}
    return replace(kernel, outputs=tuple(substitute(outputs, known))) if known else kernel


def _closed(model: CompiledModel, at: Sequence[float] | Array | None) -> Array:
    """The closed coordinates at which rows are chosen."""
    names = model.coordinates
    if at is None:
        given = model.mechanism.initial
        listed = [evaluate(given[name], model.parameters) if name in given else 0 for name in names]
        q = np.array([float(x) for x in listed])
    else:
        q = np.asarray(at, dtype=float)
    if q.shape != (len(names),):
        raise ModelError(
            "export",
            say("at has shape {shape}, expected ({number},).", q.shape, len(names)),
            say("In this order: {names}.", ", ".join(names)),
        )
    require_closed(model, "export", q, 0.0)
    return q
