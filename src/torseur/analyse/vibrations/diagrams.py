"""Figures of branches, of eigenvalues and of responses to harmonic forces."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from torseur.figures import figure, labelled, named, written

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from torseur.analyse.bifurcations.bifurcations import Branch, Diagram
    from torseur.analyse.sensitivity.sensitivity import Sensitivity
    from torseur.analyse.vibrations.linearise import Linear
    from torseur.analyse.vibrations.root_locus import RootLocus

_MARKS = {"fold": "s", "pitchfork": "o", "transcritical": "X", "hopf": "D", "flutter": "d"}


def bifurcation_figure(diagram: Diagram, of: str, path: str | Path | None) -> Figure:
    """A coordinate against the parameter; without a name, the one that bifurcates."""
    name = of or _bifurcating(diagram)
    drawn = figure(7.0, 4.5)
    panel = drawn.subplots()
    for k, branch in enumerate(diagram.branches):
        _draw_branch(panel, branch, branch[name], f"C{k % 10}")
    for x in diagram.bifurcations:
        at = {**x.at.coordinates, **x.at.speeds}[name]
        label = f"{x.criticality} {x.kind}".strip() + f", {diagram.parameter} = {x.value:.5g}"
        if x.kind == "escape":
            panel.axvline(x.value, color="k", linestyle=":", label=label)
            continue
        panel.plot(x.value, at, _MARKS.get(x.kind, "P"), color="k", label=label, zorder=5)
    panel.plot([], [], "k-", label="stable")
    panel.plot([], [], "k--", label="unstable")
    model = diagram.branches[0].points[0].here.tangent.model
    labelled(panel, named(model, diagram.parameter), named(model, name))
    drawn.suptitle(model.mechanism.name)
    panel.legend(loc="upper left", bbox_to_anchor=(0.0, -0.14), ncols=2, frameon=False)
    return written(drawn, path)


def _bifurcating(diagram: Diagram) -> str:
    """The coordinate that moves most in the modes that lose their stiffness or their damping.

    Without such a mode, the coordinate or speed that differs most between branches and along them;
    lengths and times are counted in units of the mechanism.
    """
    tangent = diagram.branches[0].points[0].here.tangent
    units = tangent.model.sizes.scales.of(tangent.model.sizes.speed_units)
    lengths = dict(zip(tangent.coordinates, tangent.model.sizes.coordinates, strict=True))
    modes = [x.mode.shape for x in diagram.bifurcations if x.mode is not None]
    moved = {
        name: max((abs(shape.get(name, 0.0)) for shape in modes), default=0.0) / length
        for name, length in lengths.items()
        if name != diagram.parameter
    }
    if any(moved.values()):
        return max(moved, key=lambda name: moved[name])
    sizes = lengths | dict(zip(tangent.speeds, units, strict=True))
    spans = {
        name: np.ptp(np.concatenate([branch[name] for branch in diagram.branches])) / size
        for name, size in sizes.items()
        if name != diagram.parameter
    }
    return max(spans, key=lambda name: spans[name])


def _draw_branch(panel: Any, branch: Branch, y: Any, colour: str) -> None:
    """Solid where stable, dashed where not; pieces meet halfway."""
    values, stable = branch.values, branch.stable
    start = 0
    for k in range(1, len(values) + 1):
        if k == len(values) or stable[k] != stable[start]:
            piece = slice(start, min(k + 1, len(values)))
            style = "-" if stable[start] else "--"
            panel.plot(values[piece], y[piece], style, color=colour, linewidth=1.6)
            start = k


def locus_figure(locus: RootLocus, path: str | Path | None) -> Figure:
    """Eigenvalues in the complex plane, with the value of the parameter as colour."""
    drawn = figure(6.5, 5.0)
    panel = drawn.subplots()
    for column in locus.eigenvalues.T:
        panel.plot(column.real, column.imag, color="0.8", linewidth=0.8, zorder=1)
        dots = panel.scatter(column.real, column.imag, c=locus.values, s=12, zorder=2)
    panel.axvline(0.0, color="k", linewidth=0.8)
    labelled(panel, "Re λ [1/s]", "Im λ [rad/s]")
    model = locus.states[0].here.tangent.model
    drawn.colorbar(dots, label=named(model, locus.parameter))
    drawn.suptitle(model.mechanism.name)
    return written(drawn, path)


def response_figure(
    linear: Linear, input: str, output: str, frequencies: Any, path: str | Path | None
) -> Figure:
    """Amplitude and phase of an output for a unit input, against the frequency."""
    omegas = np.asarray(frequencies, dtype=float)
    values = linear.response(omegas, input, output)
    drawn = figure(7.0, 5.0)
    upper, lower = drawn.subplots(2, 1, sharex=True)
    upper.loglog(omegas, np.abs(values))
    lower.semilogx(omegas, np.degrees(np.unwrap(np.angle(values))))
    labelled(upper, "", f"|{output}/{input}| {_ratio(linear, input, output)}")
    labelled(lower, "ω [rad/s]", "phase [°]")
    drawn.suptitle(linear.here.tangent.model.mechanism.name)
    return written(drawn, path)


def _ratio(linear: Linear, input: str, output: str) -> str:
    """The unit of an output for a unit input, where the input is a coordinate's force."""
    units = linear.channels.units
    force = {"m": "N", "rad": "N m"}.get(units.get(input, ""), "")
    return f"[{units.get(output, '')}/{force}]" if force else ""


def modes_figure(linear: Linear, path: str | Path | None) -> Figure:
    """Eigenvalues in the complex plane, and the shape of every mode as bars."""
    drawn = figure(8.0, 4.5)
    left, right = drawn.subplots(1, 2)
    values = linear.eigenvalues
    left.plot(values.real, values.imag, "x", color="C0")
    left.axvline(0.0, color="k", linewidth=0.8)
    labelled(left, "Re λ [1/s]", "Im λ [rad/s]")
    shown = linear.modes[:6]
    names = list(linear.modes[0].shape) if shown else []
    width, quarter = 0.8 / max(len(shown), 1), ""
    for k, mode in enumerate(shown):
        heights = np.array([mode.shape[name] for name in names])
        places = np.arange(len(names)) + k * width
        what = f"{mode.frequency:.4g} rad/s" if mode.oscillates else mode.kind
        right.bar(places, heights.real, width, label=f"mode {k + 1}: {what}")
        if np.abs(heights.imag).max(initial=0.0) > 0.01:
            right.plot(places, heights.imag, "kx", markersize=5)
            quarter = "×: a quarter of a period earlier"
    right.set_xticks(np.arange(len(names)) + 0.4 - width / 2, names)
    labelled(right, quarter, "amplitude [rad or m], the largest being 1")
    right.legend(loc="upper left", bbox_to_anchor=(0.0, -0.16), ncols=2, frameon=False)
    drawn.suptitle(linear.here.tangent.model.mechanism.name)
    return written(drawn, path)


def sensitivity_figure(
    found: Sensitivity, outputs: Sequence[str], path: str | Path | None
) -> Figure:
    """The derivatives of outputs against time, a row for each output, in SI units."""
    drawn = figure(8.0, 1.0 + 2.2 * len(outputs))
    panels = np.atleast_1d(drawn.subplots(len(outputs), 1, sharex=True))
    for panel, output in zip(panels, outputs, strict=True):
        values = found[output]
        for k, name in enumerate(found.names):
            panel.plot(found.run.t, values[:, k], label=f"∂{output}/∂{name}", linewidth=1.4)
        labelled(panel, "", f"∂{output} [SI]")
        panel.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)
    panels[-1].set_xlabel("t [s]")
    drawn.suptitle(found.run.model.mechanism.name)
    return written(drawn, path)
