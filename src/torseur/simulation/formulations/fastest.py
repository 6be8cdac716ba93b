"""The fastest small motion about a state: its rate, the coordinate it moves, the force it needs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import final

import numpy as np

from torseur.algebra.calculus.derivative import directional
from torseur.algebra.core.expr import TIME
from torseur.algebra.core.graph import evaluate, expressions
from torseur.dynamics.tree.newton_euler import inverse_dynamics
from torseur.equations.actions.applied import Applied
from torseur.equations.functions.smooth import smoothed
from torseur.equations.symbols.system import System
from torseur.machine.compiled import CompiledModel
from torseur.model.values.scales import coordinate_units
from torseur.simulation.formulations.joint_start import Mover
from torseur.words.sentence import say

Array = np.ndarray
_STEP = 1e-6  # of differences, beside the size of what is moved
_SMALLEST = 1e-3  # of what a component usually is: sizes below count as this
_STEADY = 0.1  # growth beside the rate, from which a motion is not stiff but unstable


@final
@dataclass(frozen=True)
class Fastest:
    """A motion exp(λ t) about a state, λ being the largest eigenvalue that does not grow."""

    value: complex  # λ [1/s]
    coordinate: str  # that moves most, counted in kinetic energy
    cause: str  # what gives most of the rate, in words

    @property
    def rate(self) -> float:
        """|λ| [1/s]."""
        return abs(self.value)

    def __str__(self) -> str:
        swings = abs(self.value.imag) > abs(self.value.real)
        kind, unit = (say("frequency"), "rad/s") if swings else (say("decay rate"), "1/s")
        return say(
            "{kind} {rate:.1e} {unit} along {coordinate}, from {cause}",
            kind,
            self.rate,
            unit,
            self.coordinate,
            self.cause,
        )


def fastest_rate(model: CompiledModel, moving: Mover, t: float, y: Array) -> float:
    """|λ| of the fastest motion."""
    return abs(_mode(model, moving, t, y)[0])


def fastest(model: CompiledModel, moving: Mover, t: float, y: Array) -> Fastest:
    """The fastest motion with its cause."""
    value, mode = _mode(model, moving, t, y)
    nq = len(model.coordinates)
    speeds = mode[nq:]
    shares = np.abs((speeds.conj() * (model.mass_matrix(y[:nq]) @ speeds)).real)
    coordinate = model.speeds[int(shares.argmax())].removesuffix(".")
    return Fastest(value, coordinate, _cause(model, t, y, mode, value))


def _mode(model: CompiledModel, moving: Mover, t: float, y: Array) -> tuple[complex, Array]:
    """λ and the coordinates and speeds of its motion."""
    values, vectors = np.linalg.eig(_linearised(model, moving, t, y))
    steady = values.real <= _STEADY * np.abs(values)
    k = int(np.where(steady, np.abs(values), -1.0).argmax())
    return complex(values[k]), vectors[:, k]


def _linearised(model: CompiledModel, moving: Mover, t: float, y: Array) -> Array:
    """∂ẏ/∂y of coordinates and speeds, by differences; zero where it does not exist."""
    columns = []
    for before, after in neighbours(model, y):
        rates = [np.array(moving.rate(t, x)[:-1]) for x in (before, after)]
        columns.append((rates[1] - rates[0]) / np.abs(after - before).max())
    J = np.array(columns).T
    return np.where(np.isfinite(J), J, 0.0)


def neighbours(model: CompiledModel, y: Array) -> Iterator[tuple[Array, Array]]:
    """The states just before and after a state, along each coordinate and each speed."""
    for k, size in enumerate(_sizes(model, y)):
        step = np.zeros(len(y))
        step[k] = _STEP * size
        yield y - step, y + step


def _sizes(model: CompiledModel, y: Array) -> Array:
    """Of coordinates and speeds, beside which a displacement is small; whole turns do not count."""
    sizes, angles = model.sizes, coordinate_units(model.mechanism)
    usual = np.concatenate([sizes.coordinates, sizes.displacements / sizes.scales.time])
    found = np.maximum(np.abs(y[:-1]), _SMALLEST * usual)
    turning = [k for k, name in enumerate(model.coordinates) if angles[name] == "rad"]
    found[turning] = np.minimum(found[turning], np.pi)
    return found


def _cause(model: CompiledModel, t: float, y: Array, mode: Array, value: complex) -> str:
    """What changes most along a motion: λ u·M u = Σ u·δQ, and what is left over is inertia.

    Changes are exact derivatives: differences would read rounding where λ is large, because
    coordinates move 1/λ times less than speeds.
    """
    nq = len(model.coordinates)
    names = (*model.coordinates, *model.speeds)
    known = {**model.parameters, **dict(zip(names, y[:-1], strict=True)), TIME.name: t}
    symbols = (*model.system.q, *model.system.v)
    speeds = mode[nq:].conj()

    def change(Q: Array) -> complex:
        along = (
            dict(zip(symbols, map(float, part), strict=True)) for part in (mode.real, mode.imag)
        )
        real, imag = (evaluate(directional(Q, way), known) for way in along)
        return complex(speeds @ (np.asarray(real, dtype=float) + 1j * np.asarray(imag, float)))

    parts = {name: change(smoothed(Q)) for name, Q in generalised_parts(model.system).items()}
    resisted = value * (speeds @ model.mass_matrix(y[:nq]) @ mode[nq:])
    largest = max(parts, key=lambda name: abs(parts[name]))
    inertia = abs(resisted - sum(parts.values()))
    return largest if abs(parts[largest]) >= inertia else "inertia"


def generalised_parts(system: System) -> dict[str, Array]:
    """Q of each force and motor and of weight, each under a name that says what it is."""
    applied, still, weightless = Applied(system), np.zeros(system.tree.nv), np.zeros(3)
    tree, q, motors = system.tree, system.q, system.mechanism.motors
    found = {"weight": expressions(-inverse_dynamics(tree, q, still, still, system.gravity).Q)}
    for name, (wrenches, rows) in applied.parts.items():
        Q = np.zeros(tree.nv, dtype=object)
        for row, value in rows.items():
            Q[row] = Q[row] + value
        if wrenches:
            held = inverse_dynamics(tree, q, still, still, weightless, external=wrenches)
            Q = Q - held.Q
        kind = "motor" if name.removeprefix("motors.") in motors else "force"
        found[f'{kind} "{name}"'] = applied.opened(expressions(Q))
    return found
