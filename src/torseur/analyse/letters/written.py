"""Quotients of polynomials as the shortest formulas that can be found for them.

A formula of parameters alone is tried with the relations of its branch, too: with cos α as a letter
and one parameter less it may be a line where it was a page.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from torseur.algebra.core.expr import ONE, Expr, expression
from torseur.algebra.core.graph import free_symbols
from torseur.algebra.forms.length import length
from torseur.algebra.forms.readable import readable
from torseur.analyse.letters.branching import PartlySolved
from torseur.analyse.letters.polynomials import Letters, NotAlgebraicError, Quotient, factors_of
from torseur.analyse.letters.putting import powers, put

if TYPE_CHECKING:
    from sympy.polys.rings import PolyElement


_READABLE = 40  # terms of what is worth several tries
_PAGE = 100  # terms of what is not put in
_WAYS = 6
_SAVED = 5  # signs


def factored(letters: Letters, x: Quotient) -> Expr:
    """A quotient as a product of factors, or multiplied out where that is shorter."""
    above, below = _product(letters, x.above), _product(letters, x.below)
    ways = [expression(above / below), *_with_tangents(letters, x)]
    if len(x.above) + len(x.below) <= _READABLE:
        ways.append(expression(readable(above / below)))
    return min(ways, key=length)


def tidied(x: Expr) -> Expr:
    """A formula as a product of factors in lowest terms; zero where it vanishes."""
    if not free_symbols([x]):
        return expression(x)
    try:
        letters = Letters([x], ())
        value = letters.quotient(x).lowest
        if not letters.atoms or not value.above:
            return expression(letters.expr(value.above) / letters.expr(value.below))
        return expression(readable(factored(letters, value)))
    except NotAlgebraicError:
        return expression(x)


def _with_tangents(letters: Letters, x: Quotient) -> Iterator[Expr]:
    """A quotient with the tangent of an angle for sin/cos, where both are factors."""
    if not x.above:
        return
    shared = [min(column) for column in zip(*x.above.itermonoms(), strict=True)]
    divided = [min(column) for column in zip(*x.below.itermonoms(), strict=True)]
    for angle in letters.angles:
        cosine, sine = (letters.place(f) for f in (angle.cos(), angle.sin()))
        power = min(shared[sine], divided[cosine])
        if power:
            rest = x.above.exquo(letters.generators[sine] ** power)
            below = x.below.exquo(letters.generators[cosine] ** power)
            ratio = _product(letters, rest) / _product(letters, below)
            yield expression(ratio * angle.tan() ** power)


def _product(letters: Letters, p: PolyElement) -> Expr:
    if not p:
        return expression(0)
    content, factors = factors_of(p)
    total = letters.expr(p.ring.one * content)
    for factor, power in factors:
        part = expression(letters.expr(factor))
        total = total * (expression(readable(part)) if len(factor) <= _READABLE else part) ** power
    return expression(total) if factors else total * ONE


def shortest(letters: Letters, branch: PartlySolved, x: Quotient) -> Expr:
    """The shortest formula of a quotient in a branch, no cosine below at an odd power.

    Lengths and forces that are known in parameters stand in it where they save several signs.
    """

    def cost(y: Expr) -> int:
        known = any(z.kind in ("coordinate", "reaction") for z in _outside_waves(y))
        return length(y) + (_SAVED if known else 0)

    return min((factored(letters, y) for y in forms(letters, branch, x)), key=cost)


def _outside_waves(x: Expr) -> Iterator[Expr]:
    """The letters of a formula that do not stand in a sine or a cosine."""
    left = [x]
    while left:
        y = left.pop()
        if y.op == "symbol":
            yield y
        elif y.op not in ("sin", "cos", "tan"):
            left += y.args


def forms(letters: Letters, branch: PartlySolved, x: Quotient) -> list[Quotient]:
    """The shortest forms of a quotient: in parameters alone, with coordinates for one of them."""
    value, plain = branch.value(x), x.lowest
    if _terms(value) > max(_PAGE, _terms(plain)):
        return [plain]
    ways = [value, *_with_relations(letters, branch, value)]
    return sorted(ways, key=_terms)[:_WAYS]


def _terms(x: Quotient) -> int:
    return len(x.above) + len(x.below)


def _with_relations(letters: Letters, branch: PartlySolved, value: Quotient) -> Iterator[Quotient]:
    """With one parameter less, by a relation between it and a coordinate."""
    for place, known in branch.given.items():
        if known.below.is_ground and known.above.is_ground:
            continue
        if letters.atoms[place].op == "symbol" and letters.atoms[place].kind == "reaction":
            continue
        relation = known.below * letters.generators[place] - known.above
        for parameter in _letters_of(relation, place):
            parts = powers(relation, parameter)
            power = max(parts)
            if len(parts) != 2 or 0 not in parts:
                continue
            known_power = Quotient(-parts[0], parts[power]).lowest
            other = _replaced(value, parameter, power, known_power)
            if other is not None:
                yield from _by_sines(letters, other, place)


def _letters_of(p: PolyElement, besides: int) -> Sequence[int]:
    return [k for k, e in enumerate(p.degrees()) if e and k != besides]


def _replaced(x: Quotient, place: int, power: int, value: Quotient) -> Quotient | None:
    """With a quotient for a power of a letter that enters by its multiples only."""
    pieces = []
    for p in (x.above, x.below):
        parts = powers(p, place) if p else {0: p}
        if any(e % power for e in parts):
            return None
        raised = sum((c * p.ring.gens[place] ** (e // power) if e else c for e, c in parts.items()),
                     p.ring.zero)  # fmt: skip
        pieces.append(put(raised, place, value))
    return (pieces[0] * pieces[1].power(-1)).lowest if pieces[1].above else None


def _by_sines(letters: Letters, x: Quotient, place: int) -> Iterator[Quotient]:
    """Quotient itself, and with 1 − sin² for cos²; neither below at an odd power."""
    atom = letters.atoms[place]
    wave = atom.op in ("sin", "cos")
    if not wave or not any(m[place] % 2 for m in x.below.itermonoms()):
        yield x
    if atom.op != "cos":
        return
    sine = letters.generator(atom.args[0].sin())
    one = letters.ring.one
    other = _replaced(x, place, 2, Quotient(one - sine**2, one))
    if other is not None:
        yield other
