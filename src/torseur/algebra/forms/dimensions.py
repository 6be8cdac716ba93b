"""Dimensions of quantities: powers of the base units, known or still to be solved for.

The dimension of a symbol comes from its unit, from where it is used, or follows from a formula:
unknown exponents are solved for, term after term, so that `k*x + F` gives F a dimension and
`k*x + F*x` then does not fit. Angles have no dimension.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, lru_cache
from typing import Any, final

from torseur.units import SI_UNITS, unit_parts
from torseur.words.sentence import Sentence, say

Power = int | Fraction
BASES = ("kg", "m", "s", "A", "K")
_DERIVED = {
    "N": (1, 1, -2, 0, 0),
    "J": (1, 2, -2, 0, 0),
    "W": (1, 2, -3, 0, 0),
    "Pa": (1, -1, -2, 0, 0),
    "Hz": (0, 0, -1, 0, 0),
    "V": (1, 2, -3, -1, 0),
    "ohm": (1, 2, -3, -2, 0),
    "H": (1, 2, -2, -2, 0),
    "rad": (0, 0, 0, 0, 0),
}
_PREFERRED: dict[tuple[Power, ...], str] = {
    (1, 1, -2, 0, 0): "N",
    (1, 2, -2, 0, 0): "N.m",
    (1, 2, -3, 0, 0): "W",
    (1, 0, -2, 0, 0): "N/m",
    (1, 0, -1, 0, 0): "N.s/m",
    (1, 2, -1, 0, 0): "N.m.s",
    (1, 1, -1, 0, 0): "N.s",
    (1, 2, -3, -1, 0): "V",
    (1, 2, -3, -2, 0): "ohm",
    (1, 2, -2, -2, 0): "H",
}
_NAMES: dict[tuple[Power, ...], str] = {
    (0, 0, 0, 0, 0): "an angle or a plain number",
    (1, 0, 0, 0, 0): "a mass",
    (0, 1, 0, 0, 0): "a length",
    (0, 2, 0, 0, 0): "an area",
    (0, 3, 0, 0, 0): "a volume",
    (0, 0, 1, 0, 0): "a time",
    (0, 1, -1, 0, 0): "a speed",
    (0, 0, -1, 0, 0): "an angular speed or a frequency",
    (0, 1, -2, 0, 0): "an acceleration",
    (0, 0, -2, 0, 0): "an angular acceleration",
    (1, 1, 0, 0, 0): "a mass times a length",
    (1, 2, 0, 0, 0): "a moment of inertia",
    (1, 1, -2, 0, 0): "a force",
    (1, 2, -2, 0, 0): "a couple, an energy or a torsion stiffness",
    (1, 2, -3, 0, 0): "a power",
    (1, -1, -2, 0, 0): "a pressure",
    (1, 0, -2, 0, 0): "a stiffness",
    (1, 0, -1, 0, 0): "a damping",
    (1, 2, -1, 0, 0): "a torsion damping or an angular momentum",
    (1, 1, -1, 0, 0): "a momentum",
    (1, -3, 0, 0, 0): "a density",
    (1, -2, 0, 0, 0): "a mass per area",
    (1, -1, 0, 0, 0): "a mass per length",
    (0, 3, -2, 0, 0): "an attraction",
    (0, 0, 0, 1, 0): "a current",
    (1, 2, -3, -1, 0): "a voltage",
    (1, 2, -3, -2, 0): "a resistance",
    (1, 2, -2, -2, 0): "an inductance",
}


@final
@dataclass(frozen=True)
class Dimension:
    """Powers of kg, m, s, A and K."""

    powers: tuple[Power, ...] = (0,) * 5

    def __mul__(self, other: Dimension) -> Dimension:
        return Dimension(tuple(a + b for a, b in zip(self.powers, other.powers, strict=True)))

    def __pow__(self, exponent: Any) -> Dimension:
        return Dimension(tuple(a * _exact(exponent) for a in self.powers))

    def __str__(self) -> str:
        if self.powers in _PREFERRED:
            return _PREFERRED[self.powers]
        above = [_power(b, p) for b, p in zip(BASES, self.powers, strict=True) if p > 0]
        below = [_power(b, -p) for b, p in zip(BASES, self.powers, strict=True) if p < 0]
        if not above and not below:
            return "no unit"
        return ".".join(above or ["1"]) + "".join(f"/{x}" for x in below)

    @property
    def in_words(self) -> str:
        """Name of a quantity of this dimension, with its unit: `a mass [kg]`."""
        name = Sentence(_NAMES.get(self.powers, "a quantity"), {})
        return name if self == NONE else say("{quantity} [{unit}]", name, str(self))


def _power(base: str, power: Power) -> str:
    return base if power == 1 else f"{base}^{power}"


def _exact(exponent: Any) -> Power:
    """A whole number where it is one, which is quicker than a fraction."""
    return exponent if isinstance(exponent, int) else Fraction(exponent)


NONE = Dimension()


@cache
def dimension(unit: str) -> Dimension | None:
    """The dimension of a unit such as `kg.m^2`, `N/m` or `1`; None for one that is not known."""
    parts = unit_parts(unit)
    if parts is None:
        return None
    product = NONE
    for name, power in parts:
        product = product * (_base(name) or known_dimension(SI_UNITS[name])) ** power
    return product


def _base(name: str) -> Dimension | None:
    if name in _DERIVED:
        return Dimension(_DERIVED[name])
    if name in BASES:
        return Dimension(tuple(int(b == name) for b in BASES))
    return None


def known_dimension(unit: str) -> Dimension:
    """The dimension of a unit that exists."""
    known = dimension(unit)
    assert known is not None, f"{unit} is a known unit"
    return known


# --- dimensions with unknowns -------------------------------------------------------------------


@final
@dataclass(frozen=True)
class DimensionForm:
    """A known dimension times powers of the unknown ones of some symbols."""

    known: Dimension = NONE
    unknown: Mapping[str, Power] = field(default_factory=dict)

    def __mul__(self, other: DimensionForm) -> DimensionForm:
        merged = dict(self.unknown)
        for name, power in other.unknown.items():
            merged[name] = merged.get(name, 0) + power
        return DimensionForm(self.known * other.known, {n: p for n, p in merged.items() if p != 0})

    def __pow__(self, exponent: Any) -> DimensionForm:
        power = _exact(exponent)
        unknown = {n: p * power for n, p in self.unknown.items() if p * power != 0}
        return DimensionForm(self.known**power, unknown)

    def __str__(self) -> str:
        if not self.unknown:
            return str(self.known)
        parts = [f"[{name}]" if p == 1 else f"[{name}]^{p}" for name, p in self.unknown.items()]
        return ".".join([*([str(self.known)] if self.known != NONE else []), *parts])


@lru_cache(maxsize=64)
def _settled_form(known: Dimension) -> DimensionForm:
    """The form in which nothing is unknown."""
    return DimensionForm(known)


@final
class Dimensions:
    """The dimensions of symbols: known ones, and those that formulas reveal."""

    def __init__(self, known: Mapping[str, Dimension]) -> None:
        self._solved: dict[str, DimensionForm] = {
            name: DimensionForm(x) for name, x in known.items()
        }
        self._fresh = 0

    def copied(self) -> Dimensions:
        """Independent copy."""
        copy = Dimensions({})
        copy._solved, copy._fresh = dict(self._solved), self._fresh
        return copy

    def of_symbol(self, name: str) -> DimensionForm:
        """Dimension of a symbol; an unknown of its own if the dimension is not known."""
        solved = self._solved.get(name)
        return DimensionForm(NONE, {name: 1}) if solved is None else self.reduced(solved)

    def reduced(self, form: DimensionForm) -> DimensionForm:
        """A form in which no solved symbol is left."""
        while True:
            known = [name for name in form.unknown if name in self._solved]
            if not known:
                return form
            power = form.unknown[known[0]]
            rest = {n: p for n, p in form.unknown.items() if n != known[0]}
            form = DimensionForm(form.known, rest) * self._solved[known[0]] ** power

    def equate(self, a: DimensionForm, b: DimensionForm) -> bool:
        """Whether two forms can be the same; an unknown is solved for if that makes them so."""
        if not b.unknown:
            if not a.unknown:
                return a.known == b.known
            ((name, power),) = list(a.unknown.items())[:1]
            if len(a.unknown) == 1 and power == 1 and a.known is NONE and name not in self._solved:
                self._solved[name] = b  # most often: a parameter where it is used first
                return True
        apart = self.reduced(a * b**-1)
        if not apart.unknown:
            return apart.known == NONE
        name, power = next(iter(apart.unknown.items()))
        rest = DimensionForm(apart.known, {n: p for n, p in apart.unknown.items() if n != name})
        self._solved[name] = rest ** (Fraction(-1) / power)
        return True

    def is_open(self, name: str) -> bool:
        """Whether nothing at all is known of a symbol."""
        return name not in self._solved

    def fresh(self) -> DimensionForm:
        """The dimension of a number that may hide one."""
        self._fresh += 1
        return DimensionForm(NONE, {f"#{self._fresh}": 1})

    def learn(self, name: str, measured: Dimension) -> bool:
        """Whether a symbol can have a dimension, which it then has."""
        if name not in self._solved:
            self._solved[name] = _settled_form(measured)
            return True
        return self.equate(self.of_symbol(name), DimensionForm(measured))

    def known(self, name: str) -> Dimension | None:
        """The dimension of a symbol, if nothing of it is open."""
        solved = self._solved.get(name)
        if solved is None or solved.unknown:
            solved = self.of_symbol(name)
        return None if solved.unknown else solved.known
