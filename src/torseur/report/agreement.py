"""Two derivations of the same equations compared at random states."""

import numpy as np

from torseur.algebra.graph import evaluate, free_symbols
from torseur.formalisms.equations import Equations
from torseur.joints.reversed import Reversed

STATES = 20
ROUNDING = 1e-9  # relative: far above rounding, far below any term


def largest_difference(first: Equations, second: Equations, seed: int = 0) -> float:
    """The largest difference between M, h and g of two formalisms, relative to their sizes."""
    rng = np.random.default_rng(seed)
    system = first.system
    outputs = [array for found in (first, second) for array in (found.M, found.h, found.g)]
    values = {x.name: rng.uniform(0.5, 2.0, STATES) for o in outputs for x in free_symbols(o)}
    for name, number in system.mechanism.parameters.items():
        if number is not None:
            values[name] = np.full(STATES, number)
    for joint in system.mechanism.joints.values():
        kind = joint.kind.kind if isinstance(joint.kind, Reversed) else joint.kind
        if kind.coordinate_units[-4:] == ("1",) * 4:
            names = joint.coordinates[-4:]
            parts = rng.normal(size=(4, STATES))
            values |= dict(zip(names, parts / np.linalg.norm(parts, axis=0), strict=True))
    worst = 0.0
    for name in ("M", "h", "g"):
        a, b = (_numbers(found.output(name), values) for found in (first, second))
        size = max(float(np.abs(a).max(initial=0.0)), float(np.abs(b).max(initial=0.0)))
        worst = max(worst, float(np.abs(a - b).max(initial=0.0)) / size if size else 0.0)
    return worst


def _numbers(output: np.ndarray, values: dict[str, np.ndarray]) -> np.ndarray:
    """One row of numbers for each entry, constants repeated."""
    flat = evaluate(np.asarray(output, dtype=object).ravel(), values)
    return np.array([np.broadcast_to(x, STATES) for x in flat], dtype=float).reshape(-1, STATES)
