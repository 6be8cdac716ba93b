"""Choice of an integrator: explicit steps, until stability and not accuracy limits them.

The fastest small motion about a state decides: its rate, the coordinate it moves, the force it
needs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Protocol, final

import numpy as np

from torseur.algebra.calculus.derivative import directional
from torseur.algebra.core.expr import TIME
from torseur.algebra.core.graph import evaluate
from torseur.equations.actions.applied import generalised_parts
from torseur.equations.functions.kernel import smoothed
from torseur.equations.functions.motion import inputs_of_state
from torseur.machine.compiled import CompiledModel
from torseur.machine.integrators.codes import Code
from torseur.machine.integrators.methods import Dop853, Method, Radau
from torseur.machine.integrators.outcome import Reached
from torseur.machine.integrators.problem import Entry
from torseur.model.values.scales import coordinate_units
from torseur.simulation.formulations.joint_start import Mover
from torseur.words.sentence import say

Array = np.ndarray
EXPLICIT, IMPLICIT = say("DOP853 (explicit, order 8)"), say("Radau (implicit, order 5)")
_DOUBT = 8  # times more of them after an answer that proved wrong
_STIFF = 3.0  # steps of DOP853, times the fastest rate, are limited by it above this
_STIFF_IF_SLOW = 0.5  # the same where the motion itself is slow
_SLOW = 0.05  # slow: its rate of change changes by this fraction of that
_WORTH = 4.0  # explicit steps in the time of an implicit one
_SURE = 1000  # short steps in a row that no singular position explains
_IMPLICIT = 200  # the most numbers of a state whose matrix of derivatives is soon factorised
_STEP = 1e-6  # of differences, beside the size of what is moved
_SMALLEST = 1e-3  # of what a component usually is: sizes below count as this
_STEADY = 0.1  # growth beside the rate, from which a motion is not stiff but unstable


class Implicit(Mover, Protocol):
    """Rate and projection of a state, and the derivative of the rate."""

    @property
    def derivative(self) -> Entry | None: ...


@final
class Choice:
    """Choice of the method at the pauses of a run, with notices about the changes."""

    def __init__(self, moving: Implicit, start: Dop853, t: float) -> None:
        self._moving, self._explicit = moving, start
        self._is_implicit = False
        self._limit = 0.0  # an explicit step times the fastest rate, where it was found stiff
        self._since = (t, 0)  # time and steps when it was last asked
        self._said: list[str] = []

    @property
    def notices(self) -> list[str]:
        """Which integrators were used, and why."""
        return self._said or [say("Integrated by {explicit}: not stiff.", EXPLICIT)]

    def __call__(self, code: Code, reached: Reached) -> Method | None:
        """The method to go on with; None: the same."""
        t, steps = self._since
        self._since = (reached.time, reached.steps)
        if not self._is_implicit and code != Code.STIFF:
            return None
        rate = abs(_mode(self._moving, reached.time, reached.state)[0])
        if self._is_implicit:
            mean = (reached.time - t) / max(reached.steps - steps, 1)
            return self._back(reached, mean) if mean * rate < _WORTH * self._limit else None
        self._limit = reached.step * rate
        is_slow = reached.bend < _SLOW * self._limit
        if self._limit > (_STIFF_IF_SLOW if is_slow else _STIFF):
            return self._stiff(reached)
        return self._doubting()

    def _doubting(self) -> Method:
        self._explicit = replace(self._explicit, patience=_DOUBT * self._explicit.patience)
        return self._explicit

    def _stiff(self, reached: Reached) -> Method:
        mode = fastest(self._moving, reached.time, reached.state)
        self._is_implicit = True
        self._said.append(
            say(
                "Stiff at t = {time:.3g} s: {found}. That kept {explicit} to steps of {step:.1e} "
                "s; {implicit} went on.",
                reached.time,
                mode,
                EXPLICIT,
                reached.step,
                IMPLICIT,
            )
        )
        explicit = self._explicit
        same = Radau(explicit.rtol, explicit.atol, explicit.max_step)
        return implicit(self._moving, same)

    def _back(self, reached: Reached, mean: float) -> Method:
        self._is_implicit = False
        self._said.append(
            say(
                "At t = {time:.3g} s the steps of {implicit}, {mean:.1e} s, were too short to be "
                "worth their price; {explicit} went on.",
                reached.time,
                IMPLICIT,
                mean,
                EXPLICIT,
            )
        )
        return self._doubting()


def implicit(moving: Implicit, method: Radau) -> Radau:
    """Radau with the derivative of the motion, unless that is better taken by differences."""
    return replace(method, derivative=moving.derivative)


@final
class Lasting:
    """Asked at the pauses of a run that is stiff: if it still is later on, Radau goes on.

    A singular position looks stiff too, but is soon behind. The implicit steps of a large mechanism
    would cost more than they save: the explicit ones go on.
    """

    def __init__(self, stepping: Method, size: int) -> None:
        self.notices: list[str] = []
        self._stepping, self._size = stepping, size

    def __call__(self, code: Code, reached: Reached) -> Method | None:
        if code != Code.STIFF:
            return None
        assert isinstance(self._stepping, Dop853), "only explicit steps are kept short"
        if self._stepping.patience < _SURE:
            self._stepping = replace(self._stepping, patience=_SURE)
            return self._stepping
        small = self._size <= _IMPLICIT
        what = (
            say("{implicit} went on", IMPLICIT) if small else say('method="radau" may be quicker')
        )
        self.notices.append(
            say(
                "Stiff at t = {time:.3g} s: stability kept {explicit} to steps of {step:.1e} s; "
                "{what}.",
                reached.time,
                EXPLICIT,
                reached.step,
                what,
            )
        )
        now = self._stepping
        same = Radau(now.rtol, now.atol, now.max_step)
        return same if small else replace(now, patience=0)


# --- the fastest motion ---------------------------------------------------------------------------


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


def fastest(moving: Mover, t: float, y: Array) -> Fastest:
    """The fastest motion with its cause."""
    value, mode = _mode(moving, t, y)
    model, nq = moving.begin.model, len(moving.begin.model.coordinates)
    speeds = mode[nq:]
    shares = np.abs((speeds.conj() * (model.mass_matrix(y[:nq]) @ speeds)).real)
    coordinate = model.speeds[int(shares.argmax())].removesuffix(".")
    return Fastest(value, coordinate, _cause(model, t, y, mode, value))


def _mode(moving: Mover, t: float, y: Array) -> tuple[complex, Array]:
    """λ and the coordinates and speeds of its motion."""
    values, vectors = np.linalg.eig(_linearised(moving, t, y))
    steady = values.real <= _STEADY * np.abs(values)
    k = int(np.where(steady, np.abs(values), -1.0).argmax())
    return complex(values[k]), vectors[:, k]


def _linearised(moving: Mover, t: float, y: Array) -> Array:
    """∂ẏ/∂y of coordinates and speeds, by differences; zero where it does not exist."""
    model = moving.begin.model
    columns, n = [], len(model.coordinates) + len(model.speeds)
    for before, after in neighbours(model, y):
        rates = [np.array(moving.rate(t, x)[:n]) for x in (before, after)]
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
    """Sizes beside which a displacement of coordinates and speeds is small, without whole turns."""
    sizes, angles = model.sizes, coordinate_units(model.mechanism)
    usual = np.concatenate([sizes.coordinates, sizes.displacements / sizes.scales.time])
    result = np.maximum(np.abs(y[: len(usual)]), _SMALLEST * usual)
    turning = [k for k, name in enumerate(model.coordinates) if angles[name] == "rad"]
    result[turning] = np.minimum(result[turning], np.pi)
    return np.asarray(result)


def _cause(model: CompiledModel, t: float, y: Array, mode: Array, value: complex) -> str:
    """The force that changes most along a motion: λ u·M u = Σ u·δQ, where the rest is inertia.

    Changes are exact derivatives: differences would read rounding where λ is large, because
    coordinates move 1/λ times less than speeds.
    """
    nq = len(model.coordinates)
    _, names = inputs_of_state(model.system)[0]
    known = {**model.parameters, **dict(zip(names, y, strict=True)), TIME.name: t}
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
