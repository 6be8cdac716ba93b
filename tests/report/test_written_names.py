"""Names of a model in the words of an exercise: formulas where the words are sure."""

import pytest

from torseur.report.dossier.written_names import with_written_names

MOVING, CONSTANT = ["x", "theta"], ["m", "g", "R", "alpha", "a"]


@pytest.mark.parametrize(("text", "written"), [
    ("Write the equation of theta.", r"Write the equation of $\theta$."),
    ("a slope of angle alpha. x goes up", r"a slope of angle $\alpha$. x goes up"),
    ("the acceleration x.. with it", r"the acceleration $\ddot{x}$ with it"),
    ("R*theta. = x. (rolling).", r"$R\,\dot{\theta}$ = $\dot{x}$ (rolling)."),
    ("N = m g cos(alpha), upwards", r"N = m g $\cos \alpha$, upwards"),
    ("a couple m*g*R, a mass and/or a wheel", r"a couple $m\,g\,R$, a mass and/or a wheel"),
])  # fmt: skip
def test_names_and_rates_become_formulas(text, written):
    assert with_written_names(text, MOVING, CONSTANT) == written


@pytest.mark.parametrize("text", [
    "rolling: x = R*theta..",  # a rate and the end of the sentence, or two dots
    "the product x. x of both",  # a rate, or the end of a sentence about x
    "the angle $\\theta$ and theta",
    "a mass m at x",
])  # fmt: skip
def test_what_is_not_sure_stays_as_it_is_written(text):
    assert with_written_names(text, MOVING, CONSTANT) == text


def test_a_dot_before_a_sentence_is_no_rate():
    text = with_written_names("It turns by theta. The mass is m.", MOVING, CONSTANT)
    assert text == r"It turns by $\theta$. The mass is m."
