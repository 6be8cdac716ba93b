"""A round surface that slides and pivots, against quadrature over the surface."""

from functools import cache

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import torseur as ts

G, MASS, RADIUS, MU = 9.81, 2.0, 0.15, 0.2
_POINTS, _WEIGHTS = np.polynomial.legendre.leggauss(60)


def gauss(low, high):
    """Points between limits, and their weights."""
    half = (high - low) / 2
    return half * _POINTS + (low + high) / 2, half * _WEIGHTS


def by_quadrature(ratio, pressure):
    """T and M over coefficient × load, of a surface of radius 1 at v/ω = `ratio`.

    In polar coordinates about the centre of rotation, at the distance `ratio` from that of the
    surface, the direction of the speed depends on the angle alone: nothing is singular. Across a
    line of sight points are at s = h sin τ, h half its length in the surface.
    """
    if ratio < 1:
        angles, weights = np.arange(400) * 2 * np.pi / 400, np.full(400, 2 * np.pi / 400)
    else:  # lines of sight that meet the surface: sin α = sin t / ratio
        t, w = gauss(-np.pi / 2, np.pi / 2)
        angles = np.pi + np.arcsin(np.sin(t) / ratio)
        weights = w * np.cos(t) / ratio / np.sqrt(1 - (np.sin(t) / ratio) ** 2)
    T = M = 0.0
    for angle, weight in zip(angles, weights, strict=True):
        away = ratio * np.cos(angle)
        h = np.sqrt(1 - (ratio * np.sin(angle)) ** 2)
        least = np.arcsin(np.clip(away / h, -1, 1)) if ratio < 1 else -np.pi / 2
        tau, w = gauss(least, np.pi / 2)
        s = h * np.sin(tau)
        r, p = s - away, 1.0 if pressure == "uniform" else 1.5 * h * np.cos(tau)
        area = weight * w * h * np.cos(tau) * r * p / np.pi
        T += (area * np.cos(angle)).sum()
        M += (area * (r + away)).sum()
    return abs(T), M


@cache
def stone(pressure):
    """A disc on ice, which a resistance to rolling keeps flat."""
    return ts.compile(
        ts.load(
            {
                "gravity": [0, 0, -G],
                "parameters": {"R": RADIUS, "F": 0, "C": 0, "p": 1},
                "bodies": {"stone": {"mass": MASS, "inertia": [1, 1, MASS * RADIUS**2 / 2]}},
                "joints": {"free": {"type": "free", "bodies": ["ground", "stone"]}},
                "contacts": {
                    "ice": {
                        "bodies": ["ground", "stone"],
                        "friction": MU,
                        "patch": {"radius": "R", "pressure": pressure},
                        "rolling": "R/2",
                    }
                },
                "forces": {
                    "push": {
                        "type": "wrench",
                        "body": "stone",
                        "force": [0, "p*F", 0],
                        "couple": [0, 0, "p*C"],
                    }
                },
            }
        )
    )


def thrown(pressure, seconds, v, spin, **more):
    """A run with the speed v along x, pivoting at `spin`/R."""
    start = {"free_x.": v, "free_wz": spin / RADIUS}
    return ts.simulate(stone(pressure), seconds, initial=start, **more)


each = pytest.mark.parametrize("pressure", ["uniform", "hertz"])


@each
def test_force_and_couple_of_a_patch_are_the_sums_over_its_surface(pressure):
    for ratio in (1e-4, 0.3, 0.9, 0.999, 1.001, 1.2, 1.5, 4.0, 1e4):
        run = thrown(pressure, 1e-6, ratio, 1.0, rate=1e6)
        ice, load = run.contact("ice"), MU * MASS * G
        found = -ice.tangential[0, 0] / load, -ice.couple[0] / (load * RADIUS)
        np.testing.assert_allclose(found, by_quadrature(ratio, pressure), rtol=1e-6)
        assert ice.normal[0] == pytest.approx(MASS * G)
        assert run.reaction("ice")[0, 5] == pytest.approx(ice.couple[0])


@each
def test_a_patch_that_only_slides_or_only_pivots_has_the_friction_of_both_alone(pressure):
    """μ N and, of the couple, 2/3 or 3π/16 of μ N R."""
    ice = thrown(pressure, 1e-6, 1.0, 0.0, rate=1e6).contact("ice")
    assert ice.tangential[0, 0] == pytest.approx(-MU * MASS * G)
    assert ice.couple[0] == 0
    ice = thrown(pressure, 1e-6, 0.0, 1.0, rate=1e6).contact("ice")
    part = {"uniform": 2 / 3, "hertz": 3 * np.pi / 16}[pressure]
    assert ice.couple[0] == pytest.approx(-part * MU * MASS * G * RADIUS)
    np.testing.assert_array_equal(ice.tangential[0], 0)


@each
def test_a_stone_moves_as_friction_summed_over_its_surface_says(pressure):
    """v̇ = −μ g T and R ω̇ = −2 μ g M of a full disc, integrated by itself."""

    def rates(t, y):
        T, M = by_quadrature(y[0] / y[1], pressure)
        return [-MU * G * T, -2 * MU * G * M]

    wanted = solve_ivp(rates, (0, 0.3), [1.0, 0.8], rtol=1e-7, atol=1e-9).y[:, -1]
    run = thrown(pressure, 0.3, 1.0, 0.8, rtol=1e-11)
    found = run["free_x."][-1], RADIUS * run["free_wz"][-1]
    np.testing.assert_allclose(found, wanted, rtol=1e-5)


@pytest.mark.parametrize(("v", "spin"), [(1.0, 0.2), (0.3, 1.0)])
def test_sliding_and_pivoting_cease_together_at_the_known_ratio(v, spin):
    """Whatever the start, v/(Rω) tends to 0.653 under a uniform pressure (Farkas and others 2003):
    where T/M = 2 v/(Rω), both fall in proportion."""
    limit = brentq(lambda x: np.divide(*by_quadrature(x, "uniform")) - 2 * x, 0.3, 0.9)
    assert limit == pytest.approx(0.653, abs=5e-4)
    run = thrown("uniform", 1.0, v, spin, rtol=1e-10)
    (end,) = (event for event in run.events if event.name == "ice")
    assert (end.cause, end.effect) == ("end of sliding", "stick")
    np.testing.assert_array_equal(run.v[-1], 0)
    near = run.at(end.t * (1 - 1e-5))
    assert near["free_x."][0] / (RADIUS * near["free_wz"][0]) == pytest.approx(limit, abs=2e-3)
    assert run.energy_drift < 1e-8


@each
def test_a_patch_sticks_up_to_the_force_and_couple_at_which_it_would_slide_and_pivot(pressure):
    for ratio in (0.5, 1.5):
        T, M = by_quadrature(ratio, pressure)
        values = {"F": MU * MASS * G * T, "C": MU * MASS * G * RADIUS * M}
        within, beyond = (
            ts.stability.grip(stone(pressure), parameters=values | {"p": p})
            for p in (1 - 1e-6, 1 + 1e-6)
        )
        assert (within.gives_way, beyond.gives_way) == ((), ("ice",))
        pushed = ts.simulate(stone(pressure), 0.01, parameters=values | {"p": 1.01})
        assert pushed.contact("ice").state[-1] == "slip"
        assert pushed.events == ()
