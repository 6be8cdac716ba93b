"""Printers: what is printed is right, reads well, and does not depend on how it was built."""

import random
import re
from fractions import Fraction
from xml.etree import ElementTree

import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.mathtext import MathTextParser
from random_expressions import VALUES, computation, computations, read_back

from torseur.algebra import PI, expression, number, symbol, symbols
from torseur.algebra.core.expr import ZERO
from torseur.algebra.core.graph import evaluate
from torseur.algebra.core.rules import choice, larger, smaller
from torseur.algebra.forms.length import length
from torseur.algebra.forms.listing import latex_listing, text_listing
from torseur.algebra.forms.program import program
from torseur.algebra.printing import latex as in_latex
from torseur.algebra.printing import mathml as in_mathml
from torseur.algebra.printing.latex import latex
from torseur.algebra.printing.mathml import mathml
from torseur.algebra.printing.reading_order import layout
from torseur.algebra.printing.text import text

a, b, c, L2, JX6 = symbols("a b c L2 JX6")
q1, q2, q3, q10 = symbols("q1 q2 q3 q10", "coordinate")
P = symbol("P", "speed")
sin, cos, sqrt = np.sin, np.cos, np.sqrt


# --- right --------------------------------------------------------------------------------------


@settings(max_examples=60)
@given(computations)
def test_printed_text_read_back_is_worth_the_same(found):
    for x in found[-4:]:
        got = read_back(text(x.expr), VALUES)
        assert abs(got - x.value) <= 1e3 * x.error + 1e-15, x.expr


@settings(max_examples=10)
@given(st.integers(0, 1000))
def test_sympy_reads_the_printed_text(seed):
    x = computation(seed, steps=10)[-1]
    got = sympy.sympify(text(x.expr).replace("^", "**")).subs(VALUES).evalf()
    assert abs(float(got) - x.value) <= 1e3 * x.error + 1e-15


CASES = [  # text, LaTeX
    (-(a + b), "-a - b", "-a - b"),
    (-(a - b), "b - a", "b - a"),
    (a - (-b), "a + b", "a + b"),
    (a - (b - c), "a - b + c", "a - b + c"),
    (a - 2 * (q1 - q2), "a - 2*(q1 - q2)", r"a - 2\,\left(q_1 - q_2\right)"),
    (c * (q2 - q1), "c*(q2 - q1)", r"c\,\left(q_2 - q_1\right)"),
    (-q3 * (q1 + q2), "-q3*(q1 + q2)", r"-q_3\,\left(q_1 + q_2\right)"),
    ((q1 + q2) ** 2, "(q1 + q2)^2", r"\left(q_1 + q_2\right)^{2}"),
    ((-q1) ** 2, "q1^2", "q_1^{2}"),
    (a * (-b), "-a*b", r"-a\,b"),
    ((a / b) ** 2, "a^2/b^2", r"\frac{a^{2}}{b^{2}}"),
    ((a / b) ** Fraction(3, 2), "(a/b)^(3/2)", r"\left(\frac{a}{b}\right)^{3/2}"),
    ((a * b) ** Fraction(1, 3), "(a*b)^(1/3)", r"\left(a\,b\right)^{1/3}"),
    ((-a) ** 0.25, "(-a)^(1/4)", r"\left(-a\right)^{1/4}"),
    ((a**2) ** 0.25, "(a^2)^(1/4)", r"\left(a^{2}\right)^{1/4}"),
    (sqrt(a + b), "sqrt(a + b)", r"\sqrt{a + b}"),
    (1 / sqrt(a), "1/sqrt(a)", r"\frac{1}{\sqrt{a}}"),
    (a / (b * c), "a/(b*c)", r"\frac{a}{b\,c}"),
    (a / b / c, "a/(b*c)", r"\frac{a}{b\,c}"),
    (a / (b / c), "a*c/b", r"\frac{a\,c}{b}"),
    (a / b**2, "a/b^2", r"\frac{a}{b^{2}}"),
    ((a + b) / c, "(a + b)/c", r"\frac{a + b}{c}"),
    ((a + b) * q1 / c, "q1*(a + b)/c", r"\frac{q_1\,\left(a + b\right)}{c}"),
    (a / (b + c), "a/(b + c)", r"\frac{a}{b + c}"),
    (a / (b + q1 / (a + b)), "a/(b + q1/(a + b))", r"\frac{a}{b + \frac{q_1}{a + b}}"),
    (1 / (a - b), "1/(a - b)", r"\frac{1}{a - b}"),
    (-1 / (a - b), "1/(b - a)", r"\frac{1}{b - a}"),
    (-1 / (a + b), "-1/(a + b)", r"-\frac{1}{a + b}"),
    (a / 2, "1/2*a", r"\frac{1}{2}\,a"),
    (-a / 2 / b, "-a/(2*b)", r"-\frac{a}{2\,b}"),
    (3 * a / (4 * b), "3*a/(4*b)", r"\frac{3\,a}{4\,b}"),
    (sin(q1) ** 2, "sin(q1)^2", r"\sin^{2} q_1"),
    (np.log(q1) ** 2, "log(q1)^2", r"\left(\ln\left(q_1\right)\right)^{2}"),
    (sin(q1 - q2), "sin(q1 - q2)", r"\sin\left(q_1 - q_2\right)"),
    (np.exp(-a), "exp(-a)", r"\exp\left(-a\right)"),
    (abs(q1 - q2), "abs(q1 - q2)", r"\left|q_1 - q_2\right|"),
    (q1.arctan2(-q2), "atan2(q1, -q2)", r"\operatorname{atan2}\left(q_1, -q_2\right)"),
    (number(3) / 2, "3/2", r"\frac{3}{2}"),
    (number(-2), "-2", "-2"),
    (9.81 * a, "9.81*a", r"9.81\,a"),
    (2.5e-7 * a, "2.5e-07*a", r"2.5 \cdot 10^{-7}\,a"),
    (1e-5 * a, "1e-05*a", r"10^{-5}\,a"),
    (PI * a / 3, "1/3*pi*a", r"\frac{1}{3}\,\pi\,a"),
    (3 * a * number(2) ** Fraction(1, 3), "3*2^(1/3)*a", r"3 \cdot 2^{1/3}\,a"),
    (1 - cos(q2), "1 - cos(q2)", r"1 - \cos q_2"),
    (number(0), "0", "0"),
]


def test_a_lone_angle_has_no_brackets_unless_more_follows():
    m, a = symbols("m a")
    ranks = {"m": 0, "a": 3}
    assert latex(m * a * sin(q1), ranks=ranks) == r"m\,a\,\sin q_1"
    before = [latex(x) for x in (sin(q1) * q2, q2 * sin(q1) ** 2, sin(q1) * cos(q1))]
    assert all(r"\sin q_1\,q_2" not in line and r"\sin^{2} q_1\,q_2" not in line for line in before)
    assert before[2] in (r"\sin q_1\,\cos q_1", r"\cos q_1\,\sin q_1")


@pytest.mark.parametrize(("x", "plain", "typeset"), CASES, ids=[case[1] for case in CASES])
def test_brackets_stand_where_they_are_needed(x, plain, typeset):
    assert text(x) == plain
    assert latex(x) == typeset


def test_an_expression_shows_itself_as_text():
    assert str(a * b + 1) == repr(a * b + 1) == "a*b + 1"


# --- readable -----------------------------------------------------------------------------------


def test_factors_come_as_number_parameters_angles_and_the_rest():
    x = P**2 * cos(q2 + q3) * 2 * q1 * L2 * sin(q2) * (q1 + q2)
    assert text(x) == "2*L2*cos(q2 + q3)*sin(q2)*P^2*q1*(q1 + q2)"


def test_terms_come_in_the_natural_order_of_their_names():
    assert text(q10 + 3 + q2 + q1**2 + q1) == "q1^2 + q1 + q2 + q10 + 3"


def test_a_positive_term_leads():
    assert text(b - a) == "b - a"
    assert text(q10 - q1 - q2) == "q10 - q1 - q2"
    assert text(-q1 - q2) == "-q1 - q2"


def test_terms_that_meet_in_nested_sums_are_collected():
    x = (q1 * q2 + q3) + (a * q3 + q1 * q2)
    assert text(x) in ("2*q1*q2 + a*q3 + q3", "a*q3 + 2*q1*q2 + q3")


def test_a_product_of_what_cancels_in_print_is_zero_and_is_left_out_of_sums():
    """(cos q1) (P sin q1) and (sin q1) (P cos q1) are two nodes with one text."""
    nothing = cos(q1) * (P * sin(q1)) - sin(q1) * (P * cos(q1))
    for x in (nothing, sin(q2) * nothing, -sin(q2) * nothing, a * nothing**2):
        assert text(x) == "0"
        assert latex(x) == "0"
    assert text(b + sin(q2) * nothing) == "b"


def test_names_stand_for_nodes_except_in_their_own_definition():
    C23, S2 = cos(q2 + q3), sin(q2)
    x = 2 * L2 * C23 * S2 - JX6 * P**2
    names = {C23.key: "C23", S2.key: "S2", x.key: "T"}
    assert text(x, names) == "T"
    assert text(x, names, top=True) == "2*L2*C23*S2 - JX6*P^2"
    assert (
        latex(x, names, top=True) == r"2\,L_2\,\mathrm{C}_{23}\,\mathrm{S}_2 - \mathit{JX}_6\,P^{2}"
    )
    assert text(C23, names, top=True) == "cos(q2 + q3)"


NAMES = [
    ("q2", "q_2"),
    ("q10", "q_{10}"),
    ("theta", r"\theta"),
    ("theta1", r"\theta_1"),
    ("z_alpha1", r"z_{\alpha_{1}}"),
    ("Omega", r"\Omega"),
    ("alpha.", r"\dot{\alpha}"),
    ("alpha..", r"\ddot{\alpha}"),
    ("q2.", r"\dot{q}_2"),
    ("VZ6", r"\mathit{VZ}_6"),
    ("IXX1", "I_{xx,1}"),
    ("S_alpha", r"S_{\alpha}"),
    ("w3x", "w_{3x}"),
    ("M[1,12]", "M_{1,12}"),
    ("x_cm_2", r"x_{\mathrm{cm},2}"),
    ("a&b", r"\mathit{a\&b}"),
]


@pytest.mark.parametrize(("name", "typeset"), NAMES)
def test_names_are_typeset_as_on_paper(name, typeset):
    assert in_latex.name(name) == typeset
    assert ElementTree.fromstring(in_mathml.element(in_mathml.name(name))) is not None


def test_abbreviated_sines_and_cosines_are_upright():
    assert in_latex.name("C23", abbreviation=True) == r"\mathrm{C}_{23}"
    assert in_latex.name("C2m3", abbreviation=True) == r"\mathrm{C}_{2-3}"


def test_mathml_puts_subscripts_exponents_and_dots_together():
    speed = symbol("q2.", "speed")
    math = '<math xmlns="http://www.w3.org/1998/Math/MathML">{}</math>'
    dotted = "<mover><mi>q</mi><mo>\u02d9</mo></mover><mrow><mn>2</mn></mrow>"
    assert mathml(speed**2) == math.format(f"<msubsup>{dotted}<mn>2</mn></msubsup>")
    assert mathml(a / b) == math.format(
        "<mfrac><mrow><mi>a</mi></mrow><mrow><mi>b</mi></mrow></mfrac>"
    )


# --- well formed --------------------------------------------------------------------------------


@given(computations)
def test_mathml_is_well_formed(found):
    for x in found:
        root = ElementTree.fromstring(mathml(x.expr, block=True))
        for fraction in root.iter("{http://www.w3.org/1998/Math/MathML}mfrac"):
            assert len(fraction) == 2
        for script in root.iter("{http://www.w3.org/1998/Math/MathML}msup"):
            assert len(script) == 2


@settings(max_examples=6)
@given(st.integers(0, 1000))
def test_a_tex_parser_accepts_the_latex(seed):
    for x in computation(seed, steps=12)[-2:]:
        MathTextParser("path").parse(f"${latex(x.expr)}$")


# --- independent of construction, and of depth --------------------------------------------------


def build(rng, leaves):
    made = list(leaves)
    for _ in range(15):
        x, y = rng.choice(made), rng.choice(made)
        made.append(
            rng.choice(
                [
                    lambda x, y: x + y,
                    lambda x, y: x - y,
                    lambda x, y: x * y,
                    lambda x, y: -x,
                    lambda x, y: sin(x - y),
                    lambda x, y: 2 * x - 3 * y,
                    lambda x, y: sqrt(x - y) if x is not y else x,
                    lambda x, y: x / (2 + y**2),
                ]
            )(x, y)
        )
    return made[-1]


@pytest.mark.parametrize("seed", range(40))
def test_the_order_does_not_depend_on_which_symbol_was_made_first(seed):
    stems = "uvwxyz"
    first = {stem: symbol(f"{stem}_first{seed}", "coordinate") for stem in stems}
    second = {stem: symbol(f"{stem}_second{seed}", "coordinate") for stem in reversed(stems)}
    one = build(random.Random(seed), [first[stem] for stem in stems])
    other = build(random.Random(seed), [second[stem] for stem in stems])
    assert re.sub("_first", "_second", text(one)) == text(other)


def test_deep_nesting_is_printed():
    x = q1
    for _ in range(3000):
        x = x * q2 + c
    shown = text(x)
    assert shown.startswith("c + q2*(c + q2*(")
    assert shown.count("(") == 2999


def test_deep_nesting_is_typeset():
    x = q1
    for _ in range(1000):
        x = x * q2 + c
    assert latex(x).count(r"\left(") == mathml(x).count("<mo>(</mo>") == 999


def test_long_sums_are_printed():
    x = q1
    for i in range(3000):
        x = x + symbol(f"x{i}", "coordinate")
    assert text(x).count(" + ") == 3000


def test_shared_sums_and_products_are_collected_not_unfolded():
    x, y, u, v = q1, q2, q1 + 1, q2 + 1
    for _ in range(60):
        x, y, u, v = x + y, x, u * v, u
    assert text(x) == "2504730781961*q1 + 1548008755920*q2"
    assert text(u) == "(q1 + 1)^2504730781961*(q2 + 1)^1548008755920"


def test_a_large_expression_is_shown_by_its_beginning():
    x = q1
    for _ in range(60):
        x = sin(x) * cos(x) + x
    assert len(repr(x)) == 2001
    assert repr(x).endswith("…")


# --- listings -----------------------------------------------------------------------------------

PENDULUM = """\
Computed once per parameter set
  p1 = L*m
  p2 = G*p1

Computed once per configuration
  S1 = sin(q1)

Results
  M11 = L*p1
  M22 = m
  M12 = 0
  h1 = h2 = p2*S1
  J = 0

Operations
  Computed once per parameter set: 3 multiplications, 0 additions
  Computed once per configuration: 1 multiplications, 0 additions, 1 sines and cosines
"""


@pytest.fixture
def pendulum():
    m, L, G = symbols("m L G")
    torque = m * L * G * sin(q1)
    return program(
        {
            "M": np.array([[(m * L) * L, 0], [0, m]], dtype=object),
            "h": np.array([torque, torque], dtype=object),
            "J": np.array([[0, 0]], dtype=object),
        }
    )


def test_a_listing_shows_each_stage_the_outputs_and_the_operations(pendulum):
    assert text_listing(pendulum) == PENDULUM


def test_listings_are_wrapped_and_their_long_sums_broken():
    x = sum((symbol(f"c{i}") * symbol(f"x{i}", "coordinate") for i in range(40)), expression(0))
    made = program({"x": x})
    assert max(map(len, text_listing(made).splitlines())) <= 100
    assert latex_listing(made).count(r"&\quad + ") == 4


def test_matrices_of_more_than_nine_rows_have_indices_in_brackets():
    M = np.array([[symbol(f"m{min(i, j)}_{max(i, j)}") for j in range(10)] for i in range(10)])
    lines = text_listing(program({"M": M})).splitlines()
    assert "  M[1,10] = m0_9" in lines
    assert sum(line.startswith("  M[") for line in lines) == 55


def test_an_entry_is_never_called_like_something_else():
    M11 = symbol("M11")
    assert "M[1,1] = 2*M11" in text_listing(program({"M": np.array([[2 * M11, a]])}))
    assert "R3[1] = a" in text_listing(program({"R3": np.array([a, b])}))


def test_a_latex_listing_is_well_formed(pendulum):
    latex_text = latex_listing(pendulum)
    assert latex_text.count(r"\begin{align*}") == latex_text.count(r"\end{align*}") == 3
    assert r"\mathrm{S}_1 &= \sin q_1" in latex_text


def test_headings_can_be_in_another_language(pendulum):
    french = {"parameters": "Une fois", "configuration": "Par configuration", "state": "Par état"}
    french |= {"outputs": "Résultats", "operations": "Opérations"}
    assert "Résultats\n  M11 = L*p1" in text_listing(pendulum, french)


def test_printing_changes_no_value():
    x = (a + b) * sin(q1) / (c - q2) ** 2
    assert read_back(str(x), VALUES) == pytest.approx(evaluate(x, VALUES))


def test_the_larger_and_the_smaller_of_two_are_written_so_for_people_and_as_choices_for_code():
    y, z = symbol("y"), symbol("z", "coordinate")
    assert str(larger(ZERO, -z)) == "max(0, -z)" and str(smaller(z, y)) == "min(z, y)"
    assert latex(larger(ZERO, -z)) == r"\max\left(0, -z\right)"
    assert "<mi>min</mi>" in mathml(smaller(z, y))
    assert str(choice(z, y, 2 * y)) == "if(z, y, 2*y)"
    assert "max" not in str(layout(larger(ZERO, -z), {}, extremes=False))


def test_signs_of_a_formula_are_counted_however_often_its_parts_stand_in_it():
    x, signs = symbol("x"), 1
    for depth in range(200):
        x, signs = x.sin() + x.cos(), 2 * (signs + (2 if depth else 1)) + 1
    assert length(x) == signs
