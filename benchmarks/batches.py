"""Batches of motions: thousands at once beside a loop over single ones, MuJoCo and JAX."""

from __future__ import annotations

import time
from collections.abc import Callable
from importlib.resources import files
from importlib.util import find_spec
from typing import Any

import numpy as np

from benchmarks.outcome import Bar, Cell, Part, Table
from benchmarks.timing import fastest
from torseur.language.load import load
from torseur.machine.compiled import CompiledModel
from torseur.machine.llvm.width import width
from torseur.simulation.simulate import simulate

SECONDS, RTOL, RATE = 10.0, 1e-9, 10.0
ROWS = 10_000
ONE_CORE, TWO_CORES, CRANKS = 3.0, 1.8, 10.0  # s, s, × a loop over `simulate`


def run(*, quick: bool) -> Part:
    """10 000 double pendulums and slider-cranks, ten seconds each."""
    rows, repeats = (500, 2) if quick else (ROWS, 3)
    rng = np.random.default_rng(0)
    pendulum, crank = (_model(name) for name in ("double_pendulum", "slider_crank"))
    swings = {name: rng.uniform(-1.5, 1.5, rows) for name in pendulum.coordinates}
    turns = {"alpha": rng.uniform(0.3, 1.3, rows // 20)}
    one = fastest(lambda: _batch(pendulum, swings, 1), repeats) * ROWS / rows
    two = _wall(lambda: _batch(pendulum, swings, 2), repeats) * ROWS / rows
    alone = ROWS * fastest(lambda: _loop(pendulum, swings), repeats) / _FEW
    cranks = fastest(lambda: _batch(crank, turns, 1), 1) / len(turns["alpha"])
    crank_alone = fastest(lambda: _loop(crank, turns), 1) / _FEW
    table: list[tuple[Cell, ...]] = [
        ("one thread", one, alone / one),
        ("two threads, wall time", two, alone / two),
        ("a loop over simulate", alone, 1.0),
        *((name, spent, alone / spent) for name, spent in _peers(swings, rows)),
    ]
    head = (f"{ROWS} double pendulums, {SECONDS:g} s, rtol {RTOL:g}", "[s]", "× a loop")
    cells: list[tuple[Cell, ...]] = [
        ("in lanes", 1e3 * cranks, crank_alone / cranks),
        ("a loop over simulate", 1e3 * crank_alone, 1.0),
    ]
    lacking = [name for name in ("mujoco", "diffrax") if find_spec(name) is None]
    notes = [f"{width()} lanes, {RATE:g} samples a second; a loop is timed over {_FEW} motions."]
    notes += [f"Not installed, not compared: {', '.join(lacking)}."] if lacking else []
    return Part(
        "batches",
        [
            Table("Motions of trees", head, table),
            Table("Motions of loops", ("slider-cranks, 10 s", "a row [ms]", "× a loop"), cells),
        ],
        [
            Bar(f"{ROWS} double pendulums on one core", one, ONE_CORE, "s"),
            Bar(f"{ROWS} double pendulums on two cores, wall time", two, TWO_CORES, "s"),
            Bar(
                "slider-cranks, a loop ÷ a batch", crank_alone / cranks, CRANKS, "×", at_least=True
            ),
        ],
        notes,
    )


_FEW = 10  # motions of a loop


def _model(name: str) -> CompiledModel:
    return CompiledModel(load(str(files("torseur.examples") / f"{name}.yaml")))


def _batch(model: CompiledModel, initial: dict[str, np.ndarray], threads: int) -> None:
    simulate(model, SECONDS, rate=RATE, rtol=RTOL, initial=initial, threads=threads)


def _loop(model: CompiledModel, initial: dict[str, np.ndarray]) -> None:
    for k in range(_FEW):
        own = {name: float(x[k]) for name, x in initial.items()}
        simulate(model, SECONDS, rate=RATE, rtol=RTOL, initial=own)


def _wall(call: Callable[[], Any], repeats: int) -> float:
    """The shortest wall time: threads have no processor time of their own."""
    took = []
    for _ in range(repeats):
        began = time.perf_counter()
        call()
        took.append(time.perf_counter() - began)
    return min(took)


def _peers(swings: dict[str, np.ndarray], rows: int) -> list[tuple[str, float]]:
    """The time of every peer that is installed, brought to as many rows [s]."""
    found = []
    if find_spec("mujoco"):
        found.append(("MuJoCo rollout, RK4 of 1 ms, one thread", _mujoco(swings) * ROWS))
    if find_spec("diffrax"):
        found.append((f"diffrax Dopri8, {rows} rows vectorised", _diffrax(swings) * ROWS / rows))
    return found


_MJCF = """<mujoco><option timestep="0.001" integrator="RK4" gravity="0 -9.81 0"/><worldbody>
<body><joint axis="0 0 1"/><inertial pos="0 -.25 0" mass="1" diaginertia="2.083e-2 1e-9 2.083e-2"/>
<body pos="0 -.5 0"><joint axis="0 0 1"/>
<inertial pos="0 -.2 0" mass=".8" diaginertia="1.067e-2 1e-9 1.067e-2"/></body></body>
</worldbody></mujoco>"""


def _mujoco(swings: dict[str, np.ndarray]) -> float:
    """A motion by MuJoCo's rollout, of some tens of them [s]."""
    import mujoco  # type: ignore[import-not-found, unused-ignore]
    from mujoco import rollout  # type: ignore[import-not-found, unused-ignore]

    model = mujoco.MjModel.from_xml_string(_MJCF)
    few, data = 50, mujoco.MjData(model)
    q = np.stack([x[:few] for x in swings.values()], axis=1)
    state = np.hstack([np.zeros((few, 1)), q, np.zeros((few, 2))])
    steps = int(SECONDS / model.opt.timestep)
    return fastest(lambda: rollout.rollout(model, data, state, nstep=steps), 2) / few


def _diffrax(swings: dict[str, np.ndarray]) -> float:
    """All rows by diffrax, each with steps of its own [s]; point masses in their place."""
    import diffrax  # type: ignore[import-not-found, unused-ignore]
    import jax  # type: ignore[import-not-found, unused-ignore]
    import jax.numpy as jnp  # type: ignore[import-not-found, unused-ignore]

    jax.config.update("jax_enable_x64", True)

    def rate(t: Any, y: Any, _: Any) -> Any:
        a, b, u, w = y
        c, s = jnp.cos(a - b), jnp.sin(a - b)
        M = jnp.array([[0.2833, 0.08 * c], [0.08 * c, 0.04267]])
        h = jnp.array([-0.08 * s * w * w - 6.38 * jnp.sin(a), 0.08 * s * u * u - 1.57 * jnp.sin(b)])
        return jnp.concatenate([jnp.array([u, w]), jnp.linalg.solve(M, h)])

    def solved(y: Any) -> Any:
        return diffrax.diffeqsolve(
            diffrax.ODETerm(rate), diffrax.Dopri8(), 0.0, SECONDS, 1e-3, y, max_steps=100_000,
            stepsize_controller=diffrax.PIDController(rtol=RTOL, atol=1e-3 * RTOL),
        ).ys  # fmt: skip

    a, b = swings.values()
    start = jnp.stack([jnp.array(a), jnp.array(a + b), jnp.zeros_like(a), jnp.zeros_like(a)], 1)
    all_of_them = jax.jit(jax.vmap(solved))
    all_of_them(start).block_until_ready()
    return fastest(lambda: all_of_them(start).block_until_ready(), 2)
