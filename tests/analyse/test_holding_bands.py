"""Dry friction in joints: the least and the greatest force that holds a pose, by closed forms."""

import json
from importlib.resources import files
from math import cos, pi, sin, tan

import numpy as np
import pytest
import yaml
from click.testing import CliRunner

import torseur as ts
from torseur.cli.main import commands

G = 9.80665


def band(mechanism, pose, name, **more):
    found = ts.stability.holding_forces(mechanism, pose, **more).bands[name]
    return found.low, found.high


def lever(coefficient=0.2, **more):
    """2 kg at 0.5 m from a journal of 50 mm."""
    friction = {"coefficient": coefficient, "radius": "50 mm"}
    pivot = {"type": "pivot", "bodies": ["ground", "b"], "axis": "z", "coordinate": "theta"}
    return ts.load({
        "gravity": [0, -G, 0],
        "bodies": {"b": {"mass": 2, "inertia": [0.1, 0.1, 0.05], "centre": [0.5, 0, 0]}},
        "joints": {"O": pivot | {"friction": friction}},
        **more,
    })  # fmt: skip


def test_a_journal_holds_a_lever_within_f_r_n_of_its_couple():
    low, high = band(lever(), {"theta": 0.3}, "theta")
    couple, grip = 2 * G * 0.5 * cos(0.3), 0.2 * 0.05 * 2 * G
    np.testing.assert_allclose((low, high), (couple - grip, couple + grip), rtol=1e-11)


def test_a_force_that_loads_the_guide_changes_its_own_band():
    """A horizontal force against a block on a slope: F = m g tan(α ± φ), tan φ = f."""
    block = ts.load({
        "gravity": [0, -G, 0],
        "parameters": {"a": "30 deg", "F": "10 N"},
        "bodies": {"b": {"mass": 2, "inertia": [0.1, 0.1, 0.05]}},
        "joints": {"P": {"type": "prismatic", "bodies": ["ground", "b"], "coordinate": "s",
                         "axis": ["cos(a)", "sin(a)", 0], "friction": 0.3}},
        "forces": {"push": {"type": "wrench", "body": "b", "force": ["F", 0, 0]}},
    })  # fmt: skip
    phi, a, m = np.arctan(0.3), pi / 6, 2
    low, high = band(block, {"s": 0}, "s")  # along the slope, beside F
    normal = m * G * cos(a) + 10 * sin(a)
    ahead = m * G * sin(a) - 10 * cos(a)
    np.testing.assert_allclose(
        (low, high), (ahead - 0.3 * normal, ahead + 0.3 * normal), rtol=1e-11
    )
    for angle, end in ((a - phi, 0), (a + phi, 1)):
        at_the_limit = {"F": m * G * tan(angle)}
        ends = band(block, {"s": 0}, "s", parameters=at_the_limit)
        assert abs(ends[end]) < 1e-7  # F alone is just enough, or just not too much


def slider_crank(friction):
    described = yaml.safe_load((files("torseur.examples") / "slider_crank.yaml").read_text())
    described["joints"]["P"]["friction"] = friction
    return described


def test_friction_and_the_load_of_its_guide_are_solved_together():
    """The rod at ψ carries F/(cos ψ ± f sin ψ), as friction in the guide changes its own load."""
    alpha, f = 0.7, 0.3
    psi = np.arcsin(0.1 * sin(alpha) / 0.3)
    low, high = band(slider_crank(f), {"alpha": alpha}, "alpha", by=["alpha"])
    arm = 0.1 * sin(alpha + psi)
    ends = [-1.5 - 10 * arm / (cos(psi) + sign * f * sin(psi)) for sign in (-1, 1)]
    np.testing.assert_allclose((low, high), ends, rtol=1e-11)


@pytest.mark.parametrize(("friction", "locks"), [(0.15, False), (0.16, True)])
def test_a_screw_that_locks_itself_is_held_by_no_couple(friction, locks):
    # tan β = pitch/(2π r) = 0.159155: it holds itself from f = tan β cos φ = 0.153731 on
    law = {"coefficient": friction, "radius": 0.01, "half_angle": "15 deg"}
    thread = {"type": "screw", "axis": "z", "pitch": "10 mm", "coordinate": "theta"}
    jack = ts.load({
        "gravity": [0, 0, -G],
        "bodies": {"nut": {"mass": 100, "inertia": [0.1, 0.1, 0.1]}},
        "joints": {"S": thread | {"bodies": ["ground", "nut"], "friction": law}},
    })  # fmt: skip
    low, high = band(jack, {"theta": 0}, "theta")
    assert (low < 0 < high) == locks
    # F r tan(β ± φ′), tan φ′ = f/cos φ
    lead = 0.01 / (2 * pi * 0.01)
    grip = friction / cos(pi / 12)
    for end, sign in ((high, 1), (low, -1)):
        couple = 100 * G * 0.01 * (lead + sign * grip) / (1 - sign * grip * lead)
        assert abs(end - couple) < 1e-6 * abs(couple)


def test_each_couple_of_an_arm_has_its_own_band():
    pivot = {"type": "pivot", "axis": "z"}
    arm = ts.load({
        "gravity": [0, -G, 0],
        "bodies": {"a": {"mass": 2, "inertia": [0.1, 0.1, 0.05], "centre": [0.5, 0, 0]},
                   "b": {"mass": 1, "inertia": [0.1, 0.1, 0.05], "centre": [0.4, 0, 0]}},
        "joints": {"O": pivot | {"bodies": ["ground", "a"], "coordinate": "t1",
                                 "friction": {"coefficient": 0.2, "radius": "50 mm"}},
                   "A": pivot | {"bodies": ["a", "b"], "point": [[1, 0, 0], [0, 0, 0]],
                                 "coordinate": "t2",
                                 "friction": {"coefficient": 0.1, "radius": "20 mm"}}},
    })  # fmt: skip
    found = ts.stability.holding_forces(arm, {"t1": 0.3, "t2": 0.2})
    widths = [found.bands[name].high - found.forces[name] for name in ("t1", "t2")]
    np.testing.assert_allclose(widths, [0.2 * 0.05 * 3 * G, 0.1 * 0.02 * G], rtol=1e-10)


def test_an_equilibrium_is_a_range_where_a_joint_rubs():
    """A journal holds a lever while a |cos θ| is at most f r, below and above."""
    found = ts.equilibria(lever())
    half = np.arcsin(0.2 * 0.05 / 0.5)
    ends = [(band.low, band.high) for band in found.ranges]
    expected = [(side * pi / 2 - half, side * pi / 2 + half) for side in (-1, 1)]
    np.testing.assert_allclose(ends, expected, rtol=1e-11)
    assert str(found).count("with friction it rests for theta from -1.5") == 1
    assert any("O: friction" in x for x in found.notices)
    moving = ts.equilibria("coulomb_oscillator")  # it starts with a speed
    np.testing.assert_allclose([(x.low, x.high) for x in moving.ranges], [(-1, 1)], rtol=1e-10)


def test_friction_that_is_enough_everywhere_has_no_end():
    (below, above) = ts.equilibria(lever(coefficient=11)).ranges  # f r > a
    assert (below.low, below.high, above.at_high) == (-np.inf, np.inf, ())


def test_where_no_single_coordinate_is_free_a_notice_names_the_friction():
    described = slider_crank(0.3)
    described["forces"]["motor"] = {"type": "law", "joint": "O", "value": "-5*angle"}
    found = ts.equilibria(ts.load(described), starts=20)
    assert not found.ranges and any("P: friction" in x for x in found.notices)


@pytest.mark.parametrize(
    ("joint", "widths"),
    [
        ({"type": "cylindrical", "axis": "x", "coordinates": ["x", "a"]}, {"x": 1, "a": 0.05}),
        ({"type": "planar", "normal": "y", "coordinates": ["u", "v", "a"]},
         {"u": 1, "v": 1, "a": 0.05}),
        ({"type": "universal", "axes": [[1, 0, 0], [0, 0, 1]], "coordinates": ["a", "b"]},
         {"a": 0.05, "b": 0.05}),
    ],
)  # fmt: skip
def test_every_joint_that_rubs_by_its_load_has_its_bands(joint, widths):
    """2 kg on the surface of a joint: f m g along it, f m g r about it."""
    rubbing = {"friction": {"coefficient": 0.2, "radius": "50 mm"}}
    block = ts.load({
        "gravity": [0, -G, 0],
        "bodies": {"b": {"mass": 2, "inertia": [0.1, 0.1, 0.05]}},
        "joints": {"J": {"bodies": ["ground", "b"]} | joint | rubbing},
    })  # fmt: skip
    bands = ts.stability.holding_forces(block, dict.fromkeys(widths, 0.0)).bands
    for name, arm in widths.items():
        ends = np.array([bands[name].low, bands[name].high])
        np.testing.assert_allclose(ends, 0.2 * 2 * G * arm * np.array([-1, 1]), rtol=1e-10)


def test_a_motor_holds_by_its_own_couple_and_a_ball_joint_is_refused_in_one_message():
    geared = lever(motors={"M": {"joint": "O", "ratio": 10}})
    low, high = band(geared, {"theta": 0}, "M", by=["M"])
    np.testing.assert_allclose((low, high), 0.2 * G * (0.5 + np.array([-0.01, 0.01])), rtol=1e-11)
    ball = ts.load({
        "gravity": [0, -G, 0],
        "bodies": {"b": {"mass": 2, "inertia": [0.1, 0.1, 0.05]}},
        "joints": {"J": {"type": "spherical", "bodies": ["ground", "b"],
                         "friction": {"coefficient": 0.2, "radius": "50 mm"}}},
    })  # fmt: skip
    with pytest.raises(ts.ModelError, match="is no rate of a coordinate"):
        ts.stability.holding_forces(ball, {})


def test_the_command_prints_and_writes_the_bands(tmp_path):
    path = tmp_path / "crank.yaml"
    path.write_text(yaml.safe_dump(slider_crank(0.3)), encoding="utf-8")
    given = ["holding-forces", str(path), "--at", "alpha=0.7", "--by", "alpha"]
    shown = CliRunner().invoke(commands, given)
    assert "with friction: alpha from -2.3" in shown.output
    data = json.loads(CliRunner().invoke(commands, [*given, "--json"]).stdout)
    assert data["bands"]["alpha"]["at_low"] == ["P: friction"]


def test_the_command_writes_ranges_of_equilibria():
    given = ["equilibria", "coulomb_oscillator", "--json"]
    (one,) = json.loads(CliRunner().invoke(commands, given).stdout)["equilibria"]
    assert one["rests_by_friction"]["x"] == pytest.approx([-1, 1], rel=1e-10)  # F/k


def test_without_friction_no_band_is_given_and_contacts_are_refused_as_before():
    assert not ts.stability.holding_forces(lever(0), {"theta": 0.3}).bands
    with pytest.raises(ts.ModelError, match="may open, stick or slide"):
        ts.stability.holding_forces("box_on_slope", {"x": 0})
