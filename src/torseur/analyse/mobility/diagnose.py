"""Diagnosis of an assembled mechanism: errors, notices and singular configurations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import final

import numpy as np

from torseur.algebra.core.graph import evaluate
from torseur.analyse.at_a_state.pose import Posed, assembled, initial_value, posed, ranks, seen_from
from torseur.analyse.mobility.balance import Balance, balance, redundancy
from torseur.analyse.mobility.internal import internal_motions
from torseur.analyse.mobility.mobility import Mobility, mobility, without_numbers
from torseur.equations.formalisms.derive import derive
from torseur.equations.motion.diagnosis import inertia_notices
from torseur.errors import ModelError, SolveError
from torseur.model.checks.plausibility import remarks
from torseur.model.constraints.protocol import Constraint, ExpressionRow, JointRows
from torseur.model.constraints.selection import imposed_coordinates
from torseur.model.description import Mechanism
from torseur.model.forces.protocol import joints_of
from torseur.model.values.numbers import place_of
from torseur.model.values.scales import speed_units
from torseur.notices import noticed
from torseur.result import Result
from torseur.simulation.start.assemble import Assembled
from torseur.simulation.start.numeric_tree import NumericTree
from torseur.simulation.start.parting import empty_lines
from torseur.spatial.in_words import listed
from torseur.words.sentence import say, worded

Array = np.ndarray
# Values typed with three figures are moved by less than this when loops close [rad, or of size].
_MOVED = 1e-3
_ROUNDING = 1e-12  # of a coordinate that stays as it is given
_MASSLESS = 1e-11  # relative: rounding of a mass matrix, far below any real inertia


@final
class Diagnosis(Result):
    """Errors that prevent a computation, notices, and assumptions."""

    mechanism: Mechanism
    faults: tuple[ModelError | SolveError, ...]
    notices: tuple[str, ...]
    assumed: tuple[str, ...]
    balance: Balance | None
    mobility: Mobility | None

    def __str__(self) -> str:
        lines = [say("fault: {fault}", fault) for fault in self.faults]
        lines += noticed(self.notices)
        lines += [say("assumed: {text}", worded(text)) for text in self.assumed]
        return "\n".join(lines) or say("No error found, no assumption made.")


def diagnose(mechanism: Mechanism) -> Diagnosis:
    """Errors of a mechanism that appear when it is assembled, and its notices."""
    faults: list[ModelError | SolveError] = []
    notices: list[str] = []
    counted = result = None
    try:
        counted = balance(mechanism)
        if without_numbers(mechanism):
            notices += inertia_notices(derive(mechanism))
            result = mobility(mechanism)
        else:
            _check_motions(mechanism)
            pose = assembled(mechanism)
            result = mobility(mechanism)
            notices += _of_pose(pose, result)
    except (ModelError, SolveError) as error:
        faults.append(error)
    doubtful = [text for text in mechanism.notices if text in remarks(mechanism)]
    assumed = tuple(text for text in mechanism.notices if text not in doubtful)
    return Diagnosis(mechanism, tuple(faults), (*doubtful, *notices), assumed, counted, result)


def _check_motions(mechanism: Mechanism) -> None:
    """Imposed motions must be as many as the mechanism has, and different ones."""
    if not mechanism.motions:
        return
    pose = posed(assembled(replace(mechanism, motions={})))
    rows = {name: _moved_by(pose, motion) for name, motion in mechanism.motions.items()}
    imposed = np.concatenate(list(rows.values())) @ pose.ranks.kernel
    rank, m = ranks(imposed, 1e-7).rank, pose.ranks.kernel.shape[1]
    if rank < len(imposed):
        name = list(rows)[-1]
        raise ModelError(
            place_of(mechanism.motions[name], "motion"),
            say(
                "{listed} impose {number} conditions on a mechanism that has m = {m}, of which "
                "{rank} can be imposed.",
                listed(list(rows)),
                len(imposed),
                m,
                rank,
            ),
            "Take motions away: the others follow.",
        )


def _moved_by(pose: Posed, motion: Constraint) -> Array:
    """(k, n): the speeds that a motion imposes, lengths in units of the size."""
    rows = motion.rows
    if isinstance(rows, ExpressionRow):
        return pose.rates[rows.coordinate][np.newaxis] / pose.unit(rows.coordinate)
    assert isinstance(rows, JointRows), "a body is moved as by a joint"
    X_BM = rows.X_BM.numeric(lambda x: float(evaluate(x, pose.held.model.parameters)))
    twist = seen_from(pose.pose_of(rows.second) @ X_BM, pose.twists[rows.second])
    directions = np.asarray(rows.kind.reactions_at(np.eye(3), np.zeros(3)), dtype=float)
    return np.asarray(directions.T @ (twist / np.repeat([1.0, pose.size], 3)[:, np.newaxis]))


def _of_pose(assembled: Assembled, degree: Mobility) -> Iterator[str]:
    pose = posed(assembled)
    yield from _initial_values(pose)
    yield from _initial_speeds(assembled)
    yield from _ends(assembled)
    yield from _inertia(assembled, pose)
    special = singularities(assembled)
    h = degree.overconstraint
    if degree.degree == 0 and pose.mechanism.bodies:
        twice = say("; {h} of its constraints are redundant", h) if h else ""
        yield say(
            "it cannot move (m = 0): {listed} make a rigid structure{twice}. Take a joint "
            "away, or free directions of its joints.",
            listed([*pose.mechanism.bodies, say("the ground")]),
            twice,
        )
    elif h and special.leaves and not pose.mechanism.reactions:
        yield str(redundancy(assembled))
    yield from special.special
    acting = _acting(pose.mechanism)
    yield from (text for name, text in special.dead.items() if name in acting)


def _acting(mechanism: Mechanism) -> set[str]:
    """The coordinates of the joints that something drives."""
    joints = {motor.joint for motor in mechanism.motors.values()}
    joints |= {name for force in mechanism.loads.values() for name in joints_of(force)}
    result = {name for joint in joints for name in mechanism.joints[joint].coordinates}
    return result | {motion.coordinate for motion in imposed_coordinates(mechanism).values()}


def _initial_values(pose: Posed) -> Iterator[str]:
    """Initial values that do not close the loops, with the nearest that do."""
    model = pose.held.model
    parts, is_off = [], False
    for name in model.mechanism.initial:
        if name not in pose.rates:
            continue
        given, now = initial_value(model, name), pose.coordinates[name]
        apart = abs(pose.turned(name, now - given))
        is_off, now = is_off or apart > _MOVED, given if apart < _ROUNDING else now
        parts.append(say("{name} = {now:.6g} (given {given:.6g})", name, now, given))
    if is_off:
        yield say(
            "initial: the given values do not close the loops. The nearest values that do: "
            "{told}. Correct them, or give fewer values: the others are computed.",
            ", ".join(parts),
        )


def _initial_speeds(assembled: Assembled) -> Iterator[str]:
    """Initial speeds that would open the loops, with the nearest that would not."""
    model, changed = assembled.model, assembled.changed
    names = [n for n in model.mechanism.initial if n in model.mechanism.every_speed]
    given = {name: initial_value(model, name) for name in names}
    now = {name: changed.get(name, (x, x))[1] for name, x in given.items()}
    units, usual = speed_units(model.mechanism), model.sizes.scales
    sizes = {name: usual.of([units[name]])[0] for name in given}  # no less than what is given
    if any(abs(now[name] - value) > _MOVED * sizes[name] for name, value in given.items()):
        text = ", ".join(
            say("{name} = {now:.6g} (given {given:.6g})", name, now[name], x)
            for name, x in given.items()
        )
        yield say(
            "initial: the given speeds would open the loops. The nearest speeds that do not: "
            "{told}. Correct them, or give fewer speeds: the others are computed.",
            text,
        )


def _ends(assembled: Assembled) -> Iterator[str]:
    """Forces along a line that has no length, and so no direction, at the start."""
    for line in empty_lines(NumericTree(assembled.model), assembled.q, assembled.v):
        if not line.has_direction:
            yield say(
                "{place_of}: its two ends are in the same place at the start, ({a}): its "
                "direction is not defined. Start from another configuration, or move an "
                "end.",
                place_of(line.tie, "force"),
                ", ".join(f"{x:.3g}" for x in line.point + 0.0),
            )


def _inertia(assembled: Assembled, pose: Posed) -> Iterator[str]:
    """Motions that the constraints leave and no inertia resists."""
    model = assembled.model
    if not pose.held:
        yield from inertia_notices(derive(model.mechanism))
        return
    rows = np.asarray(pose.held.J(assembled.q, 0.0), dtype=float).reshape(-1, len(assembled.v))
    lengths = model.sizes.displacements
    M = np.asarray(model.mass_matrix(assembled.q), dtype=float) * np.outer(lengths, lengths)
    free = ranks(model.sizes.without_dimension(rows)).kernel
    sizes, axes = np.linalg.eigh(free.T @ M @ free)
    for k in np.flatnonzero(sizes <= _MASSLESS * max(np.abs(M).max(), 1e-300)):
        yield say(
            "singular mass matrix: {told}, and nothing that moves has inertia. Accelerations "
            "cannot be computed. Give it a mass or a moment of inertia, or a joint that stops "
            "this motion.",
            _motion_text(pose, free @ axes[:, k]),
        )


def _motion_text(pose: Posed, motion: Array) -> str:
    """A motion in words: an internal one if it is, else the coordinates that change.

    Lengths are in units of that of the mechanism.
    """
    for part in internal_motions(pose):
        alone = np.linalg.qr(part.motions / pose.held.model.sizes.displacements[:, np.newaxis])[0]
        if np.linalg.norm(motion - alone @ (alone.T @ motion)) < 1e-6:
            return part.text
    names = [n for n, x in zip(pose.numbers.speeds, motion, strict=True) if abs(x) > 1e-6]
    return say("{listed} can change", listed([name.removesuffix(".") for name in names]))


# --- singular configurations: what a mechanism gains or loses there, compared with nearby ---------

# A rate is of order one where a coordinate moves and of the order of the step close to a dead
# point; where it vanishes only rounding is left.
_STILL = 1e-6
# A singular value that falls by this much within one step vanishes here: assembly finds a double
# root to 1e-6 only, and J is then no better.
_FALL = 1e-3


@final
class Singularity(Result):
    """A configuration compared with its neighbours."""

    degree: int  # m here
    generic: int  # m nearby; 0 when the mechanism cannot leave this configuration
    leaves: bool  # whether it can leave it
    special: tuple[str, ...]  # what is singular, in words
    dead: dict[str, str]  # coordinates that stand still here, but not nearby, in words
    blocked: tuple[str, ...]  # coordinates that stand still here and nearby

    @property
    def gained(self) -> int:
        """Number of motions that exist only at this configuration."""
        return self.degree - self.generic

    @property
    def sentences(self) -> tuple[str, ...]:
        """Sentences on singular motions and dead coordinates."""
        return (*self.special, *self.dead.values())

    def __bool__(self) -> bool:
        return bool(self.sentences)

    def __str__(self) -> str:
        return "\n".join(self.sentences) or say("The configuration is not singular.")


def singularities(mechanism: Mechanism | Assembled) -> Singularity:
    """Singularity of the assembled configuration: motions gained, coordinates that are dead.

    A coordinate can drive the mechanism where its rate is not zero in all the motions that remain,
    that is where J without its column keeps its rank. At a dead point it cannot.
    """
    pose = posed(mechanism)
    near = pose.neighbours()
    degree = _degree(pose, near)
    generic = min((len(there.numbers.speeds) - there.ranks.rank for there in near), default=0)
    dead, blocked = _standing(pose, near)
    owner = {n: joint.name for joint in pose.mechanism.joints.values() for n in joint.coordinates}
    text = {
        name: say(
            'dead point: coordinate {name} (joint "{joint}") cannot drive the mechanism here, '
            "although m = {degree}.",
            name,
            owner[name],
            degree,
        )
        for name in dead
    }
    special = _special(degree, generic, bool(near))
    return Singularity(degree, generic, bool(near), special, text, blocked)


def _degree(pose: Posed, near: list[Posed]) -> int:
    """m here, counting a singular value that vanishes but for the rounding of a double root."""
    n, sizes = len(pose.numbers.speeds), np.linalg.svd(pose.plain_J, compute_uv=False)
    degree = n - pose.ranks.rank
    for there in near:
        usual = np.linalg.svd(there.plain_J, compute_uv=False)
        falls = sizes < _FALL * usual
        degree = max(degree, n - min(len(sizes), n) + int((falls | (usual <= 1e-9)).sum()))
    return degree


def _standing(pose: Posed, near: list[Posed]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The coordinates without a rate: here only, and everywhere."""
    still = [name for name in pose.rates if _rate(pose, name) < _STILL]
    moving = {name for name in still for there in near if _rate(there, name) > 100 * _STILL}
    dead = tuple(name for name in still if name in moving)
    return dead, tuple(name for name in still if name not in moving)


def _rate(pose: Posed, name: str) -> float:
    """The largest rate of a coordinate in motions of unit size, lengths relative to the size."""
    return float(np.linalg.norm(pose.rates[name] @ pose.ranks.kernel) / pose.unit(name))


def _special(degree: int, generic: int, leaves: bool) -> tuple[str, ...]:
    if degree and not leaves:
        text = say(
            "shaky: {count} of first order only; the mechanism cannot leave this configuration.",
            _motions(degree),
        )
        return (text,)
    if degree > generic:
        text = say(
            "singular: the mechanism gains {count} here: m = {degree}, and {generic} nearby.",
            _motions(degree - generic),
            degree,
            generic,
        )
        return (text,)
    return ()


def _motions(count: int) -> str:
    return say("{count} motion", count) if count == 1 else say("{count} motions", count)
