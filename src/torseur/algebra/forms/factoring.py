"""Sums of products written with as few signs as a search finds: common factors, squares of sums.

A step takes what some terms have in common out of them, D a + D b = D (a + b), or writes
A x² ± 2 A x y + A y² as A (x ± y)². The step that saves most signs is taken, as long as one does:
the extraction of kernels (Brayton and McMullen 1982), with signs for its measure. A sum in brackets
is an atom like any other, so that products of sums are found by the same step. The search looks at
a bounded number of pairs of terms; beyond it they are left as they are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, permutations
from math import gcd, lcm
from typing import final

from torseur.algebra.core import rules
from torseur.algebra.core.coefficients import over, scale, split
from torseur.algebra.core.coefficients import terms as terms_of
from torseur.algebra.core.expr import ONE, PARAMETER, ZERO, Expr, Scalar, exact, node, number
from torseur.algebra.forms.length import SignCosts, book_size
from torseur.algebra.forms.normal_form import Monomial, Polynomial, monomial_of
from torseur.algebra.printing.decimals import is_decimal

Factors = tuple[tuple[int, Scalar], ...]  # places of atoms and exponents, in order
Terms = dict[Factors, Scalar]
_Items = tuple[tuple[Monomial, Scalar], ...]
_Types = tuple[type, ...]
_TRIES = ((8, 6), (16, 4), (30, 2))  # divisors that are followed to the end, by number of terms
_AHEAD = 6  # terms of a sum of which every first step is followed to its end
_FAR_AHEAD = 14  # and of one that is also tried by its parameters
_KEPT = 512  # sums that are remembered: both sides of a line are tried in several ways
_WORK = 12_000  # pairs of terms and divisors that one search looks at


def shortest_sum(terms: Polynomial) -> Expr:
    """The sum of the terms, written with as few signs as the search finds."""
    return _shortest_sum(*_key(terms))


@lru_cache(maxsize=_KEPT)
def _shortest_sum(terms: _Items, _: _Types) -> Expr:
    search = _Search()
    return as_node(search.known(search.shortest(search.read(dict(terms)))))


def factor_of(common: Monomial, terms: Polynomial) -> Polynomial:
    """D × a sum of at least two terms, as short as the search finds it, as one term."""
    return dict(_factor_of(common, *_key(terms)))


@lru_cache(maxsize=_KEPT)
def _factor_of(common: Monomial, terms: _Items, _: _Types) -> Polynomial:
    search = _Search()
    (lead,) = search.read({common: 1})
    return search.known(search.times(lead, search.read(dict(terms))))


def _key(terms: Polynomial) -> tuple[_Items, _Types]:
    """Cache key of a sum: 0.5 equals 1/2, but is printed differently."""
    items = tuple(terms.items())
    return items, tuple(type(x) for m, c in items for x in (c, *(e for _, e in m)))


def as_node(terms: Polynomial) -> Expr:
    """A sum as it is written: no rule gathers its terms otherwise."""
    nodes = [_term(monomial, c) for monomial, c in terms.items()]
    if not nodes:
        return ZERO
    total, *others = sorted(nodes, key=lambda x: split(x)[1].key)
    for x in others:
        total = node("add", (total, x), None, max(total.stage, x.stage))
    return total


def _term(monomial: Monomial, c: Scalar) -> Expr:
    if not monomial:
        return number(c)
    total = ONE
    for atom, e in monomial:
        factor = rules.power(atom, e)
        if total is not ONE:
            factor = node("mul", (total, factor), None, max(total.stage, factor.stage))
        total = factor
    coefficient, core = split(total)
    return scale(exact(coefficient * c), core)


@final
class _Search:
    """The atoms of a search by their places, sums that were shortened, the work that is left."""

    def __init__(self) -> None:
        self._atoms: list[Expr] = []
        self._places: dict[int, int] = {}
        self._costs = SignCosts()
        self._common_costs: dict[Factors, int] = {}
        self._term_costs: dict[tuple[Factors, Scalar, type | int], tuple[int, bool]] = {}
        self._insides: dict[tuple[int, Scalar, type], tuple[Factors, Scalar] | None] = {}
        self._shortened: dict[frozenset[tuple[Factors, Scalar]], Terms] = {}
        self._bracketed: dict[frozenset[tuple[Factors, Scalar]], tuple[Factors, Scalar]] = {}
        self._ends: dict[frozenset[tuple[Factors, Scalar]], Terms] = {}
        self._left = _WORK

    def read(self, terms: Polynomial) -> Terms:
        """Terms with places of atoms."""
        return {tuple(sorted((self._place(x), e) for x, e in m)): c for m, c in terms.items()}

    def known(self, terms: Terms) -> Polynomial:
        """Terms with atoms again."""
        return {monomial_of({self._atoms[x]: e for x, e in m}): c for m, c in terms.items()}

    def _place(self, x: Expr) -> int:
        if x.key not in self._places:
            self._places[x.key] = len(self._atoms)
            self._atoms.append(x)
        return self._places[x.key]

    def _cost(self, terms: Terms) -> int:
        total, minus = len(terms) - 1, True
        for m, c in terms.items():
            cost, negative = self._term_cost(m, c)
            total += cost
            minus = minus and negative
        return total + minus

    def _term_cost(self, factors: Factors, c: Scalar) -> tuple[int, bool]:
        """The signs of a term, and whether it has a minus sign that no sum in it can take.

        Counted once: a step leaves most terms as they are.
        """
        key: tuple[Factors, Scalar, type | int] = (factors, c, type(c))
        if type(c) is Fraction:  # whose hash is slow
            key = (factors, c.numerator, c.denominator)
        known = self._term_costs.get(key)
        if known is None:
            atoms = [(self._atoms[x], e) for x, e in factors]
            minus = c < 0 and not any(x.op == "add" and e % 2 for x, e in atoms)
            known = self._term_costs[key] = self._costs.of_term(atoms, c), minus
        return known

    # --- steps ------------------------------------------------------------------------------------

    def shortest(self, terms: Terms) -> Terms:
        """The terms, those that have something in common as products with sums in brackets."""
        key = frozenset(terms.items())
        if key not in self._shortened:
            self._shortened[key] = self._search(terms)
        return self._shortened[key]

    def _search(self, terms: Terms) -> Terms:
        """Search from a sum: a short sum tries every first step, a long one the best.

        A longer sum is also tried with the terms of each mass, or other parameter, together.
        """
        if not 2 < len(terms) <= _FAR_AHEAD:
            return self._follow(terms)
        if len(terms) <= _AHEAD:
            ends = [terms, *(self._follow(step) for step in self._steps(terms))]
        else:
            ends = [self._follow(terms), *map(self._follow, self._by_parameters(terms))]
        return min(ends, key=lambda end: (self._cost(end), len(end)))

    def _by_parameters(self, terms: Terms) -> Iterator[Terms]:
        """The sum with what a parameter multiplies in brackets, the most frequent ones first."""
        counts = Counter(x for m in terms for x, e in m if e == 1)
        for place, count in counts.most_common():
            x = self._atoms[place]
            if x.op == "symbol" and x.stage <= PARAMETER and 2 < count < len(terms):
                common = ((place, 1),)
                yield self._taken_out(terms, common, [m for m in terms if common[0] in m])

    def _follow(self, terms: Terms) -> Terms:
        """The step that saves most, as long as one does."""
        key = frozenset(terms.items())
        if key not in self._ends:
            self._ends[key] = self._to_the_end(terms)
        return self._ends[key]

    def _to_the_end(self, terms: Terms) -> Terms:
        cost = self._cost(terms)
        while len(terms) > 1 and self._left > 0:
            costs = ((self._cost(step), step) for step in self._steps(terms))
            least, best = min(costs, key=lambda pair: pair[0], default=(cost, terms))
            if least > cost or (least == cost and len(best) >= len(terms)):
                break
            terms, cost = best, least
        return terms

    def _steps(self, terms: Terms) -> Iterator[Terms]:
        """The sums that one step makes of a sum, those that promise most first."""
        yield from self._squares(terms)
        yield from self._folded(terms)
        yield from self._alike(terms)
        if content(terms) != 1:
            yield self.times((), terms)
        elif (bar := _divisor(terms)) != 1:
            yield dict([self._over(terms, bar)])
        gains = []
        divisors = _divisors(terms)
        exponents = [(m, dict(m)) for m in terms]
        self._left -= len(terms) * (len(divisors) + len(terms))
        for common in divisors:
            inside = [m for m, powers in exponents if _divides(common, powers)]
            if len(inside) > 1:
                gains.append(((1 - len(inside)) * self._common_cost(common), common, inside))
        tries = next((most for few, most in _TRIES if len(terms) <= few), 1)
        for _, common, inside in sorted(gains, key=lambda gain: gain[:2])[:tries]:
            yield self._taken_out(terms, common, inside)

    def _common_cost(self, common: Factors) -> int:
        if common not in self._common_costs:
            costs = (self._costs.of_factor(self._atoms[x], e) for x, e in common)
            self._common_costs[common] = sum(costs)
        return self._common_costs[common]

    def _taken_out(self, terms: Terms, common: Factors, inside: list[Factors]) -> Terms:
        """D a + D b + r = D (a + b) + r."""
        rest = dict(terms)
        quotient = {_quotient(m, common): rest.pop(m) for m in inside}
        return _with(rest, self.times(common, quotient))

    def times(self, common: Factors, terms: Terms) -> Terms:
        """D × a sum, a number that all its terms have in common taken out of it too."""
        key = frozenset(terms.items())
        if key not in self._bracketed:
            self._bracketed[key] = self._in_brackets(terms)
        factors, c = self._bracketed[key]
        return {_joined(common, factors): c}

    def _in_brackets(self, terms: Terms) -> tuple[Factors, Scalar]:
        """A sum as one term; of several fractions, (4 a² + 9 b²)/8 if a²/2 + 9 b²/8 is longer."""
        ways = [self._over(terms, x) for x in dict.fromkeys((content(terms), _divisor(terms)))]
        for factors, c in tuple(ways):
            if type(c) is Fraction and len(factors) == 1 and factors[0][1] == 1:
                into = self._put_into(factors[0][0], c)
                ways += [] if into is None else [into]
        return min(ways, key=lambda way: self._term_cost(*way)[0])

    def _over(self, terms: Terms, size: Scalar) -> tuple[Factors, Scalar]:
        """A sum as one term, a number taken out of it."""
        inner = self.shortest({m: over(c, size) for m, c in terms.items()})
        if len(inner) == 1:
            ((factors, c),) = inner.items()
        else:
            c, core = split(as_node(self.known(inner)))
            factors = ((self._place(core), 1),)
        return factors, exact(c * size)

    def _alike(self, terms: Terms) -> Iterator[Terms]:
        """a/4 + b/4 + c/3 = (a + b)/4 + c/3: terms with one fraction."""
        sizes = Counter(abs(c) for c in terms.values())
        for size, count in sizes.items() if 2 < len(terms) <= _AHEAD else ():
            if type(size) is Fraction and 1 < count < len(terms):
                inside = {m: c for m, c in terms.items() if abs(c) == size}
                rest = {m: c for m, c in terms.items() if m not in inside}
                yield _with(rest, self.times((), inside))

    def _folded(self, terms: Terms) -> Iterator[Terms]:
        """2 (a/2 + b/3) as a + 2 b/3 in brackets: numbers go into sums that have fractions."""
        for m, c in terms.items():
            for place, e in m if abs(c) != 1 else ():
                into = self._put_into(place, c) if e == 1 else None
                if into is not None:
                    rest = {other: k for other, k in terms.items() if other != m}
                    left = tuple(pair for pair in m if pair[0] != place)
                    yield _with(rest, {_joined(left, into[0]): into[1]})

    def _put_into(self, place: int, c: Scalar) -> tuple[Factors, Scalar] | None:
        """c × a sum, the number put into it, if one of them has fractions."""
        key = (place, c, type(c))
        if key not in self._insides:
            self._insides[key] = self._with_number_inside(place, c)
        return self._insides[key]

    def _with_number_inside(self, place: int, c: Scalar) -> tuple[Factors, Scalar] | None:
        parts = terms_of(self._atoms[place], {})
        if len(parts) < 2 or not any(type(k) is Fraction for k in (c, *(k for k, _ in parts))):
            return None
        times = c if c > 0 else -c
        inner: Terms = {
            () if x is ONE else ((self._place(x), 1),): exact(times * k) for k, x in parts
        }
        size, core = split(as_node(self.known(inner)))
        return ((self._place(core), 1),), exact(size if c > 0 else -size)

    def _squares(self, terms: Terms) -> Iterator[Terms]:
        """A x² ± 2 A x y + B y² = A (x ± y)² + (B − A) y², where B is A, or more than A."""
        pairs = permutations if len(terms) <= _FAR_AHEAD else combinations
        signed = {x for c in terms.values() for x in (c, -c)}
        doubled = {m for m, c in terms.items() if 2 * c in signed}  # one that may be A x²
        for one, two in pairs(terms, 2) if doubled and len(terms) > 2 else ():
            if one not in doubled:
                continue
            c, left = terms[one], exact(terms[two] - terms[one])
            if left * c < 0 or (left == 0 and one > two and pairs is permutations):
                continue
            shared = _common(one, dict(two))
            x, y = (_root(_quotient(m, shared)) for m in (one, two))
            if x is None or y is None:
                continue
            middle = _joined(_joined(shared, x), y)
            d = terms.get(middle, 0)
            if d not in (2 * c, -2 * c):
                continue
            size, core = split(as_node(self.known({x: 1, y: 1 if d == 2 * c else -1})))
            rest = {m: k for m, k in terms.items() if m not in (one, two, middle)}
            rest |= {two: left} if left else {}
            whole = _joined(shared, ((self._place(core), 2),))
            yield _with(rest, {whole: exact(c * size**2)})


def _with(terms: Terms, more: Terms) -> Terms:
    for m, c in more.items():
        terms[m] = exact(terms.get(m, 0) + c)
    return {m: c for m, c in terms.items() if c != 0}


# --- products of atoms --------------------------------------------------------------------------


def _divisors(terms: Terms) -> list[Factors]:
    """Common factors of pairs of terms, and single factors, without repetition."""
    divisors: dict[Factors, None] = {}
    for (one, _), (_, other) in combinations([(m, dict(m)) for m in terms], 2):
        divisors[_common(one, other)] = None
    for m in terms:
        for x, e in m:
            divisors[((x, 1 if e > 0 else -1),)] = None
    divisors.pop((), None)
    return list(divisors)


def _common(a: Factors, other: dict[int, Scalar]) -> Factors:
    shared = []
    for x, e in a:
        f = other.get(x, 0)
        if f == e:
            shared.append((x, e))
        elif e > 0 and f > 0:
            shared.append((x, min(e, f)))
        elif e < 0 and f < 0:
            shared.append((x, max(e, f)))
    return tuple(shared)


def _divides(common: Factors, powers: dict[int, Scalar]) -> bool:
    for x, e in common:
        f = powers.get(x, 0)
        if f < e if e > 0 else f > e:
            return False
    return True


def _quotient(factors: Factors, common: Factors) -> Factors:
    divisor = dict(common)
    left = []
    for pair in factors:
        x, e = pair
        power = divisor.get(x, 0)
        if power == 0:
            left.append(pair)
        elif power != e:
            left.append((x, exact(e - power)))
    return tuple(left)


def _joined(a: Factors, b: Factors) -> Factors:
    both = dict(a)
    for x, e in b:
        both[x] = exact(both.get(x, 0) + e)
    return tuple(sorted((x, e) for x, e in both.items() if e != 0))


def _root(factors: Factors) -> Factors | None:
    if not all(isinstance(e, int) and e % 2 == 0 for _, e in factors):
        return None
    return tuple((x, int(e) // 2) for x, e in factors)


def content(terms: Terms) -> Scalar:
    """Common factor of numbers, with the sign of the first one."""
    size = book_size(terms.values())
    return -size if terms[min(terms)] < 0 else size


def _divisor(terms: Terms) -> Scalar:
    """Number of which all are whole multiples; their common factor unless all are exact."""
    numbers = [c for c in terms.values() if not isinstance(c, float) and not is_decimal(c)]
    if len(numbers) < len(terms):
        return content(terms)
    shared, bar = gcd(*(c.numerator for c in numbers)), lcm(*(c.denominator for c in numbers))
    size = shared if bar == 1 else Fraction(shared, bar)
    return -size if terms[min(terms)] < 0 else size
