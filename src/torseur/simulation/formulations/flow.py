"""The motion of a flow: a typed Lagrangian, canonical equations, quasi-velocities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, final

import numpy as np

from torseur.algebra.calculus.derivative import time_derivative
from torseur.algebra.core.graph import evaluate, free_symbols
from torseur.equations.flow import Flow, Source, flow, initial_values
from torseur.equations.functions.flow import flow_kernels
from torseur.errors import ModelError, SolveError, unknown
from torseur.machine.evaluator import kernel_code
from torseur.machine.integrators.codes import Code
from torseur.machine.integrators.drive import available
from torseur.machine.integrators.drive import integrate as drive
from torseur.machine.integrators.methods import Dop853, Method
from torseur.machine.integrators.problem import Problem, entry
from torseur.machine.native import compiled_function
from torseur.model.parameters import values
from torseur.simulation.formulations.request import Settings
from torseur.simulation.formulations.sampling import (
    PASSES,
    Sampling,
    coarse,
    factor_for,
    rate_for,
    sampling,
    slopes,
)
from torseur.simulation.run.track import Track
from torseur.topology.structure import TIME

Array = np.ndarray
CLOSED = 1e-12
METHODS = ("auto", "dop853")
_NEWTON = 50


@final
class FlowRun:
    """Samples of a flow: `run["x"]` is an entry of the state, `run.of(formula)` anything else.

    `run(t)` is the state at any time of the motion.
    """

    def __init__(
        self,
        source: Source,
        made: Flow,
        parameters: Mapping[str, float],
        track: Track,
        shown: Array | None = None,
        notices: tuple[str, ...] = (),
    ) -> None:
        kept = slice(None) if shown is None else shown
        self.source = source
        self.flow = made
        self.parameters = parameters
        self.t = track.t[kept]  # (samples) [s]
        self.y = track.states[kept]  # (samples, state)
        self.notices = notices
        self._track = track

    @property
    def span(self) -> tuple[float, float]:
        """When the motion starts and ends [s], samples or not."""
        return float(self._track.t[0]), float(self._track.t[-1])

    @property
    def end(self) -> dict[str, float]:
        """The state at the end of the motion, by name."""
        return dict(zip(self.names, map(float, self._track.states[-1]), strict=True))

    def __call__(self, t: Any) -> dict[str, Any]:
        """The state at a time of the motion, or at several, by name.

        Dense output: the motion is integrated from the sample before, to the same tolerance.
        """
        times = self._track.within(np.atleast_1d(np.asarray(t, dtype=float)))
        found = self._track.at(times)
        return dict(zip(self.names, (found[0] if np.ndim(t) == 0 else found.T), strict=True))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the state, in order."""
        return self.flow.names

    def __getitem__(self, name: str) -> Array:
        """An entry of the state by name; with dots added, its rate, the rate of that, …"""
        if name in self.names:
            return self.y[:, self.names.index(name)]
        known = [x for x in self.names if name.startswith(x) and not name[len(x) :].strip(".")]
        if not known:
            raise unknown("run", "entry of the state", name, self.names)
        entry = max(known, key=len)
        rates = dict(zip(self.flow.state, self.flow.rates, strict=True))
        found = self.flow.state[self.names.index(entry)]
        for _ in name[len(entry) :]:
            found = time_derivative(found, rates, TIME)
        return self.of(found)

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
    description gives, or zero, moved onto the constraints. Integrated by DOP853; `rate`, `at`,
    `start`, `rtol`, `atol` and `max_step` are those of `simulate`.
    """
    stepping = Settings("dop853", rtol, atol, max_step).stepping(0.0)
    asked = sampling(duration, rate, at, start)
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
    first = initial_values(made, initial or {})
    y = np.array([float(evaluate(x, known)) for x in first.values()])
    moving = _Moving(made, known, stepping)
    y = moving.kept(start, y)
    track, asked, notices = _sampled(moving, y, asked)
    shown = None if asked.given is None else np.isin(track.t, asked.given)
    return FlowRun(source, made, known, track, shown, tuple(notices))


def _sampled(moving: _Moving, y: Array, asked: Sampling) -> tuple[Track, Sampling, list[str]]:
    """The states from y on, as finely as what moves asks for where no rate is given."""
    states, rate = moving.states(asked.times, y), 0.0
    for _ in range(PASSES if asked.is_chosen else 0):
        kinds = [""] * len(y)
        rates = np.maximum(np.abs(moving.rates(asked.times, states)), slopes(asked.times, states))
        rate = rate_for(states, rates, kinds, np.zeros((len(states), 0)))
        factor = factor_for(asked, rate, None)
        if factor == 1:
            break
        asked = asked.finer(factor)
        states = moving.states(asked.times, y)
    return Track(asked.times, states, moving.states), asked, coarse(asked, rate)


@final
class _Moving:
    """The functions of a flow at one set of parameters."""

    def __init__(self, made: Flow, known: Mapping[str, float], stepping: Method) -> None:
        assert isinstance(stepping, Dop853), "flows are integrated by DOP853"
        self._name = made.mechanism.name
        self._stepping = stepping
        codes = {name: kernel_code(kernel, "") for name, kernel in flow_kernels(made).items()}
        self._code = {
            name: (code, np.array([known[x] for x in code.parameters]))
            for name, code in codes.items()
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

    def rates(self, times: Array, states: Array) -> Array:
        """ẏ at every sample."""
        return self._call["rate"](states, times[:, np.newaxis])

    def states(self, times: Array, y: Array) -> Array:
        """At every time, y being that of the first."""
        if not available():
            return self._stepped(y, times)
        entries = {name: entry(*made) for name, made in self._code.items()}
        problem = Problem(entries["rate"], entries.get("closing"), entries.get("calming"))
        found = drive(problem, y, times, self._stepping, closed=CLOSED)
        if found.code is not Code.DONE:
            raise SolveError(
                f't = {found.time:.6g} s of "{self._name}"',
                f"the motion cannot be continued ({found.code.name.lower().replace('_', ' ')}).",
                f"The state was {', '.join(f'{x:.4g}' for x in found.state)}.",
            )
        return found.states

    def _stepped(self, y: Array, times: Array) -> Array:
        """Without machine code, by SciPy's DOP853."""
        from scipy.integrate import DOP853

        def rate(t: float, state: Array) -> Array:
            return self._call["rate"](state, np.array([t]))

        options = {n: self._stepping.settings()[n] for n in ("rtol", "atol", "max_step")}
        solver = DOP853(rate, times[0], y, times[-1], **options)
        states = [y]
        while solver.status == "running":
            solver.step()
            dense = solver.dense_output()
            while len(states) < len(times) and times[len(states)] <= solver.t:
                states.append(self.kept(times[len(states)], dense(times[len(states)])))
            solver.y = self.kept(solver.t, solver.y)
        return np.array(states)
