"""Peers that move thousands of double pendulums: each agrees with Torseur before it is timed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, final

import numpy as np

from torseur.machine.compiled import CompiledModel

Array = np.ndarray
Moved = Callable[[Array, float], Array]  # angles at the start (rows, 2), duration → at the end
STEP = 1e-3  # of RK4 in MuJoCo [s]
RTOL = 1e-9  # of diffrax
_ROWS = 10  # that MuJoCo is timed with: each costs as much as any other


@final
@dataclass(frozen=True)
class Peer:
    """Another program, how many rows it is timed with (None: all), and what moves them."""

    name: str
    rows: int | None
    moved: Moved


def installed(model: CompiledModel) -> Iterator[Peer]:
    """The peers that are here, for the double pendulum of the examples."""
    if find_spec("mujoco"):
        yield Peer(f"MuJoCo rollout, RK4 of {1e3 * STEP:g} ms, one thread", _ROWS, _mujoco(model))
    if find_spec("mjbatch"):
        yield Peer(f"mjbatch, RK4 of {1e3 * STEP:g} ms, one thread", _ROWS, _mjbatch(model))
    if find_spec("diffrax"):
        yield Peer(f"diffrax Dopri8, rtol {RTOL:g}, all rows vectorised", None, _diffrax(model))


def lacking() -> list[str]:
    """The peers that are not here."""
    return [name for name in ("mujoco", "mjbatch", "diffrax") if find_spec(name) is None]


def _mujoco_model(model: CompiledModel) -> Any:
    import mujoco  # type: ignore[import-not-found, unused-ignore]

    values = {name: model.parameters[name] for name in ("l1", "l2", "m1", "m2")}
    return mujoco.MjModel.from_xml_string(_mjcf(**values))


def _mjcf(l1: float, l2: float, m1: float, m2: float) -> str:
    """Two thin bars: MuJoCo takes no inertia that is zero about one axis."""

    def bar(m: float, l: float) -> str:
        I = m * l * l / 12
        return f'<inertial pos="0 {-l / 2} 0" mass="{m}" diaginertia="{I} 1e-9 {I}"/>'

    lower = f'<body pos="0 {-l1} 0"><joint axis="0 0 1"/>{bar(m2, l2)}</body>'
    upper = f'<body><joint axis="0 0 1"/>{bar(m1, l1)}{lower}</body>'
    option = f'<option timestep="{STEP}" integrator="RK4" gravity="0 -9.81 0"/>'
    return f"<mujoco>{option}<worldbody>{upper}</worldbody></mujoco>"


def _mujoco(model: CompiledModel) -> Moved:
    import mujoco  # type: ignore[import-not-found, unused-ignore]
    from mujoco import rollout  # type: ignore[import-not-found, unused-ignore]

    made = _mujoco_model(model)
    data = mujoco.MjData(made)

    def moved(q: Array, seconds: float) -> Array:
        rest = np.zeros((len(q), 1)), np.zeros_like(q)
        start = np.hstack([rest[0], q, rest[1]])
        states, _ = rollout.rollout(made, data, start, nstep=round(seconds / STEP))
        return np.asarray(states[:, -1, 1:3])

    return moved


def _mjbatch(model: CompiledModel) -> Moved:
    from mjbatch import Batch  # type: ignore[import-not-found, unused-ignore]

    made = _mujoco_model(model)

    def moved(q: Array, seconds: float) -> Array:
        batch = Batch(made, num_sims=len(q), num_threads=1)
        angles = batch.bind("qpos")
        angles[:] = q
        batch.step(nstep=round(seconds / STEP))
        return np.array(angles)

    return moved


def _diffrax(model: CompiledModel) -> Moved:
    """Every row with steps of its own; nothing but its end is kept."""
    import diffrax  # type: ignore[import-not-found, unused-ignore]
    import jax  # type: ignore[import-not-found, unused-ignore]
    import jax.numpy as jnp  # type: ignore[import-not-found, unused-ignore]

    jax.config.update("jax_enable_x64", True)
    rate = _bars(jnp, *(model.parameters[name] for name in ("l1", "l2", "m1", "m2")))
    control = diffrax.PIDController(rtol=RTOL, atol=1e-3 * RTOL)

    def solved(y: Any, seconds: float) -> Any:
        return diffrax.diffeqsolve(
            diffrax.ODETerm(rate), diffrax.Dopri8(), 0.0, seconds, 1e-3, y, max_steps=100_000,
            stepsize_controller=control,
        ).ys[-1]  # fmt: skip

    every = jax.jit(jax.vmap(solved, in_axes=(0, None)))

    def moved(q: Array, seconds: float) -> Array:
        a, b = q[:, 0], q[:, 0] + q[:, 1]
        start = jnp.stack([a, b, np.zeros_like(a), np.zeros_like(a)], axis=1)
        end = np.asarray(every(start, seconds))
        return np.stack([end[:, 0], end[:, 1] - end[:, 0]], axis=1)

    return moved


def _bars(np_like: Any, l1: float, l2: float, m1: float, m2: float) -> Callable[..., Any]:
    """ẏ of two bars, y = (a, b, ȧ, ḃ), their angles from the vertical; M is solved by hand."""
    g, I, J, c = 9.81, (m1 / 3 + m2) * l1**2, m2 * l2**2 / 3, m2 * l1 * l2 / 2

    def rate(t: Any, y: Any, _: Any) -> Any:
        a, b, u, w = y
        k, s = c * np_like.cos(a - b), c * np_like.sin(a - b)
        first = -s * w * w - (m1 / 2 + m2) * g * l1 * np_like.sin(a)
        second = s * u * u - m2 / 2 * g * l2 * np_like.sin(b)
        D = I * J - k * k
        return np_like.stack([u, w, (J * first - k * second) / D, (I * second - k * first) / D])

    return rate
