"""The motion of a mechanism in absolute coordinates, six a body."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, final

import numpy as np

from torseur.algebra.core.expr import symbol
from torseur.errors import SolveError, require_known
from torseur.machine.absolute import body_tables as at
from torseur.machine.absolute.absolute_model import AbsoluteModel
from torseur.machine.compiled import CompiledModel
from torseur.machine.integrators.codes import Code
from torseur.machine.integrators.drive import require_available
from torseur.machine.integrators.methods import Method
from torseur.machine.integrators.outcome import Outcome
from torseur.machine.integrators.problem import Problem
from torseur.machine.sizes import EPSILON
from torseur.machine.tree.evaluator import LARGE
from torseur.model.constraints.relation import CoordinateMotion, Relation
from torseur.model.constraints.selection import imposed_coordinates
from torseur.model.description import Mechanism
from torseur.model.values.scales import coordinate_units
from torseur.once import once
from torseur.simulation.constraints.displacement import named_state
from torseur.simulation.constraints.newton import look_by_kernel, returned
from torseur.simulation.constraints.numeric_constraints import CLOSED, NumericConstraints
from torseur.simulation.formulations.joint_start import absolute_sizes
from torseur.simulation.formulations.protocol import (
    FAILURES,
    MotionStates,
    immobility_notice,
    motion_of,
    problem_of,
    run_integrator,
    smoothed_friction,
    start_change_notice,
)
from torseur.simulation.formulations.request import Beginning, Request
from torseur.simulation.formulations.stiffness import Lasting
from torseur.simulation.formulations.trouble import undefined
from torseur.simulation.run.absolute_samples import AbsoluteSamples
from torseur.simulation.run.placed_bodies import placed
from torseur.simulation.run.poses import Poses
from torseur.simulation.run.samples import Samples
from torseur.simulation.start.assemble import Changes, assemble, given_values, more_than_rounding
from torseur.simulation.start.independent import require_no_fork
from torseur.simulation.start.loop_closing import pins
from torseur.simulation.start.parting import parted
from torseur.topology.structure import structure
from torseur.words.sentence import say

Array = np.ndarray


@final
class AbsoluteFormulation:
    """Positions, attitudes and velocities of all bodies, their multipliers solved for."""

    def __init__(
        self, model: CompiledModel, beginning: Beginning, stepping: Method, reason: str = ""
    ) -> None:
        name = model.mechanism.name
        needed = say('absolute coordinates need machine code for "{mechanism}".', name)
        require_available("simulate", needed)
        self._model, self._bodies = model, absolute_model(model)
        self.start, notices = placed_at_first(model, self._bodies, beginning)
        self.stepping = stepping
        why = [say("Absolute coordinates were used: {reason}.", reason)] if reason else []
        self.notices = (*why, *smoothed_friction(model.mechanism), *notices)
        self._closed = _closed_within(self._bodies, self.start)

    def move(self, state: Array, request: Request) -> MotionStates:
        """The motion by an integrator that calls one kernel for all mechanisms."""
        bodies, lasting = self._bodies, Lasting(self.stepping, len(state))
        duration = float(request.times[-1] - request.times[0])
        repeating = bodies.choose_rows(state, float(request.times[0]))
        bodies.repeats = repeating > 0
        rate = bodies.entry(at.RATE).value(state, float(request.times[0]), len(state))
        sizes = absolute_sizes(bodies, state, rate, duration)
        equations = problem(bodies, request.watches).with_sizes(sizes)
        outcome = run_integrator(
            equations,
            state,
            request,
            self.stepping,
            self._failed,
            closed=self._closed,
            judge=lasting,
        )
        rows = sum(len(one.owners) for one in bodies.graph.sets)
        still = immobility_notice(self._model, 6 * len(bodies.graph.bodies) - rows + repeating)
        remarks = (*still, *lasting.notices, *_notices(bodies, outcome))
        notices = list(remarks) if request.watches else []
        return motion_of(outcome, request.times, list(bodies.mechanism.events), notices, self._read)

    def samples(self, t: Array, states: Array, whole: Samples | None) -> Samples:
        """Samples of joints, points and forces."""
        return AbsoluteSamples(self._model, Poses(self._bodies, t, states, self.start))

    def _failed(self, outcome: Outcome) -> SolveError:
        """The error of a motion that could not go on: a force that is not a number, if few act."""
        model, n, error = self._model, len(self._model.coordinates), None
        if outcome.code == Code.NOT_FINITE and len(model.speeds) <= LARGE:
            state = self._read(outcome.time, outcome.state)
            q, v = state[:n], state[n : n + len(model.speeds)]
            error = undefined(model, outcome.time, q, v, FAILURES[outcome.code])
        return error or _failed(self._bodies, outcome)

    def _read(self, t: float, state: Array) -> Array:
        """Coordinates, speeds and work."""
        one = self.samples(np.array([t]), state[np.newaxis], None)
        return np.concatenate([one.q[0], one.v[0], one.work])


def placed_at_first(
    model: CompiledModel, bodies: AbsoluteModel, beginning: Beginning
) -> tuple[Array, tuple[str, ...]]:
    """The first state and notices about it; small mechanisms are assembled by their joints."""
    if len(model.mechanism.every_speed) > LARGE:
        state, changed = assembled(bodies, beginning.given, beginning.t)
        return state, tuple(start_change_notice(changed))
    start, directed = parted(assemble(model, beginning.given, t=beginning.t), beginning.t)
    require_no_fork(once(NumericConstraints)(model), start.q, beginning.t)
    state = placed(bodies, start.q, start.v, beginning.given)
    return state, (*start_change_notice(start.changed), *directed)


def absolute_model(model: CompiledModel) -> AbsoluteModel:
    """The mechanism at the parameters of a model; every one must have a value."""
    model.require_values(model.parameters)
    return AbsoluteModel(model.mechanism, model.parameters)


def _closed_within(model: AbsoluteModel, y: Array) -> float:
    """The norm of the openings of a mechanism that is closed: that of rounding its positions."""
    bodies = y[: at.STATE * len(model.graph.bodies)].reshape(-1, at.STATE)
    size = 1.0 + np.abs(bodies[:, :3]).max(initial=0.0) / model.scales.length
    rows = sum(len(one.owners) for one in model.graph.sets)
    return float(max(CLOSED, np.finfo(float).eps * size * np.sqrt(rows)))


def problem(bodies: AbsoluteModel, watches: bool = True) -> Problem:
    """Problem for an integrator: rate, projections and events."""
    entries = {"rate": bodies.entry(at.RATE), "project_speeds": bodies.entry(at.CALM)}
    if bodies.graph.sets:
        entries["project_positions"] = bodies.entry(at.CLOSE)
        entries["prepare"] = bodies.entry(at.CHOOSE)
    if bodies.mechanism.events:
        entries["events"] = bodies.entry(at.WATCH)
    return problem_of(entries, bodies.mechanism, watches)


# --- errors and notices -------------------------------------------------------------------------


def _failed(bodies: AbsoluteModel, outcome: Outcome) -> SolveError:
    """Where a motion ended, and what was furthest from closed there."""
    place, reason = f"t = {outcome.time:.6g} s", say("{failures}.", FAILURES[outcome.code])
    bodies.report(outcome.state, outcome.time)
    if bodies.loose:
        return SolveError(
            place,
            reason,
            say('No inertia resists a motion of "{loose}".', bodies.loose[0]),
            "Give it a mass and moments of inertia, or hold that motion.",
        )
    advice = "A dead point, a very stiff spring or a collision of two lengths can cause this."
    if not bodies.graph.sets:
        return SolveError(place, reason, advice)
    _, gaps = bodies.project(at.CLOSE, outcome.state, outcome.time)
    name, size = bodies.worst(gaps)
    return SolveError(
        place, reason, say('"{name}" is off by {size:.3g} (m or rad).', name, size), advice
    )


def _notices(bodies: AbsoluteModel, outcome: Outcome) -> list[str]:
    """Notices about the end of a motion."""
    notices = []
    bodies.report(outcome.state, outcome.time)
    extra = bodies.left_out
    if extra and bodies.mechanism.reactions != "least_norm":
        notices.append(
            say(
                "Over-constrained, at least {extra} times: some reactions are not unique. "
                "Redundant rows have no multiplier. `reactions: least_norm` accepts this.",
                extra,
            )
        )
    notices += [
        say('No inertia resists a motion of "{name}": in it the body keeps its speed.', name)
        for name in bodies.loose
    ]
    return notices


# --- assembly -------------------------------------------------------------------------------------


def assembled(
    model: AbsoluteModel, initial: Mapping[str, float], t: float
) -> tuple[Array, Changes]:
    """The state nearest to what is given at a time, and the given values that had to move.

    All that is given is kept if loops close so, else what `initial` gives, its first, or nothing;
    coordinates first, then speeds, those of all joints alike.
    """
    known = {*model.mechanism.every_coordinate, *model.mechanism.every_speed}
    require_known("simulate", "coordinate", initial, known)
    given = given_values(model.mechanism, model.values, initial)
    tree_structure = structure(_carried_by_given(model.numbers, given))
    q, v = named_state(
        tree_structure.tree, tree_structure.coordinates, tree_structure.speeds, given
    )
    start = placed(model, q, v, given, tree_structure)
    if not model.graph.sets:
        return start, {}
    # positions, then speeds; given coordinates rest unless their speeds are given
    choices: tuple[tuple[str, ...], ...] = tuple(given), tuple(initial), tuple(initial)[:1], ()
    state = _first(_closed, [_pinned(model, names, given) for names in choices], start, t)
    speeds = {n: x for n, x in given.items() if n in model.mechanism.every_speed}
    resting = (
        speed for n, pin in pins(model.mechanism).items() if n in given for speed in pin.speeds
    )
    choices = (
        tuple(dict.fromkeys((*speeds, *resting))),
        *(tuple(n for n in names if n in speeds) for names in choices),
    )
    state = _first(_calmed, [_moving(model, names, speeds) for names in choices], state, t)
    return state, _changes(model, state, given)


def _carried_by_given(mechanism: Mechanism, given: Mapping[str, float]) -> Mechanism:
    """The mechanism with bodies carried, where they can be, by joints with given coordinates."""
    joints = mechanism.joints.values()
    named = tuple(joint.name for joint in joints if given.keys() & set(joint.coordinates))
    return replace(mechanism, carried_by=named) if named else mechanism


def _first(
    hold: Callable[[AbsoluteModel, Array, float], Array],
    models: Sequence[Callable[[], AbsoluteModel]],
    y: Array,
    t: float,
) -> Array:
    """The state held by the first of the models that can hold it."""
    *others, last = models
    for candidate in others:
        with suppress(SolveError):
            return hold(candidate(), y, t)
    return hold(last(), y, t)


def _pinned(
    model: AbsoluteModel, names: Iterable[str], given: Mapping[str, float]
) -> Callable[[], AbsoluteModel]:
    """The model with the named coordinates held at their values."""
    mechanism = model.mechanism
    driven = {m.coordinate for m in imposed_coordinates(mechanism).values()}
    known = pins(mechanism)
    usable = [n for n in names if n in known and n not in driven and not known[n].is_attitude]
    laws = {f"pin of {n}": n for n in usable}
    motions = {name: CoordinateMotion(name, n, symbol(name)) for name, n in laws.items()}
    values = {name: given[n] for name, n in laws.items()}
    return lambda: _with(model, values, motions={**mechanism.motions, **motions})


def _moving(
    model: AbsoluteModel, names: Iterable[str], given: Mapping[str, float]
) -> Callable[[], AbsoluteModel]:
    """The model with the named speeds held at their values, or at zero."""
    mechanism = model.mechanism
    driven = {f"{m.coordinate}." for m in imposed_coordinates(mechanism).values()}
    laws = {f"pin of {n}": n for n in names if n not in driven}
    relations = {
        name: Relation(name, symbol(n, "speed") - symbol(name)) for name, n in laws.items()
    }
    values = {name: given.get(n, 0.0) for name, n in laws.items()}
    return lambda: _with(model, values, constraints={**mechanism.constraints, **relations})


def _with(model: AbsoluteModel, values: Mapping[str, float], **pins: Any) -> AbsoluteModel:
    if not values:
        return model
    return AbsoluteModel(replace(model.mechanism, events={}, **pins), {**model.values, **values})


def _closed(model: AbsoluteModel, y: Array, t: float) -> Array:
    """Newton's method with the smallest change, in the mass metric, at each step."""
    rounding = _rounding(model, y)
    length, bodies = model.scales.length, len(model.graph.bodies)
    sizes = np.ones(model.size)
    sizes[: at.STATE * bodies].reshape(-1, at.STATE)[:, at.POSITION : at.ATTITUDE] = length

    def project(state: Array) -> tuple[Array, Array]:
        displaced, gaps = model.project(at.CLOSE, state, t)
        return displaced, model.opening(gaps)

    look = look_by_kernel(project, sizes)
    result = returned(look, y, lambda _, factor: factor * CLOSED + rounding)
    if not result.is_closed:
        name, gap = model.worst(model.project(at.CLOSE, result.q, t)[1])
        raise SolveError(
            f'"{name}"',
            say("it stays open by {gap:.3g} (m or rad).", gap),
            "Are the lengths long enough to reach? Give a closer guess.",
        )
    return result.q


def _calmed(model: AbsoluteModel, y: Array, t: float) -> Array:
    """Speeds that keep loops closed, by the smallest change in the mass metric."""
    length, bodies = model.scales.length, len(model.graph.bodies)
    calmed, _ = model.project(at.CALM, y, t)
    _, left = model.project(at.CALM, calmed, t)
    moving = np.abs(calmed[: at.STATE * bodies].reshape(-1, at.STATE))
    fast = moving[:, at.VELOCITY : at.SPIN].max() / length + moving[:, at.SPIN :].max()
    if not np.abs(model.opening(left)).max() < 1e-9 * (1 / model.scales.time + fast):
        name, rate = model.worst(left)
        raise SolveError(
            f'"{name}"',
            say("the given speeds cannot be kept: it would open at {rate:.3g} m/s or rad/s.", rate),
            "Give fewer speeds.",
        )
    return calmed


def _rounding(model: AbsoluteModel, y: Array) -> float:
    """Gap that the rounding of followed coordinates may open."""
    units = coordinate_units(model.mechanism)
    sizes = model.scales.of(units[measure.name] for measure in model.followers)
    followed = y[at.STATE * len(model.graph.bodies) : -1]
    return 8 * EPSILON * float(np.abs(followed / sizes).max(initial=0.0))


def _changes(model: AbsoluteModel, state: Array, given: Mapping[str, float]) -> Changes:
    """The given coordinates and speeds that moved: as given, as taken."""
    then = Poses(model, np.zeros(1), state[np.newaxis])
    by_name: dict[str, float] = {}
    for joint in model.mechanism.joints.values():
        names, values = (*joint.coordinates, *joint.speeds), []
        if any(name in given for name in names):
            values = [*then.coordinates(joint), *then.speeds(joint)]
            by_name |= {n: float(x[0]) for n, x in zip(names, values, strict=True) if n in given}
    changes = {name: (given[name], value) for name, value in by_name.items()}
    return more_than_rounding(model.mechanism, model.scales, changes)
