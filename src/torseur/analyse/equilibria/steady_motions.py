"""All the ways in which a mechanism can move steadily: cyclic coordinates turn, the others rest.

What is given is kept: a speed that is not independent is one more equation. Every motion that comes
out has been verified with its true accelerations, and a while later.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, overload

import numpy as np

from torseur.analyse.at_a_state.initial_states import (
    model_of,
    speed_index,
    steady_start,
)
from torseur.analyse.at_a_state.pose import ranks
from torseur.analyse.at_a_state.statics import AtState, Unknowns
from torseur.analyse.equilibria.equilibria import Equilibria, search, start_count, starting_point
from torseur.analyse.equilibria.given_values import check_names, kept_start
from torseur.analyse.equilibria.space import SearchSpace, cyclic_displacements
from torseur.analyse.letters.answers import EquilibriaInLetters
from torseur.analyse.letters.closed_forms import in_letters
from torseur.analyse.stability.steady import Steady
from torseur.errors import ModelError
from torseur.machine.compiled import CompiledModel
from torseur.model.description import Mechanism
from torseur.words.sentence import say

Array = np.ndarray
_ANGULAR = "angular momentum"
_ROLLING = "With rolling, name the independent coordinates: independent=(…)."
_SINGULAR = 1e-10  # smallest over largest inertia, below which coordinates say nothing of a motion
_AT_SINGULAR = (
    "Motions at which the coordinates are singular (an angle that nothing resists) are left out: "
    "other coordinates find them."
)
_STEP = 0.1  # along a family, in its units
_VANISHES = 1e-6  # of what loads could make of an acceleration


@overload
def steady_motions(
    mechanism: Mechanism | CompiledModel,
    given: Mapping[str, float] | None = None,
    *,
    turning: Sequence[str] = (),
    independent: Sequence[str] = (),
    parameters: Mapping[str, float] | None = None,
    starts: int | None = None,
) -> Equilibria: ...


@overload
def steady_motions(
    mechanism: Mechanism | CompiledModel,
    given: Mapping[str, Any] | Sequence[str] | None = None,
    *,
    letters: bool,
    turning: Sequence[str] = (),
    parameters: Mapping[str, float] | None = None,
) -> EquilibriaInLetters: ...


def steady_motions(
    mechanism: Mechanism | CompiledModel,
    given: Mapping[str, Any] | Sequence[str] | None = None,
    *,
    turning: Sequence[str] = (),
    independent: Sequence[str] = (),
    parameters: Mapping[str, float] | None = None,
    starts: int | None = None,
    letters: bool = False,
) -> Equilibria | EquilibriaInLetters:
    """The motions in which cyclic coordinates turn at constant speeds and the others rest.

    `given` fixes coordinates and speeds: {"theta": 0.5, "psi.": 1000}; as many as the family of
    steady motions has parameters. `turning` names the coordinates that may turn, by default all
    that nothing depends on. `independent` names the coordinates whose speeds are to be constant,
    where rolling leaves a choice.

    With `letters`, motions are formulas, as far as they have a closed form: `given` names the
    coordinates that stay letters, or gives values of parameters.
    """
    if letters:
        if independent or starts is not None:
            name = "independent" if independent else "starts"
            problem = say('"{name}" is for the numerical search.', name)
            raise ModelError("steady motions", problem, say("Leave out letters=True."))
        return _in_letters(model_of(mechanism, parameters), given or (), turning, parameters)
    if given is not None and not isinstance(given, Mapping):
        problem = say("{given} has no values.", ", ".join(given))
        raise ModelError("given", problem, "Write {coordinate: number}, or letters=True.")
    # the equations at an assembly that has what is given
    model, given = model_of(mechanism, parameters), dict(given or {})
    check_names(model, given)
    state, preferred = steady_start(model, kept_start(model, given), independent)
    # as many unknowns as equations
    sought = steady_unknowns(state, given, turning, preferred)
    _check_speeds(state, sought)
    # Newton's method from shapes and speeds of all sizes
    space = SearchSpace(state, _rate(state, given))
    count = start_count(starts, len(state.chart.shifts))
    begun = _starting_points(space, sought, count)
    freedoms, thorough = len(state.chart.shifts), starts is not None
    result, notices = search(space, sought, begun, {}, freedoms, to_the_end=thorough)
    # what belongs to a family, does not last or stands where coordinates are singular
    _check_families(space, sought, result)
    if sought.given_speeds and notices and not result:
        raise _changing(state, sought)
    regular = [x for x in result if _inertia_share(x) > _SINGULAR]
    if len(regular) < len(result):
        notices = (*notices, _AT_SINGULAR)
    motions = [Steady(x, sought.turning) for x in regular if _verified(x)]
    return Equilibria(tuple(sorted(motions, key=lambda x: round(x.effective_energy, 12))), notices)


def _in_letters(
    model: CompiledModel,
    given: Mapping[str, Any] | Sequence[str],
    turning: Sequence[str],
    parameters: Mapping[str, float] | None,
) -> EquilibriaInLetters:
    """Steady motions as formulas; by default all that nothing depends on turns."""
    state, _ = steady_start(model, {})
    cyclic = sorted(cyclic_displacements(state))
    names = [model.speeds[k].removesuffix(".") for k in cyclic]
    chosen = tuple(turning) or tuple(x for x in names if x not in given)
    named = dict(given) if isinstance(given, Mapping) else dict.fromkeys(given)
    return in_letters(model.mechanism, given={**(parameters or {}), **named}, turning=chosen)


# --- given values ---------------------------------------------------------------------------------


def _check_speeds(state: AtState, sought: Unknowns) -> None:
    """The given speeds must not contradict the constraints, at this shape and at others."""
    rng, at = np.random.default_rng(5), state.chart
    places = [state.q]
    for _ in range(4):
        step = np.where([i in sought.frozen for i in at.shifts], 0.0, 0.3)
        near = state.beside(at.P @ (step * rng.normal(size=len(step))))
        places += [] if near is None else [near.q]
    against = [_against(state, sought, q) for q in places]
    if all(against):
        parts = [f"{state.tangent.speeds[i]} = {x:g}" for i, x in sought.given_speeds]
        problem = say(
            "{told} contradict each other: {against} would not hold.",
            ", ".join(parts),
            ", ".join(against[0]),
        )
        raise ModelError("given", problem, "Give fewer speeds, or other values.")


def _against(state: AtState, sought: Unknowns, q: Array) -> list[str]:
    """The constraints that forbid the given speeds at a configuration; those that rest too."""
    still = [i for i in state.chart.shifts if i not in sought.turning]
    fixed = {**dict.fromkeys(still, 0.0), **dict(sought.given_speeds)}
    if not sought.given_speeds or not state.tangent.rows:
        return []
    terms = state.tangent.at(q, state.t)
    E = np.eye(state.tangent.size)[list(fixed)]
    right = np.concatenate([-terms.u, [*fixed.values()]])
    idle = ranks(np.concatenate([terms.J, E])).cokernel
    left = idle.T @ right
    if np.abs(left).max(initial=0.0) <= 1e-9 * np.abs(right).max(initial=0.0):
        return []
    weights = np.abs(idle @ left)[: state.tangent.rows]
    owners = state.tangent.constraints.owners
    return list(dict.fromkeys(owners[k] for k in np.flatnonzero(weights > 1e-6 * weights.max())))


def steady_unknowns(
    state: AtState, given: Mapping[str, float], turning: Sequence[str], preferred: tuple[int, ...]
) -> Unknowns:
    """Unknowns of a steady motion: unknown speeds, and the equations that count."""
    model = state.tangent.model
    lengths = dict(zip(model.speeds, model.sizes.displacements.tolist(), strict=True))
    rates = [abs(x) / lengths[name] for name, x in given.items() if name in lengths]
    rate = max(rates, default=0.0) or 1.0  # [1/s]
    cyclic = cyclic_displacements(state, rate)
    chosen = {_index(state, name, cyclic) for name in turning} or set(cyclic)
    fixed = {model.speeds.index(f"{n}.") for n in given if f"{n}." in model.speeds}
    known = sorted(model.speeds.index(n) for n in given if n in model.speeds)
    resting = [k for k in state.chart.shifts if k not in cyclic]
    for k in known:
        if k in state.chart.shifts and k not in cyclic and given[model.speeds[k]]:
            raise _not_free(state, model.speeds[k], cyclic)
    text = {k: float(given[model.speeds[k]]) for k in known if k in cyclic or k not in resting}
    free = frozenset(k for k in state.chart.speeds if k in chosen and k not in text)
    unknowns = Unknowns(cyclic | fixed, free, cyclic, frozenset(), preferred, tuple(text.items()))
    unknowns = replace(unknowns, idle=_idle(state, unknowns, rate))
    _check_count(state, unknowns, given)
    return unknowns


def _index(state: AtState, name: str, cyclic: frozenset[int]) -> int:
    k = speed_index(state.tangent, name, "turning")
    if k not in cyclic:
        raise _not_free(state, state.tangent.speeds[k], cyclic)
    return k


def _not_free(state: AtState, speed: str, cyclic: frozenset[int]) -> ModelError:
    speeds = state.tangent.speeds
    free = [speeds[k] for k in state.chart.speeds if k in cyclic]
    return ModelError(
        "steady motions",
        say(
            '"{speed}" cannot be a constant speed: it depends on others, or something depends on '
            "its coordinate.",
            speed,
        ),
        say("Constant speeds of this mechanism: {free}.", ", ".join(free) or say("none")),
        *([] if state.tangent.holonomic else [_ROLLING]),
        *_without_coordinate(state),
    )


def _without_coordinate(state: AtState) -> list[str]:
    """Advice on rotations that change nothing and that no coordinate follows."""
    from torseur.analyse.integrals.integrals import first_integrals

    momenta = [x for x in first_integrals(state.tangent.model.mechanism) if x.kind == _ANGULAR]
    if not momenta:
        return []
    names = ", ".join(x.name for x in momenta)
    return [
        say(
            "Angular momentum is kept ({names}), but no coordinate turns with that symmetry: "
            "joints that are described by angles (defined, pivot) have one.",
            names,
        ),
        "Or give the ground the rotation, frame: {rotation: [0, 0, Omega]}, and look for "
        "equilibria(…): a rest in a turning frame is a steady motion.",
    ]


def _idle(state: AtState, sought: Unknowns, rate: float) -> frozenset[int]:
    """The equations that hold at every shape and every constant speed: nothing brakes there."""
    rng = np.random.default_rng(3)
    at, lengths = state.chart, state.tangent.model.sizes.displacements
    left = np.zeros(len(at.speeds))
    for _ in range(4):
        shift = at.P @ np.where(
            [i in sought.turning for i in at.shifts],
            0.0,
            0.3 * state.units * rng.normal(size=len(at.shifts)),
        )
        v = np.zeros(state.tangent.size)
        free = [k for k in at.speeds if k in sought.turning]
        v[free] = rate * lengths[free] * rng.normal(size=len(free))
        there = state.beside(shift, v, sought)
        if there is None:
            continue
        M = lengths[:, np.newaxis] * there.terms.M * lengths
        scale = max(there.largest, float(np.abs(M).max(initial=0.0)) * rate**2)
        left = np.maximum(left, np.abs(there.F * there.arms) / max(scale, 1e-300))
    return frozenset(k for k, x in zip(at.speeds, left, strict=True) if x < 1e-10)


def _check_count(state: AtState, sought: Unknowns, given: Mapping[str, float]) -> None:
    """Require as many unknowns as equations."""
    places = sought.places(state.chart)
    unknowns, equations = (
        len(places.moved) + len(places.turned),
        len(places.equations) + len(places.still),
    )
    extra = unknowns - equations
    if extra > 0:
        names = [name for name in _unknown_names(state, sought) if name not in given]
        raise ModelError(
            "steady motions",
            say(
                "there is a family of {extra} parameter(s): {number} unknowns and {equations} "
                "equation(s).",
                extra,
                unknowns,
                equations,
            ),
            *_more_to_give(extra, names),
            *(_without_coordinate(state) if len(state.q) > len(state.v) else []),
        )


# --- families of motions that go over into each other ---------------------------------------------


def _check_families(space: SearchSpace, sought: Unknowns, states: Sequence[AtState]) -> None:
    """Reject motions that belong to a family, with the values that would single them out.

    A direction in which nothing changes to first order is followed for a finite step.
    """
    for state in states:
        units = sought.counted_in(state, state.tangent.lengths(space.size), space.rate)
        flat = ranks(sought.jacobian(state) * units, 1e-9).kernel
        along = [way for way in flat.T if _leads(space, sought, state, units * way)]
        if not along:
            continue
        moving = np.abs(along).max(axis=0) > 1e-6
        names = [n for n, moves in zip(_unknown_names(state, sought), moving, strict=True) if moves]
        problem = say(
            "there is a family of {number} parameter(s) through {steady}.",
            len(along),
            Steady(state, sought.turning),
        )
        raise ModelError("steady motions", problem, *_more_to_give(len(along), names))


def _unknown_names(state: AtState, sought: Unknowns) -> list[str]:
    """The unknown coordinates, then the unknown speeds; a small rotation has no name."""
    places, speeds = sought.places(state.chart), state.tangent.speeds
    displacements = (speeds[i] for i in places.moved)
    shifts = [name.removesuffix(".") if name.endswith(".") else "" for name in displacements]
    return [*shifts, *(speeds[i] for i in places.turned)]


def _more_to_give(count: int, names: Sequence[str]) -> tuple[str, ...]:
    """Advice on what to give."""
    listed = ", ".join(filter(None, names))
    if not listed:
        return ()
    return (say("Give {count} more of: {listed} (with a dot: a speed).", count, listed),)


def _leads(space: SearchSpace, sought: Unknowns, state: AtState, way: Array) -> bool:
    """Whether there is another steady motion at a finite distance in a direction."""
    for size in (_STEP, -_STEP):
        there = sought.shifted(state, size * way)
        end = sought.solved(there)
        if there is not None and end is not None:
            gone, left = space.distance(state, there), space.distance(there, end)
            if left < 0.5 * gone:
                return True
    return False


# --- verification ---------------------------------------------------------------------------------


def _verified(state: AtState) -> bool:
    """Whether the constraints hold, and the true accelerations keep the independent speeds."""
    there, independent = state.moving(), list(state.chart.speeds)
    M = state.arms[:, np.newaxis] * state.reduced.M * state.arms
    size = np.abs(np.linalg.inv(M)).sum(axis=1) * state.largest
    steady = np.abs(there.a[independent] / state.arms) <= _VANISHES * size
    open_ = np.abs(state.terms.gap).max(initial=0.0) > 1e-8
    slips = np.abs(state.terms.u).max(initial=0.0) > 1e-9 * np.abs(state.v).max(initial=0.0)
    return bool(steady.all() and not open_ and not slips)


def _inertia_share(state: AtState) -> float:
    """The smallest inertia over the largest, lengths in units of that of the mechanism."""
    M = state.arms[:, np.newaxis] * state.reduced.M * state.arms
    sizes = np.linalg.eigvalsh((M + M.T) / 2)
    return float(sizes[0] / sizes[-1]) if len(M) and sizes[-1] > 0 else 1.0


def _changing(state: AtState, sought: Unknowns) -> ModelError:
    """Error: the given speeds hold for an instant only."""
    text = ", ".join(f"{state.tangent.speeds[i]} = {x:g}" for i, x in sought.given_speeds)
    return ModelError(
        "steady motions",
        say(
            "with {told} the speeds hold for an instant only: one of them changes while the "
            "others go on.",
            text,
        ),
        "Give the speeds of coordinates that nothing depends on, or a rotation of zero.",
    )


def _rate(state: AtState, given: Mapping[str, float]) -> float:
    """A speed to compare others with."""
    speeds = [abs(x) for name, x in given.items() if name in state.tangent.speeds]
    equations = state.reduced
    natural = np.sqrt(
        np.abs(equations.K).max(initial=0.0) / max(np.abs(equations.M).max(initial=0.0), 1e-300)
    )
    return float(max([*speeds, natural])) or 1.0


def _starting_points(space: SearchSpace, sought: Unknowns, count: int) -> Iterator[AtState | None]:
    """Starting points with the speeds that are given, others of all sizes and both signs."""
    golden, v = 0.6180339887498949, np.zeros(space.tangent.size)
    for i, value in sought.given_speeds:
        v[i] = value
    for number, q in enumerate(space.points(count, {})):
        speeds = v.copy()
        for place, k in enumerate(sorted(sought.speeds)):
            spread = (0.5 + golden * (number + 1) * (place + 1)) % 1.0
            size = space.rate * 10 ** (4 * abs(2 * spread - 1) - 3)
            speeds[k] = np.sign(2 * spread - 1) * size if number else v[k]
        yield starting_point(space, sought, q, speeds)
