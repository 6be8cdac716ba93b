"""Functions of a compiled model with loops: rows chosen where it is, every result judged.

The rows of J that are solved are those that are independent at the first state asked for. Every
result tells how far it is from solving all equations, those of the rows left out too: where it
does not, rows are chosen anew there, and where no rows of code that is there do, the system is
solved by numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Protocol, final

import numpy as np
import scipy

from torseur.equations.functions.closed_system import CLOSED, JUDGED, KEPT, SOLVED
from torseur.equations.functions.held_rows import Rows
from torseur.errors import ModelError, SolveError
from torseur.machine.evaluator import Evaluator
from torseur.machine.native import (
    Calls,
    ModelFunctions,
    argument_rows,
    compiled_function,
    judged_function,
    of_few,
    python_function,
    rows_of_batches,
)
from torseur.machine.setting import Setting, at_state
from torseur.machine.sizes import Measured, Sizes
from torseur.model.actuators import actuator_speed
from torseur.model.description import Mechanism
from torseur.words.sentence import say

Array = np.ndarray
RANK = 1e-8  # of a J without dimension: a row that repeats others
_AT_START = np.zeros(1)
_PARTS = ("mass_matrix", "applied", "bias", "gravity", "constraint_bias")


class Restrained(Measured, Protocol):
    """Interface of a compiled model that functions with loops need."""

    @property
    def sizes(self) -> Sizes: ...
    @property
    def setting(self) -> Setting: ...
    def closed_code(
        self, name: str, rows: Rows, actuators: tuple[str, ...]
    ) -> tuple[Evaluator, Array]: ...
    def call_by(self, name: str, function: Callable[..., Any]) -> None: ...


@final
class ClosedFunction:
    """forward_dynamics(q, v, Q), or inverse_dynamics(q, v, a) of actuators, where loops close."""

    def __init__(self, model: Restrained, name: str, actuators: tuple[str, ...] = ()) -> None:
        self._model, self._name, self._actuators = model, name, actuators
        self._codes: dict[Rows, Callable[..., Any]] = {}
        self._quick: Callable[..., Any] | None = None  # one state by the rows compiled last
        self._quick_takes_time = False
        self.__name__ = name

    def __reduce__(self) -> tuple[Any, ...]:
        return ClosedFunction, (self._model, self._name, self._actuators)

    def __call__(
        self, q: Any, v: Any, x: Any, t: Any = None, *, threads: int = 1, parameters: Any = None
    ) -> Array:
        """The result of one state, or of each row of a batch."""
        if self._quick is not None and parameters is None and (t is None or isinstance(t, float)):
            result: Array
            if self._quick_takes_time:
                result = self._quick(q, v, x, np.array([t]) if t else _AT_START)
            else:
                result = self._quick(q, v, x)
            return result
        return self.careful(q, v, x, t, threads=threads, parameters=parameters)

    def careful(
        self, q: Any, v: Any, x: Any, t: Any = None, *, threads: int = 1, parameters: Any = None
    ) -> Array:
        """Results for all valid inputs, by as many choices of rows as they need."""
        if parameters is not None:
            return self._sweep((q, v, x), t, parameters)
        batch, clock, is_batch = self._understood((q, v, x), t)
        results = np.empty((len(clock), len(self._actuators or self._model.speeds)))
        for _, places, values in self.groups(batch, clock, threads):
            results[places] = values[:, : -len(JUDGED)]
        return results if is_batch else results[0]

    def _sweep(self, given: tuple[Any, ...], t: Any, parameters: Mapping[str, Any]) -> Array:
        """Result of each row by a model at its parameters, with the loops and sizes of these."""
        setting = self._model.setting
        columns = {name: np.atleast_1d(setting.swept(parameters)[name]) for name in parameters}
        batch, clock, _ = self._understood(given, t)
        of_parameters = [x[:, np.newaxis] for x in columns.values()]
        N = rows_of_batches(self._name, [*batch, *of_parameters]) or 1
        rows = [np.broadcast_to(x, (N, x.shape[-1])) for x in (*batch, clock[:, np.newaxis])]
        results = []
        for k, (q, v, x, now) in enumerate(zip(*rows, strict=True)):
            values = {name: float(np.broadcast_to(c, N)[k]) for name, c in columns.items()}
            row = ClosedFunction(setting.model(values), self._name, self._actuators)
            results.append(row(q, v, x, now[0]))
        return np.array(results)

    def groups(
        self, batch: list[Array], t: Array, threads: int = 1
    ) -> Iterator[tuple[Rows | None, Array, Array]]:
        """Rows of J with the states that they solve and the results; None: solved by numbers."""
        left, waiting, tried = np.arange(len(t)), list(self._codes), set[Rows]()
        while len(left):
            state, now = [one[left[0]] for one in batch], float(t[left[0]])
            if self._actuators and not waiting:
                require_actuated(self._model, self._actuators, state[0], now)
            rows = waiting.pop(0) if waiting else independent_rows(self._model, state[0], now)
            if rows in tried:
                yield None, left[:1], self._by_numbers(state, now)[np.newaxis]
                left = left[1:]
                continue
            tried.add(rows)
            values = self._call(rows, [one[left] for one in batch], t[left], threads)
            self._require_sense(values, [one[left] for one in batch], t[left])
            excess, size, _, _ = values[:, -len(JUDGED) :].T
            solved = excess <= SOLVED**2 * size  # not where it is no number
            yield rows, left[solved], values[solved]
            left = left[~solved]

    def derivatives(self, q: Any, v: Any, Q: Any, t: Any = None) -> Array:
        """∂a/∂q, ∂a/∂v and ∂a/∂Q side by side, of one state or of each row of a batch."""
        batch, clock, is_batch = self._understood((q, v, Q), t)
        nq, nv = len(self._model.coordinates), len(self._model.speeds)
        results = np.empty((len(clock), nv, nq + 2 * nv))
        for rows, places, _ in self.groups(batch, clock):
            if rows is None:
                raise self._singular([one[places[0]] for one in batch], float(clock[places[0]]))
            code, numbers = self._model.closed_code("forward_dynamics_derivatives", rows, ())
            called = compiled_function(code, numbers, self._model.setting)
            states = [one[places] for one in batch]
            results[places] = of_few(called, [*states, *self._time_columns(code, clock[places])])
        return results if is_batch else results[0]

    def _understood(self, given: tuple[Any, ...], t: Any) -> tuple[list[Array], Array, bool]:
        """The arguments as batches of one length, and whether they were."""
        speeds = self._model.speeds
        letters = ("q", "v", "a" if self._actuators else "Q")
        names = (self._model.coordinates, speeds, speeds)
        known = zip(letters, names, given, strict=True)
        arrays = [argument_rows(self._name, *one) for one in known]
        clock = np.asarray(0.0 if t is None else t, dtype=float).reshape(-1, 1)
        rows = rows_of_batches(self._name, [*arrays, *([clock] if len(clock) != 1 else [])])
        N = 1 if rows is None else rows
        batch = [np.broadcast_to(x, (N, x.shape[-1])) for x in arrays]
        return batch, np.broadcast_to(clock[:, 0], N), rows is not None

    # --- by machine code ------------------------------------------------------------------------

    def _call(self, rows: Rows, batch: list[Array], t: Array, threads: int) -> Array:
        code, numbers = self._model.closed_code(self._name, rows, self._actuators)
        if rows not in self._codes:
            calls = Calls(code, numbers)
            self._codes[rows] = python_function(calls)
            self._quick = judged_function(calls, _Unjudged(self, self._model))
            self._quick_takes_time = _takes_time(code)
            if self._quick is not None and not self._quick_takes_time and not self._actuators:
                self._model.call_by(self._name, self._quick)
        called = self._codes[rows] if threads == 1 else partial(self._codes[rows], threads=threads)
        return np.asarray(of_few(called, [*batch, *self._time_columns(code, t)]))

    def _time_columns(self, code: Evaluator, t: Array) -> list[Array]:
        return [t[:, np.newaxis]] if _takes_time(code) else []

    # --- by numbers -----------------------------------------------------------------------------

    def _by_numbers(self, state: list[Array], t: float) -> Array:
        """Result at one state by least squares, also where rows are dependent."""
        q, v, x = state
        at = {name: self._model.timed(name) for name in _PARTS}
        M, J = np.asarray(at["mass_matrix"](q, t)), scaled_J(self._model, q, t)
        c = self._model.sizes.displacements
        known = at["applied"](q, v, t) - at["bias"](q, v, t) - at["gravity"](q, t)
        gamma = np.asarray(at["constraint_bias"](q, v, t)) / self._model.sizes.rows
        if self._actuators:
            B = np.eye(len(c))[:, [self._model.speeds.index(x) for x in self._actuators]]
            N = scipy.linalg.null_space(J, rcond=RANK)
            w = c * (M @ x - known)
            result = scipy.linalg.lstsq(N.T @ (c[:, np.newaxis] * B), N.T @ w)[0]
        else:
            n, rows = len(c), len(J)
            border = np.block([[M * np.outer(c, c), -J.T], [J, np.zeros((rows, rows))]])
            right = np.concatenate([c * (known + x), -gamma])
            solution = scipy.linalg.lstsq(border, right, cond=RANK)[0]
            if np.linalg.norm(border @ solution - right) > KEPT * np.linalg.norm(right):
                raise self._singular(state, t)
            result = c * solution[:n]
        return np.concatenate([result, np.zeros(len(JUDGED))])

    # --- refused states -------------------------------------------------------------------------

    def _require_sense(self, values: Array, batch: list[Array], t: Array) -> None:
        """Loops must be closed, and accelerations that are given must keep them so."""
        _, size, gap, opening = values[:, -len(JUDGED) :].T
        if np.any(open_ := gap > CLOSED**2):
            k = int(open_.argmax())
            raise open_loops(self._place(batch[0][k]), float(np.sqrt(gap[k])))
        if not self._actuators:
            return
        motion = np.square(batch[2] / self._model.sizes.displacements).sum(axis=1) + 1
        if np.any(broken := opening > KEPT**2 * (motion + size)):
            k = int(broken.argmax())
            problem = say(
                "the accelerations would open the loops: J a + γ is {opening:.2g}.",
                float(np.sqrt(opening[k])),
            )
            advice = "Take those of a motion of the mechanism, for instance of ts.simulate."
            raise ModelError(self._place(batch[0][k]), problem, advice)

    def _singular(self, state: list[Array], t: float) -> SolveError:
        return SolveError(
            self._place(state[0]),
            "the equations have no unique solution there: the mechanism is at a singular position, "
            "or a motion that the loops leave free has no inertia.",
            "ts.linkages.singularities and torseur check tell more.",
        )

    def _place(self, q: Array) -> str:
        return at_state(self._name, self._model.coordinates, q)


@final
class _Unjudged:
    """The call of a closed function whose arguments or result machine code leaves to it."""

    def __init__(self, function: ClosedFunction, model: Restrained) -> None:
        self._function, self._model = function, model

    def __call__(self, q: Any, v: Any, x: Any, t: Any = None, **options: Any) -> Array:
        call = self._function.careful if t is None else self._function
        return call(q, v, x, t, **options)

    @property
    def home(self) -> ModelFunctions:
        """The functions of the model that has this one."""
        return ModelFunctions(self._model)


def _takes_time(code: Evaluator) -> bool:
    """Whether the time is among its inputs."""
    return any(letter == "t" for letter, _ in code.inputs)


def scaled_J(model: Restrained, q: Array, t: float) -> Array:
    """J without dimension at a state."""
    return model.sizes.without_dimension(np.asarray(model.timed("constraint_jacobian")(q, t)))


def independent_rows(model: Restrained, q: Array, t: float) -> Rows:
    """The best conditioned rows of J at a state, as many as its rank."""
    _, R, order = scipy.linalg.qr(scaled_J(model, q, t).T, mode="economic", pivoting=True)
    sizes = np.abs(np.diag(R))
    rank = int((sizes > RANK * max(float(sizes.max(initial=0.0)), 1.0)).sum())
    return Rows(tuple(sorted(int(k) for k in order[:rank])), rank)


def require_closed(model: Restrained, place: str, q: Array, t: float) -> None:
    """Refuse a state whose loops are open."""
    sizes = model.sizes.rows[list(model.constraints.positions)]
    gap = float(np.linalg.norm(np.asarray(model.timed("closure_gap")(q, t)) / sizes))
    if not gap <= CLOSED:
        raise open_loops(place, gap)


def open_loops(place: str, gap: float) -> ModelError:
    """Error for loops that are open by a part of their size."""
    problem = say("the loops are open by {gap:.2g} of their size.", gap)
    return ModelError(place, problem, "Close them first: ts.assemble(m, {…}).q.")


def require_actuated(model: Restrained, actuators: Sequence[str], q: Array, t: float) -> None:
    """Every motion that the loops leave free must be driven."""
    N = scipy.linalg.null_space(scaled_J(model, q, t), rcond=RANK)
    driven = N[[model.speeds.index(name) for name in actuators]]
    _, sizes, right = np.linalg.svd(driven)
    rank = int((sizes > RANK).sum())
    if rank < N.shape[1]:
        loose = model.speeds[int(np.abs(N @ right[-1]).argmax())].removesuffix(".")
        problem = say(
            "{count} of its {freedoms} freedoms are not driven: {loose} moves while the "
            "actuators stand still.",
            N.shape[1] - rank,
            N.shape[1],
            loose,
        )
        advice = say(
            "Actuators: {names}. Name more of them.",
            ", ".join(name.removesuffix(".") for name in actuators),
        )
        raise ModelError(f'mechanism "{model.mechanism.name}"', problem, advice)


@final
class ClosedInverse:
    """inverse_dynamics(q, v, a, actuators=…) where loops close: a function of actuators each."""

    def __init__(self, model: Restrained, name: str) -> None:
        self._model, self.__name__ = model, name
        self._made: dict[tuple[str, ...], ClosedFunction] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return ClosedInverse, (self._model, self.__name__)

    def __call__(self, q: Any, v: Any, a: Any, t: Any = None, **options: Any) -> Array:
        """The forces of the chosen actuators, of one state or of each row of a batch."""
        chosen = chosen_actuators(self._model.mechanism, options.pop("actuators", None))
        if chosen not in self._made:
            self._made[chosen] = ClosedFunction(self._model, self.__name__, chosen)
        return self._made[chosen](q, v, a, t, **options)


def closed_function(model: Restrained, name: str) -> Callable[..., Any]:
    """A function of a mechanism with loops, which chooses its rows where it is called."""
    if name == "forward_dynamics_derivatives":
        return ClosedFunction(model, "forward_dynamics").derivatives
    return (ClosedFunction if name == "forward_dynamics" else ClosedInverse)(model, name)


def chosen_actuators(mechanism: Mechanism, actuators: Sequence[str] | None) -> tuple[str, ...]:
    """The speeds of actuators by name; without names the inputs, or what motors drive."""
    if actuators is None:
        motors = [mechanism.joints[motor.joint].speeds[0] for motor in mechanism.motors.values()]
        parameters = mechanism.parameter_table
        actuators = [x for x in mechanism.inputs if x not in parameters] or motors
        if not actuators:
            problem = "its driven coordinates are not given."
            advice = say("Name them: actuators=[…], of {names}.", ", ".join(mechanism.coordinates))
            raise ModelError(f'mechanism "{mechanism.name}"', problem, advice)
    names = (actuators,) if isinstance(actuators, str) else actuators
    speeds = mechanism.speeds
    return tuple(actuator_speed(mechanism, x, speeds, "inverse_dynamics") for x in names)
