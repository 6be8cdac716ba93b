"""Poincaré sections: the states at which a motion passes through a surface."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, final

import numpy as np

from torseur.equations.symbols.texts import names_of
from torseur.errors import ModelError, require_known
from torseur.figures import Figure, labelled, one_panel, written
from torseur.language.text.expression import parse_expression
from torseur.machine.compiled import CompiledModel, compile, compiled_at
from torseur.model.description import Event, Mechanism
from torseur.result import Result
from torseur.simulation.simulate import simulate
from torseur.words.sentence import say

Array = np.ndarray
DIRECTIONS = {"both": 0, "rising": 1, "falling": -1}
_NAME = "Poincaré section"


@final
class PoincareSection(Result):
    """The points of one or several motions on a surface; angles are in (−π, π]."""

    name: str
    surface: str
    units: Mapping[str, str]  # of every coordinate and speed
    t: Array  # (points) [s]
    states: Array  # (points, coordinates and speeds)
    motion: Array  # (points): which start each belongs to

    def __len__(self) -> int:
        return len(self.t)

    def __getitem__(self, name: str) -> Array:
        """A coordinate or a speed at every point."""
        require_known("section", "coordinate", name, self.units)
        values = self.states[:, list(self.units).index(name)]
        return np.pi - np.mod(np.pi - values, 2 * np.pi) if self.units[name] == "rad" else values

    @property
    def document(self) -> dict[str, Any]:
        """Plain data."""
        columns = {name: self[name].tolist() for name in self.units}
        return {"surface": self.surface, "points": len(self), "t": self.t.tolist()} | columns

    def figure(self, x: str, y: str, path: str | Path | None = None) -> Figure:
        """The points in the plane of two coordinates or speeds, a colour for each start."""
        drawn, panel = one_panel(6.0, 5.0)
        for k in np.unique(self.motion):
            points = self.motion == k
            panel.plot(self[x][points], self[y][points], ".", markersize=2.5)
        labelled(panel, f"{x} [{self.units[x]}]", f"{y} [{self.units[y]}]")
        return written(drawn, path, say("{name}: section {surface}", self.name, self.surface))


def poincare(
    mechanism: Mechanism | CompiledModel,
    surface: str,
    duration: float,
    *,
    direction: str = "rising",
    starts: Sequence[Mapping[str, float]] = ({},),
    parameters: Mapping[str, float] | None = None,
    rtol: float = 1e-10,
) -> PoincareSection:
    """The states at which the motion passes through `surface` = 0, over `duration` seconds.

    `surface` is an expression of coordinates, speeds ("theta."), parameters and t, or the name of
    an event of the model, which keeps its own direction. `starts` has one set of initial values
    for each motion.
    """
    require_known("poincare", "direction", direction, DIRECTIONS)
    if not starts:
        raise ModelError("poincare", say("no motion to follow: starts is {starts}.", repr(starts)))
    given = compiled_at(mechanism, parameters)
    described = given.mechanism
    event = described.events.get(surface) or Event(
        _NAME, parse_expression(surface, names_of(described)), DIRECTIONS[direction]
    )
    watching = replace(described, events={event.name: replace(event, stop=False)})
    model = compile(watching).with_parameters(**given.given)
    times, states, motion, units = [], [], [], {}
    for k, start in enumerate(starts):
        run = simulate(model, duration, rate=2 / duration, initial=start, rtol=rtol)
        n = run.q.shape[1] + run.v.shape[1]
        units = dict(list(run.names.items())[:n])
        times += [x.t for x in run.events]
        states += [x.state[:n] for x in run.events]
        motion += [k] * len(run.events)
    table = np.array(states, dtype=float).reshape(len(times), len(units))
    return PoincareSection(described.name, surface, units, np.array(times), table, np.array(motion))
