"""Distances |u| written u or −u, as they are where the mechanism starts, under conditions told.

The distance between the ends of a rod is its length wherever the rod holds: the reaction of a rod
is along r/|r|; a book writes r/l, since |r| = l along every motion.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, final

from torseur.algebra.core.coefficients import terms
from torseur.algebra.core.expr import CONFIGURATION, ONE, PARAMETER, Expr, expression, number
from torseur.algebra.core.graph import evaluate, flat, free_symbols, reachable, substitute
from torseur.algebra.forms.readable import readable
from torseur.algebra.printing.reading_order import Ranks
from torseur.algebra.printing.text import text
from torseur.dynamics.tree.closure import Closure
from torseur.equations.constraints.conditions import GivenConstraints
from torseur.equations.constraints.constraint_rows import Held
from torseur.equations.symbols.system import System
from torseur.model.joints.library import Distance
from torseur.model.parameters import values
from torseur.words.sentence import say

_ZERO = 1e-9


@final
class SignsAtStart:
    """Writes u or −u for |u|, and keeps under which conditions."""

    def __init__(self, system: System) -> None:
        mechanism = system.mechanism
        known: dict[str, Any] = dict.fromkeys(system.coordinates, 0.0)
        given = values(mechanism.parameter_table)
        known |= {name: 1.0 if value is None else value for name, value in given.items()}
        first = {k: expression(x) for k, x in mechanism.initial.items() if not k.endswith(".")}
        known |= {k: float(evaluate(x, known)) for k, x in first.items()}
        joints = dict.fromkeys(mechanism.coordinates, 0.0) | known
        known |= {x.name: float(evaluate(x.value, joints)) for x in mechanism.chosen.values()}
        self._known = known
        self._moving = {*system.coordinates}
        self.sizes: dict[Expr, Expr] = {}  # |u| → u or −u

    @property
    def away_from_zero(self) -> set[str]:
        """The coordinates that are not zero at the start."""
        return {name for name in self._moving if abs(self._known[name]) > _ZERO}

    def value(self, x: Expr) -> float | None:
        """The value of a formula at the start; None if it has other names."""
        names = {y.name for y in free_symbols(x)}
        return float(evaluate(x, self._known)) if names <= set(self._known) else None

    @property
    def positive(self) -> tuple[Expr, ...]:
        """Expressions that must be positive for the formulas; r1 + r2 of radii always is."""
        sizes = dict.fromkeys(readable(size) for size in self.sizes.values())
        return tuple(size for size in sizes if not self._is_sum_of_lengths(size))

    def _is_sum_of_lengths(self, size: Expr) -> bool:
        """Whether something is a sum of parameters that are positive."""
        return size.stage <= PARAMETER and all(
            c > 0 and float(evaluate(core, self._known)) > 0 for c, core in terms(size, {})
        )

    def without_sizes(self, outputs: Any) -> Any:
        """u or −u for |u|, and 1 or −1 for its sign, of positions; what is zero there stays."""
        changed: dict[Expr, Expr] = {}
        for size in reachable(flat(outputs)):
            if size.op not in ("abs", "sign") or size.stage > CONFIGURATION:
                continue
            if not {y.name for y in free_symbols(size)} <= set(self._known):
                continue
            inner = size.args[0]
            value = float(evaluate(inner, self._known))
            if abs(value) > _ZERO:
                sign = 1 if value > 0 else -1
                self.sizes[abs(inner)] = sign * inner
                changed[size] = sign * inner if size.op == "abs" else number(sign)
        return substitute(outputs, changed) if changed else outputs


def where_positive(positive: Iterable[Expr], ranks: Ranks) -> list[str]:
    """The line below formulas that tells where they hold; none if they hold everywhere."""
    conditions = ", ".join(f"{text(x, ranks=ranks)} > 0" for x in positive)
    return [say("where {conditions}", conditions)] if conditions else []


def rod_lengths(constraints: Held) -> dict[Expr, Expr]:
    """Replacements of |r| and 1/|r| of each rod: l and 1/l."""
    lengths: dict[Expr, Expr] = {}
    for closure in () if isinstance(constraints, GivenConstraints) else constraints.closures:
        if isinstance(closure.cut.joint, Distance):
            apart = expression(closure.p @ closure.p).sqrt()
            l = expression(closure.cut.joint.length)
            lengths |= {apart: l, ONE / apart: ONE / l}
    return lengths


def squared_gap(closure: Closure, rod: Distance) -> Expr:
    """r² − l², which is zero with |r| − l and has no root."""
    return expression(closure.p @ closure.p) - expression(rod.length) ** 2
