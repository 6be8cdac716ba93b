"""Where loops are cut to be read: the same whatever the order of the joints is, and short."""

from functools import cache
from importlib.resources import files

import pytest
import yaml

import torseur as ts
from torseur.model.values.named_numbers import with_short_loops

LOOPS = ("slider_crank", "four_bar", "five_bar", "whitworth", "peaucellier", "jansen_leg",
         "single_cylinder_engine", "cardan_shaft")  # fmt: skip


@cache
def described(name):
    return yaml.safe_load((files("torseur.examples") / f"{name}.yaml").read_text())


def closed_by(data):
    """The lines that close the loops, in the order of their text."""
    found = ts.formalisms.formulas(ts.load(data)).document["loops"]
    return sorted(f"{x['name']}: {x['left']} = {x['right']}" for x in found)


@pytest.mark.parametrize("name", LOOPS)
def test_the_order_of_the_joints_does_not_change_what_closes_the_loops(name):
    data = described(name)
    joints = list(data["joints"].items())
    turned = {**data, "joints": dict(joints[::-1])}
    shifted = {**data, "joints": dict([*joints[2:], *joints[:2]])}
    wanted = with_short_loops(ts.load(data)).coordinates
    for other in (turned, shifted):
        assert set(with_short_loops(ts.load(other)).coordinates) == set(wanted)
    assert closed_by(turned) == closed_by(data)


def test_a_crank_and_a_slider_are_closed_as_in_books():
    lines = ts.formalisms.formulas(ts.load(described("slider_crank"))).text().splitlines()
    assert lines[3:5] == ["A: x = l₁ cos α + l₂ cos ψ", "A: l₂ sin ψ = l₁ sin α"]
    assert lines[5:] == ["X_A, Y_A: force crank → rod in A, in the axes of rod [N]"]


def test_a_joint_in_which_something_acts_carries_a_body():
    data = described("slider_crank")
    spring = {"type": "torsion spring", "joint": "A", "stiffness": 2}
    m = with_short_loops(ts.load({**data, "forces": {**data["forces"], "knee": spring}}))
    assert "beta" in m.coordinates


def test_the_mechanism_itself_keeps_its_coordinates():
    m = ts.load(described("slider_crank"))
    ts.formalisms.formulas(m)
    assert m.coordinates == ("alpha", "beta", "x")
    assert ts.derive(m).coordinates == m.coordinates


def test_a_mechanism_without_loops_is_left_as_it_is():
    m = ts.load("RY(q1), TYK(L1), RX(q2), TYK(L2);")
    assert with_short_loops(m) is m
