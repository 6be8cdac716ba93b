"""Poisson's law of restitution: against Routh's method, and where Newton's would give energy."""

from functools import cache

import numpy as np
import pytest

import torseur as ts

LENGTH, TILT = 0.5, np.radians(60)
INSTANT = 1e-5  # without gravity nothing but the shock changes speeds


@cache
def rod(law):
    """A rod of length 2 l that falls on its lower end, without gravity."""
    return ts.compile(
        ts.load(
            {
                "parameters": {"l": LENGTH, "mu": 0.3, "e": 0.5},
                "bodies": {"rod": {"mass": 1, "inertia": [0, "1 kg*l^2/3", "1 kg*l^2/3"]}},
                "joints": {
                    "plane": {
                        "type": "planar",
                        "bodies": ["ground", "rod"],
                        "normal": "z",
                        "coordinates": ["x", "y", "theta"],
                    }
                },
                "contacts": {
                    "tip": {
                        "bodies": ["ground", "rod"],
                        "point": ["-l", 0, 0],
                        "normal": "y",
                        "friction": "mu",
                        "restitution": {law: "e"},
                    }
                },
                "initial": {"y": LENGTH * np.sin(TILT), "theta": TILT},
            }
        )
    )


def struck(law, mu, e, vx=-1.0):
    """The speeds of the rod after it has struck."""
    start = {"x.": vx, "y.": -3.0}
    run = ts.simulate(rod(law), INSTANT, initial=start, parameters={"mu": mu, "e": e}, rate=1e5)
    return run.v[-1]


def by_routh(mu, e, vx):
    """Speeds after the shock, and what became of the sliding, by Routh's method.

    The tip slides against its friction until its speed along the floor is gone; enough friction
    then holds it. Compression ends where it approaches no more, expansion has e times its impulse.
    """
    v, inertia = np.array([vx, -3.0, 0.0]), np.diag([1.0, 1.0, LENGTH**2 / 3])
    J = np.array([[1, 0, LENGTH * np.sin(TILT)], [0, 1, -LENGTH * np.cos(TILT)]])
    X = np.linalg.solve(inertia, J.T)
    A, (along, normal) = J @ X, J @ v
    sliding = np.array([-mu * np.sign(along), 1.0])  # impulses for each unit of the normal one
    holding = np.array([-A[0, 1] / A[0, 0], 1.0])
    stops = -along / (A @ sliding)[0]
    stops = stops if stops > 0 else np.inf
    compressed = -normal / (A @ sliding)[1]
    if stops < compressed:
        compressed = stops - (normal + stops * (A @ sliding)[1]) / (A @ holding)[1]
    whole = (1 + e) * compressed
    slid = min(stops, whole)
    assert slid == whole or abs(holding[0]) <= mu, "friction holds what has stopped"
    when = "expansion" if compressed < slid < whole else "compression" if slid < whole else "never"
    return v + X @ (slid * sliding + (whole - slid) * holding), when


def test_an_oblique_shock_with_friction_is_that_of_rouths_method():
    ends = set()
    for mu, e, vx in ((0.1, 0.5, -1.0), (0.8, 0.5, -0.2), (0.8, 0.9, -1.5), (0.8, 0.9, -6.0)):
        wanted, end = by_routh(mu, e, vx)
        np.testing.assert_allclose(struck("poisson", mu, e, vx), wanted, rtol=1e-12, atol=1e-12)
        ends.add(end)
    assert ends == {"never", "compression", "expansion"}


def test_a_shock_without_friction_is_the_same_by_newton_and_by_poisson():
    for e in (0.0, 0.4, 1.0):
        np.testing.assert_allclose(struck("poisson", 0, e), struck("newton", 0, e), rtol=1e-13)


def test_a_shock_that_sticks_is_not_the_same_by_newton_and_by_poisson():
    assert not np.allclose(struck("poisson", 0.8, 0.5), struck("newton", 0.8, 0.5), rtol=1e-2)


# --- energy ---------------------------------------------------------------------------------------


@cache
def double_pendulum(law):
    """Two rods that hang above a rough floor, which the lower one strikes."""
    rod = {"mass": 1, "centre": [0, -0.5, 0], "inertia": ["1/12", 0, "1/12"]}
    hinge = {"type": "revolute", "axis": "z"}
    return ts.compile(
        ts.load(
            {
                "parameters": {"h": 2, "mu": 0.5},
                "bodies": {"upper": rod, "lower": rod},
                "joints": {
                    "A": {**hinge, "bodies": ["ground", "upper"], "coordinate": "q1"},
                    "B": {
                        **hinge,
                        "bodies": ["upper", "lower"],
                        "point": [[0, -1, 0], [0, 0, 0]],
                        "coordinate": "q2",
                    },
                },
                "contacts": {
                    "floor": {
                        "bodies": ["ground", "lower"],
                        "point": [0, -1, 0],
                        "through": [0, "-h", 0],
                        "normal": "y",
                        "friction": "mu",
                        "restitution": {law: 0.5},
                    }
                },
            }
        )
    )


def at_the_floor(law, upper, lower, speeds, mu):
    """A run that starts where the lower rod strikes; angles from the vertical [deg]."""
    a, b = np.radians([upper, lower])
    start = {"q1": a, "q2": b - a, "q1.": speeds[0], "q2.": speeds[1] - speeds[0]}
    values = {"h": np.cos(a) + np.cos(b), "mu": mu}
    return ts.simulate(double_pendulum(law), INSTANT, initial=start, parameters=values, rate=1e5)


def energy_of(upper, lower, speeds):
    """The kinetic energy of both rods, by König's theorem."""
    (a, b), (w1, w2) = np.radians([upper, lower]), speeds
    along = 0.5 * w1**2 / 3
    v = w1**2 + w2**2 / 4 + w1 * w2 * np.cos(a - b)
    return along + 0.5 * v + w2**2 / 24


def test_a_double_pendulum_on_a_rough_floor_gains_energy_by_newtons_law_and_none_by_poissons():
    """The example by which Newton's law was found wanting with friction (Kane and Levinson 1985):
    what it would gain is not given back, and said."""
    case = (-45.7, -34.1, (-0.677, 2.286), 0.568)
    newton, poisson = at_the_floor("newton", *case), at_the_floor("poisson", *case)
    assert "would create energy" in newton.notices[0]
    assert poisson.notices == ()
    before = energy_of(*case[:3])
    assert newton.energy["kinetic"][-1] == pytest.approx(before, rel=1e-5)
    assert poisson.energy["kinetic"][-1] < 0.99 * before


@pytest.mark.parametrize(
    "options", [{}, {"method": "moreau", "step": 1e-5}], ids=["events", "steps"]
)
@pytest.mark.parametrize("part", [0.5, 1.0])
@pytest.mark.parametrize("angle", [0.003, 0.2])
@pytest.mark.parametrize("ratio", [0.9, 1.1])
def test_a_linkage_beside_its_dead_point_wedges_where_friction_holds_it(
    options, part, angle, ratio
):
    """Arms of a parallelogram at φ from the dead point: the floor lifts by sin φ and drags by
    μ cos φ, so that no impulse of it can turn them back if tan φ < μ, whatever it gives back."""
    pivot, bar = {"type": "revolute", "axis": "z"}, {"mass": 1, "centre": [0, -0.2, 0]}
    entries = {
        "gravity": [0, 0, 0],
        "bodies": {"crank": bar, "rocker": bar, "rod": {"mass": 2, "centre": [0.3, 0, 0]}},
        "joints": {
            "a": {**pivot, "bodies": ["ground", "crank"]},
            "b": {**pivot, "bodies": ["crank", "rod"], "point": [[0, -0.4, 0], [0, 0, 0]]},
            "d": {**pivot, "bodies": ["ground", "rocker"], "point": [[0.6, 0, 0], [0, 0, 0]]},
            "c": {**pivot, "bodies": ["rod", "rocker"], "point": [[0.6, 0, 0], [0, -0.4, 0]]},
        },
        "contacts": {
            "floor": {
                "bodies": ["ground", "rod"], "point": [0.2, 0, 0], "normal": "y",
                "through": [0, -0.4 * np.cos(angle), 0],
                "friction": np.tan(angle) / ratio, "restitution": part,
            }
        },
        "initial": {"a": angle, "b": -angle, "d": angle, "a.": -1.0, "b.": 1.0, "d.": -1.0},
    }  # fmt: skip
    run = ts.simulate(ts.load(entries), 0.01, rate=1e3, **options)
    leaves = part if ratio > 1 else 0.0
    error = 1e-9 + 2 * options.get("step", 0.0) / angle  # of order one in steps
    assert run["a."][1:] == pytest.approx(leaves, abs=error)
    assert any("restitution" in notice for notice in run.notices) == (ratio < 1)


def test_shocks_by_poissons_law_never_give_energy():
    rng = np.random.default_rng(3)
    seen = 0
    while seen < 25:
        upper, lower = rng.uniform(-60, 60, 2)
        speeds, mu = rng.uniform(-3, 3, 2), rng.uniform(0.1, 1.5)
        a, b = np.radians([upper, lower])
        if np.sin(a) * speeds[0] + np.sin(b) * speeds[1] > -0.1:
            continue  # it does not strike
        seen += 1
        run = at_the_floor("poisson", upper, lower, speeds, mu)
        assert run.notices == ()
        assert run.energy["kinetic"][-1] < energy_of(upper, lower, speeds)


# --- several contacts -----------------------------------------------------------------------------


@pytest.mark.parametrize("back", [0.5, 1.0])
def test_an_end_that_gives_back_presses_the_other_down_which_gives_more_than_its_part(back):
    """A rod falls flat on two supports, of which one gives back. Pushed there by e P, P = m v/2,
    the rod would turn about a point between both; the other holds its end, by e P/2."""
    floor = {"bodies": ["ground", "rod"], "normal": "y"}
    run = ts.simulate(
        ts.load(
            {
                "bodies": {"rod": {"mass": 2, "inertia": [0, 0, "2/3"]}},  # of half length 1
                "joints": {
                    "plane": {
                        "type": "planar",
                        "bodies": ["ground", "rod"],
                        "normal": "z",
                        "coordinates": ["x", "y", "theta"],
                    }
                },
                "contacts": {
                    "left": {**floor, "point": [-1, 0, 0], "restitution": {"poisson": back}},
                    "right": {**floor, "point": [1, 0, 0], "restitution": {"poisson": 0}},
                },
                "initial": {"y.": -3},
            }
        ),
        INSTANT,
        rate=1e5,
    )
    shocks = {event.name: event.impulse for event in run.events if event.cause == "shock"}
    assert shocks == pytest.approx({"left": 3 * (1 + back), "right": 3 * (1 + back / 2)})
    left, right = (run.v[-1, 1] + sign * run.v[-1, 2] for sign in (-1, 1))
    assert right == pytest.approx(0, abs=1e-12)
    assert left == pytest.approx(2 * 0.75 * 3 * back)


@pytest.mark.parametrize(
    "options", [{}, {"method": "moreau", "step": 1e-6}], ids=["events", "steps"]
)
@pytest.mark.parametrize(("rear", "back"), [(1.75, 0.36), (0.2, 0.9)])
def test_a_mass_strikes_by_newtons_law_another_that_strikes_a_wall_by_poissons(rear, back, options):
    """Compression stops both: m v₀ + M v₁ = −P. The wall gives back εP, or more where the first
    mass would close again, and in the same phase the second leaves it by e (v₀ − v₁)."""
    front, speeds, e = 0.6, (-0.1, -1.7), 0.8
    entries = {
        "bodies": {"m": {"mass": front}, "M": {"mass": rear}},
        "joints": {
            x: {"type": "prismatic", "bodies": ["ground", body], "axis": "x", "coordinate": x}
            for x, body in (("x", "m"), ("y", "M"))
        },
        "contacts": {
            "wall": {"gap": "x", "restitution": {"poisson": back}},
            "pair": {"gap": "y - x", "restitution": e},
        },
        "initial": {"x": 0, "y": 0, "x.": speeds[0], "y.": speeds[1]},
    }
    run = ts.simulate(ts.load(entries), 1e-3, rate=1e3, **options)
    leaving = e * (speeds[0] - speeds[1])
    given = -back * (front * speeds[0] + rear * speeds[1])
    pushed = (leaving + given / front) / (1 / front + 1 / rear)
    known = max((given - pushed) / front, 0.0)
    assert run["x."][-1] == pytest.approx(known, abs=1e-9)
    assert run["y."][-1] == pytest.approx(known + leaving, abs=1e-9)
