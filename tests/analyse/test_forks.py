"""Forks of linkages: branches that meet, and the regular states on the branches beside them."""

import numpy as np
import pytest
from example_states import mechanism

import torseur as ts

KINDS = ("joint", "absolute")


def folded(angle: float, rate: float) -> dict[str, float]:
    """The two bars of the column on each other, turning about the lower joint."""
    start = {"theta": angle, "bend": np.pi, "x": 0.0, "lean": angle + np.pi}
    return {**start, "theta.": rate}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("angle", [-2.9, -0.7, 0.0, 0.3, 1.3072465, 1.56, 2.5])
def test_bars_folded_on_each_other_turn_uniformly(angle, kind):
    """Neither the spring nor the load works: only the mass at the middle joint moves, freely."""
    for rate in (0.0, 2.0 if abs(angle) < 1 else -2.0):
        initial = folded(angle, rate * np.sign(angle or 1.0))
        run = ts.simulate(
            mechanism("buckling_two_bars"), 0.1, rate=50, initial=initial, coordinates=kind
        )
        assert run["theta"] == pytest.approx(angle + initial["theta."] * run.t, abs=1e-9)
        assert run["bend"] == pytest.approx(np.pi, abs=1e-12)
        assert run.energy_drift < (1e-5 if rate else 1e-3)  # at rest nothing is exchanged


def parallelogram(gravity: float) -> ts.Mechanism:
    """Two bars of 1 m and a coupler of 2 m, which hang along x when all angles are zero."""

    def bar(length: float) -> dict:
        return {"mass": 1, "centre": [length / 2, 0, 0], "inertia": [0.1, 0.1, 0.1]}

    def pivot(bodies: list[str], coordinate: str, first: float, second: float) -> dict:
        point = [[first, 0, 0], [second, 0, 0]]
        return {"type": "pivot", "bodies": bodies, "point": point, "axis": "z",
                "coordinate": coordinate}  # fmt: skip

    joints = {
        "A": pivot(["ground", "a"], "A", 0, 0),
        "B": pivot(["a", "b"], "B", 1, 0),
        "D": pivot(["ground", "c"], "D", 2, 0),
        "C": pivot(["b", "c"], "C", 2, 1),
    }
    bodies = {"a": bar(1), "b": bar(2), "c": bar(1)}
    return ts.load({"gravity": [gravity, 0, 0], "bodies": bodies, "joints": joints,
                    "reactions": "least_norm"})  # fmt: skip


FLAT = {"A": 0.0, "B": 0.0, "D": 0.0}
WORDS = r'fork \(singular configuration\): "C" no longer hold .*, branches of the linkage meet'


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "speeds",
    [
        {},
        {"A.": 1.0},  # tangent to no branch
        {"A.": 1.0, "B.": -1.0, "D.": 1.0},  # as a parallelogram
        {"A.": 1.0, "B.": -3.0, "D.": -3.0},  # as a butterfly
    ],
)
def test_no_motion_starts_where_branches_meet(speeds, kind):
    with pytest.raises(ts.SolveError, match=WORDS):
        ts.simulate(parallelogram(0.0), 0.1, initial={**FLAT, **speeds}, coordinates=kind)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("ratio", [1.0, -3.0])
def test_a_motion_starts_beside_a_fork(ratio, kind):
    """The bars turn as 1 to 1 in a parallelogram and, near the fork, as 1 to −3 in a butterfly.

    To second order A² + 2 φ² = D², A + 2 φ = D, φ being the angle of the coupler.
    """
    start = {"A": 0.03, "B": -0.03 if ratio > 0 else -0.09, "D": 0.03 * ratio, "A.": 1.0}
    run = ts.simulate(parallelogram(0.0), 0.1, rate=50, initial=start, coordinates=kind)
    assert run.energy_drift < 1e-7
    assert run["D."][0] == pytest.approx(ratio, rel=0.01)


def test_an_equilibrium_where_branches_meet_has_no_linear_verdict():
    """A linkage of one freedom has one frequency on each branch, and none where they meet."""
    hanging = parallelogram(9.81)
    states = ts.equilibria(hanging, box={name: (-1.0, 1.0) for name in FLAT})
    flat = [x for x in states if max(abs(x.coordinates[name]) for name in FLAT) < 1e-6]
    assert flat
    for one in flat:
        assert one.stable.word == "undecided"
        with pytest.raises(ts.SolveError, match=WORDS):
            ts.linearise(one)
        with pytest.raises(ts.SolveError, match=WORDS):
            ts.simulate(hanging, 0.1, initial={**one.coordinates, **one.speeds})
    with pytest.raises(ts.SolveError, match=WORDS):
        ts.linearise(hanging, FLAT)
