"""The joint graph as a picture: every body, every joint with its freedoms, loops dashed."""

from pathlib import Path
from xml.etree import ElementTree

from torseur.language.load import load
from torseur.report.drawing.joint_graph import edges, graph_svg, graph_tikz

CRANK = Path(__file__).parent / "models" / "slider_crank.yaml"
SVG = "{http://www.w3.org/2000/svg}"


def test_the_graph_shows_every_body_and_every_joint_with_its_freedoms():
    picture = ElementTree.fromstring(graph_svg(load(CRANK)))
    texts = [text.text for text in picture.iter(f"{SVG}text")]
    assert {"ground", "crank", "rod", "piston"} <= set(texts)
    assert "P: prismatic (1)" in texts
    assert len(list(picture.iter(f"{SVG}path"))) == 4


def test_only_the_joint_that_closes_the_loop_is_dashed():
    model = load(CRANK)
    assert [edge.name for edge in edges(model) if edge.closing] == ["B"]
    assert graph_svg(model).count('class="closing"') == 1
    assert graph_tikz(model).count(r"\draw[dashed]") == 1


def test_joints_between_the_same_bodies_are_bent_apart():
    free = {"type": "glissiere", "bodies": ["ground", "a"], "axis": "x"}
    model = load({"bodies": {"a": {"mass": 1}}, "joints": {"P": free, "Q": free | {"axis": "y"}}})
    assert len({edge.bend for edge in edges(model)}) == 2


def test_names_cannot_break_the_picture():
    joint = {"type": "pivot", "bodies": ["ground", "<b>&"], "axis": "z"}
    model = load({"bodies": {"<b>&": {"mass": 1}}, "joints": {"A": joint}})
    ElementTree.fromstring(graph_svg(model))
    assert "<b>&" not in graph_svg(model)
    assert r"\&" in graph_tikz(model)
