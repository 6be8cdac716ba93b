"""The motion of a mechanism in absolute coordinates, six a body."""

from __future__ import annotations

from typing import final

import numpy as np

from torseur.errors import SolveError
from torseur.machine.absolute import body_tables as at
from torseur.machine.absolute.absolute_model import AbsoluteModel
from torseur.machine.compiled import CompiledModel
from torseur.machine.integrators.codes import Code
from torseur.machine.integrators.drive import require_available
from torseur.machine.integrators.methods import Method
from torseur.machine.integrators.outcome import Outcome
from torseur.machine.integrators.problem import Problem
from torseur.machine.tree.evaluator import LARGE
from torseur.simulation.constraints.numeric_constraints import CLOSED, NumericConstraints
from torseur.simulation.formulations.protocol import (
    FAILURES,
    Moved,
    carried,
    held_still,
    integrated,
    moved_before,
    problem_of,
    smoothed_friction,
)
from torseur.simulation.formulations.request import Beginning, Request
from torseur.simulation.formulations.state_sizes import absolute_sizes
from torseur.simulation.formulations.stiffness import Lasting
from torseur.simulation.formulations.trouble import undefined
from torseur.simulation.run.absolute_samples import AbsoluteSamples
from torseur.simulation.run.placed_bodies import placed
from torseur.simulation.run.poses import Poses
from torseur.simulation.run.samples import Samples
from torseur.simulation.start.absolute_assembly import assembled
from torseur.simulation.start.assemble import assemble
from torseur.simulation.start.fork import require_no_fork
from torseur.simulation.start.parting import parted
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
        self._closed = _closed(self._bodies, self.start)

    def move(self, state: Array, request: Request) -> Moved:
        """The motion by an integrator that calls one kernel for all mechanisms."""
        bodies, lasting = self._bodies, Lasting(self.stepping, len(state))
        duration = float(request.times[-1] - request.times[0])
        repeating = bodies.choose_rows(state, float(request.times[0]))
        bodies.repeats = repeating > 0
        rate = bodies.entry(at.RATE).value(state, float(request.times[0]), len(state))
        sizes = absolute_sizes(bodies, state, rate, duration)
        equations = problem(bodies, request.watches).with_sizes(sizes)
        outcome = carried(
            equations,
            state,
            request,
            self.stepping,
            self._failed,
            closed=self._closed,
            judge=lasting,
        )
        rows = sum(len(one.owners) for one in bodies.graph.sets)
        still = held_still(self._model, 6 * len(bodies.graph.bodies) - rows + repeating)
        remarks = (*still, *lasting.notices, *_notices(bodies, outcome))
        notices = list(remarks) if request.watches else []
        return integrated(
            outcome, request.times, list(bodies.mechanism.events), notices, self._read
        )

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
        return state, tuple(moved_before(changed))
    start, directed = parted(assemble(model, beginning.given, t=beginning.t), beginning.t)
    require_no_fork(NumericConstraints(model), start.q, beginning.t)
    state = placed(bodies, start.q, start.v, beginning.given)
    return state, (*moved_before(start.changed), *directed)


def absolute_model(model: CompiledModel) -> AbsoluteModel:
    """The mechanism at the parameters of a model; every one must have a value."""
    model.require_values(model.parameters)
    return AbsoluteModel(model.mechanism, model.parameters)


def _closed(model: AbsoluteModel, y: Array) -> float:
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
                "Over-constrained, at least {extra} times: some reactions are not unique. Rows "
                "that say nothing new have no multiplier. `reactions: least_norm` accepts this.",
                extra,
            )
        )
    notices += [
        say('No inertia resists a motion of "{name}": in it the body keeps its speed.', name)
        for name in bodies.loose
    ]
    return notices
