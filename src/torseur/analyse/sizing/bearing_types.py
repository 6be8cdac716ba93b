"""Types of rolling bearings: the equivalent load of each, by the factors of ISO 281:2007.

The load is P = F_r while F_a/F_r ≤ e, and P = X F_r + Y F_a beyond. For deep groove balls e and Y
follow from f₀ F_a/C₀ by a table of the standard, with linear interpolation; the factors of other
types come from the catalogue of their maker.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import final

import numpy as np

from torseur.errors import ModelError, all_faults, unknown
from torseur.words.sentence import say, worded

Array = np.ndarray
BALL, ROLLER = 3.0, 10.0 / 3.0  # exponents of life
_DEEP_X = 0.56
_DEEP_GROOVE = np.array([  # f₀ F_a/C₀, e, Y of normal clearance (ISO 281:2007, table 3)
    (0.172, 0.19, 2.30), (0.345, 0.22, 1.99), (0.689, 0.26, 1.71), (1.03, 0.28, 1.55),
    (1.38, 0.30, 1.45), (2.07, 0.34, 1.31), (3.45, 0.38, 1.15), (5.17, 0.42, 1.04),
    (6.89, 0.44, 1.00),
])  # fmt: skip
_SLIGHT = 1e-6  # a load beside the largest that a bearing without such a capacity may bear


@final
@dataclass(frozen=True)
class BearingType:
    """A type of bearing: its exponent of life, its default factors, and what it needs."""

    exponent: float
    factors: Mapping[str, float]  # e, X, Y that stand for themselves
    needs: tuple[str, ...]
    load: Callable[[Bearing, Array, Array], Array]  # P of radial and axial loads


@final
@dataclass(frozen=True)
class Bearing:
    """A rolling bearing as a catalogue describes it; ratings in newtons.

    `type` is "deep groove ball" (with the static rating C₀ and f₀), "angular contact ball" (40°
    unless e, X and Y are given), "cylindrical roller", "tapered roller" (with e and Y) or
    "thrust ball".
    """

    rating: float  # C, basic dynamic load rating [N]
    type: str = "deep groove ball"
    static_rating: float | None = None  # C₀ [N]
    f0: float | None = None
    e: float | None = None
    X: float | None = None
    Y: float | None = None

    def __post_init__(self) -> None:
        if self.type not in TYPES:
            raise unknown("bearing", "type of bearing", self.type, TYPES)
        given = {name: getattr(self, name) for name in ("rating", *_FACTORS)}
        wrong = {name: x for name, x in given.items() if x is not None and not 0 < x < np.inf}
        if faults := [_not_positive(name, x) for name, x in wrong.items()]:
            raise all_faults(faults)

    @property
    def exponent(self) -> float:
        """The exponent p of life: 3 for balls, 10/3 for rollers."""
        return TYPES[self.type].exponent

    def factor(self, name: str) -> float:
        """A factor that is given, or that of the type."""
        given: float | None = getattr(self, name)
        return TYPES[self.type].factors[name] if given is None else given

    def load(self, radial: Array, axial: Array) -> Array:
        """The equivalent dynamic load P of radial and axial loads [N]."""
        kind = TYPES[self.type]
        missing = [x for x in kind.needs if getattr(self, x) is None]
        if missing and np.any(np.abs(axial) > _SLIGHT * np.abs(radial).max(initial=0.0)):
            problem = say(
                "a {type} bearing with an axial load needs {names}.",
                worded(self.type),
                ", ".join(missing),
            )
            raise ModelError("bearing", problem, "They are in the catalogue of its maker.")
        return kind.load(self, np.abs(radial), np.abs(axial))

    def life(self, load: float) -> float:
        """L10 for a constant equivalent load [millions of turns]."""
        return float(np.inf) if load == 0 else (self.rating / load) ** self.exponent


def _not_positive(name: str, value: float) -> ModelError:
    problem = say("{name} = {value:g} is not positive.", name, value)
    return ModelError("bearing", problem, "Ratings are in newtons, factors without a unit.")


def _combined(bearing: Bearing, radial: Array, axial: Array) -> Array:
    """P = F_r, or X F_r + Y F_a beyond e."""
    e, X, Y = (bearing.factor(name) for name in ("e", "X", "Y"))
    return np.asarray(np.where(axial <= e * radial, radial, X * radial + Y * axial))


def _deep_groove(bearing: Bearing, radial: Array, axial: Array) -> Array:
    """With e and Y that grow with the axial load; factors that are given stay."""
    if bearing.static_rating is None or bearing.f0 is None:
        return radial  # without an axial load
    size, e, Y = _DEEP_GROOVE.T
    relative = bearing.f0 * axial / bearing.static_rating
    limits = np.interp(relative, size, e) if bearing.e is None else bearing.e
    slopes = np.interp(relative, size, Y) if bearing.Y is None else bearing.Y
    combined = (_DEEP_X if bearing.X is None else bearing.X) * radial + slopes * axial
    return np.asarray(np.where(axial <= limits * radial, radial, np.maximum(combined, radial)))


def _tapered(bearing: Bearing, radial: Array, axial: Array) -> Array:
    """Without an axial load the factors are not needed."""
    return radial if bearing.e is None or bearing.Y is None else _combined(bearing, radial, axial)


def _only(what: str, other: str) -> Callable[[Bearing, Array, Array], Array]:
    """The load of bearings that carry radial or axial loads alone."""

    def load(bearing: Bearing, radial: Array, axial: Array) -> Array:
        carried, refused = (radial, axial) if what == "radial" else (axial, radial)
        most = float(refused.max(initial=0.0))
        if most > _SLIGHT * float(carried.max(initial=0.0)):
            problem = say(
                "a {type} bearing carries no {other} load, but has {most:.5g} N.",
                worded(bearing.type),
                worded(other),
                most,
            )
            advice = "Choose another type, or let another bearing carry this load."
            raise ModelError("bearing", problem, advice)
        return carried

    return load


_FACTORS = ("static_rating", "f0", "e", "X", "Y")
_ANGULAR = MappingProxyType({"e": 1.14, "X": 0.35, "Y": 0.57})  # 40°
_TAPERED = MappingProxyType({"X": 0.40})
_NONE: Mapping[str, float] = MappingProxyType({})
TYPES: Mapping[str, BearingType] = MappingProxyType({
    "deep groove ball": BearingType(BALL, _NONE, ("static_rating", "f0"), _deep_groove),
    "angular contact ball": BearingType(BALL, _ANGULAR, (), _combined),
    "cylindrical roller": BearingType(ROLLER, _NONE, (), _only("radial", "axial")),
    "tapered roller": BearingType(ROLLER, _TAPERED, ("e", "Y"), _tapered),
    "thrust ball": BearingType(BALL, _NONE, (), _only("axial", "radial")),
})  # fmt: skip
