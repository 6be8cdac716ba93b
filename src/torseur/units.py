"""Units at the border: every quantity inside Torseur is in SI units and radians."""

import re
from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType

Factor = int | Fraction | float

# Each unit: its exact factor to SI, the SI unit behind it. Those of angles are in units of π.
_PREFIXED: dict[str, tuple[Factor, str]] = {  # units that take the prefixes of the SI
    "m": (1, "m"), "g": (Fraction(1, 1000), "kg"), "s": (1, "s"), "N": (1, "N"), "J": (1, "J"),
    "W": (1, "W"), "Pa": (1, "Pa"), "Hz": (1, "Hz"), "K": (1, "K"), "A": (1, "A"), "V": (1, "V"),
    "ohm": (1, "ohm"), "H": (1, "H"),
    "L": (Fraction(1, 1000), "m^3"), "Wh": (3600, "J"), "bar": (100000, "Pa"),
}  # fmt: skip
_ALONE: dict[str, tuple[Factor, str]] = {
    "rad": (1, "rad"), "mrad": (Fraction(1, 1000), "rad"),
    "in": (Fraction(254, 10000), "m"), "ft": (Fraction(3048, 10000), "m"),
    "t": (1000, "kg"), "lb": (Fraction(45359237, 10**8), "kg"),
    "min": (60, "s"), "mn": (60, "s"), "h": (3600, "s"), "d": (86400, "s"),
    "lbf": (Fraction(44482216152605, 10**13), "N"),
    "ch": (Fraction(73549875, 10**5), "W"), "hp": (745.6998715822702, "W"),
}  # fmt: skip
_ANGLES: dict[str, tuple[Fraction, str]] = {
    "deg": (Fraction(1, 180), "rad"),
    "°": (Fraction(1, 180), "rad"),
    "tr": (Fraction(2), "rad"),
    "rev": (Fraction(2), "rad"),
    "rpm": (Fraction(2, 60), "rad/s"),
    "grad": (Fraction(1, 200), "rad"),
}
PREFIXES: Mapping[str, int] = MappingProxyType(  # powers of ten
    {"f": -15, "p": -12, "n": -9, "u": -6, "m": -3, "c": -2, "d": -1,
     "da": 1, "h": 2, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15}
)  # fmt: skip


def _with_prefixes() -> dict[str, tuple[Factor, str]]:
    """The units that are not angles; a name of its own comes before a prefixed one."""
    units = {
        prefix + name: (factor * Fraction(10) ** power, si)
        for name, (factor, si) in _PREFIXED.items()
        for prefix, power in PREFIXES.items()
    }
    return units | _PREFIXED | _ALONE


_EXACT = _with_prefixes()
UNITS: Mapping[str, Factor] = MappingProxyType(
    {name: factor for name, (factor, _) in _EXACT.items()}
)
ANGLE_UNITS: Mapping[str, Fraction] = MappingProxyType(
    {name: factor for name, (factor, _) in _ANGLES.items()}
)
SI_UNITS: Mapping[str, str] = MappingProxyType(
    {name: si for name, (_, si) in {**_EXACT, **_ANGLES}.items()}
)
FREQUENT = (  # what a wrong name may be meant for
    *_PREFIXED, "kg", *_ALONE, *_ANGLES, "km", "dm", "cm", "mm", "um", "ms", "us", "kN", "mN",
    "daN", "kJ", "MJ", "kWh", "kW", "MW", "kPa", "MPa", "GPa", "kHz",
)  # fmt: skip
LISTED = tuple(sorted([*_PREFIXED, "kg", *_ALONE, *_ANGLES], key=str.lower))  # without prefixes

_TOKEN = re.compile(r"([A-Za-z°µμ]+)(?:\^?(-?\d{1,2}))?|([./*·])")
_LARGEST_POWER = 9


def is_unit(text: str) -> bool:
    """Whether every name of a compound such as `kg.m^2` or `tr/min` is a known unit."""
    return unit_factor(text) is not None


def force_unit(unit: str) -> str:
    """The unit of the force along a coordinate, or along a speed, that has a unit."""
    return "N" if unit in ("m", "m/s") else "N.m"


def unit_parts(text: str) -> list[tuple[str, int]] | None:
    """The names of a compound unit and their powers, none for `1`; None if it is not one."""
    if text.strip() == "1":  # the unit of a plain number
        return []
    parts: list[tuple[str, int]] = []
    sign, position = 1, 0
    text = text.strip().replace("µ", "u").replace("μ", "u").replace("**", "^")
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
        if abs(exponent) > _LARGEST_POWER or name not in SI_UNITS:
            return None
        parts.append((name, exponent))
        sign = 1
    return parts or None


def unit_factor(text: str) -> tuple[Fraction | float, int] | None:
    """The SI factor of a compound unit and its power of π, or None if a name is unknown."""
    parts = unit_parts(text)
    if parts is None:
        return None
    factor: Fraction | float = Fraction(1)
    pi_power = 0
    for name, exponent in parts:
        base = ANGLE_UNITS[name] if name in ANGLE_UNITS else UNITS[name]
        pi_power += exponent if name in ANGLE_UNITS else 0
        factor = factor * (Fraction(base) if not isinstance(base, float) else base) ** exponent
    return factor, pi_power
