"""Motions that a page computes: the machine code of a mechanism in WebAssembly, run by Node."""

import hashlib
import json
import shutil
import subprocess
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

import torseur as ts
from torseur.machine.wasm.binary import MAGIC
from torseur.simulation.live.live_motion import live_motion

NODE = shutil.which("node")
RUNNER = Path(__file__).parents[1] / "support" / "live_motion.mjs"
ROOM = str(files("torseur.machine.page"))
needs_node = pytest.mark.skipif(NODE is None, reason="Node.js is not installed")
LAW = {"control": {"theta2": "-3*theta2 - 0.2*theta2."}, "sample": 0.02}
STEPS = {"method": "moreau", "step": 1e-3}
slow = pytest.mark.slow
MOTIONS = [
    ("double_pendulum", {}),
    ("double_pendulum", LAW),
    ("double_pendulum", {"method": "rk4", "step": 1e-3}),
    ("slider_crank", {}),
    ("five_bar", {}),
    ("robot_1980", {}),
    ("bouncing_ball", {}),
    pytest.param("bouncing_ball", STEPS, marks=slow),
    pytest.param("governor_with_friction", {}, marks=slow),
    pytest.param("governor_with_friction", STEPS, marks=slow),
    pytest.param("rocking_block", STEPS, marks=slow),
    pytest.param("legged_robot", {}, marks=slow),
    pytest.param("double_pendulum", {"method": "radau"}, marks=slow),
    pytest.param("jansen_leg", {}, marks=slow),
    pytest.param("delta_robot", {}, marks=slow),
]


def example(name):
    return ts.load(
        name if isinstance(name, dict) else str(files("torseur.examples") / f"{name}.yaml")
    )


def in_node(live, *changes):
    """What a page computes, for each change of its start and parameters."""
    width = live.states.shape[1]
    given = json.dumps({"document": live.document(), "changes": changes or [{}]})
    done = subprocess.run(
        [NODE, str(RUNNER), ROOM, str(width)],
        input=given, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert not done.stderr, done.stderr
    return json.loads(done.stdout)


def digest(states):
    return hashlib.sha256(np.ascontiguousarray(states).tobytes()).hexdigest()


@needs_node
@pytest.mark.parametrize(("name", "options"), MOTIONS)
def test_ten_seconds_in_a_page_are_those_of_home_bit_for_bit(name, options):
    live = live_motion(example(name), 10.0, **options)
    again = [{"budget": 7}, {"budget": 100_000}] if name == "double_pendulum" else [{}]
    for found in in_node(live, {}, *again):
        assert found["count"] == len(live.states)
        assert found["digest"] == digest(live.states)


@needs_node
def test_events_in_a_page_are_those_of_home():
    live = live_motion(example("bouncing_ball"), 3.0)
    run = ts.simulate(example("bouncing_ball"), 3.0, rate=60)
    (found,) = in_node(live)
    there = sorted((x["name"], x["cause"], x["effect"], x["at"]) for x in found["events"])
    assert there == sorted((x.name, x.cause, x.effect, x.t) for x in run.events)


@needs_node
@pytest.mark.parametrize(("name", "duration"), [("slider_crank", 1.0), ("bouncing_ball", 2.0)])
def test_a_motion_that_is_carried_on_from_a_sample_stays_the_same(name, duration):
    live = live_motion(example(name), duration, rate=60)
    whole, part = in_node(live, {"from": 20}, {"from": 20, "to": 40})
    assert (whole["count"], part["count"]) == (len(live.states), 41)
    width = len(live.model.coordinates) + len(live.model.speeds)
    np.testing.assert_allclose(whole["last"][:width], live.states[-1, :width], atol=1e-6)
    np.testing.assert_allclose(part["last"][:width], live.states[40, :width], atol=1e-7)


@needs_node
def test_other_parameters_and_starts_give_the_motion_that_home_computes_for_them():
    mechanism, changed = example("slider_crank"), {"l2": 0.35, "m3": 2.0}
    live = live_motion(mechanism, 1.0)
    start = live.states[0].copy()
    start[0] += 0.4
    _, found = in_node(live, {}, {"parameters": changed, "start": start.tolist(), "kept": 0})
    given = dict(zip((*live.model.coordinates, *live.model.speeds), found["from"], strict=False))
    run = ts.simulate(mechanism, 1.0, initial=given, parameters=changed, rate=60)
    assert found["from"][0] == pytest.approx(start[0], abs=1e-12)
    np.testing.assert_allclose(found["last"][:3], run.q[-1], atol=1e-8)
    np.testing.assert_allclose(found["last"][3:6], run.v[-1], atol=1e-7)


@needs_node
@pytest.mark.slow
def test_imposed_motions_are_integrated_and_agree_with_home_to_1e_8():
    for name in ("jansen_leg", "delta_robot"):
        live = live_motion(example(name), 10.0, rate=60)
        run = ts.simulate(example(name), 10.0, rate=60)
        assert any("integrated" in x for x in live.notices)
        np.testing.assert_allclose(live.states[:, : run.q.shape[1]], run.q, atol=1e-8)


PILE = {
    "gravity": [0, 0, -9.81],
    "bodies": {x: {"mass": 1.0, "shape": {"sphere": {"radius": 0.1}}} for x in ("low", "high")},
    "joints": {x: {"type": "free", "bodies": ["ground", x]} for x in ("low", "high")},
    "contacts": {"all": {"among": "all", "normal": "z", "friction": 0.3}},
    "initial": {"low_z": 0.12, "high_z": 0.35},
}
PYTHON = {
    "a law in Python": ("double_pendulum", {"control": lambda t, q, v: -q, "sample": 0.02}),
    "contacts that are searched for": (PILE, STEPS),
    "symplectic steps": ("double_pendulum", {"method": "symplectic"}),
}


@pytest.mark.parametrize("reason", PYTHON)
def test_what_a_page_cannot_compute_is_refused_by_name(reason):
    name, options = PYTHON[reason]
    with pytest.raises(ts.ModelError, match="live page: "):
        live_motion(example(name), 1.0, **options)


def test_a_motion_without_contacts_has_less_than_50_kb_of_code():
    program = live_motion(example("slider_crank"), 1.0).program
    assert all(x.startswith(MAGIC) for x in program.code.modules)
    assert program.size < 50_000
