"""Efficiency of a transmission: work at its output, work at its input, and where the rest goes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import final

import numpy as np

from torseur.analyse.efforts.impulse import gauss_nodes, span_of
from torseur.errors import ModelError, unknown
from torseur.model.constraints.selection import imposed_coordinates
from torseur.result import Result
from torseur.simulation.run.run import Run
from torseur.words.sentence import say, worded

Array = np.ndarray
_POINTS = 5  # of Gauss in each interval between samples
_FEWEST = 20  # intervals, however few samples there are
WEIGHT = "weight"
OTHERS = "other actions"
_UNEXPLAINED = 1e-6  # of the largest work: a change of energy beyond what integration leaves
_NOTHING = 1e-9  # of the work at the input: what is not listed


@final
class Efficiency(Result, document=("input", "output", "span", "works", "stored", "efficiency")):
    """The works of what acts on a mechanism during a time."""

    input: tuple[str, ...]
    output: tuple[str, ...]
    span: tuple[float, float]  # [s]
    works: Mapping[str, float]  # by what acts [J]; negative: taken from the mechanism
    stored: float  # change of kinetic energy and of the energy of weight [J]

    @property
    def received(self) -> float:
        """Work at the input [J]."""
        return sum(self.works[name] for name in self.input)

    @property
    def delivered(self) -> float:
        """Work at the output [J]."""
        return -sum(self.works[name] for name in self.output)

    @property
    def efficiency(self) -> float:
        """η: the work delivered, divided by the work received less what is stored."""
        return self.delivered / (self.received - self.stored)

    @property
    def losses(self) -> dict[str, float]:
        """Works lost, by what takes them [J]."""
        others = (x for x in self.works if x not in (*self.input, *self.output))
        size = _NOTHING * abs(self.received)
        return {name: -self.works[name] for name in others if abs(self.works[name]) > size}

    def __str__(self) -> str:
        lasts = self.span[1] - self.span[0]
        lines = [
            say("input {names}: {work:.6g} J, mean power {power:.6g} W",
                ", ".join(self.input), self.received, self.received / lasts),
            say("output {names}: {work:.6g} J, mean power {power:.6g} W",
                ", ".join(self.output), self.delivered, self.delivered / lasts),
        ]  # fmt: skip
        lines += [
            say("lost in {name}: {work:.6g} J", worded(name), work)
            for name, work in self.losses.items()
        ]
        if abs(self.stored) > _NOTHING * abs(self.received):
            lines.append(self.say("stored in motion and height: {stored:.6g} J"))
        return "\n".join([*lines, self.say("efficiency {efficiency:.4f}")])


def efficiency(
    run: Run,
    input: str | Sequence[str],
    output: str | Sequence[str],
    *,
    start: float | None = None,
    stop: float | None = None,
) -> Efficiency:
    """The efficiency of a transmission from a run, with the losses by what causes them.

    `input` and `output` name imposed motions of coordinates, motors, forces or "weight", one or
    several each. Energy stored in moving or lifted bodies between `start` and `stop` [s] is not
    counted as lost.
    """
    ends = tuple((x,) if isinstance(x, str) else tuple(x) for x in (input, output))
    span = span_of(run, start, stop, "efficiency")
    inside = run.t[(run.t > span[0]) & (run.t < span[1])]
    happened = np.clip([x.t for x in run.events], *span)  # powers may jump there
    edges = np.unique(np.concatenate([inside, happened, np.linspace(*span, _FEWEST + 1)]))
    times, weights = gauss_nodes(edges, _POINTS)
    powers = _powers(run.at(times))
    for name in (*ends[0], *ends[1]):
        if name not in powers:
            raise unknown("efficiency", "source of power", name, powers)
    if both := set(ends[0]) & set(ends[1]):
        problem = say('"{name}" is both input and output.', *both)
        raise ModelError("efficiency", problem, "Name different ones.")
    works = {name: float(weights @ power) for name, power in powers.items()}
    kinetic = float(np.diff(run.at(np.array(span)).energy["kinetic"])[0])
    named = sum(works.values())
    weighed = WEIGHT in (*ends[0], *ends[1])
    stored = kinetic - (0.0 if weighed else works.pop(WEIGHT, 0.0))
    if abs(kinetic - named) > _UNEXPLAINED * max(map(abs, (kinetic, *works.values()))):
        works[OTHERS] = kinetic - named  # shocks, or motions imposed on bodies
    result = Efficiency(ends[0], ends[1], span, works, stored)
    if not result.received > 0:
        problem = say(
            "the input {names} receives {work:.6g} J instead of giving energy.",
            ", ".join(ends[0]),
            -result.received,
        )
        raise ModelError("efficiency", problem, "Exchange input and output, or change the sign.")
    return result


def _powers(run: Run) -> dict[str, Array]:
    """The powers of motors, forces, frictions, imposed motions of coordinates and weights [W]."""
    powers = dict(run.power)
    for name, motion in imposed_coordinates(run.model.mechanism).items():
        powers[name] = run.drive(name) * run[f"{motion.coordinate}."]
    weight = -(np.asarray(run.model.gravity(run.q)) * run.v).sum(axis=1)
    return powers | ({WEIGHT: weight} if np.any(weight) else {})
