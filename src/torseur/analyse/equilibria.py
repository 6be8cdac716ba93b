"""All the places where a mechanism can rest, and all the ways in which it can move steadily."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, final

import numpy as np

from torseur.analyse.completeness import Completeness, Searched, examined, index_sum
from torseur.analyse.space import Box, Space, deflating, kernel
from torseur.analyse.statics import Here, Sought, closed, settled, steady
from torseur.analyse.steady import (
    Steady,
    check_autonomous,
    check_independent,
    dry_notices,
    model_of,
    persists,
    started,
    unfelt,
    wanted_speeds,
)
from torseur.analyse.tangent import Tangent
from torseur.backends.compiled import CompiledModel
from torseur.errors import ModelError, unknown
from torseur.mechanism.description import Mechanism
from torseur.simulation.assemble import advanced

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Array = np.ndarray
_STARTS, _MOST = 96, 480  # for each free displacement, and in all
_QUICK, _THOROUGH = 2_000, 400_000  # boxes that a proof may look at
_ANGULAR = "angular momentum"
_ROLLING = "With rolling, name the independent coordinates: independent=(…)."
_STEPS = 18  # and two for each; a start that needs more is given up: another will do


@final
@dataclass(frozen=True)
class Equilibria:
    """Equilibria or steady motions, those of least E_p − K0 first, and what there is to say."""

    found: tuple[Steady, ...]
    notices: tuple[str, ...] = ()
    searched: Searched | None = None
    proof: Completeness | None = None

    @cached_property
    def complete(self) -> Completeness:
        """Whether these are all: proved by intervals where that is quick, else what is known."""
        if self.proof is not None:
            return self.proof
        if self.searched is None:
            return Completeness("unknown", "steady motions are not searched by boxes.")
        verdict, more = examined(self.searched, _QUICK)
        if not more and verdict.examined > _QUICK:
            return replace(verdict, reason=f"{verdict.reason} prove=True looks at more.")
        if not more:
            return verdict
        reason = f"{len(more)} more were met; they come with prove=True."
        return Completeness("incomplete", reason, verdict.examined)

    def __iter__(self) -> Iterator[Steady]:
        return iter(self.found)

    def __len__(self) -> int:
        return len(self.found)

    def __getitem__(self, k: int) -> Steady:
        return self.found[k]

    def plot(self, path: str | Path | None = None) -> Figure:
        """The equilibria over two coordinates with the energy; with one, the force along it."""
        from torseur.analyse.equilibria_figure import equilibria_figure

        return equilibria_figure(self.found, path)

    def __str__(self) -> str:
        lines = [f"{x}\n  {x.stable}" for x in self.found] or ["none was found"]
        if self.searched is not None and self.found:
            lines.append(f"all of them? {self.complete}")
        return "\n".join([*lines, *(f"notice: {x}" for x in self.notices)])


def equilibria(
    mechanism: Mechanism | CompiledModel,
    *,
    box: Box | None = None,
    parameters: Mapping[str, float] | None = None,
    starts: int | None = None,
    t: float | None = None,
    prove: bool = False,
) -> Equilibria:
    """The equilibria of a mechanism, its loops closed, with their stability and reactions.

    Newton's method starts from points spread over the coordinates, pushed away from what was found
    before. `box` gives limits of coordinates: {"theta": (-1, 1)}; angles have the whole turn by
    default. Coordinates that an imposed motion drives at constant speed turn on: equilibria are
    then those of E_p − K0. Loads that depend on time are refused unless `t` says when. More
    `starts` look closer; `prove` tries to prove that there are no others, which may take some
    seconds, and adds those that it meets. `.complete` of the result says what is known.
    """
    tangent = Tangent(model_of(mechanism, parameters))
    now = 0.0 if t is None else t
    start = started(tangent.model, {}, now)
    here = steady(tangent, start.q, np.zeros(tangent.size), now)
    if t is None:
        check_autonomous(here)
    if not here.chart.speeds:
        return _rigid(here)
    limits = dict(box or {})
    held = {k for k, name in enumerate(tangent.speeds) if name.removesuffix(".") in limits}
    sought = Sought(frozen=unfelt(here) - held, wanted=wanted_speeds(tangent, ()))
    space = Space(tangent, start, now)
    count = _count(starts, len(here.chart.shifts))
    begun = (replace_speeds(space, sought, q) for q in space.points(count, limits))
    found, notices = _search(space, sought, begun, limits, len(here.chart.shifts))
    if not limits and index_sum(space, sought, found):
        again = (replace_speeds(space, sought, q) for q in space.points(8 * count, limits)[count:])
        found, notices = _search(space, sought, again, limits, len(here.chart.shifts), found)
    searched = Searched(space, sought, limits, tuple(found))
    told, proof = (*notices, *dry_notices(tangent.model)), None
    if prove:
        proof, more = examined(searched, _THOROUGH)
        searched = replace(searched, found=(*found, *more))
    return Equilibria(_finished(searched.found), told, searched, proof)


def _rigid(here: Here) -> Equilibria:
    """A mechanism without free motions: it rests as it is, unless imposed motions move it."""
    alone = Completeness("proved", "nothing is free to move.")
    if here.v.any() or not persists(here, Sought()):
        told = ("Imposed motions leave nothing free: it never rests.",)
        return Equilibria((), told, proof=alone)
    return Equilibria((Steady(here),), ("Nothing is free to move.",), proof=alone)


def _count(starts: int | None, freedoms: int) -> int:
    if starts is None:
        return min(_STARTS * max(freedoms, 1), _MOST)
    if starts < 1:
        raise ModelError("equilibria", f"starts must be positive, got {starts}.")
    return starts


def replace_speeds(space: Space, sought: Sought, q: Array, v: Array | None = None) -> Here | None:
    """A starting point: what is frozen where it is at the start, its loops closed."""
    made = q.copy()
    for _, link in space.tangent.model.system.tree:
        kept = [k for k in range(link.v.start, link.v.stop) if k in sought.frozen]
        if link.joint.turning and len(kept) == link.joint.nv:
            made[link.q] = space.start[link.q]
        elif not link.joint.turning:
            places = [link.q.start + k - link.v.start for k in kept]
            made[places] = space.start[places]
    q_closed = closed(space.tangent, made, space.t, tuple(sought.frozen))
    if q_closed is None:
        return None
    speeds = np.zeros(space.tangent.size) if v is None else v
    return steady(space.tangent, q_closed, speeds, space.t, sought)


def _search(
    space: Space,
    sought: Sought,
    begun: Iterable[Here | None],
    box: Box,
    freedoms: int,
    known: Sequence[Here] = (),
) -> tuple[list[Here], tuple[str, ...]]:
    """What the starts lead to, each solution once; given up when many in a row bring nothing."""
    found = list(known)
    passing = quiet = 0
    for here in begun:
        quiet += 1
        patience = 10 + 8 * freedoms + 2 * len(found)
        if quiet > (patience if found else 3 * patience):
            break
        if here is None:
            continue
        pushed = deflating(space, found) if found else None
        end = settled(here, sought, deflation=pushed, steps=_STEPS + 2 * freedoms)
        if end is None or not space.inside(end.q, box):
            continue
        if not persists(end, sought):
            passing += 1
            continue
        if not any(space.same(end, other, sought) for other in found):
            found.append(replace(end, q=space.tidy(end.q)))
            quiet = 0
    notices = []
    if passing and not found:
        notices.append(
            "States were found at which nothing accelerates for an instant only: "
            "the imposed motions change what acts."
        )
    return found, tuple(notices)


def _finished(found: Sequence[Here]) -> tuple[Steady, ...]:
    """In order of energy, each with the dimension of its family."""
    made = [Steady(here, family=kernel(here).shape[1]) for here in found]
    return tuple(sorted(made, key=lambda x: round(x.effective_energy, 12)))


# --- steady motions -------------------------------------------------------------------------------


def steady_motions(
    mechanism: Mechanism | CompiledModel,
    given: Mapping[str, float] | None = None,
    *,
    turning: Sequence[str] = (),
    independent: Sequence[str] = (),
    parameters: Mapping[str, float] | None = None,
    starts: int | None = None,
) -> Equilibria:
    """The motions in which cyclic coordinates turn at constant speeds and the others rest.

    `given` fixes coordinates and speeds: {"theta": 0.5, "psi.": 1000}; as many as the family of
    steady motions has parameters. `turning` names the coordinates that may turn, by default all
    that nothing depends on. `independent` names the coordinates whose speeds are to be constant,
    where rolling leaves a choice.
    """
    tangent = Tangent(model_of(mechanism, parameters))
    given = dict(given or {})
    wanted = wanted_speeds(tangent, independent)
    start = started(tangent.model, given, 0.0)
    here = steady(tangent, start.q, start.v, 0.0, Sought(wanted=wanted))
    check_independent(here, independent, wanted)
    sought = turned(here, given, turning, wanted)
    rate = _rate(here, given)
    count = _count(starts, len(here.chart.shifts))
    space = Space(tangent, start, 0.0, rate)
    begun = _begun(space, sought, start.v, count)
    found, notices = _search(space, sought, begun, {}, len(here.chart.shifts))
    made = [Steady(x, sought.turning) for x in found]
    return Equilibria(tuple(sorted(made, key=lambda x: round(x.effective_energy, 12))), notices)


def turned(
    here: Here, given: Mapping[str, float], turning: Sequence[str], wanted: tuple[int, ...]
) -> Sought:
    """What is sought of a steady motion: which speeds are unknown, which equations count."""
    model = here.tangent.model
    size = max([abs(x) for name, x in given.items() if name in model.speeds], default=0.0) or 1.0
    cyclic = unfelt(here, size)
    chosen = {_index(here, name, cyclic) for name in turning} or set(cyclic)
    fixed = {model.speeds.index(f"{n}.") for n in given if f"{n}." in model.speeds}
    known = {model.speeds.index(n) for n in given if n in model.speeds}
    for name in given:
        if name not in model.speeds and f"{name}." not in model.speeds:
            raise unknown("given", "coordinate or speed", name, (*model.coordinates, *model.speeds))
    for k in known:
        if k not in here.chart.speeds or k not in cyclic:
            raise _not_free(here, model.speeds[k], cyclic)
    unknown_speeds = frozenset(k for k in here.chart.speeds if k in chosen and k not in known)
    made = Sought(frozenset(cyclic | fixed), unknown_speeds, cyclic, frozenset(), wanted)
    made = replace(made, idle=_idle(here, made, size))
    _check_count(here, made, given)
    return made


def _index(here: Here, name: str, cyclic: frozenset[int]) -> int:
    speeds = here.tangent.speeds
    speed = name if name in speeds else f"{name}."
    if speed not in speeds:
        raise unknown("turning", "coordinate", name, [x.removesuffix(".") for x in speeds])
    if speeds.index(speed) not in cyclic:
        raise _not_free(here, speed, cyclic)
    return speeds.index(speed)


def _not_free(here: Here, speed: str, cyclic: frozenset[int]) -> ModelError:
    speeds = here.tangent.speeds
    free = [speeds[k] for k in here.chart.speeds if k in cyclic]
    return ModelError(
        "steady motions",
        f'"{speed}" cannot be a constant speed: it depends on others, or something depends on its '
        "coordinate.",
        f"Constant speeds of this mechanism: {', '.join(free) or 'none'}.",
        *([] if here.tangent.holonomic else [_ROLLING]),
        *_without_coordinate(here),
    )


def _without_coordinate(here: Here) -> list[str]:
    """Advice on rotations that change nothing and that no coordinate follows."""
    from torseur.analyse.integrals import first_integrals

    kept = [x for x in first_integrals(here.tangent.model.mechanism) if x.kind == _ANGULAR]
    if not kept:
        return []
    names = ", ".join(x.name for x in kept)
    return [
        f"Angular momentum is kept ({names}), but no coordinate turns with that symmetry: joints "
        "that are described by angles (defined, pivot) have one.",
        "Or give the ground the rotation, frame: {rotation: [0, 0, Omega]}, and look for "
        "equilibria(…): what rests in a frame that turns moves steadily.",
    ]


def _idle(here: Here, sought: Sought, size: float) -> frozenset[int]:
    """The equations that hold at every shape and every constant speed: nothing brakes there."""
    rng = np.random.default_rng(3)
    at = here.chart
    left = np.zeros(len(at.speeds))
    for _ in range(4):
        shift = at.P @ np.where(
            [i in sought.turning for i in at.shifts], 0.0, 0.3 * rng.normal(size=len(at.shifts))
        )
        q = closed(here.tangent, advanced(here.tangent.model, here.q, shift), here.t, at.shifts)
        if q is None:
            continue
        v = np.zeros(here.tangent.size)
        free = [k for k in at.speeds if k in sought.turning]
        v[free] = size * rng.normal(size=len(free))
        there = steady(here.tangent, q, v, here.t, sought, at)
        scale = max(there.largest, float(np.abs(there.terms.M).max(initial=0.0)) * size**2)
        left = np.maximum(left, np.abs(there.F) / max(scale, 1e-300))
    return frozenset(k for k, x in zip(at.speeds, left, strict=True) if x < 1e-10)


def _check_count(here: Here, sought: Sought, given: Mapping[str, float]) -> None:
    """As many unknowns as equations."""
    at, speeds = here.chart, here.tangent.speeds
    unknowns = [at.shifts[k] for k in sought.shifts(at)]
    rates = [at.speeds[k] for k in sought.rates(at)]
    equations = len(sought.equations(at)) + len(sought.still(at))
    extra = len(unknowns) + len(rates) - equations
    if extra > 0:
        names = [speeds[k].removesuffix(".") for k in unknowns] + [speeds[k] for k in rates]
        raise ModelError(
            "steady motions",
            f"there is a family of {extra} parameter(s): "
            f"{len(names)} unknowns and {equations} equation(s).",
            f"Give {extra} more of: {', '.join(names)} (with a dot: a speed).",
            *(_without_coordinate(here) if len(here.q) > len(here.v) else []),
        )


def _rate(here: Here, given: Mapping[str, float]) -> float:
    """A speed to compare others with."""
    speeds = [abs(x) for name, x in given.items() if name in here.tangent.speeds]
    made = here.reduced
    natural = np.sqrt(
        np.abs(made.K).max(initial=0.0) / max(np.abs(made.M).max(initial=0.0), 1e-300)
    )
    return float(max([*speeds, natural])) or 1.0


def _begun(space: Space, sought: Sought, v: Array, count: int) -> Iterator[Here | None]:
    """Starting points, with speeds of all sizes and both signs."""
    golden = 0.6180339887498949
    for number, q in enumerate(space.points(count, {})):
        speeds = v.copy()
        for place, k in enumerate(sorted(sought.speeds)):
            spread = (0.5 + golden * (number + 1) * (place + 1)) % 1.0
            size = space.rate * 10 ** (4 * abs(2 * spread - 1) - 3)
            speeds[k] = np.sign(2 * spread - 1) * size if number else v[k]
        yield replace_speeds(space, sought, q, speeds)
