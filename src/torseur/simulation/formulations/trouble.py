"""Why a motion could not go on: what is singular, empty or too fast at its last state."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from torseur.algebra.core.graph import evaluate
from torseur.dynamics.tree.kinematics import ground_poses
from torseur.equations.actions.applied import powers
from torseur.equations.functions.held_rows import Rows
from torseur.equations.motion.diagnosis import OTHER_COORDINATES, lost_along, lost_freedom
from torseur.equations.motion.quasi_static import is_balanced
from torseur.errors import SolveError
from torseur.machine.compiled import CompiledModel
from torseur.model.constraints.light_balance import LightBalance
from torseur.model.contact.of_forces import by_reactions
from torseur.model.description import GROUND
from torseur.model.forces.line import Damper, LineForce, Spring
from torseur.model.forces.protocol import Attachment
from torseur.model.values.numeric import numeric_mechanism
from torseur.simulation.constraints.displacement import advanced
from torseur.simulation.constraints.moving_model import light_stiffness
from torseur.simulation.constraints.numeric_constraints import NumericConstraints
from torseur.simulation.formulations.joint_start import Mover
from torseur.simulation.formulations.stiffness import fastest, neighbours
from torseur.simulation.start.independent import weakest
from torseur.topology.structure import structure
from torseur.words.sentence import say

Array = np.ndarray
_SINGULAR = 1e-4  # the smallest of the singular values beside the largest, near a singularity
_WEIGHTLESS = 1e-12  # the smallest inertia beside the largest, when it is none
_SOFT = 0.05  # of the largest entry: a stiffness that is about to vanish
_SHORT = 1e-6  # a line beside the size of the mechanism
_AHEAD = (1e-6, 1e-4, 1e-2)  # how far ahead undefined forces are looked for [s]
_FAST = 1e6  # a speed beyond which something has run away [m/s or rad/s]


@final
@dataclass(frozen=True)
class Halt:
    """Where a motion stopped."""

    moving: Mover
    t: float
    y: Array  # the last state that was accepted

    @property
    def constraints(self) -> NumericConstraints:
        """The constraints of the mechanism."""
        return self.moving.begin.constraints

    @property
    def rows(self) -> Rows:
        """The rows of J."""
        return self.moving.begin.rows

    @property
    def model(self) -> CompiledModel:
        """The mechanism."""
        return self.moving.begin.model

    @property
    def q(self) -> Array:
        """Coordinates."""
        return self.y[: len(self.model.coordinates)]

    @property
    def v(self) -> Array:
        """Speeds."""
        return self.y[len(self.model.coordinates) :][: len(self.model.speeds)]

    def coordinate(self, direction: Array) -> str:
        """The coordinate that moves most in a direction of speeds."""
        return self.model.speeds[int(np.abs(direction).argmax())].removesuffix(".")


Cause = tuple[str, str]  # what is the matter, what to do
Finder = Callable[[Halt], Iterator[Cause]]


def trouble(halt: Halt, reason: str) -> SolveError:
    """One message: when, what, the likely cause, where the mechanism was, what to do."""
    cause = next(c for finder in _FINDERS for c in finder(halt))
    return stopped(halt.model, halt.t, halt.q, reason, *cause)


def stopped(
    model: CompiledModel, t: float, q: Array, reason: str, cause: str, advice: str
) -> SolveError:
    """When, what, the cause, where the mechanism was, what to do."""
    pose = zip(model.coordinates, q, strict=True)
    where = ", ".join(f"{name} = {x:.4g}" for name, x in pose)
    return SolveError(
        f"t = {t:.6g} s",
        say("{reason}: {cause}.", reason, cause),
        say("The mechanism was at {pose}.", where),
        advice,
    )


def undefined(model: CompiledModel, t: float, q: Array, v: Array, reason: str) -> SolveError | None:
    """The error of a force that is not a number at a state, or a little ahead; None: none."""
    cause = undefined_force(model, t, q, v)
    return None if cause is None else stopped(model, t, q, reason, *cause)


def undefined_force(model: CompiledModel, t: float, q: Array, v: Array) -> Cause | None:
    """A force that is not a number at a state, or a little ahead; None where all are.

    Forces that name reactions are not looked at: these are found with the motion.
    """
    if any(map(by_reactions, model.mechanism.loads.values())):
        return None
    for later in (0.0, *_AHEAD):
        there = advanced(model, q, later * v)
        guilty = _not_numbers(model, t + later, there, v)
        if guilty:
            where = say("a little ahead") if later else say("here")
            return _infinite(say('force "{guilty}" is', guilty[0]), where)
    return None


def _not_numbers(model: CompiledModel, t: float, q: Array, v: Array) -> list[str]:
    """The forces whose powers are not numbers at a state."""
    with np.errstate(all="ignore"):
        sizes = np.array(model.timed("powers")(q, v, t))
    known = zip(powers(model.system), np.isfinite(sizes), strict=True)
    return [name for name, is_finite in known if not is_finite]


def _infinite(what: str, where: str) -> Cause:
    return (
        say("{what} infinite or undefined {where}", what, where),
        "Look for a division by zero, a root or a logarithm of something negative.",
    )


def _open_loop(halt: Halt) -> Iterator[Cause]:
    if np.abs(halt.constraints.opening(halt.q, halt.t)).max(initial=0.0) > 1e-6:
        name, size = halt.constraints.worst(halt.constraints.gap(halt.q, halt.t))
        yield (
            say('"{name}" stays off by {size:.3g} (m or rad)', name, size),
            "Is the imposed motion possible? Is a length too short to close the loop?",
        )


def _empty_line(halt: Halt) -> Iterator[Cause]:
    """A spring whose ends are at one point has no direction."""
    model = halt.model
    ties = [x for x in model.mechanism.loads.values() if isinstance(x, Spring | Damper | LineForce)]
    if not ties:
        return
    tree = structure(numeric_mechanism(model.mechanism, model.parameters)).tree
    placed = ground_poses(tree, halt.q)
    index = {link.name: i for i, link in tree}

    def at(end: Attachment) -> Array:
        local = np.asarray(evaluate(end.point, model.parameters), dtype=float)
        i = index.get(end.body, -1)
        return local if end.body == GROUND else placed[i].point(tree.links[i].X_MB.point(local))

    size = max((float(np.abs(X.p).max()) for X in placed), default=0.0)
    usual = model.sizes.scales.length
    for tie in ties:
        first, second = map(at, tie.between)
        length = float(np.linalg.norm(second - first))
        if length <= _SHORT * max(size, float(np.abs(first).max()), 1e-3 * usual):
            yield (
                say(
                    'the ends of force "{tie}" are at one point (length {length:.1e} m): it has no '
                    "direction there",
                    tie.name,
                    length,
                ),
                "Start with its ends apart, or moving apart; or replace it by a spring along a "
                "coordinate (type law).",
            )


def _dead_point(halt: Halt) -> Iterator[Cause]:
    """Constraints that become dependent."""
    if not halt.rows.rank:
        return
    motion = weakest(halt.constraints, halt.q, halt.t, halt.rows.rank)
    if motion.share <= _SINGULAR:
        yield (
            say(
                "dead point (singular configuration): {named} no longer hold {coordinate}, the "
                "constraints are dependent within {sizes:.0e}",
                motion.names,
                halt.model.speeds[motion.speed].removesuffix("."),
                motion.share,
            ),
            "Start away from it, drive another coordinate or change a length; "
            'coordinates="absolute" may pass through it.',
        )


def _lost_freedom(halt: Halt) -> Iterator[Cause]:
    lost = lost_freedom(halt.model.mass_matrix, halt.q, halt.model.sizes.coordinates)
    if lost is not None:
        yield lost_along(lost, halt.model.speeds), OTHER_COORDINATES


def _jump(halt: Halt) -> Iterator[Cause]:
    """A balance of what has no inertia that ends: its stiffness vanishes."""
    stiffness = light_stiffness(halt.constraints, halt.q, halt.t)
    sizes = np.abs(np.linalg.eigvals(stiffness)) if stiffness.size else np.zeros(0)
    if sizes.size and sizes.min() <= _SOFT * np.abs(stiffness).max():
        balances = halt.model.mechanism.constraints.values()
        names = ", ".join(x.coordinate for x in balances if isinstance(x, LightBalance))
        yield (
            say("the balance of what has no inertia ({names}) ends: it would jump", names),
            "Give the body it moves a small mass, or a damper that acts on it.",
        )


def _without_inertia(halt: Halt) -> Iterator[Cause]:
    """A motion that no mass resists: one that the constraints allow, or else any."""
    lengths = halt.model.sizes.displacements
    M = np.array(halt.model.mass_matrix(halt.q)) * np.outer(lengths, lengths)
    unrestrained = np.eye(len(M))
    if halt.constraints:
        J = halt.constraints.scaled_J(halt.q, halt.t)
        allowed = np.linalg.svd(J)[2][halt.rows.rank :].T
    else:
        allowed = unrestrained
    given = "Give the body it moves a mass, or a moment of inertia about its axis."
    if is_balanced(halt.model.mechanism):
        allowed = unrestrained
    for motions, advice in (
        (allowed, given),
        (unrestrained, "A mass that is zero is allowed if the description itself says zero."),
    ):
        sizes, shapes = np.linalg.eigh(motions.T @ M @ motions)
        if sizes.size and sizes[0] <= _WEIGHTLESS * sizes[-1]:
            name = halt.coordinate(motions @ shapes[:, 0])
            yield (
                say("coordinate {moved} carries no inertia ({sizes:.1e} kg m²)", name, sizes[0]),
                advice,
            )


def _run_away(halt: Halt) -> Iterator[Cause]:
    if halt.v.size and np.abs(halt.v).max() > _FAST:
        k = int(np.abs(halt.v).argmax())
        yield (
            say(
                "{coordinate} runs away, at {v:.1e} (m/s or rad/s)",
                halt.coordinate(halt.v),
                halt.v[k],
            ),
            "Look for a force that grows with the displacement it causes, or for a missing sign.",
        )


def _around(halt: Halt) -> Iterator[tuple[str, Array]]:
    """The state, then others in which one coordinate or speed is moved, with words for where."""
    yield say("here"), halt.y
    names = (*halt.model.coordinates, *halt.model.speeds)
    for name, pair in zip(names, neighbours(halt.model, halt.y), strict=True):
        yield from ((say("beside this {name}", name), y) for y in pair)
    rate = np.array(halt.moving.rate(halt.t, halt.y))
    for later in _AHEAD:
        for k, name in enumerate(names):
            y = halt.y.copy()
            y[k] += later * rate[k]
            yield say("a little beyond this {name}", name), y


def _undefined(halt: Halt) -> Iterator[Cause]:
    """A force that is not a number at the state, beside it or a little ahead."""
    for where, y in _around(halt):
        if np.all(np.isfinite(halt.moving.rate(halt.t, y))):
            continue
        there = replace(halt, y=y)
        guilty = _not_numbers(halt.model, halt.t, there.q, there.v)
        what = say('force "{guilty}" is', guilty[0]) if guilty else say("the accelerations are")
        yield _infinite(what, where)


def _too_fast(halt: Halt) -> Iterator[Cause]:
    """The fastest motion, where there is no other cause."""
    motion = fastest(halt.moving, halt.t, halt.y)
    yield (
        say("the fastest motion has {found}", motion),
        "Is a force discontinuous there? A stiff spring needs method radau or auto, or a larger "
        "rtol.",
    )


_FINDERS: tuple[Finder, ...] = (
    _open_loop,
    _empty_line,
    _dead_point,
    _lost_freedom,
    _jump,
    _without_inertia,
    _run_away,
    _undefined,
    _too_fast,
)
