"""Thirty wrong answers of students, each diagnosed as what it is; the errata of the notes first."""

from functools import cache
from importlib.resources import files

import pytest

import torseur as ts

# what `how` says of a term, or a mark of annex B
SIGN, FACTOR, SWAPPED, MISSING, PART, EXTRA = (
    "sign",
    "factor",
    "swapped",
    "missing",
    "part",
    "extra",
)

NOTES = [
    # E2-1: a friction that is not along the slope, and has no moment: Γ = C θ''
    ("driven_cylinder", "theta", "Gamma = C*theta..", {PART, MISSING}, "m*R^2 is missing in"),
    # E2-2: the moment of the weight has the cosine, the conclusion lacks a length besides
    ("compound_pendulum", "theta", "C*theta.. = m*g*a*cos(theta)", {SWAPPED}, "exchanged in the"),
    ("compound_pendulum", "theta", "C*theta.. = m*g*cos(theta)", {"INHD"}, "m*g*cos(theta), [N]"),
    # E2-3: m R for m R²
    ("driven_cylinder", "theta", "(m*R + C)*theta.. = Gamma - m*g*R*sin(alpha)", {"INHD"},
     "m*R, [kg.m], is added to C, [kg.m^2]"),
    # E2-4: C θ'' = R T − Γ
    ("driven_cylinder", "theta", "C*theta.. = R*T_road - Gamma", {SIGN}, "wrong sign: it is C"),
    # E2-5: the weight along the other x, and a moment at O for one at G
    ("pendulum_three_parameters", "x", "m*x.. = X0 - m*g", {SIGN}, "gravity term has the wrong"),
    ("pendulum_three_parameters", "theta", "I*theta.. = -L*m*g*sin(theta)", {PART},
     "m*L^2 is missing in the coefficient of theta.."),
    # E2-6: the moment of the weight of the hanging pendulum, and a speed that lacks x'
    ("cart_pendulum", "theta",
     "(m2*l^2 + A)*theta.. + m2*l*x..*cos(theta) - m2*g*l*sin(theta) = 0", {SIGN}, "gravity term"),
    ("cart_pendulum", "T",
     "(m1+m2)*x.^2/2 + (A + m2*l^2)*theta.^2/2 + m2*l*theta.*cos(theta)", {"INHD"}, "is added to"),
    # E2-7: Coriolis without its factor 2
    ("rotating_arm", "theta", "(C1 + B2 + m*(a+lam)^2)*theta.. + m*(a+lam)*lam.*theta. = Cm",
     {FACTOR}, "Coriolis's term has a factor 2"),
    # E2-8: a spring that pushes where it should pull
    ("rotating_arm", "lam", "m*lam.. - m*(a+lam)*theta.^2 + k*(l0 - lam) = 0", {SIGN},
     "wrong sign: it is k*(lam - l0"),
    # E2-10: rolling, with the rotation the other way round
    ("cylinder_multiplier", "rolling", "x. - r*theta. = 0", {SIGN}, "coefficient of theta."),
    # E2-11: the slider does not turn when it slides
    ("rotating_arm", "Omega(slider)", "(0, 0, theta. + lam.)", {"INHD"}, "lam., [m/s]"),
]  # fmt: skip

OTHERS = [
    ("compound_pendulum", "theta", "C*theta.. = m*g*a*sin(theta)", {SIGN}, "-∂V/∂q"),
    ("elliptic_pendulum", "theta", "a*theta.. - y..*cos(theta) + g*sin(theta) = 0", {SIGN},
     "the coefficient of y.. has the wrong sign"),
    ("elliptic_pendulum", "y", "(m1+m2)*y.. + m2*a*(theta..*sin(theta) - theta.^2*sin(theta)) = 0",
     {SWAPPED}, "exchanged in the coefficient of theta.."),
    ("elliptic_pendulum", "y", "(m1+m2)*y.. + m2*a*theta..*cos(theta) = 0", {MISSING},
     "the coefficient of theta.^2 is missing"),
    ("elliptic_pendulum", "V", "-m2*g*a*sin(theta)", {SWAPPED}, "exchanged in the gravity term"),
    ("elliptic_pendulum", "p_y", "m1*y. + m2*a*theta.*cos(theta)", {PART}, "m2 is missing in"),
    ("elliptic_pendulum", "T", "m1*y.^2/2 + m2/2*(y.^2 + a^2*theta.^2 + a*y.*theta.*cos(theta))",
     {FACTOR}, "2 times too small"),
    ("spherical_pendulum", "theta",
     "m*a^2*theta.. - m*a^2*sin(theta)^2*phi.^2 + m*g*a*sin(theta) = 0", {"other"},
     "you have -m*a^2*sin(theta)^2"),
    ("spherical_pendulum", "phi",
     "m*a^2*sin(theta)^2*phi.. + m*a^2*sin(theta)*cos(theta)*theta.*phi. = 0", {FACTOR},
     "Coriolis's term has a factor 2"),
    ("cart_pendulum", "x", "(m1+m2)*x.. + m2*l*(theta..*cos(theta) - theta.^2*sin(theta)) + 2*b*x. "
     "+ k*x = 0", {FACTOR}, "counts it twice"),
    ("cart_pendulum", "x",
     "(m1+m2)*x.. + m2*l*(theta..*cos(theta) - theta.^2*sin(theta)) + b*x. = 0", {MISSING},
     "the part without speeds (springs, motors, loads) is missing"),
    ("cart_pendulum", "x", "(m1+m2)*x.. + m2*l*(theta..*cos(theta) - theta.^2*sin(theta)) + c*x. "
     "+ k*x = 0", {"KK"}, '"c" is defined neither'),
    ("vibration_absorber", "lam",
     "m2*lam.. - m2*(a+lam)*theta.^2 - m2*g*sin(theta) + k*(lam-l0) = 0", {SWAPPED},
     "exchanged in the gravity term"),
    ("vibration_absorber", "lam", "m2*lam.. - m2*(a+lam)*theta.^2 - m2*g*cos(theta) + k*lam^2 = 0",
     {"INHD"}, "[N]"),
    ("rotating_arm", "gamma(A)", "(lam.., (a+lam)*theta.. + 2*lam.*theta., 0)", {MISSING},
     "theta.^2 is missing"),
    ("rotating_arm", "V(A)", "lam. + (a+lam)*theta.", {"INHT"}, "is a scalar"),
    ("vertical_disc", "floor", "x. - a*cos(theta)*phi. = 0", {SWAPPED}, "exchanged in"),
    ("heavy_top", "p_psi", "Ie*(psi. + phi.*sin(theta))", {SWAPPED}, "exchanged in"),
    ("double_pendulum_points", "phi", "phi.. + g*sin(phi)/a + m*psi. = 0", {"KK"}, '"psi." is'),
]  # fmt: skip
CASES = [*NOTES, *OTHERS]


@cache
def example(name):
    return ts.load(str(files("torseur.examples") / f"{name}.yaml"))


def test_there_are_thirty_and_nine_are_of_the_notes():
    assert len(CASES) >= 30
    assert len(NOTES) >= 9


@pytest.mark.parametrize(
    ("name", "of", "formula", "kinds", "sentence"),
    CASES,
    ids=[f"{c[0]}-{c[2][:30]}" for c in CASES],
)
def test_a_wrong_answer_is_diagnosed_as_what_it_is(name, of, formula, kinds, sentence):
    axes = "arm" if of in ("gamma(A)", "V(A)") else "ground"
    found = ts.check_answer(example(name), formula, of=of, axes=axes)
    assert not found.right
    said = {x.how for x in found.differences} | set(found.codes)
    assert kinds <= said, str(found)
    marks = {"SE", "KK", "INHT", "INHD"} & kinds
    assert marks or said <= kinds, str(found)  # nothing else is said to be wrong
    assert sentence in str(found)
    assert found.text("fr") != str(found)
