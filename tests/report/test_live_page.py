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
  for (let k = 0; k < bytes.length; k += 8192) text += String.fromCharCode(...bytes.subarray(k, k + 8192));
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
        events = seen.page.evaluate("document.querySelector('.viewer').run.events")
    assert sorted((x["at"], x["name"]) for x in events) == sorted((x.t, x.name) for x in run.events)
    pressing = [x for x in found if x.startswith("normal ")]
    assert pressing
    for curve in pressing:
        expected = run.contact(curve.removeprefix("normal ")).normal
        np.testing.assert_allclose(found[curve], expected, atol=1e-6 * np.abs(expected).max())
