"""Where the rows of a batch start: in the states that single motions start from.

Rows whose given values determine them are led to their starts together, others start one by one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from torseur.algebra.core.graph import evaluate, free_symbols
from torseur.model.commands import described_command
from torseur.simulation.batch.values import BatchValues
from torseur.simulation.constraints.displacement import named_rows
from torseur.simulation.formulations.joint_start import JointStart
from torseur.simulation.start.assemble import led_rows
from torseur.simulation.start.leading import GivenRows

Array = np.ndarray


def row_starts(
    begin: JointStart, values: BatchValues, swept: Mapping[str, Any]
) -> tuple[Array, Array]:
    """(rows, n): states that rows start from, and (rows,): whether each is known."""
    model, mechanism = begin.model, begin.model.mechanism
    described = {**mechanism.initial, **{n: x.initial for n, x in mechanism.states.items()}}
    with np.errstate(all="ignore"):  # a row may have no value: its own start says so
        known = {
            name: evaluate(x, {s.name: swept[s.name] for s in free_symbols(x)})
            for name, x in described.items()
        } | values.initial
    tree, names = model.system.tree, (model.coordinates, model.speeds)
    q, v = named_rows(tree, *names, known, values.count)
    rest = np.zeros((values.count, 1 + len(mechanism.commanded) + len(mechanism.states)))
    for k, name in enumerate(mechanism.commanded, 1):
        command = described_command(mechanism, name)
        rest[:, k] = evaluate(command, {s.name: swept[s.name] for s in free_symbols(command)})
    for k, name in enumerate(mechanism.states, 1 + len(mechanism.commanded)):
        rest[:, k] = known[name]
    is_known = np.isfinite(q).all(axis=1) & np.isfinite(v).all(axis=1)
    if begin.constraints:
        given = GivenRows(
            values.count, tuple(n for n in values.initial if n not in mechanism.states), swept
        )
        q, v, led = led_rows(model, given, q, v, begin.t)
        is_known &= led
    return np.hstack([q, v, rest]), is_known
