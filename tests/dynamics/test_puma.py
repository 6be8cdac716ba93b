"""Puma 560: the numbers published with the robotics toolboxes, motors and friction included.

Source: Corke's toolboxes (Python tests/test_DHRobot.py, MATLAB SerialLinkTest.m), which print four
decimals; the tolerance is half a unit of the last digit printed. More digits come from an
independent Newton-Euler recursion in base coordinates.
"""

from importlib.resources import files

import numpy as np
import pytest

from torseur.algebra.core.graph import evaluate
from torseur.dynamics.tree.inverse_dynamics import inverse_dynamics
from torseur.equations.formalisms.derive import derive
from torseur.equations.symbols.system import system
from torseur.language.load import load
from torseur.machine.compiled import compile
from torseur.spatial.pose import Pose

PI = np.pi
QN = np.array([0, PI / 4, PI, 0, PI / 4, 0])
ONE, NONE = np.ones(6), np.zeros(6)
SPEED = np.array([1.0, 2.0, 3.0, 1.0, 2.0, 3.0])


@pytest.fixture(scope="module")
def puma():
    return compile(load(str(files("torseur.examples") / "puma560.yaml")))


def drive(puma, q, v, a):
    """What the motors give on the output side: inertia, gravity and friction."""
    return puma.inverse_dynamics(q, v, a)


def assert_printed(found, expected, decimals=4):
    np.testing.assert_allclose(found, expected, rtol=0, atol=0.5000001 * 10**-decimals)


def test_gravity_load(puma):
    assert_printed(puma.gravity(QN), [0, 31.6399, 6.0351, 0, 0.0283, 0])
    exact = [0, 31.639880378357123, 6.0351380230105125, 0, 0.0282528, 0]
    np.testing.assert_allclose(puma.gravity(QN), exact, atol=1e-12)


def test_drive_torques_with_friction(puma):
    published = {
        (0, 1): [3.35311, 36.0025, 7.42596, 0.190043, 0.203441, 0.194133],
        (1, 1): [32.4952, 60.867, 17.7436, 1.45452, 1.29911, 0.713781],
        (1, 0): [29.1421, 56.5044, 16.3528, 1.26448, 1.12392, 0.519648],
    }
    for (v, a), expected in published.items():
        np.testing.assert_allclose(drive(puma, QN, v * ONE, a * ONE), expected, rtol=1e-5)


def test_drive_torques_without_gravity(puma):
    found = drive(puma, QN, ONE, ONE) - puma.gravity(QN)
    np.testing.assert_allclose(
        found, [32.4952, 29.2271, 11.7085, 1.45452, 1.27086, 0.713781], rtol=1e-5
    )


def test_torques_without_friction(puma):
    exact = [1.9620364869799025, 37.785429833311305, 6.67393732239212, 0.1912661163825565]
    found = puma.tree_inverse_dynamics(QN, ONE, ONE)
    np.testing.assert_allclose(found[:4], exact, rtol=1e-12)
    np.testing.assert_allclose(found[4:], [0.2058204096024866, 0.194281074210495], rtol=1e-12)


def test_mass_matrix_with_reflected_rotor_inertia(puma):
    M = puma.mass_matrix(QN)
    assert_printed(M[0], [3.6594, -0.4044, 0.1006, -0.0025, 0, 0])
    assert_printed(M[1], [-0.4044, 4.4137, 0.3509, 0, 0.0024, 0])
    assert_printed(M[2], [0.1006, 0.3509, 0.9378, 0, 0.0015, 0])
    assert_printed(M[3], [-0.0025, 0, 0, 0.1925, 0, 0])
    assert_printed(M[4], [0, 0.0024, 0.0015, 0, 0.1713, 0])
    assert_printed(M[5], [0, 0, 0, 0, 0, 0.1941])
    assert_printed(np.diag(M), [3.6594, 4.4137, 0.9378, 0.1925, 0.1713, 0.1941])
    exact = {(0, 0): 3.65937541215279, (1, 2): 0.3508906649564145, (3, 5): 0.0000282842712475}
    for place, value in exact.items():
        assert M[place] == pytest.approx(value, rel=1e-12)


def test_velocity_terms(puma):
    exact = [
        -4.634421763308457, 8.7257112245806, -1.9268101608881556,
        0.0022557893147211, 0.0190524333682795, 0.0003648528137424,
    ]  # fmt: skip
    np.testing.assert_allclose(puma.bias(QN, SPEED), exact, rtol=1e-10)
    assert_printed(puma.mass_matrix(QN) @ SPEED, [3.1500, 9.4805, 3.6189, 0.1901, 0.3519, 0.5823])


def test_the_coriolis_matrix_of_the_toolbox_times_the_speeds(puma):
    C = np.array(
        [
            [-0.1735, -2.0494, -0.1178, -0.0002, -0.0045, 0.0001],
            [0.6274, 1.1572, 1.9287, -0.0015, -0.0003, 0],
            [-0.3608, -0.7734, -0.0018, -0.0009, -0.0064, 0],
            [0.0011, 0.0005, -0.0001, 0.0002, 0.0002, -0.0001],
            [-0.0002, 0.0028, 0.0046, -0.0002, 0, 0],
            [0.0001, 0, 0, 0, 0, 0],
        ]
    )
    rounding = 0.5e-4 * np.abs(SPEED).sum()
    np.testing.assert_allclose(puma.bias(QN, SPEED), C @ SPEED, rtol=0, atol=rounding)


def test_accelerations_under_given_torques_and_friction(puma):
    v = np.array([0.1, 0.2, 0.8, 0.2, 0.5, 1.0])
    torque = np.array([1.0, 3.2, 1.8, 0.1, 0.7, 4.6])
    assert_printed(
        puma.forward_dynamics(QN, v, torque),
        [-7.4102, -9.8432, -10.9694, -4.4314, -0.9881, 21.0228],
    )


def test_the_matlab_poses(puma):
    q2 = np.array([0, PI / 4, -PI, 1, PI / 4, 0])
    q3 = np.array([0, PI / 2, -PI, 1, PI / 2, 0])
    assert_printed(puma.gravity(q2), [0, 31.6334, 6.0286, -0.0119, 0.0218, 0])
    assert_printed(puma.gravity(q3), [0, 7.7198, 8.7439, -0.0238, 0, 0])
    assert_printed(np.diag(puma.mass_matrix(q2)), [3.6591, 4.4128, 0.9377, 0.1925, 0.1713, 0.1941])
    one = np.array([0, 1, 0, 0, 2, 0], dtype=float)
    assert_printed(drive(puma, q2, one, one), [-0.9748, 59.1306, 5.9889, -0.0108, 1.8872, 0.0001])


def test_an_external_wrench_on_the_tool(puma):
    """The toolbox applies (1, 2, 3, 1, 2, 3) in the last link frame, as a load to be carried."""
    mechanism = puma.mechanism
    found = system(mechanism)
    tree = found.tree.with_inertias([link.inertia for link in found.tree.links])
    values = mechanism.parameters
    force = couple = np.array([1.0, 2.0, 3.0])
    X = tree.links[5].X_MB
    assert isinstance(X, Pose)
    pushed = {5: (-X.R.out(force), -X.R.out(couple))}
    still = np.zeros(6)
    Q = inverse_dynamics(tree, found.q, still, still, mechanism.gravity, pushed).Q
    state = dict(zip(mechanism.coordinates, QN, strict=True))
    numbers = np.asarray(evaluate(Q, {**values, **state}), dtype=float)
    expected = [0.642756, 29.0866, 4.70321, 2.82843, -1.97175, 3]
    np.testing.assert_allclose(numbers, expected, rtol=1e-5)


def test_the_condensed_and_the_recursive_equations_agree(puma):
    rng = np.random.default_rng(0)
    q, v = rng.normal(size=(2, 6))
    for formalism in ("newton-euler", "augmented-bodies"):
        found = derive(puma.mechanism, formalism).evaluate(q, v)
        np.testing.assert_allclose(found.M, puma.mass_matrix(q), atol=1e-12)
        np.testing.assert_allclose(found.h, puma.bias(q, v), atol=1e-12)
        np.testing.assert_allclose(found.g, puma.gravity(q), atol=1e-12)
