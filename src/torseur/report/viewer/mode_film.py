"""Modes that move: every body swings as it does in a small motion, enlarged to be seen."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from torseur.analyse.at_a_state.chart import close_loops
from torseur.analyse.stability.small_motions import displacement_name
from torseur.analyse.stability.vibration_modes import Mode
from torseur.analyse.vibrations.linearise import Linear
from torseur.errors import ModelError
from torseur.model.values.numeric import without_state_freedoms
from torseur.named_words import report_words
from torseur.report.scene.geometry import geometry
from torseur.report.scene.movement import Movement
from torseur.report.scene.panels import by_kind
from torseur.report.viewer.stage import alone, side_by_side
from torseur.simulation.constraints.displacement import advanced
from torseur.simulation.run.quantities import Curve
from torseur.words.language import spoken
from torseur.words.sentence import say

Array = np.ndarray
_PERIOD, _TURNS = 2.0, 2  # of the film: seconds for each period, and periods
_SAMPLES = 121
_ANGLE, _LENGTH = 0.25, 0.2  # largest displacement that is shown [rad, part of the size]
_MOST = 6  # modes on a page


def mode_film(linear: Linear, path: str | Path, *, modes: Sequence[int] = ()) -> Path:
    """Write the modes of small motions, side by side, as one HTML page.

    Each period lasts two seconds, whatever the frequency, and amplitudes are enlarged. `modes` are
    numbers in `linear.modes`; without them, the first six.
    """
    chosen = list(modes) or list(range(min(len(linear.modes), _MOST)))
    for k in chosen:
        if not -len(linear.modes) <= k < len(linear.modes):
            problem = say(
                "mode {k} does not exist: modes are numbered from 0, and there are {number}.",
                k,
                len(linear.modes),
            )
            raise ModelError("mode_film", problem)
    words, pages = report_words(spoken()), {}
    for k in chosen:
        mode = linear.modes[k]
        heading = say("mode {number}: {what}", k % len(linear.modes) + 1, mode) + _pace(mode)
        pages[heading] = alone(movement_of(linear, mode), words, spoken())
    name = linear.here.tangent.model.mechanism.name
    title = say("{words}: {names}", name, linear.steady)
    return side_by_side(title, pages, (0.0, _PERIOD * _TURNS), path)


def _pace(mode: Mode) -> str:
    """Sentence that compares the pace of the film with that of the motion."""
    if mode.kind == "drift":
        return "\n" + say("shown back and forth")
    if not mode.oscillates:
        return "\n" + say("shown over {lasts:.4g} s", 3 / mode.frequency)
    period = 2 * np.pi / abs(mode.eigenvalue.imag)
    damped = say(", without its damping") if mode.damping else ""
    sentence = say(
        "one period of {period:.4g} s is shown in {shown:g} s{damped}", period, _PERIOD, damped
    )
    return f"\n{sentence}"


def movement_of(linear: Linear, mode: Mode) -> Movement:
    """The configurations of a mode about its equilibrium, and the displacements as curves."""
    state = linear.here
    model = state.tangent.model
    shifts = displacements(linear, mode)
    t = np.linspace(0.0, _PERIOD * _TURNS, _SAMPLES)
    q = np.empty((_SAMPLES, len(state.q)))
    for k, s in enumerate(np.real(_course(mode, t)[:, np.newaxis] * shifts)):
        positions = advanced(model, state.q, state.chart.P @ s)
        near = close_loops(state.tangent, positions, state.t, state.chart.shifts)
        q[k] = positions if near is None else near
    bodies = without_state_freedoms(model.mechanism)
    names, units = state.tangent.coordinates[: len(bodies.coordinates)], state.pose.units
    curves = (Curve(name, units.get(name, "1"), q[:, k]) for k, name in enumerate(names))
    panels = by_kind(x for x in curves if x.unit != "1")
    notices = ("Steady rotations are shown at rest.",) if linear.steady.turning else ()
    return Movement(
        geometry(bodies, model.parameters),
        Curve("t", "s", t),
        q[:, : len(names)],
        panels,
        notices=notices,
    )


def displacements(linear: Linear, mode: Mode) -> Array:
    """The independent displacements of a mode, complex, of a size that can be seen."""
    state = linear.here
    parts: list[complex] = []
    for i in state.chart.shifts:
        speed = state.tangent.speeds[i]
        if speed.removesuffix(".") in linear.first_order:
            parts.append(0.0)
        elif i in linear.steady.turning:
            rate = mode.shape.get(speed, 0.0)
            parts.append(rate / mode.eigenvalue if mode.eigenvalue else 0.0)
        else:
            parts.append(mode.shape.get(displacement_name(speed), 0.0))
    shape = np.array(parts, dtype=complex)
    sizes = np.abs(state.chart.P @ shape)
    metres = np.array(state.tangent.metres)
    turned = sizes[~metres].max(initial=0.0) / _ANGLE
    shifted = sizes[metres].max(initial=0.0) / (_LENGTH * state.pose.size)
    return np.asarray(shape / max(turned, shifted, 1e-300))


def _course(mode: Mode, t: Array) -> Array:
    """Change of the amplitude in the film."""
    phase = 2 * np.pi * t / _PERIOD
    if mode.kind == "drift":
        return 2 / np.pi * np.arcsin(np.sin(phase)) + 0j
    if mode.oscillates:
        return np.asarray(np.exp(1j * phase))
    way = np.sign(mode.eigenvalue.real)
    return np.asarray(np.exp(3 * way * (t / t[-1] - (way > 0))) + 0j)
