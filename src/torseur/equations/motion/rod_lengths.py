"""The distance between the ends of a rod, which is its length wherever the rod holds.

The reaction of a rod is along r/|r|; a book writes r/l, since |r| = l along every motion.
"""

from __future__ import annotations

from torseur.algebra.core.expr import ONE, Expr, expression
from torseur.dynamics.tree.closure import Closure
from torseur.equations.constraints.conditions import GivenConstraints
from torseur.equations.constraints.rows import Held
from torseur.model.joints.distance import Distance


def rod_lengths(constraints: Held) -> dict[Expr, Expr]:
    """Replacements of |r| and 1/|r| of each rod: l and 1/l."""
    lengths: dict[Expr, Expr] = {}
    for closure in () if isinstance(constraints, GivenConstraints) else constraints.closures:
        if isinstance(closure.cut.joint, Distance):
            apart, l = _apart(closure), expression(closure.cut.joint.length)
            lengths |= {apart: l, ONE / apart: ONE / l}
    return lengths


def squared_gap(closure: Closure, rod: Distance) -> Expr:
    """r² − l², which is zero with |r| − l and has no root."""
    return expression(closure.p @ closure.p) - expression(rod.length) ** 2


def _apart(closure: Closure) -> Expr:
    return expression(closure.p @ closure.p).sqrt()
