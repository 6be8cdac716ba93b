"""Phase portraits of mechanisms with one freedom: all their motions in one picture.

Where no force depends on speed, motions are the level curves of ½ m(q) q̇² + ∫ F dq, F being the
force that would hold the mechanism (with imposed motions that of E_p − K0: it is Painlevé's
integral). The curves through unstable equilibria separate the kinds of motion. Where forces depend
on speed, the field (q̇, q̈) is drawn instead.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, final

import numpy as np
from scipy.integrate import cumulative_simpson
from scipy.interpolate import CubicSpline

from torseur import notebook
from torseur.analyse.at_a_state.starts import model_of, steady_start
from torseur.analyse.at_a_state.statics import AtState
from torseur.analyse.equilibria.cyclic import check_autonomous
from torseur.analyse.equilibria.equilibria import equilibria
from torseur.analyse.stability.potential import even_power
from torseur.analyse.stability.steady import Steady
from torseur.brief import brief
from torseur.errors import ModelError, require_known
from torseur.figures import Figure, labelled, named, one_panel, written
from torseur.machine.compiled import CompiledModel
from torseur.model.description import Mechanism
from torseur.plain import entries
from torseur.words.sentence import say, worded

Array = np.ndarray
_COLUMNS, _ROWS = 187, 121  # of the grid where energy is kept
_COARSE = 31  # of the grid of the field
_LEVELS = 22
_MORE = 1.6  # speeds that are shown, times that of the separatrix


@final
@dataclass(frozen=True)
class PhasePortrait:
    """Energies, or the field, over a grid of one coordinate and its speed."""

    __repr__ = brief
    _repr_html_ = notebook.told

    model: CompiledModel
    coordinate: str
    q: Array  # (columns)
    v: Array  # (rows)
    potential: Array  # (columns) [J], 0 in the middle
    energy: Array | None  # (rows, columns) [J]; None where it is not kept
    acceleration: Array | None  # (rows, columns) [rad/s² or m/s²]; None where energy is kept
    rests: tuple[Steady, ...]  # the equilibria in the span
    periodic: bool = False  # whether a whole turn changes nothing

    @property
    def separatrix(self) -> tuple[float, ...]:
        """The energies of the unstable equilibria, whose curves separate motions [J]."""
        if self.energy is None:
            return ()
        known = np.isfinite(self.potential)
        curve = CubicSpline(self.q[known], self.potential[known], extrapolate=False)
        places = [x.coordinates[self.coordinate] for x in self.rests if not x.stable]
        levels = np.unique(np.round(curve(places), 9))
        return tuple(float(x) for x in levels[np.isfinite(levels)])

    @property
    def document(self) -> dict[str, Any]:
        """The same as plain data."""
        rests = [
            {self.coordinate: x.coordinates[self.coordinate], "stable": bool(x.stable)}
            for x in self.rests
        ]
        names = ("coordinate", "q", "v", "energy", "acceleration", "separatrix")
        return entries(self, *names) | {"equilibria": rests}

    def __str__(self) -> str:
        name = self.coordinate
        what = worded("energy is not kept" if self.energy is None else "energy is kept")
        places = ((x.coordinates[name], worded(x.stable.word)) for x in self.rests)
        lines = [
            say("{name} from {low:.4g} to {high:.4g}, {what}", name, self.q[0], self.q[-1], what),
            *(say("equilibrium {name} = {place:.6g}: {word}", name, place, word)
              for place, word in places),
            *(say("separatrix: {x:.6g} J above rest in the middle of the span", x)
              for x in self.separatrix),
        ]  # fmt: skip
        return "\n".join(lines)

    def figure(self, path: str | Path | None = None) -> Figure:
        """Speed against coordinate: level curves or the field, equilibria, separatrices."""
        drawn, panel = one_panel(7.5, 5.0)
        if self.energy is not None:
            low, high = float(np.nanmin(self.energy)), float(np.nanmax(self.energy))
            # more curves where speeds are small: energy goes as the square of speed
            levels = low + (high - low) * np.linspace(0.02, 1, _LEVELS) ** 2
            panel.contour(self.q, self.v, self.energy, levels, cmap="viridis", linewidths=0.9)
            if self.separatrix:
                panel.contour(self.q, self.v, self.energy, self.separatrix, colors="k",
                              linewidths=1.6, linestyles="solid")  # fmt: skip
                panel.plot([], [], "k-", label=say("separatrix"))
        else:
            assert self.acceleration is not None, "one of them is there"
            speeds = np.broadcast_to(self.v[:, None], self.acceleration.shape)
            panel.streamplot(self.q, self.v, speeds, self.acceleration, color="C0",
                             linewidth=0.9, density=1.3)  # fmt: skip
        turn = 2 * np.pi if self.periodic else 0.0
        for x in self.rests:
            fill = "C3" if x.stable else "white"
            for place in {x.coordinates[self.coordinate] + k * turn for k in (-1, 0, 1)}:
                if self.q[0] <= place <= self.q[-1]:
                    panel.plot(place, 0.0, "o", color="C3", mfc=fill, zorder=4)
        panel.plot([], [], "o", color="C3", label=say("stable"))
        panel.plot([], [], "o", color="C3", mfc="white", label=say("not stable"))
        panel.set_ylim(self.v[0], self.v[-1])
        labelled(
            panel, named(self.model, self.coordinate), named(self.model, f"{self.coordinate}.")
        )
        panel.legend(loc="upper left", bbox_to_anchor=(0.0, -0.12), ncols=3, frameon=False)
        return written(drawn, path, self.model.mechanism.name)


def phase_portrait(
    mechanism: Mechanism | CompiledModel,
    coordinate: str = "",
    *,
    span: tuple[float, float] | None = None,
    speeds: tuple[float, float] | None = None,
    parameters: Mapping[str, float] | None = None,
) -> PhasePortrait:
    """All the motions of a mechanism with one freedom, in the plane of a coordinate and its speed.

    Without a name, the coordinate is the first that tells the others. `span` and `speeds` are its
    limits; by default a whole turn, or twice the distance of the equilibria, and what shows the
    separatrices.
    """
    model = model_of(mechanism, parameters)
    asked = (coordinate,) if coordinate else ()
    require_known("phase portrait", "coordinate", asked, model.coordinates)
    here, _ = steady_start(model, {}, asked, at_rest=True)
    check_autonomous(here)
    here = here.moving()
    if len(here.chart.speeds) != 1 or len(here.chart.shifts) != 1:
        problem = say(
            "{number} coordinates are free; a portrait shows one.", len(here.chart.shifts)
        )
        raise ModelError("phase portrait", problem, "Impose the others, or plot a run.")
    k = here.chart.shifts[0]
    name = here.tangent.speeds[k].removesuffix(".")
    rests = equilibria(model, box={name: span} if span else None)
    q = np.linspace(*(span or _span(here, k, rests.found)), _COLUMNS)
    portrait = _portrait(here, k, q, speeds, rests.found)
    searched = rests.searched
    return replace(portrait, periodic=searched is not None and k in searched.space.periodic)


def _span(here: AtState, k: int, rests: tuple[Steady, ...]) -> tuple[float, float]:
    """A turn, or the distance of the equilibria and as much on both sides."""
    if not here.tangent.metres[k]:
        return -np.pi * 1.15, np.pi * 1.15
    seen = [x.here.q[k] for x in rests] or [float(here.q[k])]
    margin = max(float(np.ptp(seen)), 0.5 * max(map(abs, seen)), 0.1)
    return float(min(seen)) - margin, float(max(seen)) + margin


def _portrait(
    here: AtState,
    k: int,
    q: Array,
    speeds: tuple[float, float] | None,
    rests: tuple[Steady, ...],
) -> PhasePortrait:
    poses = _placed(here, k, q)
    inertia = np.array([np.nan if x is None else x.reduced.M[0, 0] for x in poses])
    potential = _potential(q, np.array([np.nan if x is None else x.F[0] for x in poses]))
    if not np.isfinite(potential).any():
        name = here.tangent.coordinates[k]
        problem = say("no loop closes for {name} from {q:g} to {q2:g}.", name, q[0], q[-1])
        raise ModelError("phase portrait", problem)
    top = _MORE * np.sqrt(2 * np.nanmax((np.nanmax(potential) - potential) / inertia))
    low, high = speeds or (-float(top), float(top))
    if not low < high:
        low, high = -1.0, 1.0
    name, model = here.tangent.coordinates[k], here.tangent.model
    if _kept(here, poses, high):
        v = np.linspace(low, high, _ROWS)
        energy = inertia * v[:, None] ** 2 / 2 + potential
        return PhasePortrait(model, name, q, v, potential, energy, None, rests)
    some = slice(None, None, _COLUMNS // _COARSE)
    v = np.linspace(low, high, _COARSE)
    field = np.array([_accelerations(x, v) for x in poses[some]]).T
    return PhasePortrait(model, name, q[some], v, potential[some], None, field, rests)


def _potential(q: Array, force: Array) -> Array:
    """∫ F dq over the values at which the loops close, 0 in the middle of them."""
    potential = np.full(len(q), np.nan)
    known = np.flatnonzero(np.isfinite(force))
    if len(known) > 2:
        part = cumulative_simpson(force[known], x=q[known], initial=0)
        potential[known] = part - part[len(known) // 2]
    return potential


def _placed(here: AtState, k: int, values: Array) -> list[AtState | None]:
    """The configurations at values of the coordinate, each found from the one before."""
    begin = int(np.abs(values - here.q[k]).argmin())
    ahead, behind = list(here.along(k, values[begin:])), list(here.along(k, values[:begin][::-1]))
    before: list[AtState | None] = [None] * (begin - len(behind))
    after: list[AtState | None] = [None] * (len(values) - begin - len(ahead))
    return [*before, *behind[::-1], *ahead, *after]


def _kept(here: AtState, poses: list[AtState | None], speed: float) -> bool:
    """Whether no force depends on speed, seen at some of the states: its power is odd in it."""
    for x in filter(None, poses[:: len(poses) // 7]):
        power, size = even_power(x, speed * x.chart.N[:, 0], here.largest)
        if abs(power) > 1e-9 * max(size, 1e-300):
            return False
    return True


def _accelerations(at: AtState | None, speeds: Array) -> Array:
    """(rows): how the speed of the coordinate changes at each speed."""
    if at is None:
        return np.full(len(speeds), np.nan)
    k, way = at.chart.speeds[0], at.chart.N[:, 0]
    return np.array([at.moving(at.v + speed * way).a[k] for speed in speeds])
