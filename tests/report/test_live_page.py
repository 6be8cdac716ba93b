"""Pages that simulate, in Chromium: their numbers, what their reader sets, and their files."""

import base64
import copy
import hashlib
import io
import json
import re
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from browser import opened
from click.testing import CliRunner
from PIL import Image

import torseur as ts
from torseur.cli.commands import commands
from torseur.named_words import report_words
from torseur.report.scene.geometry import geometry
from torseur.report.viewer.embedded import document
from torseur.report.viewer.live_stage import live_stage
from torseur.simulation.live.live_motion import live_motion

EXAMPLES = Path(str(files("torseur.examples")))
SLOW = pytest.mark.slow
RUN = "document.querySelector('.viewer').run"
MECHANISMS = [
    "double_pendulum",
    pytest.param("slider_crank", marks=SLOW),
    pytest.param("jansen_leg", marks=SLOW),
    pytest.param("governor_with_friction", marks=SLOW),
    pytest.param("bouncing_ball", marks=SLOW),
    pytest.param("five_bar", marks=SLOW),
    pytest.param("delta_robot", marks=SLOW),
    pytest.param("robot_1980", marks=SLOW),
]
# What a test reads of the run of a page, up to its end.
WHOLE = """() => new Promise((done) => {
  const { run } = document.querySelector(".viewer");
  (function wait() {
    run.onwards(20);
    if (!run.isOver) return setTimeout(wait);
    done(run.count);
  })();
})"""
STATES = """() => {
  const { run } = document.querySelector(".viewer");
  const bytes = new Uint8Array(run.states.buffer, 0, 8 * run.count * run.width);
  let text = "";
  for (let k = 0; k < bytes.length; k += 8192) {
    text += String.fromCharCode(...bytes.subarray(k, k + 8192));
  }
  return { text: btoa(text), width: run.width };
}"""
LINES = """() => Object.fromEntries([...document.querySelector(".viewer").run.lines].map(
  ({ name, of, values }) => [`${of[0]} ${name}`, Array.from(values)]))"""


def example(name):
    return ts.load(EXAMPLES / f"{name}.yaml")


def page(folder, mechanism, **options):
    """The address of a live page."""
    return ts.view(mechanism, folder / "page.html", live=True, **options).as_uri()


def states(seen):
    """All states that the page has computed."""
    seen.page.evaluate(WHOLE)
    found = seen.page.evaluate(STATES)
    return np.frombuffer(base64.b64decode(found["text"])).reshape(-1, found["width"])


def calm(seen):
    """The page with its first run computed, paused."""
    seen.page.wait_for_function("document.querySelector('.viewer').run")
    if seen.page.get_attribute("[data-play]", "aria-pressed") == "true":
        seen.page.click("[data-play]")
    seen.page.evaluate(WHOLE)


@pytest.mark.parametrize("name", MECHANISMS)
def test_ten_seconds_on_a_page_are_those_of_home_bit_for_bit(name, tmp_path):
    mechanism = example(name)
    address = page(tmp_path, mechanism, rate=60)
    assert (tmp_path / "page.html").stat().st_size < 400_000
    with opened(address, viewport={"width": 1280, "height": 800}) as seen:
        calm(seen)
        there = states(seen)
        assert not seen.messages
        assert [x for x in seen.requests if not x.startswith("blob:")] == [address]
        assert not seen.from_elsewhere
    home = live_motion(mechanism, 10.0, rate=60).states
    assert there.shape == home.shape
    assert hashlib.sha256(there.tobytes()).digest() == hashlib.sha256(home.tobytes()).digest()


def curves(seen):
    return {name: np.array(x, dtype=float) for name, x in seen.page.evaluate(LINES).items()}


@SLOW
def test_energies_and_reactions_are_those_of_a_run(tmp_path):
    mechanism = example("double_pendulum")
    run = ts.simulate(mechanism, 2.0, rate=60, method="dop853")
    with opened(page(tmp_path, mechanism, duration=2.0, rate=60)) as seen:
        calm(seen)
        found = curves(seen)
    for kind in ("kinetic", "potential"):
        np.testing.assert_allclose(found[f"energy {kind}"], run.energy[kind], rtol=1e-9)
    for joint in mechanism.joints:
        size = np.linalg.norm(run.reaction(joint)[:, :3], axis=1)
        np.testing.assert_allclose(found[f"reaction {joint}"], size, rtol=1e-7)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        pytest.param("rocking_block", {"method": "moreau", "step": 1e-3}, marks=SLOW),
        pytest.param("rocking_block", {}, marks=SLOW),
        pytest.param("governor_with_friction", {}, marks=SLOW),
        pytest.param("legged_robot", {}, marks=SLOW),
    ],
)
def test_forces_and_events_of_contacts_are_those_of_a_run(name, options, tmp_path):
    mechanism = example(name)
    run = ts.simulate(mechanism, 1.0, rate=60, **options)
    with opened(page(tmp_path, mechanism, duration=1.0, rate=60, **options)) as seen:
        calm(seen)
        found = curves(seen)
        events = seen.page.evaluate(f"{RUN}.events")
    assert sorted((x["at"], x["name"]) for x in events) == sorted((x.t, x.name) for x in run.events)
    pressing = [x for x in found if x.startswith("normal ")]
    assert pressing
    for curve in pressing:
        expected = run.contact(curve.removeprefix("normal ")).normal
        np.testing.assert_allclose(found[curve], expected, atol=1e-6 * np.abs(expected).max())
    carried = [x.removeprefix("reaction ") for x in found if x.startswith("reaction ")]
    assert carried
    for joint in carried:
        expected = np.linalg.norm(run.reaction(joint)[:, :3], axis=1)
        size = max(1e-6 * expected.max(), 1e-9)
        np.testing.assert_allclose(found[f"reaction {joint}"], expected, atol=size)


# --- what the reader does -------------------------------------------------------------------------


def place_of(seen, name):
    """Where a named point of the mechanism is on the page."""
    return seen.page.evaluate(f"{RUN}.onScreen('{name}')")


def test_a_body_that_is_dragged_follows_with_its_loops_closed(tmp_path):
    address = page(tmp_path, example("slider_crank"), duration=1.0, rate=60)
    with opened(address, viewport={"width": 1280, "height": 800}) as seen:
        calm(seen)
        seen.page.keyboard.press("Home")
        x, y = place_of(seen, "A")
        seen.page.mouse.move(x, y)
        seen.page.mouse.down()
        seen.page.mouse.move(x - 60, y - 90, steps=6)
        seen.page.mouse.up()
        alpha = seen.page.evaluate(f"{RUN}.from[0]")
        gap = seen.page.evaluate(f"{RUN}.gapOf({RUN}.from)")
        told = seen.page.inner_text("[data-closure]")
        moved = place_of(seen, "A")
        assert not seen.messages
    assert abs(alpha) > 0.5
    assert gap < 1e-10
    assert told.startswith("loop gap")
    assert np.hypot(moved[0] - (x - 60), moved[1] - (y - 90)) < np.hypot(60, 90)


@SLOW
def test_a_pull_changes_the_motion_from_then_on(tmp_path):
    address = page(tmp_path, example("double_pendulum"), duration=4.0, rate=60)
    with opened(address, viewport={"width": 1280, "height": 800}) as seen:
        calm(seen)
        before = states(seen)
        seen.page.select_option("[data-speed]", "0.25")
        seen.page.click("[data-restart]")
        seen.page.click("[data-play]")
        x, y = place_of(seen, "tip")
        seen.page.mouse.move(x, y)
        seen.page.mouse.down()
        for k in range(20):
            seen.page.mouse.move(x + 10 * k, y - 5 * k)
            seen.page.wait_for_timeout(25)
        seen.page.mouse.up()
        after = states(seen)
        assert not seen.messages
    assert after.shape == before.shape
    assert np.isfinite(after).all()
    same = (after == before).all(axis=1)
    assert same[0] and not same[-1]


@SLOW
def test_a_force_along_a_coordinate_is_that_of_the_description(tmp_path):
    mechanism = example("double_pendulum")
    address = page(tmp_path, mechanism, duration=1.0, rate=60)
    with opened(address + "#f.theta1=2.5") as seen:
        calm(seen)
        found = states(seen)
    law = {"theta1": "2.5"}
    run = ts.simulate(mechanism, 1.0, rate=60, control=law, sample=0.5)
    np.testing.assert_allclose(found[:, :2], run.q, atol=1e-8)


@SLOW
def test_a_link_holds_what_was_set(tmp_path):
    mechanism = example("slider_crank")
    address = page(tmp_path, mechanism, duration=0.5, rate=60)
    with opened(address + "#p.l2=0.35&y.alpha=0.4&t=0.25") as seen:
        calm(seen)
        found = states(seen)
        shown = seen.page.input_value("[data-parameters] label:nth-child(2) input[type=text]")
        seen.page.wait_for_timeout(400)
        kept = seen.page.evaluate("location.hash")
    assert shown == "0.35"
    assert "p.l2=0.35" in kept and "y.alpha=0.4" in kept
    given = dict(zip((*mechanism.coordinates, *mechanism.speeds), found[0], strict=False))
    run = ts.simulate(mechanism, 0.5, parameters={"l2": 0.35}, initial=given, rate=60)
    np.testing.assert_allclose(found[:, :3], run.q, atol=1e-7)
    assert given["alpha"] == pytest.approx(0.4, abs=1e-12)


@SLOW
def test_a_start_that_depends_on_a_parameter_follows_it_and_so_do_coefficients(tmp_path):
    mechanism = example("bouncing_ball")
    address = page(tmp_path, mechanism, duration=2.0, rate=60)
    with opened(address + "#p.h0=0.5&p.e=0.6") as seen:
        calm(seen)
        found, events = states(seen), seen.page.evaluate(f"{RUN}.events")
    run = ts.simulate(mechanism, 2.0, parameters={"h0": 0.5, "e": 0.6}, rate=60)
    np.testing.assert_allclose(found[:, 0], run.q[:, 0], atol=1e-8)
    expected = [x.t for x in run.events if x.cause == "shock"][:20]  # and rest, in ever less time
    shocks = [x["at"] for x in events if x["cause"] == "shock"][:20]
    assert shocks == pytest.approx(expected, abs=1e-8)


def downloaded(seen, key):
    with seen.page.expect_download() as waiting:
        seen.page.click(f"[data-{key}]")
    return waiting.value.path().read_bytes()


@SLOW
def test_files_of_a_page_hold_its_run(tmp_path):
    mechanism = example("double_pendulum")
    address = page(tmp_path, mechanism, duration=0.5, rate=60)
    with opened(address + "#p.l1=0.7") as seen:
        calm(seen)
        found, table = states(seen), downloaded(seen, "csv").decode()
        picture, film = downloaded(seen, "png"), downloaded(seen, "gif")
        (tmp_path / "saved.html").write_bytes(downloaded(seen, "html"))
        assert not seen.messages
    names, *rows = table.splitlines()
    numbers = np.array([[float(x) for x in row.split(",")] for row in rows])
    assert names == "t,theta1,theta2,theta1.,theta2.,kinetic,potential,work"
    np.testing.assert_array_equal(numbers[:, 1:5], found[:, :4])
    assert Image.open(io.BytesIO(picture)).format == "PNG"
    moving = Image.open(io.BytesIO(film))
    assert (moving.format, moving.n_frames) == ("GIF", 11)
    for k in range(moving.n_frames):
        moving.seek(k)
        moving.load()
    with opened((tmp_path / "saved.html").as_uri()) as seen:
        calm(seen)
        np.testing.assert_array_equal(states(seen), found)


# --- pages of all examples ------------------------------------------------------------------------


CHANGED = """() => {
  const { run } = document.querySelector(".viewer"), troubles = [];
  const first = run.row(run.count - 1).slice();
  for (const range of document.querySelectorAll("[data-parameters] input[type=range]")) {
    const value = +range.value;
    for (const x of [value + 0.01 * (Math.abs(value) || 1), value]) {
      range.value = x;
      range.dispatchEvent(new Event("input"));
      run.onwards(2000);
      if (run.trouble) troubles.push(range.ariaLabel);
    }
  }
  document.querySelector("[data-reset]").click();
  run.onwards(5000);
  return { troubles, same: first.every((x, k) => x === run.row(run.count - 1)[k]) };
}"""


@SLOW
def test_every_example_simulates_on_its_page_and_can_be_changed(tmp_path):
    with opened("about:blank") as seen:
        for name in sorted(x.stem for x in EXAMPLES.glob("*.yaml")):
            seen.page.goto(page(tmp_path, example(name), duration=0.2, rate=300))
            calm(seen)
            answer = seen.page.evaluate(CHANGED)
            assert answer == {"troubles": [], "same": True}, name
            assert not seen.messages, name


# --- pages as they are written --------------------------------------------------------------------


def numbers(x):
    """All numbers of a document, in order."""
    if isinstance(x, dict):
        x = list(x.values())
    if isinstance(x, list):
        return [y for one in x for y in numbers(one)]
    return [x] if isinstance(x, int | float) else []


def test_bodies_are_drawn_with_the_lengths_that_are_set():
    words, mechanism = report_words("en"), example("slider_crank")
    stage = live_stage(mechanism, words, duration=0.1)
    page = copy.deepcopy(stage.document)
    for path, slope in page["live"]["drawn"]["l2"]:
        place = page
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] += 0.2 * slope
    shape = geometry(mechanism, {"l2": 0.5})
    longer = document(replace(stage.moving, geometry=shape), words, page["unit"])
    for part in ("bodies", "joints", "points"):
        drawn, expected = numbers(page[part]), numbers(longer[part])
        assert drawn == pytest.approx(expected, abs=1e-5)
    assert numbers(page["points"]) != numbers(stage.document["points"])


def test_what_a_live_page_cannot_be_is_refused_with_the_fix(tmp_path):
    mechanism, path = example("double_pendulum"), tmp_path / "page.html"
    with pytest.raises(ts.ModelError, match="Write the law as text"):
        ts.view(mechanism, path, live=True, control=lambda t, q, v: -q, sample=0.02)
    with pytest.raises(ts.ModelError, match="Add live=True"):
        ts.view(mechanism, path, duration=1.0)
    with pytest.raises(ts.ModelError, match="not a Run"):
        ts.view(ts.simulate(mechanism, 0.1), path, live=True)
    with pytest.raises(ts.ModelError, match="ends in"):
        ts.view(mechanism, tmp_path / "page.gif", live=True)


def test_the_command_writes_a_live_page_from_the_given_start(tmp_path):
    path = tmp_path / "page.html"
    given = ["--live", "--duration", "1", "--set", "theta1=2", "--set", "m2=3", "-o", str(path)]
    answer = CliRunner().invoke(commands, ["view", "double_pendulum", *given])
    assert answer.exit_code == 0, answer.output
    text = re.search(r'id="movement">(.*?)</script>', path.read_text(encoding="utf-8"))[1]
    live = json.loads(text)["live"]
    assert {x["name"]: x["value"] for x in live["parameters"]}["m2"] == 3
    assert {x["name"]: x["value"] for x in live["start"]}["theta1"] == 2
    answer = CliRunner().invoke(commands, ["view", "double_pendulum", "--duration", "1"])
    assert answer.exit_code and "Add --live" in answer.output + str(answer.exception)
