"""Options of a motion: its start, the times of its states, and its method."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from torseur.errors import ModelError, unknown
from torseur.machine.integrators.methods import (
    RK4,
    Dop853,
    Euler,
    FixedStep,
    Method,
    Radau,
)
from torseur.model.checks.limits import MOST_STEPS
from torseur.simulation.constraints.multipliers import RESOLUTIONS
from torseur.words.sentence import say

Array = np.ndarray
Progress = Callable[[float], None]
AUTO = "auto"


def check_positive(**numbers: float | None) -> None:
    """Refuse what is given and not a positive number."""
    for name, number in numbers.items():
        if number is not None and not isinstance(number, int | float | np.number):
            kind = type(number).__name__
            raise ModelError(
                "simulate", say("{name} is a {kind}, not a number.", name, kind), "Give it in SI."
            )
        if number is not None and not (number > 0 and np.isfinite(number)):
            condition = say("finite") if number > 0 else say("positive")
            raise ModelError(
                "simulate", say("{name} must be {wanted}, got {number}.", name, condition, number)
            )


@final
@dataclass(frozen=True)
class Beginning:
    """Start of a motion: values by name, and the time."""

    given: dict[str, float]
    t: float  # [s]


@final
@dataclass(frozen=True)
class Request:
    """Times of the states, callback for the time reached, and whether events are looked for."""

    times: Array
    progress: Progress | None = None
    watches: bool = True


@final
@dataclass(frozen=True)
class Settings:
    """Method of an integration, resolution of multipliers, and notices about unused options."""

    method: Method
    multipliers: str = AUTO  # how accelerations and multipliers are solved for
    notices: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.multipliers not in (AUTO, *RESOLUTIONS):
            known = (AUTO, *RESOLUTIONS)
            raise unknown("simulate", "resolution of multipliers", self.multipliers, known)
        method = self.method
        if isinstance(method, FixedStep):
            check_positive(step=method.step, atol=getattr(method, "atol", None))
            return
        limit = None if method.max_step == np.inf else method.max_step
        check_positive(rtol=method.rtol, max_step=limit)
        if method.rtol >= 1:
            advice = "It is the error allowed of a value, in parts of it; for instance 1e-9."
            raise ModelError("simulate", say("rtol is {rtol:g}, not below 1.", method.rtol), advice)

    @property
    def name(self) -> str:
        """Name of the method."""
        pauses = isinstance(self.method, Dop853) and self.method.patience
        return AUTO if pauses else self.method.kernel

    @property
    def step(self) -> float | None:
        """Fixed step given [s]; None where it is chosen for the motion."""
        return self.method.step if isinstance(self.method, FixedStep) else None

    def check_steps(self, span: float) -> None:
        """Refuse more steps over a time than can be made."""
        for name in ("step", "max_step"):
            step = getattr(self.method, name, None)
            if step is not None and span / step > MOST_STEPS:
                problem = say(
                    "{name} {step:g} s makes {span:.3g} steps, more than 1e10.",
                    name,
                    step,
                    span / step,
                )
                raise ModelError("simulate", problem, "Ask for longer steps.")

    @property
    def tolerance(self) -> float | None:
        """Relative tolerance of a method that controls its error; None for fixed steps."""
        return None if isinstance(self.method, FixedStep) else self.method.rtol

    def stepping(self, interval: float) -> Method:
        """The method; fixed steps are as long as an interval unless a step is given."""
        if isinstance(self.method, FixedStep) and self.method.step is None:
            return replace(self.method, step=interval)
        return self.method

    def in_lanes(self, interval: float) -> Method | None:
        """The method, if rows of a batch can move in lanes by it."""
        has_lanes = isinstance(self.method, Dop853 | Radau | RK4 | Euler)
        return self.stepping(interval) if has_lanes and self.multipliers == AUTO else None
