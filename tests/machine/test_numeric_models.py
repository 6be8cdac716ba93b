"""Models full of decimals: rotations that are exact but for rounding, and numbers as they leave."""

import re
from functools import cache

import numpy as np
import pytest
from export_cases import assert_close, case_of
from hypothesis import given
from hypothesis import strategies as st
from test_export_c import GCC, built

import torseur as ts
from torseur.algebra.core.graph import flat
from torseur.algebra.forms.count import count
from torseur.algebra.printing.decimals import decimal
from torseur.equations.functions.catalogue import FUNCTIONS
from torseur.equations.symbols.system import system
from torseur.export.export import LANGUAGES, sources

NOISE = 6.123233995736766e-17
HALF = 0.7071067811865476
UP = {
    "turns": [{"x": "90 deg"}],
    "radians": [{"x": 1.570796326794897}],
    "seven decimals": [{"x": 1.5707963}],
    "matrix": [[1, 0, 0], [0, NOISE, -1], [0, 1, NOISE]],
    "quaternion": [HALF, 0.7071067811865475, 0, 0],
    "quaternion of equal parts": [0.70710678, 0.70710678, 0, 0],
}
EXACT = ("turns", "quaternion of equal parts")
A, B = round(float(np.cos(0.3)), 12), round(float(np.sin(0.3)), 12)
TILTED = [[1, 0, 0], [0, A, -B], [0, B, A]]


def arm(rotation, axis, links):
    """An arm such as those of files: every number has many digits."""
    rng = np.random.default_rng(3)
    bodies, joints = {}, {}
    for k in range(links):
        centre, point = rng.uniform(-0.3, 0.3, (2, 3)).round(7).tolist()
        moments = (0.02 * rng.uniform(0.8, 1.2, 3)).round(9).tolist()
        bodies[f"l{k}"] = {"mass": round(float(rng.uniform(0.5, 4)), 6), "centre": centre,
                           "inertia": moments}  # fmt: skip
        joints[f"j{k}"] = {"type": "pivot", "bodies": [f"l{k - 1}" if k else "ground", f"l{k}"],
                           "point": [point, [0, 0, 0]], "axis": [axis, [0, 0, 1]],
                           "rotation": rotation, "coordinate": f"q{k}"}  # fmt: skip
    return ts.load({"gravity": [0, 0, -9.80665], "bodies": bodies, "joints": joints})


def operations(mechanism):
    return count(flat(FUNCTIONS["inverse_dynamics"].build(system(mechanism))))


@pytest.mark.parametrize("given", UP)
def test_a_quarter_turn_costs_nothing_however_it_is_written(given):
    exact, made = (arm(UP[way], [0, -1, 0], links=4) for way in ("turns", given))
    assert operations(made) == operations(exact)
    told = [note for note in made.notices if "exact turns" in note]
    assert len(told) == (given not in EXACT)
    expected = case_of(exact).expected("inverse_dynamics")
    assert_close(case_of(made).expected("inverse_dynamics"), expected, 1e-12)


@pytest.mark.parametrize("angle", ["0.5235987755982988", "-0.7853981633974483", "2.0943951"])
def test_phrases_and_other_parts_of_a_turn_are_recognised_too(angle):
    degrees = round(np.degrees(float(angle)))
    phrases = [f"RZ(q1), TXK(a1), RXK({x}), TZK(d1), RZ(q2), TXK(a2);" for x in
               (f"{degrees}deg", angle)]  # fmt: skip
    exact, made = (ts.load(phrase, masses="full") for phrase in phrases)
    assert operations(made) == operations(exact)
    assert [note for note in made.notices if "exact turns" in note]
    assert not [note for note in exact.notices if "exact turns" in note]


@pytest.mark.parametrize("rotation", [[{"x": 1.5708}], [{"x": 1.57}], TILTED, [{"x": 1.57079}]])
def test_another_angle_stays_what_it_is(rotation):
    turned = ts.load({"bodies": {"b": {"mass": 1}}, "joints": {"A": {
        "type": "ball", "bodies": ["ground", "b"], "rotation": rotation}}})  # fmt: skip
    assert not any("exact turns" in note for note in turned.notices)


@cache
def tilted():
    return arm(TILTED, [0, -B, A], links=3)


def assert_decimals(text):
    """No long integer, and no number that is much larger than those of the model."""
    assert max(map(len, re.findall(r"\d+", text))) <= 19, "a double needs seventeen digits"
    assert not [x for x in re.findall(r"\de\+?(\d+)", text) if int(x) > 15]


@pytest.mark.parametrize("to", LANGUAGES)
def test_numbers_leave_as_decimals(to):
    assert_decimals("".join(sources(tilted(), to, ["mass_matrix"]).values()))


@pytest.mark.parametrize("formalism", ["newton-euler", "lagrange", "hamilton"])
def test_equations_of_a_model_of_numbers_are_read_by_people(formalism):
    """Exact products of decimals have 66 digits; a double has seventeen."""
    equations = ts.derive(tilted(), formalism)
    for shown in (equations.text(), equations.latex(), str(equations.M[0, 0])):
        significant = (x.replace(".", "").strip("0") for x in re.findall(r"\d+\.?\d*", shown))
        assert max(map(len, significant)) <= 17
    assert not re.search(r"\d{8}/\d{8}|frac\{\d{8}", equations.text() + equations.latex())


@given(st.fractions(), st.integers(0, 60))
def test_a_number_is_written_as_the_nearest_double_or_without_loss(value, power):
    exact = value / 10**power
    shown = decimal(exact)
    assert float(shown) == float(exact)
    assert len(str(shown)) <= max(len(repr(float(exact))), 17)
    assert isinstance(shown, float) or shown == exact


@pytest.mark.slow
def test_an_arm_of_many_decimals_is_written_whole():
    made = arm(TILTED, [0, -B, A], links=6)
    names = ["inverse_dynamics", "mass_matrix", "forward_dynamics"]
    assert_decimals("".join(sources(made, "c", names).values()))


@pytest.mark.skipif(GCC is None, reason="gcc is not on the PATH")
@pytest.mark.parametrize(
    ("real", "tolerance"), [pytest.param("double", 1e-11, marks=pytest.mark.slow), ("float", 2e-4)]
)
def test_c_of_a_numeric_model_gives_its_numbers_in_both_precisions(real, tolerance, tmp_path):
    case = case_of(tilted())
    library = built(case.texts("c", ["mass_matrix"], real=real), tmp_path, real)
    expected = case.expected("mass_matrix")
    found = library("mass_matrix", case.p, case.inputs("mass_matrix"), expected.shape)
    assert_close(found, expected, tolerance)
