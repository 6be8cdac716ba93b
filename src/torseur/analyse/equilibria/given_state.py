"""Meaning of `at=`: a state, an assembly, coordinates and speeds by name, or nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from torseur.analyse.at_a_state.chart import chart
from torseur.analyse.at_a_state.initial_states import steady_start, wanted_speeds
from torseur.analyse.at_a_state.statics import AtState, Unknowns, steady_state
from torseur.analyse.equilibria.cyclic import cyclic_displacements, stays_balanced
from torseur.analyse.stability.steady import Steady
from torseur.errors import ModelError
from torseur.machine.compiled import CompiledModel
from torseur.model.description import Mechanism
from torseur.simulation.start.assemble import Assembled
from torseur.words.sentence import say

Array = np.ndarray
_REST = 1e-9  # of the largest speed: a speed that is rounding of an assembly


def state(
    mechanism: Mechanism | CompiledModel | Steady | Assembled | None,
    at: Any,
    independent: Sequence[str],
    parameters: Mapping[str, float] | None,
    t: float,
    modes: Mapping[str, str] | None = None,
) -> Steady:
    """State that `at` means: a steady state, an assembly, values by name, or nothing.

    `modes` are those of contacts. A state in the place of the mechanism is one of its own.
    """
    if at is None and isinstance(mechanism, Steady | Assembled):
        at, mechanism = mechanism, mechanism.model
    # a state that was found, with other independent coordinates if they are named
    if isinstance(at, Steady):
        if parameters:
            problem = say(
                "a state that was found has its own values, not {parameters}.",
                ", ".join(parameters),
            )
            raise ModelError("parameters", problem, "Look for the state with these parameters.")
        preferred = wanted_speeds(at.here.tangent, independent)
        if not independent:
            return at
        return replace(at, here=replace(at.here, chart=chart(at.here.terms, preferred)))
    if not isinstance(mechanism, Mechanism | CompiledModel):
        raise _type_error(
            "mechanism", mechanism, say("a mechanism, a compiled model, or a state found")
        )
    if not isinstance(at, Mapping | Assembled | None):
        raise _type_error("at", at, say("a state found or assembled, or coordinates by name"))
    # an assembled state, or the one nearest to what is given
    state, preferred = steady_start(mechanism, at or {}, independent, parameters, t, modes=modes)
    # without anything given, the nearest equilibrium
    if at is None and state.chart.speeds:
        sought = Unknowns(frozen=cyclic_displacements(state), wanted=preferred)
        balance = sought.solved(state)
        if balance is None or not stays_balanced(balance, sought):
            raise state.unbalanced()
        return Steady(balance)
    return _state_as_given(state, preferred)


def _type_error(place: str, value: object, expected: str) -> ModelError:
    several = "Give one of them, such as results[0]." if isinstance(value, Iterable) else ""
    problem = say("expected {wanted}, got {kind}.", expected, type(value).__name__)
    return ModelError(place, problem, *filter(None, [several]))


def _state_as_given(state: AtState, preferred: tuple[int, ...]) -> Steady:
    """The state, found to be steady or not."""
    sought = Unknowns(wanted=preferred)
    speeds = [state.v[i] for i in state.chart.speeds]
    if not any(speeds):
        if sought.balanced(state) and stays_balanced(state, sought):
            return Steady(state)
    else:
        motion = _steady_motion(state, float(np.abs(speeds).max()), preferred)
        if motion is not None:
            return motion
    return Steady(state.moving(), is_steady=False)


def _steady_motion(state: AtState, speed: float, preferred: tuple[int, ...]) -> Steady | None:
    """The steady motion that a state with speeds is, if nothing but cyclic coordinates moves."""
    cyclic = cyclic_displacements(state, speed)
    sought = Unknowns(frozen=cyclic, turning=cyclic, wanted=preferred)
    size = float(np.abs(state.v).max(initial=0.0))
    moves = [i for i in state.chart.shifts if abs(state.v[i]) > _REST * size]
    if any(i not in cyclic for i in moves):
        return None
    motion = steady_state(state.tangent, state.q, state.v, state.t, sought, state.chart)
    if not sought.balanced(motion) or not stays_balanced(motion, sought):
        return None
    return Steady(motion, cyclic if moves else frozenset())
