"""Equations written to a file and read again: the same nodes, the same texts, the same motion."""

import json
from importlib.resources import files

import numpy as np
import pytest

import torseur as ts

EXAMPLES = files("torseur.examples")
ARRAYS = ("M", "h", "g", "Q", "inverse_dynamics", "J", "gamma")


def again(equations, path):
    assert equations.save(path) == path
    return ts.load_equations(path)


def same(a, b):
    for name in ARRAYS:
        x, y = np.asarray(a.output(name)), np.asarray(b.output(name))
        assert x.shape == y.shape, name
        assert all(one is other for one, other in zip(x.ravel(), y.ravel(), strict=True)), name
    assert (a.coordinates, a.speeds, a.formalism) == (b.coordinates, b.speeds, b.formalism)
    assert a.text() == b.text() and a.latex() == b.latex()


@pytest.mark.parametrize(
    ("example", "formalism"),
    [
        ("slider_crank", "newton-euler"),
        ("slider_crank", "absolute"),
        ("heavy_top", "lagrange"),
        ("rolling_disc", "kane"),
        ("double_pendulum", "hamilton"),
        ("robot_1980", "augmented-bodies"),
    ],
)
def test_equations_are_read_back_node_by_node(example, formalism, tmp_path):
    made = ts.derive(str(EXAMPLES / f"{example}.yaml"), formalism=formalism)
    same(made, again(made, tmp_path / "equations.json"))


def test_equations_in_other_variables_are_read_back(tmp_path):
    pendulum = str(EXAMPLES / "double_pendulum.yaml")
    first, second = ts.load(pendulum).speeds
    quasi = {"u1": first, "u2": f"{first} + {second}"}
    made = ts.derive(pendulum, formalism="kane", quasi_velocities=quasi)
    found = again(made, tmp_path / "kane.json")
    same(made, found)
    assert found.speeds == ("u1", "u2") and "partial_velocities" in found.tables


def test_a_lagrangian_and_a_phrase_are_read_back_without_a_file_of_their_own(tmp_path):
    typed = ts.formalisms.lagrangian("m*x.^2/2 - k*x^2/2", ["x"], parameters={"m": 2, "k": 3})
    found = again(typed.equations, tmp_path / "typed.json")
    same(typed.equations, found)
    assert found.evaluate(q=[0.5]).g == pytest.approx([1.5])
    arm = ts.derive(ts.load("RY(q1), TYK(L1), RX(q2), TYK(L2);", masses="lever"))
    same(arm, again(arm, tmp_path / "arm.json"))


def test_equations_read_again_move_as_they_did(tmp_path):
    made = ts.derive(str(EXAMPLES / "compound_pendulum.yaml"))
    found = again(made, tmp_path / "pendulum.json")
    start = {"theta": 0.4}
    a = ts.formalisms.integrate(made, 1.0, rate=10, initial=start)
    b = ts.formalisms.integrate(found, 1.0, rate=10, initial=start)
    np.testing.assert_array_equal(a["theta"], b["theta"])


def test_a_table_in_equations_is_read_back(tmp_path):
    cam = {
        "torseur": 1,
        "name": "cam",
        "tables": {"lift": {"x": [0, 1, 2, 3], "value": [0, 0.2, 0.1, 0]}},
        "bodies": {"follower": {"mass": 1, "inertia": [1, 1, 1]}},
        "joints": {"A": {"type": "prismatic", "bodies": ["ground", "follower"], "axis": "x",
                         "coordinate": "x"}},
        "forces": {"push": {"type": "joint", "joint": "A", "value": "lift(x)"}},
    }  # fmt: skip
    made = ts.derive(cam)
    found = again(made, tmp_path / "cam.json")
    same(made, found)
    np.testing.assert_array_equal(found.evaluate(q=[0.7]).Q, made.evaluate(q=[0.7]).Q)


def test_what_is_no_file_of_equations_is_refused(tmp_path):
    path = tmp_path / "equations.json"
    with pytest.raises(ts.ModelError, match="cannot be read"):
        ts.load_equations(path)
    path.write_text("[1, 2]")
    with pytest.raises(ts.ModelError, match="not a file of equations"):
        ts.load_equations(path)
    ts.derive("RY(q1), TYK(L1);").save(path)
    spoilt = json.loads(path.read_text()) | {"formalism": "lagrange"}
    path.write_text(json.dumps(spoilt))
    with pytest.raises(ts.ModelError, match="damaged"):
        ts.load_equations(path)
