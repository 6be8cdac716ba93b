"""Robots are drawn with the solids and surfaces that their files give them."""

import numpy as np
import pytest
from robot_texts import ARM

import torseur as ts
from torseur.report.scene.body_looks import coarse
from torseur.report.scene.movement_sources import movement
from torseur.report.scene.scene import scene
from torseur.report.scene.scene_solids import BallPart, CylinderPart, MeshPart
from torseur.spatial.hulls import Triangles

SOLIDS = """<visual><origin xyz="0 0 0.1" rpy="0 1.5707963267948966 0"/><geometry>
  <cylinder radius="0.03" length="0.2"/></geometry></visual>
  <visual><geometry><sphere radius="0.05"/></geometry></visual>
  <visual><geometry><box size="0.1 0.2 0.3"/></geometry></visual>
  <visual><geometry><sphere radius="0"/></geometry></visual>"""
SDF = """<sdf version="1.9"><model name="m"><link name="a">
  <visual name="v"><pose>0 0 1 0 0 0</pose><geometry><sphere><radius>0.2</radius></sphere>
  </geometry></visual>
</link></model></sdf>"""
CUBE = (
    "\n".join(f"v {x} {y} {z}" for z in (0, 1) for y in (0, 1) for x in (0, 1))
    + """
f 1 3 4 2
f 5 6 8 7
f 1 2 6 5
f 3 7 8 4
f 1 5 7 3
f 2 4 8 6
"""
)


@pytest.fixture
def arm(tmp_path):
    path = tmp_path / "arm.urdf"
    shown = ARM.replace('<link name="flange"/>', f'<link name="flange">{SOLIDS}</link>')
    path.write_text(shown.replace("package://arm/meshes/upper.stl", "upper.obj"), encoding="utf-8")
    (tmp_path / "upper.obj").write_text(CUBE, encoding="utf-8")
    return ts.load(path)


def parts(mechanism, body):
    return scene(movement(mechanism)).parts[body]


def test_plain_solids_of_a_urdf_are_drawn_where_they_are(arm):
    found = parts(arm, "flange")
    (cylinder,) = [x for x in found if isinstance(x, CylinderPart) and x.radius == 0.03]
    assert cylinder.centre == pytest.approx([0, 0, 0.1]) and cylinder.half == 0.1
    assert cylinder.axis == pytest.approx([1, 0, 0])
    assert [x.radius for x in found if isinstance(x, BallPart)] == [0.05]
    boxes = [x for x in found if isinstance(x, MeshPart) and len(x.vertices) == 8]
    assert any(np.allclose(np.ptp(x.vertices, axis=0), [0.1, 0.2, 0.3]) for x in boxes)


def test_a_surface_in_a_file_is_drawn_with_its_scale(arm):
    (surface,) = [
        x for x in parts(arm, "upper-arm") if isinstance(x, MeshPart) and len(x.faces) == 12
    ]
    assert np.ptp(surface.vertices, axis=0) == pytest.approx([1, 1, 2])


def test_solids_are_kept_by_what_is_written(arm, tmp_path):
    for ending in (".yaml", ".urdf"):
        again = ts.load(arm.save(tmp_path / f"again{ending}"))
        assert [x.shape[0] for x in again.bodies["flange"].visuals] == ["cylinder", "sphere", "box"]
        assert str(again.bodies["flange"].visuals[0].pose.p[2]) == "1/10"


def test_plain_solids_of_an_sdf_are_read(tmp_path):
    (tmp_path / "m.sdf").write_text(SDF, encoding="utf-8")
    (visual,) = ts.load(tmp_path / "m.sdf").bodies["a"].visuals
    assert visual.shape[0] == "sphere" and str(visual.shape[1]["radius"]) == "1/5"
    assert visual.pose.p[2] == 1


MJCF = """<mujoco><compiler meshdir="files"/>
<asset><mesh name="cube" file="cube.obj" scale="1 1 2" refpos="0.1 0.2 0" refquat="0 0 0 1"/>
<material name="blue" rgba="0 0 1 1"/></asset>
<worldbody><geom type="plane" size="1 1 1"/><body name="b"><joint type="hinge"/>
<geom type="mesh" mesh="cube" pos="1 0 0" euler="90 20 0"/>
<geom type="capsule" fromto="0 0 0 0 0 1" size="0.1" material="blue"/>
<geom type="box" size="0.1 0.2 0.3" group="3"/><geom type="ellipsoid" size="0.1 0.2 0.3"/>
</body></worldbody></mujoco>"""


@pytest.fixture
def jointed(tmp_path):
    pytest.importorskip("mujoco")
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "cube.obj").write_text(CUBE, encoding="utf-8")
    (tmp_path / "m.xml").write_text(MJCF, encoding="utf-8")
    return tmp_path / "m.xml"


def test_a_surface_of_mjcf_is_drawn_where_mujoco_has_it(jointed):
    import mujoco

    theirs = mujoco.MjModel.from_xml_path(str(jointed))
    data = mujoco.MjData(theirs)
    mujoco.mj_kinematics(theirs, data)
    there = theirs.mesh_vert @ data.geom_xmat[1].reshape(3, 3).T + data.geom_xpos[1]
    (ours,) = [
        x for x in parts(ts.load(jointed), "b") if isinstance(x, MeshPart) and len(x.faces) == 12
    ]
    for x in ours.vertices:  # MuJoCo keeps points in single precision
        assert np.abs(there - x).max(axis=1).min() < 1e-6


def test_geometries_of_mjcf_that_are_not_drawn_are_told(jointed, tmp_path):
    m = ts.load(jointed)
    (visual,) = m.bodies["b"].visuals
    assert visual.shape[0] == "capsule" and str(visual.shape[1]["length"]) == "1"
    told = "Geometries that are not drawn: of the world (1), of hidden groups (1), ellipsoids (1)."
    assert told in m.notices
    assert "Colours, materials and textures are not read." in m.notices
    again = ts.load(m.save(tmp_path / "again.xml"))
    assert [x.shape[0] for x in again.bodies["b"].visuals] == ["capsule"]
    assert str(again.bodies["b"].visuals[0].pose.p[2]) == "1/2"
    assert "1 surface(s) in files" in (tmp_path / "again.xml").read_text(encoding="utf-8")


def test_a_surface_beside_a_robot_is_found_from_any_folder(arm, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path.parent)
    shown = ts.load(f"{tmp_path.name}/arm.urdf")
    assert any(isinstance(x, MeshPart) and len(x.faces) == 12 for x in parts(shown, "upper-arm"))


def test_a_coarse_surface_keeps_its_size_and_has_few_faces():
    n = 120
    u, v = np.meshgrid(np.linspace(0, 2 * np.pi, n), np.linspace(0, np.pi, n))
    points = np.stack([np.cos(u) * np.sin(v), np.sin(u) * np.sin(v), 3 * np.cos(v)], -1)
    at = np.arange(n * n).reshape(n, n)
    low, high = at[:-1, :-1].ravel(), at[1:, 1:].ravel()
    faces = np.concatenate([np.stack([low, at[1:, :-1].ravel(), high], 1),
                            np.stack([low, high, at[:-1, 1:].ravel()], 1)])  # fmt: skip
    found = coarse(Triangles(points.reshape(-1, 3), faces))
    assert len(found.faces) < 1000 < len(faces)
    sides = np.ptp(found.points[np.unique(found.faces)], axis=0)
    assert sides == pytest.approx([2, 2, 6], rel=0.2)


def test_a_visual_without_its_dimensions_is_refused():
    form = {
        "bodies": {"a": {"mass": 1, "visuals": [{"shape": {"sphere": {"size": 1}}}]}},
        "joints": {"A": {"type": "free", "bodies": ["ground", "a"]}},
    }
    with pytest.raises(ts.ModelError, match='"size" does not exist'):
        ts.load(form)
