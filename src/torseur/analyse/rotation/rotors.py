"""Rotors on two bearings: their unbalance, what it does to the bearings, and what cancels it.

Plaut (2007), §3.4 and problem 3.2. Axes turn with the rotor: O is the first bearing, z goes to the
second one at z = l. A vector across the axis is a complex number, x + i y.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, final

import numpy as np

from torseur.errors import ModelError, require_known, unknown
from torseur.model.description import Body, Mechanism
from torseur.model.values.numbers import Values, values_of
from torseur.plain import entries
from torseur.result import Result
from torseur.words.sentence import say

Array = np.ndarray
Place = str | Sequence[float]


@final
class BalanceMass(Result):
    """A small mass on a rotor, at a radius and an angle from x towards y."""

    mass: float  # [kg]; negative where material is taken away
    radius: float  # [m]
    angle: float  # [rad]
    z: float  # along the axis from the first bearing [m]

    @property
    def unbalance(self) -> complex:
        """m (x + i y) [kg m]."""
        return self.mass * self.radius * complex(np.exp(1j * self.angle))

    @property
    def position(self) -> Array:
        """(3) in the axes of the rotor [m]."""
        across = self.radius * np.exp(1j * self.angle)
        return np.array([across.real, across.imag, self.z])

    @classmethod
    def of(cls, unbalance: complex, radius: float, z: float = 0.0) -> BalanceMass:
        """The mass that makes an unbalance [kg m] at a radius, in the plane at z [m]."""
        return cls(abs(unbalance) / radius, radius, float(np.angle(unbalance)), z)

    @property
    def document(self) -> dict[str, float]:
        """Plain data, the angle in degrees."""
        return entries(self, "mass", "radius") | {"angle": float(np.degrees(self.angle))}

    def __str__(self) -> str:
        at = say("{angle:.1f}°, radius {radius:g} mm", np.degrees(self.angle), 1000 * self.radius)
        return say("{mass:.5g} g at {at}", 1000 * self.mass, at)


@final
class Rotor(Result, document=("mass", "centre", "length", "static", "dynamic")):
    """The mass data of a rotor in its own axes, from its first bearing."""

    mass: float  # [kg]
    centre: Array  # (3,) OG = (a, b, c) [m]
    inertia: Array  # (3, 3) at O [kg m²]; products as tensor components, I_xz = −∫ x z dm
    length: float  # between the bearings [m]

    @property
    def static(self) -> complex:
        """The static unbalance m (a + i b), balourd [kg m]."""
        return self.mass * complex(self.centre[0], self.centre[1])

    @property
    def dynamic(self) -> complex:
        """I_xz + i I_yz at the first bearing [kg m²]."""
        return complex(self.inertia[0, 2], self.inertia[1, 2])

    def balanced(self, *, eccentricity: float = 1e-9) -> tuple[bool, bool]:
        """Statically (G on the axis), and dynamically (the axis is principal), to a length [m]."""
        static = abs(self.static) <= eccentricity * self.mass
        return static, static and abs(self.dynamic) <= eccentricity * self.mass * self.length

    def grade(self, speed: float) -> float:
        """The eccentricity of G times the speed, as balance grades G are given [mm/s]."""
        return 1000 * abs(self.static) / self.mass * abs(speed)

    def reactions(self, speed: float) -> tuple[complex, complex]:
        """Forces of the bearings on the rotor at a constant speed, in its axes [N].

        R₂ = ω² (I_xz + i I_yz)/l and R₁ = −m ω² (a + i b) − R₂; weight is not counted.
        """
        second = speed**2 * self.dynamic / self.length
        return -(speed**2) * self.static - second, second

    def signals(self, speed: float, t: Array) -> Array:
        """Signals of two force gauges along the fixed X, Re(R e^{iωt}) (samples, 2) [N]."""
        turned = np.exp(1j * speed * np.asarray(t))
        return np.column_stack([(z * turned).real for z in self.reactions(speed)])

    def influence(self, speed: float, planes: tuple[float, float]) -> Array:
        """(2, 2) [N/(kg m)]: the change of each reaction by an unbalance in each plane z.

        c₁ = −ω² (1 − z/l), c₂ = −ω² z/l.
        """
        share = np.array(planes) / self.length
        return -(speed**2) * np.array([1 - share, share])

    def correction(self, planes: tuple[float, float]) -> tuple[complex, complex]:
        """The unbalances in two planes z that cancel all reactions at every speed [kg m]."""
        if planes[0] == planes[1]:
            problem = say(
                "both planes are at z = {planes:g} m: a couple cannot be cancelled there.",
                planes[0],
            )
            raise ModelError("balancing planes", problem, "Give two different planes.")
        unbalance = np.linalg.solve(self.influence(1.0, planes), -np.array(self.reactions(1.0)))
        return complex(unbalance[0]), complex(unbalance[1])

    def with_masses(self, *masses: BalanceMass) -> Rotor:
        """The rotor with point masses on it."""
        mass, first, inertia = self.mass, self.mass * self.centre, self.inertia.copy()
        for m in masses:
            p = m.position
            mass, first = mass + m.mass, first + m.mass * p
            inertia += m.mass * (p @ p * np.eye(3) - np.outer(p, p))
        return Rotor(mass, first / mass, inertia, self.length)

    def __str__(self) -> str:
        static, dynamic = self.balanced()
        a, b, c = self.centre
        so = {True: say(" (balanced)"), False: ""}
        where = self.say(
            "OG = ({a:.6g}, {b:.6g}, {c:.6g}) m, {mass:.6g} kg, bearings {length:g} m apart",
            a=a,
            b=b,
            c=c,
        )
        first = say(
            "static unbalance {static:.4g} kg m at {angle}{balanced}",
            abs(self.static),
            f"{np.degrees(np.angle(self.static)):.1f}°",
            so[bool(static)],
        )
        second = f"I_xz = {self.dynamic.real:.4g}, I_yz = {self.dynamic.imag:.4g} kg m²"
        return f"{where}\n{first}\n{second}{so[bool(dynamic)]}"


def rotor(mechanism: Mechanism, body: str, first: Place, second: Place) -> Rotor:
    """A body on two bearings, as a rotor.

    A bearing is a joint of the body, a named point of it, or three coordinates in its frame. The
    x axis of the rotor is that of the body, or its y axis if the rotor turns about x.
    """
    require_known("rotor", "body", body, mechanism.bodies)
    numbers = values_of(mechanism)
    described = mechanism.bodies[body]
    O, P = (_place(mechanism, described, place, numbers) for place in (first, second))
    length = float(np.linalg.norm(P - O))
    if not length > 0:
        raise ModelError("rotor", say('both bearings of "{body}" are at {o} m.', body, O.tolist()))
    R = _axes((P - O) / length)
    mass = _number(described.mass, numbers, say("the mass of {body}", body))
    centre = _numbers(described.centre, numbers, say("the centre of {body}", body)) - O
    at_centre = _numbers(described.inertia, numbers, say("the inertia of {body}", body))
    at_O = at_centre + mass * (centre @ centre * np.eye(3) - np.outer(centre, centre))
    return Rotor(mass, R.T @ centre, R.T @ at_O @ R, length)


def _axes(z: Array) -> Array:
    """R_BR: columns x, y, z of the rotor in the body."""
    start = np.eye(3)[0] if abs(z[0]) < 0.9 else np.eye(3)[1]
    x = start - (start @ z) * z
    x /= np.linalg.norm(x)
    return np.column_stack([x, np.cross(z, x), z])


def _place(mechanism: Mechanism, body: Body, place: Place, numbers: Values) -> Array:
    """A bearing in the frame of the body."""
    if not isinstance(place, str):
        return np.asarray(place, dtype=float)
    joints = {n: j for n, j in mechanism.joints.items() if body.name in (j.first, j.second)}
    points = {n: p for n, p in mechanism.points.items() if p.body == body.name}
    if place in joints:
        joint = joints[place]
        pose = joint.X_AF if joint.first == body.name else joint.X_BM
        return _numbers(pose.p, numbers, say("the place of joint {place}", place))
    if place in points:
        return _numbers(points[place].position, numbers, say("point {place}", place))
    raise unknown("rotor", "bearing", place, {*joints, *points})


def _number(x: Any, numbers: Values, what: str) -> float:
    value = numbers(x)
    if value is None:
        raise ModelError(
            "rotor", say("{what} has no value.", what), "Give values to the parameters."
        )
    return value


def _numbers(array: Array, numbers: Values, what: str) -> Array:
    values = [_number(x, numbers, what) for x in np.asarray(array, dtype=object).ravel()]
    return np.array(values).reshape(np.shape(array))
