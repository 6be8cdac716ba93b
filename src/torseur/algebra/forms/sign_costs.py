"""What terms and atoms cost their reader, in the signs of `length`, without laying them out."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import final

from torseur.algebra.core.coefficients import split
from torseur.algebra.core.expr import Expr, Scalar


@final
class SignCosts:
    """The signs of atoms, each counted once."""

    def __init__(self) -> None:
        self._known: dict[int, int] = {}

    def of_term(self, factors: Sequence[tuple[Expr, Scalar]], c: Scalar) -> int:
        """The signs of coefficient × product, its own sign excepted."""
        size = abs(c)
        above = any(e > 0 for _, e in factors)
        below = sum(e < 0 for _, e in factors)
        total = sum(self.of_factor(x, e) for x, e in factors)
        if isinstance(size, Fraction):
            total += 1 + (size.numerator != 1 or not above)
            below += 1
        else:
            total += size != 1 or not above
        return total + (1 + (below > 1) if below else 0)

    def of_factor(self, x: Expr, e: Scalar) -> int:
        """The signs of an atom to a power."""
        return self.of_atom(x) + (e not in (1, -1))

    def of_atom(self, x: Expr) -> int:
        """The signs of an atom; a sum has brackets around it."""
        if x.key not in self._known:
            self._known[x.key] = self._counted(x)
        return self._known[x.key]

    def _counted(self, x: Expr) -> int:
        if not x.args:
            return 1
        if x.op == "add":
            return 1 + self._sum(x)
        if x.op == "mul":
            c, core = split(x)
            parts = x.args if core is x else (core,)
            return sum(self.of_atom(a) for a in parts) + (abs(c) != 1)
        if x.op == "pow":
            return self.of_atom(x.args[0]) + 1
        lone = len(x.args) == 1 and not x.args[0].args
        inner = sum(self._sum(a) if a.op == "add" else self.of_atom(a) for a in x.args)
        return 1 + inner + (not lone)

    def _sum(self, x: Expr) -> int:
        """The signs of a sum without brackets."""
        total, count, pending = 0, 0, [x]
        while pending:
            part = pending.pop()
            c, core = split(part)
            if core.op == "add" and core is part:
                pending.extend(core.args)
                continue
            count += 1
            total += self.of_atom(core) + (2 if isinstance(c, Fraction) else abs(c) != 1)
        return total + count - 1
