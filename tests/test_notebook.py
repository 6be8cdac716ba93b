"""What notebooks show: every public value as well-formed HTML, LaTeX or SVG."""

from functools import cache
from importlib.resources import files
from xml.dom import minidom

import pytest

import torseur as ts

SHOWN = {
    "equations": lambda m: ts.derive(m),
    "derivation": lambda m: ts.tell(m),
    "first integrals": lambda m: ts.first_integrals(m),
    "run": lambda m: ts.simulate(m, 0.1),
    "mobility": lambda m: ts.mobility(m),
    "balance": lambda m: ts.linkages.balance(m),
    "small motions": lambda m: ts.linearise(m),
    "equilibria": lambda m: ts.equilibria(m),
    "torseur": lambda m: ts.Torseur([1, 2, 3], [0, 1.5, 0], [0, 0, 1]),
    "mass sheet": lambda m: ts.mass.body_sheet(m, list(m.bodies)[-1]),
}


@cache
def pendulum():
    return ts.load(files("torseur.examples") / "compound_pendulum.yaml")


@pytest.mark.parametrize("name", SHOWN)
def test_a_value_is_shown_as_well_formed_html(name):
    value = SHOWN[name](pendulum())
    page = value._repr_html_()
    minidom.parseString(page)
    assert "http" not in page
    if hasattr(value, "_repr_latex_"):
        text = value._repr_latex_()
        assert text.count("{") == text.count("}")


def test_a_mechanism_is_shown_as_its_scheme():
    drawn = minidom.parseString(pendulum()._repr_svg_())
    assert drawn.documentElement.tagName == "svg"


def test_a_torseur_is_shown_with_its_components_and_its_point():
    shown = ts.Torseur([1, 2, 3], [0, 1.5, 0], [0, 0, 1])._repr_latex_()
    assert r"1 & 0 \\ 2 & 1.5 \\ 3 & 0" in shown
    assert "_{(0, 0, 1)}" in shown
