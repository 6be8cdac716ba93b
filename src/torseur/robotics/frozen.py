"""Forces of an arm whose wrist is frozen, and of the wrist while the arm rests.

The wrist, welded at its mean posture, is one body with the link that carries it: fewer operations
than the recursion over its links, with numbers in the place of their coordinates.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from torseur.algebra.core.expr import Expr, number
from torseur.algebra.core.graph import substitute
from torseur.algebra.forms.count import count
from torseur.equations.symbols.system import System
from torseur.errors import require_known
from torseur.machine.compiled import compile
from torseur.model.description import Joint, Mechanism
from torseur.model.forces.protocol import joints_of
from torseur.model.joints.library import Fixed
from torseur.robotics.pruning import Pruned
from torseur.robotics.states import States

Array = np.ndarray
Build = Callable[[System], Array]
_SAME = 1e-9  # of the largest force: two ways to write the same forces


def with_frozen(
    system: System, outputs: Array, states: States, frozen: tuple[str, ...], build: Build
) -> Array:
    """Rows of the arm with the wrist at its mean posture, of the wrist with the arm at rest.

    `build` makes the forces of a system. Of two ways to write the rows of the arm, which agree at
    the states, the one of fewer operations is taken.
    """
    names = system.coordinates
    require_known("reduced", "coordinate", frozen, names)
    wrist = [names.index(name) for name in frozen]
    arm = [k for k in range(len(names)) if k not in wrist]
    posture = {names[k]: float(states.q[:, k].mean()) for k in wrist}
    held: dict[Expr, Any] = {system.q[k]: number(posture[names[k]]) for k in wrist}
    held |= {x[k]: number(0) for x in (system.v, system.a) for k in wrist}
    resting = {x[k]: number(0) for x in (system.v, system.a) for k in arm}
    rows = outputs.copy()
    rows[arm] = substitute(outputs[arm], held)
    rows[wrist] = substitute(outputs[wrist], resting)
    welded = compile(_welded(system.mechanism, posture), fixed=True).system
    if welded.coordinates != tuple(names[k] for k in arm):
        return rows  # a joint of several coordinates that is frozen in part
    other = rows.copy()
    other[arm] = substitute(build(welded), held)
    same = Pruned(list(rows), states.values(system), len(states)).errors(other).max() <= _SAME
    return min(rows, other, key=lambda x: count(x).total) if same else rows


def _welded(mechanism: Mechanism, posture: Mapping[str, float]) -> Mechanism:
    """The mechanism with the joints of a posture fixed, and without what acts in them."""
    fixed = {
        name: joint
        for name, joint in mechanism.joints.items()
        if joint.coordinates and set(joint.coordinates) <= posture.keys()
    }
    joints = {name: _fixed(joint, posture) for name, joint in fixed.items()}
    loads = {n: x for n, x in mechanism.loads.items() if not set(joints_of(x)) & fixed.keys()}
    motors = {name: x for name, x in mechanism.motors.items() if x.joint not in fixed}
    return replace(
        mechanism,
        joints={**mechanism.joints, **joints},
        loads=loads,
        motors=motors,
        initial={},
        events={},
        inputs=(),
    )


def _fixed(joint: Joint, posture: Mapping[str, float]) -> Joint:
    """A joint that keeps its second body where the posture has it."""
    q = np.array([number(posture[name]) for name in joint.coordinates], dtype=object)
    X_AF = joint.X_AF @ joint.kind.transform(q)
    return Joint(joint.name, Fixed(), joint.first, joint.second, X_AF, joint.X_BM)
