"""Every homogeneous solid against integration, and the classical composed bodies."""

import numpy as np
import pytest
import sympy

from torseur.algebra import PI, number, symbols
from torseur.errors import ModelError
from torseur.mass import (
    SOLIDS,
    composed,
    faults,
    from_shape,
    integrate,
    particles,
    principal_inertia,
    violations,
)
from torseur.model.mass.solids import DIRECTIONS

ORIGIN = np.zeros(3)
TURN = (0.0, 2 * np.pi)


def polar(r, theta, z=0.0):
    return r * np.cos(theta), r * np.sin(theta), z


def spherical(r, theta, phi):
    return polar(r * np.sin(theta), phi, r * np.cos(theta))


def ring(r, phi, theta):
    return polar(0.7 + r * np.cos(phi), theta, r * np.sin(phi))


# Each solid with dimensions, its parametrisation for the axis z, and the bounds.
CASES = {
    "box": (
        {"size": [0.3, 0.5, 0.7]},
        lambda x, y, z: (x, y, z),
        [(-0.15, 0.15), (-0.25, 0.25), (-0.35, 0.35)],
    ),
    "plate": ({"size": [0.3, 0.5]}, lambda x, y: (x, y, 0.0), [(-0.15, 0.15), (-0.25, 0.25)]),
    "bar": ({"length": 0.8}, lambda z: (0.0, 0.0, z), [(-0.4, 0.4)]),
    "hollow_cylinder": (
        {"inner_radius": 0.2, "outer_radius": 0.3, "length": 0.8},
        polar,
        [(0.2, 0.3), TURN, (-0.4, 0.4)],
    ),
    "cylinder": ({"radius": 0.3, "length": 0.8}, polar, [(0.0, 0.3), TURN, (-0.4, 0.4)]),
    "torus": ({"minor_radius": 0.2, "major_radius": 0.7}, ring, [(0.0, 0.2), TURN, TURN]),
    "hoop": ({"radius": 0.3}, lambda t: polar(0.3, t), [TURN]),
    "cone": (
        {"radius": 0.3, "height": 0.9},
        lambda z, r, t: polar(r, t, z),
        [(0.0, 0.9), (0.0, lambda z: z / 3), TURN],
    ),
    "hollow_sphere": (
        {"inner_radius": 0.2, "outer_radius": 0.3},
        spherical,
        [(0.2, 0.3), (0.0, np.pi), TURN],
    ),
    "sphere": ({"radius": 0.3}, spherical, [(0.0, 0.3), (0.0, np.pi), TURN]),
    "shell": ({"radius": 0.3}, lambda t, p: spherical(0.3, t, p), [(0.0, np.pi), TURN]),
    "disc": ({"radius": 0.3}, polar, [(0.0, 0.3), TURN]),
    "half_disc": ({"radius": 0.3}, polar, [(0.0, 0.3), (0.0, np.pi)]),
}


def turned(position, axis):
    """The parametrisation after the cyclic permutation that brings z onto the axis."""
    steps = {"z": 0, "x": 1, "y": 2}[axis]

    def moved(*u):
        place = position(*u)
        return tuple(place[(i - steps) % 3] for i in range(3))

    return moved


def test_every_solid_has_a_case():
    assert {*CASES, "capsule"} == set(SOLIDS)


ORIENTED = [
    (name, axis) for name in CASES for axis in "xyz" if SOLIDS[name].directed_by or axis == "z"
]


@pytest.mark.parametrize(("name", "axis"), ORIENTED)
def test_the_closed_form_of_a_solid_is_its_integral(name, axis):
    dimensions, position, bounds = CASES[name]
    key = SOLIDS[name].directed_by
    given = dimensions | ({key: axis} if key else {})
    body = SOLIDS[name].mass_properties(given, density=3.0)
    found = integrate(turned(position, axis), bounds, 3.0)
    assert found.error < 1e-10
    assert body.mass == pytest.approx(found.properties.mass, rel=1e-10)
    np.testing.assert_allclose(body.centre, found.properties.centre, atol=1e-10)
    np.testing.assert_allclose(body.inertia, found.properties.inertia, atol=1e-10)


def points_of(bounds, count=25):
    """Parameters of a solid on a grid, ends included; the bounds of one may depend on others."""
    if not bounds:
        yield ()
        return
    *first, (low, high) = bounds
    for given in points_of(first, count):
        ends = [x(*given) if callable(x) else x for x in (low, high)]
        yield from ((*given, x) for x in np.linspace(*ends, count))


@pytest.mark.parametrize(("name", "axis"), ORIENTED)
def test_a_solid_reaches_as_far_as_its_points(name, axis):
    dimensions, position, bounds = CASES[name]
    key = SOLIDS[name].directed_by
    points = np.array([turned(position, axis)(*given) for given in points_of(bounds)])
    extent = SOLIDS[name].placed(dimensions | ({key: axis} if key else {}), np.eye(3), ORIGIN)
    size = np.abs(points).max()
    for u in DIRECTIONS:
        assert -1e-12 < extent.reach(u) - (points @ u).max() < 0.02 * size


def test_a_capsule_is_a_cylinder_and_two_halves_of_a_ball():
    def end(r, theta, phi):
        x, y, z = spherical(r, theta, phi)
        return x, y, z + 0.4

    body = SOLIDS["capsule"].mass_properties({"radius": 0.3, "length": 0.8}, density=3.0)
    rod = SOLIDS["cylinder"].mass_properties({"radius": 0.3, "length": 0.8}, density=3.0)
    half = integrate(end, [(0.0, 0.3), (0.0, np.pi / 2), TURN], 3.0).properties
    z = half.centre[2]
    across = half.inertia[0, 0] + half.mass * z * z
    assert body.mass == pytest.approx(rod.mass + 2 * half.mass, rel=1e-10)
    np.testing.assert_allclose(body.centre, 0)
    want = [rod.inertia[0, 0] + 2 * across, rod.inertia[2, 2] + 2 * half.inertia[2, 2]]
    np.testing.assert_allclose([body.inertia[0, 0], body.inertia[2, 2]], want, rtol=1e-10)
    extent = SOLIDS["capsule"].placed({"radius": 0.3, "length": 0.8}, np.eye(3), ORIGIN)
    assert [extent.reach(u) for u in np.eye(3)] == pytest.approx([0.3, 0.3, 0.4 + 0.3])


@pytest.mark.parametrize("axis", ["x", "y", "z"])
@pytest.mark.parametrize("name", CASES)
def test_a_solid_has_the_symmetries_it_declares_and_no_fault(name, axis):
    solid, dimensions = SOLIDS[name], CASES[name][0]
    body = solid.mass_properties(dimensions, mass=2.0, axis=axis)
    assert violations(body, solid.symmetries_about(axis)) == ()
    assert faults(body) == ()


def test_dimensions_that_are_expressions_give_exact_formulas():
    m, r, a = symbols("m r a")
    shape = {"cylinder": {"radius": r, "length": a, "axis": "x"}}
    body = from_shape(shape, mass=m)
    assert body.inertia[0, 0] == m * (r * r / 2)
    assert body.inertia[1, 1] == body.inertia[2, 2] == m * (r * r / 4 + a * a / 12)
    (rho,) = symbols("rho")
    assert from_shape(shape, density=rho).mass == r * r * a * PI * rho


def test_dimensions_that_are_constant_expressions_count_as_numbers():
    half, two = number(0.5), number(2)
    body = from_shape({"cylinder": {"radius": half, "length": two}}, density=number(3))
    assert faults(body) == ()
    assert principal_inertia(body).moments[0] == pytest.approx(3 * np.pi / 4 * 2 * 0.125)
    with pytest.raises(ModelError, match="is not a positive length"):
        from_shape({"cylinder": {"radius": -half, "length": two}}, density=1)


def test_the_centre_of_a_half_disc_is_at_4_r_over_3_pi():
    body = SOLIDS["half_disc"].mass_properties({"radius": 0.5}, mass=2.0)
    b = 4 * 0.5 / (3 * np.pi)
    np.testing.assert_allclose(body.centre, [0, b, 0])
    assert body.inertia[2, 2] == pytest.approx(2.0 * 0.25 * (1 / 2 - 16 / (9 * np.pi**2)))


def test_an_inclined_off_centre_disc_turns_about_its_axis_as_in_the_book():
    """Plaut 2007, exercise 2.2."""
    m, R, a, theta = 1.7, 0.4, 0.15, 0.6
    disc = SOLIDS["disc"].mass_properties({"radius": R}, mass=m).in_frame(np.eye(3), [0, a, 0])
    I_O = disc.inertia_at(ORIGIN)
    expected = [m * R**2 / 4 + m * a**2, m * R**2 / 4, m * R**2 / 2 + m * a**2]
    np.testing.assert_allclose(I_O, np.diag(expected), atol=1e-15)
    axis = np.array([0, np.sin(theta), np.cos(theta)])
    about = m * R**2 / 4 * (1 + np.cos(theta) ** 2) + m * a**2 * np.cos(theta) ** 2
    assert disc.moment_about_axis(ORIGIN, axis) == pytest.approx(about)
    momentum = I_O @ axis
    assert np.linalg.norm(np.cross(momentum, axis)) > 1e-3
    np.testing.assert_allclose(
        momentum, m * np.array([0, R**2 / 4 * axis[1], (R**2 / 2 + a**2) * axis[2]])
    )


def test_a_two_cylinder_crankshaft_is_balanced_statically_but_not_dynamically():
    """Plaut 2007, exercise 2.3: 180° crank, solid plates and free lengths of the cylinders."""
    rho, a, length, e, d, d_p = sympy.symbols("rho a l e d d_p", positive=True)
    p, q, P, Q = sympy.symbols("p q P Q", positive=True)
    m_c, m_p, m_4 = rho * sympy.pi * a**2 * length, 4 * rho * p * q * e, 4 * rho * P * Q * e
    s = e + length

    def cylinder(x, z):
        solid = SOLIDS["cylinder"].mass_properties({"radius": a, "length": length}, mass=m_c)
        return solid.in_frame(np.eye(3, dtype=int), [x, 0, z])

    def plate(x, z, half_x, half_y, mass):
        size = [2 * half_x, 2 * half_y, e]
        return (
            SOLIDS["box"]
            .mass_properties({"size": size}, mass=mass)
            .in_frame(np.eye(3, dtype=int), [x, 0, z])
        )

    crankshaft = composed([
        cylinder(0, -3 * s / 2), plate(d_p, -s, p, q, m_p), cylinder(d, -s / 2),
        plate(0, 0, P, Q, m_4),
        cylinder(-d, s / 2), plate(-d_p, s, p, q, m_p), cylinder(0, 3 * s / 2),
    ])  # fmt: skip
    assert [sympy.expand(c) for c in crankshaft.centre] == [0, 0, 0]
    I_O = crankshaft.inertia_at([0, 0, 0])
    ends = m_c * (a**2 + length**2 / 3) + 5 * m_c * s**2
    expected = {
        (0, 0): ends + 2 * m_p * (q**2 / 3 + e**2 / 12 + s**2) + m_4 * (Q**2 / 3 + e**2 / 12),
        (1, 1): ends + 2 * m_c * d**2 + 2 * m_p * (p**2 / 3 + e**2 / 12 + s**2 + d_p**2)
        + m_4 * (P**2 / 3 + e**2 / 12),
        (2, 2): 2 * m_c * a**2 + 2 * m_c * d**2 + 2 * m_p * ((p**2 + q**2) / 3 + d_p**2)
        + m_4 * (P**2 + Q**2) / 3,
        (0, 2): s * (m_c * d + 2 * m_p * d_p),
        (0, 1): 0,
        (1, 2): 0,
    }  # fmt: skip
    for place, formula in expected.items():
        assert sympy.expand(I_O[place] - formula) == 0


def test_a_four_blade_rotor_has_a_diagonal_inertia():
    """Plaut 2007, exercise 2.4: thin blades 2l × 2a rooted at O, with pitch α."""
    m, half_length, a, pitch = 3.0, 0.9, 0.1, 0.25
    blade = SOLIDS["plate"].mass_properties({"size": [2 * half_length, 2 * a]}, mass=m)
    rooted = blade.in_frame(np.eye(3), [half_length, 0, 0])
    own = [m * a**2 / 3, 4 * m * half_length**2 / 3, m * (a**2 + 4 * half_length**2) / 3]
    np.testing.assert_allclose(rooted.inertia_at(ORIGIN), np.diag(own), atol=1e-15)
    c, s = np.cos(pitch), np.sin(pitch)
    pitched = rooted.in_axes(np.array([[1, 0, 0], [0, c, -s], [0, s, c]]))
    quarter = np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]])
    turns = [np.linalg.matrix_power(quarter, i) for i in range(4)]
    rotor = composed([pitched.in_axes(turn) for turn in turns])
    across = 2 * m / 3 * (4 * half_length**2 + a**2 * (1 + s**2))
    along = 4 * m / 3 * (4 * half_length**2 + a**2 * c**2)
    np.testing.assert_allclose(rotor.centre, ORIGIN, atol=1e-15)
    np.testing.assert_allclose(
        rotor.inertia_at(ORIGIN), np.diag([across, across, along]), atol=1e-12
    )


def test_two_balancing_masses_make_a_rotor_turn_without_effort_on_its_bearings():
    """Plaut 2007, §3.4: centre on the axis and I_xz = I_yz = 0, with two planes."""
    rotor = particles([5.0, 0.2, 0.1], [[0.01, -0.02, 0.3], [0.1, 0.05, 0.1], [-0.04, 0.1, 0.5]])
    planes = (0.05, 0.55)
    first = rotor.mass * rotor.centre[:2]
    cross = -rotor.inertia_at(ORIGIN)[:2, 2]  # ∫xz dm, ∫yz dm
    moments = np.linalg.solve([[1, 1], planes], [-first, -cross])  # m x, m y in each plane
    masses = [0.3, 0.4]
    added = particles(
        masses, [[*(u / m), z] for u, m, z in zip(moments, masses, planes, strict=True)]
    )
    balanced = rotor + added
    np.testing.assert_allclose(balanced.centre[:2], 0, atol=1e-15)
    np.testing.assert_allclose(balanced.inertia_at(ORIGIN)[:2, 2], 0, atol=1e-15)
    np.testing.assert_allclose(balanced.inertia_at([0, 0, 0.7])[:2, 2], 0, atol=1e-15)


def test_a_drilled_plate_is_the_plate_without_the_disc():
    hole = SOLIDS["disc"].mass_properties({"radius": 0.1}, density=10.0)
    plate = SOLIDS["plate"].mass_properties({"size": [0.6, 0.4]}, density=10.0)
    shift = [0.1, 0.05, 0]
    drilled = plate - hole.in_frame(np.eye(3), shift)
    assert faults(drilled) == ()
    assert drilled.mass == pytest.approx(10 * (0.24 - np.pi * 0.01))
    refilled = drilled + hole.in_frame(np.eye(3), shift)
    np.testing.assert_allclose(refilled.inertia, plate.inertia, atol=1e-14)


MESSAGES = {
    "an unknown shape": (
        {"cylindre": {"radius": 1}},
        'arm: shape "cylindre" does not exist.\n'
        "  Known shapes: bar, box, capsule, cone, cylinder, disc, half_disc, hollow_cylinder, "
        "hollow_sphere, hoop, plate, shell, sphere, torus.\n"
        '  Did you mean "cylinder"?',
    ),
    "a missing and an extra dimension": (
        {"cylinder": {"radius": 0.1, "lenght": 2}},
        'arm: cylinder: dimension "lenght" does not exist.\n'
        "  Dimensions of this shape: radius, length, axis.\n"
        '  Did you mean "length"?\n'
        'arm: cylinder: dimension "length" is missing.\n'
        "  It is the full length along the axis [m].",
    ),
    "radii exchanged": (
        {"hollow_sphere": {"inner_radius": 0.3, "outer_radius": 0.2}},
        "arm: hollow_sphere: inner_radius = 0.3 m is not below outer_radius = 0.2 m.\n"
        "  Are they exchanged?",
    ),
    "a box without thickness": (
        {"box": {"size": [1, 0.0, 2]}},
        "arm: box: size = [1, 0.0, 2] m is not a positive length.\n"
        "  For a thin body use plate, disc, bar, hoop or shell.",
    ),
    "a size with two components": (
        {"box": {"size": [1, 2]}},
        "arm: box: size = [1, 2] has 2 components, not 3.\n"
        "  It is the three full lengths [x, y, z] [m].",
    ),
    "an unknown axis": (
        {"bar": {"length": 1, "axis": "w"}},
        'arm: bar: axis "w" does not exist.\n  Axes: x, y, z.',
    ),
}


@pytest.mark.parametrize("fault", MESSAGES)
def test_a_wrong_shape_is_named_with_what_is_possible(fault):
    shape, message = MESSAGES[fault]
    with pytest.raises(ModelError) as raised:
        from_shape(shape, density=1.0, place="arm")
    assert str(raised.value) == message


def test_either_the_mass_or_the_density_is_given():
    with pytest.raises(ModelError, match=r"neither mass nor density.*\n.*kg/m²"):
        from_shape({"plate": {"size": [1, 1]}}, place="arm")
    with pytest.raises(ModelError, match="both the mass 1 and the density 2 are given"):
        from_shape({"sphere": {"radius": 1}}, mass=1, density=2)
    with pytest.raises(ModelError, match="2 shapes are given"):
        from_shape({"sphere": {"radius": 1}, "bar": {"length": 1}}, mass=1)


def test_solids_of_sympy_symbols_have_exact_centres_and_moments():
    R, H, M = sympy.symbols("R H M", positive=True)
    half = from_shape({"half_disc": {"radius": R}}, mass=M)
    assert half.centre[1] == 4 * R / (3 * sympy.pi)
    assert (
        sympy.simplify(
            half.inertia[2, 2] - M * R**2 * (sympy.Rational(1, 2) - 16 / (9 * sympy.pi**2))
        )
        == 0
    )
    pill = from_shape({"capsule": {"radius": R, "length": H}}, mass=M)
    assert not any(
        x.atoms(sympy.Float) for x in (*pill.inertia.diagonal(), *half.inertia.diagonal())
    )
    whole = from_shape({"cylinder": {"radius": R, "length": H}}, density=M).mass
    assert whole == sympy.pi * H * M * R**2
