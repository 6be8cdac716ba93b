"""Exciting motions: Fourier series along which the base parameters show best, within limits."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, final

import numpy as np

from torseur.errors import ModelError, SolveError, require_known
from torseur.figures import Figure, labelled, one_panel, written
from torseur.machine.compiled import CompiledModel, compiled_at
from torseur.model.description import Mechanism
from torseur.plain import entries
from torseur.result import Result
from torseur.robotics.identification.base_parameters import BaseParameters, base_parameters
from torseur.robotics.identification.excitation_search import (
    ITERATIONS,
    FourierMotion,
    MotionLimits,
    Search,
)
from torseur.robotics.joint_limits import joint_limits
from torseur.words.sentence import say

Array = np.ndarray
Progress = Callable[[float], None]


@final
class Excitation(Result):
    """Motion for identification, with its measure of excitation."""

    motion: FourierMotion
    condition: float  # of the regressor of the base parameters, columns of length 1
    first_condition: float  # the best before the search
    base: BaseParameters
    log_determinant: float = float("nan")  # of WᵀW, in the units of the mechanism

    def __str__(self) -> str:
        return self.say(
            "{number} coordinates, {harmonics} harmonics of {period:g} s: condition "
            "{condition:.4g} of {base} base parameters ({first:.4g} before the search)",
            number=len(self.motion.names),
            harmonics=self.motion.harmonics,
            period=self.motion.period,
            base=len(self.base),
            first=self.first_condition,
        )

    def save(self, path: str | Path, rate: float = 100.0, periods: float = 1.0) -> Path:
        """A table of times, coordinates, speeds and accelerations, in SI units (CSV)."""
        return self.motion.save(path, rate, periods)

    @property
    def document(self) -> dict[str, Any]:
        """Plain data."""
        series = entries(self.motion, "names", "period", "coefficients")
        return series | entries(self, "condition", "first_condition", "log_determinant")

    def figure(self, path: str | Path | None = None) -> Figure:
        """Coordinates over a period."""
        drawn, panel = one_panel()
        t = np.linspace(0, self.motion.period, 400)
        for name, values in zip(self.motion.names, self.motion.at(t).q.T, strict=True):
            panel.plot(t, values, label=name)
        labelled(panel, "t [s]", "q")
        panel.legend(loc="upper right")
        return written(drawn, path)


def excite(
    mechanism: Mechanism | CompiledModel,
    *,
    speed: float | Mapping[str, float] = 1.0,
    acceleration: float | Mapping[str, float] = 5.0,
    position: Mapping[str, tuple[float, float]] | None = None,
    period: float = 10.0,
    harmonics: int = 5,
    searches: int = 3,
    seed: int = 0,
    known: Sequence[str] = (),
    determinant: bool = False,
    progress: Progress | None = None,
) -> Excitation:
    """A periodic motion whose regressor of base parameters has a small condition number.

    Each coordinate is a Fourier series that starts at rest and stays within limits: of position
    (those of the joints unless they are given, else half a turn or the length of the mechanism
    to both sides), of speed and of acceleration, one for all or by coordinate. The best of some
    `searches` by SLSQP, each from a random series. With `determinant` the determinant of WᵀW is
    made large instead: the ellipsoid in which estimates lie has the least volume (D-optimal design;
    Swevers et al. 1997, Optimal robot excitation and identification).
    """
    model = compiled_at(mechanism)
    base = base_parameters(model, known=known)
    bounds = _limits(model, position, speed, acceleration)
    _check(period, harmonics, searches)
    if seed < 0:
        raise ModelError("seed", say("it is {seed}; it must not be below zero.", seed))
    problem = Search(model, base, bounds, harmonics, period, determinant=determinant)
    rng, best, first = np.random.default_rng(seed), None, np.inf
    for k in range(searches):
        start = problem.random(rng)
        first = min(first, problem.condition(start))
        report = _reporter(progress, k, searches)
        result = problem.searched(start, report)
        if best is None or problem.judged(result) < problem.judged(best):
            best = result
    assert best is not None, "there is one search or more"
    condition = problem.condition(best)
    if not np.isfinite(condition):
        text = say("no motion within the limits shows all {number} parameters.", len(base))
        advice = "Give wider limits, more harmonics, or keep some parameters known."
        raise SolveError("excite", text, advice)
    information = problem.information(best)
    return Excitation(problem.motion(best), condition, first, base, information)


def _check(period: float, harmonics: int, searches: int) -> None:
    if not (period > 0 and harmonics >= 2 and searches >= 1):
        problem = say(
            "period {period}, harmonics {harmonics} and searches {searches} do not make a search.",
            period,
            harmonics,
            searches,
        )
        advice = "Give a period above zero, two harmonics or more and one search or more."
        raise ModelError("excite", problem, advice)


def _reporter(progress: Progress | None, k: int, searches: int) -> Callable[[Any], None]:
    done = iter(range(1, 10**9))

    def report(_: Any) -> None:
        if progress is not None:
            progress((k + min(next(done) / ITERATIONS, 1.0)) / searches)

    return report


# --- limits -------------------------------------------------------------------------------------


def _limits(
    model: CompiledModel, position: Mapping[str, tuple[float, float]] | None, speed: Any, accel: Any
) -> MotionLimits:
    names = model.coordinates
    if tuple(f"{name}." for name in names) != model.speeds:
        other = next(x for x in model.speeds if x.removesuffix(".") not in names)
        raise ModelError(
            "excite",
            say('the speed "{other}" is not the rate of a coordinate.', other),
            "Fourier series apply to rotations and translations.",
        )
    reach, known = np.pi * model.sizes.displacements, joint_limits(model, names)
    both = np.isfinite(known.low) & np.isfinite(known.high)
    low, high = np.where(both, known.low, -reach), np.where(both, known.high, reach)
    ends = dict(zip(names, zip(low, high, strict=True), strict=True)) | dict(position or {})
    require_known("position", "coordinate", ends, names)
    low, high = np.array([ends[name] for name in names], dtype=float).T
    if not (low < high).all():
        k = int(np.argmin(high - low))
        raise ModelError(
            "position", say("{name} goes from {low:g} to {high:g}.", names[k], low[k], high[k])
        )
    return MotionLimits(
        low, high, _each("speed", speed, names), _each("acceleration", accel, names)
    )


def _each(what: str, given: Any, names: tuple[str, ...]) -> Array:
    """One limit for each coordinate."""
    table = given if isinstance(given, Mapping) else dict.fromkeys(names, given)
    for name in names:
        if name not in table:
            raise ModelError(what, say('no limit is given for "{name}".', name))
    values = np.array([table[name] for name in names], dtype=float)
    if not (np.isfinite(values).all() and (values > 0).all()):
        raise ModelError(what, say("limits must be above zero, got {values}.", values.tolist()))
    return values
