"""Closed mechanisms on paper: assembled, every joint drawn, the equations of their loops."""

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest
from written_text import drawing, page

import torseur as ts
from torseur.report.scene.camera import angles, camera, cameras
from torseur.report.scene.geometry import geometry
from torseur.report.scene.movement_sources import still

MODELS = Path(__file__).parents[1] / "models"
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def slider_crank():
    return ts.load(MODELS / "slider_crank.yaml")


def labels(svg):
    found = ET.fromstring(svg).iter(f"{SVG}text")
    return {"".join(text.itertext()).replace("\u200b", "") for text in found}


def words(html):
    body = ET.fromstring(html).find("body")
    return re.sub("[\u200b\u2061-\u2064]", "", " ".join("".join(body.itertext()).split()))


def ends(found, joint):
    """The origins of both frames of a joint in every pose."""
    return found.way(joint.first, joint.X_AF.p), found.way(joint.second, joint.X_BM.p)


def gaps(found):
    """How far the frames of the closing joints are from each other."""
    closing = [found.geometry.numeric.joints[cut.name] for cut in found.geometry.structure.cuts]
    assert closing
    return [np.linalg.norm(M - F, axis=1).max() for F, M in (ends(found, x) for x in closing)]


def test_a_closed_mechanism_is_drawn_assembled_whatever_the_pose(slider_crank):
    found = still(geometry(slider_crank))
    assert len(found.q) > 1
    assert max(gaps(found)) < 1e-11


def test_the_joints_that_close_loops_have_their_symbols_and_labels(slider_crank):
    svg = drawing(slider_crank)
    assert {"α", "β", "ψ", "x"} <= labels(svg)
    assert svg.count('class="line joint-cap"') == 3  # the three pivots


def test_a_coordinate_that_is_asked_for_is_kept_and_the_rest_is_assembled(slider_crank):
    found = still(geometry(slider_crank), {"alpha": 1.0})
    l1, l2 = slider_crank.parameters["l1"], slider_crank.parameters["l2"]
    _, (piston,) = ends(found, found.geometry.numeric.joints["P"])
    expected = l1 * np.cos(1.0) + np.sqrt(l2**2 - (l1 * np.sin(1.0)) ** 2)
    assert piston == pytest.approx([expected, 0, 0], abs=1e-11)
    with pytest.raises(ts.ModelError, match='coordinate "psi" does not exist'):
        drawing(slider_crank, {"psi": 0.0})


def test_lengths_that_cannot_close_the_loop_are_told(slider_crank):
    with pytest.raises(ts.SolveError, match="stays open"):
        drawing(slider_crank, {"alpha": 1.57}, {"l2": 0.05})


def test_the_page_shows_the_equations_of_the_loops(slider_crank):
    text = words(page(slider_crank))
    assert "3 bodies linked by 4 joints: 1 degree of freedom." in text
    assert "Loop equations" in text
    assert "B (1–5)" in text  # joint B closes the loop with five rows
    for formula in ("J33=1", "γ", "Jkiλk", "+γk=0"):
        assert formula in text


def test_the_page_of_the_vector_form_has_the_multipliers_too(slider_crank):
    text = words(page(slider_crank, formalism="newton-euler"))
    assert "M(q)a+h(q,v)+g(q)=Q+JTλ" in text
    assert "Ja+γ=0" in text


def test_the_french_page_speaks_of_closure(slider_crank):
    assert "Équations de fermeture" in words(page(slider_crank, lang="fr"))


def test_a_tree_has_no_loop_equations():
    text = words(page(ts.load("RZ(q1), TXK(L1), RZ(q2), TXK(L2);", masses="lever")))
    assert "Loop equations" not in text
    assert "λ" not in text


def test_a_plane_mechanism_without_gravity_stands_upright_on_the_page(slider_crank):
    assert geometry(slider_crank).up == pytest.approx([0, 1, 0])


def test_the_angles_of_a_camera_give_the_camera():
    up = np.array([0.0, 0.6, 0.8])
    for view in cameras(up):
        _, azimuth, elevation = angles(view, up)
        assert camera(up, azimuth, elevation).reader == pytest.approx(view.reader, abs=1e-12)
