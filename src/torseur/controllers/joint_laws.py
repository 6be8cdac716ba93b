"""Laws of joints: PD, PID, a regulator, gravity compensation, predicted forces, computed torque."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from typing import Any

import numpy as np

from torseur.algebra.core.expr import TIME, ZERO, Expr, expression, symbol
from torseur.algebra.core.rules import choice, clipped, larger
from torseur.controllers.controller import Controller, known_model
from torseur.controllers.reference import Gain, gains, reference_of
from torseur.equations.symbols.texts import names_of, read_text
from torseur.language.text.expression import Names
from torseur.machine.compiled import CompiledModel
from torseur.model.checks.limits import sensible
from torseur.model.description import Mechanism
from torseur.simulation.control.loop import Limits, saturated
from torseur.words.sentence import say

Array = np.ndarray
Parameters = Mapping[str, float] | None
_LAST = symbol("t_last", "input")
CLOCK = {_LAST.name: inf}  # no sample yet: nothing has passed
ELAPSED = larger(ZERO, TIME - _LAST)  # since the sample before; 0 at the first one
TICK = {_LAST.name: TIME}


def pd(mechanism: Mechanism, reference: Any, kp: Gain, kd: Gain) -> Controller:
    """kp (q_r − q) + kd (q̇_r − q̇) along each coordinate of the reference: independent servos.

    Gains are one number, or one for each coordinate by name; they are parameters of the run.
    """
    target = reference_of(reference)
    names = tuple(target.positions)
    model, (P, D) = known_model(mechanism, None), _two(kp, kd, names)
    (q, v), r = model.rows(names), target.motion(names)
    forces = P.symbols * (r.q - q) + D.symbols * (r.v - v)
    return model.law("pd", names, forces, {**P.values, **D.values})


def pid(
    mechanism: Mechanism,
    reference: Any,
    kp: Gain,
    ki: Gain,
    kd: Gain,
    *,
    limits: Limits | Mapping[str, Limits] | None = None,
) -> Controller:
    """PD law with ki ∫ (q_r − q) dt, which leaves no error under constant loads.

    Forces stay within `limits`, one number ± or two, for all or by coordinate; an integral waits
    while its force is beyond a limit and the error drives it further.
    """
    target = reference_of(reference)
    names = tuple(target.positions)
    model, (P, D), I = known_model(mechanism, None), _two(kp, kd, names), gains("ki", ki, names)
    (q, v), r = model.rows(names), target.motion(names)
    base = P.symbols * (r.q - q) + D.symbols * (r.v - v)
    sums = {f"integral_{name}": 0.0 for name in names}
    ends = zip(*saturated(limits, names), strict=True)
    parts = [
        _integrated(base[k], I.symbols[k], r.q[k] - q[k], symbol(key, "input"), limit)
        for k, (key, limit) in enumerate(zip(sums, ends, strict=True))
    ]
    forces, integrals = zip(*parts, strict=True)
    return model.law(
        "pid",
        names,
        forces,
        {**P.values, **I.values, **D.values},
        memory={**sums, **CLOCK},
        remembered={**dict(zip(sums, integrals, strict=True)), **TICK},
    )


def regulator(
    mechanism: Mechanism,
    along: str,
    measure: str,
    goal: float | str,
    kp: float,
    ki: float = 0.0,
    *,
    feed: float = 0.0,
    limits: Limits | None = None,
    parameters: Parameters = None,
) -> Controller:
    """feed + kp (goal − measure) + ki ∫ (goal − measure) dt along one coordinate, within limits.

    `measure` is a text of coordinates and speeds: the speed "alpha." of a shaft, the place "lam" of
    the sleeve of a governor, the spin "phi." of a gyroscope. `goal` is a number or a text of t.
    The integral finds what friction and loads need, and waits while the drive is at its limit.
    """
    model = known_model(mechanism, parameters)
    model.rows((along,))
    measured = read_text(measure, names_of(model.mechanism), "measure")
    target = read_text(goal, Names({TIME.name: TIME}), "goal")
    tuned = {**gains("kp", kp, (along,)).values, "ki": float(ki), "feed": float(feed)}
    error = target - measured
    total = symbol(f"integral_{along}", "input")
    base = symbol("feed") + symbol("kp") * error
    low, high = saturated(limits, (along,))
    force, integral = _integrated(base, symbol("ki"), error, total, (low[0], high[0]))
    return model.law(
        "regulator",
        (along,),
        [force],
        tuned,
        memory={total.name: 0.0, **CLOCK},
        remembered={total.name: integral, **TICK},
    )


def gravity_compensation(mechanism: Mechanism, *, parameters: Parameters = None) -> Controller:
    """The forces that carry the weight of the bodies at the measured pose."""
    model = known_model(mechanism, parameters)
    return model.law("gravity", model.coordinates, model.function("gravity"), {})


def feed_forward(
    mechanism: Mechanism, reference: Any, *, parameters: Parameters = None
) -> Controller:
    """Forces that the model predicts along the reference, without measurements."""
    model = known_model(mechanism, parameters)
    names = model.free_coordinates
    r = reference_of(reference).motion(names)
    return model.law("feed_forward", names, model.inverse_dynamics(r.q, r.v, r.a), {})


def computed_torque(
    mechanism: Mechanism, reference: Any, kp: Gain, kd: Gain, *, parameters: Parameters = None
) -> Controller:
    """The inverse dynamics of q̈_r + kd (q̇_r − q̇) + kp (q_r − q) at the measured state.

    With a perfect model each error obeys ë + kd ė + kp e = 0: kp in 1/s², kd in 1/s. Dry friction
    is compensated as it is at the measured speed: what sticks has none to compensate.
    Luh, Walker and Paul (1980), Resolved-acceleration control of mechanical manipulators.
    """
    model = known_model(mechanism, parameters)
    names, system = model.free_coordinates, model.system
    r, (P, D) = reference_of(reference).motion(names), _two(kp, kd, names)
    a = r.a + D.symbols * (r.v - system.v) + P.symbols * (r.q - system.q)
    forces = model.inverse_dynamics(system.q, system.v, a)
    return model.law("computed_torque", names, forces, {**P.values, **D.values})


def joint_gains(
    mechanism: Mechanism,
    frequency: float,
    at: Mapping[str, float] | None = None,
    *,
    damping: float = 1.0,
    parameters: Parameters = None,
) -> tuple[dict[str, float], dict[str, float]]:
    """kp and kd of independent servos of a natural `frequency` [rad/s] and a damping ratio.

    Each sees the diagonal of the mass matrix at the pose `at` (elsewhere the initial one), as if
    the other joints were blocked: kp = M_ii ω², kd = 2 ζ M_ii ω.
    """
    model = known_model(mechanism, parameters)
    compiled = CompiledModel(model.mechanism)
    start = {**model.initial_pose, **(at or {})}
    M = compiled.mass_matrix(np.array([start[x] for x in model.coordinates]))
    sizes = dict(zip(model.coordinates, np.diag(M).tolist(), strict=True))
    w = sensible("joint_gains", say("the frequency"), frequency)
    zeta = sensible("joint_gains", say("the damping ratio"), damping)
    kp = {name: m * w**2 for name, m in sizes.items()}
    return kp, {name: 2 * zeta * m * w for name, m in sizes.items()}


def _two(kp: Gain, kd: Gain, names: tuple[str, ...]) -> tuple[Any, Any]:
    return gains("kp", kp, names), gains("kd", kd, names)


def _integrated(
    base: Expr, gain: Expr, error: Expr, total: Expr, limits: tuple[float, float]
) -> tuple[Expr, Expr]:
    """The command base + gain ∫ error, never beyond its limits, and the integral kept for it.

    The integral waits while the command is beyond a limit and the error would drive it further:
    conditional integration (Åström and Hägglund, 1995, PID Controllers, §3.5).
    """
    added = total + ELAPSED * error
    command = base + gain * added
    if np.isinf(limits).all():
        return command, added
    low, high = (expression(float(x)) for x in limits)
    excess = command - clipped(command, low, high)
    integral = choice(excess * gain * error, total, added)
    return clipped(base + gain * integral, low, high), integral
