"""Principal axes: they diagonalise, they are right-handed, they never depend on chance."""

import matplotlib.figure  # noqa: F401  its import takes longer than a test may
import mpl_toolkits.mplot3d  # noqa: F401
import numpy as np
import pytest

from torseur.algebra import symbols
from torseur.errors import ModelError
from torseur.mass import (
    SOLIDS,
    MassProperties,
    central_frame,
    draw_ellipsoid,
    inertia_ellipsoid,
    particles,
    principal_inertia,
)


def cloud(seed):
    rng = np.random.default_rng(seed)
    return particles(rng.uniform(0.1, 3.0, 7), rng.normal(size=(7, 3)))


def rotation(seed):
    q, _ = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))
    return q * np.sign(np.linalg.det(q))


@pytest.mark.parametrize("seed", range(8))
def test_in_the_central_frame_the_inertia_is_diagonal_and_the_centre_is_the_origin(seed):
    body = cloud(seed)
    R_BC, p_BC = central_frame(body)
    assert np.linalg.det(R_BC) == pytest.approx(1)
    central = body.in_frame(R_BC.T, -R_BC.T @ p_BC)
    np.testing.assert_allclose(central.centre, 0, atol=1e-12)
    expected = np.diag(principal_inertia(body).moments)
    np.testing.assert_allclose(central.inertia, expected, atol=1e-12)
    assert (np.diff(np.diag(expected)) >= 0).all()


@pytest.mark.parametrize("seed", range(8))
def test_principal_axes_do_not_depend_on_the_axes_of_description(seed):
    body, R = cloud(seed), rotation(seed)
    axes, turned = principal_inertia(body).axes, principal_inertia(body.in_axes(R)).axes
    np.testing.assert_allclose(np.abs(np.diag(axes.T @ R.T @ turned)), 1, atol=1e-9)


@pytest.mark.parametrize(
    ("name", "dimensions", "kind"),
    [
        ("cylinder", {"radius": 0.1, "length": 1.0, "axis": "y"}, "prolate"),
        ("disc", {"radius": 0.1, "axis": "y"}, "oblate"),
        ("bar", {"length": 0.1, "axis": "y"}, "prolate"),
    ],
)
def test_an_inertia_of_revolution_has_its_axis_named(name, dimensions, kind):
    found = principal_inertia(SOLIDS[name].mass_properties(dimensions, mass=2.0))
    assert found.kind == kind
    np.testing.assert_allclose(found.revolution_axis, [0, 1, 0], atol=1e-12)
    assert found.sentence.endswith("along y")
    assert np.linalg.det(found.axes) == pytest.approx(1)


def test_a_revolution_about_an_oblique_axis_has_axes_that_are_the_same_every_time():
    cylinder = SOLIDS["cylinder"].mass_properties({"radius": 0.1, "length": 1.0}, mass=2.0)
    R = rotation(4)
    first = principal_inertia(cylinder.in_axes(R))
    nudged = MassProperties(2.0, np.zeros(3), cylinder.in_axes(R).inertia * (1 + 1e-15))
    np.testing.assert_allclose(principal_inertia(nudged).axes, first.axes, atol=1e-9)
    np.testing.assert_allclose(np.abs(first.axes[:, 0] @ R[:, 2]), 1, atol=1e-12)


def test_a_spherical_inertia_keeps_the_axes_of_the_body():
    found = principal_inertia(SOLIDS["sphere"].mass_properties({"radius": 1.0}, mass=1.0))
    assert found.kind == "spherical"
    assert found.revolution_axis is None
    np.testing.assert_array_equal(found.axes, np.eye(3))
    point = principal_inertia(MassProperties(1.0, np.zeros(3), np.zeros((3, 3))))
    assert point.sentence == "no inertia: every axis is principal"


def test_principal_axes_at_another_point_follow_huygens():
    body, point = cloud(3), np.array([0.5, 0.1, -0.2])
    found = principal_inertia(body, point)
    diagonal = found.axes.T @ body.inertia_at(point) @ found.axes
    np.testing.assert_allclose(diagonal, np.diag(found.moments), atol=1e-12)


def test_symbols_have_no_principal_axes():
    with pytest.raises(ModelError, match="the value m is not a number"):
        principal_inertia(MassProperties(symbols("m")[0], np.zeros(3), np.eye(3)))


def test_the_radius_of_the_ellipsoid_is_inverse_to_the_root_of_the_moment():
    body = cloud(5)
    found = inertia_ellipsoid(body)
    squares = found.frame.moments / body.mass
    np.testing.assert_allclose(
        found.semi_axes * np.sqrt(squares), np.trace(body.inertia) / 3 / body.mass
    )
    assert found.note == ""


def test_the_ellipsoid_of_a_bar_is_a_cylinder_and_is_cut():
    found = inertia_ellipsoid(SOLIDS["bar"].mass_properties({"length": 1.0}, mass=2.0))
    assert np.isinf(found.semi_axes[0])
    assert np.isfinite(found.drawn).all()
    assert found.note == "along axis 1 the ellipsoid is cut: its semi-axis there is infinite"


def test_a_point_mass_has_no_ellipsoid():
    with pytest.raises(ModelError, match="a mass of 1 kg and moments"):
        inertia_ellipsoid(MassProperties(1.0, np.zeros(3), np.zeros((3, 3))))


@pytest.mark.parametrize("ending", ["svg", "png"])
def test_the_picture_is_saved_and_is_the_same_every_time(tmp_path, ending):
    body = cloud(1)
    first = draw_ellipsoid(body, tmp_path / f"first.{ending}")
    second = draw_ellipsoid(body, tmp_path / f"second.{ending}")
    assert first.stat().st_size > 10_000
    assert first.read_bytes() == second.read_bytes()


def test_a_picture_format_that_is_none_is_refused(tmp_path):
    with pytest.raises(ModelError, match=r'"\.xyz" is not a picture format'):
        draw_ellipsoid(cloud(1), tmp_path / "ellipsoid.xyz")
