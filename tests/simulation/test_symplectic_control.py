"""Symplectic steps under sampled control: between two samples the commanded forces are constant."""

from functools import cache
from importlib.resources import files

import numpy as np
import pytest

import torseur as ts

COORDINATES = ("joint", "absolute")
ORDERS = {"symplectic2": 2, "symplectic": 4, "symplectic6": 6}
M, STIFFNESS = 2.0, 200.0  # of an oscillator
T, K, D = 0.1, 40.0, 6.0  # sampling time and gains


@cache
def oscillator():
    return ts.compile(
        ts.load(
            {
                "bodies": {"sled": {"mass": M}},
                "joints": {
                    "rail": {
                        "type": "prismatic",
                        "bodies": ["ground", "sled"],
                        "axis": "x",
                        "coordinate": "x",
                    }
                },
                "forces": {"spring": {"type": "law", "joint": "rail", "value": f"-{STIFFNESS}*x"}},
                "initial": {"x": 0.3},
            }
        )
    )


@cache
def example(name):
    return ts.compile(ts.load(files("torseur.examples") / f"{name}.yaml"))


@cache
def floating():
    """A hull free in space that carries a flap, tied to it by a rod: quaternions and a loop."""
    body = {"mass": 1.0, "centre": [0.1, 0.05, -0.1], "inertia": [0.1, 0.15, 0.2]}
    return ts.compile(
        ts.load(
            {
                "bodies": dict.fromkeys(("hull", "arm", "flap"), body),
                "joints": {
                    "carrier": {"type": "free", "bodies": ["ground", "hull"]},
                    "ball": {
                        "type": "spherical",
                        "bodies": ["hull", "arm"],
                        "point": [[0.3, 0, 0], [0, 0, 0]],
                    },
                    "hinge": {
                        "type": "revolute",
                        "bodies": ["hull", "flap"],
                        "axis": "y",
                        "point": [[-0.3, 0, 0], [0, 0, 0]],
                    },
                    "rod": {
                        "type": "rod",
                        "bodies": ["arm", "flap"],
                        "point": [[0, 0, 0.4], [0, 0, 0.4]],
                        "length": 0.5,
                    },
                },
                "initial": {"ball_wy": 0.7, "ball_wz": -0.5, "hinge": 0.3},
            }
        )
    )


def pd(t, q, v):
    return -K * q - D * v


def calming(t, q, v):
    return -20 * q - 2 * v


def cranked(couple):
    """A couple on a crank [N m]."""

    def law(t, q, v):
        return {"alpha": couple * np.sin(5 * t) - couple / 30 * v[0]}

    return ts.control.Loop(law, 0.01, actuators=["alpha"])


# a couple that turns with the arm: constant along its speed, and without potential
TURNED = ts.control.Loop(
    lambda t, q, v: {"ball_wx": 0.3 + 0.2 * np.cos(3 * t), "ball_wz": -0.4 * v[8]},
    0.04,
    actuators=["ball_wx", "ball_wz"],
)
CASES = {
    "double_pendulum": (lambda: example("double_pendulum"), ts.control.Loop(calming, 0.01), 0.01),
    "slider_crank": (lambda: example("slider_crank"), cranked(3.0), 0.005),
    "four_bar": (lambda: example("four_bar"), cranked(0.03), 0.005),
    "floating": (floating, TURNED, 0.04),
}


def between_samples(steps, delay=0, limit=np.inf, rest=0.0):
    """x, v, u and work of the oscillator at samples, exact: the force is constant in between."""
    x, v, before, work = 0.3, 0.0, 0.0, 0.0
    w, pipe, rows = np.sqrt(STIFFNESS / M), [0.0] * (delay + 1), []
    for _ in range(steps):
        pipe = [float(np.clip(-K * x - D * v, -limit, limit)), *pipe[:-1]]
        before = before if rest else pipe[delay]
        rows.append((x, v, before, work))
        for u, h in ((before, rest), (pipe[delay], T - rest)):
            c, s, rest_at = np.cos(w * h), np.sin(w * h), u / STIFFNESS
            there = rest_at + (x - rest_at) * c + v / w * s
            x, v, work = there, v * c - (x - rest_at) * w * s, work + u * (there - x)
        before = pipe[delay]
    return np.array(rows)


# --- closed forms -------------------------------------------------------------------------------


@pytest.mark.parametrize(("method", "known"), ORDERS.items())
@pytest.mark.parametrize(
    ("delay", "limit", "rest"), [(0, np.inf, 0.0), (2, 5.0, 0.0), (1, np.inf, 0.04)]
)
def test_an_oscillator_under_held_forces_is_exact_to_the_order(method, known, delay, limit, rest):
    exact = between_samples(21, delay, limit, rest)
    loop = ts.control.Loop(pd, T, delay * T + rest, saturation=limit)

    def error(step):
        at = T * np.arange(21)
        run = ts.simulate(oscillator(), at=at, method=method, step=step, control=loop)
        commands = run.work + STIFFNESS / 2 * (
            run["x"] ** 2 - 0.3**2
        )  # the law of the spring apart
        moved = np.column_stack([run["x"], run["x."], run.input("x"), commands])
        return np.abs(moved - exact).max(axis=0)

    coarse, fine = error(0.01), error(0.005)
    assert np.log2(coarse / fine) == pytest.approx(known, abs=0.1)


@pytest.mark.parametrize("method", ORDERS)
def test_a_free_mass_under_held_forces_is_exact_whatever_the_step_is(method):
    """x = x₀ + v₀ T + u T²/(2 m) is a polynomial that all the methods know."""
    described = ts.load(
        {
            "bodies": {"sled": {"mass": M}},
            "joints": dict(rail={"type": "prismatic", "bodies": ["ground", "sled"], "axis": "x"}),
            "initial": {"rail": 0.3},
        }
    )
    run = ts.simulate(described, 2.0, rate=1 / T, method=method, step=T, control=pd, sample=T)
    x, v = 0.3, 0.0
    for at, speed in zip(run["rail"], run["rail."], strict=True):
        assert (at, speed) == pytest.approx((x, v), abs=1e-13)
        u = (-K * x - D * v) / M
        x, v = x + v * T + u * T * T / 2, v + u * T


# --- mechanisms ---------------------------------------------------------------------------------


@cache
def reference(name):
    make, loop, _ = CASES[name]
    return ts.simulate(make(), 0.4, rate=25, method="dop853", rtol=1e-13, control=loop)


@pytest.mark.sampled(2, kind=lambda name, coordinates, **_: (name, coordinates))
@pytest.mark.parametrize(("method", "known"), ORDERS.items())
@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("coordinates", COORDINATES)
def test_the_error_of_a_controlled_motion_has_the_order_of_the_method(
    name, method, known, coordinates
):
    make, loop, step = CASES[name]
    true = reference(name)

    def error(h):
        run = ts.simulate(
            make(), 0.4, rate=25, method=method, step=h, control=loop, coordinates=coordinates
        )
        assert run.closure_error < 1e-14
        parts = (run.q - true.q, run.v - true.v, (run.work - true.work)[:, np.newaxis])
        return np.abs(np.hstack(parts)).max()

    assert np.log2(error(step) / error(step / 2)) == pytest.approx(known, abs=0.35)


@pytest.mark.sampled(2, kind=lambda name, coordinates, **_: (name, coordinates))
@pytest.mark.parametrize(("method", "known"), ORDERS.items())
@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("coordinates", COORDINATES)
def test_energy_changes_by_the_work_of_the_commands(name, method, known, coordinates):
    """E(T) − E(0) = Σ ∫ u·v, to the order of the method."""
    make, loop, step = CASES[name]

    def error(h):
        run = ts.simulate(
            make(), 0.4, rate=25, method=method, step=h, control=loop, coordinates=coordinates
        )
        energy = run.energy["kinetic"] + run.energy["potential"]
        assert np.ptp(run.work) > 1e-3
        return np.abs(energy - energy[0] - run.work).max()

    coarse, fine = error(step), error(step / 2)
    assert fine < 1e-13 or np.log2(coarse / fine) == pytest.approx(known, abs=0.5)


# --- whatever the loop is -----------------------------------------------------------------------


def test_a_law_as_text_with_memory_and_parameters_moves_as_the_same_law_in_python():
    text = ts.control.TextLaw(
        {"x": "-k*x - 6*x. - 60*sum"},
        parameters={"k": K},
        memory={"sum": 0.0},
        remembered={"sum": "sum + 0.1*x"},
    )
    total = [0.0]

    def law(t, q, v):
        force = -K * q - D * v - 60 * total[0]
        total[0] += T * q[0]
        return force

    one, other = (
        ts.simulate(oscillator(), 2.0, rate=10, method="symplectic", step=0.02, control=x, sample=T)
        for x in (text, law)
    )
    np.testing.assert_allclose(one.q, other.q, atol=1e-15)
    assert np.ptp(one.input("x")) > 10


def test_a_law_is_asked_once_a_sample_and_sees_speeds_with_noise_and_in_steps():
    """The mass is 2 kg: momenta in place of speeds would be twice as large."""
    seen = []

    def law(t, q, v):
        seen.append((t, *q, *v))
        return [0.0]

    loop = ts.control.Loop(law, T, noise={"x": 1e-3}, resolution={"x.": 0.25})
    run = ts.simulate(oscillator(), 2.0, rate=10, method="symplectic6", step=0.01, control=loop)
    t, x, v = np.array(seen).T
    assert t == pytest.approx(run.t, abs=1e-15)
    assert 1e-4 < np.abs(x - run["x"]).max() < 1e-2
    assert v == pytest.approx(0.25 * np.round(run["x."] / 0.25), abs=1e-12)
    assert np.abs(v).max() > 1


def test_without_a_step_the_shortest_period_counts_and_not_what_the_law_commands():
    """A command that stayed would drive the sled far away in a trial."""
    run = ts.simulate(oscillator(), 20.0, method="symplectic", control={"x": 1e3}, sample=T)
    period = 2 * np.pi / np.sqrt(STIFFNESS / M)
    assert f"({period:.3g} s)" in run.notices[0]


def test_a_run_is_known_between_its_samples_and_carried_on():
    options = {"method": "symplectic6", "step": 0.01, "control": {"x": "-40*x - 6*x."}, "sample": T}
    whole = ts.simulate(oscillator(), 2.0, rate=10, **options)
    half = ts.simulate(oscillator(), 1.0, rate=10, **options)
    rest = ts.simulate(oscillator(), 1.0, rate=10, initial=half, **options)
    np.testing.assert_allclose(rest.q, whole.q[10:], atol=1e-13)
    x, v, u, _ = between_samples(8)[7]
    w, h, middle = np.sqrt(STIFFNESS / M), 0.031, u / STIFFNESS
    there = whole(7 * T + h)
    expected = middle + (x - middle) * np.cos(w * h) + v / w * np.sin(w * h)
    assert there["x"] == pytest.approx(expected, abs=1e-9)


def test_commands_and_samples_need_not_be_at_the_same_times():
    loop = ts.control.Loop(pd, T, 0.03)
    at = [0.0, 0.017, 0.25, 1.0]
    run, true = (
        ts.simulate(oscillator(), at=at, control=loop, **options)
        for options in ({"method": "symplectic6", "step": 0.01}, {"rtol": 1e-12})
    )
    assert list(run.t) == at
    np.testing.assert_allclose(run.q, true.q, atol=1e-10)
    np.testing.assert_allclose(run.input("x"), true.input("x"), atol=1e-8)


@pytest.mark.parametrize("law", [pd, {"x": "-40*x - 6*x."}], ids=["python", "text"])
def test_a_row_of_a_batch_is_the_run_alone_bit_for_bit(law):
    options = {"rate": 10, "method": "symplectic", "step": 0.02, "control": law, "sample": T}
    starts = np.array([0.1, 0.3, -0.7])
    rows = ts.simulate(oscillator(), 2.0, initial={"x": starts}, **options)
    for k, x in enumerate(starts):
        alone = ts.simulate(oscillator(), 2.0, initial={"x": float(x)}, **options)
        assert np.array_equal(rows[k].q, alone.q) and np.array_equal(rows[k].v, alone.v)
        assert np.array_equal(rows[k].input("x"), alone.input("x"))


@pytest.mark.parametrize(("name", "joint"), [("double_pendulum", "A"), ("slider_crank", "B")])
def test_a_law_measures_the_reactions_that_a_run_tells(name, joint):
    """By machine code where they are determined, and as a run reads them of what is not."""
    seen = []

    def idle(t, q, v, reactions):
        seen.append(reactions)
        return {}

    loop = ts.control.Loop(idle, 0.02, reactions=[f"{letter}_{joint}" for letter in "XYZLMN"])
    at = 0.02 * np.arange(11)
    run = ts.simulate(example(name), at=at, method="symplectic6", step=0.01, control=loop)
    told = run.reaction(joint, frame="joint")
    assert np.abs(np.array(seen) - told).max() < 1e-9 * np.abs(told).max()


def test_an_error_in_a_law_is_raised_as_it_is():
    def law(t, q, v):
        if t > 0.45:
            raise RuntimeError("no more")
        return [0.0]

    with pytest.raises(RuntimeError, match="no more"):
        ts.simulate(oscillator(), 1.0, method="symplectic", step=0.01, control=law, sample=T)
