"""Mass data of meshes: what a closed surface encloses, against closed forms of solids."""

import itertools
import json

import numpy as np
import pytest
from click.testing import CliRunner
from scipy.spatial import ConvexHull

import torseur as ts
from torseur.cli.commands import commands
from torseur.errors import ModelError
from torseur.language.load import load
from torseur.language.shapes import mesh_mechanism
from torseur.model.mass.properties import filled, open_edges
from torseur.spatial.hulls import Triangles

BOX = (100.0, 200.0, 300.0)  # mm, one corner at the origin


def turned_outward(points, faces, outward=True):
    middle = points.mean(axis=0)
    found = []
    for a, b, c in faces:
        normal = np.cross(points[b] - points[a], points[c] - points[a])
        found.append((a, b, c) if (normal @ (points[a] - middle) > 0) == outward else (a, c, b))
    return Triangles(points, np.array(found))


def box_surface(sides=BOX, outward=True):
    points = np.array(list(itertools.product(*((0, x) for x in sides))))
    return turned_outward(points, ConvexHull(points).simplices, outward)


def written(path, surface):
    lines = ["solid box"]
    for face in surface.faces:
        lines += ["facet normal 0 0 0", "outer loop"]
        lines += ["vertex {} {} {}".format(*surface.points[k]) for k in face]
        lines += ["endloop", "endfacet"]
    path.write_text("\n".join([*lines, "endsolid"]), encoding="ascii")
    return str(path)


@pytest.mark.parametrize("outward", [True, False])
def test_a_filled_box_has_the_inertia_of_a_box_whichever_way_its_faces_turn(outward):
    a, b, c = (x / 1000 for x in BOX)
    found = filled(box_surface((a, b, c), outward), 7800)
    m = 7800 * a * b * c
    assert found.mass == pytest.approx(m, rel=1e-13)
    np.testing.assert_allclose(found.centre, [a / 2, b / 2, c / 2], rtol=1e-13)
    moments = [m * (b * b + c * c) / 12, m * (a * a + c * c) / 12, m * (a * a + b * b) / 12]
    np.testing.assert_allclose(found.inertia, np.diag(moments), atol=1e-13 * m)


def test_where_a_box_stands_does_not_change_its_inertia():
    near = box_surface()
    far = Triangles(near.points + np.array([1e4, -2e4, 3e4]), near.faces)
    expected = filled(near, 1).inertia
    np.testing.assert_allclose(filled(far, 1).inertia, expected, atol=1e-10 * expected.max())


def test_a_sphere_of_many_triangles_has_two_fifths_of_its_mass_and_radius_squared():
    rng = np.random.default_rng(1)
    points = rng.normal(size=(4000, 3))
    points /= np.linalg.norm(points, axis=1)[:, None]
    surface = turned_outward(points, ConvexHull(points).simplices)
    assert open_edges(surface) == 0
    found = filled(surface, 1.0)  # inside the sphere, by (edge/4)² or so: edges are about 0.06
    assert found.mass == pytest.approx(4 / 3 * np.pi, rel=5e-3)
    np.testing.assert_allclose(np.diag(found.inertia), 2 / 5 * found.mass, rtol=5e-3)


def test_the_command_reads_a_mesh_in_millimetres(tmp_path):
    path = written(tmp_path / "box.stl", box_surface())
    line = ["inertia", path, "--scale", "1e-3", "--density", "7800", "--json"]
    answer = CliRunner().invoke(commands, line)
    assert answer.exit_code == 0, answer.output
    (body,) = json.loads(answer.stdout)["bodies"]
    assert body["mass"] == pytest.approx(46.8)  # 7800 · 0.1 · 0.2 · 0.3
    by_mass = mesh_mechanism(path, mass="46.8 kg", scale=1e-3).bodies
    by_density = mesh_mechanism(path, density="7800", scale=1e-3).bodies
    for one, other in zip(by_mass.values(), by_density.values(), strict=True):
        a, b = ([float(x.value[1]) for x in np.ravel(body.inertia)] for body in (one, other))
        np.testing.assert_allclose(a, b)


def test_a_mesh_without_mass_open_or_missing_is_refused(tmp_path):
    whole, path = box_surface(), tmp_path / "box.stl"
    written(path, whole)
    with pytest.raises(ModelError, match="one of --density and --mass is needed"):
        mesh_mechanism(str(path))
    hole = Triangles(whole.points, whole.faces[:-1])
    assert open_edges(hole) == 3
    with pytest.raises(ModelError, match="not closed: 3 of its edges"):
        mesh_mechanism(written(tmp_path / "open.stl", hole), density="1")
    with pytest.raises(ModelError, match="does not exist"):
        mesh_mechanism(str(tmp_path / "none.stl"), density="1")


def test_a_mesh_is_no_mechanism_and_the_message_says_what_it_is_good_for(tmp_path):
    path = written(tmp_path / "box.stl", box_surface())
    for read in (load, ts.check):
        with pytest.raises(ModelError, match=r"torseur inertia .* --density 7800"):
            read(path)
