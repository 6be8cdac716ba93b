"""The general method in absolute coordinates: cost of a step and a body, windows, a long chain."""

from __future__ import annotations

import numpy as np

from benchmarks.outcome import Bar, Cell, Part, Table
from benchmarks.timing import fastest
from torseur.algebra.expr import expression
from torseur.backends.absolute.model import AbsoluteModel
from torseur.backends.compiled import compile
from torseur.backends.integrators.drive import integrate
from torseur.backends.integrators.methods import RK4
from torseur.joints.revolute import Revolute
from torseur.mechanism.description import GROUND, Body, Joint, Mechanism, Point
from torseur.simulation.absolute import problem
from torseur.simulation.integrate import simulate
from torseur.simulation.placing import placed
from torseur.simulation.run import Run
from torseur.spatial.pose import Pose

_GRAVITY = np.array([0.0, -9.81, 0.0])
_LENGTHS = (10, 30, 100, 300, 1_000, 3_000, 10_000)
_STEP = 1e-3  # of the runs whose cost is counted by the step [s]
# Exudyn, steps of 1 ms: windows and processor seconds for a second of motion
_WINDOWS = {1: 0.019, 10: 0.17, 40: 0.80}
_CHAIN = 1_000
# B0 at the end of ten seconds, by the reduction to one freedom
_EXACT = {40: (0.180512226681, 0.983572740583)}


def run(*, quick: bool) -> Part:
    """Chains, the windows of IFToMM benchmark A02, and a chain of a thousand links."""
    costs, spread = _chains(_LENGTHS[::3] if quick else _LENGTHS)
    windows, bars = _windows(2.0 if quick else 10.0)
    hanging, more = _hanging(0.2 if quick else 1.0)
    return Part(
        "absolute",
        [costs, windows, hanging],
        [Bar("a step and a body, longest over shortest", spread, 1.5, "×"), *bars, *more],
        [
            "Processor time. Chains: steps of RK4 of 1 ms with the return onto the constraints, "
            "the best of repeats. Windows and the chain let go: whole calls of simulate, the model "
            "made included, by DOP853 with rtol 1e-9 and 1e-8.",
        ],
    )


# --- mechanisms ---------------------------------------------------------------------------------


def chain(bodies: int) -> Mechanism:
    """Links of 1 m and 1 kg, the first one on the ground."""
    links, joints, before = {}, {}, GROUND
    for k in range(bodies):
        name = f"link{k}"
        links[name] = _rod(name)
        end = Pose(np.array([1.0 if k else 0.0, 0.0, 0.0]))
        joints[f"pin{k}"] = _pin(f"pin{k}", before, name, end)
        before = name
    return Mechanism("chain", {}, links, joints, _GRAVITY)


def windows(count: int) -> Mechanism:
    """Rods of 1 m and 1 kg, count + 1 of them upright on the ground; B0 starts at 1 m/s."""
    bodies, joints, initial = {}, {}, {}
    end = Pose(np.array([1.0, 0.0, 0.0]))
    for k in range(count + 1):
        bodies[f"V{k}"] = _rod(f"V{k}")
        foot = Pose(np.array([float(k), 0.0, 0.0]))
        joints[f"G{k}"] = _pin(f"G{k}", GROUND, f"V{k}", foot)
        initial |= {f"G{k}": expression(np.pi / 2), f"G{k}.": expression(-1.0)}
    for k in range(count):
        bodies[f"H{k}"] = _rod(f"H{k}")
        joints[f"A{k}"] = _pin(f"A{k}", f"V{k}", f"H{k}", end)
        joints[f"B{k}"] = _pin(f"B{k}", f"H{k}", f"V{k + 1}", end, end)
        initial |= {f"A{k}": expression(-np.pi / 2), f"A{k}.": expression(1.0)}
    points = {"B0": Point("B0", "V0", np.array([1.0, 0.0, 0.0]))}
    return Mechanism("windows", {}, bodies, joints, _GRAVITY, initial=initial, points=points)


def _rod(name: str) -> Body:
    inertia = np.diag([1e-4, 1 / 12, 1 / 12])
    return Body(name, expression(1.0), np.array([0.5, 0.0, 0.0]), inertia)


def _pin(name: str, first: str, second: str, X_AF: Pose, X_BM: Pose | None = None) -> Joint:
    coordinates = (name,), (f"{name}.",)
    return Joint(name, Revolute(2), first, second, X_AF, X_BM or Pose(), *coordinates)


# --- measured -----------------------------------------------------------------------------------


def _chains(lengths: tuple[int, ...]) -> tuple[Table, float]:
    rows: list[tuple[Cell, ...]] = []
    costs = []
    for bodies in lengths:
        mechanism = chain(bodies)
        made = AbsoluteModel(mechanism, {})
        start = placed(made, np.full(bodies, 0.01), np.zeros(bodies))
        steps = max(20, 20_000 // bodies)
        times = np.array([0.0, steps * _STEP])

        def go(made=made, start=start, times=times):
            return integrate(problem(made), start, times, RK4(_STEP), closed=1e-9)

        costs.append(fastest(go, 3) / (steps * bodies))
        rows.append((bodies, steps, 1e9 * costs[-1], made.graph.elimination.fill))
    head = ("bodies", "steps", "a step and a body [ns]", "blocks filled in")
    table = Table("Chains, steps of RK4 of 1 ms", head, rows)
    return table, max(costs) / min(costs)


def _windows(duration: float) -> tuple[Table, list[Bar]]:
    rows: list[tuple[Cell, ...]] = []
    bars = []
    for count, limit in _WINDOWS.items():
        model = compile(windows(count))
        kept: list[Run] = []

        def go(model=model, kept=kept):
            made = simulate(model, duration, rate=10, rtol=1e-9, coordinates="absolute")
            kept[:] = [made]

        cost = fastest(go, 2) / duration
        found = kept[0]
        off = None
        if count in _EXACT and duration == 10.0:
            off = float(np.abs(found.point("B0")[-1, :2] - _EXACT[count]).max())
        rows.append((count, cost, limit, found.energy_drift, found.closure_error, off))
        what = f"{count} window{'s' if count > 1 else ''}"
        bars += [
            Bar(f"{what}: processor seconds for a second", cost, limit, "s"),
            Bar(f"{what}: energy", found.energy_drift, 1e-7),
            Bar(f"{what}: joints open by", found.closure_error, 1e-12, "m"),
        ]
    head = ("windows", "s for a second", "Exudyn", "energy", "open [m]", "B0 off by [m]")
    return Table(f"Windows through singular positions, {duration:g} s", head, rows), bars


def _hanging(duration: float) -> tuple[Table, list[Bar]]:
    model = compile(chain(_CHAIN))
    kept: list[Run] = []

    def go() -> None:
        made = simulate(model, duration, rate=10 / duration, rtol=1e-8, coordinates="absolute")
        kept[:] = [made]

    cost = fastest(go, 2)
    found = kept[0]
    row: tuple[Cell, ...] = (_CHAIN, duration, cost, found.energy_drift, found.closure_error)
    head = ("links", "seconds", "processor time [s]", "energy", "open [m]")
    return Table("A chain let go", head, [row]), [
        Bar(f"chain of {_CHAIN}: processor time", cost, 6.0 * duration, "s"),
        Bar(f"chain of {_CHAIN}: energy", found.energy_drift, 1e-6),
        Bar(f"chain of {_CHAIN}: joints open by", found.closure_error, 1e-9, "m"),
    ]
