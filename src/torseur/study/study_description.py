"""A study as it is described: the model, what varies, by which design, and what comes out."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, final

from torseur.algebra.core.expr import Expr
from torseur.brief import brief
from torseur.language.text.literals import plain_unit, si_unit
from torseur.machine.compiled import CompiledModel, compiled_at
from torseur.model.description import Mechanism
from torseur.model.values.fingerprint import fingerprint, written
from torseur.model.values.scales import state_units
from torseur.study.distributions import Distribution
from torseur.study.sample_measures import CURVE, SampleMeasure
from torseur.version import __version__

TIME_AXIS = "time"  # what the times of curves are called, among outputs and in files


@final
@dataclass(frozen=True)
class Factor:
    """Varied quantity: a parameter, or the initial value of a coordinate or a speed."""

    name: str
    distribution: Distribution
    unit: str = ""  # SI


@final
@dataclass(frozen=True)
class StudyOutput:
    """Output: an expression of measures, parameters and earlier outputs, or a curve."""

    name: str
    text: str  # as it was written
    value: Expr
    measures: Mapping[str, SampleMeasure]  # by the names that stand for them in the value
    unit: str = ""  # as it was written; empty: that of the measure

    @property
    def is_curve(self) -> bool:
        """Whether it is a curve over time."""
        return any(x.kind == CURVE for x in self.measures.values())


@final
@dataclass(frozen=True)
class Design:
    """Sampling method of a study."""

    method: str  # of METHODS
    samples: int  # asked for; a grid has its own number
    seed: int = 0


@final
@dataclass(frozen=True, eq=False)
class Study:
    """The model, what varies, by which design, and what comes out."""

    __repr__ = brief

    name: str
    mechanism: Mechanism
    factors: tuple[Factor, ...]
    design: Design
    outputs: tuple[StudyOutput, ...]
    run: Mapping[str, Any] = field(default_factory=dict)  # options of `simulate`
    initial: Mapping[str, float] = field(default_factory=dict)
    parameters: Mapping[str, float] = field(default_factory=dict)
    source: Mapping[str, Any] = field(default_factory=dict)  # as plain data

    @cached_property
    def model(self) -> CompiledModel:
        """The model at the parameters that do not vary."""
        return compiled_at(self.mechanism, self.parameters)

    @property
    def measures(self) -> tuple[SampleMeasure, ...]:
        """Measures of every sample, each once."""
        listed = (x for output in self.outputs for x in output.measures.values())
        return tuple(dict.fromkeys(listed))

    @property
    def moves(self) -> bool:
        """Whether samples are runs."""
        return any(x.moves for x in self.measures)

    @property
    def scalars(self) -> tuple[StudyOutput, ...]:
        """The outputs that are numbers."""
        return tuple(x for x in self.outputs if not x.is_curve)

    @property
    def curves(self) -> tuple[StudyOutput, ...]:
        """The outputs that are curves."""
        return tuple(x for x in self.outputs if x.is_curve)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the varied quantities."""
        return tuple(x.name for x in self.factors)

    @cached_property
    def digest(self) -> str:
        """Hash of everything that the numbers depend on."""
        text = json.dumps(dict(self.source), ensure_ascii=False, sort_keys=True)
        return _digest(__version__, text, self.model_digest)

    @cached_property
    def model_digest(self) -> str:
        """Hash of the mechanism as far as numbers depend on it, values included."""
        now = self.mechanism
        parts = now.parameters, now.initial, now.points, now.frames, now.events
        return _digest(fingerprint(now), *(written(dict(x)) for x in parts))


def _digest(*texts: str) -> str:
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()


def factor_units(mechanism: Mechanism) -> dict[str, str]:
    """The SI units of all that may vary."""
    table = mechanism.parameter_table
    parameters = {n: si_unit(plain_unit(x.unit)) for n, x in table.items()}
    return parameters | state_units(mechanism)
