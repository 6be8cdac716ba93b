"""The largest Lyapunov exponent of a motion, with an error bar.

Two neighbouring motions are followed; after every interval the second is brought back to its first
distance from the first one, along the same direction (Benettin, Galgani and Strelcyn 1976). The
exponent is the mean rate of the logarithms of the stretches.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, final

import numpy as np

from torseur.errors import ModelError, SolveError
from torseur.figures import Figure, labelled, one_panel, written
from torseur.machine.compiled import CompiledModel, compiled_at
from torseur.machine.integrators.methods import Dop853
from torseur.model.contact.smooth import require_smooth
from torseur.model.description import Mechanism
from torseur.plain import entries
from torseur.result import Result
from torseur.simulation.constraints.numeric_constraints import NumericConstraints
from torseur.simulation.formulations.joint import JointFormulation
from torseur.simulation.formulations.joint_start import JointStart
from torseur.simulation.formulations.numeric import NumericFormulation
from torseur.simulation.formulations.request import Request
from torseur.simulation.formulations.selection import integrated_in_joints
from torseur.simulation.run.run import Run
from torseur.simulation.simulate import simulate
from torseur.simulation.start.independent import independent_rows
from torseur.words.sentence import say

Array = np.ndarray
_APART = 1e-7  # of the size of the motion: far from rounding and from what is not linear
_FAR = 1e-2  # beyond this the neighbour is no neighbour
_SPIN_UP = 0.1  # of the duration, in which the neighbour turns to the direction that grows most
_SURE = 3.0  # error bars


@final
class Lyapunov(Result):
    """The exponent, from the logarithms of the stretches after each interval."""

    name: str
    logarithms: Array  # (intervals), those of the spin-up first
    interval: float  # [s]
    spin_up: int  # intervals that are not counted
    blocks: int

    @property
    def t(self) -> Array:
        """The ends of the intervals [s]."""
        return self.interval * np.arange(1, len(self.logarithms) + 1)

    @property
    def exponent(self) -> float:
        """The mean rate at which neighbours part [1/s]."""
        return float(self.logarithms[self.spin_up :].mean() / self.interval)

    @property
    def statistical(self) -> float:
        """The standard error of the mean, from the spread of blocks [1/s]."""
        parts = np.array_split(self.logarithms[self.spin_up :], self.blocks)
        means = np.array([part.mean() for part in parts]) / self.interval
        return float(means.std(ddof=1) / np.sqrt(self.blocks))

    @property
    def resolution(self) -> float:
        """Exponent of neighbours that part in proportion to time, ln(t₂/t₁)/(t₂ − t₁) [1/s].

        In regular motion they do part so: a smaller exponent is not told from zero.
        """
        first, last = self.interval * self.spin_up, self.t[-1]
        return float(np.log(last / first) / (last - first))

    @property
    def error(self) -> float:
        """The error bar: spread of blocks and resolution together [1/s]."""
        return float(np.hypot(self.statistical, self.resolution))

    @property
    def megno(self) -> float:
        """Mean exponential growth of nearby orbits (Cincotta and Simó 2000).

        It tends to 2 in regular motion and grows like half the exponent × time in chaotic motion.
        """
        weighted = 2 * np.cumsum(self.logarithms * (self.t - self.interval / 2)) / self.t
        return float(weighted.mean())

    @property
    def chaotic(self) -> bool:
        """Whether the exponent is positive beyond three error bars."""
        return self.exponent > _SURE * self.error

    @property
    def document(self) -> dict[str, Any]:
        """Plain data."""
        names = ("exponent", "error", "statistical", "resolution", "megno", "chaotic", "interval")
        return entries(self, *names) | {"duration": float(self.t[-1])}

    def __str__(self) -> str:
        result = self.say("largest Lyapunov exponent {exponent:.3g} ± {error:.2g} 1/s")
        if self.chaotic:
            folding = 1 / self.exponent
            tenfold = folding * np.log(10)
            growth = say(
                "chaotic: errors grow e-fold in {folding:.3g} s, tenfold in {tenfold:.3g} s",
                folding,
                tenfold,
            )
            return f"{result}\n{growth}"
        if self.exponent < -_SURE * self.error:
            fading = say(
                "not chaotic: motions that start near each other meet, errors shrink e-fold in "
                "{folding:.3g} s",
                -1 / self.exponent,
            )
            return f"{result}\n{fading}"
        regular = self.say(
            "not distinguishable from zero in {t:.4g} s (MEGNO {megno:.3g}, regular motion: 2)",
            t=self.t[-1],
        )
        return f"{result}\n{regular}"

    def figure(self, path: str | Path | None = None) -> Figure:
        """The estimate against time, with the error bar."""
        drawn, panel = one_panel()
        counted = self.logarithms[self.spin_up :]
        running = np.cumsum(counted) / (self.interval * np.arange(1, len(counted) + 1))
        panel.plot(self.t[self.spin_up :], running, linewidth=1.4)
        low, high = self.exponent - self.error, self.exponent + self.error
        panel.axhspan(low, high, alpha=0.2, label=f"{self.exponent:.3g} ± {self.error:.2g} 1/s")
        panel.axhline(0.0, color="black", linewidth=0.8)
        labelled(panel, "t [s]", "largest Lyapunov exponent [1/s]")
        panel.legend(frameon=False)
        return written(drawn, path, self.name)


def lyapunov(
    mechanism: Mechanism | CompiledModel,
    duration: float,
    *,
    initial: Mapping[str, float] | None = None,
    parameters: Mapping[str, float] | None = None,
    interval: float | None = None,
    blocks: int = 10,
    rtol: float = 1e-12,
) -> Lyapunov:
    """The largest Lyapunov exponent of the motion over `duration` seconds.

    Neighbours are compared every `interval` seconds (a thousandth of the duration unless given).
    The error bar comes from `blocks` parts of the motion, and from what regular motion would show
    in the same time. With an imposed motion or a force of time, time goes on.
    """
    step = duration / 1000 if interval is None else interval
    count = round(duration / step) if step > 0 else 0
    spin_up = max(round(_SPIN_UP * count), 1)
    if blocks < 2 or count - spin_up < 2 * blocks:
        problem = say(
            "{count} intervals of {step:g} s do not make {blocks} blocks of two.",
            count,
            step,
            blocks,
        )
        raise ModelError("lyapunov", problem, "Give a longer duration or a shorter interval.")
    model = compiled_at(mechanism, parameters)
    require_smooth(model.mechanism, say("Lyapunov's exponent"))
    scout = simulate(model, spin_up * step, initial=initial, rate=10 / step, rtol=rtol)
    logarithms = _stretches(_moving(scout, rtol), _sizes(scout), step, count)
    return Lyapunov(scout.model.mechanism.name, logarithms, step, spin_up, blocks)


def _moving(run: Run, rtol: float) -> JointFormulation | NumericFormulation:
    """Integration of states y = (q, v, work) from the start of a run, with constraints held."""
    constraints, t = NumericConstraints(run.model), float(run.t[0])
    y = np.concatenate([run.q[0], run.v[0], [0.0]])
    start = JointStart(constraints, independent_rows(constraints, run.q[0], t), y, t)
    return integrated_in_joints(start, Dop853(rtol))


def _sizes(run: Run) -> Array:
    """Range of each coordinate and each speed: the metric of distances."""
    sizes = np.concatenate([np.ptp(run.q, axis=0), np.ptp(run.v, axis=0)])
    largest = sizes.max(initial=0.0)
    return np.maximum(sizes, 1e-3 * largest) if largest > 0 else np.ones_like(sizes)


def _stretches(
    moving: JointFormulation | NumericFormulation, sizes: Array, step: float, count: int
) -> Array:
    """The logarithm of the stretch in each interval."""
    n = len(sizes)

    def carried(y: Array, t: float) -> Array:
        outcome = moving.move(y, Request(np.array([t, t + step]), watches=False))
        if not outcome.is_whole:
            raise KeyboardInterrupt
        return np.asarray(outcome.states[-1])

    def beside(y: Array, direction: Array, t: float) -> Array:
        neighbour = y.copy()
        neighbour[:n] += _APART * sizes * direction / np.linalg.norm(direction)
        return moving.project(t, neighbour)

    def apart(y: Array, other: Array) -> Array:
        return np.asarray((other[:n] - y[:n]) / sizes)

    y, t = moving.begin.y, moving.begin.t
    other = beside(y, np.random.default_rng(0).normal(size=n), t)
    stretches = []
    for _ in range(count):
        before = np.linalg.norm(apart(y, other))
        y, other, t = carried(y, t), carried(other, t), t + step
        direction = apart(y, other)
        after = np.linalg.norm(direction)
        if not 0 < after < _FAR:
            problem = say(
                "neighbours are {after:.1e} of the size of the motion apart after {step:g} s.",
                after,
                step,
            )
            raise SolveError(f"t = {t:.6g} s", problem, "Give a shorter interval.")
        stretches.append(np.log(after / before))
        other = beside(y, direction, t)
    return np.array(stretches)
