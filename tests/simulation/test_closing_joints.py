"""Joints that close loops: their coordinates, speeds and accelerations, all samples at once."""

import time

import numpy as np
import pytest
from closing_mechanisms import LOADED, WIPER
from example_states import EXAMPLES, mechanism, model
from numpy.testing import assert_allclose

import torseur as ts
from torseur.dynamics.tree.closure import closures, relative_motions
from torseur.model.joint_graph import spanning
from torseur.model.values.numeric import numeric_mechanism
from torseur.spatial import quaternion
from torseur.topology.structure import structure

LOOPS = [
    name
    for name in EXAMPLES
    if any(x.coordinates for x in spanning(mechanism(name)).closing) and name != "stewart_platform"
]
CASES = {**dict.fromkeys(LOOPS), **LOADED}


def run_of(name, coordinates="joint", at=(0.0, 0.04, 0.09, 0.16, 0.2)):
    made = model(name) if name in LOOPS else ts.compile(ts.load(LOADED[name]))
    return ts.simulate(made, 0.2, at=at, rtol=1e-10, coordinates=coordinates)


@pytest.mark.sampled(10)
@pytest.mark.parametrize("name", CASES)
def test_coordinates_and_speeds_are_read_from_the_relative_pose_and_motion(name):
    """The definition, one sample after the other, on floats."""
    run = run_of(name)
    joints = run.model.mechanism.joints
    made = structure(numeric_mechanism(run.model.mechanism, run.model.parameters))
    cuts = tuple(cut for cut in made.cuts if cut.coordinates)
    for k, (q, v) in enumerate(zip(run.q, run.v, strict=True)):
        found = closures(made.tree, cuts, q)
        for closure, t in zip(found, relative_motions(made.tree, found, q, v), strict=True):
            joint = joints[closure.cut.name]
            read = np.array([run[x][k] for x in joint.coordinates])
            wanted = np.asarray(closure.coordinates, dtype=float)
            if joint.kind.turning and read[-4:] @ wanted[-4:] < 0:
                wanted[-4:] *= -1
            angles = np.array([unit == "rad" for unit in joint.kind.coordinate_units])
            turns = np.where(angles, np.round((read - wanted) / (2 * np.pi)), 0.0)
            assert_allclose(read - 2 * np.pi * turns, wanted, atol=1e-12)
            speeds = [run[x][k] for x in joint.speeds]
            assert_allclose(
                speeds, closure.speeds(t).astype(float), atol=1e-12 * max(1, *np.abs(v))
            )


@pytest.mark.sampled(16)
@pytest.mark.parametrize("coordinates", ["joint", "absolute"])
@pytest.mark.parametrize("name", CASES)
def test_accelerations_are_the_rates_of_speeds(name, coordinates):
    """By central differences of order 4 on the motion between samples."""
    middle, h = 0.1, 1e-3
    shifts = np.array([-2, -1, 1, 2]) * h
    run = run_of(name, coordinates, at=[middle])
    around = run(middle + shifts)
    for speed in [x for x, unit in run.names.items() if unit.endswith("/s")]:
        a, b, c, d = around[speed]
        rate, size = (a - 8 * b + 8 * c - d) / (12 * h), np.abs(run.a).max()
        assert run[f"{speed}."][0] == pytest.approx(rate, abs=1e-5 * max(1.0, size)), speed
    with pytest.raises(ts.ModelError, match="does not exist"):
        run["nothing.."]


@pytest.mark.parametrize("name", ["wiper", "drive of D", "four_bar"])
def test_both_formulations_read_the_same_closing_joints(name):
    one, other = run_of(name), run_of(name, "absolute")
    for each in one.names:
        scale = max(1.0, np.abs(one[each]).max())
        assert_allclose(one[each], other[each], atol=1e-7 * scale, err_msg=each)


def test_many_attitudes_at_once_are_those_one_by_one():
    rng = np.random.default_rng(0)
    attitudes = rng.normal(size=(4, 200))
    attitudes[:, :20] = np.eye(4)[:, rng.integers(0, 4, 20)] + 1e-9 * rng.normal(size=(4, 20))
    attitudes /= np.linalg.norm(attitudes, axis=0)
    found = quaternion.from_matrix(quaternion.matrix(attitudes))
    single = [quaternion.from_matrix(quaternion.matrix(x)) for x in attitudes.T]
    assert_allclose(found.T, single, atol=1e-15)
    assert_allclose(np.abs((found * attitudes).sum(axis=0)), 1.0, atol=1e-14)
    assert (found[0] >= 0).all()


def test_closing_joints_of_a_long_run_are_read_at_once():
    """A millisecond for a thousand samples where one by one would take half a second."""
    run = ts.simulate(ts.load(WIPER), 0.1, rate=2e4)
    run.model.function("closing_motions")
    began = time.process_time()
    for name in run.names:
        run[name]
    assert time.process_time() - began < 0.2
