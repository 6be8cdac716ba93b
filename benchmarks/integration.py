"""Motion: the compiled integrator beside SciPy's on the same machine code, and beside NumPy."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable

import numpy as np
from scipy.integrate import DOP853

from benchmarks import robots
from benchmarks.outcome import Bar, Cell, Part, Table
from benchmarks.timing import Lasted, fastest, process
from torseur.dynamics.tree.closure import closures, constraint_bias, constraint_jacobian
from torseur.dynamics.tree.inverse_dynamics import inverse_dynamics
from torseur.dynamics.tree.quantities import mass_matrix
from torseur.language.load import load
from torseur.machine.compiled import CompiledModel, compile
from torseur.model.values.numeric import numeric_mechanism
from torseur.simulation.constraints.numeric_constraints import NumericConstraints
from torseur.simulation.formulations.joint import JointFormulation
from torseur.simulation.formulations.joint_start import JointStart
from torseur.simulation.simulate import simulate
from torseur.simulation.start.assemble import assemble
from torseur.simulation.start.independent import independent_rows
from torseur.topology.structure import structure

Array = np.ndarray
RTOL = 1e-9
_BAR = {"mass": 1.2, "centre": [0.1, 0.02, 0], "inertia": [0.01, 0.02, 0.025]}
FOUR_BAR = {
    "name": "four-bar",
    "gravity": [0, -9.81, 0],
    "bodies": {"crank": _BAR, "coupler": _BAR, "rocker": _BAR},
    "joints": {
        name: {"type": "pivot", "bodies": bodies, "point": points, "axis": "z"}
        for name, bodies, points in (
            ("A", ["ground", "crank"], [[0, 0, 0], [0, 0, 0]]),
            ("B", ["crank", "coupler"], [[0.2, 0, 0], [0, 0, 0]]),
            ("C", ["coupler", "rocker"], [[0.5, 0, 0], [0.4, 0, 0]]),
            ("D", ["ground", "rocker"], [[0.5, 0, 0], [0, 0, 0]]),
        )
    },
    "initial": {"A": 1.0, "B": -0.5, "C": 1.0},
}


def run(*, quick: bool) -> Part:
    """A swinging arm and a swinging four-bar."""
    repeats = 2 if quick else 5
    arm, arm_seconds = _arm(), 10.0
    bar, bar_seconds = compile(load(FOUR_BAR)), 0.2
    times = {
        "arm": fastest(lambda: _ours(arm, arm_seconds), 3 * repeats),
        "arm, SciPy": fastest(lambda: _scipy_on_code(arm, arm_seconds), repeats),
        "four-bar": fastest(lambda: _ours(bar, bar_seconds), 3 * repeats),
        "four-bar, NumPy": fastest(lambda: _numpy(bar, bar_seconds), 1 if quick else 2),
    }
    rows: list[tuple[Cell, ...]] = [
        ("7R passive swing, Torseur", 1e3 * times["arm"], arm_seconds / times["arm"]),
        ("7R, SciPy DOP853 on our code", 1e3 * times["arm, SciPy"], None),
        ("four-bar, Torseur", 1e3 * times["four-bar"], bar_seconds / times["four-bar"]),
        ("four-bar, plain NumPy", 1e3 * times["four-bar, NumPy"], None),
    ]
    runs = Table(f"Runs at rtol {RTOL:g}", ("run", "time [ms]", "simulated seconds a second"), rows)
    return Part(
        "integration",
        [runs, _first_runs()],
        [
            Bar("7R swing, SciPy's time over ours", times["arm, SciPy"] / times["arm"], 8, "×",
                at_least=True),
            Bar("four-bar, NumPy's time over ours", times["four-bar, NumPy"] / times["four-bar"],
                20, "×", at_least=True),
        ],
        [
            "Ours: ts.simulate with everything it does, start to end, on a compiled model. SciPy: "
            "its DOP853 on the same compiled rate of the state. NumPy: the same recursions on "
            "floats, the multipliers by a bordered system, SciPy's DOP853.",
        ],
    )  # fmt: skip


def _arm() -> CompiledModel:
    robot = robots.seven()
    model = compile(robot.mechanism).with_parameters(**robot.values)
    _ours(model, 0.1)
    return model


def _start(model: CompiledModel) -> dict[str, float]:
    spread = np.linspace(0.2, 1.2, len(model.coordinates))
    named = dict(zip(model.coordinates, spread, strict=True))
    return {} if model.mechanism.initial else named


def _ours(model: CompiledModel, seconds: float) -> None:
    simulate(model, seconds, rate=1 / seconds, initial=_start(model), rtol=RTOL)


def _stepped(rate: Callable[[float, Array], Array], y: Array, seconds: float) -> None:
    solver = DOP853(rate, 0.0, y, seconds, rtol=RTOL, atol=1e-3 * RTOL)
    while solver.status == "running":
        solver.step()


def _scipy_on_code(model: CompiledModel, seconds: float) -> None:
    held, start = NumericConstraints(model), assemble(model, _start(model))
    moving = JointFormulation(JointStart(held, independent_rows(held, start.q, 0.0)))
    _stepped(moving.rate, np.concatenate([start.q, start.v, [0.0]]), seconds)


def _numpy(model: CompiledModel, seconds: float) -> None:
    """The recursions on floats."""
    numbers = numeric_mechanism(model.mechanism, model.parameters)
    found = structure(numbers)
    tree, n = found.tree, found.tree.nv
    start = assemble(model, _start(model))

    def rate(t: float, y: Array) -> Array:
        q, v = y[:n], y[n:]
        closed = closures(tree, found.cuts, q)
        J, gamma = constraint_jacobian(tree, closed, q), constraint_bias(tree, closed, q, v)
        bias = inverse_dynamics(tree, q, v, np.zeros(n), numbers.gravity).Q
        M = mass_matrix(tree, q)
        border = np.block([[M, -J.T], [J, np.zeros((len(J), len(J)))]])
        right = np.concatenate([-bias, -gamma])
        return np.concatenate([v, np.linalg.lstsq(border, right, rcond=1e-10)[0][:n]])

    _stepped(rate, np.concatenate([start.q, start.v]), seconds)


_FIRST = f"""
import torseur as ts
run = ts.simulate(ts.load({FOUR_BAR!r}), 0.2)
assert run.closure_error < 1e-10
"""


def _first_runs() -> Table:
    """A new process that simulates the four-bar: nothing in the cache, then everything."""

    def row(what: str, lasted: Lasted) -> tuple[Cell, ...]:
        return what, lasted.wall, lasted.cpu

    with tempfile.TemporaryDirectory() as folder:
        command, kept = [sys.executable, "-c", _FIRST], {"TORSEUR_CACHE": folder}
        rows = [
            row("first run on a machine", process(command, kept)),
            row("every later process", process(command, kept)),
        ]
    heads = ("four-bar, import to result", "wall [s]", "processor [s]")
    return Table("A new process", heads, rows)
