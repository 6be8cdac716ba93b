"""Formulas in sentences: texts show them plain, pages typeset them."""

from importlib.resources import files

import pytest

import torseur as ts
from torseur.report.documents.page_parts import Math
from torseur.report.dossier.derivation import integrals_parts
from torseur.report.dossier.motion_section import equilibria_parts
from torseur.report.pages.content import typeset
from torseur.words.sentence import enumerated, marked, said, say


def example(name):
    return ts.load(files("torseur.examples") / f"{name}.yaml")


def shown(text):
    """A line with its formulas as LaTeX between dollar signs."""
    pieces = text if isinstance(text, tuple) else (text,)
    return "".join(f"${x.latex}$" if isinstance(x, Math) else x for x in pieces)


def test_a_formula_of_a_sentence_has_signs_only_for_those_who_typeset_it():
    told = say("a disturbance grows as $exp({rate:.4g} t)${how}{where}.", 2.0, "", "")
    assert told == "a disturbance grows as exp(2 t)."
    assert marked(said, told, "fr") == "une perturbation croît comme $exp(2 t)$."
    assert said(told, "fr") == "une perturbation croît comme exp(2 t)."


def test_a_name_between_quotes_is_typeset_without_them():
    told = say(', most of all in "${along}$"', "theta1")
    assert told == ', most of all in "theta1"'
    assert shown(typeset(said, told, "en")) == r", most of all in $\theta_1$"
    assert shown(typeset(said, told, "fr")) == r", surtout suivant $\theta_1$"


def test_names_after_each_other_are_said_again_in_another_language():
    listed = enumerated([say('"${value}$"', name) for name in ("x", "theta")])
    assert listed == '"x", "theta"'
    assert said(listed, "fr") == "« x », « theta »"


@pytest.mark.parametrize(
    ("lang", "told"),
    [
        ("en", r"one mode drifts as $a + b\,t$, in $x$; the others do not grow. "
               r"Along it $E_p$ is constant within rounding."),
        ("fr", r"un mode dérive comme $a + b\,t$, suivant $x$ ; les autres ne croissent pas. "
               r"Suivant cette dérive, $E_p$ reste constant aux arrondis près."),
    ],
)  # fmt: skip
def test_reports_typeset_why_a_state_is_stable(lang, told):
    table, *_ = equilibria_parts(ts.equilibria(example("cart_pole")), lang)
    assert any(shown(row[2]).endswith(told) for row in table.rows)


def test_reports_typeset_what_is_constant_and_why():
    parts = integrals_parts(ts.first_integrals(example("ball_governor")), "en")
    told = [shown(x.text) for x in parts if hasattr(x, "text")]
    assert told[0].startswith("Painlevé's integral $T_2 - T_0 + V$: $L$ does not depend on time")
    parts = integrals_parts(ts.first_integrals(example("heavy_top")), "fr")
    told = [shown(x.text) for x in parts if hasattr(x, "text")]
    assert any(r"$L$ ne dépend pas de $\psi$, aucune autre force" in x for x in told)


def test_an_inertia_of_rounding_is_said_to_be_zero():
    with pytest.raises(ts.SolveError, match=r"resists phi .*\(0 but for rounding, the largest"):
        ts.linearise(example("spherical_pendulum"), {"theta": 0.0})


def test_the_legend_of_unknowns_typesets_the_coordinate_that_is_driven():
    found = ts.derive(example("ball_governor")).formulas()
    assert r"couple that drives $\psi$ [N·m]" in found.latex()
    assert "couple that drives psi [N·m]" in str(found)
