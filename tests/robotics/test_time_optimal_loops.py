"""The least time on closed loops, couplings and lines of a tool: one linear program as oracle.

The program maximises the squares of the pace at all points of a grid at once, with torques that
`inverse_dynamics` gives for states that are found here.
"""

from typing import Any

import numpy as np
import pytest
import scipy
from ruamel.yaml import YAML

import torseur as ts

GRIPPER: dict[str, Any] = {
    "name": "gripper",
    "gravity": [0, -9.81, 0],
    "bodies": {
        "arm": {"mass": 2, "centre": [0.3, 0, 0], "inertia": [0.01, 0.05, 0.05]},
        "left": {"mass": 0.3, "centre": [0.05, 0, 0], "inertia": [1e-3, 1e-3, 1e-3]},
        "right": {"mass": 0.3, "centre": [0.05, 0, 0], "inertia": [1e-3, 1e-3, 1e-3]},
    },
    "joints": {
        "A": {"type": "pivot", "bodies": ["ground", "arm"], "axis": "z", "coordinate": "lift",
              "effort": 25},
        "L": {"type": "pivot", "bodies": ["arm", "left"], "axis": "z", "coordinate": "l",
              "point": [[0.6, 0.02, 0], [0, 0, 0]], "effort": 0.8},
        "R": {"type": "pivot", "bodies": ["arm", "right"], "axis": "z", "coordinate": "r",
              "point": [[0.6, -0.02, 0], [0, 0, 0]]},
    },
    "constraints": {"mimic": {"type": "relation", "zero": "r + l"}},
    "inputs": ["lift", "l"],
}  # fmt: skip


def least_time(q, d1, d2, torques, limits):
    """The least time along states of a path whose parameter goes from 0 to 1."""
    count, rest = len(q) - 1, np.zeros_like(q)
    c = torques(q, rest, rest)
    A, B = torques(q, rest, d1) - c, torques(q, d1, d2) - c
    rows, right, h = [], [], 1 / count
    for i in range(count):
        for j in (i, i + 1):
            for k, limit in enumerate(limits):
                row = np.zeros(count + 1)
                row[i] -= A[j, k] / (2 * h)
                row[i + 1] += A[j, k] / (2 * h)
                row[j] += B[j, k]
                rows += [row, -row]
                right += [limit - c[j, k], limit + c[j, k]]
    bounds = [(0, 0), *[(0, None)] * (count - 1), (0, 0)]
    cost, table = -np.ones(count + 1), scipy.sparse.csr_matrix(np.array(rows))
    found = scipy.optimize.linprog(cost, table, np.array(right), bounds=bounds)
    assert found.status == 0
    w = np.sqrt(np.maximum(found.x, 0))
    return float((2 * h / (w[1:] + w[:-1])).sum())


def along(model, names, start, way, count):
    """q, q′ and q″ of all coordinates on a straight line of some, with loops closed."""
    f, state = ts.compile(model), ts.assemble(model).coordinates
    driven = [f.coordinates.index(name) for name in names]
    others = [k for k in range(len(f.coordinates)) if k not in driven]
    parts = []
    for s in np.linspace(0, 1, count + 1):
        given = {name: x + s * d for name, x, d in zip(names, start, way, strict=True)}
        state = ts.assemble(model, {**state, **given}, pinned=names).coordinates
        q = np.array([state[name] for name in f.coordinates])
        J, d1, d2 = f.constraint_jacobian(q), np.zeros(len(q)), np.zeros(len(q))
        d1[driven] = way
        d1[others] = np.linalg.lstsq(J[:, others], -J[:, driven] @ np.array(way), rcond=None)[0]
        d2[others] = np.linalg.lstsq(J[:, others], -f.constraint_bias(q, d1), rcond=None)[0]
        parts.append((q, d1, d2))
    return map(np.array, zip(*parts, strict=True))


def delta_robot():
    described = YAML(typ="safe").load(ts.load("delta_robot").yaml())
    return ts.load({key: x for key, x in described.items() if key != "motions"})


@pytest.mark.slow
@pytest.mark.parametrize(("make", "names", "way", "torque"), [
    (lambda: ts.load("five_bar"), ("alpha", "beta"), (0.5, -0.3), (12.0, 12.0)),
    (delta_robot, ("theta1", "theta2", "theta3"), (0.3, 0.1, -0.2), (6.0, 6.0, 6.0)),
    (lambda: ts.load(GRIPPER), ("lift", "l"), (0.8, 0.6), (25.0, 0.8)),
])  # fmt: skip
def test_the_least_time_on_loops_is_that_of_one_linear_program(make, names, way, torque):
    model = make()
    f, first = ts.compile(model), ts.assemble(model).coordinates
    start = [first[name] for name in names]
    points = {name: [x, x + d] for name, x, d in zip(names, start, way, strict=True)}
    limits = dict(zip(names, torque, strict=True))
    found = ts.robots.time_optimal(model, points, torque=limits, guess=first)

    def torques(q, v, a):
        return np.asarray(f.inverse_dynamics(q, v, a, actuators=list(names)))

    expected = least_time(*along(model, names, start, way, 100), torques, torque)
    # the program, whose grid is coarser, is slower by a part of an interval
    assert expected * (1 - 6e-3) < found.duration < expected * (1 + 1e-4)
    task = ts.robots.inverse(model, found.trajectory, rate=2000, guess=first)
    assert (np.abs(task.efforts) / torque).max() < 1 + 1e-3


def test_efforts_of_the_joints_are_limits_of_a_coupled_gripper():
    model = ts.load(GRIPPER)
    found = ts.robots.time_optimal(model, {"lift": [0, 0.8], "l": [0, 0.6]})
    task = ts.robots.inverse(model, found.trajectory, rate=1000)
    used = np.abs(task.efforts) / [25.0, 0.8]
    assert 1 - 1e-3 < used.max() < 1 + 1e-3
    assert {x.split()[1] for x in found.active if x} <= {"lift", "l"}


def test_a_line_of_the_tool_in_the_least_time():
    """Two links of a plane, whose angles along a line of the tool are known in closed form."""
    l1, l2, limits = 0.5, 0.4, (30.0, 12.0)
    arm = ts.load({
        "name": "arm",
        "gravity": [0, -9.81, 0],
        "bodies": {
            "upper": {"mass": 2, "centre": [l1 / 2, 0, 0], "inertia": [0.01, 0.05, 0.05]},
            "fore": {"mass": 1, "centre": [l2 / 2, 0, 0], "inertia": [0.01, 0.02, 0.02]},
        },
        "joints": {
            "A": {"type": "pivot", "bodies": ["ground", "upper"], "axis": "z", "coordinate": "a",
                  "effort": limits[0]},
            "B": {"type": "pivot", "bodies": ["upper", "fore"], "axis": "z", "coordinate": "b",
                  "point": [[l1, 0, 0], [0, 0, 0]], "effort": limits[1]},
        },
        "points": {"tip": ["fore", [l2, 0, 0]]},
    })  # fmt: skip
    p, e = np.array([0.55, -0.35]), np.array([0.55, 0.45])

    def angles(x):
        b = -np.arccos((x @ x - l1**2 - l2**2) / (2 * l1 * l2))
        return np.array(
            [np.arctan2(x[1], x[0]) - np.arctan2(l2 * np.sin(b), l1 + l2 * np.cos(b)), b]
        )

    start = dict(zip("ab", angles(p).tolist(), strict=True))
    line = ts.robots.line(arm, "tip", [*e, 0], 1.0, start)
    found = ts.robots.time_optimal(arm, line)
    f, parts = ts.compile(arm), []
    for s in np.linspace(0, 1, 101):
        q = angles(p + s * (e - p))
        J = f.jacobian("tip", q)[:2]
        d1 = np.linalg.solve(J, e - p)
        parts.append((q, d1, np.linalg.solve(J, -f.jacobian_rate("tip", q, d1)[:2] @ d1)))
    states = map(np.array, zip(*parts, strict=True))
    assert found.duration == pytest.approx(
        least_time(*states, f.inverse_dynamics, limits), rel=3e-3
    )
    tips = f.point("tip", found.trajectory.q(np.linspace(0, found.duration, 300)))
    np.testing.assert_allclose(tips[:, 0], 0.55, atol=1e-5)
