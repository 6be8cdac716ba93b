"""Checks of a mechanism built in Python: what is impossible is a fault, what is odd a notice."""

from dataclasses import replace

import numpy as np
import pytest

from torseur.algebra import number, symbol
from torseur.errors import ModelError
from torseur.language.load import load
from torseur.model.checks.mechanism_checks import check, require_valid
from torseur.model.description import Body, Joint, JointLoad, Mechanism, Motor, Parameter, Point
from torseur.model.joints.library import Revolute, Spherical

ARM = Body("arm", number(2))
HINGE = Joint("A", Revolute(), "ground", "arm", coordinates=("q",), speeds=("q.",), limits=(None,))
PENDULUM = Mechanism("pendulum", {}, {"arm": ARM}, {"A": HINGE}, np.zeros(3))


def problems(**changes):
    return [str(fault).split("\n")[0] for fault in check(replace(PENDULUM, **changes))]


def with_body(**changes):
    return {"bodies": {"arm": replace(ARM, **changes)}}


def with_joint(**changes):
    return {"joints": {"A": replace(HINGE, **changes)}}


def test_a_sound_mechanism_has_no_fault_and_no_notice():
    assert check(PENDULUM) == ()
    assert require_valid(PENDULUM) is PENDULUM


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        (with_body(mass=number(-1)), 'body "arm": the mass is -1 kg; it cannot be negative.'),
        (
            with_body(inertia=np.diag([1.0, 1.0, 3.0])),
            'body "arm": zz = 3 exceeds xx + yy = 2 kg m² by 1 kg m² (0.33).',
        ),
        (with_joint(second="leg"), 'joint "A": body "leg" does not exist.'),
        (with_joint(second="ground"), 'joint "A": it joins the body "ground" to itself.'),
        (
            with_joint(limits=((number(2), number(1)),)),
            'joint "A": the limits of "q" are reversed: 2 rad to 1 rad.',
        ),
        (
            {"joints": {}},
            'body "arm": it is connected to nothing: no joint leads to the ground.',
        ),
        (
            {"joints": {"A": HINGE, "B": replace(HINGE, name="B")}},
            'joint "B": the coordinate name "q" is already used by joint "A".',
        ),
        (
            {"parameter_table": {"q": Parameter("q")}},
            'joint "A": the coordinate name "q" is already used by a parameter.',
        ),
        (
            {
                "parameter_table": {
                    "a": Parameter("a", symbol("b")),
                    "b": Parameter("b", symbol("a")),
                }
            },
            ": parameters are defined from each other in a circle: a → b → a.",
        ),
        (
            {"bodies": {"arm": ARM, "ground": Body("ground")}},
            'body "ground": the name "ground" is that of the fixed body.',
        ),
        ({"motors": {"m": Motor("m", "B", number(1))}}, 'motor "m": joint "B" does not exist.'),
        ({"motors": {"m": Motor("m", "A", number(0))}}, 'motor "m": the ratio "0" is zero.'),
        (
            {"motors": {"m": Motor("m", "A", number(1), number(-1))}},
            'motor "m": the rotor inertia -1 is negative.',
        ),
        (
            {"motors": {"m": Motor("m", "A", number(1), axis=np.zeros(3))}},
            'motor "m": the axis [0.0, 0.0, 0.0] is zero.',
        ),
        (
            {"loads": {"f": JointLoad("f", "B", number(1))}},
            'force "f": joint "B" does not exist.',
        ),
        (
            {"points": {"P": Point("P", "leg", np.zeros(3))}},
            'point "P": body "leg" does not exist.',
        ),
        ({"initial": {"p": number(1)}}, 'initial: coordinate "p" does not exist.'),
        (
            {"gravity": np.array([0.0, np.inf, 0.0])},
            "gravity: the gravity is inf, not a finite number.",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_impossible_is_a_fault(changes, problem):
    found = problems(**changes)
    assert any(line.lstrip(": ") == problem.lstrip(": ") for line in found), found


def test_numbers_are_judged_only_where_parameters_have_values():
    mass = with_body(mass=symbol("m") - 3)
    unknown, known = Parameter("m"), Parameter("m", number(2))
    assert problems(**mass, parameter_table={"m": unknown}) == []
    assert len(problems(**mass, parameter_table={"m": known})) == 1


def test_a_motor_needs_a_joint_with_one_degree_of_freedom():
    names = ("w", "x", "y", "z")
    ball = Joint("A", Spherical(), "ground", "arm", coordinates=names, speeds=("a", "b", "c"))
    found = problems(joints={"A": ball}, motors={"m": Motor("m", "A", number(1))})
    assert found == ['motor "m": joint "A" has 3 degrees of freedom, not one.']


def test_every_fault_is_raised_at_once():
    wrong = replace(PENDULUM, **with_body(mass=number(-1)), initial={"p": number(1)})
    with pytest.raises(ModelError) as caught:
        require_valid(wrong)
    assert len(caught.value.faults) == 2


@pytest.mark.parametrize(
    ("model", "notice"),
    [
        ({"gravity": [0, -9810, 0]}, "gravity: 9810 m/s² is more than 50"),
        ({"centre": [300, 0, 0]}, "the centre is at 300 m, more than 100"),
        ({"shape": {"sphere": {"radius": "1 mm"}}, "mass": 1}, "is above 25000"),
    ],
)
def test_millimetres_given_as_metres_are_a_notice(model, notice):
    gravity = model.pop("gravity", [0, 0, 0])
    joint = {"type": "libre", "bodies": ["ground", "b"]}
    body = {"mass": 1, **model}
    found = load({"gravity": gravity, "bodies": {"b": body}, "joints": {"A": joint}}).notices
    assert any(notice in line and "mm instead of m?" in line for line in found)
