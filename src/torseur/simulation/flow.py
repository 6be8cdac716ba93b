"""The motion of a flow: a typed Lagrangian, canonical equations, quasi-velocities."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, final

import numpy as np

from torseur.algebra.graph import evaluate, free_symbols
from torseur.backends.flow import CompiledFlow
from torseur.backends.integrators.codes import Code
from torseur.backends.integrators.drive import available
from torseur.backends.integrators.drive import integrate as drive
from torseur.backends.integrators.methods import Dop853
from torseur.backends.integrators.problem import Problem, entry
from torseur.backends.native import compiled_function
from torseur.errors import ModelError, SolveError, unknown
from torseur.formalisms.flow import Flow, Source, flow, initial_values
from torseur.mechanism.parameters import values
from torseur.topology.structure import TIME

Array = np.ndarray
CLOSED = 1e-12
METHODS = ("auto", "dop853")
_NEWTON = 50


@final
class FlowRun:
    """Samples of a flow: `run["x"]` is an entry of the state, `run.of(formula)` anything else."""

    def __init__(
        self, source: Source, made: Flow, parameters: Mapping[str, float], t: Array, y: Array
    ) -> None:
        self.source = source
        self.flow = made
        self.parameters = parameters
        self.t = t  # (samples) [s]
        self.y = y  # (samples, state)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the state, in order."""
        return self.flow.names

    def __getitem__(self, name: str) -> Array:
        """An entry of the state by name."""
        if name not in self.names:
            raise unknown("run", "entry of the state", name, self.names)
        return self.y[:, self.names.index(name)]

    def of(self, outputs: Any) -> Array:
        """Expressions of the state, the parameters and t at every sample (samples, …)."""
        known: dict[str, Any] = {**self.parameters, TIME.name: self.t}
        known |= dict(zip(self.flow.names, self.y.T, strict=True))
        found = evaluate(np.asarray(outputs, dtype=object).ravel(), known)
        rows = [np.broadcast_to(np.asarray(x, dtype=float), self.t.shape) for x in found]
        return np.array(rows).T.reshape(len(self.t), *np.shape(outputs))

    def multiplier(self, name: str) -> Array:
        """The multipliers of a constraint (samples, rows)."""
        if name not in self.flow.multipliers:
            raise unknown("run", "constraint", name, self.flow.multipliers)
        return self.of(self.flow.multipliers[name])


def check_method(method: str, step: float | None, coordinates: str) -> None:
    """Refuse what is for mechanisms only."""
    if method not in METHODS or step is not None:
        raise ModelError(
            "simulate",
            f'method "{method}" and step {step} are for mechanisms.',
            "Equations are integrated by DOP853, to the tolerance rtol.",
        )
    if coordinates not in ("auto", "joint"):
        raise ModelError(
            "simulate",
            f'coordinates "{coordinates}" are for mechanisms.',
            "Equations are integrated in the coordinates they are written in.",
        )


def integrate(
    source: Source,
    duration: float,
    *,
    rate: float = 100.0,
    initial: Mapping[str, float] | None = None,
    parameters: Mapping[str, float] | None = None,
    rtol: float = 1e-9,
) -> FlowRun:
    """The motion of equations, a Lagrangian, a Hamiltonian or a Routhian over `duration` seconds.

    The state is (q, v), or (q, p) for a Hamiltonian; what `initial` does not give is what the
    description gives, or zero, moved onto the constraints. Integrated by DOP853.
    """
    if not duration > 0 or not rate > 0 or not rtol > 0:
        problem = f"duration {duration}, rate {rate} and rtol {rtol} must be positive."
        raise ModelError("integrate", problem)
    made = flow(source)
    for name in initial or {}:
        if name not in made.names:
            raise unknown("integrate", "entry of the state", name, made.names)
    numbers = values(made.mechanism.parameter_table, parameters)
    spoken = {x.name for x in free_symbols(list(made.rates)) if x.kind == "parameter"}
    missing = sorted(name for name in spoken if numbers.get(name) is None)
    if missing:
        raise ModelError(
            f'"{made.mechanism.name}"',
            f"{len(missing)} parameter(s) have no value: {', '.join(missing)}.",
            f"Give them: integrate(…, parameters={{'{missing[0]}': 1.0, …}}).",
        )
    known = {name: x for name, x in numbers.items() if x is not None}
    start = initial_values(made, initial or {})
    y = np.array([float(evaluate(x, known)) for x in start.values()])
    times = np.linspace(0.0, duration, round(duration * rate) + 1)
    moving = _Moving(CompiledFlow(made), known)
    states = moving.states(moving.kept(0.0, y), times, rtol)
    return FlowRun(source, made, known, times, states)


@final
class _Moving:
    """The functions of a flow at one set of parameters."""

    def __init__(self, compiled: CompiledFlow, known: Mapping[str, float]) -> None:
        self._name = compiled.flow.mechanism.name
        self._code = {
            name: (made, np.array([known[x] for x in made.parameters]))
            for name, made in compiled.code.items()
        }
        self._call = {name: compiled_function(*made) for name, made in self._code.items()}

    def kept(self, t: float, y: Array) -> Array:
        """A state moved onto its constraints."""
        now = np.array([t])
        if "closing" in self._call:
            for _ in range(_NEWTON):
                *y, gap2 = self._call["closing"](np.asarray(y), now)
                if gap2 < CLOSED**2:
                    break
            else:
                raise SolveError(
                    f't = {t:g} s of "{self._name}"',
                    f"the constraints stay off by {np.sqrt(gap2):.3g}.",
                    "Give initial values nearer to them.",
                )
        y = np.asarray(y)
        return self._call["calming"](y, now) if "calming" in self._call else y

    def states(self, y: Array, times: Array, rtol: float) -> Array:
        """At every sample."""
        if not available():
            return self._stepped(y, times, rtol)
        entries = {name: entry(*made) for name, made in self._code.items()}
        problem = Problem(entries["rate"], entries.get("closing"), entries.get("calming"))
        found = drive(problem, y, times, Dop853(rtol), closed=CLOSED)
        if found.code is not Code.DONE:
            raise SolveError(
                f't = {found.time:.6g} s of "{self._name}"',
                f"the motion cannot be continued ({found.code.name.lower().replace('_', ' ')}).",
                f"The state was {', '.join(f'{x:.4g}' for x in found.state)}.",
            )
        return found.states

    def _stepped(self, y: Array, times: Array, rtol: float) -> Array:
        """Without machine code, by SciPy's DOP853."""
        from scipy.integrate import DOP853

        def rate(t: float, state: Array) -> Array:
            return self._call["rate"](state, np.array([t]))

        solver = DOP853(rate, 0.0, y, times[-1], rtol=rtol, atol=1e-3 * rtol)
        states = [y]
        while solver.status == "running":
            solver.step()
            dense = solver.dense_output()
            while len(states) < len(times) and times[len(states)] <= solver.t:
                states.append(self.kept(times[len(states)], dense(times[len(states)])))
            solver.y = self.kept(solver.t, solver.y)
        return np.array(states)
