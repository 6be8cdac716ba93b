"""Impossible mass properties are refused with their values; semi-definite ones are accepted."""

import numpy as np
import pytest

from torseur.algebra import symbols
from torseur.errors import ModelError
from torseur.mass import (
    SOLIDS,
    MassProperties,
    check,
    diagnose,
    faults,
    inertia_tensor,
    particles,
    remarks,
)

CENTRE = "Is the inertia given about the centre of mass?"
SIGN = "Are the products of inertia given with the sign of the tensor (xy = −∫xy dm)?"


def body(inertia, mass=1.0, centre=(0.0, 0.0, 0.0)):
    tensor = inertia if np.ndim(inertia) == 2 else inertia_tensor(inertia)
    return MassProperties(mass, np.array(centre), np.array(tensor))


IMPOSSIBLE = {
    "a negative mass": (
        body([1, 1, 1], mass=-2.0),
        "arm: the mass is -2 kg; it cannot be negative.\n  Is more subtracted than there is?",
    ),
    "values that are no numbers": (
        body([1, np.nan, 1], centre=(0, np.inf, 0)),
        "arm: centre y is inf, not a finite number.\n  Give a number.\n"
        "arm: inertia yy is nan, not a finite number.\n  Give a number.",
    ),
    "products typed on one side": (
        body([[1, 0.1, 0], [-0.1, 1, 0], [0, 0, 1]]),
        "arm: the inertia is not symmetric: xy = 0.1 but yx = -0.1 kg m².\n"
        "  Give xy once: both places hold the same product.",
    ),
    "a negative moment": (
        body([1, 1, -0.5]),
        "arm: the principal moment -0.5 kg m² is negative (of -0.5, 1, 1).\n  " + CENTRE,
    ),
    "a moment above the sum of the others": (
        body([0.066, 0.0125, 0.086]),
        "arm: zz = 0.086 exceeds xx + yy = 0.0785 kg m² by 0.0075 kg m² (0.087).\n  " + CENTRE,
    ),
    "principal moments off the axes": (
        body([2, 2, 5, 0.5, 0, 0]),
        "arm: the principal moment 5 exceeds the sum of the two others, 1.5 + 2.5 = 4 kg m², "
        f"by 1 kg m² (0.2).\n  {SIGN}\n  {CENTRE}",
    ),
    "rounded digits of a flat body": (
        body([0.0333, 0.0333, 0.0667]),
        "arm: zz = 0.0667 exceeds xx + yy = 0.0666 kg m² by 0.0001 kg m² (0.0015).\n"
        "  The excess is small: are the digits of a flat body rounded? Give more of them.\n"
        "  " + CENTRE,
    ),
    "lengths in millimetres": (
        body([2e6, 1e6, 5e6], mass=3.0),
        "arm: zz = 5e+06 exceeds xx + yy = 3e+06 kg m² by 2e+06 kg m² (0.4).\n"
        f"  {CENTRE}\n  Is the length unit mm instead of m?",
    ),
    "two faults at once": (
        body([1, 1, 3], mass=-1.0),
        "arm: the mass is -1 kg; it cannot be negative.\n  Is more subtracted than there is?\n"
        "arm: zz = 3 exceeds xx + yy = 2 kg m² by 1 kg m² (0.33).\n  " + CENTRE,
    ),
}


@pytest.mark.parametrize("fault", IMPOSSIBLE)
def test_an_impossible_body_is_refused_with_its_values(fault):
    properties, message = IMPOSSIBLE[fault]
    with pytest.raises(ModelError) as raised:
        check(properties, "arm")
    assert str(raised.value) == message
    assert len(faults(properties)) == len(raised.value.faults)
    assert remarks(properties) == ()


def test_when_the_opposite_sign_of_the_products_is_the_cure_the_message_says_so():
    box = SOLIDS["bar"].mass_properties({"length": 1.0}, mass=3.0).inertia
    u = np.ones(3) / np.sqrt(3)
    bar = (np.eye(3) - np.outer(u, u)) * box[0, 0]  # a bar along (1, 1, 1)
    opposite = 2 * np.diag(np.diag(bar)) - bar
    assert faults(body(bar)) == ()
    with pytest.raises(ModelError, match=r"The opposite sign would be possible\."):
        check(body(opposite), "arm")


def test_published_inertias_that_break_the_inequality_can_be_accepted_by_name():
    """Puma 560, Armstrong, Khatib and Burdick 1986, link 3."""
    link = body([0.066, 0.0125, 0.086], mass=4.8)
    assert [fault.kind for fault in diagnose(link)] == ["triangle"]
    check(link, "link 3", accepting={"triangle"})


ACCEPTED = {
    "no mass": (body([0, 0, 0], mass=0), ("no mass",)),
    "a point": (body([0, 0, 0]), ("a point mass",)),
    "a bar": (body([0, 2, 2]), ("a bar along x",)),
    "an oblique bar": (particles([1, 1], [[0, 0, 0], [3, 4, 0]]), ("a bar along (0.6, 0.8, 0)",)),
    "a plate": (body([1, 2, 3]), ("a flat body, normal to z",)),
    "an ordinary body": (body([2, 3, 4]), ()),
    "a planar crank": (
        body([0, 0, 0.02], mass=0),
        (
            "no mass, yet an inertia",
            "the moments about x and y left at 0: right if the body does not turn about x and y",
        ),
    ),
    "a lever without a moment about itself": (
        body([0.3, 0, 0.1]),
        ("the moment about y left at 0: right if the body does not turn about y",),
    ),
    "a centre in millimetres": (
        body([0, 0, 0], centre=(250.0, 0, 0)),
        (
            "a point mass",
            "the centre of mass is 250 m from the origin of the body frame. "
            "Is the length unit mm instead of m?",
        ),
    ),
    "an inertia in kg mm²": (
        body([2e4, 3e4, 4e4]),
        ("the largest radius of gyration is 200 m. Is the length unit mm instead of m?",),
    ),
}


@pytest.mark.parametrize("case", ACCEPTED)
def test_a_semi_definite_or_unusual_body_is_accepted_and_named(case):
    properties, expected = ACCEPTED[case]
    check(properties, "arm")
    assert remarks(properties) == expected


def test_rounding_of_an_exact_plate_is_no_fault():
    plate = SOLIDS["plate"].mass_properties({"size": [0.3, 0.7]}, mass=1 / 3)
    far = plate.in_frame(np.eye(3), [1e3, 2e3, 0])
    assert faults(far.in_frame(np.eye(3), [-1e3, -2e3, 0])) == ()


def test_symbols_need_values_before_a_check():
    with pytest.raises(ModelError, match="the value m is not a number"):
        check(MassProperties(symbols("m")[0], np.zeros(3), np.eye(3)), "arm")
