"""Options of a motion: its start, the times of its states, and its method."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

import numpy as np

from torseur.errors import ModelError, require_known, unknown
from torseur.machine.integrators.methods import RK4, Dop853, Euler, Method, Radau
from torseur.model.checks.limits import MOST_STEPS
from torseur.simulation.constraints.multipliers import RESOLUTIONS
from torseur.words.sentence import say

Array = np.ndarray
Progress = Callable[[float], None]
FIXED = {"rk4": RK4, "euler": Euler}  # by the names of the methods
ORDERS = {"symplectic": 4, "symplectic2": 2, "symplectic6": 6}  # by the names of the methods
# Short steps in a row before it is asked what keeps them short, as in Hairer's programs; 0: never.
PATIENCE = {"auto": 15, "dop853": 0}
AUTO = "auto"
MOREAU = "moreau"  # by steps in which contacts act by impulses
METHODS = ("auto", "dop853", "radau", *FIXED, *ORDERS, MOREAU)
_OF_FIXED_STEP = (*FIXED, *ORDERS, MOREAU)


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
    """Options of an integration, as given."""

    method: str = "auto"
    rtol: float = 1e-9
    atol: float | None = None  # None: 1e-3 rtol
    max_step: float | None = None  # [s]
    step: float | None = None  # of a method of fixed step [s]
    multipliers: str = AUTO  # how accelerations and multipliers are solved for

    def __post_init__(self) -> None:
        if self.multipliers not in (AUTO, *RESOLUTIONS):
            known = (AUTO, *RESOLUTIONS)
            raise unknown("simulate", "resolution of multipliers", self.multipliers, known)
        require_known("simulate", "method", self.method, METHODS)
        check_positive(rtol=self.rtol, atol=self.atol, max_step=self.max_step, step=self.step)
        if self.rtol >= 1:
            advice = "It is the error allowed of a value, in parts of it; for instance 1e-9."
            raise ModelError("simulate", say("rtol is {rtol:g}, not below 1.", self.rtol), advice)

    def check_steps(self, span: float) -> None:
        """Refuse more steps over a time than can be made."""
        for name, step in (("step", self.step), ("max_step", self.max_step)):
            if step is not None and span / step > MOST_STEPS:
                problem = say(
                    "{name} {step:g} s makes {span:.3g} steps, more than 1e10.",
                    name,
                    step,
                    span / step,
                )
                raise ModelError("simulate", problem, "Ask for longer steps.")

    @property
    def notices(self) -> tuple[str, ...]:
        """Options that the method does not use."""
        fixed = self.method in _OF_FIXED_STEP
        if fixed and self.max_step is not None:
            return (say('max_step is not used: "{method}" has a fixed step.', self.method),)
        if not fixed and self.step is not None:
            return (
                say(
                    'step is not used: "{method}" chooses its steps; max_step limits them.',
                    self.method,
                ),
            )
        return ()

    @property
    def tolerance(self) -> float | None:
        """Relative tolerance of a method that controls its error; None for fixed steps."""
        return None if self.method in _OF_FIXED_STEP else self.rtol

    def stepping(self, interval: float) -> Method:
        """The method; "auto" is DOP853 that pauses where it finds itself held short.

        Fixed steps are as long as the interval between samples unless a step is given.
        """
        if self.method in FIXED:
            return FIXED[self.method](self.step or interval)
        longest = np.inf if self.max_step is None else self.max_step
        if self.method == "radau":
            return Radau(self.rtol, self.atol, longest)
        return Dop853(self.rtol, self.atol, longest, PATIENCE[self.method])

    def in_lanes(self, interval: float) -> Method | None:
        """The method, if rows of a batch can move in lanes by it."""
        laned = self.method in (*PATIENCE, *FIXED, "radau") and self.multipliers == AUTO
        return self.stepping(interval) if laned else None
