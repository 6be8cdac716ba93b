"""Meshes touch by the corners of what is convex about them; balls and capsules by any place."""

import struct
from itertools import product

import numpy as np
import pytest
from scipy.optimize import minimize

import torseur as ts
from torseur.language.text.files import read_triangles
from torseur.language.yaml.form import yaml_mechanism
from torseur.model.joints.surfaces import BallOnBox, CapsuleOnCapsule
from torseur.model.values.fingerprint import fingerprint

CORNERS = np.array(list(product((0.0, 1.0), repeat=3)))
SQUARES = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
FACES = [face for a, b, c, d in SQUARES for face in ((a, b, c), (a, c, d))]


def obj():
    """A cube with a point inside, in squares."""
    points = "".join(f"v {x} {y} {z}\n" for x, y, z in (*CORNERS, (0.5, 0.5, 0.5)))
    return (points + _counted(SQUARES)).encode()


def _counted(faces):
    """Places that count from the last point, of which there are nine."""
    return "".join("f " + " ".join(f"{k - 9}/7/1" for k in face) + "\n" for face in faces)


def text_stl():
    facets = "".join(
        "facet normal 0 0 0\nouter loop\n"
        + "".join(f"  vertex {x} {y} {z}\n" for x, y, z in CORNERS[list(face)])
        + "endloop\nendfacet\n"
        for face in FACES
    )
    return f"solid cube\n{facets}endsolid cube\n".encode()


def binary_stl():
    record = struct.Struct("<12fH")
    triangles = (record.pack(0, 0, 0, *CORNERS[list(face)].ravel(), 0) for face in FACES)
    return b"solid, they say".ljust(80) + struct.pack("<I", len(FACES)) + b"".join(triangles)


FILES = {"cube.obj": obj, "cube.stl": text_stl, "CUBE.STL": binary_stl}


def described(file, **more):
    return {
        "gravity": [0, 0, -9.81],
        "bodies": {"cube": {"mass": 1, "centre": [0.05, 0.05, 0.05], "inertia": [0.002] * 3}},
        "joints": {"F": {"type": "free", "bodies": ["ground", "cube"]}},
        "contacts": {
            "floor": {"bodies": ["ground", "cube"], "shape": "mesh", "file": file, **more}
        },
        "initial": {"F_z": 0.2},
    }


@pytest.mark.parametrize("name", FILES)
def test_a_cube_has_its_eight_corners_and_twelve_triangles_in_every_format(name, tmp_path):
    (tmp_path / name).write_bytes(FILES[name]())
    found = read_triangles(tmp_path / name, "here")
    assert len(found.faces) == 12
    assert {tuple(x) for x in found.hull} == {tuple(x) for x in CORNERS}
    a, b, c = (found.points[found.faces[:, k]] for k in range(3))
    assert np.einsum("ni,ni", a, np.cross(b, c)) / 6 == pytest.approx(1.0)  # the volume


def test_a_mesh_touches_as_the_box_does_whose_corners_it_has(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cube.obj").write_bytes(obj())
    mesh = ts.load(described("cube.obj", scale=0.1, restitution=0.5))
    box = described("")
    box["contacts"]["floor"] = {
        "bodies": ["ground", "cube"], "shape": "box", "size": [0.1] * 3, "point": [0.05] * 3,
        "restitution": 0.5,
    }  # fmt: skip
    one, other = (ts.simulate(x, 0.3, rate=20) for x in (mesh, ts.load(box)))
    np.testing.assert_allclose(one.q, other.q, atol=1e-9)
    assert [event.t for event in one.events] == pytest.approx([e.t for e in other.events])


def test_the_written_form_has_the_corners_instead_of_the_file(tmp_path):
    (tmp_path / "cube.stl").write_bytes(text_stl())
    (tmp_path / "model.yaml").write_text(
        "bodies: {cube: {mass: 1, inertia: [1, 1, 1]}}\n"
        "joints: {F: {type: free, bodies: [ground, cube]}}\n"
        "contacts: {floor: {bodies: [ground, cube], file: cube.stl, scale: 1e-3}}\n",
        encoding="utf-8",
    )
    mechanism = ts.load(tmp_path / "model.yaml")
    assert len(mechanism.contacts["floor"].parts) == 8
    assert fingerprint(yaml_mechanism(mechanism.yaml(), "")) == fingerprint(mechanism)


def ball_of_points(count):
    u = np.random.default_rng(0).normal(size=(count, 3))
    points = "".join(f"v {x} {y} {z}\n" for x, y, z in u / np.linalg.norm(u, axis=1)[:, None])
    return f"{points}f 1 2 3\n"


WRONG = {
    "part.ply": ("", '"part.ply" is neither STL nor OBJ.'),
    "empty.stl": ("solid nothing\nendsolid nothing\n", '"empty.stl" has no triangle.'),
    "words.stl": ("vertex 0 one 2\n", "three coordinates are expected, not 0 one 2."),
    "far.obj": ("v 0 0 0\nv 1 0 0\nf 1 2 3\n", '"3" is no point: there are 2 before this line.'),
    "nan.obj": ("v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "is not a finite number."),
    "flat.obj": ("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3 4\n", "lie in a plane."),
    "fine.obj": (ball_of_points(200), "has 200 corners, more than 100"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_file_that_is_no_mesh_is_refused_with_what_is_wrong(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text, problem = WRONG[name]
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(ts.ModelError) as error:
        ts.load(described(name))
    assert problem in str(error.value)
    assert str(error.value) != error.value.said("fr")


def test_a_mesh_is_read_below_the_folder_of_the_model_only(tmp_path, monkeypatch):
    (tmp_path / "cube.obj").write_bytes(obj())
    (tmp_path / "models").mkdir()
    monkeypatch.chdir(tmp_path / "models")
    with pytest.raises(ts.ModelError, match="is outside the folder of the model"):
        ts.load(described("../cube.obj"))
    assert len(ts.load(described("../cube.obj"), tables=tmp_path).contacts["floor"].parts) == 8
    with pytest.raises(ts.ModelError, match="does not exist"):
        ts.load(described("cub.obj"))


# --- capsules and boxes ---------------------------------------------------------------------------


def turned(rng):
    R, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    return R * np.linalg.det(R)


def searched(first, second):
    """The smallest distance of points of two sets, each given by coordinates from −1 to 1."""

    def distance(c):
        return np.linalg.norm(second(c[3:]) - first(c[:3]))

    starts = [np.zeros(6), *np.random.default_rng(1).uniform(-1, 1, size=(4, 6))]
    limits = [(-1, 1)] * 6
    runs = [minimize(distance, x, bounds=limits, method="L-BFGS-B", tol=1e-15) for x in starts]
    return min(run.fun for run in runs)


@pytest.mark.parametrize("seed", range(8))
def test_balls_and_capsules_are_as_far_from_capsules_and_boxes_as_a_search_finds(seed):
    rng = np.random.default_rng(seed)
    R, p = turned(rng), rng.normal(size=3) * 1.2 + [0, 0, 1.5]
    capsules = CapsuleOnCapsule(0.1, 0.8, 1, 0.2, 1.4, 0)
    apart = searched(lambda c: 0.7 * c[0] * np.eye(3)[0], lambda c: p + 0.4 * c[0] * R[:, 1])
    assert capsules.gap(R, p)[0] == pytest.approx(apart - 0.3, abs=1e-6)
    ball = CapsuleOnCapsule(0.1, 0, 2, 0.2, 1.4, 0)
    apart = searched(lambda c: 0.7 * c[0] * np.eye(3)[0], lambda c: p)
    assert ball.gap(R, p)[0] == pytest.approx(apart - 0.3, abs=1e-6)
    box = BallOnBox(0.1, (0.6, 1.0, 1.4))
    apart = searched(lambda c: np.array([0.3, 0.5, 0.7]) * c, lambda c: p)
    assert box.gap(R, p)[0] == pytest.approx(apart - 0.1, abs=1e-6)


def test_parallel_capsules_are_as_far_apart_as_their_axes():
    p = np.array([0.3, 0.0, 0.9])
    for sign in (1, -1):
        R = np.diag([sign, 1.0, sign])
        found = CapsuleOnCapsule(0.1, 0.8, 0, 0.2, 1.4, 0)
        assert found.gap(R, p)[0] == pytest.approx(0.6)
        np.testing.assert_allclose(found.frame(R, p)[0], [0, 0, 1], atol=1e-12)


def test_a_ball_slides_off_a_box_and_round_its_edge_without_losing_anything():
    """From the side it comes onto the edge, about which it falls until it leaves it."""
    model = {
        "gravity": [0, 0, -9.81],
        "bodies": {"ball": {"mass": 1, "inertia": [0.004] * 3}},
        "joints": {"F": {"type": "free", "bodies": ["ground", "ball"]}},
        "contacts": {
            "block": {
                "bodies": ["ground", "ball"], "radius": 0.1, "on": "box", "surface_size": [1, 1, 1]
            }
        },
        "initial": {"F_x": 0.4, "F_z": 0.6, "F_x.": 0.5},
    }  # fmt: skip
    run = ts.simulate(ts.load(model), 0.6, rate=100)
    lift = next(event for event in run.events if event.cause == "lift-off")
    there = run.at(lift.t)
    cosine = (there["F_z"][0] - 0.5) / 0.1
    # m v²/r = m g cos θ where it leaves, and v² = v₀² + 2 g r (1 − cos θ)
    assert cosine == pytest.approx((0.25 + 2 * 9.81 * 0.1) / (3 * 9.81 * 0.1), rel=1e-6)
    assert run.energy_drift < 1e-8


def test_capsules_that_cross_touch_between_their_ends():
    model = {
        "gravity": [0, 0, -9.81],
        "bodies": {"bar": {"mass": 1, "inertia": [0.02, 0.004, 0.02]}},
        "joints": {"F": {"type": "free", "bodies": ["ground", "bar"]}},
        "contacts": {
            "beam": {
                "bodies": ["ground", "bar"], "shape": "capsule", "radius": 0.05, "length": 0.6,
                "axis": "y", "on": "capsule", "surface_radius": 0.1, "surface_length": 2,
                "surface_axis": "x", "friction": 0.5,
            }
        },
        "initial": {"F_z": 0.2},
    }  # fmt: skip
    run = ts.simulate(ts.load(model), 0.3, rate=50)
    assert run.events[0].t == pytest.approx(np.sqrt(2 * 0.05 / 9.81), rel=1e-9)
    assert run["F_z"][-1] == pytest.approx(0.15, abs=1e-9)
