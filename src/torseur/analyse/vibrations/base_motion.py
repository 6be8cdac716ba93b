"""Small motions that a base which shakes excites: an imposed motion, or the ground itself.

A displacement u of the base enters the constraints by u, u̇ and ü, and where the ground shakes the
weights by ü. Each is an input of its own; together they are Σ (i ω)ᵏ times their responses.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from torseur.algebra.core.graph import evaluate, expressions
from torseur.analyse.at_a_state.channels import Channels, input_matrix, zero_slopes
from torseur.analyse.at_a_state.statics import AtState
from torseur.analyse.at_a_state.tangent import Slopes
from torseur.analyse.stability.small_motions import SmallMotions, kept_states
from torseur.analyse.vibrations.response import amplitudes
from torseur.dynamics.tree.newton_euler import inverse_dynamics
from torseur.model.constraints.selection import imposed_coordinates
from torseur.model.description import GROUND, Mechanism

Array = np.ndarray
_AXES = {f"{GROUND}.{axis}": k for k, axis in enumerate("xyz")}


def is_base(mechanism: Mechanism, name: str) -> bool:
    """Whether an input is the displacement, or with two dots the acceleration, of a base."""
    plain = name.removesuffix("..")
    return plain in _AXES or plain in imposed_coordinates(mechanism)


def base_response(motions: SmallMotions, frequencies: Any, input: str, output: str) -> Array:
    """The complex amplitude of an output, relative to the ground, for a unit of the base."""
    here, plain = motions.here, input.removesuffix("..")
    kept = kept_states(here, motions.turning)
    orders = _ground(here, plain) if plain in _AXES else _imposed(here, plain)
    columns = {}
    for order, slopes in orders.items():
        c, d = Channels(here, motions.kept, slopes).output(output)
        columns[order] = (input_matrix(here, slopes)[kept, 0], float(d[0]))

    def driven(p: complex) -> tuple[Any, complex]:
        b = sum(p**order * column for order, (column, _) in columns.items())
        return b, sum(p**order * d for order, (_, d) in columns.items())

    found = amplitudes(motions.A, c, driven, frequencies, input)
    return found if plain == input else found / -(np.asarray(frequencies, dtype=float) ** 2)


def _imposed(here: AtState, name: str) -> dict[int, Slopes]:
    """q − law = 0: a larger law opens the gap, its rates forbid other speeds and accelerations."""
    row = here.tangent.constraints.owners.index(name)
    orders = {order: zero_slopes(here, 1) for order in range(3)}
    orders[0].gap[here.tangent.positions.index(row)] = -1.0
    orders[1].u[row] = -1.0
    orders[2].w[row] = -1.0
    return orders


def _ground(here: AtState, name: str) -> dict[int, Slopes]:
    """In the frame of a ground that accelerates, gravity is less by its acceleration."""
    system = here.tangent.model.system
    still = np.zeros(system.tree.nv)
    pull = -np.eye(3)[_AXES[name]]
    held = expressions(inverse_dynamics(system.tree, system.q, still, still, pull).Q)
    known = dict(zip(here.tangent.coordinates, map(float, here.q), strict=True))
    slopes = zero_slopes(here, 1)
    slopes.r[:, 0] = np.asarray(
        evaluate(held, {**here.tangent.model.parameters, **known}), dtype=float
    )
    return {2: slopes}
