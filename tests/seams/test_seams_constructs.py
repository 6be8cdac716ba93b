"""Every force against all it meets: formalisms, coordinates, energy, batches, files, C."""

import ctypes
import shutil
import subprocess

import numpy as np
import pytest

import torseur as ts
from torseur.equations.symbols.system import system
from torseur.export.export import LANGUAGES
from torseur.export.exported_model import model

TIP = ["arm", [0.4, 0, 0]]
HOOK = ["ground", [1.0, 1.2, 0]]
SHEAVE = {"sheave": "wheel", "radius": 0.1, "wrap": "-90 deg"}
WHEEL = {"type": "tyre", "body": "wheel", "axis": "z", "normal": "y", "slow": 0.5}
DIAGONAL = [1, 1, 1, 0.1, 0.1, 0.1]


def wrench(body, force, **more):
    return {"type": "wrench", "body": body, "force": force} | more


def cable(*through, length, **more):
    return {"type": "cable", "through": list(through), "stiffness": "k", "length": length} | more


FORCES = {
    "joint": {"type": "joint", "joint": "E", "value": "C*sin(3*t) - 0.2*th."},
    "wrench": wrench("arm", ["C", "x", 0], point=[0.1, 0, 0], couple=[0, 0, "y."]),
    "jet": wrench("arm", [0, "C", 0], point=[0.1, 0, 0], frame="body"),
    "travelling": wrench("arm", [0, "C", 0], point=["0.1 + 0.2*t", "0.1*x", 0]),
    "place": wrench("cart", [0, "C", 0], at=["0.1*x", "0.2*t", 0]),
    "spring": {"type": "spring", "between": [HOOK, TIP], "stiffness": "k", "length": 0.3},
    "damper": {"type": "damper", "between": [HOOK, TIP], "damping": 2},
    "line": {
        "type": "line",
        "between": [["cart", [0, 0.3, 0]], TIP],
        "tension": "k*(length - 0.2)^3 + rate",
    },
    "cable": cable(HOOK, TIP, ["ground", [0, 1.5, 0]], length=0.5, damping=1),
    "sheaves": cable(HOOK, SHEAVE, TIP, length=0.5),
    "drum": cable(HOOK, SHEAVE, length="0.5 + 0.1*s"),
    "bushing": {
        "type": "bushing",
        "between": [["ground", [0.2, 0, 0]], ["arm", [0.1, 0, 0]]],
        "stiffness": [90, 80, 70, 3, 3, 5],
        "damping": DIAGONAL,
        "force": ["-k*dx^3", 0, 0],
    },
    "torsion spring": {"type": "torsion spring", "joint": "E", "stiffness": "k", "angle": 0.1},
    "torsion damper": {"type": "torsion damper", "joint": "E", "damping": 0.3},
    "law": {"type": "law", "joint": "E", "value": "-k*angle^3 - 0.1*rate"},
    "pressure": {
        "type": "pressure",
        "joint": "P",
        "coordinate": "x",
        "pressure": "2 bar",
        "area": "1 cm^2",
    },
    "resistance": {"type": "resistance", "body": "arm", "force": [1, 2, 3], "couple": 0.1},
    "drag": {
        "type": "drag",
        "body": "arm",
        "density": 1.2,
        "coefficient": 1,
        "area": 0.4,
        "wind": ["C", 0, 0],
    },
    "creep": WHEEL | {"radius": "0.1 + 0.01*x", "load": 30, "creep": [200, 90], "friction": 0.3},
    "magic": WHEEL | {"radius": 0.6, "stiffness": 900, "damping": 5, "magic": [10, 1.9, 1, 0.97]},
    "attraction": {"type": "attraction", "centre": ["ground", [0, 3, 0]], "k": 4},
    "gravitation": {"type": "gravitation", "between": ["cart", "arm"], "constant": 0.2},
    "potential": {"type": "generalised potential", "value": "-C*(x*y. - y*x.)"},
}
START = {"x": 0.3, "y": 0.5, "a": 0.2, "th": 0.4, "s": 0.1}
START |= {"x.": 0.6, "y.": -0.3, "th.": 1.1, "s.": -5.0}
FORCE = pytest.mark.parametrize("name", FORCES)
GCC = shutil.which("gcc")


def scene(**sections):
    """A cart in a plane, with an arm and a wheel on it."""
    return {
        "name": "scene",
        "gravity": [0, -9.81, 0],
        "parameters": {"C": 1.5, "k": 40},
        "bodies": {
            "cart": {"mass": 2, "inertia": [0.1, 0.1, 0.2]},
            "arm": {"mass": 1, "centre": [0.2, 0, 0], "inertia": [0.01, 0.02, 0.03]},
            "wheel": {"mass": 0.5, "inertia": [0.01, 0.01, 0.02]},
        },
        "joints": {
            "P": {
                "type": "planar",
                "normal": "z",
                "bodies": ["ground", "cart"],
                "coordinates": ["x", "y", "a"],
            },
            "E": {"type": "pivot", "axis": "z", "bodies": ["cart", "arm"], "coordinate": "th"},
            "W": {"type": "pivot", "axis": "z", "bodies": ["cart", "wheel"], "coordinate": "s"},
        },
        "initial": START,
    } | sections


def python_force(mechanism):
    """A force in Python beside the others."""

    def f(t, state):
        return -3 * state["arm"].velocity, [0, 0, np.sin(t)]

    return ts.forces.custom(mechanism, f, bodies=("arm", "cart"), name="python")


def with_force(name):
    return ts.load(scene(forces={name.replace(" ", "_"): FORCES[name]}))


MECHANISMS = {name: lambda name=name: with_force(name) for name in FORCES} | {
    "python": lambda: python_force(ts.load(scene()))
}
EVERY = pytest.mark.parametrize("name", MECHANISMS)


@EVERY
def test_it_moves_alike_in_both_coordinates_and_energy_closes(name):
    m = MECHANISMS[name]()
    runs = [ts.simulate(m, 0.2, at=[0.2], coordinates=x) for x in ("joint", "absolute")]
    assert max(run.energy_drift for run in runs) < 1e-6
    for q in m.coordinates:
        np.testing.assert_allclose(runs[0][q], runs[1][q], atol=1e-6, err_msg=q)


@EVERY
def test_formalisms_agree_on_it(name):
    compared = ts.formalisms.compare(MECHANISMS[name](), ["newton-euler", "lagrange", "kane"])
    assert compared.agree, str(compared)


@EVERY
def test_a_row_of_a_batch_is_the_single_motion(name):
    m = MECHANISMS[name]()
    rows = ts.simulate(m, 0.1, at=[0.1], initial={"th": [0.3, 0.4, 0.5]})
    alone = ts.simulate(m, 0.1, at=[0.1], initial={"th": 0.5})
    np.testing.assert_array_equal(rows.row(2).q, alone.q)


@FORCE
def test_it_is_read_again_as_it_was_written(name, tmp_path):
    m = with_force(name)
    assert ts.load(m.save(tmp_path / "m.yaml")) == m


@FORCE
@pytest.mark.skipif(GCC is None, reason="gcc is not on the PATH")
def test_its_c_gives_the_same_accelerations(name, tmp_path):
    m = with_force(name)
    ts.export(m, "c", ["forward_dynamics"], tmp_path)
    target = tmp_path / "scene.so"
    command = [
        GCC,
        "-std=c99",
        "-O0",
        "-shared",
        "-fPIC",
        "-o",
        target,
        tmp_path / "scene.c",
        "-lm",
    ]
    subprocess.run(command, check=True, capture_output=True)
    f, (q, v) = (
        ts.compile(m),
        (np.array([START.get(x, 0.0) for x in names]) for names in (m.coordinates, m.speeds)),
    )
    arrays = [q, v, np.zeros(5)]
    letters = [letter for letter, _ in f.kernel("forward_dynamics")[0].inputs]
    if "t" in letters:
        arrays.append(np.array([0.3]))
    expected = f.forward_dynamics(*arrays)
    c, result = np.zeros(3000), np.zeros(5)
    library = ctypes.CDLL(str(target))

    def call(function, *given):
        getattr(library, f"scene_{function}")(*(ctypes.c_void_p(x.ctypes.data) for x in given))

    used = [x.name for x in model(system(m), [], LANGUAGES["c"]).parameters]
    call("forward_dynamics_constants", np.array([m.parameters[x] for x in used]), c)
    call("forward_dynamics", c, *arrays, result)
    np.testing.assert_allclose(result, expected, rtol=1e-10, atol=1e-10)
