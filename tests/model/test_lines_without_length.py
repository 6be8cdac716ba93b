"""Springs and dampers whose two ends are at one point at the start."""

from importlib.resources import files

import numpy as np
import pytest
from ruamel.yaml import YAML

import torseur as ts

M, K, B = 2.0, 50.0, 3.0


def tied(force, speed=(0.0, 0.0, 0.0), gravity=(0, 0, 0), **more):
    """A body, free in space, tied to the ground where it is."""
    return ts.load(
        {
            "gravity": list(gravity),
            "bodies": {"b": {"mass": M, "inertia": [0.1, 0.1, 0.1]}},
            "joints": {"F": {"type": "free", "bodies": ["ground", "b"]}},
            "forces": {"tie": {"between": [["ground", [0, 0, 0]], ["b", [0, 0, 0]]], **force}},
            "initial": {f"F_{x}.": v for x, v in zip("xyz", speed, strict=True)},
            **more,
        }
    )


@pytest.mark.parametrize("coordinates", ["joint", "absolute"])
@pytest.mark.parametrize("way", [(1.0, 0, 0), (0.6, 0, -0.8)])
def test_a_damper_starts_along_the_motion_of_its_ends(way, coordinates):
    """m s̈ = −b ṡ: s = (m v/b) (1 − e^(−b t/m)) along the first velocity."""
    run = ts.simulate(tied({"type": "damper", "damping": B}, way), 1.0, coordinates=coordinates)
    s = M / B * (1 - np.exp(-B * run.t / M))
    for axis, part in zip("xyz", way, strict=True):
        np.testing.assert_allclose(run[f"F_{axis}"], part * s, atol=1e-8)
    assert any("at one point at the start" in notice for notice in run.notices)


@pytest.mark.parametrize("coordinates", ["joint", "absolute"])
def test_a_compressed_spring_pushes_along_the_motion_of_its_ends(coordinates):
    """m s̈ = −k (s − l₀): s = l₀ (1 − cos ω t) + v/ω sin ω t, while s > 0."""
    rest, w = 0.1, np.sqrt(K / M)
    model = tied({"type": "spring", "stiffness": K, "length": rest}, (0, 0.5, 0))
    run = ts.simulate(model, 0.8, coordinates=coordinates)
    expected = rest * (1 - np.cos(w * run.t)) + 0.5 / w * np.sin(w * run.t)
    assert expected[1:].min() > 0
    np.testing.assert_allclose(run["F_y"], expected, atol=1e-7)


@pytest.mark.parametrize("length", [0, "l0"])
def test_a_spring_without_length_at_rest_pulls_by_k_r_from_the_start(length):
    """At rest under its weight it swings by g/ω² (1 − cos ω t), whichever way it is written."""
    force = {"type": "spring", "stiffness": K, "length": length}
    model = tied(force, gravity=(0, 0, -9.81), parameters={"l0": {"value": 0.0, "unit": "m"}})
    run, w = ts.simulate(model, 1.0), np.sqrt(K / M)
    np.testing.assert_allclose(run["F_z"], -9.81 / w**2 * (1 - np.cos(w * run.t)), atol=1e-7)
    assert "direction" not in str(ts.check(model))


def test_a_damper_at_rest_starts_under_the_weight():
    """m z̈ = −m g − b ż from rest."""
    run = ts.simulate(tied({"type": "damper", "damping": B}, gravity=(0, 0, -9.81)), 1.0)
    end = M * 9.81 / B
    expected = -end * run.t + end * M / B * (1 - np.exp(-B * run.t / M))
    np.testing.assert_allclose(run["F_z"], expected, atol=1e-7)


def test_a_line_of_force_and_a_spring_beside_a_damper_start_together():
    """k r and a damper, as they are drawn in most programs; ζ = b/(2 m ω)."""
    ends = [["ground", [0, 0, 0]], ["b", [0, 0, 0]]]
    model = ts.load(
        {
            "bodies": {"b": {"mass": M, "inertia": [0.1, 0.1, 0.1]}},
            "joints": {"F": {"type": "free", "bodies": ["ground", "b"]}},
            "forces": {
                "spring": {"type": "spring", "between": ends, "stiffness": K},
                "line": {"type": "line", "between": ends, "tension": f"{B}*rate"},
            },
            "initial": {"F_x.": 1.0},
        }
    )
    run = ts.simulate(model, 0.3)
    decay = B / (2 * M)
    w = np.sqrt(K / M - decay**2)
    expected = np.exp(-decay * run.t) * np.sin(w * run.t) / w
    np.testing.assert_allclose(run["F_x"], expected, atol=1e-8)


def test_a_compressed_spring_at_rest_has_no_direction_and_this_is_said():
    model = tied({"type": "spring", "stiffness": K, "length": 0.1})
    with pytest.raises(ts.SolveError, match=r'(?s)"tie" are at one point.*apart, or moving apart'):
        ts.simulate(model, 1.0)
    assert "direction is not defined" in str(ts.check(model))


def test_ends_in_a_loop_part_with_its_loops_closed():
    """A four-bar whose damper joins two points that meet at the start."""
    at = {"alpha": 0.4, "alpha.": 3.0}
    text = (files("torseur.examples") / "four_bar.yaml").read_text(encoding="utf-8")
    described = YAML(typ="safe").load(text)
    place = ts.simulate(ts.load(described), 0.001, initial=at).point("P")[0]
    ends = [["ground", place.tolist()], ["coupler", ["l2/2", "l2/3", 0]]]
    tie = {"type": "damper", "damping": B, "between": ends}
    damped = ts.load({**described, "forces": {"tie": tie}})
    run = ts.simulate(damped, 0.05, initial=at)
    assert run.closure_error < 1e-10
    assert run["alpha."][0] == pytest.approx(3.0, abs=1e-6)
    free = ts.simulate(ts.load(described), 0.05, initial=at)
    assert abs(run["alpha."][-1]) < abs(free["alpha."][-1])
