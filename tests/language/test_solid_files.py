"""Bodies whose mass data come from files of solids: STL, OBJ and STEP, against closed forms."""

import numpy as np
import pytest

import torseur as ts
from torseur.errors import ModelError

CORNERS = [(x, y, z) for x in (0, 100) for y in (0, 200) for z in (0, 300)]
FACES = ("1 2 4 3", "5 7 8 6", "1 5 6 2", "3 4 8 7", "1 3 7 5", "2 6 8 4")
MOMENTS = 46.8 / 12 * np.array([0.2**2 + 0.3**2, 0.1**2 + 0.3**2, 0.1**2 + 0.2**2])


@pytest.fixture
def box(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = [*(f"v {x} {y} {z}" for x, y, z in CORNERS), *(f"f {face}" for face in FACES)]
    (tmp_path / "box.obj").write_text("\n".join(lines))
    return tmp_path / "box.obj"


def arm(shape, **amount):
    """A mechanism of one body with a shape."""
    pivot = {"type": "pivot", "axis": "z", "bodies": ["ground", "arm"]}
    return ts.load({
        "parameters": {"rho": {"value": 7800, "unit": "kg/m^3"}},
        "bodies": {"arm": {"shape": shape, **amount}},
        "joints": {"O": pivot},
    })  # fmt: skip


def test_a_box_in_a_file_is_a_box_in_the_library_and_in_a_description(box):
    solid = ts.mass.from_file("box.obj", density=7800, scale=1e-3)
    assert solid.mass == pytest.approx(46.8, rel=1e-12)
    np.testing.assert_allclose(np.diag(solid.inertia), MOMENTS, rtol=1e-12)
    mesh = {"mesh": {"file": "box.obj", "scale": 1e-3}}
    for amount in ({"density": "rho"}, {"mass": "46.8 kg"}):
        compiled = ts.compile(arm(mesh, **amount))
        about_z = MOMENTS[2] + 46.8 * (0.05**2 + 0.1**2)  # Huygens
        assert compiled.mass_matrix([0.0])[0, 0] == pytest.approx(about_z, rel=1e-12)
    assert arm(mesh, density="rho").bodies["arm"].meshes[0].file == "box.obj"


def test_files_that_give_no_mass_are_refused_with_the_reason(box):
    for shape, problem in (
        ({"mesh": {"file": "no.obj"}}, "does not exist"),
        ({"step": {"file": "box.obj"}}, "is no file of the kind step"),
        ({"mesh": {"scale": 1}}, 'the entry "file" is missing'),
        ({"mesh": {"file": "box.obj", "scale": "rho"}}, "scale"),
    ):
        with pytest.raises(ModelError, match=problem):
            arm(shape, density=1)
    with pytest.raises(ModelError, match="neither mass nor density"):
        arm({"mesh": {"file": "box.obj"}})
    with pytest.raises(ModelError, match="a STEP file states its unit"):
        ts.mass.from_file("box.step", density=1, scale=1e-3)


def test_a_cylinder_in_a_step_file_has_its_exact_inertia(tmp_path):
    pytest.importorskip("OCP")
    from OCP.BRepPrimAPI import BRepPrimAPI_MakeCylinder
    from OCP.STEPControl import STEPControl_StepModelType, STEPControl_Writer

    writer, path = STEPControl_Writer(), tmp_path / "cylinder.step"
    solid = BRepPrimAPI_MakeCylinder(50, 200).Shape()
    writer.Transfer(solid, STEPControl_StepModelType.STEPControl_AsIs)
    writer.Write(str(path))
    steel = ts.mass.from_file(path, density=7800)
    m = 7800 * np.pi * 0.05**2 * 0.2
    assert steel.mass == pytest.approx(m, rel=1e-9)
    np.testing.assert_allclose(steel.centre, [0, 0, 0.1], atol=1e-12)
    across, along = m * (3 * 0.05**2 + 0.2**2) / 12, m * 0.05**2 / 2
    np.testing.assert_allclose(np.diag(steel.inertia), [across, across, along], rtol=1e-9)
    (tmp_path / "bad.step").write_text("no step")
    with pytest.raises(ModelError, match="is not a STEP file"):
        ts.mass.from_file(tmp_path / "bad.step", density=1)
