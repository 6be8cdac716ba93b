"""All the places where a mechanism can rest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, final, overload

import numpy as np

from torseur import notebook
from torseur.analyse.at_a_state.initial_states import model_with_values, steady_start
from torseur.analyse.at_a_state.statics import AtState, Unknowns, closed_state
from torseur.analyse.equilibria.completeness import Completeness, SearchedSpace, examined, index_sum
from torseur.analyse.equilibria.holding_bands import without_friction
from torseur.analyse.equilibria.resting import notices_of_rest, rest_by_friction
from torseur.analyse.equilibria.space import (
    Box,
    SearchSpace,
    check_autonomous,
    cyclic_displacements,
    deflating,
    kernel,
    stays_balanced,
)
from torseur.analyse.equilibria.sticking import Band
from torseur.analyse.letters.answers import EquilibriaInLetters
from torseur.analyse.letters.closed_forms import in_letters
from torseur.analyse.stability.potential import has_energy
from torseur.analyse.stability.steady import Steady, dry_notices
from torseur.errors import ModelError
from torseur.figures import Figure, labelled, one_panel, written
from torseur.machine.compiled import CompiledModel
from torseur.model.description import Mechanism
from torseur.model.values.scales import with_unit
from torseur.notices import noticed
from torseur.result import Result
from torseur.words.sentence import say

Array = np.ndarray
_STARTS, _MOST = 96, 480  # for each free displacement, and in all
_QUICK, _THOROUGH = 2_000, 400_000  # boxes that a proof may look at
_STEPS = 18  # and two for each; a start that needs more is given up: another will do
_POINTS = 240  # of a curve
_BREAK = 0.2  # of the range of the force in a step: it has passed a singular configuration
_GRID, _LEVELS = 61, 24


@final
class Equilibria(Result):
    """Equilibria or steady motions, those of least E_p − K0 first, and notices."""

    _repr_html_ = notebook.html

    found: tuple[Steady, ...]
    notices: tuple[str, ...] = ()
    searched: SearchedSpace | None = None
    proof: Completeness | None = None
    ranges: tuple[Band, ...] = ()  # in which dry friction lets it rest about each

    @cached_property
    def complete(self) -> Completeness:
        """Verdict on completeness: proved by intervals where that is quick."""
        if self.proof is not None:
            return self.proof
        if self.searched is None:
            return Completeness("unknown", say("steady motions are not searched by boxes."))
        verdict, more = examined(self.searched, _QUICK)
        if not more and verdict.examined > _QUICK:
            return replace(
                verdict, reason=say("{reason} `prove=True` examines more boxes.", verdict.reason)
            )
        if not more:
            return verdict
        reason = say("{number} more were found; `prove=True` returns them.", len(more))
        return Completeness("incomplete", reason, verdict.examined)

    def __iter__(self) -> Iterator[Steady]:
        return iter(self.found)

    def __len__(self) -> int:
        return len(self.found)

    def __getitem__(self, k: int) -> Steady:
        return self.found[k]

    def plot(self, path: str | Path | None = None) -> Figure:
        """The equilibria over two coordinates with the energy; with one, the force along it.

        Stable ones are full dots, others rings.
        """
        drawn, panel = one_panel(7.5, 4.5)
        if self.found:
            state = self.found[0].here
            model = state.tangent.model
            names = _plotted_coordinates(state)
            if len(state.chart.shifts) == 1 and names:
                for x in self.found:
                    _draw_force(panel, x.here, names[0])
                panel.axhline(0.0, color="k", linewidth=0.8)
            elif len(names) == 2:
                _draw_energy(drawn, panel, self.found, names)
            for x in self.found:
                place = [x.coordinates[name] for name in names] + [0.0, 0.0]
                panel.plot(*place[:2], "o", color="C0", mfc="C0" if x.stable else "white", zorder=3)
            unit = "N" if state.tangent.metres[state.chart.shifts[0]] else "N m"
            upright = (
                say("force along it [{unit}]", unit)
                if len(names) < 2
                else with_unit(model.mechanism, names[1])
            )
            labelled(panel, with_unit(model.mechanism, names[0]) if names else "", upright)
            drawn.suptitle(model.mechanism.name)
        panel.plot([], [], "o", color="C0", label=say("stable"))
        panel.plot([], [], "o", color="C0", mfc="white", label=say("not stable"))
        panel.legend(loc="upper left", bbox_to_anchor=(0.0, -0.12), ncols=2, frameon=False)
        return written(drawn, path)

    def __str__(self) -> str:
        lines = [f"{x}\n  {x.stable}" for x in self.found] or [say("none was found")]
        for k, band in enumerate(self.ranges):
            low, high = (f"{x:.6g}".replace("inf", "∞") for x in (band.low, band.high))
            name = band.parameter
            rests = say("  with friction it rests for {name} from {low} to {high}", name, low, high)
            lines[k] = f"{lines[k]}\n{rests}"
        if self.searched is not None and self.found:
            lines.append(say("all of them? {complete}", self.complete))
        return "\n".join([*lines, *noticed(self.notices)])


@overload
def equilibria(
    mechanism: Mechanism | CompiledModel,
    *,
    box: Box | None = None,
    parameters: Mapping[str, float] | None = None,
    starts: int | None = None,
    t: float | None = None,
    prove: bool = False,
) -> Equilibria: ...


@overload
def equilibria(
    mechanism: Mechanism | CompiledModel,
    *,
    letters: bool,
    parameters: Mapping[str, float] | None = None,
    given: Sequence[str] | Mapping[str, Any] = (),
    turning: Sequence[str] = (),
    modes: Mapping[str, str] | None = None,
) -> EquilibriaInLetters: ...


def equilibria(
    mechanism: Mechanism | CompiledModel,
    *,
    box: Box | None = None,
    parameters: Mapping[str, float] | None = None,
    starts: int | None = None,
    t: float | None = None,
    prove: bool = False,
    letters: bool = False,
    given: Sequence[str] | Mapping[str, Any] = (),
    turning: Sequence[str] = (),
    modes: Mapping[str, str] | None = None,
) -> Equilibria | EquilibriaInLetters:
    """The equilibria of a mechanism, its loops closed, with their stability and reactions.

    Newton's method starts from points spread over the coordinates, pushed away from what was found
    before. `box` gives limits of coordinates: {"theta": (-1, 1)}; angles have the whole turn by
    default. Coordinates that an imposed motion drives at constant speed turn on: equilibria are
    then those of E_p − K0. Loads that depend on time are refused unless `t` says when. More
    `starts` look closer; `prove` tries to prove that there are no others, which may take some
    seconds, and adds those that it meets. `.complete` of the result says what is known.

    With `letters`, equilibria are formulas, as far as they have a closed form: `turning` names
    coordinates that turn at constant speeds, which are letters too, `given` coordinates that stay
    letters, or values of parameters as numbers or texts, {"theta": "pi/2"}, and `modes` the modes
    of contacts.
    """
    if letters:
        numbers = {"box": box, "starts": starts, "t": t, "prove": prove or None}
        return letters_only(mechanism, numbers, parameters, given, turning, modes)
    for name, x in (("given", given), ("turning", turning), ("modes", modes)):
        if x:
            problem = say('"{name}" is for answers in letters.', name)
            advice = "Add letters=True, or use ts.stability.steady_motions for numbers."
            raise ModelError("equilibria", problem, advice)
    # the equations at the initial configuration, at rest
    now = 0.0 if t is None else t
    described = model_with_values(mechanism, parameters)
    smooth = without_friction(described)
    state, preferred = steady_start(smooth, {}, (), None, now, at_rest=True)
    tangent = state.tangent
    if t is None:
        check_autonomous(state)
    if not state.chart.speeds:
        return _rigid(state)
    # what may change: everything but what nothing depends on, unless it is limited
    limits = dict(box or {})
    limited = {k for k, name in enumerate(tangent.speeds) if name.removesuffix(".") in limits}
    sought = Unknowns(frozen=cyclic_displacements(state) - limited, wanted=preferred)
    space = SearchSpace(state)
    # Newton's method from points all over that space
    freedoms = len(state.chart.shifts)
    count = start_count(starts, freedoms)
    begun = (starting_point(space, sought, q) for q in space.points(count, limits))
    result, notices = search(space, sought, begun, limits, freedoms, to_the_end=starts is not None)
    # where the indices of equilibria do not add up, some are missing: more points
    if not limits and index_sum(space, sought, result):
        again = (starting_point(space, sought, q) for q in space.points(8 * count, limits)[count:])
        result, notices = search(space, sought, again, limits, freedoms, result)
    # what is known about others, and what the result leaves out
    searched = SearchedSpace(space, sought, limits, tuple(result))
    notices, proof = (*notices, *dry_notices(tangent.model)), None
    if prove:
        proof, more = examined(searched, _THOROUGH)
        searched = replace(searched, found=(*result, *more))
    # in order of energy, each with the dimension of its family
    states = (Steady(x, family=kernel(x).shape[1]) for x in searched.found)
    ordered = tuple(sorted(states, key=lambda x: round(x.effective_energy, 12)))
    if smooth is described:
        return Equilibria(ordered, notices, searched, proof)
    notices = (*notices, *notices_of_rest(described))
    ranges = rest_by_friction(described, ordered)
    return Equilibria(ordered, notices, searched, proof, ranges)


def letters_only(
    mechanism: Mechanism | CompiledModel,
    numbers: Mapping[str, object],
    parameters: Mapping[str, float] | None,
    given: Sequence[str] | Mapping[str, Any],
    turning: Sequence[str],
    modes: Mapping[str, str] | None,
) -> EquilibriaInLetters:
    """Equilibria as formulas; options of the numerical search are refused."""
    for name, x in numbers.items():
        if x is not None:
            problem = say('"{name}" is for the numerical search.', name)
            raise ModelError("equilibria", problem, say("Leave out letters=True or {name}.", name))
    model = mechanism.mechanism if isinstance(mechanism, CompiledModel) else mechanism
    named = dict(given) if isinstance(given, Mapping) else dict.fromkeys(given)
    return in_letters(model, given={**(parameters or {}), **named}, turning=turning, modes=modes)


def _rigid(state: AtState) -> Equilibria:
    """A mechanism without free motions: it rests as it is, unless imposed motions move it."""
    alone = Completeness("proved", say("nothing is free to move."))
    if state.v.any() or not stays_balanced(state, Unknowns()):
        notices = ("Imposed motions leave nothing free: it never rests.",)
        return Equilibria((), notices, proof=alone)
    return Equilibria((Steady(state),), (say("Nothing is free to move."),), proof=alone)


def start_count(starts: int | None, freedoms: int) -> int:
    if starts is None:
        return min(_STARTS * max(freedoms, 1), _MOST)
    if starts < 1:
        raise ModelError("equilibria", say("starts must be positive, got {starts}.", starts))
    return starts


def starting_point(
    space: SearchSpace, sought: Unknowns, q: Array, v: Array | None = None
) -> AtState | None:
    """A starting point: what is frozen where it is at the start, its loops closed."""
    placed = q.copy()
    for _, link in space.tangent.model.system.tree:
        fixed = [k for k in range(link.v.start, link.v.stop) if k in sought.frozen]
        if link.joint.turning and len(fixed) == link.joint.nv:
            placed[link.q] = space.start[link.q]
        elif not link.joint.turning:
            places = [link.q.start + k - link.v.start for k in fixed]
            placed[places] = space.start[places]
    return closed_state(space.tangent, placed, space.t, v, sought, fixed=tuple(sought.frozen))


def search(
    space: SearchSpace,
    sought: Unknowns,
    begun: Iterable[AtState | None],
    box: Box,
    freedoms: int,
    known: Sequence[AtState] = (),
    *,
    to_the_end: bool = False,
) -> tuple[list[AtState], tuple[str, ...]]:
    """Solutions that the starts lead to, each once.

    Unless it goes on to the end, it gives up when many in a row bring nothing.
    """
    result = list(known)
    passing = quiet = 0
    for state in begun:
        quiet += 1
        patience = 10 + 8 * freedoms + 2 * len(result)
        if not to_the_end and quiet > (patience if result else 3 * patience):
            break
        if state is None:
            continue
        # away from what is known, to a balance within the limits that lasts
        pushed = deflating(space, result) if result else None
        end = sought.solved(state, deflation=pushed, steps=_STEPS + 2 * freedoms)
        if end is None or not space.inside(end.q, box):
            continue
        if not stays_balanced(end, sought):
            passing += 1
            continue
        # a new one
        if not any(space.same(end, other, sought) for other in result):
            result.append(replace(end, q=space.tidy(end.q, sought.frozen)))
            quiet = 0
    notices = []
    if passing and not result:
        notices.append(
            "Some states are at rest for an instant only: the imposed motions change the forces."
        )
    return result, tuple(notices)


# --- figures --------------------------------------------------------------------------------------


def _plotted_coordinates(state: AtState) -> list[str]:
    """The first two free coordinates that something depends on."""
    size = np.abs(state.reduced.K).max(initial=0.0)
    felt = [
        k
        for k in range(len(state.chart.shifts))
        if np.abs(state.reduced.K[:, k]).max() > 1e-9 * size
    ]
    names = [state.tangent.speeds[state.chart.shifts[k]].removesuffix(".") for k in felt]
    return [name for name in names if name in state.tangent.coordinates][:2]


def _draw_force(panel: Any, state: AtState, name: str) -> None:
    """The force along the free coordinate, from an equilibrium as far as the loops close.

    It falls through zero where the equilibrium is stable.
    """
    k = state.tangent.coordinates.index(name)
    half = 2 * abs(state.q[k]) + 0.1 if state.tangent.metres[state.chart.shifts[0]] else np.pi
    centre = state.q[k] if state.tangent.metres[state.chart.shifts[0]] else 0.0
    values = np.linspace(centre - half, centre + half, _POINTS + 1)
    start = int(np.abs(values - state.q[k]).argmin())
    for way in (values[start:], values[start::-1]):
        forces = np.array([-there.F[0] for there in state.along(name, way)])
        broken = np.abs(np.diff(forces)) > _BREAK * np.ptp(forces) if len(forces) else forces
        forces[np.flatnonzero(broken)] = np.nan
        panel.plot(way[: len(forces)], forces, color="0.6", linewidth=1.2, zorder=1)


def _draw_energy(drawn: Figure, panel: Any, states: Sequence[Steady], names: list[str]) -> None:
    """Level curves of E_p − K0 over two coordinates, where no loop ties them to others."""
    state = states[0].here
    if len(state.chart.shifts) != 2 or state.tangent.rows or not has_energy(state):
        return
    places = [state.tangent.coordinates.index(name) for name in names]
    axes = []
    for k, name in zip(places, names, strict=True):
        values = [x.coordinates[name] for x in states]
        turns = not state.tangent.metres[k] and np.ptp(values) > 1
        margin = 0.2 + 0.3 * np.ptp(values)
        ends = (
            (-1.1 * np.pi, 1.1 * np.pi) if turns else (min(values) - margin, max(values) + margin)
        )
        axes.append(np.linspace(ends[0], ends[1], _GRID))
    energies = np.empty((_GRID, _GRID))
    quantities = state.tangent.quantities
    for i, x in enumerate(axes[0]):
        for j, y in enumerate(axes[1]):
            q = state.q.copy()
            q[places] = x, y
            energies[j, i] = quantities.potential(q, state.t) - quantities.kinetic(q, state.v)
    curves = panel.contour(
        *axes, energies, levels=_LEVELS, cmap="viridis", linewidths=0.8, zorder=1
    )
    drawn.colorbar(curves, ax=panel, label="E_p − K0 [J]" if state.v.any() else "E_p [J]")
