"""Self-stresses: the wrenches that over-constrained loops can hold in themselves, joint by joint.

Multipliers with Jᵀ λ = 0 change no motion. What they put into the joints is found by statics, from
the closing joints inward through the tree; a joint in which all of them vanish has one reaction.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from torseur.dynamics.tree.closure import Closure
from torseur.topology.tree import Tree

Array = np.ndarray


@final
@dataclass(frozen=True)
class SelfStressWrench:
    """Wrench of a joint, a contact or a tooth between two bodies, for each self-stress."""

    name: str
    A: int  # indices in the tree, −1 for the ground
    B: int
    wrench: Array  # (6, h) of A on B: force, then couple at the origin of the ground, ground axes


def transmitted(loops: list[Closure], multipliers: Array) -> list[SelfStressWrench]:
    """The wrenches of closing joints from their multipliers (rows, h), in their order."""
    wrenches, start = [], 0
    for closure in loops:
        cut, X = closure.cut, closure.X_WM
        wrench = np.asarray(closure.T, dtype=float) @ multipliers[start : start + cut.rows]
        start += cut.rows
        force, couple = X.R.out(wrench[3:]), X.R.out(wrench[:3])
        moment = couple + np.cross(np.asarray(X.p, dtype=float), force, axis=0)
        components = np.concatenate([force, moment]).astype(float)
        wrenches.append(SelfStressWrench(cut.name, cut.A, cut.B, components))
    return wrenches


def carried(tree: Tree, acting: Sequence[SelfStressWrench], h: int) -> dict[str, Array]:
    """The wrenches (6, h) in the joints of the tree, from what acts besides them."""
    loads = np.zeros((len(tree), 6, h))
    for part in acting:
        for i, sign in ((part.A, -1.0), (part.B, 1.0)):
            if i >= 0:
                loads[i] += sign * part.wrench

    # inward: each joint carries what acts on its body and on everything beyond
    wrenches = {}
    for i, link in tree.backwards():
        wrenches[link.joint_name] = -loads[i]
        if link.parent >= 0:
            loads[link.parent] += loads[i]
    return wrenches
