"""Two-plane balancing by influence coefficients, from measured signals of the bearings; files.

Plaut (2007), problem 3.2, question 3. A signal s(t) = Re(z e^{iφ}) of a gauge, φ being the angle
of the rotor, stands for the complex z. A trial unbalance u in one plane changes z by c u, which
gives c.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

import numpy as np
from scipy.optimize import minimize_scalar

from torseur.analyse.rotation.rotors import BalanceMass
from torseur.errors import ModelError
from torseur.figures import Figure, figure, labelled, written
from torseur.language.text.files import needed_column, read_columns
from torseur.plain import entries, plain
from torseur.result import Result
from torseur.words.sentence import say, worded

Array = np.ndarray
RUNS = ("bare", "trial1", "trial2")


@final
class Synchronous(Result):
    """The part of signals that turns with the rotor."""

    z: Array  # (gauges) complex: s = offset + Re(z e^{iφ}) + rest
    error: Array  # (gauges) standard error of z, of each of its two parts
    offset: Array  # (gauges)
    rest: Array  # (gauges) root mean square of the residuals


def synchronous(angle: Array, signals: Array) -> Synchronous:
    """The part of signals (samples, gauges) that goes with the angle φ of the rotor [rad].

    By least squares on 1, cos φ, sin φ: samples need be neither evenly spaced nor whole turns.
    """
    phase, table = _sampled(angle, signals)
    if len(phase) < 6 or not np.ptp(phase) >= np.pi:
        problem = say("{number} samples over {ptp:.3g} rad are too few.", len(phase), np.ptp(phase))
        raise ModelError("signals", problem, "Record some whole turns.")
    basis = np.column_stack([np.ones_like(phase), np.cos(phase), -np.sin(phase)])
    amplitudes, *_ = np.linalg.lstsq(basis, table, rcond=None)
    left = table - basis @ amplitudes
    spread = np.sqrt((left**2).sum(axis=0) / (len(phase) - 3))
    covariance = np.linalg.inv(basis.T @ basis)
    error = spread * np.sqrt((covariance[1, 1] + covariance[2, 2]) / 2)
    return Synchronous(amplitudes[1] + 1j * amplitudes[2], error, amplitudes[0], spread)


def _sampled(along: Array, signals: Array) -> tuple[Array, Array]:
    """Arguments (samples) and signals (samples, gauges) that belong together."""
    x, table = np.asarray(along, dtype=float), np.asarray(signals, dtype=float)
    if x.ndim != 1 or len(x) < 2 or table.shape[:1] != x.shape or not table.size:
        problem = say(
            "{shape} samples and signals of shape {shape2} do not go together.",
            x.shape,
            table.shape,
        )
        raise ModelError("signals", problem, "Give arrays (samples) and (samples, gauges).")
    return x, table.reshape(len(x), -1)


def rotation_speed(t: Array, signals: Array, near: float | None = None) -> float:
    """The speed at which the synchronous part of the signals is largest [rad/s].

    Searched over the whole spectrum, or within two lines of it about `near`.
    """
    t, table = _sampled(t, signals)
    if len(t) < 4 or not np.all(np.diff(t) > 0):
        problem = say(
            "{number} samples at times from {t:g} to {t2:g} s do not show a speed.",
            len(t),
            t[0],
            t[-1],
        )
        raise ModelError("signals", problem, "Give four samples or more, at times that increase.")
    table = table - table.mean(axis=0)
    line = 2 * np.pi / (t[-1] - t[0])

    def lack(speed: float) -> float:
        return -float((np.abs(np.exp(-1j * speed * t) @ table) ** 2).sum())

    def rest(speed: float) -> float:
        # what a sine of this speed leaves: its own reflection does not bias it, as a spectrum would
        basis = np.column_stack([np.ones_like(t), np.cos(speed * t), np.sin(speed * t)])
        left = table - basis @ np.linalg.lstsq(basis, table, rcond=None)[0]
        return float((left**2).sum())

    if near is None:
        lines = line * np.arange(1, len(t) // 2)
        near = float(min(lines, key=lack))
    maximum = minimize_scalar(
        rest, bounds=(near - line, near + line), method="bounded", options={"xatol": 1e-9 * near}
    )
    return float(maximum.x)


@final
class Balancing(Result):
    """The masses that cancel the synchronous signals, and what is expected to remain."""

    bare: Array  # (gauges) complex
    influence: Array  # (gauges, 2) complex, per kg m
    corrections: Array  # (2,) complex unbalance for each plane [kg m]
    error: Array  # (gauges) what noise is expected to leave of each signal

    @property
    def residual(self) -> Array:
        """Signal that remains by the measured coefficients (gauges); zero with two gauges."""
        return np.asarray(self.bare + self.influence @ self.corrections)

    @property
    def reduction(self) -> float:
        """Expected ratio of the largest signal before and after."""
        left = np.hypot(np.abs(self.residual), self.error).max()
        return float(np.abs(self.bare).max() / left) if left > 0 else float("inf")

    def masses(self, radii: Sequence[float], planes: Sequence[float] = (0.0, 0.0)) -> tuple[
        BalanceMass, BalanceMass
    ]:  # fmt: skip
        """The mass and the angle for each plane, at its radius [m]; planes at z [m]."""
        if min(radii) <= 0:
            raise ModelError(
                "balancing", say("radii must be positive, got {radii} m.", list(radii))
            )
        first, second = map(BalanceMass.of, self.corrections, radii, planes)
        return first, second

    def figure(self, path: str | Path | None = None) -> Figure:
        """Signals as vectors: bare, and the change by each mass, which lead back to zero."""
        drawn = figure(8.0, 4.2)
        panels = np.atleast_1d(drawn.subplots(1, len(self.bare)))
        for k, panel in enumerate(panels):
            steps = [self.bare[k], *(self.influence[k] * self.corrections)]
            ends = np.concatenate([[0], np.cumsum(steps)])
            for j, name in enumerate(("bare rotor", "mass in plane 1", "mass in plane 2")):
                panel.plot(ends[j : j + 2].real, ends[j : j + 2].imag, "-o", label=worded(name))
            labelled(panel, say("gauge {number}: x [N]", k + 1), "y [N]")
            panel.set_aspect("equal", adjustable="datalim")
        panels[0].legend(frameon=False)
        return written(drawn, path)

    @property
    def document(self) -> dict[str, Any]:
        """Plain data; complex numbers as [real, imaginary]."""
        known = entries(self, "bare", "influence", "corrections", "reduction")
        return known | {"expected_rest": plain(self.error)}


def balance_rotor(
    bare: Synchronous, trials: Sequence[Synchronous], unbalances: Sequence[complex]
) -> Balancing:
    """The unbalances in two planes that cancel the signals of the bare rotor [kg m].

    `trials` are the signals with `unbalances[k]` = m r e^{iθ} put in plane k alone, at the same
    speed. Two gauges determine two planes; more are taken by least squares.
    """
    if len(trials) != 2 or len(unbalances) != 2 or not all(unbalances):
        problem = say(
            "two trials with two unbalances that are not zero are needed, got {unbalances}.",
            unbalances,
        )
        raise ModelError("balancing", problem)
    shapes = [len(x.z) for x in (bare, *trials)]
    if len(set(shapes)) > 1 or shapes[0] < 2:
        raise ModelError(
            "balancing", say("each run needs the same two gauges or more, got {shapes}.", shapes)
        )
    columns = [(x.z - bare.z) / u for x, u in zip(trials, unbalances, strict=True)]
    influence = np.column_stack(columns)
    sizes = np.linalg.svd(influence, compute_uv=False)
    if not sizes[-1] > 1e-6 * sizes[0]:
        advice = (
            "Check that the planes differ and that the trial masses are large enough to be "
            "measured."
        )
        problem = say(
            "the two trials change the signals alike (ratio {sizes:.1e}).", sizes[-1] / sizes[0]
        )
        raise ModelError("balancing", problem, advice)
    b, *_ = np.linalg.lstsq(influence, -bare.z, rcond=None)
    # δz of the bare run enters as 1 − Σ b/u, that of each trial as b/u; both parts of z err alike
    share = b / np.array(unbalances)
    squares = np.abs(1 - share.sum()) ** 2 * bare.error**2
    squares = squares + sum(abs(s) ** 2 * x.error**2 for s, x in zip(share, trials, strict=True))
    return Balancing(bare.z, influence, b, np.sqrt(2 * squares))


# --- CSV files of signals -----------------------------------------------------------------------


@final
@dataclass(frozen=True, eq=False)
class Signals:
    """The signals of the gauges in one run of the rotor."""

    t: Array  # (samples) [s]
    values: Array  # (samples, gauges)
    angle: Array | None = None  # of the rotor (samples) [rad]; without it, speed × t

    def synchronous(self, speed: float) -> Synchronous:
        """The part that turns with the rotor."""
        return synchronous(speed * self.t if self.angle is None else self.angle, self.values)

    def speed(self) -> float:
        """The speed of the rotor, from its angle if it was measured, else from the signals."""
        if self.angle is not None:
            return float(np.polyfit(self.t, self.angle, 1)[0])
        return rotation_speed(self.t, self.values)


def read_signals(*paths: str | Path) -> tuple[Signals, Signals, Signals]:
    """Signals of the bare rotor and of two trials, from one file or from three.

    A file has a row of names, then numbers. `t` is in seconds from the passage of the mark; of
    three files the other columns are gauges, except `angle` [rad]. In one file, columns begin with
    the run: bare_1, bare_2, trial1_1, trial1_2, trial2_1, trial2_2.
    """
    if len(paths) == 3:
        first, second, third = (_one_run(path) for path in paths)
        return first, second, third
    if len(paths) != 1:
        problem = say("{number} files were given.", len(paths))
        raise ModelError("signals", problem, "Give one file, or three: bare, trial 1, trial 2.")
    t, columns = _columns(paths[0])
    signals = []
    for run in RUNS:
        gauges = [x for name, x in columns.items() if name.startswith(f"{run}_")]
        if len(gauges) < 2:
            problem = say(
                'the columns "{run}_1" and "{run}_2" are missing; the file has: {columns}.',
                run,
                ", ".join(columns),
            )
            raise ModelError(str(paths[0]), problem)
        signals.append(Signals(t, np.column_stack(gauges)))
    return signals[0], signals[1], signals[2]


def _one_run(path: str | Path) -> Signals:
    t, columns = _columns(path)
    gauges = [x for name, x in columns.items() if name not in ("t", "angle")]
    if len(gauges) < 2:
        problem = say("two gauges or more are needed; there are: {columns}.", ", ".join(columns))
        raise ModelError(str(path), problem)
    return Signals(t, np.column_stack(gauges), columns.get("angle"))


def _columns(path: str | Path) -> tuple[Array, dict[str, Array]]:
    """Times, and the columns by name; a unit in brackets after a name is left out."""
    columns = read_columns(path)
    t = needed_column("t", columns, path).values
    return t, {name: column.values for name, column in columns.items()}
