"""Assembly: coordinates and speeds that close every loop, near a guess."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from torseur.algebra.graph import evaluate
from torseur.backends.compiled import CompiledModel, compile
from torseur.errors import ModelError, SolveError, unknown
from torseur.language.given import given_state
from torseur.mechanism.description import Mechanism
from torseur.simulation.branch import Branch
from torseur.simulation.held import Held

Array = np.ndarray

# Newton's method halves its step until the gap shrinks; a loop that closes does so in a few steps.
_STEPS, _HALVINGS = 100, 12
_SPREADS = (0.01, 0.1, 0.1, 0.3, 0.3, 0.3)  # of further guesses [rad or m]
# A closing joint is where it is given, within this; otherwise other guesses are tried [rad or m].
_SAME, _GUESSES = 0.02, 24
# Rounding of positions of about a metre, with a margin for long chains.
CLOSED = 1e-12


@final
@dataclass(frozen=True)
class Assembled:
    """Consistent coordinates and speeds of the tree, by name and as arrays in order."""

    model: CompiledModel
    q: Array
    v: Array
    closure_error: float  # the largest gap left [m or rad]
    changed: dict[str, float]  # given coordinates and speeds that had to move, and by how much

    @property
    def coordinates(self) -> dict[str, float]:
        """The coordinates by name."""
        return dict(zip(self.model.coordinates, map(float, self.q), strict=True))

    @property
    def speeds(self) -> dict[str, float]:
        """The speeds by name."""
        return dict(zip(self.model.speeds, map(float, self.v), strict=True))


def assemble(
    mechanism: Mechanism | CompiledModel,
    guess: Mapping[str, float] | None = None,
    *,
    pinned: tuple[str, ...] = (),
    t: float = 0.0,
) -> Assembled:
    """The nearest coordinates and speeds that close every loop and hold every relation at time t.

    The guess is completed by the mechanism's initial values, then by zeros. Pinned coordinates
    keep their value, and given speeds theirs where that is possible. Of several assemblies, the one
    is taken whose closing joints are nearest to what is given. If a loop stays open, the error
    names its joint and the gap.
    """
    model = mechanism if isinstance(mechanism, CompiledModel) else compile(mechanism)
    guess = given_state(model.mechanism, {} if guess is None else guess, "guess")
    q, v = _start(model, guess)
    fixed = _pinned_columns(model, pinned)
    held = Held(model)
    given = _given(model, guess)
    branch = Branch(model, given)
    found = _on_branch(held, branch, _near(held, q, fixed, t), q, fixed, t)
    asked = [k for k, name in enumerate(model.speeds) if name in given]
    speeds = _speeds(held, found, v, ([*asked, *fixed], asked, fixed), t)
    names = (*model.coordinates, *model.speeds)
    pairs = zip(names, (*q, *v), (*found, *speeds), strict=True)
    moved = {
        name: float(now - before)
        for name, before, now in pairs
        if name in given and abs(now - before) > 1e-9
    }
    moved |= {name: change for name, change in branch.changes(found).items() if abs(change) > 1e-9}
    return Assembled(model, found, speeds, _largest(held.gap(found, t)), moved)


def _largest(gap: Array) -> float:
    return float(np.abs(gap).max(initial=0.0))


def _given(model: CompiledModel, guess: Mapping[str, float]) -> dict[str, float]:
    """The guess over the initial values of the mechanism."""
    own = model.mechanism.initial.items()
    return {name: float(evaluate(x, model.parameters)) for name, x in own} | dict(guess)


def _start(model: CompiledModel, guess: Mapping[str, float]) -> tuple[Array, Array]:
    """The guess as arrays; quaternions start at the identity."""
    given = _given(model, guess)
    q = np.zeros(len(model.coordinates))
    for _, link in model.system.tree:
        q[link.q] = link.joint.neutral()
    for k, name in enumerate(model.coordinates):
        q[k] = given.get(name, q[k])
    v = np.array([float(given.get(name, 0.0)) for name in model.speeds])
    for name, value in zip((*model.coordinates, *model.speeds), (*q, *v), strict=True):
        if not np.isfinite(value):
            raise ModelError(
                f'initial "{name}"',
                f"its value is {value} with these parameters.",
                "Give another initial value, or other parameters.",
            )
    return _unit(model, q), v


def _unit(model: CompiledModel, q: Array) -> Array:
    """The coordinates with quaternions of unit norm."""
    for _, link in model.system.tree:
        if link.joint.turning:
            own = q[link.q]
            own[-4:] /= np.linalg.norm(own[-4:])
    return q


def _pinned_columns(model: CompiledModel, pinned: tuple[str, ...]) -> list[int]:
    """The speeds of the coordinates that must not move."""
    columns, known = [], set(model.coordinates)
    place = {name: k for k, name in enumerate(model.speeds)}
    for name in pinned:
        if name not in known:
            raise unknown("assemble", "coordinate", name, known)
        if f"{name}." not in place:
            raise ModelError("assemble", f'"{name}" is part of a quaternion: it cannot be pinned.')
        columns.append(place[f"{name}."])
    return columns


def advanced(model: CompiledModel, q: Array, step: Array) -> Array:
    """The coordinates after a small displacement given in speeds."""
    moved = q.copy()
    for _, link in model.system.tree:
        moved[link.q] = q[link.q] + link.joint.rates(q[link.q], step[link.v])
    return _unit(model, moved)


def _near(held: Held, q: Array, fixed: list[int], t: float) -> Array:
    """Closed from the guess, or from guesses around it where Newton's method gets no hold.

    A guess at which a constraint has no slope, or two of them the same, is such.
    """
    try:
        return closed(held, q.copy(), fixed, t)
    except SolveError as error:
        rng, failed = np.random.default_rng(0), error
    for spread in _SPREADS:
        step = spread * rng.normal(size=len(held.model.speeds))
        step[fixed] = 0.0
        try:
            return closed(held, advanced(held.model, q, step), fixed, t)
        except SolveError:
            continue
    raise failed


def _on_branch(
    held: Held, branch: Branch, found: Array, q: Array, fixed: list[int], t: float
) -> Array:
    """What was found, or an assembly nearer to where closing joints are given, if there is one."""
    rng, off = np.random.default_rng(0), branch.off(found)
    for _ in range(_GUESSES):
        if off < _SAME:
            break
        step = rng.uniform(-np.pi, np.pi, len(held.model.speeds))
        step[fixed] = 0.0
        try:
            other = closed(held, advanced(held.model, q, step), fixed, t)
        except SolveError:
            continue
        distance = branch.off(other)
        if distance < off:
            found, off = other, distance
    return found


def closed(held: Held, q: Array, fixed: list[int], t: float) -> Array:
    """Newton's method with the smallest change at each step."""
    model, gap = held.model, held.gap(q, t)
    for _ in range(_STEPS):
        size = np.linalg.norm(gap)
        if _largest(gap) < CLOSED:
            return q
        J = np.array(held.J(q, t))[held.positions]
        J[:, fixed] = 0.0
        step = -np.linalg.lstsq(J, gap, rcond=1e-9)[0]
        step *= min(1.0, 0.5 / max(np.abs(step).max(initial=0.0), 1e-300))
        for halving in range(_HALVINGS):
            trial = advanced(model, q, step / 2**halving)
            trial_gap = held.gap(trial, t)
            if np.linalg.norm(trial_gap) < size:
                break
        else:
            break
        q, gap = trial, trial_gap
    if _largest(gap) < 1e3 * CLOSED:
        return q
    raise _open(held, gap)


def _open(held: Held, gap: Array) -> SolveError:
    """What stays open, and by how much."""
    name, size = held.worst(gap)
    if name in held.model.mechanism.joints:
        place, problem = f'joint "{name}"', "the loop it closes stays open"
    else:
        place, problem = f'constraint "{name}"', "it cannot be held: it stays off"
    return SolveError(
        place,
        f"{problem} by {size:.3g} (m or rad).",
        "Are the lengths long enough to reach? Give a closer guess, or pin fewer coordinates.",
    )


def _speeds(held: Held, q: Array, v: Array, choices: Sequence[list[int]], t: float) -> Array:
    """Consistent speeds, of which the first choice that is possible keeps its value."""
    for kept in choices[:-1]:
        try:
            return _consistent_speeds(held, q, v, kept, t)
        except SolveError:
            continue
    return _consistent_speeds(held, q, v, choices[-1], t)


def _consistent_speeds(held: Held, q: Array, v: Array, fixed: list[int], t: float) -> Array:
    """The nearest speeds that the constraints allow; pinned coordinates keep theirs."""
    if not held:
        return v
    J, b = np.array(held.J(q, t)), held.rate(q, t)
    free = [k for k in range(len(v)) if k not in fixed]
    change = np.linalg.lstsq(J[:, free], -(J @ v + b), rcond=1e-9)[0]
    found = v.copy()
    found[free] += change
    left = _largest(J @ found + b)
    if left > 1e-9 * (1 + np.abs(v).max(initial=0.0) + np.abs(b).max(initial=0.0)):
        raise SolveError(
            "assemble",
            f"the pinned speeds cannot be kept: loops would open at {left:.3g} m/s or rad/s.",
            "Pin fewer coordinates.",
        )
    return found
