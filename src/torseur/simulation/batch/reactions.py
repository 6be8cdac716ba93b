"""Reactions in joints of all rows of a batch at once, at the parameters of each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from torseur.equations.actions.reactions import wrench_names
from torseur.machine.compiled import CompiledModel
from torseur.machine.tree.evaluator import is_pushed, suits
from torseur.model.constraints.selection import meshes
from torseur.simulation.constraints.multipliers import accelerations

Array = np.ndarray
Called = Callable[..., Array]  # name of a function, arrays, times, parameters


def is_quick(model: CompiledModel) -> bool:
    """Whether the reactions of all rows are arrays of compiled functions."""
    mechanism = model.mechanism
    large = suits(mechanism, "forward_dynamics")
    return not (large or mechanism.commanded or meshes(mechanism))


def wrenches(
    model: CompiledModel,
    call: Called,
    states: Array,
    t: Array,
    swept: Mapping[str, Any],
    joint: str,
) -> Array:
    """(states, 6): force then couple of a joint, in ground axes, at the origin of its frame."""
    nq, nv = len(model.coordinates), len(model.speeds)
    q, v = states[:, :nq], states[:, nq : nq + nv]

    def at(name: str, *arrays: Array) -> Array:
        return call(name, arrays, t, swept)

    pushed = is_pushed(model.mechanism)
    Q = at("moving_forces", q, v) if pushed else np.zeros_like(v)
    multipliers: list[Array] = []
    if model.constraints.owners:
        S = Q - at("bias", q, v) - at("gravity", q)
        M, J = at("mass_matrix", q), at("constraint_jacobian", q)
        a, found = accelerations(M, S, J, at("constraint_bias", q, v), model.sizes)
        multipliers.append(found)
    else:
        a = at("tree_forward_dynamics", q, v, Q)
    place = wrench_names(model.system).index(joint)
    return at("joint_wrenches", q, v, a, *multipliers)[:, place, :6]
