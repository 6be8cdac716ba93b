"""Expressions from text: exact numbers, units, names, functions, and linear time."""

from fractions import Fraction

import numpy as np
import pytest
from counting import work
from hypothesis import given
from hypothesis import strategies as st

from torseur.algebra import PI, number, symbol
from torseur.algebra.core.graph import evaluate
from torseur.errors import ModelError
from torseur.language.text.expression import Names, parse_expression
from torseur.language.text.place import Place

a, b, t = symbol("a"), symbol("b"), symbol("t", "time")
alpha, rate = symbol("alpha", "coordinate"), symbol("alpha.", "speed")
KNOWN = {"a": a, "b": b, "alpha": alpha, "alpha.": rate, "t": t}


def read(text):
    return parse_expression(text, KNOWN)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.1", Fraction(1, 10)),
        ("1e-3", Fraction(1, 1000)),
        (".5", Fraction(1, 2)),
        ("2.", 2),
        ("30 mm", Fraction(3, 100)),
        ("30mm", Fraction(3, 100)),
        ("2e3mm", 2),
        ("1.5 kg.m^2", Fraction(3, 2)),
        ("1.5 kg·mm²", Fraction(3, 2) * Fraction(1, 10**6)),
        ("20 rad/s", 20),
        ("36 km/h", 10),
        ("9.81 m/s^2", Fraction(981, 100)),
        ("2 kg.m2", 2),
        ("30mm-5mm", Fraction(1, 40)),
        ("2^3^2", 512),
        ("-2^2", -4),
        ("2^-1", Fraction(1, 2)),
        ("2**3", 8),
        ("6/2/3", 1),
        ("1 − 2 × 3", -5),
        ("sqrt(9/4)", Fraction(3, 2)),
        ("sqrt(0)", 0),
        ("cos(60 deg)", Fraction(1, 2)),
        ("sin(pi/2)", 1),
        ("abs(-3)", 3),
    ],
)
def test_numbers_and_units_are_exact(text, value):
    assert read(text) is number(value)


def test_degrees_and_turns_are_multiples_of_pi():
    assert read("12 deg") is PI / 15
    assert read("90°") is PI / 2
    assert read("2000 tr/min") is 2000 * PI / 30
    assert read("3 rpm") is PI / 10


def test_a_decimal_with_more_digits_than_a_float_is_a_float():
    assert read("3.14159265358979323846") is number(np.pi)


def test_names_functions_and_operators_make_the_same_nodes_as_python():
    assert read("a/2 + b*a^2/12") is a / 2 + b * a**2 / 12
    assert read("-(a - b)") is b - a
    assert read("sin(2*a)*atan2(a, b)") is (2 * a).sin() * a.arctan2(b)
    assert read("a^b") is a**b


def test_a_trailing_dot_names_a_speed_and_t_is_time():
    assert read("-3*alpha. + alpha*t") is -3 * rate + alpha * t
    assert read("alpha.*2") is 2 * rate


def test_a_unit_follows_a_number_and_a_name_does_not_need_one():
    lengths = {"m": symbol("m"), "s": symbol("s")}
    assert parse_expression("2*m/s", lengths) is 2 * symbol("m") / symbol("s")
    assert parse_expression("(3 m)/s", lengths) is 3 / symbol("s")
    for text in ("m*3 m/s", "3 m/s + 1", "sin(3 m/s)", "(3 m/s)^2", "3 m/s^2*s"):
        with pytest.raises(
            ModelError, match=r'"m/s(\^2)?" may be a unit or contain the parameter "s"'
        ):
            parse_expression(text, lengths)
    with pytest.raises(ModelError, match=r'For the unit write "m.s\^-1"'):
        parse_expression("m*3 m/s", lengths)
    assert parse_expression("3 km.s^-1", lengths) == 3000
    assert parse_expression("12 N.m/rad", lengths) == 12  # after a dot stands a unit


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1/2 m", Fraction(1, 2)),
        ("pi/2 rad", PI / 2),
        ("2*pi rad", 2 * PI),
        ("-3*pi/4 rad", -3 * PI / 4),
        ("180/2 deg", PI / 2),
        ("1/2 kN/m", 500),
        ("3/2 pi", None),
        ("10 m/2 s", 5),
        ("1/(4 s)", Fraction(1, 4)),
    ],
)
def test_a_unit_behind_a_quotient_of_numbers_is_that_of_the_quotient(text, value):
    """People write 1/2 m for half a metre and 180/2 deg for a right angle."""
    if value is None:
        with pytest.raises(ModelError, match='multiplication before "pi" is missing'):
            read(text)
    else:
        assert read(text) == value


def test_a_number_and_a_unit_alone_are_that_whatever_names_there_are():
    names = {name: symbol(name) for name in ("m", "s", "kg", "N", "rad")}
    for text, value in {
        "4000 N/m": 4000,
        "-3 km/s": -3000,
        "(2 kN/m)": 2000,
        "+5 m/s^2": 5,
    }.items():
        assert parse_expression(text, names) == value


def test_the_place_of_a_fault_is_that_of_its_character():
    place = Place("model.yaml", 7, 20, 'body "rod"')
    with pytest.raises(ModelError) as caught:
        parse_expression("2*(a +\n c)", KNOWN, place)
    assert caught.value.place == 'model.yaml:8:2: body "rod"'


SENSELESS = [
    *("1/0", "1/(a-a)", "0^-1", "9^9^9^9", "a^1e9", "(2*a)^1e9", "1e999", "1e-999", "1e200*1e200"),
    *("asin(2)", "log(0)", "(-8)^(1/3)", "(-pi)^0.5", "1mm^999999999", "sin", "a(2)", "sin()"),
    *("atan2(1)", "1e" + "9" * 5000, "1" + "0" * 5000, "y*x^2" + "*x^2" * 2000 + "*x^-900"),
]


@pytest.mark.parametrize("text", SENSELESS, ids=lambda text: text[:20])
def test_what_has_no_value_is_refused(text):
    with pytest.raises(ModelError):
        parse_expression(text, Names(open=True) if "x^2" in text else KNOWN)


def test_long_exact_numbers_become_floats():
    assert read("0.999^1000") is number(0.999**1000)


def reading(text):
    return work(parse_expression, text, Names(open=True))


DEEP = {
    "parentheses": "(" * 10_000 + "a" + ")" * 10_000,
    "signs": "-" * 20_000 + "a",
    "functions": "sin(" * 4_000 + "a" + ")" * 4_000,
    "powers": "a^" * 2_000 + "a",
    "unclosed": "(" * 10_000,
    "unfinished": "a+" * 10_000,
}


@pytest.mark.parametrize("text", DEEP.values(), ids=DEEP)
def test_depth_is_no_obstacle(text):
    # LALR parsing and the evaluation use explicit stacks: no depth exhausts Python's own
    assert reading(text) < 400 * len(text)


def test_a_hundred_thousand_characters_are_work_linear_in_the_text():
    text = "+".join(f"x{n}" for n in range(16_500))
    assert len(text) > 100_000
    parse_expression(text, Names(open=True))
    half, quarter = (text[: len(text) // k].rsplit("+", 1)[0] for k in (20, 40))
    assert reading(half) < 2.2 * reading(quarter)


numbers = st.decimals(0, 10, places=3).map(str)
leaves = st.one_of(numbers, st.sampled_from(["a", "b", "2 cm", "30 deg", "pi"]))
texts = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.builds("({} {} {})".format, inner, st.sampled_from("+-*"), inner),
        st.builds("{}({})".format, st.sampled_from(["sin", "cos", "exp", "-"]), inner),
        st.builds("({})^{}".format, inner, st.sampled_from(["2", "0"])),
    ),
    max_leaves=8,
)


@given(texts)
def test_the_value_is_the_one_python_computes(text):
    plain = text.replace("2 cm", "0.02").replace("30 deg", "(pi/6)").replace("^", "**")
    space = {"a": 1.25, "b": -0.5, "pi": np.pi, "sin": np.sin, "cos": np.cos, "exp": np.exp}
    with np.errstate(all="ignore"):
        expected = eval(plain, {"__builtins__": {}}, space)
    if not abs(expected) < 1e200:
        return
    found = evaluate(read(text), {"a": 1.25, "b": -0.5})
    assert found == pytest.approx(float(expected), rel=1e-9, abs=1e-9)
