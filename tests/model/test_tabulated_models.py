"""Mechanisms with tables: what they do, and how the tables are read and refused."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.interpolate import CubicSpline
from tables_made import CAM, LIFT, made, points, turning

from torseur.algebra.core.graph import tables as tables_in
from torseur.algebra.core.tabulated import table
from torseur.errors import ModelError
from torseur.language.load import load
from torseur.machine.compiled import compile
from torseur.model.values.fingerprint import fingerprint


def test_the_content_of_a_table_is_in_the_fingerprint():
    one = {"x": [0, 1, 2], "value": [0, 1, 0]}
    other = {"x": [0, 1, 2], "value": [0, 1.5, 0]}
    prints = [fingerprint(turning("lift(q)", lift=x)) for x in (one, dict(one), other)]
    assert prints[0] == prints[1] != prints[2]
    held = fingerprint(turning("lift(q)", lift=one | {"beyond": "hold"}))
    assert held != prints[0]


def test_code_of_another_table_is_not_taken_from_the_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("TORSEUR_CACHE", str(tmp_path))
    for height in (1.0, 2.0):
        f = compile(turning("lift(q)", lift={"x": [0, 1, 2], "value": [0, height, 0]}))
        assert f.applied(np.array([1.0]), np.zeros(1)) == height


def test_a_torque_from_points_of_a_line_is_that_of_a_linear_spring():
    angles = [-3, -1, 0.5, 2]
    by_table = compile(
        turning("torque(q)", torque={"x": angles, "value": [-4 * x for x in angles]})
    )
    by_formula = compile(turning("-4*q"))
    q = np.linspace(-9, 9, 37)[:, None]
    v = np.zeros_like(q)
    np.testing.assert_allclose(by_table.applied(q, v), by_formula.applied(q, v), rtol=1e-13)


@pytest.mark.parametrize("seed", range(3))
def test_the_power_of_a_spring_under_a_cam_is_what_its_energy_loses(seed):
    """Energy ½ k lift(q)², torque −k lift lift'."""
    one = CAM | {"forces": {"spring": CAM["forces"]["spring"]}}
    f = compile(load(one))
    q, v = np.random.default_rng(seed).uniform(-6, 6, (2, 1))
    h = 1e-6
    before, after = (100 * LIFT.evaluate(q + s * v) ** 2 for s in (-h, h))
    assert f.applied(q, v) @ v == pytest.approx(-(after - before)[0] / (2 * h), rel=1e-6, abs=1e-9)


def test_a_bead_on_a_wire_given_by_points_moves_as_the_shape_of_the_wire_says():
    """On y(s), m (1 + y'²) s̈ + m y' y'' ṡ² + m g y' = Q, with SciPy's y."""
    x, y = points("even")
    bead = {
        "gravity": [0, -9.81, 0],
        "tables": {"wire": {"x": x, "value": y}},
        "bodies": {"bead": {"mass": 2}},
        "joints": {"A": {"type": "defined", "bodies": ["ground", "bead"], "coordinate": "s",
                         "position": ["s", "wire(s)", 0]}},
    }  # fmt: skip
    f = compile(load(bead))
    s, v, a = np.random.default_rng(6).uniform(-1, 3, (3, 50, 1))
    slope, curvature = (CubicSpline(x, y, bc_type="natural")(s, order) for order in (1, 2))
    expected = 2 * ((1 + slope**2) * a + slope * curvature * v**2 + 9.81 * slope)
    found = f.inverse_dynamics(s, v, a)
    assert np.abs(found - expected).max() <= 1e-12 * np.abs(expected).max()


def test_a_force_given_over_time_is_what_the_table_says():
    x, y = points()
    f = compile(turning("2*law(t)", law={"t": x, "value": y}))
    for now in np.linspace(-2, 4, 13):
        torque = f.applied(np.zeros(1), np.zeros(1), np.array([now]))
        assert torque == pytest.approx(2 * made().evaluate(now), rel=1e-14)


# --- files --------------------------------------------------------------------------------------

MODEL = """tables: {lift: {file: measured/lift.csv}}
parameters: {k: 1}
bodies: {cam: {mass: 1, inertia: [0.1, 0.1, 0.1]}}
joints: {A: {type: pivot, bodies: [ground, cam], axis: z, coordinate: q}}
forces: {f: {type: joint, joint: A, value: k*lift(q)}}
"""


def from_csv(folder, text):
    (folder / "measured").mkdir(exist_ok=True)
    (folder / "measured" / "lift.csv").write_text(text, encoding="utf-8")
    (folder / "model.yaml").write_text(MODEL, encoding="utf-8")
    return tables_in(load(folder / "model.yaml").loads["f"].value)[0]


@pytest.mark.parametrize(
    "text",
    [
        "0,0\n1.5707963267948966,0.02\n3.141592653589793,0\n",
        "phi [deg],h [mm]\n0,0\n90,20\n180,0\n",
        "# measured twice\nphi [tr]; h [cm]\n\n0;0\n0,25;2\n0,5;0\n",
        "phi\th\n0\t0\n1.5707963267948966\t0.02\n3.141592653589793\t0",
    ],
    ids=["bare", "units", "decimal commas", "tabs"],
)
def test_points_are_read_from_a_file_beside_the_model(text, tmp_path):
    found = from_csv(tmp_path, text)
    np.testing.assert_allclose(found.breaks, [0, np.pi / 2, np.pi], rtol=1e-15)
    np.testing.assert_allclose(found.values, [0, 0.02, 0], rtol=1e-15)


@pytest.mark.parametrize(
    ("text", "place", "problem"),
    [
        ("0,0\n1,2,3\n", "lift.csv:2", "two numbers are expected in a line, not 3."),
        ("t,x\n0,0\n1,far\n", "lift.csv:3", '"far" is not a number.'),
        ("t [s],x [mmm]\n0,0\n1,1\n", "lift.csv:1", 'unit "mmm" does not exist.'),
        ("t,x\n", "model.yaml:1:10", "a table needs at least 2 points, not 0."),
    ],
)
def test_a_fault_in_a_file_is_told_with_its_line(text, place, problem, tmp_path):
    with pytest.raises(ModelError) as caught:
        from_csv(tmp_path, text)
    assert place in caught.value.place
    assert problem in caught.value.problem


def test_points_are_not_given_twice(tmp_path):
    both = {"file": "lift.csv", "value": [0, 1]}
    with pytest.raises(ModelError, match=r'the points are given twice: the file "lift.csv" and'):
        turning("lift(q)", lift=both)
    with pytest.raises(ModelError, match="arguments are given twice"):
        turning("lift(q)", lift={"t": [0, 1], "x": [0, 1], "value": [0, 1]})


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("sin", [0, 1], [0, 1]), 'the name "sin" cannot be that of a function given by a table'),
        (("f", [0, 1], [0, np.nan]), "value 2 is nan, not a finite number"),
        (("f", [0, np.inf], [0, 1]), "argument 2 is inf, not a finite number"),
        (("f", [0, 1], [0, 1], (0, np.nan)), "the slopes of the ends are 0, nan"),
        (("f", [0, 1], [1, 1], "periodic", "hold"), 'repeats itself: "hold" has no meaning'),
        (("f", [0, 1e-200, 1], [0, 1e200, 0]), "its slopes are out of range"),
    ],
)
def test_a_table_that_makes_no_sense_is_refused(arguments, problem):
    with pytest.raises(ModelError, match=re.escape(problem)):
        table(*arguments)


def test_a_faulty_table_is_told_once_however_often_it_is_called():
    with pytest.raises(ModelError) as caught:
        turning("lift(q) + lift'(q)", lift={"x": [0, 0], "value": [0, 1]})
    assert len(caught.value.faults) == 1


anything = st.one_of(
    st.none(),
    st.floats(),
    st.text(),
    st.sampled_from(["natural", "hold", "periodic", "3 mm", "a", "1/0", "lift(1)", "no.csv", "."]),
    st.lists(st.floats() | st.sampled_from(["90 deg", "b", "2*", None, [1]]), max_size=5),
)
keys = st.sampled_from(["t", "x", "value", "file", "ends", "beyond", "end"])


@given(st.dictionaries(keys, anything) | anything, st.sampled_from(["lift", "sin", "h²", "a b"]))
def test_any_table_loads_or_is_refused(content, name):
    try:
        turning("lift(q)", **{name: content})
    except ModelError as error:
        assert str(error)


@given(st.text() | st.text("0123456789.,;\t\n#-e []mst"))
def test_any_file_loads_or_is_refused(tmp_path_factory, text):
    try:
        from_csv(tmp_path_factory.getbasetemp(), text)
    except ModelError as error:
        assert str(error)
