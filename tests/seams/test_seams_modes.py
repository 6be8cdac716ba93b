"""Each mode of a contact, seen by every part that knows it: one acceleration.

`simulate` chooses the mode; `ts.in_mode` keeps it, and what is derived, compiled and exported from
that, and the small motions of `ts.linearise`, must be those of the run while the mode lasts.
"""

import ctypes
import shutil
import subprocess

import numpy as np
import pytest

import torseur as ts
from torseur.export.export import sources

GCC = shutil.which("gcc")
EQUAL = 1e-9


def roller(**changes):
    """A ball in the plane with a pendulum on it, on a floor or over it."""
    given = {"y": 0.2, "spin": -5.0, "g": -9.81, "law": {"friction": 0.3}} | changes
    touch = {"bodies": ["ground", "A"], "shape": "ball", "radius": 0.2, "normal": "y"}
    return {
        "gravity": [0.5, given["g"], 0],
        "bodies": {
            "A": {"mass": 1.0, "inertia": [0.02, 0.02, 0.02]},
            "B": {"mass": 0.5, "centre": [0, -0.2, 0], "inertia": [0.01, 0, 0.01]},
        },
        "joints": {
            "A": {"type": "planar", "bodies": ["ground", "A"], "normal": "z",
                  "coordinates": ["x", "y", "a"]},
            "b": {"type": "revolute", "bodies": ["A", "B"], "axis": "z", "coordinate": "b"},
        },
        "contacts": {"floor": {**touch, **given["law"]}},
        "initial": {"y": given["y"], "x.": 1.0, "a.": given["spin"], "b": 0.4, "b.": 1.0},
    }  # fmt: skip


def arm(stop, push, start):
    """Two bars; the first has a stop and a brake, a push holds it there or takes it away."""
    bar = {"mass": 1.0, "centre": [0, -0.25, 0], "inertia": [0.02, 0, 0.02]}
    brake = {"friction": {"constant": 3.0}} if stop == "brake" else {}
    limits = {"limits": [-1.0, 0.5], "stop": {"restitution": 0.2}} if stop == "stop" else {}
    return {
        "gravity": [0, -9.81, 0],
        "bodies": {"A": bar, "B": bar},
        "joints": {
            "a": {"type": "revolute", "bodies": ["ground", "A"], "axis": "z", "coordinate": "a",
                  **brake, **limits},
            "b": {"type": "revolute", "bodies": ["A", "B"], "axis": "z", "coordinate": "b",
                  "point": [[0, -0.5, 0], [0, 0, 0]]},
        },
        "forces": {"push": {"type": "joint", "joint": "a", "value": push}},
        "initial": start,
    }  # fmt: skip


def four_bar(law):
    """A parallel four-bar whose coupler lies on a floor: it pushes down on it and slides."""
    l, w, angle, rate = 0.4, 0.6, 0.0, 0.8
    bar = {"mass": 1.0, "centre": [0, -l / 2, 0], "inertia": [0.02, 0, 0.02]}
    turn = {"type": "revolute", "axis": "z"}
    return {
        "gravity": [0.5, -9.81, 0],
        "reactions": "least_norm",
        "bodies": {"crank": bar, "rocker": bar,
                   "rod": {"mass": 2.0, "centre": [w / 2, 0, 0], "inertia": [0, 0.1, 0.1]}},
        "joints": {
            "a": {**turn, "bodies": ["ground", "crank"], "coordinate": "a"},
            "b": {**turn, "bodies": ["crank", "rod"], "coordinate": "b",
                  "point": [[0, -l, 0], [0, 0, 0]]},
            "d": {**turn, "bodies": ["ground", "rocker"], "coordinate": "d",
                  "point": [[w, 0, 0], [0, 0, 0]]},
            "c": {**turn, "bodies": ["rod", "rocker"], "coordinate": "c",
                  "point": [[w, 0, 0], [0, -l, 0]]},
        },
        "contacts": {"wall": {"bodies": ["ground", "rod"], "point": [0.2, 0, 0], "normal": "x",
                              "through": [0.2, 0, 0], **law}},
        "initial": {"a": angle, "b": -angle, "c": angle, "d": angle,
                    "a.": rate, "b.": -rate, "c.": rate, "d.": rate},
    }  # fmt: skip


CASES = {
    "in the air": (roller(y=0.5), {"floor": "open"}),
    "lifting off": (roller(g=3.0), {"floor": "open"}),
    "rolling": (roller(), {"floor": "stick"}),
    "sliding without friction": (roller(law={}), {"floor": "slip"}),
    "pressed on a stop": (
        arm("stop", 8.0, {"a": 0.5, "b": 0.3, "b.": 1.0}),
        {"a: upper stop": "slip"},
    ),
    "off its stop": (arm("stop", -8.0, {"a": 0.5, "b": 0.3}), {"a: upper stop": "open"}),
    "held by a brake": (arm("brake", 0.0, {"a": 0.0, "b": 0.3}), {"a: friction": "stick"}),
    "a loop beside a wall": (four_bar({}), {"wall": "open"}),
}


def begun(described):
    """The state and the acceleration at the start of a run, and its mechanism."""
    mechanism = ts.load(described)
    run = ts.simulate(mechanism, 1e-2, at=[0.0], rtol=1e-12)
    return mechanism, run


@pytest.mark.parametrize("name", CASES)
def test_a_run_compiled_functions_and_equations_of_a_mode_have_one_acceleration(name):
    described, modes = CASES[name]
    mechanism, run = begun(described)
    for contact, mode in modes.items():
        assert run.contact(contact).state[0] == mode
    kept = ts.in_mode(mechanism, modes)
    q, v, a = run.q[0], run.v[0], run.a[0]
    compiled = ts.compile(kept).forward_dynamics(q, v, np.zeros(len(v)))
    assert compiled == pytest.approx(a, abs=EQUAL * max(1.0, np.abs(a).max()))
    at = ts.derive(kept).evaluate(q, v)
    assert solved(at) == pytest.approx(a, abs=EQUAL * max(1.0, np.abs(a).max()))


def solved(at):
    """a of M a + h + g = Q + Jᵀ λ, J a = −γ."""
    right = np.asarray(at.Q) - at.h - at.g
    if at.J is None or not np.size(at.J):
        return np.linalg.solve(at.M, right)
    J = np.atleast_2d(at.J)
    border = np.block([[at.M, -J.T], [J, np.zeros((len(J), len(J)))]])
    whole = np.concatenate([right, -np.atleast_1d(at.gamma)])
    return np.linalg.lstsq(border, whole, rcond=None)[0][: len(right)]


@pytest.mark.skipif(GCC is None, reason="gcc is not on the PATH")
@pytest.mark.parametrize("name", CASES)
def test_exported_c_of_a_mode_has_the_acceleration_of_the_run(name, tmp_path):
    described, modes = CASES[name]
    mechanism, run = begun(described)
    found = in_c(ts.in_mode(mechanism, modes), run.q[0], run.v[0], tmp_path)
    assert found == pytest.approx(run.a[0], abs=EQUAL * max(1.0, np.abs(run.a[0]).max()))


def in_c(mechanism, q, v, folder):
    """Forward dynamics without other forces, by the C that is written."""
    for file, text in sources(mechanism, "c", ["forward_dynamics"], name="kept").items():
        (folder / file).write_text(text, encoding="utf-8")
    target = folder / "kept.so"
    command = [GCC, "-std=c99", "-Wall", "-Werror", "-O0", "-shared", "-fPIC", "-o", target]
    done = subprocess.run([*command, folder / "kept.c", "-lm"], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    code = ctypes.CDLL(str(target))
    constants, result = np.zeros(3000), np.full(len(v), np.nan)
    p = np.array(list(mechanism.parameters.values()) or [0.0], dtype=float)
    arrays = [np.ascontiguousarray(x, float) for x in (constants, q, v, np.zeros(len(v)), result)]
    code.kept_forward_dynamics_constants(p.ctypes.data_as(ctypes.c_void_p), _pointer(arrays[0]))
    code.kept_forward_dynamics(*map(_pointer, arrays))
    return arrays[-1]


def _pointer(x):
    return ctypes.c_void_p(x.ctypes.data)


# --- small motions -------------------------------------------------------------------------------


SLIDING = {"friction": 0.3}
SMALL = {
    "in the air": CASES["in the air"],
    "rolling": CASES["rolling"],
    "sliding without friction": CASES["sliding without friction"],
    "sliding with friction": (roller(spin=2.0, law=SLIDING), {"floor": "slip"}),
    "pressed on a stop": CASES["pressed on a stop"],
}


@pytest.mark.parametrize("name", SMALL)
def test_small_motions_of_a_mode_are_differences_of_accelerations_of_runs(name):
    """A of `ts.linearise` against central differences, the mode being chosen anew each time."""
    described, modes = SMALL[name]
    mechanism, run = begun(described)
    names = (*run.model.coordinates, *run.model.speeds)
    state = dict(zip(names, (*run.q[0], *run.v[0]), strict=True))
    small = ts.linearise(mechanism, state, modes=modes)
    kept = [x for x in small.states if x.endswith(".")]
    step, count = 1e-5, len(kept)
    for k, moved in enumerate(small.states):
        ends = []
        for sign in (1.0, -1.0):
            there = consistent(described, state, moved, sign * step)
            at = ts.simulate(mechanism, 1e-2, at=[0.0], initial=there, rtol=1e-12)
            for contact, mode in modes.items():
                assert at.contact(contact).state[0] == mode
            ends.append(np.array([at[f"{x}."][0] for x in kept]))
        slope = (ends[0] - ends[1]) / (2 * step)
        assert small.A[-count:, k] == pytest.approx(slope, abs=1e-5 * max(1, np.abs(slope).max()))


def consistent(described, state, moved, by):
    """The state with one independent value changed; what rolls has x. + r a. = 0 at any place."""
    there = state | {moved: state[moved] + by}
    if described is CASES["rolling"][0] and moved == "x.":
        there["a."] = -there["x."] / 0.2
    if described is CASES["rolling"][0] and moved == "a.":
        there["x."] = -0.2 * there["a."]
    return there
