"""Symmetries: what they say is what symmetric clouds of particles show."""

import numpy as np
import pytest

from torseur.algebra import symbols
from torseur.errors import ModelError
from torseur.mass import (
    CentralPoint,
    FoldAxis,
    MassProperties,
    Plane,
    Revolution,
    applied,
    deduce,
    inertia_tensor,
    particles,
    violations,
)


def symbolic():
    m, x, y, z, a, b, c, d, e, f = symbols("m x y z a b c d e f")
    centre = np.array([x, y, z])
    return MassProperties(m, centre, inertia_tensor((a, b, c, d, e, f)))


def turn(axis, fold):
    """Rotation by 1/fold of a turn about a coordinate axis."""
    c, s = np.cos(2 * np.pi / fold), np.sin(2 * np.pi / fold)
    about_z = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    steps = "zxy".index(axis)
    return np.roll(about_z, (steps, steps), axis=(0, 1))


def orbit(generators, seed=0, size=3, rounds=5):
    """A random cloud completed by its images under the symmetries."""
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(size, 3))
    masses = rng.uniform(1, 2, size)
    images = [np.eye(3)]
    for _ in range(rounds):
        images += [R @ S for R in generators for S in images]
        images = list({(np.round(R, 6) + 0.0).tobytes(): R for R in images}.values())
    return particles(np.tile(masses, len(images)), np.concatenate([points @ R.T for R in images]))


def mirror(axis):
    return np.diag([-1.0 if a == axis else 1.0 for a in "xyz"])


def oblique_mirror(n):
    return np.eye(3) - 2 * np.outer(n, n) / np.dot(n, n)


SIXTY = [np.cos(np.pi / 3), np.sin(np.pi / 3), 0]
A, B = ([np.cos(a), np.sin(a), 0] for a in (np.pi / 6, 2 * np.pi / 3))
CASES = {
    "one plane": ([Plane("z")], [mirror("z")], 7),
    "two planes": ([Plane("x"), Plane("y")], [mirror("x"), mirror("y")], 5),
    "half-turn": ([FoldAxis("y")], [turn("y", 2)], 6),
    "three blades": ([FoldAxis("x", 3)], [turn("x", 3)], 4),
    "four blades": ([FoldAxis("z", 4)], [turn("z", 4)], 4),
    "three blades and a plane": ([FoldAxis("z", 3), Plane("z")], [turn("z", 3), mirror("z")], 3),
    "centre": ([CentralPoint()], [-np.eye(3)], 7),
    "oblique plane": ([Plane([1, -2, 0.5])], [oblique_mirror([1, -2, 0.5])], 7),
    "oblique half-turn": ([FoldAxis([1, 1, 1])], [-oblique_mirror([1, 1, 1])], 6),
    "thirds about a diagonal": ([FoldAxis([1, 1, 1], 3)], [np.roll(np.eye(3), 1, 0)], 4),
    "planes at 60°": ([Plane("x"), Plane(SIXTY)], [mirror("x"), oblique_mirror(SIXTY)], 4),
    "planes at 90°": ([Plane(A), Plane(B)], [oblique_mirror(A), oblique_mirror(B)], 5),
    "cube": ([FoldAxis("z", 4), FoldAxis("x", 4)], [turn("z", 4), turn("x", 4)], 2),
}


@pytest.mark.parametrize("case", CASES)
def test_a_symmetric_cloud_has_the_zeros_and_equalities_that_are_deduced(case):
    symmetries, generators, unknowns = CASES[case]
    body = orbit(generators)
    assert violations(body, symmetries) == ()
    assert deduce(symmetries).unknowns == unknowns


@pytest.mark.parametrize("case", CASES)
def test_nothing_more_than_what_holds_for_every_symmetric_cloud_is_left_out(case):
    """The deduced unknowns are as many as the dimension spanned by symmetric clouds."""
    _, generators, unknowns = CASES[case]
    spanned = []
    for seed in range(12):
        body = orbit(generators, seed)
        I_O = body.inertia_at([0, 0, 0])
        spanned.append([body.mass, *(body.mass * body.centre), *I_O[np.triu_indices(3)]])
    assert np.linalg.matrix_rank(np.array(spanned), tol=1e-8) == unknowns


def test_a_revolution_about_two_axes_makes_a_sphere_of_inertia():
    found = deduce([Revolution("x"), Revolution("z")])
    assert found.centre == ("x", "y", "z")
    assert found.products == ("xy", "xz", "yz")
    assert found.moments == (("xx", "yy", "zz"),)


def test_symmetries_are_put_into_expressions():
    body = symbolic()
    a, c, z = body.inertia[0, 0], body.inertia[2, 2], body.centre[2]
    found = applied(body, [Revolution("z")])
    assert list(found.centre) == [0, 0, z]
    assert (found.inertia == np.diag([a, a, c])).all()


def test_numbers_that_contradict_a_symmetry_are_an_error_with_their_values():
    skew = MassProperties(2.0, np.array([0.0, 0, 0.1]), inertia_tensor([1, 2, 2, 0, 0.3, 0]))
    assert violations(skew, [Revolution("z"), Plane("z")]) == (
        "the centre of mass has z = 0.1 m where the symmetry requires 0.",
        "the product xz is 0.3 kg m² where the symmetry requires 0.",
        "xx = 1 and yy = 2 kg m² differ where the symmetry requires equality.",
    )
    with pytest.raises(ModelError, match=r"the product xz is 0\.3"):
        applied(skew, [Plane("x")])


def test_each_symmetry_says_its_consequences_in_a_sentence():
    sentences = deduce([Plane("z"), FoldAxis("x"), FoldAxis("y", 3), CentralPoint()]).sentences
    assert sentences == (
        "the plane z = 0 is one of symmetry: the centre of mass is in it and z is a principal "
        "axis (xz = yz = 0).",
        "a half-turn about x leaves the body unchanged: the centre of mass is on x, a principal "
        "axis (xy = xz = 0).",
        "the axis y is 3-fold: the centre of mass is on it, xy = xz = yz = 0 and xx = zz.",
        "the origin is a centre of symmetry: it is the centre of mass.",
    )


def test_a_symmetry_that_is_none_is_refused():
    with pytest.raises(ModelError, match="an axis of order 1 is not a symmetry"):
        deduce([FoldAxis("x", 1)])
    with pytest.raises(ModelError, match='axis "u" does not exist'):
        deduce([Plane("u")])


def test_a_vector_is_a_direction_whatever_its_length_and_only_zero_is_none():
    assert Plane([0, -2, 0]) == Plane("y")
    assert Revolution((0, 0, 1)) == Revolution("z")
    assert Plane([1, -1, 0]) == Plane([-3, 3, 0]) != Plane([1, 1, 0])
    for wrong in ([0, 0, 0], [1, 0], [np.nan, 0, 0], symbols("a b c")):
        with pytest.raises(ModelError, match="is not a direction"):
            Plane(wrong)


def test_a_plane_that_exchanges_two_axes_makes_their_components_equal():
    """The mirror normal to x − y exchanges x and y."""
    found = deduce([Plane([1, -1, 0])])
    assert found.moments == (("xx", "yy"),)
    assert [str(x) for x in found.relations] == ["y = x", "yz = xz"]
    assert found.sentences == (
        "the plane normal to (1, -1, 0) is one of symmetry: the centre of mass is in it and its "
        "normal is a principal axis (y = x, yy = xx, yz = xz).",
    )
    whole = applied(symbolic(), [Plane([1, -1, 0])])
    x, _, z = whole.centre
    assert list(whole.centre) == [x, x, z]
    exchange = np.array([[0, 1, 0], [1, 0, 0], [0, 0, 1]])
    assert (exchange @ whole.inertia @ exchange.T == whole.inertia).all()


def test_numbers_that_contradict_an_oblique_symmetry_are_an_error_with_their_values():
    body = MassProperties(2.0, np.array([0.1, 0.2, 0]), inertia_tensor([1, 1, 2, 0, 0.3, 0.2]))
    assert violations(body, [Plane([1, -1, 0])]) == (
        "y is 0.2 m where the symmetry requires x = 0.1.",
        "yz is 0.2 kg m² where the symmetry requires xz = 0.3.",
    )
