"""The mechanisms that are measured, with their numbers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import final

import numpy as np

from torseur.algebra.core.expr import ZERO, symbol
from torseur.algebra.core.graph import substitute
from torseur.language.load import load
from torseur.model.description import Mechanism

Array = np.ndarray

ROBOT_1980 = (
    "RY(q1MIN,q1MAX), TYK(L1), RX(q2MIN,q2MAX), TYK(L2), RX(q3MIN,q3MAX), TZK(L3), "
    "RX(q4MIN,q4MAX), TZK(0), RY(q5MIN,q5MAX), TZK(0), RZ(q6MIN,q6MAX), TZK(L6);"
)
_COMPONENTS = (("XX", 0, 0), ("YY", 1, 1), ("ZZ", 2, 2), ("XY", 0, 1), ("XZ", 0, 2), ("YZ", 1, 2))
_EARTH = (0, 0, "G")
_STRENGTH = {"G": -9.81}  # [m/s²]


@final
@dataclass(frozen=True)
class Robot:
    """A mechanism whose bodies have ten inertial symbols each, and the value of every symbol."""

    name: str
    mechanism: Mechanism
    values: dict[str, float]

    @property
    def nil(self) -> list[str]:
        """The symbols whose value is zero."""
        return [name for name, value in self.values.items() if abs(value) < 1e-12]

    @property
    def with_zeros(self) -> Mechanism:
        """The mechanism without the symbols whose value is zero."""
        nil = {symbol(name): ZERO for name in self.nil}
        bodies = {
            name: replace(
                body,
                mass=substitute(body.mass, nil),
                centre=substitute(body.centre, nil),
                inertia=substitute(body.inertia, nil),
            )
            for name, body in self.mechanism.bodies.items()
        }
        return replace(self.mechanism, bodies=bodies)


@final
@dataclass(frozen=True)
class Row:
    """A link in standard Denavit-Hartenberg form; the mass data are in the frame at its end."""

    d: float
    a: float
    quarter_turns: int  # α / 90°
    mass: float
    centre: tuple[float, float, float]
    moments: tuple[float, float, float]  # at the centre of mass


# Corke and Armstrong-Hélouvry (1994), without the motors.
_PUMA = (
    Row(0.0, 0.0, 1, 0.0, (0.0, 0.0, 0.0), (0.0, 0.35, 0.0)),
    Row(0.0, 0.4318, 0, 17.4, (-0.3638, 0.006, 0.2275), (0.13, 0.524, 0.539)),
    Row(0.15005, 0.0203, -1, 4.8, (-0.0203, -0.0141, 0.070), (0.066, 0.086, 0.0125)),
    Row(0.4318, 0.0, 1, 0.82, (0.0, 0.019, 0.0), (1.8e-3, 1.3e-3, 1.8e-3)),
    Row(0.0, 0.0, -1, 0.34, (0.0, 0.0, 0.0), (0.3e-3, 0.4e-3, 0.3e-3)),
    Row(0.0, 0.0, 0, 0.09, (0.0, 0.0, 0.032), (0.15e-3, 0.15e-3, 0.04e-3)),
)
_PUMA_PHRASE = (
    "RZ(q1), RXK(90deg), RZ(q2), TXK(a2), RZ(q3), TZK(d3), TXK(a3), RXK(-90deg), "
    "RZ(q4), TZK(d4), RXK(90deg), RZ(q5), RXK(-90deg), RZ(q6);"
)
# Paul (1981), tables 6.5 and 6.6; centres of links 2 to 6 a tenth of what toolboxes print.
_STANFORD = (
    Row(0.412, 0.0, -1, 9.29, (0.0, 0.0175, -0.1105), (0.276, 0.255, 0.071)),
    Row(0.154, 0.0, 1, 5.01, (0.0, -0.1054, 0.0), (0.108, 0.018, 0.100)),
    Row(0.0, 0.0, 0, 4.25, (0.0, 0.0, -0.6447), (2.51, 2.51, 0.006)),
    Row(0.0, 0.0, -1, 1.08, (0.0, 0.0092, -0.0054), (0.002, 0.001, 0.001)),
    Row(0.0, 0.0, 1, 0.630, (0.0, 0.0566, 0.0003), (0.003, 0.0004, 0.0)),
    Row(0.0, 0.0, 0, 0.51, (0.0, 0.0, 0.1554), (0.013, 0.013, 0.0003)),
)
_STANFORD_PHRASE = (
    "RZ(q1), TZK(d1), RXK(-90deg), RZ(q2), TZK(d2), RXK(90deg), RZK(-90deg), TZ(q3), "
    "RZ(q4), RXK(-90deg), RZ(q5), RXK(90deg), RZ(q6);"
)


def general_six() -> Mechanism:
    """Six revolute joints; every length, angle, mass, inertia and gravity component is a symbol."""
    return load(general_chain(6), masses="full", gravity=("GX", "GY", "GZ"))


def general_chain(bodies: int) -> str:
    """The phrase of a chain of revolute joints with three geometric symbols a body."""
    links = (f"RZ(q{k}), TZK(d{k}), TXK(a{k}), RXK(al{k})" for k in range(1, bodies + 1))
    return ", ".join(links) + ";"


def puma() -> Robot:
    """The Puma 560."""
    return _published("Puma 560 (6R)", _PUMA_PHRASE, _PUMA)


def stanford() -> Robot:
    """The Stanford arm, whose third joint slides."""
    return _published("Stanford arm (2RP3R)", _STANFORD_PHRASE, _STANFORD)


def seven() -> Robot:
    """An arm of seven revolute joints, each at right angles with the one before."""
    parts = []
    for k in range(1, 8):
        lever = f", TZK(d{k})" if k % 2 else ""
        parts.append(f"RZ(q{k}){lever}, RXK({'-' if k % 2 else ''}90deg)")
    return _random("7R arm", ", ".join(parts) + ";", seed=7)


def tree_of_thirty() -> Robot:
    """Thirty bodies, each carrying two others as long as there are some; numbered depth first."""
    serial = iter(range(1, 31))

    def branch(bodies: int) -> str:
        k = next(serial)
        text, second = f"R{'XYZ'[k % 3]}(q{k}), TYK(l{k}), RXK(30deg)", (bodies - 1) // 2
        if bodies - 1 - second:
            first = branch(bodies - 1 - second)
            text += f", [ {first} ], {branch(second)}" if second else f", {first}"
        return text

    return _random("tree of 30 bodies", branch(30) + ";", seed=30)


def chain(bodies: int) -> Robot:
    """A chain of equal revolute joints at right angles, with numbers for lengths."""
    links = (f"R{'ZX'[k % 2]}(q{k}), TYK(0.1)" for k in range(1, bodies + 1))
    return _random(f"chain of {bodies} bodies", ", ".join(links) + ";", seed=bodies)


def _published(name: str, phrase: str, rows: tuple[Row, ...]) -> Robot:
    """A robot from its table: mass data are moved to the frame just after each joint."""
    values = dict(_STRENGTH)
    for k, row in enumerate(rows, start=1):
        R = _turned(row.quarter_turns)
        centre = np.array([row.a, 0.0, row.d]) + R @ row.centre
        values |= _inertial(k, row.mass, centre, R @ np.diag(row.moments) @ R.T)
        values |= {f"a{k}": row.a, f"d{k}": row.d}
    mechanism = load(phrase, masses="full", gravity=_EARTH)
    return Robot(name, mechanism, {key: values[key] for key in mechanism.parameters})


def _turned(quarter_turns: int) -> Array:
    """The rotation about x by a number of right angles."""
    c, s = ((1, 0), (0, 1), (-1, 0), (0, -1))[quarter_turns % 4]
    return np.array([[1, 0, 0], [0, c, -s], [0, s, c]], dtype=float)


def _random(name: str, phrase: str, seed: int) -> Robot:
    """A robot whose lengths and bodies are drawn: each body is a cloud of five particles."""
    mechanism = load(phrase, masses="full", gravity=_EARTH)
    rng = np.random.default_rng(seed)
    values = dict(_STRENGTH)
    for k in range(1, len(mechanism.bodies) + 1):
        masses, points = rng.uniform(0.2, 1.0, 5), 0.15 * rng.normal(size=(5, 3))
        centre = masses @ points / masses.sum()
        arms = points - centre
        tensor = np.sum(masses * np.sum(arms**2, axis=1)) * np.eye(3) - (arms.T * masses) @ arms
        values |= _inertial(k, masses.sum(), centre, tensor)
        values |= {f"{letter}{k}": rng.uniform(0.2, 0.6) for letter in "dl"}
    return Robot(name, mechanism, {key: values[key] for key in mechanism.parameters})


def _inertial(k: int, mass: float, centre: Array, tensor: Array) -> dict[str, float]:
    values = {f"M{k}": float(mass)}
    values |= {f"{axis}{k}": float(x) for axis, x in zip("XYZ", centre, strict=True)}
    return values | {f"I{name}{k}": float(tensor[i, j]) for name, i, j in _COMPONENTS}
