"""The result of the motion of equations: entries of the state, and formulas of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from torseur.algebra.calculus.derivative import time_derivative
from torseur.algebra.core.expr import TIME
from torseur.brief import numbered
from torseur.equations.expressions.sampling import over_samples
from torseur.equations.functions.flow import Flow, Source
from torseur.errors import require_known, unknown
from torseur.simulation.run.samples import Course, nothing_between

Array = np.ndarray


@final
@dataclass(frozen=True)
class FlowSamples:
    """States at successive times."""

    t: Array  # (samples) [s]
    y: Array  # (samples, state)


@final
class FlowRun:
    """Samples of a flow: `run["x"]` is an entry of the state, `run.of(formula)` anything else.

    `run(t)` is the state at any time of the motion.
    """

    def __init__(
        self,
        source: Source,
        flow: Flow,
        parameters: Mapping[str, float],
        course: Course[FlowSamples],
        samples: FlowSamples,
        notices: tuple[str, ...] = (),
    ) -> None:
        self.source = source
        self.flow = flow
        self.parameters = parameters
        self.t = samples.t  # (samples) [s]
        self.y = samples.y  # (samples, state)
        self.notices = notices
        self._course = course

    def __repr__(self) -> str:
        lasts = f"{numbered(len(self.t), 'sample')} from {self.t[0]:g} to {self.t[-1]:g} s"
        return f'<FlowRun of "{self.flow.mechanism.name}": {lasts}>'

    def __reduce__(self) -> tuple[Any, ...]:
        course = replace(self._course, onward=nothing_between, read=stored_samples)
        samples = FlowSamples(self.t, self.y)
        given = (self.source, self.flow, self.parameters, course, samples, self.notices)
        return FlowRun, given

    @property
    def span(self) -> tuple[float, float]:
        """When the motion starts and ends [s], samples or not."""
        return float(self._course.t[0]), float(self._course.t[-1])

    @property
    def end(self) -> dict[str, float]:
        """The state at the end of the motion, by name."""
        return dict(zip(self.names, map(float, self._course.states[-1]), strict=True))

    def __call__(self, t: Any) -> dict[str, Any]:
        """The state at a time of the motion, or at several, by name.

        Dense output: the motion is integrated from the sample before, to the same tolerance.
        """
        state = self._course.at(t).y
        return dict(zip(self.names, (state[0] if np.ndim(t) == 0 else state.T), strict=True))

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
        column = self.flow.state[self.names.index(entry)]
        for _ in name[len(entry) :]:
            column = time_derivative(column, rates, TIME)
        return self.of(column)

    def of(self, outputs: Any) -> Array:
        """Expressions of the state, the parameters and t at every sample (samples, …)."""
        known: dict[str, Any] = {**self.parameters, TIME.name: self.t}
        known |= dict(zip(self.flow.names, self.y.T, strict=True))
        return over_samples(outputs, known, len(self.t))

    def multiplier(self, name: str) -> Array:
        """The multipliers of a constraint (samples, rows)."""
        require_known("run", "constraint", name, self.flow.multipliers)
        return self.of(self.flow.multipliers[name])


def stored_samples(t: Array, y: Array, whole: FlowSamples | None) -> FlowSamples:
    """The states as they are."""
    return FlowSamples(t, y)
