"""Expressions as quotients of polynomials in letters, sines and cosines, and back.

Each angle x stands as the pair (cos x, sin x); sin² x is written 1 − cos² x. SymPy factors the
polynomials, which are sparse and exact. What is not algebraic (a table, |x|, an exponential of a
coordinate) has no such form.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache, reduce
from typing import TYPE_CHECKING, Any, final

from torseur.algebra.core import rules
from torseur.algebra.core.expr import ZERO, Expr, expression, number
from torseur.algebra.core.graph import free_symbols
from torseur.algebra.forms.normal_form import normal_form
from torseur.analyse.letters.common_factors import common_divisor, factor_list
from torseur.words.sentence import say

if TYPE_CHECKING:
    from sympy.polys.rings import PolyElement

_FACTORED = 60  # terms of what is factored
_SHORT = 3  # terms of what is factored at once
MOST_TERMS = 4000  # of an equation or of an entry of a matrix


class NotAlgebraicError(Exception):
    """An expression that is no quotient of polynomials; its text is the reason."""


@final
@dataclass(frozen=True)
class Quotient:
    """above / below, two polynomials."""

    above: PolyElement
    below: PolyElement

    def __add__(self, other: Quotient) -> Quotient:
        if self.below == other.below:
            return Quotient(self.above + other.above, self.below)
        above = self.above * other.below + other.above * self.below
        return Quotient(above, self.below * other.below)

    def __mul__(self, other: Quotient) -> Quotient:
        return Quotient(self.above * other.above, self.below * other.below)

    def power(self, exponent: int) -> Quotient:
        """An integer power."""
        if exponent < 0:
            return Quotient(self.below**-exponent, self.above**-exponent)
        return Quotient(self.above**exponent, self.below**exponent)

    @cached_property
    def lowest(self) -> Quotient:
        """In lowest terms, with whole coefficients and a positive denominator."""
        if not self.above or not self.below:
            return self if self.above else Quotient(self.above, self.above.ring.one)
        shared = common_divisor(self.above, self.below)
        one, above = self.above.exquo(shared).primitive()
        other, below = self.below.exquo(shared).primitive()
        ratio = one / other
        sign = 1 if below.LC > 0 else -1
        return Quotient(above * (sign * ratio.numerator), below * (sign * ratio.denominator))


@final
class Letters:
    """A ring of polynomials in the letters of some expressions."""

    def __init__(self, outputs: Iterable[Any], variables: Sequence[Expr], extra: int = 0) -> None:
        """`variables` are the angles and lengths that vary; `extra` generators have no letter."""
        from sympy import QQ
        from sympy.polys.rings import ring

        self.variables = tuple(variables)
        self._forms: dict[Expr, Mapping[Any, Any]] = {}
        atoms: dict[Expr, None] = {}
        for x in outputs:
            self._gather(expression(x), atoms)
        # the cosine of an angle goes with its sine
        pairs = {x.args[0]: None for x in atoms if x.op in ("sin", "cos")}
        for angle in pairs:
            atoms |= dict.fromkeys((rules.function("cos", angle), rules.function("sin", angle)))
        self.atoms = tuple(sorted(atoms, key=self._order))
        names = [f"x{k}" for k in range(len(self.atoms) + extra)]
        self.ring, *generators = ring(names, QQ)
        self.generators = tuple(generators)
        self.extra = self.generators[len(self.atoms) :]
        self._place = {atom: k for k, atom in enumerate(self.atoms)}
        self.angles = tuple(pairs)

    def _order(self, atom: Expr) -> tuple[bool, str, str]:
        return (self.varies(atom), atom.op, str(atom))

    def varies(self, atom: Expr) -> bool:
        """Whether an atom changes with the variables."""
        return any(x in self.variables for x in free_symbols([atom]))

    # --- from expressions -----------------------------------------------------------------------

    def _form(self, x: Expr) -> Mapping[Any, Any]:
        known = self._forms.get(x)
        if known is None:
            form = normal_form(x, split_angles=True, most=MOST_TERMS)
            if form is None:
                raise NotAlgebraicError(say("an equation is too long."))
            known = self._forms[x] = form.terms
        return known

    def _gather(self, x: Expr, atoms: dict[Expr, None]) -> None:
        """The atoms of an expression."""
        for monomial in self._form(x):
            for atom, exponent in monomial:
                if atom.op == "add" and isinstance(exponent, int):
                    self._gather(atom, atoms)
                    continue
                for one in _parts(atom, exponent):
                    self._require(one)
                    atoms[one] = None

    def _require(self, atom: Expr) -> None:
        if atom.op in ("symbol", "constant"):
            return
        varies = self.varies(atom)
        if atom.op in ("sin", "cos") and (not varies or atom.args[0].op == "symbol"):
            return
        if varies:
            raise NotAlgebraicError(say("{atom} is not algebraic.", str(atom)))

    def place(self, atom: Expr) -> int:
        """The place of an atom among the generators."""
        return self._place[atom]

    def generator(self, atom: Expr) -> PolyElement:
        """The generator of an atom."""
        return self.generators[self._place[atom]]

    def has(self, atom: Expr) -> bool:
        """Whether an atom is a generator."""
        return atom in self._place

    def quotient(self, x: Any) -> Quotient:
        """An expression as a quotient of polynomials."""
        parts = [
            reduce(
                Quotient.__mul__,
                (self._factor(atom, exponent) for atom, exponent in monomial),
                Quotient(self.ring.one * _rational(coefficient), self.ring.one),
            )
            for monomial, coefficient in self._form(expression(x)).items()
        ]
        return sum_of(parts) if parts else Quotient(self.ring.zero, self.ring.one)

    def _factor(self, atom: Expr, exponent: Any) -> Quotient:
        if atom.op == "add" and isinstance(exponent, int):
            return self.quotient(atom).power(exponent)
        total = Quotient(self.ring.one, self.ring.one)
        whole = exponent if isinstance(exponent, int) else int(Fraction(exponent) // 1)
        if whole:
            total = total * self._whole(atom, whole)
        for one in _parts(atom, exponent):
            if one is not atom:
                total = total * Quotient(self.generator(one), self.ring.one)
        return total

    def _whole(self, atom: Expr, exponent: int) -> Quotient:
        if atom in self._place:
            return Quotient(self.generator(atom), self.ring.one).power(exponent)
        return self.quotient(atom).power(exponent)

    # --- back to expressions --------------------------------------------------------------------

    def expr(self, p: PolyElement) -> Expr:
        """The expression of a polynomial."""
        total = ZERO
        for monomial, coefficient in p.terms():
            term = number(_scalar(coefficient))
            for atom, exponent in zip(self.atoms, monomial, strict=False):
                if exponent:
                    term = rules.multiply(term, rules.power(atom, exponent))
            total = rules.add(total, term)
        return total


def _parts(atom: Expr, exponent: Any) -> list[Expr]:
    """The atoms that stand for a power: √x is an atom of its own."""
    if isinstance(exponent, int):
        return [atom]
    half = rules.power(atom, Fraction(exponent) - Fraction(exponent) // 1)
    return [half] if Fraction(exponent) // 1 == 0 else [half, atom]


def _rational(coefficient: Any) -> Any:
    from sympy import QQ

    x = Fraction(repr(coefficient) if isinstance(coefficient, float) else coefficient)
    return QQ(x.numerator, x.denominator)


def _scalar(coefficient: Any) -> Any:
    x = Fraction(int(coefficient.numerator), int(coefficient.denominator))
    return x.numerator if x.denominator == 1 else x


@lru_cache(maxsize=4096)
def factors_of(p: PolyElement) -> tuple[Any, tuple[tuple[PolyElement, int], ...]]:
    """Content and irreducible factors with their powers; of a long one only some of them.

    What is linear in a letter, a mass most often, is irreducible up to what its slope and its rest
    share.
    """
    simple = [k for k, e in enumerate(p.degrees()) if e == 1] if len(p) > _SHORT else []
    if simple:
        return _by_linear(p, simple)
    if len(p) <= _FACTORED:
        content, listed = factor_list(p)
        return content, tuple(listed)
    content, rest = p.primitive()
    powers = []
    shared = [min(column) for column in zip(*p.itermonoms(), strict=True)]
    for generator, power in zip(p.ring.gens, shared, strict=True):
        if power:
            rest = rest.exquo(generator**power)
            powers.append((generator, power))
    return content, (*powers, (rest, 1))


def _by_linear(
    p: PolyElement, places: Sequence[int]
) -> tuple[Any, tuple[tuple[PolyElement, int], ...]]:
    """Factors of a polynomial that is linear in some letters, by the shortest slope."""
    slopes = {k: p.diff(p.ring.gens[k]) for k in places}
    place, slope = min(slopes.items(), key=lambda x: len(x[1]))
    shared = common_divisor(slope, p - slope * p.ring.gens[place])
    content, listed = factors_of(shared)
    more, rest = p.exquo(shared).primitive()
    return content * more, (*listed, (rest, 1))


def sum_of(parts: Iterable[Quotient]) -> Quotient:
    """The sum of quotients, over the least common multiple of their denominators."""
    listed = list(parts)
    ring = listed[0].above.ring
    below = ring.one
    for part in listed:
        if part.below != 1:
            below = below.lcm(part.below)
    above = ring.zero
    for part in listed:
        above += part.above * below.exquo(part.below)
    return Quotient(above, below)
