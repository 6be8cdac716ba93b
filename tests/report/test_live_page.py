"""Pages that simulate, in Chromium: their numbers, what their reader sets, and their files."""

import base64
import hashlib
import io
from importlib.resources import files

import numpy as np
import pytest
from browser import opened
from PIL import Image

import torseur as ts
from torseur.simulation.live.live_motion import live_motion

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
    return ts.load(str(files("torseur.examples") / f"{name}.yaml"))


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
        ("rocking_block", {"method": "moreau", "step": 1e-3}),
        pytest.param("rocking_block", {}, marks=SLOW),
        pytest.param("governor_with_friction", {}, marks=SLOW),
        pytest.param("legged_robot", {}, marks=SLOW),
    ],
)
def test_contact_forces_and_events_are_those_of_a_run(name, options, tmp_path):
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


def test_a_force_along_a_coordinate_is_that_of_the_description(tmp_path):
    mechanism = example("double_pendulum")
    address = page(tmp_path, mechanism, duration=1.0, rate=60)
    with opened(address + "#f.theta1=2.5") as seen:
        calm(seen)
        found = states(seen)
    law = {"theta1": "2.5"}
    run = ts.simulate(mechanism, 1.0, rate=60, control=law, sample=0.5)
    np.testing.assert_allclose(found[:, :2], run.q, atol=1e-8)


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


def downloaded(seen, key):
    with seen.page.expect_download() as waiting:
        seen.page.click(f"[data-{key}]")
    return waiting.value.path().read_bytes()


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
