"""Sixty formulas of students: thirty right in many clothes, thirty wrong of typical kinds.

None is misjudged, and each wrong one gets the lesson or the mark that applies. Formulas and lessons
are written by hand from the laws of mechanics, not from what the program prints.
"""

from functools import cache
from importlib.resources import files

import pytest
from click.testing import CliRunner

import torseur as ts
from torseur.cli.commands import commands

# model, quantity, formula
RIGHT = [
    # text, with and without signs of multiplication, on any side, of any sign
    ("compound_pendulum", "theta", "C*theta.. + m*g*a*sin(theta) = 0"),
    ("compound_pendulum", "theta", "-C theta'' = m g a sin theta"),
    ("compound_pendulum", "theta", "-m*g*a*sin(theta) - C*theta.. = 0"),
    ("compound_pendulum", "theta", "θ̈ + (m g a/C) sin θ = 0"),
    ("compound_pendulum", "theta", "theta.. = -(m*g*a/C)*sin(theta)"),
    ("compound_pendulum", "theta", "0 = d²theta/dt² * C + sin(theta)*a*g*m"),
    ("compound_pendulum", "theta", "theta.. + omega0^2*sin(theta) = 0, omega0^2 = m*g*a/C"),
    ("compound_pendulum", "theta", "d/dt(C*theta.) = -m*g*a*sin(theta)"),
    # LaTeX and Mathematica
    ("compound_pendulum", "theta", r"C\,\ddot{\theta} = -m\,g\,a\,\sin\theta"),
    ("compound_pendulum", "theta", r"\frac{d^2\theta}{dt^2} + \frac{mga}{C}\sin(\theta) = 0"),
    ("compound_pendulum", "theta", "Cc theta''[t] + m g a Sin[theta[t]] == 0".replace("Cc", "C")),
    # energies: decimal commas, halves, names
    ("compound_pendulum", "T", "0,5*C*theta.^2"),
    ("compound_pendulum", "T", "E_c = ½ C θ̇²"),
    ("compound_pendulum", "T", r"E_c = \frac12 C\dot\theta^2"),
    ("compound_pendulum", "T", "T = 1/2*m*v^2 + 1/2*(C - m*a^2)*theta.^2, v = a*theta."),
    ("compound_pendulum", "V", "E_p = -m*g*a*cos(theta)"),
    ("compound_pendulum", "V", "m*g*a*(1 - cos(theta))"),
    ("compound_pendulum", "V", r"V = -m\,\vec{g}\cdot\overrightarrow{OG}"),
    ("compound_pendulum", "V", "2*m*g*a*sin(theta/2)^2"),
    ("rotating_arm", "T", "m/2*(lam.^2 + (a + lam)^2*theta.^2) + 0,5*(C1 + B2)*theta.^2"),
    # equations of two coordinates
    ("rotating_arm", "lam", "-m*lam.. + m*(a + lam)*theta.^2 = k*(lam - l0)"),
    ("rotating_arm", "theta", "d/dt((C1 + B2 + m*(a + lam)^2)*theta.) = Cm"),
    ("rotating_arm", "theta", "-(C1+B2+m*(a+lam)^2)*theta.. - 2*m*(a+lam)*lam.*theta. + Cm = 0"),
    # vectors in the base in which they are written
    ("rotating_arm", "V(A)", "lam.*x1 + (a + lam)*theta.*y1"),
    ("rotating_arm", "V(A)", "(lam., (a + lam)*theta., 0)_{R_1}"),
    ("rotating_arm", "V(A)", "(lam., (a + lam)*theta., 0) in arm"),
    ("rotating_arm", "V(A)", "(lam., (a + lam)*theta., 0)"),
    ("rotating_arm", "gamma(A)", r"\begin{pmatrix} \ddot\lambda - (a+\lambda)\dot\theta^2 \\ "
     r"(a+\lambda)\ddot\theta + 2\dot\lambda\dot\theta \\ 0 \end{pmatrix}_{1}"),
    # reactions, and a condition of rolling
    ("compound_pendulum", "X_O", "-m*(g*cos(theta) + a*theta.^2)"),
    ("driven_cylinder", "road", "x. = R*theta."),
]  # fmt: skip

# model, quantity, formula, the lesson or the mark
WRONG = [
    ("compound_pendulum", "theta", "C*theta.. + m*g*a*theta = 0", "small angle"),
    ("rotating_pendulum", "theta", "l*theta.. = (Omega^2*l - g)*theta", "small angle"),
    ("compound_pendulum", "theta", "(C + m*a^2)*theta.. + m*g*a*sin(theta) = 0", "Huygens twice"),
    ("compound_pendulum", "T", "T = (C + m*a^2)*theta.^2/2", "Huygens twice"),
    ("compound_pendulum", "T", "T = (C - m*a^2)*theta.^2/2", "Huygens forgotten"),
    ("double_pendulum", "theta1", "HUYGENS", "Huygens twice"),
    ("compound_pendulum", "T", "C*theta.^2", "half"),
    ("rotating_arm", "T", "m*(lam.^2 + (a+lam)^2*theta.^2) + (C1+B2)*theta.^2/2", "half"),
    ("rotating_arm", "V", "k*(lam - l0)^2", "half of a spring"),
    ("rotating_arm", "lam", "m*lam.. - m*(a+lam)*theta.^2 + k/2*(lam - l0) = 0",
     "half of a spring"),
    ("rotating_arm", "theta", "(C1 + B2 + m*(a+lam)^2)*theta.. = Cm", "Coriolis missing"),
    ("rotating_arm", "theta", "(C1+B2+m*(a+lam)^2)*theta.. + m*(a+lam)*lam.*theta. = Cm",
     "Coriolis"),
    ("rotating_arm", "gamma(A)", "(lam.. - (a+lam)*theta.^2, (a+lam)*theta.., 0)_1",
     "Coriolis missing"),
    ("rotating_arm", "gamma(A)", "(lam.., (a+lam)*theta.. + lam.*theta., 0)_1", "moving base"),
    ("rotating_arm", "lam", "m*lam.. + k*(lam - l0) = 0", "slope of T"),
    ("rotating_arm", "lam", "m*lam.. + m*(a+lam)*theta.^2 + k*(lam - l0) = 0", "sign of slope"),
    ("spherical_pendulum", "phi", "sin(theta)^2*phi.. = 0", "Coriolis missing"),
    ("lift", "M(S)", "(0, 0, 0)", "moment left"),
    ("lift", "M(S)", "(0, m*d*(g + z..), 0)", "moment the wrong way"),
    ("driven_cylinder", "V(rim)", "(x. - R*theta.*cos(theta), y. + R*theta.*sin(theta), 0)",
     "velocity the wrong way"),
    ("driven_cylinder", "road", "x. + R*theta. = 0", "velocity the wrong way"),
    ("double_pendulum", "Omega(lower)", "(0, 0, theta2.)", "relative turning"),
    ("double_pendulum", "T", "TURNING", "relative rotation"),
    ("elliptic_pendulum", "T", "m1*y.^2/2 + m2*(y.^2 + a^2*theta.^2)/2", "double product"),
    ("elliptic_pendulum", "T", "m1*y.^2/2 + m2*a^2*theta.^2/2", "relative velocity"),
    ("compound_pendulum", "V", "m*g*a*cos(theta)", "sign of V"),
    ("compound_pendulum", "theta", "C*theta.. = m*g*a*sin(theta)", "potential"),
    ("compound_pendulum", "theta", "C*theta.. + m*g*a*cos(theta) = 0", "projection"),
    ("compound_pendulum", "T", "E_c = ½ m v", "INHD"),
    ("compound_pendulum", "V", "E_p = m g OM", "INHT"),
]  # fmt: skip

# two bars by hand
_BARS = "m1*l1^2/6*theta1.^2 + m2/2*(l1^2*theta1.^2 + l2^2/4*(theta1.+theta2.)^2 " \
        "+ l1*l2*cos(theta2)*theta1.*(theta1.+theta2.))"  # fmt: skip
_WRITTEN = {
    # the rotation of the second bar taken relative to the first
    # m l²/3 about O for the first bar, to which m l²/4 is added again
    "HUYGENS": "(m1*l1^2/3 + m1*l1^2/4 + m2*l1^2 + m2*l2^2/3 + m2*l1*l2*cos(theta2))*theta1.. "
    "+ (m2*l2^2/3 + m2*l1*l2*cos(theta2)/2)*theta2.. "
    "- m2*l1*l2*sin(theta2)*(theta1.*theta2. + theta2.^2/2) "
    "+ (m1/2 + m2)*g*l1*sin(theta1) + m2*g*l2/2*sin(theta1 + theta2) = 0",
    "TURNING": f"{_BARS} + m2*l2^2/24*theta2.^2",
}


@cache
def example(name):
    if name == "rotating_pendulum":
        return ts.load({
            "parameters": {"m": 1, "l": {"value": 0.5, "unit": "m"},
                           "Omega": {"value": 3, "unit": "rad/s"},
                           "g": {"value": 9.81, "unit": "m/s^2"}},
            "gravity": [0, 0, "-g"],
            "bodies": {"shaft": {}, "bob": {"mass": "m", "centre": [0, 0, "-l"]}},
            "joints": {"S": {"type": "pivot", "bodies": ["ground", "shaft"], "axis": "z",
                             "coordinate": "psi"},
                       "O": {"type": "pivot", "bodies": ["shaft", "bob"], "axis": "y",
                             "coordinate": "theta"}},
            "motions": {"drive": {"coordinate": "psi", "law": "Omega*t"}},
        })  # fmt: skip
    if name == "lift":  # M_A = AG ∧ m (γ - g), with AG = d x
        return ts.load({
            "parameters": {"m": {"value": 2, "unit": "kg"}, "d": {"value": 0.3, "unit": "m"},
                           "g": {"value": 9.81, "unit": "m/s^2"}, "F": {"value": 30, "unit": "N"}},
            "gravity": [0, 0, "-g"],
            "forces": {"cable": {"type": "joint", "joint": "S", "value": "F"}},
            "bodies": {"cabin": {"mass": "m", "centre": ["d", 0, 0]}},
            "joints": {"S": {"type": "slider", "bodies": ["ground", "cabin"], "axis": "z",
                             "coordinate": "z"}},
        })  # fmt: skip
    return ts.load(str(files("torseur.examples") / f"{name}.yaml"))


def judged(name, of, formula):
    return ts.check_answer(example(name), _WRITTEN.get(formula, formula), of=of)


def test_there_are_thirty_of_each():
    assert len(RIGHT) == len(WRONG) == 30


@pytest.mark.parametrize(("name", "of", "formula"), RIGHT)
def test_a_right_formula_is_right_in_any_clothes(name, of, formula):
    answer = judged(name, of, formula)
    assert answer.right, str(answer)
    assert not answer.lessons
    assert set(answer.codes) <= {"DR"}, str(answer)


@pytest.mark.parametrize(("name", "of", "formula", "lesson"), WRONG)
def test_a_wrong_formula_gets_the_lesson_that_applies(name, of, formula, lesson):
    answer = judged(name, of, formula)
    assert not answer.right, str(answer)
    if lesson.isupper() and len(lesson) == 4:
        assert answer.codes[0] == lesson or lesson in answer.codes, str(answer)
        return
    assert lesson in [x.key for x in answer.lessons], str(answer)
    for lang in ("en", "fr"):
        words = answer.text(lang)
        assert all(x.text(ts_words(lang)) in words for x in answer.lessons)
    assert answer.document["lessons"] == [x.key for x in answer.lessons]


def ts_words(lang):
    from torseur.named_words import teach_words

    return teach_words(lang)


@pytest.mark.parametrize(
    "formula", ["-C*theta.. - m*g*a*sin(theta) = 0", "-m*g*a*sin(theta)=C*theta.."]
)
@pytest.mark.parametrize("before", [True, False])
def test_a_formula_of_the_command_line_may_begin_with_a_minus(formula, before):
    line = ["--of", "theta", formula] if before else [formula, "--of", "theta"]
    model = str(files("torseur.examples") / "compound_pendulum.yaml")
    outcome = CliRunner().invoke(commands, ["check-answer", model, *line, "--lang", "en"])
    assert outcome.exit_code == 0, outcome.output
    assert outcome.output.startswith("Right")
