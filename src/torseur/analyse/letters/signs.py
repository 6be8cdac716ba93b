"""Signs of polynomials whose letters are positive, and conditions that are left of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

from torseur.algebra.core.expr import Expr
from torseur.algebra.core.graph import evaluate
from torseur.algebra.printing import latex, unicode
from torseur.algebra.printing.reading_order import Ranks
from torseur.algebra.printing.text import text
from torseur.analyse.letters.polynomials import Letters, Quotient, factors_of
from torseur.analyse.letters.putting import powers
from torseur.analyse.letters.written import factored

if TYPE_CHECKING:
    from sympy.polys.rings import PolyElement


@final
@dataclass(frozen=True)
class Inequality:
    """left > right or left < right."""

    left: Expr
    sign: str
    right: Expr

    def text(self, ranks: Ranks | None = None) -> str:
        """The inequality in letters that can be read back."""
        return f"{text(self.left, ranks=ranks)} {self.sign} {text(self.right, ranks=ranks)}"

    def written(self, ranks: Ranks | None = None) -> str:
        """The inequality as a book writes it."""
        left, right = (unicode.unicode_text(x, ranks=ranks) for x in (self.left, self.right))
        return f"{left} {self.sign} {right}"

    def latex(self, ranks: Ranks | None = None) -> str:
        """The inequality in LaTeX."""
        left, right = (latex.latex(x, ranks=ranks) for x in (self.left, self.right))
        return f"{left} {self.sign} {right}"

    def holds(self, values: dict[str, float]) -> bool:
        """Whether it holds at given values."""
        left, right = (float(evaluate(x, values)) for x in (self.left, self.right))
        return left > right if self.sign == ">" else left < right


@final
class Signs:
    """Signs of polynomials, where parameters, and coordinates known to be, are positive."""

    def __init__(self, letters: Letters, positive: Sequence[Expr]) -> None:
        self.letters = letters
        self._any = self._unsure(letters, positive)

    @staticmethod
    def _unsure(letters: Letters, positive: Sequence[Expr]) -> set[int]:
        """The places of the atoms that may be negative."""
        unsure = set()
        for k, atom in enumerate(letters.atoms):
            moves = atom.op == "symbol" and atom.kind != "parameter"
            if (
                letters.varies(atom) or moves or atom.op in ("sin", "cos")
            ) and atom not in positive:
                unsure.add(k)
        return unsure

    def of(self, p: PolyElement) -> int:
        """1, −1, or 0 where it is not known."""
        if not p:
            return 0
        constant = self._constant(p)
        if constant is not None:
            return 1 if constant > 0 else -1
        signs = set()
        for monomial, coefficient in p.terms():
            if any(e % 2 for k, e in enumerate(monomial) if k in self._any):
                return 0
            signs.add(coefficient > 0)
        return 0 if len(signs) > 1 else (1 if signs.pop() else -1)

    def _constant(self, p: PolyElement) -> float | None:
        """The value of a polynomial of numbers alone, such as 9 π − 16, times one monomial."""
        shared = [min(column) for column in zip(*p.itermonoms(), strict=True)]
        rest = [(tuple(e - f for e, f in zip(m, shared, strict=True)), c) for m, c in p.terms()]
        used = {k for m, _ in rest for k, e in enumerate(m) if e}
        if any(self.letters.atoms[k].op != "constant" for k in used):
            return None
        if any(e % 2 for k, e in enumerate(shared) if k in self._any):
            return None
        total = 0.0
        for monomial, coefficient in rest:
            term = float(coefficient)
            for k in used:
                term *= float(evaluate(self.letters.atoms[k], {})) ** monomial[k]
            total += term
        return total

    def split(self, p: PolyElement) -> tuple[int, list[PolyElement]]:
        """The sign of the factors that have one, and the others to odd powers."""
        content, factors = factors_of(p)
        sign, open_factors = (1 if content > 0 else -1), []
        for factor, power in factors:
            if power % 2 == 0:
                continue
            known = self.of(factor)
            sign *= known or 1
            if not known:
                open_factors.append(factor)
        return sign, open_factors

    def of_quotient(self, x: Quotient) -> int:
        """The sign of a quotient by its factors; 0 where it is not known."""
        if not x.above:
            return 0
        (one, above), (other, below) = self.split(x.above), self.split(x.below)
        return 0 if above or below else one * other

    def condition(self, p: PolyElement, preferred: Sequence[int]) -> tuple[Inequality, ...] | None:
        """p > 0: nothing where it always holds, None where it never does.

        `preferred` are letters to solve for, the first that enters by one power only.
        """
        sign, left = self.split(p)
        if not left:
            return () if sign > 0 else None
        total = sign * p.ring.one
        for factor in left:
            total *= factor
        return (self._solved(total, preferred),)

    def _solved(self, p: PolyElement, preferred: Sequence[int]) -> Inequality:
        """p > 0, for a letter where that is possible."""
        degrees = p.degrees()
        others = [k for k, e in enumerate(degrees) if e and k not in preferred]
        for place in [k for k in (*preferred, *others) if degrees[k]]:
            parts = powers(p, place)
            if place in self._any and max(parts) % 2:
                continue
            if len(parts) == 2 and 0 in parts and (sign := self.of(parts[max(parts)])):
                power = max(parts)
                value = Quotient(-parts[0], parts[power]).lowest
                left = self.letters.atoms[place] ** power
                return Inequality(left, ">" if sign > 0 else "<", factored(self.letters, value))
        positive = {m: c for m, c in p.terms() if c > 0}
        negative = {m: -c for m, c in p.terms() if c < 0}
        left, right = (p.ring.from_dict(x) for x in (positive, negative))
        one = p.ring.one
        return Inequality(
            factored(self.letters, Quotient(left, one)),
            ">",
            factored(self.letters, Quotient(right, one)),
        )
