"""Singular configurations and dead points: closed forms, and the scan against the run."""

from pathlib import Path

import numpy as np
import pytest
from same_text import tells
from test_mobility import BODY, four_bar, loop

import torseur as ts

MODELS = Path(__file__).parents[1] / "models"


@pytest.fixture(scope="module")
def slider_crank():
    return ts.load(MODELS / "slider_crank.yaml")


def parallelogram(**start):
    return ts.assemble(four_bar(0.2, 0.5, 0.2, 0.5), start, pinned=("A",))


def test_a_piston_has_its_dead_points_where_crank_and_rod_are_in_line(slider_crank):
    found = ts.linkages.dead_points(slider_crank, "alpha", of="x")
    np.testing.assert_allclose([p.coordinates["alpha"] for p in found], [0, np.pi], atol=1e-9)
    np.testing.assert_allclose([p.coordinates["x"] for p in found], [0.4, 0.2], atol=1e-9)
    assert str(found[0]).startswith('dead point of x (joint "P"): alpha = 0, beta = 0')
    assert ts.linkages.dead_points(slider_crank, of="x") == found  # along its first coordinate


def test_a_rod_stands_still_on_its_piston_a_quarter_turn_later(slider_crank):
    """ψ̇ = −f α̇ vanishes with cos α (N-SC1)."""
    found = ts.linkages.dead_points(slider_crank, "alpha", of="psi")
    angles = [p.coordinates["alpha"] for p in found]
    np.testing.assert_allclose(angles, [np.pi / 2, 3 * np.pi / 2], atol=1e-9)


def test_the_dead_points_of_an_interval_are_those_inside_it(slider_crank):
    found = ts.linkages.dead_points(slider_crank, "alpha", between=(-1.0, 2.0))
    assert [p.coordinate for p in found] == ["x", "psi"]
    limited = ts.linkages.dead_points(slider_crank, "alpha", of="x", between=(0.5, 2.0))
    assert limited == ()


def test_the_rocker_of_a_four_bar_stops_where_crank_and_coupler_are_in_line():
    """cos law in the triangle of sides d, c and b ± a; the crank has no dead point (Grashof)."""
    a, b, c, d = 0.2, 0.5, 0.4, 0.5
    start = ts.assemble(four_bar(a, b, c, d), {"A": 1.0, "B": -0.5, "C": 1.0}, pinned=("A",))
    found = ts.linkages.dead_points(start, "A")
    rocker = [point.coordinates["D"] for point in found if point.coordinate == "D"]
    sides = np.array([b + a, b - a])
    expected = np.pi - np.arccos((d**2 + c**2 - sides**2) / (2 * d * c))
    np.testing.assert_allclose(np.sort(rocker), np.sort(expected), atol=1e-9)
    assert "A" not in {point.coordinate for point in found}


def test_a_path_is_followed_past_the_dead_points_of_the_coordinate_that_is_swept():
    """Swept by its rocker the four-bar still makes its whole turn."""
    start = ts.assemble(four_bar(), {"A": 1.0, "B": -0.5, "C": 1.0}, pinned=("A",))
    assert len(ts.linkages.dead_points(start, "D", of="D")) == 2


def test_a_rod_that_can_spin_does_not_hide_the_dead_points_of_its_loop():
    """There the distance between the ends of the rod, kept at 0.6, does not change with D."""

    def reach(A, D):
        crank = 0.2 * np.array([np.cos(A), np.sin(A), 0])
        # the smallest rotation that brings z onto x turns x onto −z and keeps y
        arm = 0.4 * np.array([0, np.sin(D), -np.cos(D)])
        return np.linalg.norm(np.array([0.5, 0.1, 0.1]) + arm - crank)

    found = ts.linkages.dead_points(loop(), "D", of="A")
    assert len(found) == 2
    for point in found:
        A, D = point.coordinates["A"], point.coordinates["D"]
        assert reach(A, D) == pytest.approx(0.6, abs=1e-9)
        assert (reach(A, D + 1e-5) - reach(A, D - 1e-5)) / 2e-5 == pytest.approx(0, abs=1e-9)


def test_the_dead_points_of_a_run_are_those_of_the_scan(slider_crank):
    run = ts.simulate(slider_crank, 0.3, initial={"alpha": 0.3})
    passed = float(run["alpha"][-1])
    assert 2 < passed < 2 * np.pi
    scanned = ts.linkages.dead_points(slider_crank, "alpha", between=(0.3, passed))
    found = ts.linkages.dead_points(run)
    assert [p.coordinate for p in found] == [p.coordinate for p in scanned]
    for mine, other in zip(found, scanned, strict=True):
        assert mine.coordinates["alpha"] == pytest.approx(other.coordinates["alpha"], abs=1e-8)
        at = np.interp(mine.t, run.t, run["alpha"])
        assert at == pytest.approx(mine.coordinates["alpha"], abs=1e-2)


def test_at_a_dead_point_the_coordinate_is_named_and_elsewhere_nothing_is(slider_crank):
    dead = ts.linkages.singularities(slider_crank)
    assert str(dead) == (
        'dead point: coordinate x (joint "P") cannot drive the mechanism here, although m = 1.'
    )
    turned = ts.linkages.singularities(ts.assemble(slider_crank, {"alpha": 0.3}, pinned=("alpha",)))
    assert not turned
    assert str(turned) == "The configuration is not singular."


def test_a_flat_parallelogram_can_go_two_ways():
    found = ts.linkages.singularities(parallelogram(A=0.0, B=0.0, C=0.0))
    assert (found.degree, found.generic, found.gained) == (2, 1, 1)
    assert "singular: the mechanism gains 1 motion here: m = 2, and 1 nearby." in str(found)
    upright = ts.linkages.singularities(parallelogram(A=1.0, B=-1.0, C=1.0))
    assert (upright.degree, upright.gained) == (1, 0)


def test_a_scan_meets_the_two_flat_parallelograms():
    found = ts.linkages.dead_points(parallelogram(A=1.0, B=-1.0, C=1.0), "A")
    angles = [point.coordinates["A"] for point in found if not point.coordinate]
    np.testing.assert_allclose(angles, [np.pi, 2 * np.pi], atol=1e-6)
    assert tells(str(found[0]), "singular, paths meet: A = 3.14159")


def test_bars_in_line_between_fixed_points_are_shaky_and_do_not_move():
    pivot = {"type": "pivot", "axis": "z"}
    joints = {
        "A": pivot | {"bodies": ["ground", "a"]},
        "B": pivot | {"bodies": ["a", "b"], "point": [[1, 0, 0], [0, 0, 0]]},
        "C": pivot | {"bodies": ["ground", "b"], "point": [[2, 0, 0], [1, 0, 0]]},
    }
    found = ts.linkages.singularities(ts.load({"bodies": {"a": BODY, "b": BODY}, "joints": joints}))
    assert (found.degree, found.generic, found.leaves) == (1, 0, False)
    assert str(found).startswith("shaky: 1 motion of first order only")


def test_a_coordinate_that_can_never_move_is_blocked_not_dead():
    """Two parallel guides: the cylinder cannot turn, here or anywhere."""
    guide = {"type": "cylindrical", "bodies": ["ground", "a"], "axis": "z"}
    joints = {"P": guide, "Q": guide | {"point": [1, 0, 0]}}
    found = ts.linkages.singularities(ts.load({"bodies": {"a": BODY}, "joints": joints}))
    assert found.dead == {}
    assert set(found.blocked) == {"P_angle", "Q_angle"}


def test_several_motions_are_not_a_path():
    joints = {
        name: {"type": "pivot", "bodies": pair, "axis": "z", "point": [[1, 0, 0], [0, 0, 0]]}
        for name, pair in (("A", ["ground", "a"]), ("B", ["a", "b"]))
    }
    chain = ts.load({"bodies": {"a": BODY, "b": BODY}, "joints": joints})
    with pytest.raises(ts.ModelError, match="the mechanism has 2 useful motions; a path has one"):
        ts.linkages.dead_points(chain, "A")
    assert ts.linkages.dead_points(chain, "A", pinned=("B",)) == ()
    with pytest.raises(ts.ModelError, match='coordinate "C" does not exist'):
        ts.linkages.dead_points(chain, "C")


@pytest.mark.parametrize("coordinates", ["joint", "absolute"])
def test_a_drive_into_a_dead_point_ends_there_and_says_when(coordinates):
    """A rod of 0.6 m on a crank of 1 m cannot follow it beyond sin θ = 0.6."""
    described = {
        "bodies": {
            "crank": {"mass": 1, "inertia": [0.1, 0.1, 0.1]},
            "rod": {"mass": 1, "centre": [0.3, 0, 0], "inertia": [0.1, 0.1, 0.1]},
            "slider": {"mass": 1},
        },
        "joints": {
            "O": {"type": "pivot", "bodies": ["ground", "crank"], "axis": "z", "coordinate": "a"},
            "A": {"type": "pivot", "bodies": ["crank", "rod"], "axis": "z",
                  "point": [[1, 0, 0], [0, 0, 0]], "coordinate": "b"},
            "B": {"type": "pivot", "bodies": ["rod", "slider"], "axis": "z",
                  "point": [[0.6, 0, 0], [0, 0, 0]], "coordinate": "c"},
            "S": {"type": "slider", "bodies": ["ground", "slider"], "axis": "x", "coordinate": "x"},
        },
        "motions": {"drive": {"coordinate": "a", "law": "t"}},
        "initial": {"x": 1.6},
    }  # fmt: skip
    with pytest.raises(ts.SolveError) as told:
        ts.simulate(ts.load(described), 1.0, coordinates=coordinates)
    assert f"t = {np.arcsin(0.6):.6g} s" in str(told.value)
