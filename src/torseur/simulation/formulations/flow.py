"""The motion of a flow: a typed Lagrangian, canonical equations, quasi-velocities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, final

import numpy as np

from torseur.algebra.calculus.derivative import jacobian
from torseur.algebra.core.expr import TIME, ZERO, Expr, expression
from torseur.algebra.core.graph import evaluate, expressions, free_symbols, substitute
from torseur.equations.functions.flow import (
    Flow,
    Source,
    flow,
    flow_kernels,
    initial_values,
)
from torseur.errors import ModelError, SolveError, require_known, without_value
from torseur.machine.evaluator import kernel_code
from torseur.machine.integrators.codes import Code
from torseur.machine.integrators.drive import integrate as drive
from torseur.machine.integrators.methods import Dop853
from torseur.machine.integrators.problem import Events, entry
from torseur.machine.native import compiled_function
from torseur.machine.runtime.bitcode import available
from torseur.model.parameters import values
from torseur.simulation.constraints.newton import kept_by_kernels
from torseur.simulation.constraints.numeric_constraints import CLOSED
from torseur.simulation.formulations.numeric import by_scipy
from torseur.simulation.formulations.protocol import (
    FAILURES,
    MotionStates,
    problem_of,
    start_change_notice,
)
from torseur.simulation.formulations.request import Beginning, Request, Settings
from torseur.simulation.formulations.sampling import (
    Sampling,
    Schedule,
    rate_for,
    sample_motion,
    schedule_of,
    slopes,
)
from torseur.simulation.formulations.shorthands import settings_of
from torseur.simulation.run.flow_run import FlowRun, FlowSamples, stored_samples
from torseur.simulation.start.assemble import Changes
from torseur.words.sentence import say

Array = np.ndarray
_ROUNDING = 1e-9  # of the largest value of a state


def check_method(
    settings: Settings, step: float | None, coordinates: str, is_controlled: bool
) -> None:
    """Refuse what is for mechanisms only."""
    if is_controlled:
        problem = "control in the loop is for mechanisms."
        raise ModelError("simulate", problem, "Equations have their forces in them.")
    if not isinstance(settings.method, Dop853) or step is not None:
        raise ModelError(
            "simulate",
            say('method "{method}" and step {step} are for mechanisms.', settings.name, step),
            "Equations are integrated by DOP853, to the tolerance rtol.",
        )
    if coordinates not in ("auto", "joint"):
        raise ModelError(
            "simulate",
            say('coordinates "{coordinates}" are for mechanisms.', coordinates),
            "Equations are integrated in the coordinates they are written in.",
        )


def integrate(
    source: Source,
    duration: float | None = None,
    *,
    rate: float | None = None,
    at: Sequence[float] | Array | None = None,
    start: float = 0.0,
    initial: Mapping[str, float] | None = None,
    parameters: Mapping[str, float] | None = None,
    rtol: float = 1e-9,
    atol: float | None = None,
    max_step: float | None = None,
) -> FlowRun:
    """The motion of equations, a Lagrangian, a Hamiltonian or a Routhian over `duration` seconds.

    The state is (q, v), or (q, p) for a Hamiltonian; what `initial` does not give is what the
    description gives, or zero, moved onto the constraints. Momenta and quasi-velocities that are
    not given are those of the speeds. Integrated by DOP853; `rate`, `at`,
    `start`, `rtol`, `atol` and `max_step` are those of `simulate`.
    """
    schedule = schedule_of(duration, Sampling(rate, at), start)
    beginning = Beginning(dict(initial or {}), start)
    settings = settings_of("dop853", rtol=rtol, atol=atol, max_step=max_step)
    return flow_run(source, beginning, parameters, settings, schedule)


def flow_run(
    source: Source,
    beginning: Beginning,
    parameters: Mapping[str, float] | None,
    settings: Settings,
    schedule: Schedule,
) -> FlowRun:
    """The run of equations from values by name."""
    equations = flow(source)
    require_known(
        "integrate", "entry of the state", beginning.given, (*equations.names, *equations.speeds)
    )
    _check_given_once(equations, beginning.given)
    known = _numbers(equations, parameters)
    moving = FlowFormulation(equations, known, beginning, settings)
    result = sample_motion(moving, schedule, moving.smooth_rate)
    return FlowRun(source, equations, known, result.course, result.samples, result.notices)


def _check_given_once(flow: Flow, given: Mapping[str, float]) -> None:
    """Speeds and what stands in their places are not both given."""
    speeds = [name for name in given if name in flow.speeds]
    instead = [x.name for x in flow.state if x.kind != "coordinate" and x.name in given]
    if speeds and instead:
        raise ModelError(
            "integrate",
            say('"{name}" and "{other}" are both given.', speeds[0], instead[0]),
            say("One follows from the other: give speeds, or {names}.", ", ".join(instead)),
        )


def _numbers(flow: Flow, parameters: Mapping[str, float] | None) -> dict[str, float]:
    """The parameters by name; those that equations speak of must have a value."""
    numbers = values(flow.mechanism.parameter_table, parameters)
    spoken = {x.name for x in free_symbols(list(flow.rates)) if x.kind == "parameter"}
    missing = sorted(name for name in spoken if numbers.get(name) is None)
    if missing:
        advice = say("Give them: integrate(…, parameters={{'{missing}': 1.0, …}}).", missing[0])
        raise without_value(f'"{flow.mechanism.name}"', missing, advice)
    return {name: x for name, x in numbers.items() if x is not None}


def _implied(flow: Flow, given: Sequence[Expr], numbers: Mapping[str, float]) -> dict[str, float]:
    """The momenta or quasi-velocities x that have given speeds: v = B x + c at a place and time."""
    entries = [x for x in flow.state if x.kind != "coordinate"]
    v, still = expressions(list(flow.speeds.values())), dict.fromkeys(entries, ZERO)
    linear = substitute(jacobian(v, np.array(entries, dtype=object)), still), substitute(v, still)
    with np.errstate(all="ignore"):
        B, c, speeds = (np.asarray(evaluate(x, numbers), dtype=float) for x in (*linear, given))
    B = B.reshape(len(v), len(entries))
    if not (np.isfinite(B).all() and np.linalg.matrix_rank(B) == len(entries)):
        listed = ", ".join(f"{n} = {x:.6g}" for n, x in zip(flow.speeds, speeds, strict=True))
        raise SolveError(
            f'start of "{flow.mechanism.name}"',
            say(
                "{names} do not follow from {listed} there.",
                ", ".join(x.name for x in entries),
                listed,
            ),
            "Start elsewhere, or give them themselves.",
        )
    solution = np.linalg.solve(B, speeds - c)
    return {x.name: float(value) for x, value in zip(entries, solution, strict=True)}


@final
class FlowFormulation:
    """Equations of first order at one set of parameters, by their own kernels."""

    samples = staticmethod(stored_samples)

    def __init__(
        self, flow: Flow, known: Mapping[str, float], beginning: Beginning, settings: Settings
    ) -> None:
        self._mechanism, self._known, self._replaced = flow.mechanism, known, tuple(flow.speeds)
        assert isinstance(settings.method, Dop853), "equations have no other method"
        self.stepping = replace(settings.method, patience=0)
        codes = {name: kernel_code(kernel, "") for name, kernel in flow_kernels(flow).items()}
        self._code = {
            name: (code, np.array([known[x] for x in code.parameters]))
            for name, code in codes.items()
        }
        self._call = {name: compiled_function(*bound) for name, bound in self._code.items()}
        first = initial_values(flow, beginning.given)
        y = np.array([float(evaluate(x, known)) for x in first.values()])
        given = {**flow.mechanism.initial, **beginning.given}
        self.start = self._begun(flow, given, beginning.t, self.project(beginning.t, y))
        self.notices = tuple(start_change_notice(self._changed(flow, given, beginning.t)))

    def _begun(self, flow: Flow, given: Mapping[str, Any], t: float, y: Array) -> Array:
        """A state whose loops are closed, with the momenta or quasi-velocities of its speeds."""
        speeds = [expression(given.get(name, ZERO)) for name in flow.speeds]
        implied = _implied(flow, speeds, self._numbers(flow, t, y)) if speeds else {}
        implied = {name: x for name, x in implied.items() if name not in given}
        moving = [implied.get(name, x) for name, x in zip(flow.names, y, strict=True)]
        return self.project(t, np.array(moving)) if implied else y

    def _changed(self, flow: Flow, values: Mapping[str, Any], t: float) -> Changes:
        """Given values that the start does not keep, by more than rounding."""
        numbers = self._numbers(flow, t, self.start)
        after = {name: numbers[name] for name in flow.names}
        after |= {name: float(evaluate(x, numbers)) for name, x in flow.speeds.items()}
        given = {
            n: float(evaluate(expression(values[n]), self._known)) for n in after if n in values
        }
        size = max(map(abs, (*after.values(), *given.values())), default=0.0)
        least = _ROUNDING * size
        return {n: (x, after[n]) for n, x in given.items() if abs(after[n] - x) > least}

    def _numbers(self, flow: Flow, t: float, y: Array) -> dict[str, float]:
        return {**self._known, TIME.name: t, **dict(zip(flow.names, map(float, y), strict=True))}

    def project(self, t: float, y: Array) -> Array:
        """A state moved onto its constraints."""
        return kept_by_kernels(
            self._call,
            t,
            y,
            lambda _, factor: factor * CLOSED,
            lambda result: SolveError(
                f't = {t:g} s of "{self._mechanism.name}"',
                say("the constraints stay off by {sqrt:.3g}.", result.opening[0]),
                "Give initial values nearer to them.",
            ),
        )

    def move(self, state: Array, request: Request) -> MotionStates:
        """The motion by DOP853."""
        if not available():
            motion = by_scipy(self, state, request, self.stepping, 1.0, self._failed)
            self._require_regular(motion)
            return motion
        entries = {name: entry(*bound) for name, bound in self._code.items()}
        problem = problem_of(entries, self._mechanism, watches=False)
        if "events" in entries:
            problem = replace(problem, events=Events(entries["events"], (0.0,), (True,)))
        outcome = drive(problem, state, request.times, self.stepping, closed=CLOSED)
        if outcome.code is Code.TERMINAL_EVENT:
            raise self._singular(outcome.time)
        if outcome.code is not Code.DONE:
            raise self._failed(outcome.time, outcome.state, outcome.code)
        return MotionStates(request.times, outcome.states)

    def _failed(self, t: float, y: Array, code: Code = Code.STEP_TOO_SMALL) -> SolveError:
        """Where the motion ended."""
        return SolveError(
            f't = {t:.6g} s of "{self._mechanism.name}"',
            say("the motion cannot be continued: {reason}.", FAILURES.get(code, code.name)),
            say("The state was {state}.", ", ".join(f"{x:.4g}" for x in y)),
        )

    def _require_regular(self, motion: MotionStates) -> None:
        """Refuse samples between which quasi-velocities do not determine the speeds."""
        if "events" in self._call:
            signs = np.sign(self._call["events"](motion.states, motion.t[:, np.newaxis])[:, 0])
            if (signs != signs[0]).any():
                raise self._singular(float(motion.t[int((signs != signs[0]).argmax())]))

    def _singular(self, t: float) -> SolveError:
        """Error where the motion reaches a state without a speed for its quasi-velocities."""
        return SolveError(
            f't = {t:.6g} s of "{self._mechanism.name}"',
            say(
                "the quasi-velocities no longer determine {names}: results beyond would be wrong.",
                ", ".join(self._replaced),
            ),
            "End before, choose other quasi-velocities, or simulate the mechanism itself.",
        )

    def rate(self, t: float, y: Array) -> Array:
        """ẏ."""
        return np.asarray(self._call["rate"](y, np.array([t])))

    def smooth_rate(self, samples: FlowSamples) -> float:
        """The samples a second at which curves are smooth."""
        t, y = samples.t, samples.y
        rates = np.maximum(np.abs(self._call["rate"](y, t[:, np.newaxis])), slopes(t, y))
        return rate_for(y, rates, [""] * y.shape[1], np.zeros((len(y), 0)))
