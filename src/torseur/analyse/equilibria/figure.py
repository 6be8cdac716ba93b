"""Figures of equilibria: the force along the only free coordinate, or the energy over two."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from torseur.analyse.at_a_state.statics import AtState
from torseur.analyse.stability.energy_kept import has_energy
from torseur.analyse.stability.steady import Steady
from torseur.figures import Figure, labelled, named, one_panel, written

Array = np.ndarray
_POINTS = 240  # of a curve
_JUMP = 0.3  # of another coordinate in a step: it has come to another way of closing the loops
_BREAK = 0.2  # of the range of the force in a step: it has passed a singular configuration
_GRID, _LEVELS = 61, 24


def equilibria_figure(found: Sequence[Steady], path: str | Path | None) -> Figure:
    """Stable equilibria as full dots, others as rings."""
    drawn, panel = one_panel(7.5, 4.5)
    if found:
        here = found[0].here
        model = here.tangent.model
        shown = _shown(here)
        if len(here.chart.shifts) == 1 and shown:
            for x in found:
                _draw_force(panel, x.here, shown[0])
            panel.axhline(0.0, color="k", linewidth=0.8)
        elif len(shown) == 2:
            _draw_energy(drawn, panel, found, shown)
        for x in found:
            place = [x.coordinates[name] for name in shown] + [0.0, 0.0]
            panel.plot(*place[:2], "o", color="C0", mfc="C0" if x.stable else "white", zorder=3)
        unit = "N" if here.tangent.metres[here.chart.shifts[0]] else "N m"
        upright = f"force along it [{unit}]" if len(shown) < 2 else named(model, shown[1])
        labelled(panel, named(model, shown[0]) if shown else "", upright)
        drawn.suptitle(model.mechanism.name)
    panel.plot([], [], "o", color="C0", label="stable")
    panel.plot([], [], "o", color="C0", mfc="white", label="not stable")
    panel.legend(loc="upper left", bbox_to_anchor=(0.0, -0.12), ncols=2, frameon=False)
    return written(drawn, path)


def _shown(here: AtState) -> list[str]:
    """The first two free coordinates that something depends on."""
    size = np.abs(here.reduced.K).max(initial=0.0)
    felt = [
        k for k in range(len(here.chart.shifts)) if np.abs(here.reduced.K[:, k]).max() > 1e-9 * size
    ]
    names = [here.tangent.speeds[here.chart.shifts[k]].removesuffix(".") for k in felt]
    return [name for name in names if name in here.tangent.coordinates][:2]


def _draw_force(panel: Any, here: AtState, name: str) -> None:
    """The force along the free coordinate, from an equilibrium as far as the loops close.

    It falls through zero where the equilibrium is stable.
    """
    k = here.tangent.coordinates.index(name)
    half = 2 * abs(here.q[k]) + 0.1 if here.tangent.metres[here.chart.shifts[0]] else np.pi
    centre = here.q[k] if here.tangent.metres[here.chart.shifts[0]] else 0.0
    values = np.linspace(centre - half, centre + half, _POINTS + 1)
    start = int(np.abs(values - here.q[k]).argmin())
    for way in (values[start:], values[start::-1]):
        forces = np.array(_forces(here, k, way))
        broken = np.abs(np.diff(forces)) > _BREAK * np.ptp(forces) if len(forces) else forces
        forces[np.flatnonzero(broken)] = np.nan
        panel.plot(way[: len(forces)], forces, color="0.6", linewidth=1.2, zorder=1)


def _forces(here: AtState, k: int, values: Array) -> list[float]:
    forces, before = [], here
    for there in here.along(k, values):
        if np.abs(np.delete(there.q - before.q, k)).max(initial=0.0) > _JUMP:
            break
        before = there
        forces.append(-float(there.F[0]))
    return forces


def _draw_energy(drawn: Figure, panel: Any, found: Sequence[Steady], names: list[str]) -> None:
    """Level curves of E_p − K0 over two coordinates, where no loop ties them to others."""
    here = found[0].here
    if len(here.chart.shifts) != 2 or here.tangent.rows or not has_energy(here):
        return
    places = [here.tangent.coordinates.index(name) for name in names]
    axes = []
    for k, name in zip(places, names, strict=True):
        seen = [x.coordinates[name] for x in found]
        turns = not here.tangent.metres[k] and np.ptp(seen) > 1
        margin = 0.2 + 0.3 * np.ptp(seen)
        ends = (-1.1 * np.pi, 1.1 * np.pi) if turns else (min(seen) - margin, max(seen) + margin)
        axes.append(np.linspace(ends[0], ends[1], _GRID))
    energies = np.empty((_GRID, _GRID))
    quantities = here.tangent.quantities
    for i, x in enumerate(axes[0]):
        for j, y in enumerate(axes[1]):
            q = here.q.copy()
            q[places] = x, y
            energies[j, i] = quantities.potential(q, here.t) - quantities.kinetic(q, here.v)
    curves = panel.contour(
        *axes, energies, levels=_LEVELS, cmap="viridis", linewidths=0.8, zorder=1
    )
    drawn.colorbar(curves, ax=panel, label="E_p − K0 [J]" if here.v.any() else "E_p [J]")
