"""The joint graph as a picture: every body, every joint with its freedoms, loops dashed."""

from itertools import combinations, pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest

import torseur
import torseur as ts
from torseur.language.load import load
from torseur.model.joints.catalogue import shown_name
from torseur.model.joints.surfaces import PointOnProfile
from torseur.report.drawing import graph_drawing as joint_graph
from torseur.report.drawing.graph_drawing import edges, graph, graph_texts
from torseur.report.drawing.layers import layered

CRANK = Path(__file__).parents[1] / "models" / "slider_crank.yaml"
EXAMPLES = Path(torseur.__file__).parent / "examples"
SVG = "{http://www.w3.org/2000/svg}"


def _boxes(picture, kind):
    """Left, top, right and bottom of the boxes of a class."""
    found = []
    for box in ElementTree.fromstring(picture).iter(f"{SVG}rect"):
        if kind in box.get("class").split():
            x, y, w, h = (float(box.get(key)) for key in ("x", "y", "width", "height"))
            found.append((x, y, x + w, y + h))
    return found


def _overlap(a, b):
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _cross(one, two):
    """Whether two segments without a common end cross."""
    (p, q), (r, s) = one, two
    if {p, q} & {r, s}:
        return False

    def side(a, b, c):
        return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

    return side(p, q, r) * side(p, q, s) < 0 and side(r, s, p) * side(r, s, q) < 0


def test_the_graph_shows_every_body_and_every_joint_with_its_freedoms():
    picture = ElementTree.fromstring(graph_texts(load(CRANK))[0])
    texts = [text.text for text in picture.iter(f"{SVG}text")]
    assert {"ground", "crank", "rod", "piston"} <= set(texts)
    assert "P: prismatic (1)" in texts
    assert len(list(picture.iter(f"{SVG}path"))) == 4


def test_only_the_joint_that_closes_the_loop_is_dashed():
    """It is the joint at which the equations cut the loop."""
    model = load(CRANK)
    assert [edge.name for edge in edges(model) if edge.closing] == ["A"]
    assert {line.name for line in ts.formalisms.formulas(model).loops} == {"A"}
    assert graph_texts(model)[0].count('class="closing"') == 1
    assert graph_texts(model)[1].count(r"\draw[dashed]") == 1


def test_joints_between_the_same_bodies_are_drawn_apart():
    free = {"type": "glissiere", "bodies": ["ground", "a"], "axis": "x"}
    model = load({"bodies": {"a": {"mass": 1}}, "joints": {"P": free, "Q": free | {"axis": "y"}}})
    assert not _overlap(*_boxes(graph_texts(model)[0], "joint"))


@pytest.mark.parametrize("name", ["stewart_platform", "jansen_leg", "planetary_reducer"])
def test_no_box_of_a_large_graph_is_over_another(name):
    picture = graph_texts(load(EXAMPLES / f"{name}.yaml"), "fr")[0]
    boxes = [*_boxes(picture, "joint"), *_boxes(picture, "body")]
    assert not any(_overlap(a, b) for a, b in combinations(boxes, 2))


def test_the_graph_of_a_stewart_platform_has_no_crossings():
    sizes = {
        name: (10.0, 10.0) for name in ("0", "P", *(f"{x}{k}" for x in "abc" for k in range(6)))
    }
    links = [link for k in range(6) for link in pairwise(["0", f"a{k}", f"b{k}", f"c{k}", "P"])]
    shuffled = [links[(7 * k) % len(links)] for k in range(len(links))]
    at = layered(sizes, shuffled, "0")
    drawn = [(at[a], at[b]) for a, b in links]
    assert not any(_cross(one, two) for one, two in combinations(drawn, 2))


def test_a_contact_is_named_in_the_language_of_the_graph():
    assert shown_name(PointOnProfile.names, "en") == "profile"
    assert shown_name(PointOnProfile.names, "fr") == "profil"


def test_joints_are_named_in_french_with_their_axis_and_point():
    texts = "".join(ElementTree.fromstring(graph_texts(load(CRANK), "fr")[0]).itertext())
    for said in ("bâti", "P : glissière (1)", "direction x", "A : pivot (1)", "axe (A, z)"):
        assert said in texts
    assert "A = (l₁, 0, 0)" in texts
    assert "glissière" in graph_texts(load(CRANK), "fr")[1]


def test_names_cannot_break_the_picture():
    joint = {"type": "pivot", "bodies": ["ground", "<b>&"], "axis": "z"}
    model = load({"bodies": {"<b>&": {"mass": 1}}, "joints": {"A": joint}})
    ElementTree.fromstring(graph_texts(model)[0])
    assert "<b>&" not in graph_texts(model)[0]
    assert r"\&" in graph_texts(model)[1]


def test_what_touches_may_slide_and_what_rolls_may_not():
    """A ball that touches a plane keeps five freedoms; one that rolls there, three."""
    body = {"mass": 1, "inertia": [1, 1, 1]}
    ball = {"bodies": ["ground", "ball"], "radius": 0.1, "normal": "z"}
    model = {
        "bodies": {"ball": body},
        "joints": {"place": {"type": "free", "bodies": ["ground", "ball"]}},
    }
    touching = load(model | {"contacts": {"floor": ball | {"friction": 0.3}}})
    rolling = load(model | {"constraints": {"floor": ball | {"type": "rolling", "shape": "ball"}}})
    assert [edges(x, "en")[-1].kind for x in (touching, rolling)] == [
        "contact ball (5)",
        "rolling ball (3)",
    ]


@pytest.mark.parametrize("name", ["jansen_leg", "legged_robot", "peaucellier", "whitworth"])
def test_graphs_that_can_be_drawn_without_crossings_are(name):
    model = load(EXAMPLES / f"{name}.yaml")
    every = edges(model, "en")
    sizes = {body: (10.0, 10.0) for body in ("ground", *model.bodies)}
    sizes |= {f"joint {edge.name}": (10.0, 10.0) for edge in every}
    links = [(body, f"joint {edge.name}") for edge in every for body in (edge.first, edge.second)]
    at = layered(sizes, links, "ground")
    drawn = [(at[a], at[b]) for a, b in links]
    assert not any(_cross(one, two) for one, two in combinations(drawn, 2))


def test_the_ending_says_what_is_written_and_others_are_refused(tmp_path):
    model = load(CRANK)
    page = torseur.pictures.graph(model, tmp_path / "graph.tex").read_text(encoding="utf-8")
    picture = torseur.pictures.graph(model, tmp_path / "graph.tikz").read_text(encoding="utf-8")
    assert picture.startswith(r"\begin{tikzpicture}") and picture in page
    assert page.startswith(r"\documentclass") and page.endswith("\\end{document}\n")
    assert "<svg" in torseur.pictures.graph(model, tmp_path / "graph.svg").read_text(
        encoding="utf-8"
    )
    with pytest.raises(torseur.ModelError, match=r"\.png. is not a format"):
        torseur.pictures.graph(model, tmp_path / "graph.png")


@pytest.mark.parametrize("ending", ["svg", "tex", "tikz"])
def test_a_sheet_is_laid_out_once_for_a_file(ending, tmp_path, monkeypatch):
    laid = []

    def counted(*given):
        laid.append(given)
        return layered(*given)

    monkeypatch.setattr(joint_graph, "layered", counted)
    graph(load(CRANK), tmp_path / f"graph.{ending}")
    assert len(laid) == 1
