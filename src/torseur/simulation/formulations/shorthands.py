"""Short spellings of options: `rtol=1e-6` for `method=Dop853(rtol=1e-6)`, `rate=50`, `sample=1e-3`.

`simulate`, `Stepper`, `rollout` and `integrate` read their options here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, TypedDict, TypeVar, Unpack

import numpy as np

from torseur.errors import ModelError, require_known, unknown
from torseur.machine.integrators.methods import (
    RK4,
    Dop853,
    Euler,
    FixedStep,
    Method,
    Moreau,
    Radau,
    Symplectic,
)
from torseur.simulation.control.loop import Law, Loop, SymbolicLaw, TextLaw
from torseur.simulation.formulations.request import AUTO, Settings, check_positive
from torseur.simulation.formulations.sampling import Sampling
from torseur.words.sentence import say

Array = np.ndarray
T = TypeVar("T", Method, Sampling, Loop)
Controlling = Law | SymbolicLaw | Loop | Mapping[str, str | float]
METHODS: dict[str, Method] = {
    # short steps in a row before a run pauses to see what keeps them short, as in Hairer's programs
    AUTO: Dop853(patience=15),
    "dop853": Dop853(),
    "radau": Radau(),
    "rk4": RK4(),
    "euler": Euler(),
    "symplectic": Symplectic(),
    "symplectic2": Symplectic(order=2),
    "symplectic6": Symplectic(order=6),
    "moreau": Moreau(),
}


class MethodShorthands(TypedDict, total=False):
    """Settings of the method."""

    rtol: float | None
    atol: float | None
    max_step: float | None
    step: float | None


class Shorthands(MethodShorthands, total=False):
    """Settings of the method, of the sampling and of the loop of control."""

    rate: float | None
    at: Sequence[float] | Array | None
    sample: float | None
    delay: float | None


def options_of(
    method: str | Method,
    multipliers: str,
    sampling: Sampling | None,
    control: Controlling | None,
    *,
    rate: float | None = None,
    at: Sequence[float] | Array | None = None,
    sample: float | None = None,
    delay: float | None = None,
    **short: Unpack[MethodShorthands],
) -> tuple[Settings, Sampling, Loop | None]:
    """Method, sampling and loop of the options of `simulate`, short spellings included."""
    settings = settings_of(method, multipliers, **short)
    samples = _completed(sampling or Sampling(), {"rate": rate, "at": at})
    return settings, samples, _loop(control, sample, delay)


def settings_of(
    method: str | Method, multipliers: str = AUTO, **short: Unpack[MethodShorthands]
) -> Settings:
    """Settings of a motion by a method, or by its name and short spellings of its settings."""
    given = {name: x for name, x in short.items() if x is not None}
    check_positive(**short)
    if not isinstance(method, str):
        if not isinstance(method, Method):
            raise unknown("simulate", "method", str(method), METHODS)
        return Settings(_completed(method, given), multipliers)
    require_known("simulate", "method", method, METHODS)
    named = METHODS[method]
    known = {x.name for x in fields(named)}
    used: dict[str, Any] = {name: x for name, x in given.items() if name in known}
    return Settings(replace(named, **used), multipliers, _unused(method, given))


def _unused(method: str, given: Mapping[str, object]) -> tuple[str, ...]:
    """Notice about a step that a method by name does not use."""
    is_fixed = isinstance(METHODS[method], FixedStep)
    if is_fixed and "max_step" in given:
        return (say('max_step is not used: "{method}" has a fixed step.', method),)
    if not is_fixed and "step" in given:
        return (
            say('step is not used: "{method}" chooses its steps; max_step limits them.', method),
        )
    return ()


def _loop(control: Controlling | None, sample: float | None, delay: float | None) -> Loop | None:
    """Loop of control by an object, or by a law and its sampling time; None without control."""
    if control is None:
        if sample is not None or delay:
            problem = "a sampling time or a delay is given, but no control."
            raise ModelError("simulate", problem, "Give the law: control=f, with f(t, q, v) → Q.")
        return None
    if isinstance(control, Loop):
        return _completed(control, {"sample": sample, "delay": delay})
    if sample is None:
        raise ModelError(
            "simulate",
            "control has no sampling time.",
            "Give it in seconds: sample=1e-3. A law without samples is a force of the "
            "description: {type: joint, joint: A, value: -k*theta}.",
        )
    law = TextLaw(control) if isinstance(control, Mapping) else control
    return Loop(law, sample, delay or 0.0)


def _completed(value: T, given: Mapping[str, Any]) -> T:
    """An object with short spellings of what it leaves open; reject those that contradict it."""
    kind = type(value).__name__
    open_fields = {}
    for name, short in given.items():
        known: Any = getattr(value, name, None)
        if short is None or np.array_equal(known, short):
            continue
        if known is None and hasattr(value, name):
            open_fields[name] = short
            continue
        problem = say("{name} is {short}, but {known} in {kind}(…).", name, short, known, kind)
        if known is None:
            problem = say("{name} is {short}, but {kind} has no {name}.", name, short, kind)
        raise ModelError("simulate", problem, say("Leave out {name}, or {kind}(…).", name, kind))
    return replace(value, **open_fields) if open_fields else value
