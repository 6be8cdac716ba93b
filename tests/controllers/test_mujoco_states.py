"""A robot under control moves here as in MuJoCo, but for the errors of MuJoCo's integrators."""

import numpy as np
import pytest

import torseur as ts

mujoco = pytest.importorskip("mujoco")

SAMPLE, COUNT = 1e-3, 200
GOAL = np.array([0.6, -0.8, 0.9, 0.5, -0.6, 0.7])
LIMIT = np.array([60.0, 80.0, 40.0, 4.0, 3.0, 0.5])
LINKS = [  # a, alpha and d of a standard table; mass, centre and moments of the link
    (0.0, 90, 0.4, 8.0, [0, -0.1, 0.02], [0.10, 0.06, 0.10]),
    (0.4, 0, 0.0, 6.0, [-0.2, 0, 0.05], [0.03, 0.12, 0.12]),
    (0.05, 90, 0.0, 4.0, [0, 0.03, 0.04], [0.04, 0.03, 0.03]),
    (0.0, -90, 0.35, 2.0, [0, 0.05, -0.02], [0.010, 0.008, 0.010]),
    (0.0, 90, 0.0, 1.0, [0, -0.02, 0.01], [0.003, 0.003, 0.002]),
    (0.0, 0, 0.1, 0.4, [0.02, 0, -0.03], [0.0006, 0.0007, 0.0004]),
]


@pytest.fixture(scope="module")
def robot():
    rows = [
        {"a": a, "alpha": f"{alpha} deg", "d": d, "mass": m, "centre": c, "inertia": moments}
        for a, alpha, d, m, c, moments in LINKS
    ]
    return ts.robots.from_dh(rows, name="six")


@pytest.fixture(scope="module")
def law(robot):
    """Servos of 15 rad/s with the weight at the measured pose, as a law of Python for both."""
    f = ts.compile(robot)
    inertia = np.diag(f.mass_matrix(np.zeros(6)))

    def given(t, q, v):
        return inertia * (225 * (GOAL - q) - 30 * v) + f.gravity(q)

    return given


@pytest.fixture(scope="module")
def here(robot, law):
    limits = dict(zip(robot.coordinates, LIMIT.tolist(), strict=True))
    loop = ts.control.Loop(law, SAMPLE, saturation=limits)
    run = ts.simulate(robot, COUNT * SAMPLE, control=loop, rate=1000, rtol=1e-11)
    acted = np.abs(run.inputs) >= LIMIT
    assert acted[:5].any() and not acted[-1].any()  # commands are at their limits, then not
    return run.q[1:]


@pytest.fixture(scope="module")
def there(robot, law, tmp_path_factory):
    """The states of MuJoCo, for steps in a sample and an integrator."""
    path = robot.save(tmp_path_factory.mktemp("six") / "six.xml")

    def moved(steps, integrator):
        model = mujoco.MjModel.from_xml_path(str(path))
        model.opt.timestep, model.opt.integrator = SAMPLE / steps, integrator
        data, found = mujoco.MjData(model), []
        for k in range(COUNT):
            command = law(k * SAMPLE, data.qpos.copy(), data.qvel.copy())
            data.qfrc_applied[:] = np.clip(command, -LIMIT, LIMIT)
            mujoco.mj_step(model, data, nstep=steps)
            found.append(data.qpos.copy())
        return np.array(found)

    return moved


def test_the_difference_from_semi_implicit_euler_falls_as_its_step(here, there):
    euler = mujoco.mjtIntegrator.mjINT_EULER
    coarse, fine = (np.abs(there(steps, euler) - here).max() for steps in (4, 8))
    assert fine < 1e-3
    assert coarse / fine == pytest.approx(2, rel=0.03)


def test_states_are_those_of_runge_kutta_to_the_fourth_order_of_its_step(here, there):
    runge_kutta = mujoco.mjtIntegrator.mjINT_RK4
    coarse, fine = (np.abs(there(steps, runge_kutta) - here).max() for steps in (1, 2))
    assert coarse < 1e-8
    assert coarse / fine == pytest.approx(16, rel=0.1)
