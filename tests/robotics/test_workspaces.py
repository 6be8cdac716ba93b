"""Where robots can be, and where they are singular: circles, laws of cosines, dead points."""

from collections import Counter
from functools import cache

import numpy as np
import pytest
from example_states import mechanism, parameters

import torseur as ts
from torseur.errors import ModelError

ARM = {
    "parameters": {"l1": 0.4, "l2": 0.25},
    "bodies": {"upper": {"mass": 1, "centre": ["l1/2", 0, 0], "inertia": [0, 0, 0.01]},
               "fore": {"mass": 1, "centre": ["l2/2", 0, 0], "inertia": [0, 0, 0.01]}},
    "joints": {"A": {"type": "pivot", "bodies": ["ground", "upper"], "axis": "z",
                     "coordinate": "q1", "limits": [-1, 2]},
               "B": {"type": "pivot", "bodies": ["upper", "fore"], "axis": "z",
                     "coordinate": "q2", "point": [["l1", 0, 0], [0, 0, 0]]}},
    "points": {"P": ["fore", ["l2", 0, 0]]},
    "initial": {"q1": 0.3, "q2": 1.0},
}  # fmt: skip


@cache
def arm(**options):
    return ts.robots.workspace(ts.load(ARM), "P", **options)


@cache
def five_bar():
    found = ts.robots.workspace(mechanism("five_bar"), "pen", steps=12)
    return found, ts.robots.singular_places(found)


@cache
def crank():
    return ts.robots.workspace(
        ts.assemble(mechanism("slider_crank"), {"alpha": 1.0}),
        "B",
        driven=["x"],
        ranges={"x": (0.05, 0.5)},
        steps=12,
    )


def test_an_arm_of_two_links_reaches_a_ring_between_its_limits():
    found = arm(steps=24, random=200)
    far = np.linalg.norm(found.points, axis=1)
    assert len(found.q) == 24 * 24 + 200
    assert found.missing == 0
    assert far.min() >= 0.4 - 0.25 - 1e-12
    assert far.max() <= 0.4 + 0.25 + 1e-12
    np.testing.assert_allclose(found.q[:576, 0].min(), -1)
    np.testing.assert_allclose(found.q[:576, 0].max(), 2)
    turn = found.q[:, 1]
    # det of the Jacobian is l₁ l₂ sin q₂: the singular values vanish with it and never before
    order = np.argsort(np.abs(np.sin(turn)))
    assert np.abs(np.sin(turn))[found.serial.argmin()] == np.abs(np.sin(turn))[order[0]]


def test_an_arm_is_singular_where_it_is_stretched_or_folded():
    places = ts.robots.singular_places(arm(steps=24, random=200))
    assert {x.kind for x in places} == {"serial"}
    for x in places:
        assert abs(np.sin(x.coordinates["q2"])) < 1e-9
        far = np.linalg.norm(x.point)
        assert min(abs(far - 0.65), abs(far - 0.15)) < 1e-12
        assert abs(abs(x.direction @ x.point) / far - 1) < 1e-9  # it cannot go outwards


def test_the_pen_of_a_five_bar_is_where_both_arms_reach_and_its_singular_places_are_in_line():
    """Serial: a crank and its rod in line; parallel: both rods in line (or on each other)."""
    found, places = five_bar()
    p = parameters("five_bar")
    for foot in ([0, 0, 0], [p.d, 0, 0]):
        far = np.linalg.norm(found.points - foot, axis=1)
        assert far.max() <= p.a + p.b + 1e-9
        assert far.min() >= p.b - p.a - 1e-9
    for x in places:
        at = x.coordinates
        elbows = [
            np.array([foot + p.a * np.cos(at[name]), p.a * np.sin(at[name])])
            for name, foot in (("alpha", 0.0), ("beta", p.d))
        ]
        apart = np.linalg.norm(elbows[1] - elbows[0])
        if x.kind == "parallel":
            assert min(abs(apart - 2 * p.b), apart) < 1e-7
            assert x.coordinate in ("gamma", "delta")
        else:
            rod = {"alpha": "gamma", "beta": "delta"}[x.coordinate]
            assert abs(np.sin(at[rod])) < 1e-7
    kinds = Counter(x.kind for x in places)
    assert kinds["serial"] > 10
    assert kinds["parallel"] > 2


def test_nodes_beside_missing_ones_are_edges():
    found, _ = five_bar()
    assert found.missing > 0
    assert 0 < found.edges.sum() < len(found.q) / 2


def test_a_piston_that_drives_its_crank_is_singular_at_its_dead_points():
    """Crank and rod in line: x = l₂ ± l₁, where what the piston does, the crank cannot follow."""
    p, places = parameters("slider_crank"), ts.robots.singular_places(crank())
    assert {x.kind for x in places} == {"parallel"}
    assert crank().missing > 0
    ends = sorted({round(x.coordinates["x"], 9) for x in places})
    np.testing.assert_allclose(ends, [p.l2 - p.l1, p.l2 + p.l1], atol=1e-8)


def test_a_run_tells_when_it_passes_its_singular_places():
    run = ts.simulate(mechanism("slider_crank"), 0.4, initial={"alpha.": 20.0}, rate=200)
    places = ts.robots.singular_places(run, "B", driven=["x"])
    passed = np.arange(1, int(run["alpha"][-1] / np.pi) + 1) * np.pi
    assert len(passed) > 1
    np.testing.assert_allclose([x.coordinates["alpha"] for x in places], passed, atol=1e-7)
    turned = [float(run.at([x.t])["alpha"][0]) for x in places]
    np.testing.assert_allclose(turned, passed, atol=1e-7)


@pytest.mark.slow
def test_a_delta_is_singular_where_an_arm_and_its_forearm_are_in_line():
    """Serial: in the plane of an arm, its forearm points along it; the platform cannot go on."""
    wide = {name: (np.radians(-30), np.radians(115)) for name in ("theta1", "theta2", "theta3")}
    found = ts.robots.workspace(mechanism("delta_robot"), "tool", ranges=wide, steps=9)
    p, places = parameters("delta_robot"), ts.robots.singular_places(found)
    serial = [x for x in places if x.kind == "serial"]
    assert serial
    for x in serial:
        k = int(x.coordinate[-1])
        forearm = x.coordinates[f"a{k}"]  # 0 where it is at right angles with its arm
        assert abs(abs(np.sin(forearm)) - 1) < 1e-7
    # each forearm keeps its length: the closed form holds in every configuration
    for k in range(3):
        c, s = np.cos(2 * np.pi * k / 3), np.sin(2 * np.pi * k / 3)
        theta = found.q[:, found.sizes.branch.places[k]]
        out = p.R + p.L * np.cos(theta) - p.r
        elbow = np.stack([c * out, s * out, -p.L * np.sin(theta)], axis=1)
        np.testing.assert_allclose(np.linalg.norm(found.points - elbow, axis=1), p.l, atol=1e-10)


@pytest.mark.slow
def test_a_stewart_platform_is_where_the_lengths_of_its_legs_put_it():
    """Attitudes are quaternions; as a place, the platform has six directions and loses none."""
    made, p = mechanism("stewart_platform"), parameters("stewart_platform")
    legs = [f"s{k}" for k in range(1, 7)]
    wide = dict.fromkeys(legs, (p.s0 - 0.04, p.s0 + 0.05))
    found = ts.robots.workspace(made, "platform", ranges=wide, steps=2)
    assert (len(found.q), found.missing, found.sizes.degree) == (64, 0, 6)
    assert ts.robots.singular_places(found) == ()
    f = found.sizes.branch.model
    poses = np.array([f.pose("platform", q) for q in found.q])
    feet, tops = np.radians([-10, 10, 110, 130, 230, 250]), np.radians([-50, 50, 70, 170, 190, 290])
    for leg, foot, top in zip(legs, feet, tops, strict=True):
        held = p.Rp * np.array([np.cos(top), np.sin(top), 0, 0]) + [0, 0, 0, 1]
        ends = (poses @ held)[:, :3] - p.Rb * np.array([np.cos(foot), np.sin(foot), 0])
        length = found.q[:, f.coordinates.index(leg)]
        np.testing.assert_allclose(np.linalg.norm(ends, axis=1), length, atol=1e-9)


def test_a_workspace_is_drawn_in_its_plane_with_its_singular_places(tmp_path):
    found, places = five_bar()
    drawn = found.plot(tmp_path / "pen.svg", places)
    assert (tmp_path / "pen.svg").stat().st_size > 10_000
    assert [x.get_xlabel() for x in drawn.axes] == ["x [m]"]
    assert drawn.axes[0].get_ylabel() == "y [m]"


def test_what_is_driven_and_how_far_must_make_sense():
    five = mechanism("five_bar")
    with pytest.raises(ModelError, match="1 of its 2 freedoms are not driven"):
        ts.robots.workspace(five, "pen", driven=["alpha"])
    with pytest.raises(ModelError, match="alpha, beta, gamma are driven, but 2 can be chosen"):
        ts.robots.workspace(five, "pen", driven=["alpha", "beta", "gamma"])
    with pytest.raises(ModelError, match=r"its range goes from -inf to inf"):
        start = ts.assemble(mechanism("slider_crank"), {"alpha": 1.0})
        ts.robots.workspace(start, "B", driven=["x"])
    with pytest.raises(ModelError, match="1 of its 1 freedoms are not driven: beta moves"):
        ts.robots.workspace(mechanism("slider_crank"), "B", driven=["x"])  # a dead point
    with pytest.raises(ModelError, match="40 steps of 6 coordinates are 4096000000"):
        ts.robots.workspace(mechanism("puma560"), "wrist", steps=40)
    with pytest.raises(ModelError, match='place "nib" does not exist'):
        ts.robots.workspace(five, "nib")


def test_they_are_told_in_words():
    found, places = five_bar()
    assert str(found).startswith('"pen" reaches x ')
    assert str(places[0]).startswith('serial singularity: "pen" cannot move along (')
    parallel = next(x for x in places if x.kind == "parallel")
    assert str(parallel).startswith(f"parallel singularity: {parallel.coordinate} moves while")
    assert places[0].document["kind"] == "serial"
    assert found.document["missing"] == found.missing
