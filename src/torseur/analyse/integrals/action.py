"""The principle of least action: the action of a motion, and of paths varied about it.

S = ∫ (T − V) dt between two instants. Of all paths with the same ends, that of the motion makes S
stationary (Hamilton): its first variation vanishes, which is d/dt ∂L/∂q̇ − ∂L/∂q = 0 (Euler,
Lagrange). Over a short time S is least there; over a long one it need not be. Constraints on
positions enter by their multipliers: L + λ · φ(q) is then varied freely.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import final

import numpy as np

from torseur.analyse.efforts.impulse import gauss_nodes, span_of
from torseur.equations.symbols.system import require_rates
from torseur.errors import ModelError, require_known
from torseur.result import Result
from torseur.simulation.run.run import Run
from torseur.words.sentence import say

Array = np.ndarray
_PANELS, _POINTS = 40, 6  # of the quadrature: Gauss in each panel
_SMALL = 1e-3  # of the variation by which the first one is found; halved once
_WORKS = 1e-9  # of the energies: forces without potential that do not matter


@final
class PathAction(Result):
    """The action of a run between two instants and along varied paths q + ε η."""

    span: tuple[float, float]  # [s]
    value: float  # S of the motion [J s]
    factors: Array  # ε
    varied: Array  # S(ε) [J s]
    first: float  # dS/dε at 0
    second: float  # d²S/dε² at 0
    scale: float  # ∫ (|dT| + |dV|) of the variation: what terms of the first one cancel [J s]

    @property
    def stationary(self) -> bool:
        """Whether the first variation vanishes beside its terms."""
        return abs(self.first) <= 1e-6 * self.scale

    @property
    def least(self) -> bool:
        """Whether the motion is a minimum along this variation."""
        return self.second > 0

    def __str__(self) -> str:
        start, stop = self.span
        head = say(
            "action from t = {start:g} to {stop:g} s: S = {value:.9g} J s", start, stop, self.value
        )
        rows = zip(self.factors, self.varied, strict=True)
        lines = [f"  ε = {e: .3g}: S − S(0) = {S - self.value: .6e} J s" for e, S in rows]
        kind = say("least") if self.least else say("not least")
        verdict = say("stationary") if self.stationary else say("not stationary")
        text = self.say(
            "first variation {first:.1e} (terms of {scale:.2g}): {verdict}; second variation "
            "{second:.4g}: {kind}",
            verdict=verdict,
            kind=kind,
        )
        return "\n".join([head, *lines, text])


def action(
    run: Run,
    start: float | None = None,
    stop: float | None = None,
    *,
    variation: Mapping[str, float] | None = None,
    harmonic: int = 1,
    factors: Sequence[float] = (-0.1, -0.05, 0.05, 0.1),
) -> PathAction:
    """The action of a run from `start` to `stop`, and of paths varied about it with the same ends.

    The path is q + ε η with η = c sin(k π s), s from 0 to 1 over the time, k the `harmonic`, c the
    `variation` by coordinate (1 for each unless it is given). Forces without potential and
    constraints on speeds have no action: they are refused.
    """
    path = _Path(run, start, stop)
    amplitudes = path.amplitudes(variation)
    S = {e: path.action(amplitudes, harmonic, e) for e in (0.0, *factors)}
    steps = [path.action(amplitudes, harmonic, k * _SMALL) for k in (1, -1, 0.5, -0.5)]
    whole, half = (steps[0] - steps[1]) / (2 * _SMALL), (steps[2] - steps[3]) / _SMALL
    bent = (steps[0] + steps[1] - 2 * S[0.0]) / _SMALL**2
    return PathAction(
        path.span,
        S[0.0],
        np.array(factors, dtype=float),
        np.array([S[e] for e in factors]),
        (4 * half - whole) / 3,
        bent,
        path.scale(amplitudes, harmonic),
    )


@final
class _Path:
    """A run at the nodes of a quadrature."""

    def __init__(self, run: Run, start: float | None, stop: float | None) -> None:
        _check(run)
        self.span = span_of(run, start, stop, "action")
        times, self.weights = gauss_nodes(np.linspace(*self.span, _PANELS + 1), _POINTS)
        self.run = run.at(times)
        self.model = run.model

    def amplitudes(self, variation: Mapping[str, float] | None) -> Array:
        names = self.model.coordinates
        require_known("action", "coordinate", variation or (), names)
        usual = 0.0 if variation else 1.0
        return np.array([float((variation or {}).get(name, usual)) for name in names])

    def _varied(self, amplitudes: Array, harmonic: int, e: float) -> tuple[Array, Array]:
        (start, stop), t = self.span, self.run.t
        k = harmonic * np.pi / (stop - start)
        wave, rate = np.sin(k * (t - start)), k * np.cos(k * (t - start))
        return (
            self.run.q + e * np.outer(wave, amplitudes),
            self.run.v + e * np.outer(rate, amplitudes),
        )

    def action(self, amplitudes: Array, harmonic: int, e: float) -> float:
        """S along the path varied by e."""
        q, v = self._varied(amplitudes, harmonic, e)
        T, V = self._energies(q, v)
        return float(self.weights @ (T - V + self._constraint_terms(q)))

    def scale(self, amplitudes: Array, harmonic: int) -> float:
        """Size of the terms of the first variation, without regard to their signs."""
        (T1, V1), (T0, V0) = (
            self._energies(*self._varied(amplitudes, harmonic, e)) for e in (_SMALL, -_SMALL)
        )
        return float(self.weights @ (abs(T1 - T0) + abs(V1 - V0))) / (2 * _SMALL)

    def _energies(self, q: Array, v: Array) -> tuple[Array, Array]:
        timed = self.model.timed
        return (
            np.asarray(timed("kinetic_energy")(q, v, self.run.t)),
            np.asarray(timed("potential_energy")(q, self.run.t)),
        )

    def _constraint_terms(self, q: Array) -> Array:
        """λ · φ of the constraints on positions."""
        if not self.model.system.constrained:
            return np.zeros(len(q))
        rows = list(self.model.constraints.positions)
        gap = np.asarray(self.model.timed("closure_gap")(q, self.run.t))
        return np.asarray((self.run.lambdas[:, rows] * gap).sum(axis=1))


def _check(run: Run) -> None:
    """Refuse what has no action."""
    require_rates(run.model.system, say("the action of a path in its coordinates"))
    if run.model.system.constrained:
        constraints = run.model.constraints
        loose = [
            constraints.owners[k]
            for k in range(len(constraints.owners))
            if k not in constraints.positions
        ]
        if loose:
            problem = say(
                '"{name}" holds speeds only: the principle is for holonomic systems.', loose[0]
            )
            raise ModelError("action", problem, "Describe it by a condition on positions.")
    energy = run.energy
    size = max(float(np.ptp(energy[name])) for name in ("kinetic", "potential"))
    if float(np.ptp(energy["work"])) > _WORKS * max(size, np.finfo(float).tiny):
        raise ModelError(
            "action",
            "forces without a potential work in this motion: it makes no action stationary.",
            "Leave them out, or give them a potential.",
        )
