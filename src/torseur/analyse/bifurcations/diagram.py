"""Branches of states with their stability, and the places where they meet or turn, as a figure."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, final

import numpy as np

from torseur.analyse.bifurcations.continuation import BranchPoint
from torseur.analyse.stability.steady import Steady
from torseur.analyse.stability.vibration_modes import Mode
from torseur.errors import unknown
from torseur.figures import Figure, labelled, one_panel, written
from torseur.model.values.scales import with_unit
from torseur.plain import entries, plain
from torseur.result import Result
from torseur.words.sentence import say, worded

Array = np.ndarray
_ENDS = {
    "closed": "it closes on itself",
    "escape": "it runs away to infinity",
    "lost": "it could not be followed any further",
    "steps": "it was left after the most points that are taken, see Steps",
}
_MARKS = {"fold": "s", "pitchfork": "o", "transcritical": "X", "hopf": "D", "flutter": "d"}


@final
class Bifurcation(Result):
    """Where branches meet or turn, or where stability changes.

    `kind` is "fold", "pitchfork", "transcritical", "branch point", "hopf" (a pair of eigenvalues
    crosses), "flutter" (two pairs meet, without damping), "divergence" (a real eigenvalue
    crosses, and no branch leaves), "escape" (the state goes to infinity there: `at` is the last
    one that was found) or "singular configuration" (the loops gain a freedom there).
    """

    kind: str
    value: float  # of the parameter
    at: Steady
    parameter: str
    criticality: str = ""  # "supercritical", "subcritical"
    frequency: float = 0.0  # of the oscillation that appears [rad/s]
    mode: Mode | None = None  # the motion that loses its stiffness or its damping

    @property
    def document(self) -> dict[str, Any]:
        """Plain data."""
        known = entries(self, "kind", "criticality", "value", "frequency")
        return known | {"coordinates": self.at.coordinates}

    @property
    def called(self) -> str:
        """Its kind and its sense in words."""
        kind = worded(self.kind)
        if not self.criticality:
            return kind
        return say("{criticality} {kind}", worded(self.criticality), kind)

    def __str__(self) -> str:
        name = self.called
        more = f", {self.frequency:.6g} rad/s" if self.frequency else ""
        return self.say("{name} at {parameter} = {value:.10g}{more}: {at}", name=name, more=more)


@final
class Branch(Result):
    """Points of a branch, in order."""

    points: tuple[BranchPoint, ...]
    end: str = ""  # why it ends: "span", "closed", "escape", "lost" or "steps"

    @property
    def values(self) -> Array:
        """The parameter."""
        return np.array([x.value for x in self.points])

    @property
    def stable(self) -> Array:
        """(points) True where no eigenvalue grows."""
        return np.array([x.unstable == 0 for x in self.points])

    @property
    def eigenvalues(self) -> list[Array]:
        """Eigenvalues of each point."""
        return [x.small_motions.eigenvalues for x in self.points]

    def __getitem__(self, name: str) -> Array:
        """A coordinate or a speed along the branch."""
        model = self.points[0].here.tangent.model
        if name in model.coordinates:
            return np.array([x.here.q[model.coordinates.index(name)] for x in self.points])
        if name in model.speeds:
            return np.array([x.here.v[model.speeds.index(name)] for x in self.points])
        if name in self.points[0].steady.coordinates:
            return np.array([x.steady.coordinates[name] for x in self.points])
        raise unknown("branch", "coordinate", name, (*model.coordinates, *model.speeds))

    @property
    def document(self) -> dict[str, Any]:
        """Plain data."""
        tangent = self.points[0].here.tangent
        names = (*tangent.coordinates, *tangent.speeds)
        return entries(self, "values", "stable") | {name: plain(self[name]) for name in names}

    def at(self, value: float) -> list[Steady]:
        """The states of the branch at a value of the parameter, solved for."""
        states = []
        for a, b in zip(self.points[:-1], self.points[1:], strict=True):
            if min(a.value, b.value) <= value < max(a.value, b.value):
                state = a.curve.at(a.here, value)
                if state is not None:
                    states.append(Steady(state, a.curve.sought.turning))
        return states


@final
class Diagram(Result, document=("parameter", "branches", "bifurcations")):
    """Branches with their stability, and the bifurcations on them."""

    parameter: str
    branches: tuple[Branch, ...]
    bifurcations: tuple[Bifurcation, ...]

    def __iter__(self) -> Iterator[Bifurcation]:
        return iter(self.bifurcations)

    def __len__(self) -> int:
        return len(self.bifurcations)

    def __getitem__(self, k: int) -> Bifurcation:
        return self.bifurcations[k]

    def plot(self, of: str = "", path: str | Path | None = None) -> Figure:
        """A coordinate against the parameter: stable branches solid, unstable ones dashed.

        Without a name, the one that bifurcates.
        """
        name = of or _bifurcating(self)
        drawn, panel = one_panel(7.0, 4.5)
        for k, branch in enumerate(self.branches):
            _draw_branch(panel, branch, branch[name], f"C{k % 10}")
        for x in self.bifurcations:
            at = {**x.at.coordinates, **x.at.speeds}[name]
            label = x.called + f", {self.parameter} = {x.value:.5g}"
            if x.kind == "escape":
                panel.axvline(x.value, color="k", linestyle=":", label=label)
                continue
            panel.plot(x.value, at, _MARKS.get(x.kind, "P"), color="k", label=label, zorder=5)
        panel.plot([], [], "k-", label=say("stable"))
        panel.plot([], [], "k--", label=say("unstable"))
        model = self.branches[0].points[0].here.tangent.model
        labelled(
            panel, with_unit(model.mechanism, self.parameter), with_unit(model.mechanism, name)
        )
        panel.legend(loc="upper left", bbox_to_anchor=(0.0, -0.14), ncols=2, frameon=False)
        return written(drawn, path, model.mechanism.name)

    def __str__(self) -> str:
        lines = []
        for k, branch in enumerate(self.branches):
            low, high = branch.values.min(), branch.values.max()
            parts = say(
                "{stable} of {number} points stable", int(branch.stable.sum()), len(branch.points)
            )
            parts += f"; {worded(_ENDS[branch.end])}" if branch.end in _ENDS else ""
            lines.append(
                self.say(
                    "branch {k}: {parameter} from {low:.6g} to {high:.6g}, {parts}",
                    k=k,
                    low=low,
                    high=high,
                    parts=parts,
                )
            )
        return "\n".join([*lines, *(str(x) for x in self.bifurcations)])


def _bifurcating(diagram: Diagram) -> str:
    """The coordinate that moves most in the modes that lose their stiffness or their damping.

    Without such a mode, the coordinate or speed that differs most between branches and along them;
    lengths and times are counted in units of the mechanism.
    """
    tangent = diagram.branches[0].points[0].here.tangent
    units = tangent.model.sizes.scales.of(tangent.model.sizes.speed_units)
    lengths = dict(zip(tangent.coordinates, tangent.model.sizes.coordinates, strict=True))
    modes = [x.mode.shape for x in diagram.bifurcations if x.mode is not None]
    amplitudes = {
        name: max((abs(shape.get(name, 0.0)) for shape in modes), default=0.0) / length
        for name, length in lengths.items()
        if name != diagram.parameter
    }
    if any(amplitudes.values()):
        return max(amplitudes, key=lambda name: amplitudes[name])
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
