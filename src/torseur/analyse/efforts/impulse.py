"""The theorems integrated over a time: impulse and change of momentum, work and change of energy.

∫ {F} dt = Δ{C} at a fixed point or at G, ∫ P dt = ΔT. Over a shock the impulse of what is regular
vanishes with the time, and what is left is that of the shock: this is what impacts start from.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import final

import numpy as np
from numpy.polynomial.legendre import leggauss

from torseur.analyse.efforts.body_torseurs import CENTRE, BodyTorseurs, body_torseurs
from torseur.analyse.efforts.power_balance import PowerBalance, power_balance, source_word
from torseur.brief import without_rounding
from torseur.equations.actions.applied import WEIGHT
from torseur.equations.formalisms.isolated import At, reference
from torseur.errors import ModelError
from torseur.model.description import GROUND
from torseur.result import Result
from torseur.simulation.run.run import Run
from torseur.words.sentence import say

Array = np.ndarray
_POINTS = 5  # of Gauss in each interval between samples: exact to the ninth degree
_ROUNDING = 1e-11  # of the largest action: what is left where nothing acts
_SHOWN = 1e-8  # of the largest: what is printed as 0 below, as integration leaves it
_UNEXPLAINED = 1e-6  # of the largest: a change beyond what integration leaves is that of a shock
_FEWEST = 20  # intervals, however few samples there are


@final
class Impulse(Result):
    """Impulses (force, then couple) and works of the actions on some bodies during a time."""

    bodies: tuple[str, ...]
    span: tuple[float, float]  # [s]
    at: str
    impulses: Mapping[str, Array]  # by what acts: (6) [N s, N m s]
    momentum: tuple[Array, Array]  # {m V(G); σ} before and after (6)
    works: Mapping[str, float]  # by what acts [J]
    energy: tuple[float, float]  # T before and after [J]
    length: float = 1.0  # of the mechanism [m]: couples are compared with forces that far away

    @property
    def impulse(self) -> Array:
        """Total impulse of the integrated actions (6)."""
        return sum(self.impulses.values(), np.zeros(6))

    @property
    def change(self) -> Array:
        """Change of the kinetic torseur (6)."""
        return np.asarray(self.momentum[1] - self.momentum[0])

    @property
    def work(self) -> float:
        """Total work of the integrated actions."""
        return float(sum(self.works.values()))

    @property
    def energy_change(self) -> float:
        """ΔT."""
        return self.energy[1] - self.energy[0]

    @property
    def shocks(self) -> Array:
        """The change of momentum that no action explains: the impulse of what touched (6)."""
        return np.asarray(self.change - self.impulse)

    @property
    def shock_work(self) -> float:
        """The change of energy that no work explains: that of the shocks [J]."""
        return self.energy_change - self.work

    def __str__(self) -> str:
        rows = np.abs([*self.impulses.values(), self.change])
        force = max(rows[:, :3].max(), rows[:, 3:].max() / self.length)
        sizes = np.repeat([force, force * self.length], 3)

        def line(name: str, vector: Array) -> str:
            values = without_rounding(vector, _SHOWN * sizes)
            return f"  {name:<22} " + " ".join(f"{x: 11.5g}" for x in values)

        bodies = ", ".join(self.bodies)
        start, stop = self.span
        text = say(
            "{bodies} from t = {start:g} to {stop:g} s, at {at}", bodies, start, stop, self.at
        )
        lines = [text]
        lines.append(f"  {'':<22} " + " ".join(f"{f'∫{x}':>11}" for x in "XYZLMN"))
        lines += [line(source_word(name), x) for name, x in self.impulses.items()]
        told_works = {source_word(name): work for name, work in self.works.items()}
        exchanged = max(np.abs([*self.works.values(), self.energy_change, *self.energy]))
        if (np.abs(self.shocks) > _UNEXPLAINED * sizes).any():
            lines.append(line(say("shocks"), self.shocks))
            if abs(self.shock_work) > _UNEXPLAINED * exchanged:
                told_works[say("shocks")] = self.shock_work
        lines.append(line(say("change"), self.change))
        works = ", ".join(f"{name} {work:.5g} J" for name, work in told_works.items())
        lines.append(say("work: {told}; ΔT = {change:.5g} J", works, self.energy_change))
        return "\n".join(lines)


def impulse(
    run: Run,
    bodies: str | Iterable[str] = (),
    start: float | None = None,
    stop: float | None = None,
    *,
    at: At | None = CENTRE,
) -> Impulse:
    """Impulse and work of all actions on some bodies of a run from `start` to `stop`.

    Moments are at G of one body, or at a point of the ground: the origin for several bodies, or
    (GROUND, position). No body named: all of them.
    """
    mechanism = run.model.mechanism
    names = (bodies,) if isinstance(bodies, str) else tuple(bodies) or tuple(mechanism.bodies)
    span = span_of(run, start, stop, "impulse")
    place, where = _place(run, names, at)
    inside = run.t[(run.t > span[0]) & (run.t < span[1])]
    happened = np.clip([x.t for x in run.events], *span)  # actions may jump there
    edges = np.unique(np.concatenate([inside, happened, np.linspace(*span, _FEWEST + 1)]))
    times, weights = gauss_nodes(edges, _POINTS)
    inner, ends = run.at(times), run.at(np.array(span))
    along, before = body_torseurs(inner, names, place), body_torseurs(ends, names, place)
    actions = _actions(along)
    powers = power_balance(inner, names)
    energies = np.asarray(before.kinetic_energy, dtype=float)
    momentum = np.concatenate([before.kinetic.resultant, before.kinetic.moment], axis=1)
    return Impulse(
        names,
        span,
        where,
        {name: np.asarray(weights @ values) for name, values in actions.items()},
        (momentum[0], momentum[1]),
        _works(powers, weights),
        (float(energies[0]), float(energies[1])),
        run.model.sizes.scales.length,
    )


def span_of(run: Run, start: float | None, stop: float | None, place: str) -> tuple[float, float]:
    """From when to when a run is looked at; without instants, from its start to its end."""
    first, last = run.span
    span = (first if start is None else float(start), last if stop is None else float(stop))
    if not first <= span[0] < span[1] <= last:
        begin, end = span
        problem = say(
            "the run does not contain the interval from {start:g} to {stop:g} s.", begin, end
        )
        advice = say("It lasts from {first:g} to {last:g} s.", first, last)
        raise ModelError(place, problem, advice)
    return span


def _place(run: Run, names: tuple[str, ...], at: At | None) -> tuple[At | None, str]:
    """Where moments are taken: at G, or at a point of the ground; elsewhere a term would come."""
    if at is None or at == CENTRE:
        return (CENTRE, f"G({names[0]})") if len(names) == 1 else ((GROUND, (0, 0, 0)), "0")
    body = reference(run.model.mechanism, at, names).body
    if body != GROUND:
        raise ModelError(
            "impulse",
            say('the point of moments is on "{body}", which moves.', body),
            "Take a point of the ground, or G of one body.",
        )
    return at, at if isinstance(at, str) else str(at[1])


def gauss_nodes(edges: Array, points: int) -> tuple[Array, Array]:
    """Places and weights of Gauss, so many points in each interval between edges."""
    x, w = leggauss(points)
    half, middle = np.diff(edges) / 2, (edges[1:] + edges[:-1]) / 2
    return (middle[:, None] + half[:, None] * x).ravel(), (half[:, None] * w).ravel()


def _actions(along: BodyTorseurs) -> dict[str, Array]:
    """Force then couple of everything that acts from outside (samples, 6)."""
    torseurs = {WEIGHT: along.weight, **along.forces, **along.joints}
    columns = {
        name: np.concatenate([x.resultant, x.moment], axis=1) for name, x in torseurs.items()
    }
    size = max(float(np.abs(values).max()) for values in columns.values())
    return {name: x for name, x in columns.items() if np.abs(x).max() > _ROUNDING * size}


def _works(powers: PowerBalance, weights: Array) -> dict[str, float]:
    """∫ P dt by what acts; what has no power is left out."""
    all_powers = {**powers.external, **powers.internal}
    size = max(float(np.abs(x).max()) for x in (*all_powers.values(), powers.rate))
    return {
        name: float(weights @ power)
        for name, power in all_powers.items()
        if np.abs(power).max() > _ROUNDING * size
    }
