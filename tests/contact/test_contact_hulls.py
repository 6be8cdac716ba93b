"""Contacts between two convex meshes, moved by steps: heights, cones, edges, energies, rest."""

import sys
from functools import cache
from itertools import product

import numpy as np
import pytest
import yaml
from scipy.spatial.transform import Rotation

import torseur as ts
from torseur.algebra.core.graph import evaluate
from torseur.report.scene.movement_sources import movement
from torseur.report.scene.scene import scene
from torseur.report.scene.scene_solids import MeshPart
from torseur.simulation.contact.mesh_points import MeshPair
from torseur.spatial.hulls import hull

CUBE = 0.05 * np.array(list(product((-1.0, 1.0), repeat=3)))
SLAB = CUBE * [8, 8, 1]
STEP, G = 1e-3, 9.81
BODY = {"mass": 1, "inertia": [1 / 600] * 3}


def described(corners, bodies=("ground", "b"), surface=SLAB, **more):
    """Free bodies, the second of which has corners and the first a surface."""
    return {
        "parameters": {"gx": 0.0, "gz": G, "mu": 0.4},
        "gravity": ["gx", 0, "-gz"],
        "bodies": {name: BODY for name in bodies if name != "ground"},
        "joints": {
            f"f{name}": {"type": "free", "bodies": ["ground", name]}
            for name in bodies
            if name != "ground"
        },
        "contacts": {
            "pair": {
                "bodies": list(bodies),
                **{"shape": "mesh", "points": corners.tolist(), "friction": "mu"},
                **{"on": "mesh", "surface_points": surface.tolist(), **more},
            }
        },
    }


@cache
def cube():
    return ts.compile(ts.load(described(CUBE)))


def attitude(axis, angle):
    """The initial quaternion of a rotation."""
    x, y, z, w = Rotation.from_rotvec(angle * np.array(axis)).as_quat()
    return {"fb_qw": float(w), "fb_qx": float(x), "fb_qy": float(y), "fb_qz": float(z)}


def moved(model, duration, initial, step=STEP, **values):
    pytest.importorskip("coal")
    return ts.simulate(
        model, duration, initial=initial, method="moreau", step=step, rate=100, parameters=values
    )


def energy(run):
    return run.energy["kinetic"] + run.energy["potential"]


def test_a_cube_that_falls_on_a_cube_rests_at_the_right_height_exactly():
    run = moved(cube(), 0.2, {"fb_x": 0.02, "fb_z": 0.12})
    assert abs(run["fb_z"][-1] - 0.1) < 1e-15
    for name in run.model.coordinates:
        assert np.ptp(run[name][run.t > 0.1]) == 0.0
    pressed = [run.contact(f"pair.{k}").normal[-1] for k in range(1, 5)]
    assert sum(pressed) == pytest.approx(G, rel=1e-12)
    assert run.reaction("pair.1")[-1, 2] == pytest.approx(pressed[0], rel=1e-12)


@pytest.mark.parametrize("degrees", (10, 30))
def test_a_cube_sticks_below_the_angle_of_friction_and_slides_above_it(degrees):
    angle, mu, t = np.radians(degrees), 0.4, 0.2
    tilted = {"gx": G * np.sin(angle), "gz": G * np.cos(angle)}
    run = moved(cube(), t, {"fb_z": 0.1}, mu=mu, **tilted)
    a = G * max(np.sin(angle) - mu * np.cos(angle), 0.0)
    assert run["fb_x."][-1] == pytest.approx(a * t, abs=1e-9)
    assert run["fb_x"][-1] == pytest.approx(a * t**2 / 2, abs=a * t * STEP)
    assert degrees == 30 or np.ptp(run["fb_x"]) == 0.0


@pytest.mark.parametrize(("x", "stays"), ((0.39, True), (0.41, False)))
def test_a_cube_tips_over_the_edge_of_a_slab_when_its_centre_is_beyond_it(x, stays):
    run = moved(cube(), 0.3, {"fb_x": x, "fb_z": 0.1})  # the slab ends at 0.4
    assert (np.ptp(run["fb_z"]) == 0.0) == stays
    assert stays or run["fb_z"][-1] < 0.09
    assert np.diff(energy(run)).max() < 1e-12


def test_a_mesh_about_a_sphere_stays_as_high_as_a_ball_to_its_chord_error():
    golden, r = (1 + np.sqrt(5)) / 2, 0.05
    points = [np.roll((0, s, u * golden), k) for s, u in product((-1, 1), repeat=2)
              for k in range(3)]  # fmt: skip
    middles = [(a + b) / 2 for a in points for b in points if 0 < np.linalg.norm(a - b) < 2.1]
    ball = np.unique(np.round([x / np.linalg.norm(x) for x in (*points, *middles)], 12), axis=0)
    assert len(ball) == 42
    chord = r * (1 - hull(ball).levels.min())
    run = moved(ts.load(described(r * ball)), 0.3, {"fb_z": 0.101, "fb_x.": 0.2})
    height = run["fb_z"][run.t > 0.1] - 0.05
    assert height.max() <= r + 1e-9  # of the analytic ball
    assert height.min() >= r - chord - 1e-9


def test_what_tumbles_never_gains_energy_and_comes_to_rest_on_a_face():
    start = {"fb_z": 0.15, "fb_x": 0.1, "fb_x.": -0.4, **attitude([0.78, 0.62, 0], 0.64)}
    E = energy(moved(cube(), 0.9, start, mu=0.3))
    assert np.diff(E).max() < 1e-9
    assert E[-1] == pytest.approx(0.1 * G, abs=1e-9)
    assert E[-1] == E[-2]


def test_two_cubes_that_meet_in_the_air_keep_their_momentum():
    model = ts.load(described(CUBE, ("a", "b"), CUBE, restitution=0.5))
    start = {"fb_x": 0.11, "fb_y": 0.03, "fb_z": 0.01, "fb_x.": -1.0}
    run = moved(model, 0.1, start, gz=0.0)
    for axis, size in zip("xyz", (-1.0, 0.0, 0.0), strict=True):
        total = run[f"fa_{axis}."] + run[f"fb_{axis}."]
        assert total == pytest.approx(np.full(len(run.t), size), abs=1e-12)
    assert run["fa_x."][-1] < -0.1
    assert np.diff(energy(run)).max() < 1e-12


def test_crossed_edges_touch_in_one_point_along_what_is_across_both():
    pytest.importorskip("coal")
    beam = hull(CUBE * [10, 1, 1] @ Rotation.from_rotvec([np.pi / 4, 0, 0]).as_matrix().T)
    turned, height = Rotation.from_rotvec([0, 0, 1.0]).as_matrix(), 0.1 * np.sqrt(2)
    pair, up = MeshPair(beam, beam), np.array([0.0, 0.0, 1.0])
    for gap in (1e-2, 1e-6, 0.0, -1e-12, -1e-6):
        found = pair.at(turned, (height + gap) * up, up if abs(gap) < 1e-9 else 0 * up)
        assert found.normal == pytest.approx(up, abs=1e-12)
        assert found.gaps == pytest.approx([gap], abs=1e-12)


def test_faces_of_either_body_part_them():
    pytest.importorskip("coal")
    second = hull(CUBE / 4)
    pair, down = MeshPair(second, hull(SLAB)), np.array([0.01, 0.02, -0.0725])
    found = pair.at(np.eye(3), down, np.zeros(3))
    assert found.normal == pytest.approx([0, 0, -1], abs=1e-15)
    assert found.gaps == pytest.approx(np.full(4, 0.01), abs=1e-15)
    assert found.levels == pytest.approx(np.full(4, 0.0125), abs=1e-15)


def test_events_need_smooth_gaps_and_the_message_names_the_steps():
    with pytest.raises(ts.ModelError, match=r"between two meshes.*\n.*moreau"):
        ts.simulate(cube(), 0.1, initial={"fb_z": 0.1})


def test_meshes_inside_each_other_are_refused_by_name():
    with pytest.raises(ts.ModelError, match="inside each other"):
        moved(cube(), 0.1, {"fb_z": 0.09})


def test_without_coal_one_message_tells_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "coal", None)
    with pytest.raises(ts.ModelError, match=r"need coal.*\n.*torseur\[mesh\]"):
        ts.simulate(cube(), 0.1, initial={"fb_z": 0.1}, method="moreau", step=STEP)


def test_meshes_are_written_with_their_corners_and_read_back(tmp_path):
    text = "".join(f"v {x} {y} {z}\n" for x, y, z in 1e3 * CUBE) + "f 1 2 4 3\nf 5 6 8 7\n"
    (tmp_path / "die.obj").write_text(text)
    given = described(CUBE)
    files = {"file": "die.obj", "scale": 1e-3, "surface_file": "die.obj", "surface_scale": 2e-3}
    pair = {k: v for k, v in given["contacts"]["pair"].items() if "points" not in k} | files
    (tmp_path / "pair.yaml").write_text(yaml.safe_dump({**given, "contacts": {"pair": pair}}))
    read = ts.load(tmp_path / "pair.yaml")
    for model in (read, ts.load(read.save(tmp_path / "else.yaml"))):
        shape = model.contacts["pair"].rows.kind.shape
        assert evaluate(np.array(shape.second), {}) == pytest.approx(CUBE)
        assert evaluate(np.array(shape.first), {}) == pytest.approx(2 * CUBE)


@pytest.mark.parametrize(
    ("entries", "problem"),
    [
        ({"rolling": 0.001}, 'two meshes have no "rolling"'),
        ({"points": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]}, "lie in a plane"),
    ],
)
def test_what_two_meshes_cannot_have_is_refused(entries, problem):
    given = described(CUBE)
    given["contacts"]["pair"] |= entries
    with pytest.raises(ts.ModelError, match=problem):
        ts.load(given)


def test_a_mode_of_a_mesh_cannot_be_kept_but_open():
    model = ts.load(described(CUBE))
    assert ts.in_mode(model, {"pair.1": "open"}).contacts == {}
    with pytest.raises(ts.ModelError, match="smooth gaps"):
        ts.in_mode(model, {"pair.1": "stick"})


def test_a_run_shows_both_meshes_and_where_they_press(tmp_path):
    run = moved(cube(), 0.05, {"fb_z": 0.1})
    seen = movement(run)
    pressed = seen.touches
    assert pressed.normal.sum(axis=0) / len(run.t) == pytest.approx([0, 0, G], rel=1e-9)
    assert pressed.places[:, 2] == pytest.approx(0.05, abs=1e-12)
    solids = scene(seen).parts
    assert all(
        any(isinstance(x, MeshPart) and len(x.faces) == 6 for x in solids[b]) for b in solids
    )
