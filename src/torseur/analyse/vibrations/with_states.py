"""Small motions of mechanisms with first-order states: filters, actuators, hydraulics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from torseur.algebra.calculus.derivative import gradient
from torseur.algebra.core.graph import evaluate, free_symbols
from torseur.analyse.vibrations.linear_systems import StateSpace
from torseur.analyse.vibrations.linearise import Linear, linearise
from torseur.errors import ModelError, SolveError
from torseur.model.description import Mechanism
from torseur.model.values.numeric import with_states_held
from torseur.words.sentence import say

Array = np.ndarray
_STEPS = 30  # of Newton's method
_CLOSE = 1e-12  # relative change of the states


def linear_system(
    mechanism: Mechanism,
    at: Mapping[str, float] | None = None,
    *,
    inputs: Sequence[str] | None = None,
    outputs: Sequence[str] = (),
) -> StateSpace:
    """ẋ = A x + B u, y = C x + D u of small motions, x = (s, w, first-order states).

    It is taken about the rest nearest to the description's initial values: coordinates and states
    that stand still together. `at` gives coordinates and states to start from; coordinates that are
    given there stay, and must be a rest. Inputs and outputs are named as for `linearise`; outputs
    may be states too, and are the independent coordinates and the states if none are named.
    """
    states = mechanism.states
    if not states:
        return linearise(mechanism, at, inputs=inputs).system(outputs)
    place = {} if at is None else dict(at)
    x = {n: float(evaluate(s.initial, mechanism.parameters)) for n, s in states.items()}
    x |= {n: float(place.pop(n)) for n in states if n in place}
    with_parameters, about = with_states_held(mechanism), place or None
    for _ in range(_STEPS):
        about_rest = linearise(
            with_parameters, about, inputs=_inputs(with_parameters, inputs, states), parameters=x
        )
        rates, R = _rates(mechanism, about_rest, x)
        n, m = len(about_rest.A), len(x)
        A = np.block([[about_rest.A, about_rest.B[:, -m:]], [R]])
        step = -np.linalg.lstsq(A, np.concatenate([np.zeros(n), rates]), rcond=None)[0][n:]
        x = {name: value + d for (name, value), d in zip(x.items(), step, strict=True)}
        if np.abs(step).max() <= _CLOSE * max(np.abs(list(x.values())).max(), 1e-300):
            return _assembled(about_rest, A, tuple(x), outputs)
    problem = say("no rest of the states {names} was found.", ", ".join(states))
    raise SolveError("linear_system", problem, "Give values near to it: at={…}.")


def _inputs(
    with_parameters: Mechanism, inputs: Sequence[str] | None, states: Mapping[str, object]
) -> tuple[str, ...]:
    """The inputs as asked for, then the states."""
    if inputs is None:
        return (*with_parameters.inputs, *states)
    clash = [name for name in inputs if name in states]
    if clash:
        problem = say('"{name}" is a state, not an input.', clash[0])
        raise ModelError("linear_system", problem, "Leave it out of inputs.")
    return (*inputs, *states)


def _rates(mechanism: Mechanism, about_rest: Linear, x: Mapping[str, float]) -> tuple[Array, Array]:
    """The rates of the states at rest, and their slopes by (s, w, states)."""
    steady, values = about_rest.steady, {**mechanism.parameters, **x, "t": 0.0}
    values |= {**steady.coordinates, **steady.speeds}
    C = {**about_rest.channels.positions, **about_rest.channels.speeds}
    rates, rows = [], []
    for state in mechanism.states.values():
        symbols = list(free_symbols([state.rate]))
        rates.append(float(evaluate(state.rate, values)))
        slopes = evaluate(list(gradient(state.rate, symbols)), values)
        row = np.zeros(len(about_rest.A) + len(x))
        for s, slope in zip(symbols, slopes, strict=True):
            if s.name in x:
                row[len(about_rest.A) + list(x).index(s.name)] += float(slope)
            elif s.name in C:
                row[: len(about_rest.A)] += float(slope) * C[s.name]
        rows.append(row)
    return np.array(rates), np.array(rows)


def _assembled(
    about_rest: Linear, A: Array, states: tuple[str, ...], outputs: Sequence[str]
) -> StateSpace:
    """The system with its names."""
    m, names = len(states), (*about_rest.states, *states)
    B = np.vstack([about_rest.B[:, :-m], np.zeros((m, about_rest.B.shape[1] - m))])
    listed = tuple(outputs or (*about_rest.coordinates, *states))
    C, D = [], []
    for name in listed:
        if name in states:
            C.append(np.eye(len(A))[names.index(name)])
            D.append(np.zeros(B.shape[1]))
        else:
            c, d = about_rest.channels.output(name)
            C.append(np.concatenate([c, d[-m:]]))
            D.append(d[:-m])
    shape = len(listed), B.shape[1]
    return StateSpace(
        A, B, np.array(C), np.reshape(D, shape), names, about_rest.inputs[:-m], listed
    )
