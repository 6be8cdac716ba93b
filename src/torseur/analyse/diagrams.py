"""Figures of branches, of eigenvalues and of responses to harmonic forces."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from torseur.analyse.figures import figure, labelled, written
from torseur.analyse.statics import Here, closed, steady
from torseur.units import unit_factor

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from torseur.analyse.bifurcations import Branch, Diagram
    from torseur.analyse.linearise import Linear
    from torseur.analyse.root_locus import RootLocus
    from torseur.analyse.steady import Steady

_MARKS = {"fold": "s", "pitchfork": "o", "transcritical": "X", "hopf": "D", "flutter": "d"}


def bifurcation_figure(diagram: Diagram, of: str, path: str | Path | None) -> Figure:
    """A coordinate against the parameter; without a name, the one that changes most."""
    name = of or _liveliest(diagram)
    drawn = figure(7.0, 4.5)
    panel = drawn.subplots()
    for k, branch in enumerate(diagram.branches):
        _draw_branch(panel, branch, branch[name], f"C{k % 10}")
    for x in diagram.bifurcations:
        at = {**x.at.coordinates, **x.at.speeds}[name]
        label = f"{x.criticality} {x.kind}".strip() + f", {diagram.parameter} = {x.value:.5g}"
        panel.plot(x.value, at, _MARKS.get(x.kind, "P"), color="k", label=label, zorder=5)
    panel.plot([], [], "k-", label="stable")
    panel.plot([], [], "k--", label="unstable")
    model = diagram.branches[0].points[0].here.tangent.model
    labelled(panel, _with_unit(model, diagram.parameter), _with_unit(model, name))
    drawn.suptitle(model.mechanism.name)
    panel.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)
    return written(drawn, path)


def _liveliest(diagram: Diagram) -> str:
    """The coordinate or speed that differs most between branches and along them."""
    tangent = diagram.branches[0].points[0].here.tangent
    names = [*tangent.coordinates, *(x for x in tangent.speeds if x != diagram.parameter)]
    spans = {
        name: np.ptp(np.concatenate([branch[name] for branch in diagram.branches]))
        for name in names
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


def _with_unit(model: Any, name: str) -> str:
    mechanism = model.mechanism
    units: dict[str, str] = {}
    for joint in mechanism.joints.values():
        units |= dict(zip(joint.coordinates, joint.kind.coordinate_units, strict=True))
        units |= dict(zip(joint.speeds, joint.kind.speed_units, strict=True))
    unit = units.get(name, "")
    if name in mechanism.parameter_table:
        own = mechanism.parameter_table[name].unit
        unit = own if unit_factor(own) == (1, 0) else "SI"
    return f"{name} [{unit}]" if unit else name


def equilibria_figure(found: Sequence[Steady], path: str | Path | None) -> Figure:
    """Stable equilibria as full dots, others as rings."""
    drawn = figure(6.5, 4.5)
    panel = drawn.subplots()
    if found:
        here = found[0].here
        model, shifts = here.tangent.model, here.chart.shifts
        names = [here.tangent.speeds[k].removesuffix(".") for k in shifts]
        plain = [name for name in names if name in here.tangent.coordinates][:2]
        if len(shifts) == 1 and plain:
            _draw_force(panel, here, plain[0])
        for x in found:
            place = [x.coordinates[name] for name in plain]
            place += [0.0] * (2 - len(place))
            panel.plot(*place, "o", color="C0", mfc="C0" if x.stable else "none", zorder=3)
        upright = "force on it [N or N m]" if len(plain) < 2 else _with_unit(model, plain[1])
        labelled(panel, _with_unit(model, plain[0]) if plain else "", upright)
        drawn.suptitle(model.mechanism.name)
    panel.plot([], [], "o", color="C0", label="stable")
    panel.plot([], [], "o", color="C0", mfc="none", label="not stable")
    panel.legend(frameon=False)
    return written(drawn, path)


def _draw_force(panel: Any, here: Here, name: str) -> None:
    """The force along the only free coordinate: it falls through zero where stable."""
    k = here.tangent.coordinates.index(name)
    unit = here.tangent.metres[here.chart.shifts[0]]
    half = 2 * abs(here.q[k]) + 0.1 if unit else np.pi
    centre = here.q[k] if unit else 0.0
    values, forces = [], []
    for x in np.linspace(centre - half, centre + half, 241):
        q = here.q.copy()
        q[k] = x
        placed = closed(here.tangent, q, here.t, here.chart.shifts)
        values.append(x)
        if placed is None:
            forces.append(np.nan)
        else:
            forces.append(-steady(here.tangent, placed, here.v, here.t, kept=here.chart).F[0])
    panel.plot(values, forces, color="0.6", linewidth=1.2)
    panel.axhline(0.0, color="k", linewidth=0.8)


def locus_figure(locus: RootLocus, path: str | Path | None) -> Figure:
    """Eigenvalues in the complex plane, with the value of the parameter as colour."""
    drawn = figure(6.5, 5.0)
    panel = drawn.subplots()
    for column in locus.eigenvalues.T:
        panel.plot(column.real, column.imag, color="0.8", linewidth=0.8, zorder=1)
        dots = panel.scatter(column.real, column.imag, c=locus.values, s=12, zorder=2)
    panel.axvline(0.0, color="k", linewidth=0.8)
    labelled(panel, "Re λ [1/s]", "Im λ [rad/s]")
    drawn.colorbar(dots, label=locus.parameter)
    drawn.suptitle(locus.states[0].here.tangent.model.mechanism.name)
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
    labelled(upper, "", f"|{output}/{input}|")
    labelled(lower, "ω [rad/s]", "phase [°]")
    drawn.suptitle(linear.here.tangent.model.mechanism.name)
    return written(drawn, path)


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
    width = 0.8 / max(len(shown), 1)
    for k, mode in enumerate(shown):
        heights = [mode.shape[name].real for name in names]
        places = np.arange(len(names)) + k * width
        what = f"{mode.frequency:.4g} rad/s" if mode.oscillates else mode.kind
        right.bar(places, heights, width, label=what)
    right.set_xticks(np.arange(len(names)) + 0.4 - width / 2, names)
    labelled(right, "", "amplitude, the largest being 1")
    right.legend(frameon=False)
    drawn.suptitle(linear.here.tangent.model.mechanism.name)
    return written(drawn, path)
