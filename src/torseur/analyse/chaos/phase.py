"""Phase portraits of mechanisms with one freedom: all their motions in one picture.

Where no force depends on speed, motions are the level curves of ½ m(q) q̇² + ∫ F dq, F being the
force that would hold the mechanism (with imposed motions that of E_p − K0: it is Painlevé's
integral). The curves through unstable equilibria separate the kinds of motion. Where forces depend
on speed, the field (q̇, q̈) is drawn instead.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, final

import numpy as np
from scipy.integrate import cumulative_simpson
from scipy.interpolate import CubicSpline

from torseur.analyse.at_a_state.initial_states import model_of, steady_start
from torseur.analyse.at_a_state.statics import AtState
from torseur.analyse.equilibria.equilibria import equilibria
from torseur.analyse.equilibria.space import SearchSpace, check_autonomous
from torseur.analyse.stability.potential import even_power
from torseur.analyse.stability.steady import Steady
from torseur.brief import without_rounding
from torseur.errors import ModelError, require_known
from torseur.figures import Figure, labelled, one_panel, written
from torseur.machine.compiled import CompiledModel
from torseur.model.description import Mechanism
from torseur.model.values.scales import with_unit
from torseur.plain import entries
from torseur.result import Result
from torseur.words.sentence import say, worded

Array = np.ndarray
_COLUMNS, _ROWS = 187, 121  # of the grid where energy is kept
_COARSE = 31  # of the grid of the field
_LEVELS = 22
_WEAK = 0.1  # of the fastest coordinate: slower ones do not tell the others
_MORE = 1.6  # speeds that are shown, times that of the separatrix


@final
class PhasePortrait(Result):
    """Energies, or the field, over a grid of one coordinate and its speed."""

    model: CompiledModel
    coordinate: str
    q: Array  # (columns)
    v: Array  # (rows)
    potential: Array  # (columns) [J], 0 in the middle
    energy: Array | None  # (rows, columns) [J]; None where it is not kept
    acceleration: Array | None  # (rows, columns) [rad/s² or m/s²]; None where energy is kept
    rests: tuple[Steady, ...]  # the equilibria in the span that the coordinate leads to
    periodic: bool = False  # whether a whole turn changes nothing

    @property
    def separatrix(self) -> tuple[float, ...]:
        """The energies of the unstable equilibria, whose curves separate motions [J]."""
        if self.energy is None:
            return ()
        known = np.isfinite(self.potential)
        curve = CubicSpline(self.q[known], self.potential[known], extrapolate=False)
        places = [x.coordinates[self.coordinate] for x in self.rests if not x.stable]
        depth = float(np.ptp(self.potential[known])) or 1.0
        levels = np.unique(np.round(curve(places) / depth, 9) + 0.0)  # −0 is 0
        return tuple(depth * float(x) for x in levels[np.isfinite(levels)])

    @property
    def document(self) -> dict[str, Any]:
        """Plain data."""
        rests = [
            {self.coordinate: x.coordinates[self.coordinate], "stable": bool(x.stable)}
            for x in self.rests
        ]
        names = ("coordinate", "q", "v", "energy", "acceleration", "separatrix")
        return entries(self, *names) | {"equilibria": rests}

    def __str__(self) -> str:
        name = self.coordinate
        what = worded("energy is not kept" if self.energy is None else "energy is kept")
        small = 1e-9 * np.ptp(self.q)
        places = (
            (without_rounding(x.coordinates[name], small), worded(x.stable.word))
            for x in self.rests
        )
        lines = [
            say("{name} from {low:.4g} to {high:.4g}, {what}", name, self.q[0], self.q[-1], what),
            *(say("equilibrium {name} = {place:.6g}: {word}", name, place, word)
              for place, word in places),
            *(say("separatrix: energy {x:.6g} J above rest at the middle of the span", x)
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
        for x in self.rests:
            fill = "C3" if x.stable else "white"
            for place in _places_in_span(
                x.coordinates[self.coordinate], self.q[0], self.q[-1], self.periodic
            ):
                panel.plot(place, 0.0, "o", color="C3", mfc=fill, zorder=4)
        panel.plot([], [], "o", color="C3", label=say("stable"))
        panel.plot([], [], "o", color="C3", mfc="white", label=say("not stable"))
        panel.set_ylim(self.v[0], self.v[-1])
        labelled(
            panel,
            with_unit(self.model.mechanism, self.coordinate),
            with_unit(self.model.mechanism, f"{self.coordinate}."),
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

    Without a name, the coordinate is the first angle that tells the others, or the first distance.
    `span` and `speeds` are its limits; by default a whole turn, or twice the distance of the
    equilibria, and what shows the separatrices. Loops stay closed as they are at the start.
    """
    model = model_of(mechanism, parameters)
    state, name = _start(model, coordinate)
    result, space = equilibria(model, box={name: span} if span else None).found, SearchSpace(state)
    k = model.coordinates.index(name)
    turned = _state_at(state, name, state.q[k] + 2 * np.pi) if space.units[k] == "rad" else None
    periodic = turned is not None and space.is_one(state, turned)
    branch = _Branch(state, name, span or _span(state, name, result))
    rests = tuple(x for x in result if branch.leads_to(x.here, space, periodic))
    if not span and (narrower := _span(state, name, rests)) != branch.span:
        branch = _Branch(state, name, narrower)
    return replace(_portrait(branch, speeds, rests), periodic=periodic)


def _start(model: CompiledModel, coordinate: str) -> tuple[AtState, str]:
    """The mechanism at its start, and the coordinate that tells where it is."""
    chosen = (coordinate,) if coordinate else ()
    require_known("phase portrait", "coordinate", chosen, model.coordinates)
    state, _ = steady_start(model, {}, chosen, at_rest=True)
    check_autonomous(state)
    free, tangent = len(state.chart.shifts), state.tangent
    if len(state.chart.speeds) != 1 or free != 1:
        problem = say("{number} coordinates are free; a portrait shows one.", free)
        raise ModelError("phase portrait", problem, "Impose the others, or plot a run.")
    if coordinate:
        return state.moving(), coordinate
    rates = np.abs(state.chart.P[:, 0] / model.sizes.displacements)
    moving = np.flatnonzero(rates > _WEAK * rates.max())
    names = [
        tangent.speeds[k].removesuffix(".") for k in sorted(moving, key=tangent.metres.__getitem__)
    ]
    for name in names:
        if name in model.coordinates:
            return steady_start(model, {}, (name,), at_rest=True)[0].moving(), name
    problem = say(
        "no coordinate determines the configuration: only {names} change.", ", ".join(names)
    )
    raise ModelError(
        "phase portrait", problem, "Give a joint that moves a coordinate of one number."
    )


@final
@dataclass(frozen=True, eq=False)
class _Branch:
    """Configurations along one coordinate, on the branch of loop closures it starts from."""

    here: AtState
    name: str
    span: tuple[float, float]

    @cached_property
    def q(self) -> Array:
        """(columns): values of the coordinate over the span."""
        return np.linspace(*self.span, _COLUMNS)

    @property
    def _place(self) -> int:
        return self.here.tangent.coordinates.index(self.name)

    @cached_property
    def poses(self) -> list[AtState | None]:
        """The configurations there, each found from those before; None where loops open."""
        state, name, values = self.here, self.name, self.q
        begin = int(np.abs(values - state.q[self._place]).argmin())
        first = _state_at(state, name, values[begin])
        if first is None:
            return [None] * len(values)
        ahead = list(first.along(name, values[begin:]))
        behind = list(first.along(name, values[:begin][::-1]))
        before: list[AtState | None] = [None] * (begin - len(behind))
        after: list[AtState | None] = [None] * (len(values) - begin - len(ahead))
        return [*before, *behind[::-1], *ahead, *after]

    def leads_to(self, rest: AtState, space: SearchSpace, periodic: bool) -> bool:
        """Whether a rest is met within the span."""
        ways = (self._at(x) for x in _places_in_span(rest.q[self._place], *self.span, periodic))
        return any(there is not None and space.is_one(there, rest) for there in ways)

    def _at(self, value: float) -> AtState | None:
        """The configuration at a value, from the known ones next to it."""
        k = int(np.searchsorted(self.q, value).clip(1, len(self.q) - 1))
        beside = next(filter(None, self.poses[k - 1 : k + 1]), None)
        return None if beside is None else next(beside.along(self.name, np.array([value])), None)


def _state_at(state: AtState, name: str, place: float) -> AtState | None:
    """The state that small steps of the coordinate lead to; None where loops open before."""
    now = state.q[state.tangent.coordinates.index(name)]
    steps = list(state.along(name, np.linspace(now, place, _COLUMNS)))
    return steps[-1] if len(steps) == _COLUMNS else None


def _places(place: float, periodic: bool) -> tuple[float, ...]:
    """A value of the coordinate, and those a turn from it where that changes nothing."""
    return (place, place - 2 * np.pi, place + 2 * np.pi) if periodic else (place,)


def _places_in_span(place: float, low: float, high: float, periodic: bool) -> list[float]:
    """Places of a rest in the span, whole turns apart if periodic."""
    slack = 1e-9 * (high - low)
    return [x for x in _places(place, periodic) if low - slack <= x <= high + slack]


def _span(state: AtState, name: str, rests: Sequence[Steady]) -> tuple[float, float]:
    """A turn, or the distance of the equilibria and as much or half the mechanism on both sides."""
    if not state.tangent.metres[state.chart.shifts[0]]:
        return -np.pi * 1.15, np.pi * 1.15
    k = state.tangent.coordinates.index(name)
    values = [x.here.q[k] for x in rests] or [float(state.q[k])]
    margin = max(float(np.ptp(values)), 0.5 * state.pose.size)
    return float(min(values)) - margin, float(max(values)) + margin


def _portrait(
    branch: _Branch, speeds: tuple[float, float] | None, rests: tuple[Steady, ...]
) -> PhasePortrait:
    name, q, poses, model = branch.name, branch.q, branch.poses, branch.here.tangent.model
    inertia = np.array([np.nan if x is None else x.reduced.M[0, 0] for x in poses])
    potential = _potential(q, np.array([np.nan if x is None else x.F[0] for x in poses]))
    if not np.isfinite(potential).any():
        problem = say("no loop closes for {name} from {q:g} to {q2:g}.", name, q[0], q[-1])
        raise ModelError("phase portrait", problem)
    top = _MORE * np.sqrt(2 * np.nanmax((np.nanmax(potential) - potential) / inertia))
    low, high = speeds or (-float(top), float(top))
    if not low < high:
        low, high = -1.0, 1.0
    if _keeps_energy(branch.here, poses, high):
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


def _keeps_energy(state: AtState, poses: list[AtState | None], speed: float) -> bool:
    """Whether no force depends on speed, seen at some of the states: its power is odd in it."""
    for x in filter(None, poses[:: len(poses) // 7]):
        power, size = even_power(x, speed * x.chart.N[:, 0], state.largest)
        if abs(power) > 1e-9 * max(size, 1e-300):
            return False
    return True


def _accelerations(at: AtState | None, speeds: Array) -> Array:
    """(rows): how the speed of the coordinate changes at each speed."""
    if at is None:
        return np.full(len(speeds), np.nan)
    k, way = at.chart.speeds[0], at.chart.N[:, 0]
    return np.array([at.moving(at.v + speed * way).a[k] for speed in speeds])
