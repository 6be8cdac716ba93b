"""Exact derivatives of a motion by parameters and initial values, along a run.

With ẏ = f(y, t, p), S = ∂y/∂p obeys the variational equation Ṡ = (∂f/∂y) S + ∂f/∂p, whose right
side is taken on the graph and compiled with f. One direction is integrated at a time: a parameter,
or an initial value. The constraints of y are held by projection; those of S follow, because Ṡ is
the derivative of accelerations that keep the constraints.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any, final

import numpy as np

from torseur.algebra.calculus.derivative import directional
from torseur.algebra.core.expr import TIME, ZERO, Expr, expression, symbol
from torseur.algebra.core.graph import evaluate, expressions, free_symbols, substitute
from torseur.analyse.at_a_state.chart import chart, parameter_effect, reduced
from torseur.analyse.at_a_state.initial_states import model_with_values, states_as_freedoms
from torseur.analyse.at_a_state.tangent import Tangent, parameter_definitions, parameter_direction
from torseur.equations.actions.reactions import joint_wrenches, wrench_names
from torseur.equations.functions.catalogue import FUNCTIONS, multiplier_names
from torseur.equations.functions.held_rows import Rows
from torseur.equations.functions.kernel import Kernel, kernel
from torseur.equations.functions.motion import WORK, MotionKernels
from torseur.equations.motion.quasi_static import kept_by_balance
from torseur.equations.symbols.system_places import places_of
from torseur.equations.symbols.texts import names_of
from torseur.errors import ModelError, SolveError, require_known, unknown
from torseur.figures import Figure, figure, labelled, written
from torseur.language.text.expression import parse_expression
from torseur.machine.compiled import CompiledModel
from torseur.machine.evaluator import Evaluator, kernel_code
from torseur.machine.integrators.drive import integrate, require_available
from torseur.machine.integrators.methods import Dop853
from torseur.machine.integrators.problem import Problem, entry_of
from torseur.model.description import Mechanism
from torseur.model.forces.protocol import Attachment
from torseur.model.joints.mesh_points import SIGNAL
from torseur.model.values.fingerprint import fingerprint
from torseur.model.values.numeric import first_order_start, state_freedoms
from torseur.result import Result
from torseur.simulation.constraints.moving_model import moving_model
from torseur.simulation.constraints.numeric_constraints import NumericConstraints
from torseur.simulation.constraints.row_combinations import RowCombinations, SelfStress
from torseur.simulation.formulations.request import check_positive
from torseur.simulation.formulations.sampling import Sampling, schedule_of
from torseur.simulation.run.run import Run
from torseur.simulation.start.assemble import assemble
from torseur.simulation.start.independent import independent_rows
from torseur.words.sentence import say

Array = np.ndarray
_AXES = ("x", "y", "z")


@final
class Sensitivity(Result):
    """A run and its derivatives. `found["alpha"]` is (samples, names): ∂alpha/∂name."""

    run: Run
    names: tuple[str, ...]  # the parameters and initial values, in order
    S: Array  # (samples, state, names); the state is (q, v, work, first-order states)
    variation: Variation

    def __getitem__(self, output: str) -> Array:
        """The derivatives of anything that can be read from the motion (see `Observables`)."""
        model, run = self.run.model, self.run
        if output in model.coordinates:
            return self.S[:, model.coordinates.index(output)]
        if output in model.speeds:
            return self.S[:, len(model.coordinates) + model.speeds.index(output)]
        if output in model.mechanism.states:
            return self.S[:, self.variation.state_names.index(output)]
        rate = directional(self.variation.observables[output], self.variation.along)
        states = np.column_stack([run.q, run.v, run.work, run.samples.inputs]).T
        known: dict[str, Any] = {**model.parameters, TIME.name: run.t}
        known |= dict(zip(self.variation.state_names, states, strict=True))
        sizes = {x.name: model.sizes.number(x.name) for x in free_symbols(rate)}
        known |= {name: size for name, size in sizes.items() if size is not None}
        columns = []
        for k, name in enumerate(self.names):
            slopes = dict(zip(self.variation.slope_names, self.S[:, :, k].T, strict=True))
            slopes |= {weight: float(name == x) for weight, x in self.variation.weights.items()}
            columns.append(np.broadcast_to(evaluate(rate, known | slopes), run.t.shape))
        return np.stack(columns, axis=1)

    def plot(self, *outputs: str, path: str | Path | None = None) -> Figure:
        """The derivatives of outputs along the run, in SI units; without names, of coordinates."""
        plotted = outputs or self.run.model.coordinates
        drawn = figure(8.0, 1.0 + 2.2 * len(plotted))
        panels = np.atleast_1d(drawn.subplots(len(plotted), 1, sharex=True))
        for panel, output in zip(panels, plotted, strict=True):
            values = self[output]
            for k, name in enumerate(self.names):
                panel.plot(self.run.t, values[:, k], label=f"∂{output}/∂{name}", linewidth=1.4)
            labelled(panel, "", f"∂{output} [SI]")
            panel.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)
        panels[-1].set_xlabel("t [s]")
        return written(drawn, path, self.run.model.mechanism.name)

    def of(self, output: str, name: str) -> Array:
        """(samples): the derivative of an output by one parameter or initial value."""
        require_known("sensitivity", "parameter", name, self.names)
        return self[output][:, self.names.index(name)]


def sensitivity(
    mechanism: Mechanism | CompiledModel,
    duration: float,
    of: Sequence[str],
    *,
    rate: float = 100.0,
    initial: Mapping[str, float] | None = None,
    parameters: Mapping[str, float] | None = None,
    rtol: float = 1e-10,
) -> Sensitivity:
    """One run and its exact derivatives; `batched.sensitivity` describes the arguments."""
    check_positive(rtol=rtol)
    times = schedule_of(duration, Sampling(rate), 0.0).times
    require_available("sensitivity", "it needs machine code.")
    model = moving_model(model_with_values(mechanism, parameters))
    states_given = first_order_start(model.mechanism, model.parameters)
    states_given |= {name: x for name, x in (initial or {}).items() if name in states_given}
    start = assemble(model, {n: x for n, x in (initial or {}).items() if n not in states_given})
    rows = independent_rows(NumericConstraints(model), start.q, 0.0)
    listed = tuple(name for name in of if name in model.parameters)
    variation = Variation(model, rows, listed)
    tangent = Tangent(states_as_freedoms(model))
    stays = dict.fromkeys(kept_by_balance(model.mechanism), 0.0)
    given = {**stays, **tangent.model.mechanism.initial, **(initial or {})}
    y = np.concatenate([start.q, start.v, [0.0], list(states_given.values())])
    slopes, states = [], None
    for name in of:
        S = start_slope(tangent, y, given, name)
        states, slope = variation.integrated(y, S, name, times, rtol)
        slopes.append(slope)
    if states is None:
        raise ModelError(
            "sensitivity", say("of = {of} names nothing.", tuple(of)), "For instance: of=('m',)."
        )
    return Sensitivity(
        Run.of_states(model, times, states), tuple(of), np.stack(slopes, axis=2), variation
    )


@final
class Variation:
    """The motion of a model together with one direction of change."""

    def __init__(self, model: CompiledModel, rows: Rows, names: tuple[str, ...]) -> None:
        self._model, self._rows, self._names = model, rows, names
        self.motion = MotionKernels(model.system, rows)
        self._combinations = RowCombinations(NumericConstraints(model), rows)

    def __repr__(self) -> str:
        return f"<Variation of {self._model!r} by {', '.join(self._names)}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Variation, (self._model, self._rows, self._names)

    @cached_property
    def observables(self) -> Observables:
        """Outputs of the motion by name."""
        return Observables(self._model, self.motion)

    @property
    def _state(self) -> list[Expr]:
        system = self._model.system
        return [*system.q, *system.v, WORK, *system.signals]

    @property
    def state_names(self) -> list[str]:
        """y."""
        return [x.name for x in self._state]

    @property
    def slope_names(self) -> list[str]:
        """S."""
        return [f"d {name}" for name in self.state_names]

    @property
    def weights(self) -> dict[str, str]:
        """Parameter that each weight changes, by the names of the symbols."""
        return {f"w {name}": name for name in self._names}

    @cached_property
    def along(self) -> dict[Expr, Any]:
        """The rate of every symbol in the direction of change."""
        slopes = (symbol(name, "input") for name in self.slope_names)
        rates: dict[Expr, Any] = dict(zip(self._state, slopes, strict=True))
        for weight, name in self.weights.items():
            for x, rate in parameter_direction(self._model, name).items():
                rates[x] = rates.get(x, ZERO) + symbol(weight, "input") * rate
        return rates

    def _kernel(self, name: str) -> Kernel:
        """The kernel of a motion, of the state and the direction side by side."""
        plain_outputs = list(getattr(self.motion, name)().outputs)
        n = len(self._state)
        carried = [symbol(x, "input") for x in (*self.slope_names, *self.weights)]
        if name == "rate":
            still = [ZERO] * len(self.weights)
            outputs = [*plain_outputs, *directional(expressions(plain_outputs), self.along), *still]
        else:
            outputs = [*plain_outputs[:n], *carried, *plain_outputs[n:]]
        inputs = ("y", (*self.state_names, *self.slope_names, *self.weights)), ("t", (TIME.name,))
        return kernel(f"varied {name}", inputs, expressions(outputs))

    @cached_property
    def codes(self) -> dict[str, Evaluator]:
        """The machine code of a motion and its direction, by the names of kernels."""
        defined = parameter_definitions(self._model)
        evaluators = {}
        for name in MotionKernels(self._model.system, self._rows).needed:
            if name != "events":
                identity = f"varied {name} {self._rows} {self._names} {defined} "
                identity += fingerprint(self._model.mechanism)
                evaluators[name] = kernel_code(partial(self._kernel, name), identity)
        return evaluators

    @cached_property
    def _problem(self) -> Problem:
        calls = self._combinations.calls
        entries = {name: entry_of(calls(code)) for name, code in self.codes.items()}
        return Problem(
            entries["rate"], entries.get("project_positions"), entries.get("project_speeds")
        )

    def integrated(
        self, y: Array, S: Array, name: str, times: Array, rtol: float
    ) -> tuple[Array, Array]:
        """The states and their derivatives at the given times."""
        weights = [float(parameter == name) for parameter in self.weights.values()]
        start = np.concatenate([y, S, weights])
        outcome = integrate(
            self._problem, start, times, Dop853(rtol), attend=self._combinations.attend
        )
        if len(outcome.states) < len(times):
            raise SolveError(
                f"t = {outcome.time:.6g} s",
                say("the derivatives by {name} could not be followed any further.", name),
                "A dead point, or a motion that becomes infinitely fast, can cause this.",
            )
        return outcome.states[:, : len(y)], outcome.states[:, len(y) : 2 * len(y)]


@final
class Observables:
    """Outputs of a motion whose constraints are kept by given rows, as expressions, by name.

    alpha  alpha.  alpha..     a coordinate, its speed, its acceleration
    P3.x  P3.velocity.y        a component of a named point, of its velocity
    A.force.x  A.couple.z      a component of the reaction in a joint, in ground axes
    energy.kinetic  energy.potential
    m*x.^2/2 + …               any expression of coordinates, speeds, parameters and t
    """

    def __init__(self, model: CompiledModel, motion: MotionKernels) -> None:
        self._model = model
        self._motion = motion
        self._system = model.system

    def __getitem__(self, name: str) -> Expr:
        head, *rest = name.split(".")
        mechanism = self._model.mechanism
        if name in {f"{speed}." for speed in self._model.speeds}:
            k = self._model.speeds.index(name.removesuffix("."))
            return expression(self._motion.accelerations[0][k])
        if head in wrench_names(self._system) and len(rest) == 2 and rest[0] in ("force", "couple"):
            return self._reaction(name, head, rest)
        if head in mechanism.points and rest and rest[-1] in _AXES:
            return self._point(head, rest)
        if name in ("energy.kinetic", "energy.potential"):
            energy = FUNCTIONS[f"{rest[0]}_energy"].build(self._system)
            return expression(energy.item())
        names = names_of(mechanism)
        states = {x: symbol(x, SIGNAL) for x in mechanism.states}
        written = parse_expression(name, replace(names, known={**names.known, **states}))
        return expression(self._model.constraints.opened(written))

    def _point(self, name: str, rest: list[str]) -> Expr:
        point = self._model.mechanism.points[name]
        at, places = Attachment(point.body, point.position), places_of(self._system)
        kind = rest[0] if len(rest) == 2 else "position"
        if kind not in ("position", "velocity"):
            raise ModelError(
                "outputs",
                say('unknown quantity "{kind}" of a point.', kind),
                "position or velocity.",
            )
        vector = places.position(at) if kind == "position" else places.velocity(at)
        return expression(np.asarray(vector, dtype=object)[_AXES.index(rest[-1])])

    def _reaction(self, name: str, joint: str, rest: list[str]) -> Expr:
        owners, rows = self._model.constraints.owners, self._motion.rows
        if rest[1] not in _AXES:
            raise ModelError(
                "outputs", say('"{name}" ends with "{rest}".', name, rest[1]), "Use .x, .y or .z."
            )
        column = ("force", "couple").index(rest[0]) * 3 + _AXES.index(rest[1])
        if rows.repeating or (rows.rank < len(owners) and self._open(joint)[column]):
            problem = say(
                '"{name}" is not unique: the mechanism is over-constrained {number} times.',
                name,
                len(owners) - rows.rank,
            )
            raise ModelError(
                "outputs", problem, "Release directions of its joints, or choose another output."
            )
        lam = [symbol(x, "input") for x in multiplier_names(len(owners))]
        wrenches = expressions(joint_wrenches(self._system, np.array(lam, dtype=object)))
        row = wrench_names(self._system).index(joint)
        a, constraints = self._motion.accelerations
        multipliers = np.full(len(owners), ZERO, dtype=object)  # of rows that are left out
        multipliers[list(rows.selected)] = constraints
        known = dict(zip(self._system.a, a, strict=True)) | dict(zip(lam, multipliers, strict=True))
        return expression(substitute(wrenches[row, column], known))

    def _open(self, joint: str) -> Array:
        """Which components of force and couple in a joint over-constraint leaves open."""
        constraints, length = NumericConstraints(self._model), self._model.sizes.scales.length
        stress = SelfStress(constraints, assemble(self._model).q, 0.0)
        return np.asarray(stress.wrench(joint, length)[:, :6].any(axis=0))


def start_slope(tangent: Tangent, y: Array, given: Mapping[str, Any], name: str) -> Array:
    """∂y/∂name at a start y, by a parameter or by an independent initial value.

    What is given changes with the parameters in it, other coordinates and speeds as the constraints
    demand. First-order states are the last freedoms of the tangent.
    """
    model, speeds = tangent.model, tangent.speeds
    m = len(state_freedoms(model.mechanism))
    nq, nv = len(model.coordinates) - m, len(speeds) - m
    q = np.concatenate([y[:nq], y[nq + nv + 1 :]])
    v = np.concatenate([y[nq : nq + nv], np.zeros(m)])
    rates = (f"{n}." if f"{n}." in speeds else n for n in given)
    preferred = [speeds.index(n) for n in rates if n in speeds]
    varied = (name,) if name in model.parameters else ()
    if varied:
        way = parameter_direction(model, name)
        d = {x: _rate(value, way, model) for x, value in given.items()}
    else:
        speed = name if name in speeds else f"{name}."
        if speed not in speeds:
            known = (*model.parameters, *model.coordinates, *speeds)
            raise unknown("sensitivity", "parameter or initial value", name, known)
        d, preferred = {name: 1.0}, [speeds.index(speed), *preferred]
    terms = tangent.at(q, 0.0, v)
    at = chart(terms, tuple(dict.fromkeys(preferred)))
    if not varied and preferred[0] not in (at.speeds if name in speeds else at.shifts):
        problem = say(
            'the initial value of "{name}" cannot be chosen freely: constraints hold it.', name
        )
        raise ModelError("sensitivity", problem, "Name an independent coordinate or speed.")
    effect = parameter_effect(terms, at, tangent.parameters(varied, q, 0.0, v))
    s = np.array([d.get(speeds[i].removesuffix("."), 0.0) for i in at.shifts])
    w = np.array([d.get(speeds[i], 0.0) for i in at.speeds])
    shift = at.P @ s + effect.shifts.sum(axis=1)
    rate = at.N @ w + reduced(terms, at).L @ s + effect.speeds.sum(axis=1)
    turned = model.system.tree.rates(q, shift)
    return np.concatenate([turned[:nq], rate[:nv], [0.0], turned[nq:]])


def _rate(value: Any, way: Mapping[Expr, Any], model: CompiledModel) -> float:
    """Derivative of an initial value by a parameter; zero for a number."""
    if not isinstance(value, Expr):
        return 0.0
    return float(evaluate(directional(value, way), model.parameters))
