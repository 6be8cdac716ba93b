"""Branches of equilibria or steady motions as a parameter changes, and where they meet or turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import final

import numpy as np
from scipy.interpolate import krogh_interpolate

from torseur.analyse.at_a_state.chart import chart
from torseur.analyse.at_a_state.initial_states import model_of, steady_start
from torseur.analyse.at_a_state.statics import AtState, Unknowns
from torseur.analyse.bifurcations.continuation import (
    BranchPoint,
    Continuation,
    ContinuationSteps,
    branch_point,
    branch_points,
    corrected_step,
    first_point,
    next_point,
)
from torseur.analyse.bifurcations.crossings import (
    Crossing,
    crossing_direction,
    crossings,
    lyapunov_coefficient,
    normal_form,
)
from torseur.analyse.bifurcations.diagram import Bifurcation, Branch, Diagram
from torseur.analyse.equilibria.space import cyclic_displacements
from torseur.analyse.equilibria.steady_motions import steady_unknowns
from torseur.analyse.stability.steady import Steady
from torseur.errors import ModelError, unknown
from torseur.machine.compiled import CompiledModel
from torseur.model.description import Mechanism
from torseur.words.sentence import say

Array = np.ndarray
_ALIKE = 1e-4  # distance of two crossings that are one, in units of the curve
_SYMMETRIC = 1e-3  # a₂ over a₃ at a pitchfork: nothing but rounding
_FAR = 5.0  # sizes of the mechanism, from which a branch is asked whether it runs away
_STEEP = 0.3  # part of a step that the parameter may still take
_DOUBLINGS = 14
_ORDER = 6
_CLOSE = 1e-9  # of the span, between two orders of the extrapolation


def bifurcations(
    mechanism: Mechanism | CompiledModel,
    parameter: str,
    span: tuple[float, float],
    *,
    at: Mapping[str, float] | Steady | None = None,
    given: Mapping[str, float] | None = None,
    independent: Sequence[str] = (),
    parameters: Mapping[str, float] | None = None,
    switch: bool = True,
    steps: ContinuationSteps | None = None,
) -> Diagram:
    """The branches of equilibria from one value of a parameter to another, with their stability.

    The first branch starts at span[0], at the equilibrium nearest to `at` (or to the initial
    configuration). With `given`, branches are steady motions, and the parameter may also be one of
    the coordinates or speeds given: bifurcations(m, "phi.", (1, 9), given={"phi.": 1, "psi.": 0}).
    Where branches cross, the other one is followed too, unless `switch` is False.
    """
    low, high = map(float, span)
    if not np.isfinite([low, high]).all() or low == high:
        raise ModelError("bifurcations", say("the span goes from {low} to {high}.", low, high))
    # the model at the first value of the parameter
    fixed, known = dict(parameters or {}), dict(given or {})
    model = model_of(mechanism, fixed)
    if parameter in model.parameters:
        model = model_of(mechanism, fixed | {parameter: low})
    elif parameter in known:
        known[parameter] = low
    else:
        names = (*model.parameters, *known)
        raise unknown("bifurcations", "parameter", parameter, names)
    # the equilibrium or the steady motion there
    near = at.coordinates if isinstance(at, Steady) else at or {}
    state, preferred = steady_start(model, {**near, **known}, independent)
    if given is None:
        sought = Unknowns(frozen=cyclic_displacements(state), wanted=preferred)
        sought = replace(sought, idle=_unloaded(state, sought))
    else:
        sought = steady_unknowns(state, known, (), preferred)
    balance = sought.solved(state)
    if balance is None:
        raise state.unbalanced()
    # the curve through it
    rate = float(np.abs(balance.v).max(initial=0.0)) or 1.0
    curve = Continuation(sought, parameter, (low, high), balance.pose.size, rate)
    start = first_point(curve, balance, np.sign(high - low))
    return _BranchSearch(start, steps or ContinuationSteps(), switch).diagram()


def _unloaded(state: AtState, sought: Unknowns) -> frozenset[int]:
    """The equations of displacements that nothing depends on and nothing pushes."""
    nothing = np.abs(state.F * state.arms) <= 1e-12 * state.largest
    speeds = zip(state.chart.speeds, nothing, strict=True)
    return frozenset(k for k, none in speeds if none and k in sought.frozen)


@final
class _BranchSearch:
    """Branches that wait to be followed, and what has been found."""

    def __init__(self, start: BranchPoint, steps: ContinuationSteps, switch: bool) -> None:
        self._waiting = [[start]]
        self._steps, self._switch = steps, switch
        self._branches: list[Branch] = []
        self._crossed: list[tuple[BranchPoint, Bifurcation]] = []

    def diagram(self) -> Diagram:
        while self._waiting and len(self._branches) < 40:
            self._follow(self._waiting.pop(0))
        parameter = self._branches[0].points[0].curve.parameter
        order = sorted((x for _, x in self._crossed), key=lambda x: x.value)
        return Diagram(parameter, tuple(self._branches), tuple(order))

    def _follow(self, points: list[BranchPoint]) -> None:
        last, end = points[-1], ""
        for there, length in branch_points(last, self._steps):
            for crossing in crossings(last, there, length):
                points.append(crossing.point)
                if not any(_distance(crossing.point, x) < _ALIKE for x, _ in self._crossed):
                    self._record(crossing)
            points.append(there)
            last = there
            if len(points) > 10 and _distance(there, points[0]) < 1e-3:
                end = "closed"
                break
            # a length has grown beyond all others while the parameter hardly changes
            if _remote(there) > _FAR and abs(there.way[-1]) < _STEEP and self._escaped(there):
                end = "escape"
                break
        if len(points) > 1:
            self._branches.append(Branch(tuple(points), end or self._ended(points)))

    def _ended(self, points: list[BranchPoint]) -> str:
        """Why a branch that neither closes nor runs away is not followed further."""
        curve = points[-1].curve
        near = 1e-9 * abs(np.subtract(*curve.span))
        if min(abs(points[-1].value - x) for x in curve.span) <= near:
            return "span"
        return "steps" if len(points) > self._steps.most else "lost"

    def _escaped(self, point: BranchPoint) -> bool:
        """Whether the branch goes to infinity from here; then the value is put on the list."""
        value = _escape_value(point)
        if value is None:
            return False
        escape = Bifurcation("escape", value, point.steady, point.curve.parameter)
        if not any(x.kind == "escape" and np.isclose(x.value, value) for _, x in self._crossed):
            self._crossed.append((point, escape))
        return True

    def _record(self, crossing: Crossing) -> None:
        """Classify a crossing, and list the branches that leave it."""
        point, parameter = crossing.point, crossing.point.curve.parameter
        kind, criticality, frequency = crossing.kind, "", crossing.frequency
        singular = len(chart(point.here.terms).shifts) > len(point.here.chart.shifts)
        if singular:
            kind = "singular configuration"
        elif kind == "branch":
            kind, criticality = _classified(point)
        elif kind == "hopf":
            criticality = _of_hopf(point)
        modes = point.small_motions.modes
        # the one whose eigenvalue is nearest to the crossing
        mode = min(modes, key=lambda x: abs(x.eigenvalue - 1j * frequency), default=None)
        details = (kind, point.value, point.steady, parameter, criticality, frequency, mode)
        self._crossed.append((point, Bifurcation(*details)))
        if crossing.kind == "branch" and self._switch and not singular:
            self._waiting += _leaving(point, self._steps.first)


def _distance(a: BranchPoint, b: BranchPoint) -> float:
    """In units of the curve; the charts may differ."""
    scale = abs(a.curve.span[1] - a.curve.span[0])
    apart = np.append(a.here.q - b.here.q, (a.here.v - b.here.v) / a.curve.rate)
    return float(np.hypot(np.linalg.norm(apart), (a.value - b.value) / scale))


def _classified(at: BranchPoint) -> tuple[str, str]:
    """Pitchfork or transcritical, from the normal form."""
    quadratic, cubic = normal_form(at)
    flat = 1e-6 * np.abs(at.matrix).max()
    if not np.isfinite(cubic) or max(abs(quadratic), abs(cubic)) < flat:
        return "branch point", ""
    if abs(quadratic) > _SYMMETRIC * abs(cubic):
        return "transcritical", ""
    return "pitchfork", "supercritical" if cubic > 0 else "subcritical"


def _of_hopf(at: BranchPoint) -> str:
    if at.here.tangent.model.system.tree.quaternions:
        return ""  # small rotations are no coordinates: their second derivatives do not commute
    coefficient = lyapunov_coefficient(at)
    if abs(coefficient) < 1e-9:
        return ""
    return "supercritical" if coefficient < 0 else "subcritical"


def _leaving(at: BranchPoint, length: float) -> list[list[BranchPoint]]:
    """The first points of both halves of the other branch."""
    way = crossing_direction(at)
    halves = []
    for sign in (1.0, -1.0):
        for size in (length, length / 4, length / 16):
            state = corrected_step(at, sign * way, size)
            if state is not None and _is_off(at, state, size):
                halves.append(
                    [replace(at, way=sign * way), branch_point(at.curve, state, sign * way)]
                )
                break
    return halves


def _is_off(at: BranchPoint, state: AtState, size: float) -> bool:
    """Whether a state is not on the branch that is known, as far along it."""
    along = float(at.curve.between(at.here, state) @ at.way)
    known = corrected_step(at, at.way, along) if abs(along) > 1e-9 else at.here
    if known is None:
        return True
    return bool(np.linalg.norm(at.curve.between(known, state)) > 0.3 * size)


# --- branches that run away -----------------------------------------------------------------------
#
# A slider on a turning arm does so when m ω² comes to k. Far out the parameter is a power series in
# 1/s, s being the distance; from points at s, 2 s, 4 s, … its value at 1/s = 0 is extrapolated.


def _remote(point: BranchPoint) -> float:
    """The largest of the unknown lengths, in units of the mechanism."""
    state = point.here
    model, displacements = state.tangent, point.curve.sought.places(state.chart).moved
    named = [model.speeds[i].removesuffix(".") for i in displacements if model.metres[i]]
    lengths = [state.q[model.coordinates.index(x)] for x in named if x in model.coordinates]
    return float(np.abs(np.array(lengths) / point.curve.size).max(initial=0.0))


def _escape_value(start: BranchPoint) -> float | None:
    """The value of the parameter at which the branch is infinitely far; None if it is none."""
    point, inverse, values = start, [], []
    for _ in range(_DOUBLINGS):
        there = next_point(point, _remote(point))
        if there is None or _remote(there) < 1.5 * _remote(point):
            return None
        point = there
        inverse.append(1 / _remote(point))
        values.append(point.value)
    # the polynomial through the last points, at 0
    lower, higher = (
        float(krogh_interpolate(inverse[-k:], values[-k:], 0.0)) for k in (_ORDER, _ORDER + 2)
    )
    span = abs(np.subtract(*start.curve.span))
    return higher if abs(higher - lower) < _CLOSE * span else None
