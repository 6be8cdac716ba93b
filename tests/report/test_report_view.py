"""The animation: one file that needs nothing, in which everything is where the dynamics put it."""

import base64
import json
import re
import shutil
import subprocess
from dataclasses import replace
from importlib.resources import files
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from old_files import save_as_first_version
from scipy.spatial.transform import Rotation

import torseur as ts
from torseur.cli.main import commands
from torseur.model.joints.catalogue import JOINTS
from torseur.model.joints.defined import Defined
from torseur.model.joints.library import Distance, Screw
from torseur.model.mass.solids import SOLIDS
from torseur.named_words import report_words
from torseur.report.scene.movement_sources import movement
from torseur.report.scene.scene_solids import MeshPart, covers
from torseur.report.scene.shape_solids import shape_solid
from torseur.report.viewer.embedded import document, embedded, steps
from torseur.spatial import quaternion

MODELS = Path(__file__).parents[1] / "models"
ASSETS = Path(ts.__file__).parent / "report" / "viewer" / "assets"
BAR = {"mass": 1.2, "centre": [0.1, 0.02, 0], "inertia": [0.01, 0.02, 0.025]}
FOUR_BAR = {
    "name": "four-bar",
    "description": "A crank, a coupler and a rocker.",
    "gravity": [0, -9.81, 0],
    "bodies": {"crank": BAR, "coupler": BAR, "rocker": BAR},
    "joints": {
        "A": {"type": "pivot", "bodies": ["ground", "crank"], "axis": "z", "coordinate": "a"},
        "B": {"type": "pivot", "bodies": ["crank", "coupler"], "axis": "z",
              "point": [[0.2, 0, 0], [0, 0, 0]], "coordinate": "b"},
        "C": {"type": "pivot", "bodies": ["coupler", "rocker"], "axis": "z",
              "point": [[0.5, 0, 0], [0.4, 0, 0]], "coordinate": "c"},
        "D": {"type": "pivot", "bodies": ["ground", "rocker"], "axis": "z",
              "point": [[0.5, 0, 0], [0, 0, 0]], "coordinate": "d"},
    },
    "points": {"middle": ["coupler", [0.25, 0.1, 0]]},
    "initial": {"a": 1.0, "b": -0.5, "c": 1.0},
}  # fmt: skip
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed")
EVIL = "</script><script>alert('&')</script>"


@pytest.fixture(scope="module")
def run():
    return ts.simulate(ts.load(FOUR_BAR), 0.2, rate=50)


@pytest.fixture(scope="module")
def page(run, tmp_path_factory):
    return ts.view(run, tmp_path_factory.mktemp("page") / "run.html").read_text(encoding="utf-8")


def numbers(text, kind="<f4"):
    return np.frombuffer(base64.b64decode(text), dtype=kind).astype(float)


def data_of(html):
    """What the page carries, as a browser would read it."""
    return json.loads(re.search(r'id="movement">(.*?)</script>', html, re.S).group(1))


def place(data, sample, body, point):
    """A point of a body in the ground, from the poses of the page."""
    if body == 0:
        return np.array(point)
    count = len(data["bodies"]) - 1
    pose = numbers(data["poses"]).reshape(-1, count, 7)[sample, body - 1]
    return pose[:3] + Rotation.from_quat(pose[3:]).apply(point)


# --- the file -----------------------------------------------------------------------------------


def test_the_page_needs_no_network_and_no_other_file(page):
    for forbidden in ("http", " src=", "<link", "@import", "url(", "import("):
        assert forbidden not in page
    assert page.count("<canvas") == 1
    assert "prefers-color-scheme: dark" in page
    assert "width=device-width" in page


def test_every_body_joint_point_and_curve_is_on_the_page(page, run):
    data = data_of(page)
    assert [body["name"] for body in data["bodies"]] == ["ground", "crank", "coupler", "rocker"]
    assert [joint["name"] for joint in data["joints"]] == ["A", "B", "C", "D"]
    assert all(joint["type"] == "revolute" for joint in data["joints"])
    assert [point["name"] for point in data["points"]] == ["middle"]
    lines = {line["name"] for panel in data["curves"] for line in panel["lines"]}
    assert {*run.names, *run.energy, "A", "D"} <= lines
    assert "A crank, a coupler and a rocker." in page


def test_names_of_the_user_are_text_and_nothing_else():
    arm = ts.load("RZ(q1), TXK(L1), RZ(q2), TXK(L2);", masses="lever")
    joints = {EVIL: replace(arm.joints["1"], name=EVIL), "2": arm.joints["2"]}
    found = movement(replace(arm, name=EVIL, joints=joints))
    assert "<" not in embedded(found)
    assert document(found)["joints"][0]["name"] == EVIL


def test_the_page_speaks_french(run, tmp_path):
    html = ts.view(run, tmp_path / "run.html", lang="fr").read_text(encoding="utf-8")
    assert '<html lang="fr">' in html
    assert "trajectoires" in html
    assert '"energies": "énergies"' in html
    shown = document(movement(run), report_words("fr"))
    panels = {x["title"]: [line["name"] for line in x["lines"]] for x in shown["curves"]}
    assert {*panels["energies"]} == {"cinétique", "potentielle", "travail", "totale"}
    assert not [x for x in shown["offered"] if re.search("velocity|acceleration", x["name"])]


def test_a_page_of_a_mechanism_has_its_equations_and_its_script(tmp_path):
    model = ts.load(MODELS / "slider_crank.yaml")
    html = ts.view(model, tmp_path / "model.html").read_text(encoding="utf-8")
    assert "<math" in html
    assert "http" not in html
    assert "1 degree of freedom" in html


def test_equations_too_long_to_be_read_are_left_out(tmp_path):
    chain = ts.load(", ".join(f"RX(q{k}), TZK(L{k})" for k in range(1, 9)) + ";")
    html = ts.view(chain, tmp_path / "chain.html").read_text(encoding="utf-8")
    assert "<math" not in html
    assert "The equations of its 8 speeds are too long for this page" in html


# --- poses --------------------------------------------------------------------------------------


def test_the_points_of_the_page_are_where_the_run_has_them(page, run):
    data = data_of(page)
    times = numbers(data["s"], "<f8")
    np.testing.assert_array_equal(times, run.t)
    (point,) = data["points"]
    seen = [place(data, k, point["body"], point["at"]) for k in range(len(times))]
    np.testing.assert_allclose(seen, run.point("middle"), atol=2e-6)  # six figures are written


def test_every_joint_of_a_closed_mechanism_stays_closed_on_the_page(page):
    data = data_of(page)
    for sample in (0, 5, 10):
        for joint in data["joints"]:
            first, second = joint["bodies"]
            origin, _ = FOUR_BAR["joints"][joint["name"]].get("point", ([0, 0, 0], None))
            on_first = place(data, sample, first, origin)
            assert place(data, sample, second, joint["at"]) == pytest.approx(on_first, abs=2e-6)


def test_the_arrows_are_the_reactions_of_the_run(page, run):
    for joint in data_of(page)["joints"]:
        force = numbers(joint["force"]).reshape(-1, 3)
        expected = run.reaction(joint["name"])[:, :3]
        np.testing.assert_allclose(force, expected, rtol=1e-6, atol=1e-5)


def test_reactions_are_left_out_when_they_are_refused(run, tmp_path):
    html = ts.view(run, tmp_path / "run.html", reactions=False).read_text(encoding="utf-8")
    assert all(joint["force"] is None for joint in data_of(html)["joints"])


def test_the_path_of_a_slider_crank_is_the_closed_form():
    model = ts.load(MODELS / "slider_crank.yaml")
    found = movement(model)
    l1, l2 = model.parameters["l1"], model.parameters["l2"]
    alpha = found.axis.values
    assert found.axis.name == "alpha"
    assert alpha[-1] - alpha[0] == pytest.approx(2 * np.pi, abs=0.05)
    x = l1 * np.cos(alpha) + np.sqrt(l2**2 - (l1 * np.sin(alpha)) ** 2)
    _, p = found.frames["piston"]
    np.testing.assert_allclose(p[:, 0], x, atol=1e-10)
    np.testing.assert_allclose(p[:, 1:], 0, atol=1e-10)


def test_a_mechanism_with_several_motions_is_shown_assembled():
    five = {**FOUR_BAR, "bodies": {**FOUR_BAR["bodies"], "more": BAR}}
    five["joints"] = {
        **FOUR_BAR["joints"],
        "C": {**FOUR_BAR["joints"]["C"], "bodies": ["coupler", "more"]},
        "E": {"type": "pivot", "bodies": ["more", "rocker"], "axis": "z",
              "point": [[0.1, 0, 0], [0.4, 0, 0]], "coordinate": "e"},
    }  # fmt: skip
    found = movement(ts.load(five))
    assert len(found.q) == 1
    assert document(found)["tree"] is None


def test_long_runs_keep_their_ends_and_lose_only_samples_between():
    long = ts.simulate(ts.load(MODELS / "cart_pendulum.yaml"), 0.5, rate=10_000)
    found = movement(long, reactions=False)
    assert len(found.q) == 2000
    assert (found.axis.values[0], found.axis.values[-1]) == (0.0, 0.5)


def test_springs_and_dampers_between_the_same_ends_are_drawn_side_by_side():
    data = document(movement(ts.load(MODELS / "cart_pendulum.yaml")))
    assert {tie["name"]: tie["style"] for tie in data["ties"]} == {
        "spring": "spring", "damper": "damper"
    }  # fmt: skip
    assert sorted(tie["shift"] for tie in data["ties"]) == [-0.5, 0.5]


# --- files --------------------------------------------------------------------------------------


def test_a_saved_run_is_animated_from_its_file_alone(run, tmp_path):
    run.save(tmp_path / "run.nc")
    saved = movement(ts.load_run(tmp_path / "run.nc"))
    for body, (R, p) in movement(run, reactions=False).frames.items():
        np.testing.assert_allclose(saved.frames[body][0], R, atol=1e-12)
        np.testing.assert_allclose(saved.frames[body][1], p, atol=1e-12)
    html = ts.view(ts.load_run(tmp_path / "run.nc"), tmp_path / "run.html").read_text("utf-8")
    assert [point["name"] for point in data_of(html)["points"]] == ["middle"]


def test_what_is_drawn_survives_a_file(tmp_path):
    """Shapes, springs and screws come back from the file as they were."""
    model = ts.load({
        "gravity": [0, 0, -9.81],
        "parameters": {"r": 0.1},
        "bodies": {
            "nut": {"mass": 1, "shape": {"cylinder": {"radius": "r", "length": "2*r"}}},
            "block": {"mass": 2, "shape": {"box": {"size": ["r", "r", "3*r"]}}},
        },
        "joints": {
            "thread": {"type": "screw", "bodies": ["ground", "nut"], "axis": "z", "pitch": "r"},
            "slide": {"type": "prismatic", "bodies": ["nut", "block"], "axis": "x"},
        },
        "forces": {"s": {"type": "spring", "stiffness": 50, "length": 0.1,
                         "between": [["nut", [0, 0, 0]], ["block", [0, 0, "r"]]]}},
    })  # fmt: skip
    run = ts.simulate(model, 0.1)
    run.save(tmp_path / "run.nc")
    fresh, saved = (document(movement(x)) for x in (run, ts.load_run(tmp_path / "run.nc")))
    for key in ("bodies", "ties", "poses", "unit", "gravity"):
        assert fresh[key] == saved[key], key


def test_a_joint_defined_by_expressions_survives_a_file(tmp_path):
    model = ts.load({
        "gravity": [0, 0, -9.81],
        "parameters": {"l": 0.7, "k": 0.3},
        "bodies": {"bob": {"mass": 1}},
        "joints": {"wire": {
            "type": "defined", "bodies": ["ground", "bob"], "coordinates": ["x", "phi"],
            "position": ["x", "l*sin(phi)", "k*x^2 - l*cos(phi)"], "rotation": [{"z": "phi/3"}],
        }},
        "initial": {"x": 0.2, "phi": 0.4},
    })  # fmt: skip
    run = ts.simulate(model, 0.2)
    run.save(tmp_path / "run.nc")
    fresh, saved = (movement(x).frames["bob"] for x in (run, ts.load_run(tmp_path / "run.nc")))
    np.testing.assert_allclose(saved[0], fresh[0], atol=1e-14)
    np.testing.assert_allclose(saved[1], fresh[1], atol=1e-14)
    x, phi = run["x"], run["phi"]
    np.testing.assert_allclose(saved[1][:, 2], 0.3 * x**2 - 0.7 * np.cos(phi), atol=1e-14)


def test_a_rolling_wheel_is_drawn_on_its_plane_with_its_radius(tmp_path):
    model = ts.load({
        "gravity": [0, 0, -9.81],
        "bodies": {"wheel": {"mass": 1, "inertia": [0.01, 0.02, 0.01]}},
        "joints": {"plane": {"type": "planar", "bodies": ["ground", "wheel"], "normal": "y",
                             "coordinates": ["z", "x", "turn"]}},
        "constraints": {"road": {"type": "rolling", "bodies": ["ground", "wheel"], "normal": "z",
                                 "shape": "line", "radius": 0.3, "along": "x"}},
        "initial": {"z": 0.3, "x.": 1},
    })  # fmt: skip
    run = ts.simulate(model, 0.5)
    run.save(tmp_path / "run.nc")
    for subject in (run, ts.load_run(tmp_path / "run.nc")):
        ground, wheel = document(movement(subject))["bodies"]
        (rim,) = (part for part in wheel["parts"] if part["kind"] == "cylinder")
        assert rim["radius"] == 0.3
        assert rim["axis"] == [0, 1, 0]
        (plane,) = (part for part in ground["parts"] if part["kind"] == "path")
        corners = np.array(plane["points"])
        np.testing.assert_array_equal(corners[:, 2], 0)
        assert corners[:, 0].min() < 0 < 0.5 < corners[:, 0].max()  # as long as its way


def test_a_file_without_its_mechanism_asks_for_it(run, tmp_path):
    path = tmp_path / "old.nc"
    save_as_first_version(run, path)
    saved = ts.load_run(path)
    with pytest.raises(ts.ModelError, match=r"does not contain the mechanism.*\n.*--model"):
        ts.view(saved, tmp_path / "page.html")
    ts.view(saved, tmp_path / "page.html", model=ts.load(FOUR_BAR))
    assert (tmp_path / "page.html").exists()
    with pytest.raises(ts.ModelError, match='no coordinate "x" of "cart-pendulum"'):
        ts.view(saved, tmp_path / "x.html", model=ts.load(MODELS / "cart_pendulum.yaml"))


def test_only_runs_and_mechanisms_can_be_shown(tmp_path):
    with pytest.raises(ts.ModelError, match=r"the argument \"subject\" is 3 \(int\)"):
        ts.view(3, tmp_path / "x.html")


def test_the_command_line_plots_and_animates(tmp_path):
    model, run, page, picture = (
        str(x) for x in (MODELS / "slider_crank.yaml", tmp_path / "run.nc", tmp_path / "run.html",
                         tmp_path / "run.svg")
    )  # fmt: skip
    shell = CliRunner()
    told = shell.invoke(commands, ["simulate", model, "--duration", "0.1", "-o", run, "--plot",
                                   picture, "--of", "x, O.force", "--view", page])  # fmt: skip
    assert told.exit_code == 0, told.output
    assert data_of(Path(page).read_text("utf-8"))["joints"][0]["force"]
    assert "<svg" in Path(picture).read_text("utf-8")
    again = str(tmp_path / "again.html")
    told = shell.invoke(commands, ["view", run, "-o", again, "--json"])
    assert json.loads(told.output) == {"page": again}
    assert data_of(Path(again).read_text("utf-8"))["name"] == "slider-crank"
    wrong = shell.invoke(commands, ["view", model, "--model", model])
    assert "is not a run" in str(wrong.exception)
    wrong = shell.invoke(commands, ["simulate", model, "--duration", "1", "--plot", "x.gif"])
    assert "Endings: .png, .svg, .pdf." in str(wrong.exception)


# --- joints and shapes --------------------------------------------------------------------------


def repeated(kind, q):
    """The pose of M in F from the elementary motions that the page repeats."""
    R, p = np.eye(3), np.zeros(3)
    for what, axis, k, factor in steps(kind):
        if what == "t":
            p = p + R @ (factor * q[k] * np.eye(3)[axis])
        elif what == "r":
            R = R @ Rotation.from_rotvec(factor * q[k] * np.eye(3)[axis]).as_matrix()
        else:
            R = R @ quaternion.matrix(q[k : k + 4])
    return R, p


@pytest.mark.parametrize("kind", JOINTS, ids=lambda kind: kind.__name__)
def test_the_elementary_motions_of_a_joint_make_its_pose(kind):
    if kind in (Distance, Defined):
        return
    joint = Screw(lead=0.3) if kind is Screw else kind()
    rng = np.random.default_rng(3)
    q = rng.normal(size=joint.nq)
    if joint.turning:
        q[-4:] /= np.linalg.norm(q[-4:])
    X = joint.transform(q)
    R, p = repeated(joint, q)
    np.testing.assert_allclose(R, X.R.matrix, atol=1e-12)
    np.testing.assert_allclose(p, X.p, atol=1e-12)


@needs_node
def test_the_script_of_the_page_is_javascript(page, tmp_path):
    script = re.search(r"<script>(.*?)</script>", page, re.S).group(1)
    (tmp_path / "page.js").write_text(script, encoding="utf-8")
    subprocess.run(["node", "--check", str(tmp_path / "page.js")], check=True)


@needs_node
def test_the_sliders_of_the_page_move_the_bodies_as_the_dynamics_do(tmp_path):
    arm = ts.load("RZ(q1), TXK(0.3), RXK(40deg), TZ(d), TYK(0.2), RY(q3), TZK(0.1), RX(q4);")
    data = document(movement(arm))
    q = np.array([0.4, -0.2, 1.1, 0.7])
    values = [{"q": [x], "turn": [0, 0, 0]} for x in q]
    code = "\n".join((ASSETS / name).read_text("utf-8") for name in ("space.js", "tree.js"))
    code += f"\nconst tree = {json.dumps(data['tree'])}, values = {json.dumps(values)};"
    code += f"\nconsole.log(JSON.stringify(treePoses(tree, values, {len(data['bodies'])})));"
    (tmp_path / "tree.js").write_text(code, encoding="utf-8")
    answer = subprocess.run(
        ["node", str(tmp_path / "tree.js")], capture_output=True, text=True, check=True
    )
    found = movement(arm)
    frames = replace(found, q=q[None]).frames
    for name, pose in zip(frames, json.loads(answer.stdout), strict=True):
        R, p = frames[name]
        np.testing.assert_allclose(pose[:3], p[0], atol=1e-5)
        np.testing.assert_allclose(Rotation.from_quat(pose[3:]).as_matrix(), R[0], atol=1e-5)


def goes_far(data, folder):
    """Whether the camera of a page that carries these data follows what moves."""
    page = {"textContent": json.dumps(data)}
    found = f"getElementById: () => ({json.dumps(page)}), querySelector: () => null"
    scripts = ("data", "space", "tree", "motion")
    code = f"const document = {{ {found} }};\n"
    code += "\n".join((ASSETS / f"{x}.js").read_text("utf-8") for x in scripts)
    (folder / "far.js").write_text(f"{code}\nconsole.log(travels);", encoding="utf-8")
    command = ["node", str(folder / "far.js")]
    told = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(told.stdout)


@needs_node
@pytest.mark.parametrize(
    ("name", "duration", "far"),
    [
        ("cartesian_pendulum", 1.0, False),
        ("spherical_pendulum", 1.0, False),
        ("coulomb_oscillator", 20.0, False),
        ("bouncing_ball", 1.0, False),
        ("dumbbell_satellite", 6.0, True),
        ("ball_sliding_to_rolling", 1.0, True),
    ],
)
def test_the_camera_follows_what_would_be_too_small_and_never_leaves_a_pivot_out(
    name, duration, far, tmp_path
):
    model = ts.load(files("torseur.examples") / f"{name}.yaml")
    data = document(movement(ts.simulate(model, duration, rate=50), reactions=False))
    assert goes_far(data, tmp_path) == far


@needs_node
def test_the_picture_fits_into_a_window_of_any_size(tmp_path):
    """No radius is negative, and what is seen stays inside: a ball of radius 2 about (1, 0, 0)."""
    code = (
        (ASSETS / "space.js").read_text("utf-8")
        + """
const camera = new Camera({ up: [0, 0, 1], first: [1, 0, 0], azimuth: 0.3, elevation: 0.2 });
const found = [];
for (const width of [0, 1, 40, 300, 2000]) for (const height of [0, 1, 60, 97, 300, 2000]) {
  camera.fit([[[1, 0, 0], 2]], width, height, Math.min(48, 0.08 * width));
  const [x, y] = camera.at([1, 0, 0]), r = 2 * camera.scale;
  const inside = x - r >= -1e-9 && x + r <= width + 1e-9 && y - r >= -1e-9;
  found.push({ width, height, r, inside });
}
console.log(JSON.stringify(found));"""
    )
    (tmp_path / "fit.js").write_text(code, encoding="utf-8")
    command = ["node", str(tmp_path / "fit.js")]
    told = subprocess.run(command, capture_output=True, text=True, check=True)
    for one in json.loads(told.stdout):
        assert one["inside"], one
        assert (one["r"] > 0) == (one["width"] > 0 and one["height"] > 0), one


@needs_node
def test_no_two_of_many_curves_look_alike(tmp_path):
    """Eight colours, then the same in dashes; the legend shows both."""
    code = (ASSETS / "plots.js").read_text("utf-8")
    asked = "[...Array(32).keys()].map((k) => [strokeOf(k), swatch(k)])"
    (tmp_path / "curves.js").write_text(f"{code}\nconsole.log(JSON.stringify({asked}));", "utf-8")
    command = ["node", str(tmp_path / "curves.js")]
    told = subprocess.run(command, capture_output=True, text=True, check=True)
    found = json.loads(told.stdout)
    strokes = {json.dumps(stroke, sort_keys=True) for stroke, _ in found}
    assert len(strokes) == len({shown for _, shown in found}) == 32
    assert [stroke["dash"] for stroke, _ in found[:8]] == [[]] * 8
    assert found[9][1].startswith("repeating-linear-gradient(90deg, var(--line-1) 0px 7px, ")


@needs_node
def test_bodies_of_many_faces_do_not_stop_the_page(tmp_path):
    model = ts.load(files("torseur.examples") / "compound_pendulum.yaml")
    data = document(movement(ts.simulate(model, 1.0, rate=100), reactions=False))
    corners = np.random.default_rng(4).normal(size=(4000, 3)).tolist()
    data["bodies"][1]["parts"].append({"kind": "mesh", "vertices": corners})
    assert not goes_far(data, tmp_path)


def polygon(sides):
    """The area of a regular polygon over that of its circle."""
    return sides / (2 * np.pi) * np.sin(2 * np.pi / sides)


@pytest.mark.parametrize("axis", "xyz")
@pytest.mark.parametrize(
    ("name", "dimensions", "share"),
    [
        ("box", {"size": [1, 2, 3]}, 1.0),
        ("hollow_cylinder", {"inner_radius": 0.5, "outer_radius": 1, "length": 2}, polygon(48)),
        ("torus", {"minor_radius": 0.3, "major_radius": 1}, polygon(48) * polygon(12)),
        ("cone", {"radius": 1, "height": 2}, polygon(48)),
    ],
)
def test_a_drawn_solid_has_its_volume_and_its_centre(name, dimensions, share, axis):
    """By the divergence theorem, which also holds the faces to look outwards."""
    solid, centre = SOLIDS[name], np.array([1.0, 2.0, 3.0])
    given = dimensions | ({solid.directed_by: axis} if solid.directed_by else {})
    mesh = shape_solid((name, given), centre, 0.01)
    assert isinstance(mesh, MeshPart)
    volume, moment = 0.0, np.zeros(3)
    for face in mesh.faces:
        a, *others = mesh.vertices[list(face)]
        for b, c in pairwise(others):
            part = a @ np.cross(b, c) / 6
            volume += part
            moment += part * (a + b + c) / 4
    assert volume == pytest.approx(share * solid.geometry(**dimensions).measure)
    np.testing.assert_allclose(moment / volume, centre, atol=1e-12)


@pytest.mark.parametrize("name", SOLIDS)
def test_every_solid_of_the_catalogue_is_drawn_around_its_centre(name):
    sizes = {"size": [0.2] * SOLIDS[name].components, "inner_radius": 0.1, "minor_radius": 0.1}
    given = {key: sizes.get(key, 0.3) for key in SOLIDS[name].parameters}
    parts = [shape_solid((name, given), np.array([1.0, 0.0, 0.0]), 0.01)]
    assert covers(parts, np.array([1.0, 0.0, 0.0]))
    assert not covers(parts, np.zeros(3))


def test_every_word_of_the_page_exists():
    text = (ASSETS / "viewer.html.jinja").read_text("utf-8")
    used = set(re.findall(r"words\[['\"]([^'\"]+)['\"]\]", text))
    assert used <= set(report_words("en"))
