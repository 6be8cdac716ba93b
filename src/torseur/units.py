"""Units at the border: every quantity inside Torseur is in SI units and radians."""

import re
from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType

# Exact factors to SI. Angles in radians: the degree is π/180 and is kept symbolic by the parser.
_EXACT: dict[str, int | Fraction | float] = {
    "m": 1, "kg": 1, "s": 1, "rad": 1, "N": 1, "J": 1, "W": 1, "Pa": 1, "Hz": 1, "K": 1, "A": 1,
    "km": 1000, "dm": Fraction(1, 10), "cm": Fraction(1, 100), "mm": Fraction(1, 1000),
    "um": Fraction(1, 10**6), "in": Fraction(254, 10000), "ft": Fraction(3048, 10000),
    "g": Fraction(1, 1000), "t": 1000, "lb": Fraction(45359237, 10**8),
    "ms": Fraction(1, 1000), "us": Fraction(1, 10**6), "min": 60, "mn": 60, "h": 3600, "d": 86400,
    "kN": 1000, "mN": Fraction(1, 1000), "daN": 10, "lbf": Fraction(44482216152605, 10**13),
    "kJ": 1000, "MJ": 10**6, "Wh": 3600, "kWh": 3600000,
    "kW": 1000, "MW": 10**6, "ch": Fraction(73549875, 10**5), "hp": 745.6998715822702,
    "kPa": 1000, "MPa": 10**6, "GPa": 10**9, "bar": 100000, "kHz": 1000, "L": Fraction(1, 1000),
}  # fmt: skip
_ANGLES: dict[str, Fraction] = {  # in units of π
    "deg": Fraction(1, 180),
    "°": Fraction(1, 180),
    "tr": Fraction(2),
    "rev": Fraction(2),
    "rpm": Fraction(2, 60),
    "grad": Fraction(1, 200),
}

UNITS: Mapping[str, int | Fraction | float] = MappingProxyType(_EXACT)
ANGLE_UNITS: Mapping[str, Fraction] = MappingProxyType(_ANGLES)

_TOKEN = re.compile(r"([A-Za-z°µ]+)(?:\^?(-?\d{1,2}))?|([./*·])")


def is_unit(text: str) -> bool:
    """Whether every name of a compound such as `kg.m^2` or `tr/min` is a known unit."""
    return unit_factor(text) is not None


def unit_factor(text: str) -> tuple[Fraction | float, int] | None:
    """The SI factor of a compound unit and its power of π, or None if a name is unknown."""
    factor: Fraction | float = Fraction(1)
    pi_power, sign, position = 0, 1, 0
    text = text.strip().replace("µ", "u").replace("**", "^")
    if not text:
        return None
    while position < len(text):
        token = _TOKEN.match(text, position)
        if token is None:
            return None
        position = token.end()
        name, power, operator = token.groups()
        if operator:
            sign = -1 if operator == "/" else 1
            continue
        exponent = sign * int(power or 1)
        if abs(exponent) > 9:
            return None
        if name in _ANGLES:
            base: int | Fraction | float = _ANGLES[name]
            pi_power += exponent
        elif name in _EXACT:
            base = _EXACT[name]
        else:
            return None
        factor = factor * (Fraction(base) if not isinstance(base, float) else base) ** exponent
        sign = 1
    return factor, pi_power
