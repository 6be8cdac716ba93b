"""Answers of students: read in every notation, marked as in annex B, compared as functions."""

from functools import cache
from importlib.resources import files

import numpy as np
import pytest
import sympy

import torseur as ts
from torseur.algebra.core.expr import symbol
from torseur.algebra.core.graph import evaluate
from torseur.algebra.forms.dimensions import dimension
from torseur.teach.formula.nodes import value_of
from torseur.teach.formula.parser import parse_formula
from torseur.teach.formula.tokens import FormulaError, KnownNames


@cache
def example(name):
    return ts.load(str(files("torseur.examples") / f"{name}.yaml"))


@pytest.fixture(scope="module")
def pendulum():
    return ts.load(
        {
            "gravity": [0, -9.81, 0],
            "parameters": {
                "m": {"value": 1, "unit": "kg"},
                "l": {"value": 1, "unit": "m"},
                "b": {"value": 0.2, "unit": "N.m.s"},
            },
            "bodies": {"bob": {"mass": "m", "centre": [0, "-l", 0]}},
            "joints": {
                "O": {"type": "pivot", "bodies": ["ground", "bob"], "axis": "z",
                      "coordinate": "theta"},
            },
            "forces": {"oil": {"type": "joint", "joint": "O", "value": "-b*theta."}},
            "points": {"M": ["bob", [0, "-l", 0]]},
        }
    )  # fmt: skip


# --- reading --------------------------------------------------------------------------------------

NAMES = [
    *"mglkabMxt",
    "x.",
    "x..",
    "phi",
    "phi.",
    "phi..",
    "psi..",
    "psi",
    "m1",
    "Cm",
    "lam",
    "lam.",
]
SAME = [
    ("m*l^2*phi.. + m*g*l*sin(phi)", r"m l^2 \ddot\varphi + m g l \sin\varphi"),
    ("m*l^2*phi..", r"ml^2\ddot{\phi}"),
    ("m*l^2*phi..", "m l² φ̈"),
    ("m*phi..*l^2", r"m\,l^{2}\,\frac{d^2\phi}{dt^2}"),
    ("m*l*phi.", r"m l \frac{\mathrm{d}\phi}{\mathrm{d}t}"),
    ("m1*x.^2/2", r"\tfrac{1}{2} m_1 \dot{x}^2"),
    ("m1*x.^2/2", "½ m_1 ẋ²"),
    ("(m+M)*a^2*phi.. + M*a*b*cos(phi-psi)*psi..",
     "(m+M) a^2 phi''[t] + M a b Cos[phi[t]-psi[t]] psi''[t]"),
    ("sin(phi)^2*cos(phi)", r"\sin^2\phi\,\cos\phi"),
    ("sin(phi)^2*cos(phi)", "sin²φ cos φ"),
    ("sin(2*phi)", "sin 2 phi"),
    ("sqrt(a^2 + b^2)", r"\sqrt{a^2 + b^2}"),
    ("Cm*lam./x", r"\frac{C_m \dot\lambda}{x}"),
    ("m*g*l", "mgl"),
    ("-k*(x - l)", "-k(x-l)"),
    ("abs(x.)*pi", "|x.| pi"),
    ("2^(-1/2)*m", "m/sqrt(2)"),
    ("m^8", "m^2^3"),
    ("a/b/g", "a/(b g)"),
    ("atan(x)", "arctan(x)"),
    ("m*x.^2/2", r"\frac12 m \dot x^2"),
    ("m*x.^2/2", r"\frac1{2}m\dot x^2"),
    ("m*x.^2/2", r"\dfrac{1}2 m\dot{x}^{2}"),
    ("12*m*x/2", r"12\tfrac12 m x"),
    ("m^(1/3)", r"\sqrt[3]{m}"),
    ("m*(a + b)", r"m\left\{a + b\right\}"),
    ("m*phi..", 'm*phi"'),
    ("m*phi..", "m φ″"),
    ("m*phi..", r"m\varphi^{\prime\prime}"),
    ("m*phi.", r"m\varphi^\prime"),
    ("m*phi..", r"m\varphi''"),
    ("m*phi..", r"m \dot{\dot\phi}"),
    ("m*phi..", "m*d²phi/dt²"),
    ("m*phi..", "m*d^2phi/dt^2"),
    ("m*phi..", "m d2phi/dt2"),
    ("m*phi.^2", "m (dphi/dt)^2"),
    ("m*phi.^2", r"m \left(\frac{d\phi}{dt}\right)^2"),
    ("m*phi..", r"m\frac{\mathrm d^2 \phi}{\mathrm d t^2}"),
    ("m*phi..", r"m\frac{\mathrm{d}^{2} \phi}{\mathrm{d}t^{2}}"),
    ("m*phi..", r"\frac{d}{dt}\left(m\dot\phi\right)"),
    ("m*phi..", r"\frac{d}{dt} m\dot\phi"),
    ("m*phi..", r"\frac{d (m\dot\phi)}{dt}"),
    ("m*phi..", "d(m*phi.)/dt"),
    ("m*phi..", "d/dt(m phi')"),
    ("m*phi..", r"m\frac{d\dot\phi}{dt}"),
    ("m*phi.*cos(phi) + x..", r"\frac{d}{dt}(m\sin\phi + \dot x)"),
    ("x.*phi + x*phi.", "d(x*phi)/dt"),
    ("2.5*m", "2.5*m"),
    ("2*m", "2.*m"),
]  # fmt: skip


@pytest.mark.parametrize(("plain", "other"), SAME)
def test_every_notation_is_read_as_the_same_formula(plain, other):
    names = KnownNames({name: name for name in NAMES})
    symbols = {name: symbol(name) for name in NAMES}
    rates = {symbols[name]: symbols[f"{name}."] for name in NAMES if f"{name}." in NAMES}
    rng = np.random.default_rng(0)
    at = {name: float(rng.uniform(0.5, 1.5)) for name in NAMES}
    a, b = (float(evaluate(value_of(parse_formula(x, names)[0], symbols, {}, rates), at))
            for x in (plain, other))  # fmt: skip
    assert a == pytest.approx(b, rel=1e-14)


@pytest.mark.parametrize(
    ("formula", "problem", "place"),
    [
        ("(m*l", '"(" is not closed by ")".', 1),
        ("m*l +", "the formula is not complete.", 6),
        ("m = l = x", 'there is more than one "=".', 7),
        ("m*§", 'unexpected character "§".', 3),
        ("sin + m", "sin has no argument.", 1),
        ("(m, l)", "a vector has 3 components, not 2.", 1),
        ("m)", '")" is not expected here.', 2),
        ("(" * 70 + "m", "more than 60 brackets are open.", 61),
        ("m*1e999", 'the number "1e999" is out of range.', 3),
        ("sin^-1(x)", '"sin^-1" is ambiguous: write arcsin or 1/sin.', 1),
    ],
)
def test_what_cannot_be_read_is_pointed_at(formula, problem, place):
    with pytest.raises(FormulaError) as caught:
        parse_formula(formula, KnownNames({name: name for name in NAMES}))
    assert (caught.value.problem, caught.value.place) == (problem, place)


def test_no_text_makes_the_reader_fail(pendulum):
    pieces = ["m", "l", "theta", "theta.", "+", "-", "*", "/", "^", "(", ")", "=", "sin", "2", "0",
              r"\frac", "{", "}", r"\ddot", r"\theta", "vec(OM)", ",", "|", "_", "'", "²",
              "½"]  # fmt: skip
    rng = np.random.default_rng(0)
    for _ in range(60):
        chosen = rng.choice(pieces, size=int(rng.integers(1, 9)))
        answer = ts.check_answer(pendulum, "".join(chosen), of="T")
        assert answer.verdict in ("faulty", "different")
    assert ts.check_answer(pendulum, "+".join(["m"] * 700), of="T").codes == ("SE",)
    assert "SE" in ts.check_answer(pendulum, "2^2^2^2^2^2^2", of="T").codes


@pytest.mark.parametrize(
    ("unit", "shown"),
    [("N.m", "N.m"), ("J", "N.m"), ("kg.m^2", "kg.m^2"), ("N/m", "N/m"), ("rad/s", "1/s"),
     ("deg", "no unit"), ("m/s^2", "m/s^2"), ("tr/min", "1/s"), ("kg.m/s", "N.s")],
)  # fmt: skip
def test_units_have_dimensions(unit, shown):
    assert str(dimension(unit)) == shown


# --- marks ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("formula", "of", "code", "sentence"),
    [
        ("E_c = 1/2*m*l*theta.", "T", "INHD", "The formula is [N.s], T is [N.m]."),  # annex B
        ("m*l*theta.. + m*g*l*sin(theta) = 0", "theta", "INHD",
         "m*l*theta.., [N], is added to m*g*l*sin(theta), [N.m]."),
        ("m*l^2*theta.. + m*g*sin(l) = 0", "theta", "INHD", "The argument l of sin is [m]"),
        ("E_p = m*g*vec(OM)", "V", "INHT", "The formula is a vector, V is a scalar."),  # annex B
        ("m*l^2*theta.. + m*vec(g)", "theta", "INHT", "m*l^2*theta.., a scalar, is added to"),
        ("m*l^2*theta.. + m*g*h*sin(theta) = 0", "theta", "KK", '"h" is defined neither'),
        ("E_p = m*g*vec(OQ)", "V", "KK", "The arrow over OQ is not defined"),
        ("I_xx = (m*l^2", "T", "SE", "is not closed"),
    ],
)  # fmt: skip
def test_faults_are_marked_first(pendulum, formula, of, code, sentence):
    answer = ts.check_answer(pendulum, formula, of=of)
    assert code in answer.codes
    assert not answer.right
    assert sentence in str(answer)
    assert str(answer).startswith(code)


def test_the_same_marks_exist_in_french(pendulum):
    answer = ts.check_answer(pendulum, "m*l*theta.. + m*g*l*sin(theta) + b*theta.", of="theta")
    said = answer.text("fr")
    assert "INHD (colonne 15) : inhomogénéité dimensionnelle." in said
    assert "est ajouté à" in said
    with pytest.raises(ts.ModelError, match='language "de" does not exist'):
        answer.text("de")


def test_a_number_with_decimals_may_hide_a_dimension(pendulum):
    assert (
        "INHD"
        not in ts.check_answer(pendulum, "m*l^2*theta.. + 9.81*m*l*sin(theta)", "theta").codes
    )
    assert "INHD" in ts.check_answer(pendulum, "m*l^2*theta.. + 10*m*l*sin(theta)", "theta").codes


def test_dimensions_follow_from_the_use_of_parameters_without_units():
    plain = ts.load(
        {
            "gravity": [0, "-g", 0],
            "parameters": {"m": 2, "l": 0.5, "g": 9.81, "k": 3},
            "bodies": {"bob": {"mass": "m", "centre": [0, "-l", 0]}},
            "joints": {"O": {"type": "pivot", "bodies": ["ground", "bob"], "axis": "z",
                             "coordinate": "theta"}},
            "forces": {"spring": {"type": "joint", "joint": "O", "value": "-k*theta"}},
        }
    )  # fmt: skip
    right = "m*l^2*theta.. + k*theta + m*g*l*sin(theta)"
    assert ts.check_answer(plain, right).verdict == "equal"
    assert ts.check_answer(plain, right.replace("l^2", "l")).codes == ("INHD",)
    assert ts.check_answer(plain, right.replace("k*theta", "k*l*theta")).codes == ("INHD",)


# --- verdicts -------------------------------------------------------------------------------------

RIGHT = "m*l^2*theta.. + b*theta. + m*g*l*sin(theta)"


@pytest.mark.parametrize(
    ("formula", "verdict", "factor"),
    [
        (f"{RIGHT} = 0", "equal", None),
        (r"m l^2 \ddot\theta = - b\dot\theta - m g l \sin\theta", "equal", None),
        ("-m*g*l*sin(theta) - b*theta. = m*l^2*theta..", "sign", "-1"),
        ("theta.. + b*theta./(m*l^2) + g/l*sin(theta)", "factor", "l^2*m"),
        ("2*l*m*theta.. + 2*b*theta./l + 2*m*g*sin(theta)", "factor", "1/2*l"),
        (f"({RIGHT})*(1 + m*g*l/(b^2/(m*l^2)))*cos(theta)", "factor", None),
    ],
)
def test_an_equation_is_right_up_to_a_factor(pendulum, formula, verdict, factor):
    answer = ts.check_answer(pendulum, formula)
    assert (answer.verdict, answer.right) == (verdict, True)
    if factor is not None:
        assert str(answer.factor) == factor


def test_a_quantity_has_no_free_factor(pendulum):
    assert ts.check_answer(pendulum, "T = m*(l*theta.)^2/2", of="T").right
    twice = ts.check_answer(pendulum, "m*(l*theta.)^2", of="T")
    assert (twice.verdict, twice.right, str(twice.factor)) == ("factor", False, "1/2")
    assert ts.check_answer(pendulum, "E_p = -m*vec(g)*vec(OM)", of="V").right
    assert not ts.check_answer(pendulum, "m*g*l*cos(theta)", of="V").right


def test_equal_values_of_parameters_do_not_make_formulas_equal(pendulum):
    """m and l are both 1 in the model."""
    assert not ts.check_answer(pendulum, "l*m^2*theta.. + b*theta. + m*g*l*sin(theta)").right


@pytest.mark.parametrize(
    ("formula", "told"),
    [
        ("m*l^2*theta.. + 2*b*theta. + m*g*l*sin(theta)",
         "the coefficient of theta. (first degree) is 2 times too large: it is b, you have 2*b."),
        ("m*l^2*theta.. + b*theta. - m*g*l*sin(theta)",
         "the gravity term has the wrong sign: it is m*g*l*sin(theta)."),
        ("m*l^2*theta.. + m*g*l*sin(theta)",
         "the coefficient of theta. (first degree) is missing: it is b."),
        ("m*l^2*theta.. + b*theta. + m*g*l*cos(theta)",
         "sine and cosine are exchanged in the gravity term: it is m*g*l*sin(theta), you have "
         "m*g*l*cos(theta)."),
        ("m*l^2*(theta.. + theta.^2) + b*theta. + m*g*l*sin(theta)",
         "the coefficient of theta.^2 should not be there: you have m*l^2."),
    ],
)  # fmt: skip
def test_the_term_that_differs_is_named_with_a_state_where_it_does(pendulum, formula, told):
    answer = ts.check_answer(pendulum, formula)
    assert answer.verdict == "different"
    assert told in str(answer)
    expected, given = answer.values
    assert expected != pytest.approx(given, rel=1e-6)
    names = {**answer.state}
    assert float(evaluate(answer.expected, names)) == pytest.approx(expected)


def test_the_trap_of_the_dissipated_power_is_recognised(pendulum):
    """L-EllK's warning and S0 §2.2.3: ∂P/∂q̇ counts a viscous force twice."""
    answer = ts.check_answer(pendulum, "m*l^2*theta.. + 2*b*theta. + m*g*l*sin(theta)")
    assert "Rayleigh" in str(answer)


# --- the problems of the sources ------------------------------------------------------------------

FOUR = {
    "S_phi": "(m+M) a^2 phi''[t] + M a b Cos[phi[t]-psi[t]] psi''[t] "
    "+ M a b Sin[phi[t]-psi[t]] psi'[t]^2",
    "Q_phi": "-(m+M) g a Sin[phi[t]]",
    "S_psi": "M b^2 psi''[t] + M a b Cos[phi[t]-psi[t]] phi''[t] "
    "- M a b Sin[phi[t]-psi[t]] phi'[t]^2",
    "Q_psi": "-M g b Sin[psi[t]]",
}


@pytest.mark.parametrize("name", FOUR)
def test_the_four_checks_of_the_lab_are_ok(name):
    """P-TPA 1.2 and P-Ex4.2; the model turns by relative angles, the lab by absolute ones."""
    answer = ts.check_answer(
        example("double_pendulum_points"), FOUR[name], of=name, coordinates={"turn": "psi - phi"}
    )
    assert answer.right
    assert answer.exact


def test_the_equations_of_the_lab_are_those_of_the_model_and_their_sum_is_recognised():
    m = example("double_pendulum_points")
    equation = f"{FOUR['S_phi']} = {FOUR['Q_phi']}"
    absolute = {"turn": "psi - phi"}
    assert ts.check_answer(m, equation, of="phi", coordinates=absolute).verdict == "equal"
    relative = ts.check_answer(m, equation, of="psi", coordinates=absolute)
    assert (relative.verdict, relative.combination) == ("combination", {"phi": 1.0})
    assert "True, but not the requested equation: yours is the equation of phi." in str(relative)


def test_the_exam_of_2009_and_its_errata():
    """G-Ex0, E2-7 and E2-8: the notes lose the 2 of Coriolis and the sign of the spring."""
    m = example("rotating_arm")
    right = "(C1 + B2 + m*(a+lam)^2)*theta.. + 2*m*(a+lam)*lam.*theta. = Cm"
    assert ts.check_answer(m, right, of="theta").verdict == "equal"
    lost = ts.check_answer(m, right.replace("2*m*(a+lam)*lam.", "m*(a+lam)*lam."), of="theta")
    assert "is 2 times too small" in str(lost)
    assert "Coriolis" in str(lost)
    spring = "m*lam.. - m*(a+lam)*theta.^2 + k*(lam - l0) = 0"
    assert ts.check_answer(m, spring, of="lam").verdict == "equal"
    printed = ts.check_answer(m, spring.replace("lam - l0", "l0 - lam"), of="lam")
    assert "has the wrong sign" in str(printed)
    along, across = "lam.*{}(theta)", "(a+lam)*theta.*{}(theta)"
    speed = f"({along} - {across}, {along} + {across}, 0)".format("cos", "sin", "sin", "cos")
    assert ts.check_answer(m, speed, of="V(A)").right
    assert ts.check_answer(m, "(lam., (a+lam)*theta., 0)", of="V(A)", axes="arm").right
    coriolis = "(lam.. - (a+lam)*theta.^2, (a+lam)*theta.. + {}*lam.*theta., 0)"
    assert ts.check_answer(m, coriolis.format(2), of="gamma(A)", axes="arm").right
    assert not ts.check_answer(m, coriolis.format(1), of="gamma(A)", axes="arm").right


def test_the_couple_that_rolls_a_cylinder_up_a_slope():
    """G-Cyl: Γ = (C/R + m R) x'' + R m g sin α, without the unknown T and N of the contact."""
    m = example("driven_cylinder")
    answer = ts.check_answer(m, "Gamma = (C/R + m*R)*x.. + R*m*g*sin(alpha)", of="x")
    assert answer.right
    assert str(answer.factor) == "-1/R"
    assert ts.check_answer(m, "(m*R^2 + C)*theta.. = Gamma - m*g*R*sin(alpha)", of="theta").right
    wrong = ts.check_answer(m, "(m*R + C)*theta.. = Gamma - m*g*R*sin(alpha)", of="theta")  # E2-3
    assert not wrong.right
    assert "INHD" in wrong.codes


def test_the_compound_pendulum_with_one_and_with_three_parameters():
    """G-PenP, G-PenL and erratum E2-5."""
    one = example("compound_pendulum")
    assert ts.check_answer(one, r"C \ddot\theta = - m g a \sin\theta").verdict == "equal"
    assert ts.check_answer(one, "2*T = C*theta.^2", of="T").verdict == "equal"
    assert ts.check_answer(one, "C*theta.^2/2", of="T").right
    three = example("pendulum_three_parameters")
    assert ts.check_answer(three, "m*x.. = X0 + m*g", of="x").right
    assert ts.check_answer(three, "m*y.. = Y0", of="y").right
    assert ts.check_answer(three, "I*theta.. = L*(X0*sin(theta) - Y0*cos(theta))", of="theta").right
    assert ts.check_answer(three, "(I + m*L^2)*theta.. = -m*g*L*sin(theta)", of="theta").right
    notes = ts.check_answer(three, "I*theta.. = -L*m*g*sin(theta)", of="theta")
    assert not notes.right


def test_the_elliptic_pendulum_and_the_missing_speed_of_its_printed_energy():
    """L-EllL and erratum E0-11."""
    m = example("elliptic_pendulum")
    T = "m1*y.^2/2 + m2/2*(y.^2 + a^2*theta.^2 + 2*a*{}theta.*cos(theta))"
    assert ts.check_answer(m, T.format("y.*"), of="T").right
    printed = ts.check_answer(m, T.format(""), of="T")
    assert "INHD" in printed.codes
    assert ts.check_answer(m, "a*theta.. + y..*cos(theta) + g*sin(theta) = 0", of="theta").right
    assert ts.check_answer(m, "(m1+m2)*y. + m2*a*theta.*cos(theta)", of="p_y").right


# --- other sources of formulas --------------------------------------------------------------------


def test_sympy_symbols_functions_and_equations_are_taken(pendulum):
    t, m, l, g, b = sympy.symbols("t m l g b")
    theta = sympy.Function("theta")(t)
    left = m * l**2 * theta.diff(t, 2) + b * theta.diff(t)
    assert ts.check_answer(pendulum, sympy.Eq(left, -m * g * l * sympy.sin(theta))).right
    angle, acceleration = sympy.symbols("theta theta..")
    assert not ts.check_answer(
        pendulum, m * l**2 * acceleration + m * g * l * sympy.sin(angle)
    ).right


def test_a_lagrangian_that_was_typed_in_has_answers_too():
    given = ts.formalisms.lagrangian("m*x.^2/2 - k*x^2/2", ["x"])
    assert ts.check_answer(given, "x.. + k/m*x = 0").right
    assert ts.check_answer(given, "m*x.", of="p_x").right


@pytest.mark.parametrize(
    "written",
    [
        "m*z.. = k*max(0, -z) - m*g",
        "m*z.. = -k*min(z, 0) - m*g",
        "m z̈ = k max(0, −z) − m g",
        r"m \ddot{z} = k \max\left(0, -z\right) - m g",
        "m*z'' == k*Max[0, -z] - m*g",
        "m*z.. = k*if(z, 0, -z) - m*g",
    ],
)
def test_the_larger_of_two_is_read_as_it_is_printed(written):
    push = ts.formalisms.lagrangian("m*z.^2/2 - m*g*z - k*max(0, -z)^2/2", ["z"])
    assert ts.check_answer(push, written).right
    assert not ts.check_answer(push, "m*z.. = k*max(0, z) - m*g").right


def test_the_larger_of_two_is_read_from_sympy():
    sympy = pytest.importorskip("sympy")
    push = ts.formalisms.lagrangian("m*z.^2/2 - m*g*z - k*max(0, -z)^2/2", ["z"])
    m, g, k, z, acceleration = sympy.symbols("m g k z z..")
    assert ts.check_answer(push, sympy.Eq(m * acceleration, k * sympy.Max(0, -z) - m * g)).right


def test_two_that_are_compared_have_one_dimension_and_are_two():
    fall = example("cylinder_holonomic")
    found = ts.check_answer(fall, "x.. = max(g, r)", of="x")
    assert "g, [m/s^2], is compared with r, [m]" in str(found)
    found = ts.check_answer(fall, "x.. = max(g)", of="x")
    assert "max takes 2 arguments, not 1" in str(found)


def test_what_is_asked_must_exist(pendulum):
    with pytest.raises(ts.ModelError, match='quantity "phi" does not exist'):
        ts.check_answer(pendulum, "0", of="phi")
    with pytest.raises(ts.ModelError, match="the model has 2 equations: y, theta"):
        ts.check_answer(example("elliptic_pendulum"), "0")
    with pytest.raises(ts.ModelError, match='coordinate "turned" does not exist'):
        ts.check_answer(example("double_pendulum"), "0", of="theta1", coordinates={"turned": "x"})


def test_the_answer_is_plain_data_too(pendulum):
    found = ts.check_answer(pendulum, "m*l^2*theta.. + 2*b*theta. + m*g*l*sin(theta)").document
    assert found["verdict"] == "different"
    assert found["differences"][0] == {
        "kind": "speed", "of": "theta.", "how": "factor", "expected": "b", "given": "2*b",
    }  # fmt: skip


CART = {
    "gravity": [0, -9.81, 0],
    "parameters": {"k": {"value": 50, "unit": "N/m"}},
    "bodies": {
        "cart": {"mass": 3},
        "rod": {"mass": 1.7, "centre": [0, -0.4, 0], "inertia": [0, 0, "17/60"]},
    },
    "joints": {
        "rail": {"type": "slider", "bodies": ["ground", "cart"], "axis": "x", "coordinate": "x"},
        "pin": {"type": "pivot", "bodies": ["cart", "rod"], "axis": "z", "coordinate": "theta"},
    },
    "forces": {"s": {"type": "law", "joint": "rail", "value": "-k*distance"}},
}


@pytest.mark.parametrize(
    "formula",
    [
        "4.7*x.. + 0.68*theta..*cos(theta) - 0.68*theta.^2*sin(theta) + k*x = 0",
        "(m_cart + m_rod)*x.. + 2/5*m_rod*(theta..*cos(theta) - theta.^2*sin(theta)) = -k*x",
    ],
)
def test_numbers_of_a_model_have_units_in_a_formula_too(formula):
    """Masses and lengths that are numbers may be written so, or by the letters of derive."""
    answer = ts.check_answer(ts.load(CART), formula, of="x")
    assert answer.right and not answer.codes


def test_a_length_more_is_not_hidden_by_numbers():
    answer = ts.check_answer(ts.load(CART), "4.7*x.. + k*x + 3 = 0", of="x")
    assert not answer.right and "INHD" in answer.codes


def test_coordinates_of_the_lines_that_derive_writes_are_known():
    """`derive` cuts loops where lines are short; what it calls theta may be asked about."""
    wiper = ts.load(
        {
            "parameters": {"a": 0.04, "b": 0.3, "c": 0.06, "d": 0.3, "m": 0.4},
            "bodies": {
                "crank": {"inertia": [1e-4, 1e-4, 1e-4]},
                "rod": {"mass": 0.2},
                "arm": {"mass": "m", "inertia": [0, 0, 0.01]},
            },
            "joints": {
                "O": {
                    "type": "pivot",
                    "bodies": ["ground", "crank"],
                    "axis": "z",
                    "coordinate": "phi",
                },
                "A": {
                    "type": "pivot",
                    "bodies": ["crank", "rod"],
                    "axis": "z",
                    "point": [["a", 0, 0], [0, 0, 0]],
                    "coordinate": "beta",
                },
                "B": {
                    "type": "pivot",
                    "bodies": ["rod", "arm"],
                    "axis": "z",
                    "point": [["b", 0, 0], [0, "c", 0]],
                    "coordinate": "gam",
                },
                "C": {
                    "type": "pivot",
                    "bodies": ["ground", "arm"],
                    "axis": "z",
                    "point": [["d", 0, 0], [0, 0, 0]],
                    "coordinate": "theta",
                },
            },
        }
    )
    assert "theta" not in wiper.coordinates
    line = next(x for x in ts.formalisms.formulas(wiper).lines if x.name == "theta")
    said = f"{line.equation.left} = {line.equation.right}"
    assert ts.check_answer(wiper, said, of="theta").right
    assert ts.check_answer(wiper, r"\dot\theta\,\vec{z}_0", of="Omega(arm)").right


def test_what_faults_say_is_in_the_language_of_the_answer():
    answer = ts.check_answer(ts.load(CART), "k*thetta + x = 0", of="x")
    assert "Vouliez-vous dire" in answer.text("fr") and "Did you mean" in answer.text("en")
    answer = ts.check_answer(ts.load(CART), "k + 2 = 0", of="x")
    assert "[sans unité]" in answer.text("fr") and "[no unit]" in answer.text("en")
    answer = ts.check_answer(ts.load(CART), "kxx = 0", of="x")
    assert "« kxx » a été lu" in answer.text("fr") and '"kxx" was read as' in answer.text("en")
