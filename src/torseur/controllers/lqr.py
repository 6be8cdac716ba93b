"""The linear-quadratic regulator of small motions about a state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, final

import numpy as np
from scipy.linalg import LinAlgError, block_diag, expm, solve_continuous_are, solve_discrete_are

from torseur.algebra.core.expr import Expr, symbol
from torseur.analyse.vibrations.linearise import Linear
from torseur.controllers.controller import Controller, controller
from torseur.errors import ModelError, SolveError, require_known, unknown
from torseur.model.description import Mechanism
from torseur.result import Result
from torseur.words.sentence import say

Array = np.ndarray
Weights = float | Mapping[str, float] | Sequence[Sequence[float]] | Array


@final
class LinearRegulator(Result):
    """u = u₀ − K (x − x₀), which makes ∫ (xᵀ Q x + uᵀ R u) dt least; that least is xᵀ P x."""

    K: Array  # (inputs, states)
    P: Array  # (states, states): the cost of a displacement
    eigenvalues: Array  # of the motion under it: λ, or where it is sampled the factors e^(λ T)
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    law: Controller

    def cost(self, x: Sequence[float] | Array) -> float:
        """xᵀ P x of a displacement, in the order of `states`."""
        return float(np.asarray(x) @ self.P @ np.asarray(x))

    def __str__(self) -> str:
        lines = [f"u = -K x, x = ({', '.join(self.states)})"]
        lines += [f"  K[{name}] = {np.array2string(row, precision=5)}" for name, row in
                  zip(self.inputs, self.K, strict=True)]  # fmt: skip
        return "\n".join(lines)


def lqr(
    linear: Linear, state_weights: Weights, input_weights: Weights, sample: float | None = None
) -> LinearRegulator:
    """The regulator of `ts.linearise(mechanism, at, inputs=[…])`, whose inputs are coordinates.

    Weights are one number, one for each state or input by name (others are zero), or a matrix. With
    `sample`, the law is best among those that are held between samples, for the same integral.
    """
    for name in linear.first_order:
        problem = say(
            'the state "{name}" is not measured: its law has coordinates and speeds.', name
        )
        advice = "linear.A and linear.B serve a Riccati solver, such as scipy.linalg's."
        raise ModelError("lqr", problem, advice)
    Q = _weights("state_weights", state_weights, linear.states)
    R = _weights("input_weights", input_weights, linear.inputs)
    if not len(R) or np.linalg.eigvalsh(R).min() <= 0:
        raise ModelError(
            "lqr",
            say("the weights of the inputs ({names}) must be positive.", ", ".join(linear.inputs)),
            'Name what acts: ts.linearise(mechanism, inputs=["x"]).',
        )
    A, B = linear.A, linear.B
    try:
        if sample is None:
            P = solve_continuous_are(A, B, Q, R)
            K = np.linalg.solve(R, B.T @ P)
        else:
            A, B, Q, R, S = _sampled(A, B, Q, R, float(sample))
            P = solve_discrete_are(A, B, Q, R, s=S)
            K = np.linalg.solve(R + B.T @ P @ B, B.T @ P @ A + S.T)
        eigenvalues = np.linalg.eigvals(A - B @ K)
    except LinAlgError as error:
        raise SolveError(
            "lqr",
            say("Riccati's equation has no solution: {error}", str(error)),
            "Something that is weighted, or not stable, is not moved by the inputs.",
        ) from None
    return LinearRegulator(K, P, eigenvalues, linear.states, linear.inputs, _law(linear, K))


def _sampled(A: Array, B: Array, Q: Array, R: Array, T: float) -> tuple[Array, ...]:
    """A, B, Q, R and S of a step with a held input: the same integral over it.

    Van Loan (1978), Computing integrals involving the matrix exponential.
    """
    n, m = B.shape
    N = n + m
    F = np.vstack([np.hstack([A, B]), np.zeros((m, N))])
    W = block_diag(Q, R)
    whole = expm(T * np.block([[-F.T, W], [np.zeros((N, N)), F]]))
    step = whole[N:, N:]
    cost = step.T @ whole[:N, N:]
    cost = (cost + cost.T) / 2
    return step[:n, :n], step[:n, n:], cost[:n, :n], cost[n:, n:], cost[:n, n:]


def _weights(what: str, given: Weights, names: tuple[str, ...]) -> Array:
    if isinstance(given, Mapping):
        require_known(what, "name", given, names)
        return np.diag([float(given.get(name, 0.0)) for name in names])
    result = np.asarray(given, dtype=float)
    if result.ndim == 0:
        return float(result) * np.eye(len(names))
    if result.shape != (len(names), len(names)):
        raise ModelError(
            what,
            say("expected shape {wanted}, got {shape}.", (len(names), len(names)), result.shape),
            say("In this order: {names}.", ", ".join(names)),
        )
    return result


def _law(linear: Linear, K: Array) -> Controller:
    """The regulator as forces along coordinates, about the state of the linearisation."""
    mechanism = linear.here.tangent.model.mechanism
    steady: Any = linear.steady
    there = {**steady.coordinates, **steady.speeds}
    tuned, forces = {}, {}
    for name, row in zip(linear.inputs, K, strict=True):
        if f"{name}." not in mechanism.every_speed:
            raise unknown("lqr", "coordinate", name, mechanism.every_coordinate)
        force = symbol(f"u0_{name}")
        tuned[force.name] = float(steady.held_by.get(name, 0.0))
        for state, gain in zip(linear.states, row, strict=True):
            gain_symbol = symbol(f"K_{name}_{state.replace('.', '_dot')}")
            tuned[gain_symbol.name] = float(gain)
            force = force - gain_symbol * (_state(mechanism, state) - float(there[state]))
        forces[f"{name}."] = force
    return controller("lqr", mechanism, forces, tuned)


def _state(mechanism: Mechanism, name: str) -> Expr:
    """A coordinate or a speed; one that is chosen, by those of joints."""
    one = mechanism.chosen.get(name.removesuffix("."))
    if one is not None:
        return one.rate if name.endswith(".") else one.value
    return symbol(name, "speed" if name in mechanism.every_speed else "coordinate")
