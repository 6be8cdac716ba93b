"""Random mechanisms whose rows repeat each other or whose tree has no inertia: both formulations.

Motion, drives and whatever reactions are unique agree; energy is balanced; no loop opens.
"""

import re

import numpy as np
import pytest
from random_loops import FAMILIES, closed_ring, random_loops
from two_formulations import both, unlike_self_stress

import torseur as ts
from torseur.simulation.constraints.numeric_constraints import NumericConstraints

CLOSE = 1e-8
DEFAULT, ALL = 50, 1000


def size(*arrays):
    return max(float(np.abs(x).max(initial=0.0)) for x in arrays)


def moved(described, second):
    """Both runs; up to shortly before its dead point where a drive leads into one, told by both."""
    duration = 1.5 * second
    try:
        return both(described, duration, rate=10 / second, rtol=1e-11)
    except ts.SolveError:
        assert "motions" in described
    model = ts.load(described)
    ends = [dead_point(model, duration, coordinates) for coordinates in ("joint", "absolute")]
    assert ends[0] == pytest.approx(ends[1], rel=0.05)
    duration = 0.8 * min(ends)
    return both(described, duration, rate=15 / duration, rtol=1e-11)


def dead_point(model, duration, coordinates):
    """When a motion comes to a place that it cannot leave [s]."""
    with pytest.raises(ts.SolveError) as told:
        ts.simulate(model, duration, rate=2 / duration, coordinates=coordinates)
    return float(re.search(r"t = ([^ ]+) s", str(told.value))[1])


def closeness(run):
    """What can be asked of each sample: errors grow as rows tell poses apart less sharply."""
    held = NumericConstraints(run.model)
    values = [np.linalg.svd(held.scaled_J(q, t))[1] for q, t in zip(run.q, run.t, strict=True)]
    return [CLOSE / min(1.0, 10 * x[x > 1e-6].min(initial=1.0)) for x in values]


def assert_both_formulations_agree(seed):
    described, second = random_loops(seed)
    joint, absolute = moved(described, second)
    scales, close = joint.model.sizes.scales, closeness(joint)
    for name, unit in joint.names.items():
        reach = scales.length if unit.startswith("m") else 1.0
        per = 1 / second if unit.endswith("/s") else 1.0
        error = size(joint[name] - absolute[name])
        assert error < max(close) * max(reach * per, size(joint[name])), (name, error)
    for run in (joint, absolute):
        assert run.closure_error < 1e-11 * max(1.0, scales.length)
        assert run.energy_drift < CLOSE
    assert_same_forces(joint, absolute, "motions" in described, close)


def assert_same_forces(joint, absolute, driven, close):
    """Every reaction but for self-stresses, and the drive."""
    names = list(joint.samples.wrenches)
    wrenches = [np.stack([x.reaction(n) for n in names], axis=1) for x in (joint, absolute)]
    lengths = np.repeat([1.0, joint.model.sizes.scales.length], 3)
    scale = size(wrenches[0] / lengths)
    for k in range(0, len(joint.t), 4):
        difference = (wrenches[1][k] - wrenches[0][k]) / lengths
        left = unlike_self_stress(joint, k, difference, lengths)
        assert size(left) < close[k] * scale, (k, size(left), scale)
    if driven:
        drives = joint.drive("drive"), absolute.drive("drive")
        assert size(drives[0] - drives[1]) < CLOSE * size(drives[0])


@pytest.mark.sampled(1, kind=lambda seed: seed % len(FAMILIES))
@pytest.mark.parametrize("seed", range(DEFAULT))
def test_both_formulations_agree_on_a_random_mechanism_with_loops(seed):
    assert_both_formulations_agree(seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(DEFAULT, ALL))
def test_both_formulations_agree_on_many_random_mechanisms_with_loops(seed):
    assert_both_formulations_agree(seed)


def test_a_drive_that_leads_exactly_into_a_dead_point_is_told():
    """The speeds there are no numbers: the constraints are dependent to the last digit."""
    assert_both_formulations_agree(279)


@pytest.mark.parametrize("family", FAMILIES)
def test_the_mobility_of_each_family_is_that_of_the_books(family):
    described, _ = random_loops(list(FAMILIES).index(family))
    expected = {
        "bennett": (1, 3), "spherical": (1, 3), "plane": (1, 3), "myard": (1, 2), "bricard": (1, 1),
        "sarrus": (1, 4), "three cranks": (1, 7), "rod between balls": (2, 0), "thin blade": (2, 0),
        "sliding axle": (1, 1),
    }  # fmt: skip
    found = ts.mobility(ts.load(described))
    if family == "wheels on a rail":  # each wheel is held up and aside by the rail already
        wheels = len(described["constraints"])
        assert (found.degree, found.overconstraint) == (1, 2 * wheels)
    else:
        assert (found.degree, found.overconstraint) == expected[family]


WIPER = {
    "gravity": [0, -9.81, 0],
    "parameters": {"a": "40 mm", "b": "250 mm", "c": "60 mm", "d": "255 mm", "N": "60 tr/min"},
    "bodies": {
        "crank": {"shape": {"bar": {"length": "a", "axis": "x"}}, "mass": 0.1,
                  "centre": ["a/2", 0, 0]},
        "rod": {"mass": 0.2, "centre": ["b/2", 0, 0], "inertia": [1e-6, 1e-3, 1e-3]},
        "blade": {"mass": 0.4, "centre": [0, 0.3, 0], "inertia": [0, 0, 0.012]},
    },
    "joints": {
        "A": {"type": "pivot", "bodies": ["ground", "crank"], "axis": "z", "coordinate": "theta"},
        "B": {"type": "rotule", "bodies": ["crank", "rod"], "point": [["a", 0, 0], [0, 0, 0]]},
        "C": {"type": "rotule", "bodies": ["rod", "blade"], "point": [["b", 0, 0], ["c", 0, 0]]},
        "D": {"type": "pivot", "bodies": ["ground", "blade"], "axis": "z",
              "point": [["d", 0, 0], [0, 0, 0]], "coordinate": "phi"},
    },
    "motions": {"motor": {"coordinate": "theta", "law": "N*t"}},
}  # fmt: skip


def test_a_motor_torque_is_the_rate_of_energy_though_the_tree_alone_has_no_inertia():
    model = ts.compile(ts.load(WIPER))
    run = ts.simulate(model, 1.0, rate=2000, rtol=1e-11, coordinates="joint")
    assert np.linalg.matrix_rank(model.mass_matrix(run.q[0]), tol=1e-9) < len(model.speeds)
    energy = run.energy["kinetic"] + run.energy["potential"]
    rate = (energy[2:] - energy[:-2]) * 1000
    power = run.drive("motor") * run["theta."]
    assert power[1:-1] == pytest.approx(rate, abs=1e-3 * size(power))


def test_a_ring_that_is_over_constrained_turns_through_every_pose():
    """Its rows repeat each other now here, now there: no fixed choice of them would do."""
    described, second = random_loops(0)
    described["initial"] = {"q0.": 6 / second}
    run = ts.simulate(ts.load(described), 4 * second, rate=40 / second, coordinates="joint")
    assert np.ptp(run["q0"]) > 2 * np.pi
    held = NumericConstraints(run.model)
    sizes = np.array([np.linalg.svd(held.scaled_J(q, 0.0))[1] for q in run.q])
    assert sizes[:, 1].min() > 0.01  # no dead point on the way
    assert run.closure_error < 1e-11 * max(1.0, run.model.sizes.scales.length)
    assert run.energy_drift < 1e-6


@pytest.mark.parametrize("family", ["bennett", "plane", "rod between balls"])
def test_rows_are_chosen_where_others_must_count_and_not_before_every_step(family):
    """In absolute coordinates: at the start, at the end, and for the reactions of each sample."""
    described, second = random_loops(list(FAMILIES).index(family))
    run = ts.simulate(ts.load(described), second, rate=2 / second, coordinates="absolute")
    assert run.samples.poses.model.choices <= 2 + len(run.t)


def test_rows_of_a_ring_that_turns_through_every_pose_give_way_to_others():
    described, second = random_loops(0)
    described["initial"] = {"q0.": 6 / second}
    made = ts.load(described)
    run = ts.simulate(made, 4 * second, rate=4 / second, rtol=1e-11, coordinates="absolute")
    assert np.ptp(run["q0"]) > 2 * np.pi
    assert 2 < run.samples.poses.model.choices < 50
    assert run.energy_drift < 1e-11


def test_axes_of_every_ring_close():
    rng = np.random.default_rng(0)
    for name in ("bennett", "spherical", "plane", "myard", "bricard"):
        links = getattr(__import__("random_loops"), name)
        assert len(closed_ring(rng, links)) == len(links(rng))
