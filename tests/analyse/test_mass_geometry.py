"""Mass geometry as a user's tool: parts, solids in one line, sheets, densities, local bases."""

import json

import numpy as np
import pytest
import sympy
from test_cli import torseur

import torseur as ts

RNG = np.random.default_rng(16)
PLATE = """torseur: 1
bodies:
  plate:
    density: 2700
    parts:
      whole: {shape: {box: {size: [0.2, 0.1, 0.03]}}, position: [0.1, 0, 0]}
      hole: {shape: {cylinder: {radius: 0.02, length: 0.03}}, position: [0.15, 0, 0], removed: yes}
joints: {O: {type: pivot, bodies: [ground, plate], axis: z, coordinate: theta}}
"""


def plate(tmp_path):
    file = tmp_path / "plate.yaml"
    file.write_text(PLATE)
    return ts.load(str(file)), str(file)


def sheet_of(text, name="plate"):
    return ts.mass.body_sheet(ts.load(text), name)


def test_a_body_of_parts_has_the_mass_geometry_of_what_is_put_on_and_taken_away(tmp_path):
    mechanism, _ = plate(tmp_path)
    found = ts.mass.body_sheet(mechanism, "plate").properties
    whole = ts.mass.from_shape({"box": {"size": [0.2, 0.1, 0.03]}}, density=2700)
    hole = ts.mass.from_shape({"cylinder": {"radius": 0.02, "length": 0.03}}, density=2700)
    moved = whole.in_frame(np.eye(3), [0.1, 0, 0]) - hole.in_frame(np.eye(3), [0.15, 0, 0])
    assert found.mass == pytest.approx(moved.mass, rel=1e-14)
    np.testing.assert_allclose(found.centre, moved.centre, atol=1e-16)
    np.testing.assert_allclose(found.inertia, moved.inertia, atol=1e-16)


def test_two_halves_are_the_whole_and_a_whole_without_a_half_is_the_other():
    half = "box(size=[0.1, 0.2, 0.3]) at ({}, 0, 0)"
    whole = ts.mass.from_shapes("box(size=[0.2, 0.2, 0.3])", density=1000)
    both = ts.mass.from_shapes(f"{half.format(0.05)} + {half.format(-0.05)}", density=1000)
    left = ts.mass.from_shapes(f"box(size=[0.2, 0.2, 0.3]) - {half.format(0.05)}", density=1000)
    other = ts.mass.from_shapes(half.format(-0.05), density=1000)
    for one, two in ((whole, both), (left, other)):
        assert one.mass == pytest.approx(two.mass, rel=1e-14)
        np.testing.assert_allclose(one.inertia_at([0.3, 1, 2]), two.inertia_at([0.3, 1, 2]))


def test_a_mass_is_shared_by_volume_and_a_solid_may_have_its_own():
    shared = ts.mass.from_shapes("box(size=[2, 1, 1]) + box(size=[1, 1, 1]) at (5, 0, 0)", mass=9)
    assert shared.mass == pytest.approx(9) and shared.centre[0] == pytest.approx(5 / 3)
    own = ts.mass.from_shapes("box(size=[2, 1, 1], mass=3 kg) - sphere(radius=1 mm, density=1e3)")
    assert own.mass == pytest.approx(3 - 1e3 * 4e-9 / 3 * np.pi, rel=1e-14)


def test_a_turned_part_has_the_turned_inertia():
    text = {"torseur": 1, "bodies": {"b": {"parts": {"one": {
        "mass": 2, "centre": [1, 0, 0], "inertia": [1, 2, 3], "position": [0, 0, 1],
        "rotation": [{"z": "30 deg"}, {"x": "40 deg"}]}}}},
        "joints": {"f": {"type": "free", "bodies": ["ground", "b"]}}}  # fmt: skip
    found = sheet_of(text, "b").properties
    R = ts.attitude.euler.matrix("zx", np.radians([30, 40]))
    np.testing.assert_allclose(found.centre, R @ [1, 0, 0] + [0, 0, 1], atol=1e-15)
    np.testing.assert_allclose(found.inertia, R @ np.diag([1, 2, 3]) @ R.T, atol=1e-14)


def test_symmetries_of_a_sheet_hold_for_its_numbers_and_name_their_reason(tmp_path):
    found = ts.mass.body_sheet(plate(tmp_path)[0], "plate")
    assert found.symmetries == (ts.mass.Plane("y"), ts.mass.Plane("z"))
    assert ts.mass.violations(found.properties, found.symmetries) == ()
    assert "the plane y = 0 is one of symmetry" in str(found)
    ring = "cylinder(radius=2, length=1) - cylinder(radius=1, length=1)"
    made = {"torseur": 1, "bodies": {"ring": {"density": 1, "parts": {
        "out": {"shape": {"cylinder": {"radius": 2, "length": 1}}},
        "in": {"shape": {"cylinder": {"radius": 1, "length": 1}}, "removed": "yes"}}}},
        "joints": {"f": {"type": "free", "bodies": ["ground", "ring"]}}}  # fmt: skip
    assert ts.mass.Revolution("z") in sheet_of(made, "ring").symmetries
    tube = ts.mass.from_shape(
        {"hollow_cylinder": {"inner_radius": 1, "outer_radius": 2, "length": 1}}, density=3
    )
    np.testing.assert_allclose(ts.mass.from_shapes(ring, density=3).inertia, tube.inertia)


def test_moments_of_a_sheet_are_those_of_particles():
    masses, places = RNG.uniform(1, 2, 5), RNG.normal(size=(5, 3))
    A, u = RNG.normal(size=3), np.array([1.0, 2.0, -2.0]) / 3
    r = places - A
    document = ts.mass.sheet(ts.mass.particles(masses, places), at=A, axes=[u], planes=[u]).document
    across, along = (np.linalg.norm(np.cross(u, r), axis=1) ** 2, (r @ u) ** 2)
    assert document["about_axes"][0] == pytest.approx(masses @ across)
    assert document["about_planes"][0] == pytest.approx(masses @ along)
    assert document["moment_about_point"] == pytest.approx(masses @ (r * r).sum(axis=1))
    assert document["letters_at_point"]["F"] == pytest.approx(masses @ (r[:, 0] * r[:, 1]))
    assert document["inertia_at_point"]["xy"] == pytest.approx(-masses @ (r[:, 0] * r[:, 1]))


def test_the_command_tells_the_sheet_of_a_model_and_of_solids_in_both_languages(tmp_path):
    _, file = plate(tmp_path)
    told = torseur("inertia", file, "--axis", "0,0,1", "--plot", str(tmp_path / "e.svg"))
    assert "principal at G: three different principal moments" in told.stdout
    assert (tmp_path / "e.svg").read_text().startswith("<?xml")
    fr = torseur("inertia", file, "--lang", "fr").stdout
    assert "centre d'inertie G" in fr and "le plan y = 0" in fr
    data = json.loads(torseur("inertia", "sphere(radius=1)", "--mass", "5", "--json").stdout)
    assert data["bodies"][0]["principal_moments"] == pytest.approx([2, 2, 2])


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("sphere(radius=1) 3", "where + or - is expected"),
        ("sphere(radius)", "NAME=VALUE"),
        ("sphere(radius=1) -", "a solid is expected"),
        ("sphere(radius=-1)", "not a positive length"),
        ("ball(radius=1)", "ball"),
        ("sphere(radius=1) at (1, 2)", "third component"),
    ],
)
def test_wrong_solids_get_one_clear_message(text, told):
    with pytest.raises(ts.ModelError, match="(?s)" + told.replace("+", r"\+")):
        ts.mass.from_shapes(text, mass=1)


def test_parts_beside_a_shape_or_a_second_mass_are_refused():
    body = {"mass": 1, "parts": {"a": {"shape": {"sphere": {"radius": 1}}, "mass": 2}}}
    data = {"torseur": 1, "bodies": {"b": body}}
    with pytest.raises(ts.ModelError, match='"mass" cannot be combined'):
        ts.load(data)
    body = {"shape": {"sphere": {"radius": 1}}, "density": 1, "parts": {"a": {"mass": 2}}}
    with pytest.raises(ts.ModelError, match='"shape" cannot be combined'):
        ts.load({"torseur": 1, "bodies": {"b": body}})


# --- densities of force (features F11) ------------------------------------------------------------


def test_water_on_a_dam_pushes_at_a_third_of_its_height():
    y, z = sympy.symbols("y z")
    b, h, rho, g = sympy.symbols("b h rho g", positive=True)
    wall = ts.mass.cartesian([(y, -b / 2, b / 2), (z, 0, h)])
    push = ts.torseurs.distributed(wall, [rho * g * (h - z), 0, 0])
    assert sympy.simplify(push.resultant[0] - rho * g * b * h**2 / 2) == 0
    lowest = push.at(np.array([0, 0, h / 3], dtype=object))
    assert all(sympy.simplify(x) == 0 for x in lowest.moment)
    values = {"b": 3.0, "h": 2.0, "rho": 1e3, "g": 9.81}
    number = ts.torseurs.distributed(wall, [rho * g * (h - z), 0, 0], values=values)
    assert number.resultant[0] == pytest.approx(1e3 * 9.81 * 3 * 2, rel=1e-13)
    assert number.moment[1] == pytest.approx(number.resultant[0] * 2 / 3, rel=1e-13)


def test_a_density_whose_moment_or_resultant_vanishes_is_integrated_all_the_same():
    """Pressure on a disc, at its centre; and a lever, p = c x, of couple π c R⁴/4."""
    r, s, R = sympy.symbols("r s R", positive=True)
    disc = ts.mass.Domain(
        (r * sympy.cos(s), r * sympy.sin(s), 0), ((r, 0, R), (s, 0, 2 * sympy.pi))
    )
    pushed = ts.torseurs.distributed(disc, (0, 0, 2), values={"R": 0.3})
    assert pushed.resultant == pytest.approx([0, 0, 2 * np.pi * 0.09], rel=1e-12)
    assert not pushed.moment.any()
    turned = ts.torseurs.distributed(disc, (0, 0, 5 * r * sympy.cos(s)), values={"R": 0.3})
    assert not turned.resultant.any()
    assert turned.moment == pytest.approx([0, -np.pi * 5 * 0.3**4 / 4, 0], rel=1e-12)
    exact = ts.torseurs.distributed(disc, (0, 0, 2), at=(R, 0, 0))
    assert str(exact) == "{R = (0, 0, 2*pi*R**2); M = (0, 2*pi*R**3, 0)} at (R, 0, 0)"
    with pytest.raises(ts.ModelError, match="2 components are given"):
        ts.torseurs.distributed(disc, (0, 0, 2), at=(0, 0))


def test_weight_of_a_volume_a_surface_and_a_line_acts_at_the_centre_of_mass():
    u, v, w = sympy.symbols("u v w")
    cone = ts.mass.Domain((w * u * sympy.cos(v), w * u * sympy.sin(v), w),
                          ((w, 0, 1), (u, 0, 1), (v, 0, sympy.pi)))  # fmt: skip
    shell = ts.mass.Domain((sympy.cos(u) * sympy.cos(v), sympy.cos(u) * sympy.sin(v), sympy.sin(u)),
                           ((u, 0, 1), (v, 0, 1)))  # fmt: skip
    line = ts.mass.Domain((u, u**2, 0), ((u, 0, 1),))
    for domain in (cone, shell, line):
        weight = ts.torseurs.distributed(domain, [0, 0, -9.81], values={})
        body = domain.integrate().properties
        assert weight.resultant[2] == pytest.approx(-9.81 * body.mass, rel=1e-9)
        np.testing.assert_allclose(weight.at(body.centre).moment, 0, atol=1e-8)


# --- local bases (A21) and figures of rotations (O08) ---------------------------------------------


@pytest.mark.parametrize("kind", ["cylindrical", "spherical"])
def test_velocity_and_acceleration_on_a_local_basis_are_the_rates_of_the_position(kind):
    t = sympy.Symbol("t")
    laws = [1 + t**2, sympy.sin(t) + 0.7, t**3 - t]
    place = getattr(ts.attitude, kind)
    now = {t: 0.4}
    values = [[float(sympy.diff(x, t, k).subs(now)) for x in laws] for k in range(3)]
    found = place(*values)
    if kind == "cylindrical":
        r, a, z = laws
        position = [r * sympy.cos(a), r * sympy.sin(a), z]
    else:
        r, a, b = laws
        position = [r * sympy.sin(a) * sympy.cos(b), r * sympy.sin(a) * sympy.sin(b),
                    r * sympy.cos(a)]  # fmt: skip
    rates = [[float(sympy.diff(x, t, k).subs(now)) for x in position] for k in range(3)]
    np.testing.assert_allclose(found.position, rates[0], atol=1e-14)
    np.testing.assert_allclose(found.fixed_velocity, rates[1], atol=1e-13)
    np.testing.assert_allclose(found.fixed_acceleration, rates[2], atol=1e-12)
    np.testing.assert_allclose(found.basis.T @ found.basis, np.eye(3), atol=1e-15)
    assert np.linalg.det(found.basis) == pytest.approx(1)


def test_polar_coordinates_are_cylindrical_ones_without_height():
    flat = ts.attitude.polar([2, 0.3], [1, -2], [0.5, 4])
    round_ = ts.attitude.cylindrical([2, 0.3, 0], [1, -2, 0], [0.5, 4, 0])
    np.testing.assert_array_equal(flat.acceleration, round_.acceleration)
    np.testing.assert_allclose(flat.acceleration, [0.5 - 2 * 4, 2 * 4 + 2 * 1 * -2, 0])


def test_figures_of_rotations_name_every_axis_and_angle(tmp_path):
    from xml.etree import ElementTree

    path = ts.pictures.rotations(tmp_path / "euler.svg")
    text = "".join(ElementTree.parse(path).getroot().itertext())
    plain = text.replace("\u200b", "")
    for name in ("ψ", "θ", "φ", "z0", "z1", "x1", "x2", "y2", "y3", "x3"):
        assert name in plain, name
    with pytest.raises(ts.ModelError, match="no sequence of axes"):
        ts.pictures.rotations(tmp_path / "e.svg", "zaz")
    with pytest.raises(ts.ModelError, match="2 angles are named for 3"):
        ts.pictures.rotations(tmp_path / "e.svg", "xyz", ["a", "b"])


@pytest.mark.parametrize("sequence", ["zxz", "xyz"])
def test_figures_of_rotations_turn_axes_as_their_matrices_do(sequence, tmp_path):
    """Seen from the tip of the axis: x1 of frame 1 stands where R(axis, angle) takes x0."""
    from xml.etree import ElementTree

    svg = "{http://www.w3.org/2000/svg}"
    root = ElementTree.parse(ts.pictures.rotations(tmp_path / "e.svg", sequence)).getroot()
    assert "style=" not in (tmp_path / "e.svg").read_text(encoding="utf-8")  # dark pages, too
    for k, (axis, figure) in enumerate(zip(sequence, root.iter(f"{svg}g"), strict=True)):
        lines = figure.findall(f"{svg}line")
        texts = [x for x in figure.findall(f"{svg}text") if x.get("class") != "angle"]
        names = ["".join(x.itertext()).replace("\u200b", "") for x in texts]
        arrows = {
            name: np.array([float(one.get("x2")) - float(one.get("x1")),
                            float(one.get("y1")) - float(one.get("y2"))])
            for name, one in zip(names[:-1], lines, strict=True)
        }  # fmt: skip
        right, up = ("xyz"[("xyz".index(axis) + n) % 3] for n in (1, 2))
        R = ts.attitude.elementary(axis, np.radians(26))
        for name in (right, up):
            turned = R[:, "xyz".index(name)]
            seen = sum(turned["xyz".index(x)] * arrows[f"{x}{k}"] for x in (right, up))
            np.testing.assert_allclose(arrows[f"{name}{k + 1}"], seen, atol=0.1)
        assert np.cross([*arrows[f"{right}{k}"], 0], [*arrows[f"{up}{k}"], 0])[2] > 0
        assert f"{axis}{k} = {axis}{k + 1}" in names


def test_three_lengths_may_stand_in_any_brackets():
    square = ts.mass.from_shapes("box(size=[2, 1, 1]) at (5, 0, 0)", mass=9)
    round_ = ts.mass.from_shapes("box(size=(2, 1, 1)) at (5, 0, 0)", mass=9)
    np.testing.assert_array_equal(square.inertia, round_.inertia)


def test_solids_in_one_line_are_read_in_french():
    english = "cylinder(radius=8 cm, length=1 m, axis=x) + sphere(radius=5 m, mass=1) at (2, 0, 0)"
    french = "cylindre(rayon=8 cm, longueur=1 m, axe=x) + boule(rayon=5 m, masse=1) en (2, 0, 0)"
    there, here = (ts.mass.from_shapes(text, density=7800) for text in (english, french))
    assert (here.mass, here.centre.tolist()) == (there.mass, there.centre.tolist())
    np.testing.assert_array_equal(here.inertia, there.inertia)
    tube = "cylindre_creux(rayon_intérieur=1 cm, rayon_extérieur=2 cm, longueur=1 m, masse=2 kg)"
    assert ts.mass.from_shapes(tube).mass == 2


@pytest.mark.parametrize("given", [{"mass": 1.0}, {"density": 3.0}])
def test_a_shell_and_a_bar_have_no_density_in_common(given):
    """Kilograms of a square metre and of a metre do not compare; each part has its own mass."""
    with pytest.raises(ts.ModelError, match=r"share no density \(kg/m, kg/m\^2\)"):
        ts.mass.from_shapes("shell(radius=0.1) + bar(length=1, axis=x)", **given)
    both = ts.mass.from_shapes("shell(radius=0.1, mass=1) + bar(length=1, axis=x, mass=2)")
    assert float(both.mass) == 3 and float(both.inertia[0, 0]) == pytest.approx(2 / 3 * 0.01)


# --- what is removed ------------------------------------------------------------------------------


def drilled(position, radius=0.03, length=0.02, **part):
    bore = {"shape": {"cylinder": {"radius": radius, "length": length}}, "position": position}
    return {
        "bodies": {"wheel": {"density": 7800, "parts": {
            "disc": {"shape": {"cylinder": {"radius": 0.1, "length": 0.02}}},
            "bore": bore | {"removed": True} | part,
        }}},
        "joints": {"O": {"type": "pivot", "bodies": ["ground", "wheel"], "axis": "z"}},
    }  # fmt: skip


@pytest.mark.parametrize(
    ("bore", "out"),
    [
        (([0.05, 0, 0],), None),
        (([0.07, 0, 0],), None),  # it touches the rim from inside
        (([0.09, 0, 0],), 0.02),
        (([0.06 / 2**0.5, -0.06 / 2**0.5, 0], 0.05), 0.01),
        (([0, 0, 0.005], 0.01, 0.01), None),
        (([0, 0, 0], 0.01, 0.03), 0.005),
    ],
)
def test_a_hole_that_overhangs_its_solid_is_told_with_how_far(bore, out):
    model = ts.load(drilled(*bore))
    told = [text for text in model.notices if "removed" in text]
    if out is None:
        assert told == []
    else:
        assert told == [
            'model.bodies.wheel: body "wheel": the removed part (cylinder) reaches '
            f"{out:.4g} m beyond the other parts: mass that does not exist is removed."
        ]
        assert str(ts.mass.body_sheet(model, "wheel")).count("remark: the removed part") == 1


def test_an_inertia_that_a_hole_makes_impossible_is_refused_for_the_hole():
    with pytest.raises(ts.ModelError) as caught:
        ts.load(drilled([0.2, 0, 0]))
    assert str(caught.value) == (
        'model.bodies.wheel: body "wheel": the removed part (cylinder) reaches 0.13 m beyond the '
        "other parts: mass that does not exist is removed.\n  Move it, or make it smaller."
    )


def test_a_hole_without_values_or_beside_unknown_shapes_is_not_judged():
    unknown = drilled(["x", 0, 0]) | {"parameters": {"x": {"unit": "m"}}}
    assert not [text for text in ts.load(unknown).notices if "removed" in text]
    beside = drilled([0.09, 0, 0])
    beside["bodies"]["wheel"]["parts"]["rim"] = {"mass": 1, "inertia": [0.1, 0.1, 0.2]}
    assert not [text for text in ts.load(beside).notices if "removed" in text]
