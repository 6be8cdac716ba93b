"""The motion of a mechanism from its initial state."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from scipy.integrate import DOP853

from torseur.backends.compiled import CompiledModel, compile
from torseur.errors import ModelError, SolveError
from torseur.mechanism.description import Mechanism
from torseur.simulation.assemble import Assembled, assemble
from torseur.simulation.multipliers import accelerations
from torseur.simulation.projection import projected
from torseur.simulation.run import Run

Array = np.ndarray
Progress = Callable[[float], None]


def simulate(
    mechanism: Mechanism | CompiledModel,
    duration: float,
    *,
    rate: float = 100.0,
    initial: Mapping[str, float] | None = None,
    rtol: float = 1e-9,
    progress: Progress | None = None,
) -> Run:
    """The run of a mechanism over `duration` seconds, sampled `rate` times a second.

    Initial values come from `initial`, then from the mechanism; what is not given is assembled,
    and values that do not close the loops are moved as little as possible.
    Integrated by DOP853; loops are kept closed by projection after every step. An interruption
    from the keyboard returns what was computed.
    """
    if not duration > 0 or not rate > 0:
        raise ModelError("simulate", f"duration {duration} and rate {rate} must be positive.")
    model = mechanism if isinstance(mechanism, CompiledModel) else compile(mechanism)
    start = _started(model, initial or {})
    times = np.linspace(0.0, duration, round(duration * rate) + 1)
    states, notices = _integrated(model, start.q, start.v, times, rtol, progress)
    if start.changed:
        moved = ", ".join(f"{name} by {change:.3g}" for name, change in start.changed.items())
        notices.append(f"The initial values did not close the loops; moved: {moved}.")
    return Run(model, times[: len(states)], np.array(states), tuple(notices))


def _started(model: CompiledModel, initial: Mapping[str, float]) -> Assembled:
    """The state nearest to what is given: all of it kept if loops close so, else the first value.

    What had to move is told in the notices of the run.
    """
    speeds = set(model.speeds)
    given = tuple(n for n in initial if n in model.coordinates and f"{n}." in speeds)
    for pinned in dict.fromkeys((given, given[:1])):
        try:
            return assemble(model, initial, pinned=pinned)
        except SolveError:
            continue
    return assemble(model, initial)


def right_hand_side(model: CompiledModel) -> Callable[[float, Array], Array]:
    """ẏ for y = (q, v, work of the forces without potential)."""
    nq, nv = len(model.coordinates), len(model.speeds)

    def rate(t: float, y: Array) -> Array:
        q, v = y[:nq], y[nq : nq + nv]
        a, _ = solved(model, q, v)
        return np.concatenate([model.rates(q, v), a, [model.power(q, v)]])

    return rate


def solved(model: CompiledModel, q: Array, v: Array) -> tuple[Array, Array]:
    """Accelerations and multipliers at a state."""
    Q = model.applied(q, v)
    if not model.system.cuts:
        return model.forward_dynamics(q, v, Q), np.zeros(0)
    S = Q - model.bias(q, v) - model.gravity(q)
    J, gamma = model.constraint_jacobian(q), model.constraint_bias(q, v)
    return accelerations(model.mass_matrix(q), S, J, gamma)


def _integrated(
    model: CompiledModel,
    q: Array,
    v: Array,
    times: Array,
    rtol: float,
    progress: Progress | None,
) -> tuple[list[Array], list[str]]:
    """The states at the times, and what there is to say about them."""
    nq, nv = len(q), len(v)
    rate = right_hand_side(model)
    y = np.concatenate([q, v, [0.0]])
    solver = DOP853(rate, 0.0, y, times[-1], rtol=rtol, atol=1e-3 * rtol)
    states, notices = [y], []
    try:
        while solver.status == "running":
            message = solver.step()
            if solver.status == "failed":
                raise _failed(model, solver.t, solver.y[:nq], message)
            dense = solver.dense_output()
            while len(states) < len(times) and times[len(states)] <= solver.t:
                sample = dense(times[len(states)])
                states.append(_kept(model, sample, nq, nv))
            solver.y = _kept(model, solver.y, nq, nv)
            solver.f = rate(solver.t, solver.y)
            if progress is not None:
                progress(solver.t)
    except KeyboardInterrupt:
        notices.append(f"Interrupted at t = {solver.t:.6g} s.")
    return states, notices


def _kept(model: CompiledModel, y: Array, nq: int, nv: int) -> Array:
    """The state with its loops closed and its quaternions of unit norm."""
    q, v = projected(model, y[:nq], y[nq : nq + nv])
    return np.concatenate([q, v, y[nq + nv :]])


def _failed(model: CompiledModel, t: float, q: Array, message: str | None) -> SolveError:
    pose = ", ".join(f"{n} = {x:.4g}" for n, x in zip(model.coordinates, q, strict=True))
    return SolveError(
        f"t = {t:.6g} s",
        f"the step became too small ({message}).",
        f"The mechanism was at {pose}.",
        "A dead point, a very stiff spring or a collision of two lengths can cause this.",
    )
