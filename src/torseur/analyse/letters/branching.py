"""Polynomial equations of rest split into branches, each solved one unknown after another.

A product that vanishes branches over its factors; an equation linear in an unknown gives it, where
its coefficient is not zero; a quadratic stays as a relation u² = …, with which everything else is
reduced. Nothing of a higher degree is solved: what is left is handed back as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, final

from torseur.analyse.letters.polynomials import Letters, Quotient, factors_of
from torseur.analyse.letters.putting import (
    by_squares,
    linear,
    powers,
    put,
    summed,
    valued,
    work_of,
)

if TYPE_CHECKING:
    from sympy.polys.rings import PolyElement

MOST_BRANCHES = 48
_MOST_TERMS = 1500  # of an equation on the way
_MOST_WORK = 300_000  # products of terms in one step
_ALL_WORK = 1_500_000  # products of terms in all steps: seconds


@final
@dataclass(frozen=True)
class PartlySolved:
    """A branch: unknowns by the others, quadratic relations, what is left."""

    given: dict[int, Quotient] = field(default_factory=dict)  # unknown → value
    squares: dict[int, PolyElement] = field(default_factory=dict)  # unknown → its quadratic
    left: tuple[PolyElement, ...] = ()  # equations that are not solved
    required: tuple[PolyElement, ...] = ()  # polynomials of parameters that must vanish
    nonzero: tuple[PolyElement, ...] = ()

    def reduced(self, p: PolyElement) -> Quotient:
        """A polynomial with the values put in, reduced by the quadratic relations."""
        total = Quotient(p, p.ring.one)
        for place, value in self.given.items():
            total = put(total.above, place, value) * Quotient(p.ring.one, total.below)
        return by_squares(total.above, self.squares) * Quotient(p.ring.one, total.below)

    @property
    def plain(self) -> PartlySolved:
        """With the values that are numbers or letters alone: what has them stays short."""
        short = {k: x for k, x in self.given.items() if x.below.is_ground and len(x.above) <= 1}
        return PartlySolved({k: x for k, x in short.items() if not _reaches(x, self.given, short)})

    def value(self, x: Quotient) -> Quotient:
        """A quotient with the values put in."""
        above, below = self.reduced(x.above), self.reduced(x.below)
        return (above * below.power(-1)).lowest

    def vanishes(self, p: PolyElement) -> bool:
        """Whether a polynomial is zero in this branch."""
        return not self.reduced(p).above


@final
class Splitter:
    """Branches of a system of polynomial equations in some unknowns."""

    def __init__(
        self,
        letters: Letters,
        unknowns: Sequence[int],
        first: Sequence[int],
        loads: Sequence[int] = (),
    ) -> None:
        """`first` are solved for before others; a branch may require values of `loads`."""
        self.letters = letters
        self.loads = loads
        self.unknowns = frozenset(unknowns)
        self.first = {place: k for k, place in enumerate(first)}
        self.pairs = self._pairs()
        self.count = 0
        self.work = 0
        self.stopped = False  # whether branches may be missing

    def _pairs(self) -> dict[int, int]:
        """Cosine → sine of each angle among the unknowns."""
        return {
            place: self.letters.place(atom.args[0].sin())
            for place, atom in enumerate(self.letters.atoms)
            if atom.op == "cos" and place in self.unknowns
        }

    def branches(self, equations: Sequence[PolyElement]) -> Iterator[PartlySolved]:
        """All branches; the search ends when there are too many."""
        yield from self._follow(list(equations), PartlySolved())

    def _follow(self, equations: list[PolyElement], state: PartlySolved) -> Iterator[PartlySolved]:
        while True:
            if self.count > MOST_BRANCHES or self.work > _ALL_WORK:
                self.stopped = True
                return
            tidy = self._tidied(equations, state)
            if tidy is None:
                return
            equations, state = tidy
            if not equations:
                yield from self._ended(state)
                return
            step = self._constant_step(equations)
            if step is not None:
                place, value, equation = step
                others = [p for p in equations if p is not equation]
                if self._too_long(place, value, others, state):
                    self.count += 1
                    yield replace(state, left=tuple(equations))
                    return
                equations, state = self._given(place, value, others, state)
                continue
            break
        yield from self._branched(equations, state)

    def _tidied(
        self, equations: list[PolyElement], state: PartlySolved
    ) -> tuple[list[PolyElement], PartlySolved] | None:
        """Equations without constant factors, those of parameters apart; None if contradictory."""
        listed: list[PolyElement] = []
        required = list(state.required)
        for p in equations:
            p = self._on_circles(state.reduced(p).above, state)
            if not p:
                continue
            if p.is_ground:
                return None
            if len(p) > _MOST_TERMS:
                return _given_up(equations, state)
            if not self._present(p):
                p = self._load_condition(p)
                if p is None:
                    return None
                if p not in required:
                    required.append(p)
                continue
            p = self._without_constants(p)
            if p not in listed:
                listed.append(p)
        if any(state.vanishes(p) for p in state.nonzero):
            return None
        return listed, PartlySolved(
            state.given, state.squares, state.left, tuple(required), state.nonzero
        )

    def _load_condition(self, p: PolyElement) -> PolyElement | None:
        """Value of a load for which a polynomial of parameters vanishes, if there is one."""
        for load in self.loads:
            slope, rest = linear(p, load)
            if slope is not None and rest is not None:
                value = Quotient(rest, slope).lowest
                return value.below * self.letters.generators[load] + value.above
        return None

    def _on_circles(self, p: PolyElement, state: PartlySolved) -> PolyElement:
        """With 1 − cos² for sin² of the angles of which nothing is known."""
        known = {*state.given, *state.squares}
        generator = self.letters.generators
        circles = {
            sine: generator[sine] ** 2 + generator[cosine] ** 2 - 1
            for cosine, sine in self.pairs.items()
            if cosine not in known and sine not in known
        }
        return by_squares(p, circles).above

    def _without_constants(self, p: PolyElement) -> PolyElement:
        """Monic in content: without the powers of letters that are not unknown."""
        p = p.primitive()[1]
        shared = [min(column) for column in zip(*p.itermonoms(), strict=True)]
        factor = p.ring.one
        for place, power in enumerate(shared):
            if power and place not in self.unknowns:
                factor *= self.letters.generators[place] ** power
        return p.exquo(factor) if factor != 1 else p

    def _present(self, p: PolyElement) -> list[int]:
        """The unknowns of a polynomial, those to solve for first at the front."""
        degrees = p.degrees()
        present = [k for k in self.unknowns if degrees[k] > 0]
        return sorted(present, key=lambda k: (self.first.get(k, len(self.first) + k), k))

    def _constant_step(
        self, equations: list[PolyElement]
    ) -> tuple[int, Quotient, PolyElement] | None:
        """An unknown that an equation is linear in, with a coefficient of parameters."""
        choices = []
        for p in equations:
            for place in self._present(p):
                slope, rest = linear(p, place)
                if slope is None or rest is None or self._present(slope):
                    continue
                sine = self._is_sine(place) and bool(self._present(rest))
                order = (sine, self.first.get(place, len(self.first) + place), len(p))
                choices.append((order, place, Quotient(-rest, slope).lowest, p))
        if not choices:
            return None
        _, place, value, p = min(choices, key=lambda x: x[0])
        return place, value, p

    def _too_long(
        self, place: int, value: Quotient, equations: list[PolyElement], state: PartlySolved
    ) -> bool:
        """Whether putting in a value takes too many products of terms; they are counted."""
        parts = [x for y in state.given.values() for x in (y.above, y.below)]
        work = sum(work_of(p, place, value) for p in (*parts, *equations, *state.nonzero))
        self.work += min(work, _MOST_WORK)
        return work > _MOST_WORK

    def _is_sine(self, place: int) -> bool:
        return place in self.pairs.values()

    def _given(
        self, place: int, value: Quotient, equations: list[PolyElement], state: PartlySolved
    ) -> tuple[list[PolyElement], PartlySolved]:
        """With an unknown put in; a sine or a cosine leaves the other as a relation."""
        known = {k: valued(x, place, value) for k, x in state.given.items()}
        generator, one = self.letters.generators, self.letters.ring.one
        more, squares = [], dict(state.squares)
        if place in squares:
            more.append(squares.pop(place))
        squares = {k: put(p, place, value).above for k, p in squares.items()}
        for cosine, sine in self.pairs.items():
            if place == cosine and sine not in state.given:
                square = generator[sine] ** 2 - one
                more.append(summed(square, value.power(2)))
            elif place == sine and cosine not in state.given:
                more.append(summed(generator[cosine] ** 2 - one, value.power(2)))
        equations = [put(p, place, value).above for p in equations] + more
        nonzero = tuple(put(p, place, value).above for p in state.nonzero)
        return equations, PartlySolved(
            {**known, place: value}, squares, state.left, state.required, nonzero
        )

    def _branched(
        self, equations: list[PolyElement], state: PartlySolved
    ) -> Iterator[PartlySolved]:
        """Over the factors of a product, over the coefficient of an unknown, or a quadratic."""
        factored = [(self._factors(p), p) for p in equations]
        products = [x for x in factored if len(x[0]) != 1 or x[0][0] != x[1]]
        if products:
            factors, p = min(products, key=lambda x: (len(x[0]) > 1, max(map(len, x[0]))))
            rest = [x for x in equations if x is not p]
            for k, factor in enumerate(factors):
                self.count += k > 0
                yield from self._follow([factor, *rest], _with_nonzero(state, factors[:k]))
            return
        for p in sorted(equations, key=len):
            for place in self._present(p):
                slope, constant = linear(p, place)
                if slope is None or constant is None:
                    continue
                others = [x for x in equations if x is not p]
                self.count += 1
                yield from self._follow([slope, constant, *others], state)
                value = Quotient(-constant, slope).lowest
                following = _with_nonzero(state, [slope])
                if self._too_long(place, value, others, state):
                    self.count += 1
                    yield replace(following, left=tuple(equations))
                    return
                ahead, following = self._given(place, value, others, following)
                yield from self._follow(ahead, following)
                return
        for p in sorted(equations, key=len):
            present = self._present(p)
            squared = self._quadratic(p, present)
            if squared is not None:
                others = [x for x in equations if x is not p]
                squares = {**state.squares, squared: p}
                state = PartlySolved(
                    state.given, squares, state.left, state.required, state.nonzero
                )
                yield from self._follow(others, state)
                return
        self.count += 1
        yield PartlySolved(
            state.given, state.squares, tuple(equations), state.required, state.nonzero
        )

    def _quadratic(self, p: PolyElement, present: Sequence[int]) -> int | None:
        """The unknown of a quadratic with a coefficient of parameters, preferably a sine."""
        for place in sorted(present, key=lambda k: not self._is_sine(k)):
            parts = powers(p, place)
            alone = len(present) == 1 or (self._is_sine(place) and 1 not in parts)
            if alone and max(parts) == 2 and not self._present(parts[2]):
                return place
        return None

    def _factors(self, p: PolyElement) -> list[PolyElement]:
        """The irreducible factors that have unknowns, each once."""
        return [self._without_constants(f) for f, _ in factors_of(p)[1] if self._present(f)]

    def _ended(self, state: PartlySolved) -> Iterator[PartlySolved]:
        """A solved branch; where two squares are equal, one for each sign between them."""
        places = list(state.squares)
        for i, one in enumerate(places):
            for other in places[:i]:
                a, b = powers(state.squares[one], one), powers(state.squares[other], other)
                if 1 in a or 1 in b or 0 not in a or 0 not in b:
                    continue
                if a[0] * b[2] == b[0] * a[2]:
                    generator = self.letters.generators
                    squares = {k: p for k, p in state.squares.items() if k != one}
                    base = PartlySolved(
                        state.given, squares, state.left, state.required, state.nonzero
                    )
                    for sign in (1, -1):
                        value = Quotient(sign * generator[other], self.letters.ring.one)
                        self.count += sign < 0
                        known = {k: valued(x, one, value) for k, x in base.given.items()}
                        yield from self._ended(
                            PartlySolved(
                                {**known, one: value},
                                squares,
                                base.left,
                                base.required,
                                base.nonzero,
                            )
                        )
                    return
        below = [x.below for x in state.given.values() if not x.below.is_ground]
        if any(state.vanishes(p) for p in (*state.nonzero, *below)):
            return
        self.count += 1
        yield state


def _reaches(x: Quotient, given: dict[int, Quotient], short: dict[int, Quotient]) -> bool:
    """Whether a value speaks of an unknown that stays."""
    degrees = x.above.degrees() if x.above else ()
    return any(d > 0 and k in given and k not in short for k, d in enumerate(degrees))


def _given_up(
    equations: list[PolyElement], state: PartlySolved
) -> tuple[list[PolyElement], PartlySolved]:
    return [], PartlySolved(
        state.given, state.squares, tuple(equations), state.required, state.nonzero
    )


def _with_nonzero(state: PartlySolved, factors: Sequence[PolyElement]) -> PartlySolved:
    return PartlySolved(
        state.given, state.squares, state.left, state.required, (*state.nonzero, *factors)
    )
