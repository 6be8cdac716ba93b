"""The page of a mechanism: one harmless file with the drawing, the tables and every formula."""

import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from written_text import page

from torseur.algebra.core.expr import ZERO, symbol
from torseur.equations.formalisms.compare import largest_difference
from torseur.equations.formalisms.derive import FORMALISMS, derive
from torseur.errors import ModelError
from torseur.language.load import load
from torseur.language.phrase.phrase_mechanism import phrase_mechanism
from torseur.model.description import Body, Joint, Mechanism, Parameter, Point
from torseur.model.joints.library import Revolute, Spherical
from torseur.report.pages import page as page_module
from torseur.report.pages.cells import table_decimal
from torseur.report.pages.content import unit
from torseur.spatial.pose import Pose
from torseur.words.sentence import type_words

ROBOT = (
    "RY(q1MIN,q1MAX), TYK(L1), RX(q2MIN,q2MAX), TYK(L2), RX(q3MIN,q3MAX), TZK(L3), "
    "RX(q4MIN,q4MAX), TZK(0), RY(q5MIN,q5MAX), TZK(0), RZ(q6MIN,q6MAX), TZK(L6);"
)
ARM = "RZ(q1), TXK(L1), RZ(q2), TXK(L2);"
EVIL = "<script>alert('&')</script>"


@pytest.fixture(scope="module")
def robot():
    return phrase_mechanism(ROBOT, masses="lever")


@pytest.fixture(scope="module")
def english(robot):
    return page(robot)


@pytest.fixture(scope="module")
def french(robot):
    return page(robot, lang="fr")


def words(html):
    """What a reader sees, formulas included, without the marks that have no width."""
    body = ET.fromstring(html).find("body")
    return re.sub("[\u200b\u2061-\u2064]", "", " ".join("".join(body.itertext()).split()))


def spherical_pendulum():
    L, m = symbol("L"), symbol("m")
    joint = Joint(
        "A", Spherical(), "ground", "bob", Pose(), Pose(), ("e0", "e1", "e2", "e3"),
        ("wx", "wy", "wz"), (None,) * 4,
    )  # fmt: skip
    centre, inertia = np.array([ZERO, ZERO, -L]), np.diag([m * L**2, m * L**2, m * L**2])
    return Mechanism(
        name="spherical pendulum",
        parameter_table={"L": Parameter("L", None, "m"), "m": Parameter("m", None, "kg")},
        bodies={"bob": Body("bob", m, centre, inertia)},
        joints={"A": joint},
        gravity=np.array([ZERO, ZERO, -symbol("g")]),
        points={"P": Point("P", "bob", centre)},
    )


def test_the_page_is_well_formed_and_complete(english):
    root = ET.fromstring(english)
    assert english.startswith("<!DOCTYPE html>")
    assert root.get("lang") == "en"
    targets = {a.get("href") for a in root.find("body").find("nav").iter("a")}
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    assert {target.removeprefix("#") for target in targets} <= set(ids)
    assert len(ids) == len(set(ids))
    assert len(list(root.iter("svg"))) == 1


def test_the_page_needs_neither_script_nor_network(english, french):
    for html in (english, french):
        assert "http" not in html
        assert "<script" not in html
        assert "<link" not in html
        assert " src=" not in html
        assert "@import" not in html
        assert set(re.findall(r"url\((.)", html)) <= {"#"}


def test_every_output_has_its_formula(english, robot):
    text = words(english)
    for i in range(1, 7):
        assert f"Q{i}=" in text
        for j in range(i, 7):
            assert f"A{i}{j}=" in text
    for name in ("VY1", "WY1", "JX6", "B112", "C1,2", "τ1", "τ6"):
        assert f"{name}=" in text
    assert "A13=A14+L3VZ6S5S23" in text
    for name in robot.parameter_table:
        assert name in text


def test_the_page_says_what_the_model_costs_and_what_is_wrong_with_it(english):
    text = words(english)
    assert "6 bodies linked by 6 joints: 6 degrees of freedom." in text
    assert "143 multiplications, 97 additions and 14 sines and cosines" in text
    assert "Singular mass matrix" in text
    assert "Every coefficient on this page was compared" in text


def test_the_french_page_speaks_of_liaisons(french):
    text = words(french)
    for word in (
        "6 solides et 6 liaisons : 6 degrés de liberté.",
        "Couples de pesanteur",
        "Coefficients d'inertie",
        "Matrice de masse singulière",
        "pivot",
        "bâti → 1",
        "masse du solide 1",
        "butée basse de q1",
    ):
        assert word in text
    assert ET.fromstring(french).get("lang") == "fr"
    for word in ("body", "joint", "ground", "degrees", "mass of"):
        assert not re.search(rf"\b{word}\b", text)


def test_joints_have_their_names_in_both_languages():
    assert type_words(Revolute.words, "en") == "revolute"
    assert type_words(Revolute.words, "fr") == "pivot"


def test_a_language_that_does_not_exist_is_an_error(robot):
    with pytest.raises(ModelError, match='language "de" does not exist'):
        page(robot, lang="de")


def test_what_the_user_writes_is_text_and_nothing_else():
    arm = phrase_mechanism(ARM, masses="lever")
    table = {
        name: replace(parameter, meaning=EVIL, unit=EVIL)
        for name, parameter in arm.parameter_table.items()
    }
    evil = replace(
        arm, name=EVIL, parameter_table=table, description=EVIL, phrase=EVIL, notices=(EVIL,)
    )
    html = page(evil)
    assert "<script" not in html
    assert EVIL in words(html)
    assert not list(ET.fromstring(html).iter("script"))


def test_names_of_bodies_joints_and_coordinates_are_escaped_in_formulas_too():
    pendulum = spherical_pendulum()
    joint = replace(pendulum.joints["A"], name="<b>", coordinates=("<i>", "e1", "e2", "e3"))
    html = page(replace(pendulum, joints={"<b>": joint}))
    assert not list(ET.fromstring(html).iter("b"))
    assert not list(ET.fromstring(html).iter("i"))


def test_a_mechanism_that_augmented_bodies_do_not_take_is_shown_by_newton_euler():
    text = words(page(spherical_pendulum()))
    assert "M(q)a+h(q,v)+g(q)=Q" in text
    assert "spherical" in text
    assert "lagrange" in text  # the formalism it was compared with


@pytest.mark.parametrize("formalism", FORMALISMS)
def test_any_formalism_can_be_asked_for(formalism):
    text = words(page(phrase_mechanism(ARM, masses="lever"), formalism=formalism))
    first = {"augmented-bodies": "A11=", "absolute": "M1,1="}.get(formalism, "M11=")
    assert first in text
    compared = "compared with that of another formalism" in text
    assert compared == (formalism != "absolute")  # whose variables are others


def test_the_lines_of_a_page_say_where_they_hold():
    """The length of a spring is x, and not |x|, where x > 0."""
    ends = [["ground", [0, 0, 0]], ["cart", [0, 0, 0]]]
    cart = load(
        {
            "parameters": {"m": 2, "k": 50, "l": 0.5},
            "bodies": {"cart": {"mass": "m"}},
            "joints": {
                "A": {"type": "prismatic", "bodies": ["ground", "cart"], "axis": "x",
                      "coordinate": "x"},
            },
            "forces": {"s": {"type": "spring", "between": ends, "stiffness": "k", "length": "l"}},
            "initial": {"x": 1},
        }
    )  # fmt: skip
    text = words(page(cart, formalism="newton-euler"))
    assert "x:mx¨=k(l−x)x>0" in text.replace(" ", "")


def test_the_page_does_not_claim_an_agreement_that_was_not_found(monkeypatch):
    monkeypatch.setattr(page_module, "largest_difference", lambda first, second: 1e-3)
    assert "compared" not in words(page(phrase_mechanism(ARM, masses="lever")))


def test_formalisms_differ_by_rounding_alone_and_a_wrong_term_is_seen():
    arm = phrase_mechanism(ARM, masses="full")
    first, second = derive(arm, "augmented-bodies"), derive(arm)
    assert largest_difference(first, second) < 1e-12
    assert largest_difference(first, replace(second, g=-second.g)) > 0.1


def test_decimals_are_printed_as_decimals_and_simple_fractions_as_fractions():
    assert table_decimal(Fraction(363, 1000)) == 0.363
    assert table_decimal(Fraction(1, 5)) == 0.2
    assert table_decimal(Fraction(87, 2)) == 43.5
    assert table_decimal(Fraction(1, 2), always=True) == 0.5
    for kept in (Fraction(1, 2), Fraction(1, 12), Fraction(2, 3), Fraction(1, 700), 3, 0.1):
        assert table_decimal(kept) is kept


def test_units_are_printed_with_raised_powers():
    assert unit("kg.m^2") == "kg·m²"
    assert unit("m/s^2") == "m/s²"
    assert unit("N.m.s/rad") == "N·m·s/rad"
    assert unit("s^-1") == "s⁻¹"
