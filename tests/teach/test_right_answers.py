"""Right answers in every form a reader may give them, and near them wrong ones."""

import time
from functools import cache
from importlib.resources import files

import pytest

import torseur as ts
from torseur.teach.answers.right_model import RightModel


@cache
def example(name):
    if name == "pendulum":
        return ts.load(_pendulum())
    if name == "oscillator":
        return ts.load(_oscillator())
    return ts.load(str(files("torseur.examples") / f"{name}.yaml"))


def _pendulum():
    return {
        "gravity": [0, -9.81, 0],
        "parameters": {"m": {"value": 1, "unit": "kg"}, "l": {"value": 1, "unit": "m"}},
        "bodies": {"bob": {"mass": "m", "centre": [0, "-l", 0]}},
        "joints": {"O": {"type": "pivot", "bodies": ["ground", "bob"], "axis": "z",
                         "coordinate": "theta"}},
        "points": {"M": ["bob", [0, "-l", 0]]},
    }  # fmt: skip


def _oscillator():
    return {
        "parameters": {
            "m": {"value": 1, "unit": "kg"},
            "k": {"value": 4, "unit": "N/m"},
            "b": {"value": 0.3, "unit": "N.s/m"},
        },
        "bodies": {"c": {"mass": "m"}},
        "joints": {"S": {"type": "slider", "bodies": ["ground", "c"], "axis": "x",
                         "coordinate": "x"}},
        "forces": {
            "spring": {"type": "spring", "between": [["ground", [0, 0, 0]], ["c", [0, 0, 0]]],
                       "stiffness": "k", "length": 0},
            "oil": {"type": "joint", "joint": "S", "value": "-b*x."},
        },
    }  # fmt: skip


# model, of, answer, verdict, and a wrong one for each
CASES = [
    # Rayleigh's function is a power; fractions as TeX reads them; decimal commas
    ("oscillator", "R", "R = 1/2*b*x.^2", "equal", "R = b*x.^2"),
    ("oscillator", "R", r"\frac12 b \dot x^2", "equal", r"\frac13 b \dot x^2"),
    ("oscillator", "R", "0,5*b*x.^2", "equal", "0,5*b*x^2"),
    ("oscillator", "T", "2T = m*x.^2", "equal", "T = m*x.^2"),
    ("oscillator", "T", r"\mathcal{T}(c/R_0) = \tfrac1{2}m\dot x^2", "equal", r"T = m\dot x/2"),
    # letters defined beside the answer, or a pulsation that follows from it
    ("oscillator", "x", "x.. + 2*lambda*x. + omega_0^2*x = 0, omega_0^2 = k/m, lambda = b/(2*m)",
     "factor", "x.. + lambda*x. + omega_0^2*x = 0, omega_0^2 = k/m, lambda = b/(2*m)"),
    ("oscillator", "x", "x.. + b/m*x. + ω₀² x = 0 avec ω₀ = sqrt(k/m)", "factor",
     "x.. + b/m*x. - ω₀² x = 0 avec ω₀ = sqrt(k/m)"),
    ("oscillator", "x", r"\omega_0^2 = k/m; \ddot x + \frac{b}{m}\dot x + \omega_0^2 x = 0",
     "factor", r"\omega_0^2 = m/k; \ddot x + \frac{b}{m}\dot x + \omega_0^2 x = 0"),
    ("oscillator", "x", r"\ddot x + \frac bm \dot x + \omega_0^2 x = 0", "factor",
     r"\ddot x + \frac bm \dot x + \omega_0 x = 0"),
    ("pendulum", "theta", "theta.. + 9.81/l*sin(theta) = 0", "factor",
     "theta.. + 9.18/l*sin(theta) = 0"),
    ("pendulum", "theta", "theta.. + 9,81/l*sin(theta) = 0", "factor",
     "theta.. + 9,81/l*cos(theta) = 0"),
    ("pendulum", "theta", r"\ddot\theta + \omega_0^2 \sin\theta = 0", "factor",
     r"\ddot\theta + \omega_0^2 \cos\theta = 0"),
    # up to a constant
    ("pendulum", "V", "V = m*g*l*(1 - cos(theta))", "constant", "V = m*g*l*(1 + cos(theta))"),
    ("pendulum", "L", "m*l^2*theta.^2/2 - m*g*l*(1 - cos(theta))", "constant",
     "m*l^2*theta.^2/2 + m*g*l*(1 - cos(theta))"),
    ("rotating_arm", "V", "k*(lam^2 - 2*lam*l0)/2", "constant", "k*(lam^2 - lam*l0)/2"),
    ("pendulum_three_parameters", "V", "V = m*g*L*(1 - cos(theta))", "constant",
     "V = m*g*L*(1 - sin(theta))"),
    # H in momenta
    ("oscillator", "H", "H = p^2/(2*m) + k*x^2/2", "equal", "H = p^2/m + k*x^2/2"),
    ("rotating_arm", "H", r"H = \frac{p_\theta^2}{2(C1+B2+m(a+\lambda)^2)} + "
     r"\frac{p_{\lambda}^2}{2m} + \frac12 k(\lambda-l_0)^2", "equal",
     "H = p1^2/(2*(C1 + B2 + m*a^2)) + p2^2/(2*m) + k*(lam - l0)^2/2"),
    ("pendulum", "theta", "d/dt(p_theta) = -m*g*l*sin(theta)", "equal",
     "d/dt(p_theta) = m*g*l*sin(theta)"),
    # combinations of equations, and accelerations solved for
    ("elliptic_pendulum", "y", "y.. = m2*sin(theta)*(a*theta.^2 + g*cos(theta))/"
     "(m1 + m2*sin(theta)^2)", "consequence",
     "y.. = m2*sin(theta)*(a*theta.^2 + g*cos(theta))/(m1 + m2*cos(theta)^2)"),
    ("cartesian_pendulum", "x", "x*y.. - y*x.. + g*x = 0", "consequence",
     "x*y.. - y*x.. - g*x = 0"),
    # where the constraints hold
    ("cartesian_pendulum", "V", "V = -m*g*sqrt(l^2 - x^2)", "equal", "V = -m*g*(l - x)"),
    ("cartesian_pendulum", "T", "T = m*x.^2*l^2/(2*y^2)", "equal", "T = m*x.^2*l^2/y^2"),
    ("pendulum_three_parameters", "T", "T = (I + m*L^2)*theta.^2/2", "equal", "T = I*theta.^2/2"),
    ("slider_crank", "T", "T = I1*alpha.^2/2 + m3*x.^2/2 + m2/6*(l1^2*alpha.^2 + x.^2 "
     "- l1*sin(alpha)*alpha.*x.)", "equal", "T = I1*alpha.^2/2 + m3*x.^2/2 + m2/6*(l1^2*alpha.^2 "
     "+ x.^2 + l1*sin(alpha)*alpha.*x.)"),
    ("four_bar", "V", "rho*g*(l1^2*sin(alpha) + l2*(l1*sin(alpha) + l3*sin(delta)) "
     "+ l3^2*sin(delta))/2", "equal", "rho*g*(l1^2*sin(alpha) + l2*(l1*sin(alpha) "
     "- l3*sin(delta)) + l3^2*sin(delta))/2"),
    # vectors: components, columns, base vectors of bodies and of coordinates
    ("pendulum", "V(M)", "V(M) = [l*theta.*cos(theta), l*theta.*sin(theta), 0]", "equal",
     "V(M) = [l*theta.*sin(theta), l*theta.*cos(theta), 0]"),
    ("pendulum", "V(M)", r"\vec{V}(M) = \begin{pmatrix} l\dot\theta\cos\theta \\ "
     r"l\dot\theta\sin\theta \\ 0\end{pmatrix}", "equal", r"\vec{V}(M) = \vec 0 + l\dot\theta"),
    ("pendulum", "V(M)", r"\vec{V}(M/R_0) = l\dot\theta \vec{x}_1", "equal",
     r"\vec{V}(M/R_0) = l\dot\theta \vec{x}_0"),
    ("pendulum", "V(M)", "V(M) = l*theta.*x1", "equal", "V(M) = l*theta.*y1"),
    ("pendulum", "V(M)", r"\vec V(M) = \frac{d}{dt}\overrightarrow{OM}", "equal",
     r"\vec V(M) = \overrightarrow{OM}"),
    ("pendulum", "gamma(M)", r"\vec{\gamma}(M) = l\ddot\theta\vec{e}_\theta "
     r"- l\dot\theta^2\vec e_r", "equal", r"\vec{\gamma}(M) = l\ddot\theta\vec{e}_\theta"),
    ("pendulum", "Omega(bob)", r"\vec{\Omega}(1/0) = \dot\theta\vec z_0", "equal",
     r"\vec{\Omega}(1/0) = -\dot\theta\vec z_1"),
    ("rotating_arm", "V(A/R0)", r"\vec V(A) = \dot\lambda\vec x_1 + (a+\lambda)\dot\theta\vec y_1",
     "equal", r"\vec V(A) = \dot\lambda\vec x_1 + \lambda\dot\theta\vec y_1"),
    ("slider_crank", "V(B)", "V(B) = x.*x0", "equal", "V(B) = x.*y0"),
    # reactions, along the motion
    ("pendulum", "Y_O", "Y_O = m*g*cos(theta) + m*l*theta.^2", "equal",
     "Y_O = m*g*cos(theta) - m*l*theta.^2"),
    ("pendulum", "X_O", "X_O = 0", "equal", "X_O = m*g*sin(theta)"),
    ("pendulum", "R(O)", "R(O) = m*l*theta..*x1 + m*l*theta.^2*y1 + m*g*y0", "equal",
     "R(O) = m*l*theta..*x1 + m*l*theta.^2*y1 - m*g*y0"),
    ("pendulum_three_parameters", "X0", "X0 = m*x.. - m*g", "equal", "X0 = m*x.. + m*g"),
    ("pendulum_three_parameters", "X0",
     "X0 = -m*L*(theta..*sin(theta) + theta.^2*cos(theta)) - m*g", "equal",
     "X0 = -m*L*(theta..*sin(theta) - theta.^2*cos(theta)) - m*g"),
    ("cartesian_pendulum", "string", "lambda = m*(g*y - x.^2 - y.^2)/l^2", "equal",
     "lambda = m*(g*y + x.^2 + y.^2)/l^2"),
    # a multiplier without its name is no condition
    ("cartesian_pendulum", "string", "m*(g*y - x.^2 - y.^2)/l^2", "equal",
     "m*(g*y + x.^2 + y.^2)/l^2"),
    ("cylinder_multiplier", "rolling", "m*g*sin(alpha)/3", "equal", "2*m*g*sin(alpha)/3"),
    ("cylinder_multiplier", "rolling", "x. + r*theta.", "equal", "x. - r*theta."),
    # conditions where positions allow them, base vectors without absolute values, bare names
    ("single_cylinder_engine", "rod", "x = a*cos(phi) + sqrt(b^2 - a^2*sin(phi)^2)", "equal",
     "x = a*cos(phi) - sqrt(b^2 - a^2*sin(phi)^2)"),
    ("single_cylinder_engine", "rod", "x. = -a*phi.*sin(phi)*(1 + a*cos(phi)/sqrt(b^2 "
     "- a^2*sin(phi)^2))", "equal", "x. = -a*phi.*sin(phi)"),
    ("spherical_pendulum", "V(bob)", "V = a*theta.*e_theta + a*sin(theta)*phi.*e_phi", "equal",
     "V = a*theta.*e_theta + a*phi.*e_phi"),
    ("vertical_disc", "Omega(disc)", "Omega = [phi.*cos(theta), phi.*sin(theta), theta.]", "equal",
     "Omega = [phi., 0, theta.]"),
    # a chain of equalities ends with the answer; the number of gravity for its letter
    ("spherical_pendulum", "T", "T = 1/2*m*v^2 = m*a^2*(theta.^2 + sin(theta)^2*phi.^2)/2", "equal",
     "T = 1/2*m*v^2 = m*a^2*(theta.^2 + phi.^2)/2"),
    ("spherical_pendulum", "V", "V = -9,81*m*a*cos(theta)", "equal", "V = -9,18*m*a*cos(theta)"),
    # names in a font of their own, subscripts of subscripts, the number pi of Mathematica
    ("rotating_arm", "lam", r"m\ddot{\mathrm{lam}} - m(a + \mathrm{lam})\dot\theta^2 "
     r"+ k(\mathrm{lam} - \mathrm{l}_{0}) = 0", "equal", r"m\ddot{\mathrm{lam}} "
     r"- m(a + \mathrm{lam})\dot\theta + k(\mathrm{lam} - \mathrm{l}_{0}) = 0"),
    ("rotating_arm", "theta", r"(\mathrm{C}_1 + B_2 + m(a+\lambda)^2)\ddot{{\theta}} + "
     r"2m(a+\lambda)\dot{\lambda}\dot{{\theta}} = C_{\text{m}}", "equal",
     r"(\mathrm{C}_1 + B_2)\ddot{{\theta}} + 2m(a+\lambda)\dot{\lambda}\dot{{\theta}} = C_m"),
    ("slider_crank_multipliers", "alpha", r"I_1\ddot\alpha = C_m + \lambda_{\mu_{1}} l_1 "
     r"\operatorname{sin}\alpha + \lambda_{\mu_2} l_1\cos\alpha", "equal",
     r"I_1\ddot\alpha = C_m + \lambda_{\mu_{2}} l_1\sin\alpha + \lambda_{\mu_1} l_1\cos\alpha"),
    ("pendulum", "theta", "l*theta''[t] + g*Cos[Pi/2 - theta] == 0", "factor",
     "l*theta''[t] + g*Cos[Pi - theta] == 0"),
    ("rotating_arm", "Y_rail", "m*((a + lam)*theta.. + 2*lam.*theta.)", "equal",
     "m*((a + lam)*theta.. + lam.*theta.)"),
]  # fmt: skip


@pytest.mark.sampled(16)
@pytest.mark.parametrize(
    ("name", "of", "right", "verdict", "wrong"), CASES, ids=[f"{c[0]}-{c[2][:40]}" for c in CASES]
)
def test_a_right_answer_is_right_in_any_form_and_a_wrong_one_is_not(
    name, of, right, verdict, wrong
):
    found = ts.check_answer(example(name), right, of=of)
    assert (found.verdict, found.right) == (verdict, True), str(found)
    assert not found.faults
    assert found.text("fr") != str(found)
    refused = ts.check_answer(example(name), wrong, of=of)
    assert not refused.right, str(refused)


def test_the_sum_of_two_equations_is_right_for_each_and_told_so():
    m = example("double_pendulum")
    rows = {q: _row(m, q) for q in ("theta1", "theta2")}
    both = f"({rows['theta1']}) - 2*({rows['theta2']}) = 0"
    for q in rows:
        found = ts.check_answer(m, both, of=q)
        assert (found.right, found.combination) == (True, {"theta1": 1.0, "theta2": -2.0})
        assert "Right: yours is the equation of theta1 - 2 × the equation of theta2." in str(found)
    other = ts.check_answer(m, f"{rows['theta2']} = 0", of="theta1")
    assert not other.right
    assert other.codes == ("HS",)


def _row(m, name):
    model = RightModel(m)
    return str(model.rows[model.coordinates.index(name)])


# --- marks ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "of", "formula", "code", "right", "sentence"),
    [
        ("pendulum", "T", "T = T", "EL", False, "it defines T by itself"),
        ("pendulum", "theta", "theta.. = theta..", "EL", False, "Both sides are the same"),
        ("pendulum", "T", "-m*g*l*cos(theta)", "HS", False, "The formula is that of V."),
        ("pendulum", "theta", "T = m*l^2*theta.^2/2", "HS", False, "The formula is about T."),
        ("pendulum", "T", "E_p = m*l^2*theta.^2/2", "T", True, "E_p is the name of V, not of T."),
        ("pendulum", "theta", "theta.. + g/l*sin(theta)", "DR", True, "An equation has two sides"),
        ("pendulum", "theta", "m*L^2*theta.. + m*g*L*sin(theta) = 0", "N", False,
         '"L" is called l in the model'),
        ("pendulum", "theta", "m*l^2*phi.. + m*g*l*sin(phi) = 0", "N", False, "is called theta"),
        ("pendulum", "theta", "theta.. + g/l*sin(theta) = 0, g = 10", "N", False,
         '"g" has a meaning in the model'),
    ],
)  # fmt: skip
def test_the_other_marks_of_annex_b_are_given(name, of, formula, code, right, sentence):
    found = ts.check_answer(example(name), formula, of=of)
    assert code in found.codes
    assert found.right == right
    assert sentence in str(found)
    assert found.text("fr") != str(found)


def test_a_reaction_that_the_motion_does_not_determine_is_refused():
    with pytest.raises(ts.SolveError, match="statically indeterminate"):
        ts.check_answer(example("four_bar"), "L_C = 0", of="L_C")


def test_a_decimal_comma_is_read_where_it_can_be_one():
    found = ts.check_answer(example("pendulum"), "0,5*m*l^2*theta.^2 + 0,0*m*l^2*theta.^2", of="T")
    assert found.right
    vector = "(0,0,0,5*l)"  # four numbers, or two and a half
    assert not ts.check_answer(example("pendulum"), vector, of="V(M)").right
    three = "(1,5*l*theta.*cos(theta) - 0,5*l*theta.*cos(theta); l*theta.*sin(theta); 0)"
    assert ts.check_answer(example("pendulum"), three, of="V(M)").right


# --- time -----------------------------------------------------------------------------------------

LONG = [
    r"\frac{d" + " " * 3000,
    r"\frac{d" * 500,
    r"\frac{\mathrm d" + " " * 4000 + "x}{dt",
    "theta" + "'" * 4000,
    "d" * 4900,
    "theta(" * 800,
    "(" * 4900,
    "[" * 4900,
    "1" * 4900,
    "1,1" * 1600,
    "1." * 2400,
    "m" * 4900,
    "mgl" * 1600 + "'",
    r"\text{" + " " * 4900,
    " with" * 900,
    "x=" * 2400,
    "_{" * 2400,
    "^" * 4900,
    r"\begin{pmatrix}" * 300,
    "d/dt" * 1200,
    "d(" * 2400,
    "x" * 1_000_000,
]


@pytest.mark.parametrize("text", LONG, ids=[x[:12].strip() for x in LONG])
def test_no_text_takes_long_to_read(text):
    ts.check_answer(example("pendulum"), "0", of="theta")  # compiles what every answer needs
    start = time.process_time()
    found = ts.check_answer(example("pendulum"), text, of="theta")
    assert not found.right
    assert time.process_time() - start < 2.0


def test_what_a_typed_lagrangian_does_not_have_is_not_among_what_is_known():
    typed = ts.formalisms.lagrangian("m*x.^2/2 - k*x^2/2", ["x"])
    with pytest.raises(ts.ModelError) as told:
        ts.check_answer(typed, "V = k*x^2/2", of="V")
    assert 'quantity "V" does not exist' in str(told.value)
    assert 'Did you mean "V"?' not in str(told.value)
    assert " V," not in str(told.value) and "V(point)" not in str(told.value)
