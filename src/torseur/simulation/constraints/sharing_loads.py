"""Reactions that statics leaves open, shared by the compliance of joints.

Of all multipliers that move the bodies alike, those are taken whose reactions store the least
energy ½ Σ (c_t F² + c_r C²) in the joints (Menabrea 1858): the limit of very stiff bushings. What
no compliance decides stays as small as can be.
"""

from __future__ import annotations

import numpy as np

from torseur.algebra.core.graph import evaluate
from torseur.equations.actions.reactions import wrench_names
from torseur.model.description import Mechanism
from torseur.simulation.constraints.numeric_constraints import NumericConstraints
from torseur.simulation.constraints.row_combinations import SelfStress

Array = np.ndarray


def shares_loads(mechanism: Mechanism) -> bool:
    """Whether joints have a compliance."""
    return any(joint.compliance is not None for joint in mechanism.joints.values())


def shared(
    constraints: NumericConstraints, q: Array, v: Array, a: Array, lam: Array, t: Array
) -> Array:
    """Multipliers (samples, rows) that share loads by compliance, from others."""
    model, rows = constraints.model, lam.shape[1]
    if not shares_loads(model.mechanism) or not rows:
        return lam
    names = wrench_names(model.system)
    weights = np.sqrt([_weights(model.mechanism, name, model.parameters) for name in names])
    wrenches = np.asarray(model.timed("joint_wrenches")(q, v, a, lam, t))[..., :6]
    result = lam.copy()
    for k in range(len(t)):
        stress = SelfStress(constraints, q[k], float(t[k]))
        if stress.degree:
            added = np.stack([stress.wrench(name, 1.0)[:, :6] for name in names], axis=1)
            columns = (weights * added).reshape(stress.degree, -1).T
            load = (weights * wrenches[k]).ravel()
            result[k] -= np.linalg.lstsq(columns, load, rcond=1e-9)[0] @ stress.multipliers
    return result


def _weights(mechanism: Mechanism, joint: str, parameters: object) -> list[float]:
    """Compliances along the force and the couple of a joint; a rigid joint stores no energy."""
    described = mechanism.joints.get(joint)
    given = None if described is None else described.compliance
    if given is None:
        return [0.0] * 6
    both = evaluate([given.translation, given.rotation], parameters)  # type: ignore[arg-type]
    return [*[float(both[0])] * 3, *[float(both[1])] * 3]
