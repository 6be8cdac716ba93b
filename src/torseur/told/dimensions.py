"""Dimensions: what every term of a formula measures, and whether they go together.

The dimension of a symbol comes from its unit, from where the model uses it, or follows from the
formula: unknown exponents are solved for, term after term, so that `k*x + F` gives F a dimension
and `k*x + F*x` then does not fit. Angles have no dimension.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, final

from torseur.language.literals import plain_unit, si_unit
from torseur.told.faults import DIMENSIONS, Fault
from torseur.told.formula.nodes import Node

BASES = ("kg", "m", "s", "A", "K")
_DERIVED = {
    "N": (1, 1, -2, 0, 0),
    "J": (1, 2, -2, 0, 0),
    "W": (1, 2, -3, 0, 0),
    "Pa": (1, -1, -2, 0, 0),
    "Hz": (0, 0, -1, 0, 0),
    "rad": (0, 0, 0, 0, 0),
}
_PREFERRED = {
    (1, 1, -2, 0, 0): "N",
    (1, 2, -2, 0, 0): "N.m",
    (1, 2, -3, 0, 0): "W",
    (1, 0, -2, 0, 0): "N/m",
    (1, 0, -1, 0, 0): "N.s/m",
    (1, 2, -1, 0, 0): "N.m.s",
    (1, 1, -1, 0, 0): "N.s",
}
_TOKEN = re.compile(r"([A-Za-z°]+)(?:\^?(-?\d{1,2}))?|([./*·])")
_EXACT_DENOMINATOR = 16  # 9.81 may hide a dimension, 0.5 and 1/12 do not


@final
@dataclass(frozen=True)
class Dimension:
    """Powers of kg, m, s, A and K."""

    powers: tuple[Fraction, ...] = (Fraction(0),) * 5

    def __mul__(self, other: Dimension) -> Dimension:
        return Dimension(tuple(a + b for a, b in zip(self.powers, other.powers, strict=True)))

    def __pow__(self, exponent: Any) -> Dimension:
        return Dimension(tuple(a * Fraction(exponent) for a in self.powers))

    def __str__(self) -> str:
        for powers, unit in _PREFERRED.items():
            if self.powers == powers:
                return unit
        above = [_power(b, p) for b, p in zip(BASES, self.powers, strict=True) if p > 0]
        below = [_power(b, -p) for b, p in zip(BASES, self.powers, strict=True) if p < 0]
        if not above and not below:
            return "no unit"
        return ".".join(above or ["1"]) + "".join(f"/{x}" for x in below)


def _power(base: str, power: Fraction) -> str:
    return base if power == 1 else f"{base}^{power}"


NONE = Dimension()


def dimension(unit: str) -> Dimension | None:
    """The dimension of a unit such as `kg.m^2` or `N/m`; None for one that is not known."""
    text, found, sign, at = si_unit(plain_unit(unit)), NONE, 1, 0
    if not text.strip() or text.strip() == "1":
        return NONE if text.strip() else None
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            return None
        at = token.end()
        name, power, operator = token.groups()
        if operator:
            sign = -1 if operator == "/" else 1
            continue
        base = _base(name)
        if base is None:
            return None
        found, sign = found * base ** (sign * int(power or 1)), 1
    return found


def _base(name: str) -> Dimension | None:
    if name in _DERIVED:
        return Dimension(tuple(Fraction(x) for x in _DERIVED[name]))
    if name in BASES:
        return Dimension(tuple(Fraction(int(b == name)) for b in BASES))
    return None


# --- dimensions with unknowns -------------------------------------------------------------------


@final
@dataclass(frozen=True)
class Form:
    """A known dimension times powers of the unknown ones of some symbols."""

    known: Dimension = NONE
    unknown: Mapping[str, Fraction] = field(default_factory=dict)

    def __mul__(self, other: Form) -> Form:
        merged = dict(self.unknown)
        for name, power in other.unknown.items():
            merged[name] = merged.get(name, Fraction(0)) + power
        return Form(self.known * other.known, {n: p for n, p in merged.items() if p != 0})

    def __pow__(self, exponent: Any) -> Form:
        power = Fraction(exponent)
        unknown = {n: p * power for n, p in self.unknown.items() if p * power != 0}
        return Form(self.known**power, unknown)

    def __str__(self) -> str:
        if not self.unknown:
            return str(self.known)
        parts = [f"[{name}]" if p == 1 else f"[{name}]^{p}" for name, p in self.unknown.items()]
        return ".".join([*([str(self.known)] if self.known != NONE else []), *parts])


@final
class Dimensions:
    """The dimensions of symbols: known ones, and those that formulas reveal."""

    def __init__(self, known: Mapping[str, Dimension]) -> None:
        self._solved: dict[str, Form] = {name: Form(x) for name, x in known.items()}
        self._fresh = 0

    @property
    def metre(self) -> Form:
        """A length."""
        return Form(Dimension(tuple(Fraction(int(b == "m")) for b in BASES)))

    @property
    def joule(self) -> Form:
        """An energy."""
        return Form(Dimension(tuple(Fraction(x) for x in _DERIVED["J"])))

    @property
    def second(self) -> Form:
        """A time."""
        return Form(Dimension(tuple(Fraction(int(b == "s")) for b in BASES)))

    def of_symbol(self, name: str) -> Form:
        """Of a symbol; its own unknown if nothing is known of it."""
        return self.reduced(self._solved.get(name, Form(NONE, {name: Fraction(1)})))

    def reduced(self, form: Form) -> Form:
        """A form in which no solved symbol is left."""
        while True:
            known = [name for name in form.unknown if name in self._solved]
            if not known:
                return form
            power = form.unknown[known[0]]
            rest = {n: p for n, p in form.unknown.items() if n != known[0]}
            form = Form(form.known, rest) * self._solved[known[0]] ** power

    def equate(self, a: Form, b: Form) -> bool:
        """Whether two forms can be the same; an unknown is solved for if that makes them so."""
        apart = self.reduced(a * b ** Fraction(-1))
        if not apart.unknown:
            return apart.known == NONE
        name, power = next(iter(apart.unknown.items()))
        rest = Form(apart.known, {n: p for n, p in apart.unknown.items() if n != name})
        self._solved[name] = rest ** (Fraction(-1) / power)
        return True

    def fresh(self) -> Form:
        """The dimension of a number that may hide one."""
        self._fresh += 1
        return Form(NONE, {f"#{self._fresh}": Fraction(1)})

    # --- formulas -------------------------------------------------------------------------------

    def read(self, x: Node) -> tuple[Form, list[Fault]]:
        """The dimension of a formula, and every place where it is not homogeneous."""
        faults: list[Fault] = []
        return self._read(x, faults), faults

    def _read(self, x: Node, faults: list[Fault]) -> Form:
        if x.kind == "number":
            return Form() if _plain(x.value) else self.fresh()
        if x.kind in ("symbol", "unknown", "vector"):
            return self.of_symbol(x.value if x.kind != "vector" else f"vec({x.value})")
        if x.kind == "pow":
            return self._power(x, faults)
        forms = [self._read(part, faults) for part in x.args]
        if x.kind in ("add", "equal", "tuple"):
            return self._same(x, forms, faults)
        if x.kind in ("mul", "cross"):
            made = forms[0]
            for form in forms[1:]:
                made = made * form
            return made
        if x.kind == "div":
            return forms[0] * forms[1] ** Fraction(-1)
        if x.kind == "call":
            return self._call(x, forms, faults)
        if x.kind == "rate":
            return forms[0] * self.second ** Fraction(-x.value)
        return forms[0]  # neg and norm

    def _same(self, x: Node, forms: list[Form], faults: list[Fault]) -> Form:
        """The dimension that all terms share; zero has any."""
        pairs = [(p, f) for p, f in zip(x.args, forms, strict=True) if not p.is_zero]
        if not pairs:
            return self.fresh()
        first, form = pairs[0]
        for part, other in pairs[1:]:
            if not self.equate(form, other):
                a, b = (f"[{self.reduced(y)}]" for y in (form, other))
                key = "set equal" if x.kind == "equal" else "added"
                parts = (str(first), a, str(part), b)
                faults.append(Fault(DIMENSIONS, key, parts, part.place))
        return self.reduced(form)

    def _power(self, x: Node, faults: list[Fault]) -> Form:
        base, exponent = x.args
        form, power = self._read(base, faults), _number(exponent)
        if power is not None:
            return form**power
        if not self.equate(form, Form()):
            parts = (str(x), str(base), f"[{form}]")
            faults.append(Fault(DIMENSIONS, "power of a quantity", parts, x.place))
        return Form()

    def _call(self, x: Node, forms: list[Form], faults: list[Fault]) -> Form:
        if x.value == "sqrt":
            return forms[0] ** Fraction(1, 2)
        if x.value == "abs":
            return forms[0]
        for part, form in zip(x.args, forms, strict=True):
            if x.value != "sign" and not self.equate(form, Form()):
                parts = (str(part), str(x.value), f"[{self.reduced(form)}]")
                faults.append(Fault(DIMENSIONS, "function of a quantity", parts, x.place))
        return Form()


def _plain(value: Any) -> bool:
    """Whether a number has no dimension for certain: 2, 1/3 or 0.25, but not 9.81."""
    return isinstance(value, int) or (
        isinstance(value, Fraction) and value.denominator <= _EXACT_DENOMINATOR
    )


def _number(x: Node) -> Fraction | None:
    """The value of an exponent made of numbers."""
    if x.kind == "number":
        return Fraction(x.value)
    parts = [_number(part) for part in x.args]
    if any(part is None for part in parts) or x.kind not in ("neg", "div", "mul"):
        return None
    if x.kind == "neg":
        return -parts[0]  # type: ignore[operator]
    a, b = parts
    return a / b if x.kind == "div" else a * b  # type: ignore[operator]
