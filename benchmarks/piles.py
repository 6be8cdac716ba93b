"""Many bodies that touch: spheres dropped into a box, and a stack with the heaviest on top."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from benchmarks import machine
from benchmarks.outcome import Bar, Cell, Part, Table
from torseur.language.load import load
from torseur.machine.absolute.absolute_model import AbsoluteModel
from torseur.machine.piles import places as at
from torseur.machine.piles.model import PileModel
from torseur.simulation.formulations.absolute import assembled

Array = np.ndarray
RADIUS, G, STEP = 0.05, 9.81, 1e-3
FRICTION, RESTITUTION = 0.3, 0.2
SECONDS = 2.0
COST = 4.5  # limit for a step of 216 spheres [ms]
DEPTH = 1e-6  # limit for a penetration, of a radius
ASKED, FALL = 1e-6, 0.5  # a natural residual that is asked for [m/s], over the first seconds
WEIGHT = 1e-9  # limit for the error of a load in the stack, relative


@final
@dataclass(frozen=True)
class Dropped:
    """What became of spheres that were dropped."""

    cost: float  # of a step, in the mean over the last half [ms]
    worst: float  # of ten steps one after the other, a tenth [ms]
    contacts: float  # in the mean over the last half
    depth: float  # the deepest at any look, of a radius
    rise: float  # of energy from one look to the next, of the energy at first
    residual: float | None  # the largest of any step [m/s]


def run(*, quick: bool) -> Part:
    """Spheres in turns by each engine, then the stack."""
    counts = (3, 6) if quick else (3, 6, 8)
    rows: list[tuple[Cell, ...]] = []
    ours: dict[int, Dropped] = {}
    for n in counts:
        ours[n] = _dropped(n)
        rows.append(_row(n, "Torseur", ours[n]))
        if machine.version("mujoco"):
            for cone in ("elliptic", "pyramidal"):
                rows.append(_row(n, f"MuJoCo, {cone} cones", _dropped_in_mujoco(n, cone)))
    head = ("spheres", "engine", "step [ms]", "worst [ms]", "contacts", "depth / radius",
            "energy gained", "residual [m/s]")  # fmt: skip
    stack = {ratio: _stack(ratio) for ratio in (1e3, 1e6)}
    exact = _asked()
    loads: list[tuple[Cell, ...]] = [(f"{ratio:g}", error) for ratio, error in stack.items()]
    return Part(
        "piles",
        [
            Table(f"Spheres dropped into a box, {SECONDS:g} s in steps of 1 ms", head, rows),
            Table(
                f"216 spheres solved to {ASKED:g} m/s, the first {FALL:g} s",
                (
                    "step, later half [ms]",
                    "worst step [ms]",
                    "steps that reach it",
                    "residual [m/s]",
                ),
                [(*exact,)],
            ),
            Table("Ten boxes, the heaviest on top: error of the loads", ("masses", "error"), loads),
        ],
        [
            Bar("216 spheres: a step", ours[6].cost, COST, "ms"),
            Bar("216 spheres: depth over radius", ours[6].depth, DEPTH),
            Bar("216 spheres: energy gained", ours[6].rise, 1e-12),
            Bar("216 spheres: residual where 1e-6 is asked for", exact[3], ASKED, "m/s"),
            Bar("stack of ten boxes: error of the loads", max(stack.values()), WEIGHT),
        ],
        [
            "Processor time on one thread; cost and contacts over the second half of the motion, "
            "contacts that are near enough to act counted. Energy is looked at every ten steps.",
            "MuJoCo's contacts are springs without rebound: its default solver, the same friction "
            "and step, and the stiffest time constant it allows (2 steps).",
        ],
    )


def _row(n: int, engine: str, found: Dropped) -> tuple[Cell, ...]:
    figures = (found.cost, found.worst, found.contacts, found.depth, found.rise, found.residual)
    return (n**3, engine, *figures)


def _places(n: int) -> Array:
    """Centres, none quite above another (n³, 3)."""
    grid = np.stack(np.meshgrid(*[np.arange(n)] * 3), axis=-1).reshape(-1, 3)
    away = np.random.default_rng(0).uniform(-0.1, 0.1, grid.shape)
    return np.asarray((2.3 * (grid + 0.5) + away) * RADIUS)


def _kinetic(v: Array, w: Array) -> float:
    """Of spheres of 1 kg [J]."""
    return float(0.5 * (v**2).sum() + 0.2 * RADIUS**2 * (w**2).sum())


@final
class _Looks:
    """Figures of a motion, ten steps after ten steps."""

    def __init__(self) -> None:
        self.costs: list[float] = []
        self.contacts: list[int] = []
        self.depths: list[float] = []
        self.energies: list[float] = []

    def found(self, residual: float | None) -> Dropped:
        half = len(self.costs) // 2
        rise = float(np.diff(self.energies).max()) / self.energies[0]
        return Dropped(
            100 * float(np.mean(self.costs[half:])),
            100 * max(self.costs),
            float(np.mean(self.contacts[half:])),
            max(self.depths) / RADIUS,
            max(rise, 0.0),
            residual,
        )


def _dropped(n: int) -> Dropped:
    """By Torseur."""
    model, state = _pile(_spheres(n))
    looks, times = _Looks(), np.arange(0.0, SECONDS + STEP, 10 * STEP)
    memory = model.memory(state, times)
    for _ in range(len(times) - 1):
        began = time.process_time()
        memory.advance(10)
        looks.costs.append(time.process_time() - began)
        y = memory.state
        own = y[: -at.EXTRA].reshape(-1, 13)
        looks.contacts.append(len(memory.contacts))
        looks.depths.append(float(y[at.PENETRATION - at.EXTRA]))
        looks.energies.append(_kinetic(own[:, 7:10], own[:, 10:]) + G * own[:, 2].sum())
    return looks.found(float(memory.states[:, at.RESIDUAL - at.EXTRA].max()))


def _asked() -> tuple[float, float, float, float]:
    """216 spheres: cost of a step, later half and worst [ms], share of steps, worst residual."""
    model, state = _pile(_spheres(6), ASKED)
    times = np.arange(0.0, FALL + 0.5 * STEP, STEP)
    memory, costs = model.memory(state, times), []
    for _ in times[1:]:
        began = time.process_time()
        memory.advance(1)
        costs.append(1e3 * (time.process_time() - began))
    residuals = memory.states[1:, at.RESIDUAL - at.EXTRA]
    later = float(np.mean(costs[len(costs) // 2 :]))
    return later, max(costs), float((residuals <= ASKED).mean()), float(residuals.max())


def _dropped_in_mujoco(n: int, cone: str) -> Dropped:
    import mujoco

    model = mujoco.MjModel.from_xml_string(_xml(n, cone))
    data, looks = mujoco.MjData(model), _Looks()
    for _ in range(round(SECONDS / STEP / 10)):
        began = time.process_time()
        for _ in range(10):
            mujoco.mj_step(model, data)
        looks.costs.append(time.process_time() - began)
        v, z = data.qvel.reshape(-1, 6), data.qpos.reshape(-1, 7)[:, 2]
        looks.contacts.append(int(data.ncon))
        looks.depths.append(max(0.0, -float(np.min(data.contact.dist, initial=0.0))))
        looks.energies.append(_kinetic(v[:, :3], v[:, 3:]) + G * float(z.sum()))
    return looks.found(None)


def _xml(n: int, cone: str) -> str:
    """The same spheres and planes for MuJoCo."""
    width = 2.3 * RADIUS * n
    planes = {"0 0 0": "0 0 1", "0 0 0 ": "1 0 0", f"{width} 0 0": "-1 0 0",
              "0 0 0  ": "0 1 0", f"0 {width} 0": "0 -1 0"}  # fmt: skip
    walls = "".join(
        f'<geom type="plane" size="1 1 1" pos="{p}" zaxis="{z}"/>' for p, z in planes.items()
    )
    balls = "".join(
        f'<body pos="{x} {y} {z}"><freejoint/><geom type="sphere" size="{RADIUS}" mass="1"/></body>'
        for x, y, z in _places(n)
    )
    law = f'<geom friction="{FRICTION} 0 0" condim="3" solref="{2 * STEP} 1"/>'
    return (
        f'<mujoco><option timestep="{STEP}" cone="{cone}" gravity="0 0 -{G}"/>'
        f'<size memory="200M"/><default>{law}</default>'
        f"<worldbody>{walls}{balls}</worldbody></mujoco>"
    )


# --- descriptions ---------------------------------------------------------------------------------


def _pile(description: dict[str, Any], residual: float = 0.0) -> tuple[PileModel, Array]:
    bodies = AbsoluteModel(load(description), {})
    model = PileModel(bodies)
    return model, model.start(assembled(bodies, {}, 0.0)[0], STEP, residual)


def _described(shapes: dict[str, Any], places: Array, contacts: dict[str, Any]) -> dict[str, Any]:
    initial = {
        f"J{name}_{axis}": float(x)
        for name, place in zip(shapes, places, strict=True)
        for axis, x in zip("xyz", place, strict=True)
    }
    return {
        "gravity": [0, 0, -G],
        "bodies": shapes,
        "joints": {f"J{name}": {"type": "free", "bodies": ["ground", name]} for name in shapes},
        "contacts": contacts,
        "initial": initial,
    }


def _spheres(n: int) -> dict[str, Any]:
    ball = {"mass": 1.0, "shape": {"sphere": {"radius": RADIUS}}}
    laws = {"among": "all", "friction": FRICTION, "restitution": RESTITUTION}
    width = 2.3 * RADIUS * n
    contacts = {
        "pile": laws,
        "floor": laws | {"normal": "z"},
        "left": laws | {"normal": "x"},
        "right": laws | {"normal": [-1, 0, 0], "through": [width, 0, 0]},
        "front": laws | {"normal": "y"},
        "back": laws | {"normal": [0, -1, 0], "through": [0, width, 0]},
    }
    return _described({f"b{k}": ball for k in range(n**3)}, _places(n), contacts)


def _stack(ratio: float) -> float:
    """The largest relative error of the load under each of ten boxes."""
    masses = np.array([*([1.0] * 9), ratio])
    boxes = {
        f"b{k}": {"mass": float(m), "shape": {"box": {"size": [0.2, 0.2, 0.1]}}}
        for k, m in enumerate(masses)
    }
    places = np.array([[0.0, 0.0, 0.05 + 0.1 * k] for k in range(10)])
    laws = {"among": "all", "friction": 0.5}
    model, state = _pile(_described(boxes, places, {"pile": laws, "floor": laws | {"normal": "z"}}))
    loads = np.zeros(10)
    for touch in model.touches(state, 0.0)[1]:
        upper = max(touch.first, touch.second, key=lambda name: name != "ground" and int(name[1:]))
        loads[int(upper[1:])] += touch.force[2] * (1 if upper == touch.first else -1)
    above = G * np.cumsum(masses[::-1])[::-1]
    return float(np.abs(loads / above - 1).max())
