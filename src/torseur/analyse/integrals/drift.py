"""Drift of the first integrals along a run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, final

import numpy as np

from torseur.algebra.core.expr import expression
from torseur.algebra.forms.dimensions import known_dimension
from torseur.analyse.integrals.integrals import FirstIntegral, first_integrals
from torseur.brief import without_rounding
from torseur.equations.analytical.lagrangian import Hamiltonian, Lagrangian, Routhian
from torseur.equations.expressions.sampling import over_samples, with_size
from torseur.errors import ModelError
from torseur.model.description import Mechanism
from torseur.notices import text_table
from torseur.result import Result
from torseur.simulation.observe.observer import symbol_values
from torseur.simulation.run.flow_run import FlowRun
from torseur.simulation.run.run import Run
from torseur.words.sentence import say

Array = np.ndarray
_ROUNDING = 1e-15  # of the size of its terms: what adding them up leaves
_SMALL = 1e-6  # of what is usual in the mechanism: a motion that is none


@final
class Drift(Result):
    """One first integral along a run."""

    integral: FirstIntegral
    values: Array  # (samples)
    size: float  # the largest sum of the sizes of its terms, or of another one of the same unit;
    # where nothing moves, a small part of what is usual in the mechanism

    @property
    def name(self) -> str:
        """Name of the integral."""
        return self.integral.name

    @property
    def largest(self) -> float:
        """The largest change since the start, in its unit."""
        return float(np.abs(self.values - self.values[0]).max(initial=0.0))

    @property
    def relative(self) -> float:
        """Largest change relative to the size of the terms, which is not zero where they cancel."""
        return self.largest / self.size if self.size > 0 else 0.0


@final
class Drifts(Result):
    """All first integrals along a run."""

    rows: tuple[Drift, ...]

    def __iter__(self) -> Iterator[Drift]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def worst(self) -> float:
        """The largest relative change of any of them."""
        return max((row.relative for row in self.rows), default=0.0)

    @property
    def document(self) -> list[dict[str, Any]]:
        """Plain data."""
        return [
            {
                "name": row.name,
                "unit": row.integral.unit,
                "start": float(row.values[0]),
                "drift": row.largest,
                "relative": row.relative,
            }
            for row in self.rows
        ]

    def __str__(self) -> str:
        head = (say("integral"), say("at the start"), say("largest change"), say("relative"))
        cells = [head]
        for row in self.rows:
            unit = row.integral.unit
            both = without_rounding([row.values[0], row.largest], _ROUNDING * row.size)
            start, drift = (f"{x:.6g} {unit}" for x in both)
            relative = row.relative if both[1] else 0.0  # of rounding alone
            cells.append((row.name, start, drift, f"{relative:.1e}"))
        return "\n".join(text_table(cells))


def monitor(run: Run | FlowRun, integrals: Iterable[FirstIntegral] | None = None) -> Drifts:
    """Drift of first integrals along a run: of given ones, or of all those of the mechanism.

    They are looked for with the values that the parameters have in the run.
    """
    given: Mechanism | Lagrangian
    if isinstance(run, FlowRun):
        given, values = _of_flow(run)
    else:
        given = run.model.mechanism
        if given.commanded:
            problem = "a controller acts from sample to sample: no integral is constant."
            advice = "run.energy_drift measures the error of the energy balance."
            raise ModelError("monitor", problem, advice)
        values = symbol_values(run, 1)
    constants = first_integrals(_valued(given, values)) if integrals is None else integrals
    rows = [_drift(one, values, len(run.t)) for one in constants]
    sizes = {row.integral.unit: 0.0 for row in rows}
    for row in rows:
        usual = _SMALL * _usual(run, row.integral.unit)
        sizes[row.integral.unit] = max(sizes[row.integral.unit], row.size, usual)
    return Drifts(tuple(replace(row, size=sizes[row.integral.unit]) for row in rows))


def _of_flow(run: FlowRun) -> tuple[Lagrangian, dict[str, Any]]:
    """The Lagrangian that moves, and the values of its symbols at every sample."""
    source = run.source
    values: dict[str, Any] = {"t": run.t, **run.parameters}
    values |= {name: run[name] for name in run.names}
    if isinstance(source, Hamiltonian):
        given = source.lagrangian
        speeds = over_samples(source.speeds, values, len(run.t))
        values |= {x.name: speeds[:, k] for k, x in enumerate(given.system.v)}
        return given, values
    if isinstance(source, Routhian):
        return source.lagrangian, values
    if isinstance(source, Lagrangian):
        return source, values
    raise ModelError(
        "monitor",
        say("the energy of a run of {kind} is unknown.", type(source).__name__),
        "Give the integrals, or integrate a Lagrangian, its Hamiltonian or a mechanism.",
    )


def _valued(given: Mechanism | Lagrangian, values: Mapping[str, Any]) -> Mechanism | Lagrangian:
    """Source with the parameter values of the run: a friction set to zero vanishes."""
    if isinstance(given, Lagrangian):
        mechanism = _valued(given.system.mechanism, values)
        assert isinstance(mechanism, Mechanism), "a mechanism stays one"
        return replace(given, system=replace(given.system, mechanism=mechanism))
    table = {
        name: replace(x, value=x.value if values[name] is None else expression(values[name]))
        for name, x in given.parameter_table.items()
    }
    return replace(given, parameter_table=table)


def _drift(integral: FirstIntegral, values: dict[str, Any], samples: int) -> Drift:
    value, size = with_size(integral.value, values)
    return Drift(integral, np.broadcast_to(value, samples), float(np.max(size, initial=0.0)))


def _usual(run: Run | FlowRun, unit: str) -> float:
    """Usual size of a quantity of a unit, from the scales of the mechanism."""
    if isinstance(run, FlowRun):
        return 0.0
    scales, (kg, m, s, *_) = run.model.sizes.scales, map(float, known_dimension(unit).powers)
    return float(scales.mass**kg * scales.length**m * scales.time**s)
