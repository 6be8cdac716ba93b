"""Whether two derivations of the same equations agree: M, h, g and Q at random states."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from torseur.algebra.core.graph import flat, free_symbols
from torseur.equations.expressions.sampling import over_samples
from torseur.equations.motion.equations import Equations

Array = np.ndarray
Numbers = Mapping[str, Array]  # by output: one row for each entry, one column for each state
OUTPUTS = ("M", "h", "g", "Q")
STATES = 20
EQUAL = 1e-12  # relative
FLOOR = 1e-2  # of the largest of M, h, g and Q


def largest_difference(first: Equations, second: Equations, states: int = STATES) -> float:
    """Between M, h, g and Q of two derivations, each relative to its largest entry at any state."""
    values = sampled([first, second], states)
    return difference(numbers(first, values, states), numbers(second, values, states))


def difference(first: Numbers, second: Numbers) -> float:
    """The same of outputs that are already numbers.

    What is nearly zero beside the others is measured against a hundredth of them.
    """
    pairs = {name: (first[name], second[name]) for name in OUTPUTS}
    size = {name: float(np.abs(pair).max(initial=0.0)) for name, pair in pairs.items()}
    floor = FLOOR * max(size.values())  # speeds and accelerations are of the order of one
    worst = 0.0
    for name, (a, b) in pairs.items():
        apart = float(np.abs(a - b).max(initial=0.0))
        if apart > 0:
            worst = max(worst, apart / max(size[name], floor))
    return worst if all(np.isfinite(list(size.values()))) else np.inf


def sampled(given: Sequence[Equations], states: int, more: Iterable[Any] = ()) -> dict[str, Array]:
    """Random values of every symbol, with unit quaternions; `states` of each."""
    system = given[0].system
    rng = np.random.default_rng(0)
    spoken = [x for found in given for name in OUTPUTS for x in flat(found.output(name))]
    values = {x.name: rng.uniform(0.4, 1.6, states) for x in free_symbols([*spoken, *more])}
    for name, value in system.mechanism.parameters.items():
        if value is not None:
            values[name] = np.full(states, value)
    joints = system.mechanism.joints
    for _, link in system.tree:
        if link.joint.turning:
            parts = rng.normal(size=(4, states))
            names = joints[link.joint_name].coordinates[-4:]
            values |= dict(zip(names, parts / np.linalg.norm(parts, axis=0), strict=True))
    return values


def numbers(given: Equations, values: Mapping[str, Array], states: int) -> Numbers:
    """M, h, g and Q at states; what they share is computed once."""
    rows = [flat(given.output(name)) for name in OUTPUTS]
    values_at = over_states([x for row in rows for x in row], values, states)
    ends = np.cumsum([len(row) for row in rows])[:-1]
    return dict(zip(OUTPUTS, np.split(values_at, ends), strict=True))


def over_states(outputs: Array | Sequence[Any], values: Mapping[str, Array], states: int) -> Array:
    """One row for each expression, one column for each state."""
    return over_samples(outputs, values, states).T
