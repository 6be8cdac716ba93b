"""Isolation: the part of a force that reaches the ground, or of its motion that reaches a body.

The ground feels what acts on the mechanism less what accelerates it: for a force F along a
coordinate, T = F + ω² p̂, where i ω p̂ is the momentum of the bodies for a unit of the force. For a
ground that shakes, the transmissibility is the absolute motion of a point for a unit of the ground.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

import numpy as np
from scipy.optimize import brentq

from torseur.analyse.vibrations.linear_systems import is_base
from torseur.analyse.vibrations.linearise import Linear
from torseur.errors import ModelError, unknown
from torseur.figures import Figure, figure, labelled, written
from torseur.model.actuators import pushed_coordinate
from torseur.model.constraints.selection import imposed_coordinates
from torseur.model.description import GROUND
from torseur.model.values.scales import state_units
from torseur.plain import plain
from torseur.result import Result
from torseur.words.sentence import say

Array = np.ndarray
_AXES = "xyz"
_STRAIGHT = 1e-9  # of a direction: components that are rounding
_POINTS = 400  # of a curve without frequencies
_REACH = (0.1, 20.0)  # of the frequencies of modes


@final
class IsolationCurve(Result):
    """The transmissibility over the frequency."""

    input: str
    output: str  # the direction in which the ground feels the force, or the body that moves
    frequencies: Array  # [rad/s]
    amplitudes: Array  # complex, for a unit of the input
    modes: Array  # frequencies of the modes [rad/s]
    isolates_from: tuple[float, ...]  # where the transmissibility falls below 1 [rad/s]

    @property
    def transmissibility(self) -> Array:
        """|T| (frequencies)."""
        return np.asarray(np.abs(self.amplitudes))

    @property
    def peak(self) -> tuple[float, float]:
        """The frequency of the largest transmissibility [rad/s], and this."""
        k = int(np.argmax(self.transmissibility))
        return float(self.frequencies[k]), float(self.transmissibility[k])

    @property
    def decibels(self) -> Array:
        """20 log₁₀ |T| (frequencies) [dB]."""
        with np.errstate(divide="ignore"):
            return np.asarray(20 * np.log10(self.transmissibility))

    def rotating_unbalance(self, unbalance: float) -> Array:
        """The force that the ground feels of a rotating unbalance m e [kg m] (frequencies) [N]."""
        if self.output not in _AXES:
            problem = say("the input {name} is a motion, not a force.", self.input)
            raise ModelError("isolation", problem, "Give a coordinate along which a force acts.")
        return np.asarray(unbalance * self.frequencies**2 * self.transmissibility)

    @property
    def document(self) -> dict[str, Any]:
        """Plain data."""
        names = ("input", "output", "modes", "isolates_from", "frequencies", "transmissibility")
        return {name: plain(getattr(self, name), finite=True) for name in names}

    def __str__(self) -> str:
        what = (
            say("force along {input} felt by the ground along {axis}", self.input, self.output)
            if self.output in _AXES
            else say("motion {input} of the ground felt by {output}", self.input, self.output)
        )
        listed = ", ".join(f"{x:.5g}" for x in self.modes) or say("none")
        lines = [what, say("modes: {listed} rad/s", listed)]
        frequency, peak = self.peak
        lines.append(
            say("largest transmissibility {peak:.5g} at {frequency:.5g} rad/s", peak, frequency)
        )
        lines += [
            say("isolates above {frequency:.5g} rad/s ({hertz:.4g} Hz)", x, x / (2 * np.pi))
            for x in self.isolates_from
        ]
        return "\n".join(lines)

    def figure(self, path: str | Path | None = None) -> Figure:
        """Transmissibility against frequency, both on logarithmic scales."""
        drawn = figure(7.0, 4.2)
        panel = drawn.subplots()
        panel.loglog(self.frequencies, self.transmissibility)
        panel.axhline(1.0, color="0.5", linewidth=0.9)
        for x in self.isolates_from:
            panel.axvline(x, color="C2", linewidth=0.9, linestyle="--")
        panel.grid(alpha=0.3, which="both")
        labelled(panel, "ω [rad/s]", say("transmissibility"))
        return written(drawn, path, f"{self.input} → {self.output}")


def isolation(
    small: Linear, input: str, frequencies: Any = None, *, output: str | None = None
) -> IsolationCurve:
    """The isolation curve of small motions: |T| at each frequency [rad/s].

    `input` is the coordinate along which a force acts (or a motor, or the force of a joint): the
    output is then the force that the ground feels, along the axis `output` or that of the input. Or
    it is a ground that shakes ("ground.x", or an imposed motion): the output is then the motion of
    a body or a named point.
    """
    mechanism = small.here.tangent.model.mechanism
    reading = (_motion if is_base(mechanism, input) else _force)(small, input, output)
    modes = small.frequencies
    if frequencies is None:
        if not len(modes):
            problem = say("the small motions have no mode that oscillates.")
            raise ModelError("isolation", problem, "Give the frequencies [rad/s].")
        low, high = _REACH[0] * modes.min(), _REACH[1] * modes.max()
        frequencies = np.geomspace(low, high, _POINTS)
    omegas = np.atleast_1d(np.asarray(frequencies, dtype=float))
    if not ((omegas > 0) & np.isfinite(omegas)).all():
        problem = say("frequencies are positive numbers in rad/s.")
        raise ModelError("isolation", problem, "For instance: numpy.geomspace(1, 100, 200).")
    amplitudes = reading.at(omegas)
    below = np.abs(amplitudes) < 1
    falls = [k for k in range(len(omegas) - 1) if below[k + 1] and not below[k]]

    def above(omega: float) -> float:
        return float(np.abs(reading.at(np.array([omega]))[0])) - 1

    crossings = tuple(float(brentq(above, omegas[k], omegas[k + 1], xtol=1e-12)) for k in falls)
    return IsolationCurve(input, reading.output, omegas, amplitudes, modes, crossings)


@final
@dataclass(frozen=True)
class _Reading:
    """Constant plus weights of the responses of coordinates, by powers of ω."""

    small: Linear
    input: str
    output: str
    constant: float
    weights: Array  # of the coordinates of the tree
    order: int  # of the power of ω that multiplies them

    def at(self, omegas: Array) -> Array:
        """The complex amplitudes of the output at frequencies."""
        total = np.full(len(omegas), complex(self.constant))
        names = self.small.here.tangent.model.coordinates
        for name, weight in zip(names, self.weights, strict=True):
            if weight:
                response = self.small.response(omegas, self.input, name)
                total += weight * omegas**self.order * response
        return total


def _plain_coordinates(small: Linear) -> None:
    """Reject bodies whose speeds are not the rates of coordinates."""
    model = small.here.tangent.model
    if [f"{x}." for x in model.coordinates] != list(model.speeds):
        problem = say("speeds of {name} are not rates of coordinates.", model.mechanism.name)
        advice = "Describe free bodies by sliders and pivots for the isolation curve."
        raise ModelError("isolation", problem, advice)


def _force(small: Linear, input: str, output: str | None) -> _Reading:
    """The force on the ground: that which acts, less the rate of momentum."""
    _plain_coordinates(small)
    model, q = small.here.tangent.model, np.asarray(small.here.q, dtype=float)
    if input not in small.inputs:
        known = [*small.inputs, *(f"{GROUND}.{axis}" for axis in _AXES)]
        raise unknown("isolation", "input", input, known)
    if input in model.mechanism.parameter_table and input not in model.coordinates:
        problem = say('the direction of the force of the parameter "{name}" is unknown.', input)
        raise ModelError("isolation", problem, "Give the coordinate along which the force acts.")
    coordinate = pushed_coordinate(model.mechanism, input)
    if coordinate not in model.coordinates:
        problem = say('"{name}" acts in a joint that closes a loop.', input)
        raise ModelError("isolation", problem, "Give a coordinate of the equations of motion.")
    momentum = np.asarray(model.centroidal_matrix(q), dtype=float)[3:]
    direct = _acting(small, coordinate)
    if output is None:
        along = direct if direct.any() else np.abs(momentum).sum(axis=1)
        axis = int(np.argmax(np.abs(along)))
    elif output in _AXES:
        axis = _AXES.index(output)
    else:
        raise unknown("isolation", "axis", output, _AXES)
    return _Reading(small, input, _AXES[axis], float(direct[axis]), momentum[axis], 2)


def _acting(small: Linear, coordinate: str) -> Array:
    """(3) the force on the mechanism from outside of a unit along a coordinate."""
    model, q = small.here.tangent.model, np.asarray(small.here.q, dtype=float)
    mechanism = model.mechanism
    joint = next(x for x in mechanism.joints.values() if coordinate in x.coordinates)
    if GROUND not in (joint.first, joint.second) or state_units(mechanism).get(coordinate) != "m":
        return np.zeros(3)
    body = joint.second if joint.first == GROUND else joint.first
    column = model.coordinates.index(coordinate)
    return _straight(np.asarray(model.jacobian(body, q), dtype=float)[3:, column])


def _motion(small: Linear, input: str, output: str | None) -> _Reading:
    """The motion of a body or a point, with that of the ground."""
    _plain_coordinates(small)
    model, q = small.here.tangent.model, np.asarray(small.here.q, dtype=float)
    mechanism = model.mechanism
    places = (*mechanism.bodies, *mechanism.points)
    if output is None and len(mechanism.bodies) == 1:
        (output,) = mechanism.bodies
    if output is None or output not in places:
        raise unknown("isolation", "body or point", output or "", places)
    plain_name = input.removesuffix("..")
    rows = np.asarray(model.jacobian(output, q), dtype=float)[-3:]
    if plain_name.startswith(f"{GROUND}."):
        axis = _AXES.index(plain_name[-1])
        return _Reading(small, plain_name, output, 1.0, _straight(rows[axis]), 0)
    driven = str(imposed_coordinates(mechanism)[plain_name].coordinate)
    axis = int(np.argmax(np.abs(rows[:, model.coordinates.index(driven)])))
    return _Reading(small, plain_name, output, 0.0, _straight(rows[axis]), 0)


def _straight(vector: Array) -> Array:
    """Components without rounding."""
    return np.where(np.abs(vector) > _STRAIGHT * np.abs(vector).max(initial=0.0), vector, 0.0)
