"""Contacts on the page: where they are, what they carry, how they are, and when that changes."""

import json
import re

import numpy as np
import pytest
from example_states import model

import torseur as ts
from torseur.report.scene.movement import STATES
from torseur.report.scene.movement_sources import movement

G = 9.81


def carried(run, tmp_path, lang="en"):
    """What the page of a run carries, and its text."""
    html = ts.view(run, tmp_path / "run.html", lang=lang).read_text(encoding="utf-8")
    return json.loads(re.search(r'id="movement">(.*?)</script>', html, re.S).group(1)), html


def of(touches, name):
    """The samples, states, places, normal forces and friction of one contact."""
    rows = touches.which == touches.names.index(name)
    samples = np.searchsorted(touches.starts, np.flatnonzero(rows), side="right") - 1
    parts = (touches.states, touches.places, touches.normal, touches.friction)
    return samples, *(x[rows] for x in parts)


def test_the_cylinder_slides_and_then_rolls_where_it_touches_the_slope():
    run = ts.simulate(model("cylinder_sliding"), 0.5)
    touches = movement(run).touches
    samples, states, places, normal, friction = of(touches, "road")
    assert samples.tolist() == list(range(len(run.t)))
    names = np.array(STATES)[states]
    slides = run.contact("road").state == "slip"
    assert set(names[slides]) == {"slip"} and set(names[~slides]) == {"roll"}
    np.testing.assert_allclose(places[:, 0], run["x"], atol=1e-12)
    np.testing.assert_allclose(places[:, 1], 0.0, atol=1e-12)
    force = run.reaction("road")[:, :3]
    np.testing.assert_allclose(normal + friction, force, atol=1e-9)
    np.testing.assert_allclose((normal * friction).sum(axis=1), 0.0, atol=1e-9)


def test_a_box_sticks_and_its_feet_carry_its_weight():
    run = ts.simulate(model("box_on_slope"), 0.1)
    touches = movement(run).touches
    assert {STATES[k] for k in touches.states} == {"stick"}
    carried_by_both = (touches.normal + touches.friction).reshape(len(run.t), 2, 3).sum(axis=1)
    weight = run.model.parameters["m"] * G
    assert np.linalg.norm(carried_by_both, axis=1) == pytest.approx(weight, rel=1e-9)


def test_nothing_is_shown_of_what_is_open(tmp_path):
    run = ts.simulate(model("wheelie"), 1.0)
    touches = movement(run).touches
    samples, *_ = of(touches, "front")
    assert samples.tolist() == np.flatnonzero(run.contact("front").state != "open").tolist()
    assert len(samples) < len(run.t)


@pytest.mark.parametrize(("lang", "word"), [("en", "limit of friction"), ("fr", "adhérence")])
def test_events_are_on_the_time_line_with_their_cause_and_what_follows(tmp_path, lang, word):
    run = ts.simulate(model("stick_slip"), 15.0)
    data, html = carried(run, tmp_path, lang)
    wanted = [(x.name, x.t, x.cause, x.effect) for x in run.events]
    assert [tuple(x.values()) for x in data["events"]] == wanted
    assert word in html


def test_the_legend_tells_the_states_that_there_are(tmp_path):
    _, html = carried(ts.simulate(model("cylinder_sliding"), 0.5), tmp_path)
    legend = re.search(r'<ul class="legend".*?</ul>', html, re.S).group(0)
    assert re.findall(r'<li class="(\w+)"', legend) == ["slip", "roll", "normal", "friction"]
    _, rubbing = carried(ts.simulate(model("stick_slip"), 12.0), tmp_path)
    legend = re.search(r'<ul class="legend".*?</ul>', rubbing, re.S).group(0)
    assert re.findall(r'<li class="(\w+)"', legend) == ["stick", "slip"]
    _, bare = carried(ts.simulate(model("simple_pendulum"), 0.1), tmp_path)
    assert 'class="legend"' not in bare


def spheres(n):
    names = [f"b{k}" for k in range(n)]
    initial = {f"J{name}_z": 0.1 + 0.2 * k for k, name in enumerate(names)}
    laws = {"among": "all", "friction": 0.3}
    walls = {"floor": laws | {"normal": "z"}, "wall": laws | {"normal": "x", "through": [-1, 0, 0]}}
    return ts.load(
        {
            "name": "column",
            "gravity": [0, 0, -G],
            "bodies": {x: {"mass": 1.0, "shape": {"sphere": {"radius": 0.1}}} for x in names},
            "joints": {f"J{x}": {"type": "free", "bodies": ["ground", x]} for x in names},
            "contacts": {"pile": laws, **walls},
            "initial": initial,
        }
    )


def test_the_forces_of_a_column_of_spheres_are_the_weights_above(tmp_path):
    run = ts.simulate(spheres(3), 0.05, method="moreau", step=1e-3, rate=100)
    touches = movement(run).touches
    loads = np.linalg.norm(touches.normal[: touches.starts[1]], axis=1)
    np.testing.assert_allclose(np.sort(loads), G * np.array([1.0, 2.0, 3.0]), rtol=1e-9)
    heights = np.sort(touches.places[: touches.starts[1], 2])
    np.testing.assert_allclose(heights, [0.0, 0.2, 0.4], atol=1e-9)


def test_a_floor_is_hatched_and_a_wall_is_an_outline(tmp_path):
    run = ts.simulate(spheres(2), 0.02, method="moreau", step=1e-3, rate=100)
    data, _ = carried(run, tmp_path)
    planes = [part for part in data["bodies"][0]["parts"] if part["kind"] == "path"]
    assert [(plane["style"], plane["closed"]) for plane in planes] == [
        ("ground-plate", True),
        ("wall", False),
    ]
    assert {point[2] for point in planes[0]["points"]} == {0.0}
    assert {point[0] for point in planes[1]["points"]} == {-1.0}


def test_a_profile_is_drawn_where_it_is(tmp_path):
    ball = {"mass": 1.0, "shape": {"sphere": {"radius": 0.05}}}
    hill = {"bodies": ["ground", "ball"], "on": "profile", "height": "0.2 m*cos(x/(0.25 m))"}
    made = ts.load(
        {
            "gravity": [0, 0, -G],
            "bodies": {"ball": ball},
            "joints": {"J": {"type": "free", "bodies": ["ground", "ball"]}},
            "contacts": {"hill": hill},
            "initial": {"J_x": 0.1, "J_z": 0.3},
        }
    )
    data, _ = carried(ts.simulate(made, 0.3), tmp_path)
    (surface,) = (part for part in data["bodies"][0]["parts"] if part["kind"] == "mesh")
    x, _, z = np.array(surface["vertices"]).T
    np.testing.assert_allclose(z, 0.2 * np.cos(x / 0.25), atol=1e-5)  # six figures are written


def test_a_picture_has_the_forces_of_its_moment(tmp_path):
    run = ts.simulate(model("wheelie"), 1.0)
    early, late = (
        ts.pictures.picture(run, tmp_path / f"{t}.svg", t).read_text(encoding="utf-8")
        for t in (0.0, 0.9)
    )
    assert early.count('class="touch-normal"') == 2  # both wheels press, one in the end
    assert late.count('class="touch-normal"') == late.count('class="touch-roll"') == 1
