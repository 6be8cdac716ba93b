"""Published and exact motions: the IFToMM pendulum, the fast top of the numerical appendix."""

from math import asin, cos, sin
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.signal import argrelmin

import torseur as ts
from torseur.spatial import quaternion

MODELS = Path(__file__).parents[1] / "models"


def test_the_iftomm_pendulum_follows_the_elliptic_functions_for_ten_seconds():
    """Benchmark A01: a point mass of 1 kg on a bar of 1 m, released level; positions by Jacobi's
    elliptic functions with 30 digits."""
    model = ts.load(
        {
            "gravity": [0, -9.81, 0],
            "bodies": {"bob": {"mass": 1, "centre": [0, -1, 0]}},
            "joints": {"O": {"type": "pivot", "bodies": ["ground", "bob"], "axis": "z"}},
            "points": {"P": ["bob", [0, -1, 0]]},
        }
    )
    run = ts.simulate(model, 10.0, rate=1.0, initial={"O": -np.pi / 2}, rtol=1e-12)
    exact = {
        1: (0.9862917511318753, -0.1650108531255412, 1.799309016907079),
        2: (-0.7935661953433217, -0.6084839304437915, -3.45520689905933),
        5: (-0.9423054350437573, -0.3347543384140006, 2.562787568192629),
        10: (-0.2750874625761169, -0.9614192050991251, 4.343160692864683),
    }
    position = run.point("P")
    for second, (x, y, rate) in exact.items():
        np.testing.assert_allclose(position[second, :2], [x, y], atol=1e-10)
        assert run["O."][second] == pytest.approx(rate, abs=1e-9)


@pytest.mark.slow
def test_a_fast_top_precesses_and_nods_as_computed_in_the_appendix():
    """N-Top: m = 0.1, l = 0.04, I_e = 4e-5, I_perp = 2e-4 at the tip, 1000 rad/s at 30 degrees.

    The two first integrals give, by quadrature over one nutation, a mean precession of
    0.98519073 rad/s and a nutation of 0.0049683028 rad. (A mean of 0.98613 is quoted elsewhere,
    which is not that of whole nutations.)
    """
    m, length = 0.1, 0.04
    across = 2e-4 - m * length**2
    body = {"mass": m, "centre": [0, 0, length], "inertia": [across, across, 4e-5]}
    model = ts.load(
        {
            "gravity": [0, 0, -9.81],
            "bodies": {"top": body},
            "joints": {"O": {"type": "rotule", "bodies": ["ground", "top"]}},
        }
    )
    start = quaternion.from_axis(np.array([1.0, 0.0, 0.0]), np.pi / 6)
    initial = dict(zip(model.coordinates, start, strict=True)) | {"O_wz": 1000.0}
    run = ts.simulate(model, 1.0, rate=2000, initial=initial, rtol=1e-10)
    axes = np.array([quaternion.matrix(q)[:, 2] for q in run.q])
    nutation = np.arccos(axes[:, 2])
    precession = np.unwrap(np.arctan2(axes[:, 0], -axes[:, 1]))

    def cusp(k):
        """The instant of least nutation near sample k: there the precession stands still."""
        before, here, after = nutation[k - 1 : k + 2]
        return run.t[k] + (before - after) / (before - 2 * here + after) / 2 * run.t[1]

    first, *_, last = argrelmin(nutation)[0]
    mean = (precession[last] - precession[first]) / (cusp(last) - cusp(first))
    assert np.ptp(nutation) == pytest.approx(0.0049683028, rel=2e-4)
    assert mean == pytest.approx(0.98519073, rel=1e-6)
    assert run.energy_drift < 1e-9


def coasting_slider_crank():
    """No torque on the crank, a constant load on the piston: it turns for ever."""
    return ts.compile(ts.load(MODELS / "slider_crank.yaml")).with_parameters(Cm=0.0)


def appendix_system(p, alpha, rate):
    """N-SC2: accelerations of (α, β, λ) and the multipliers μ1, μ2, by its five equations."""
    l1, l2, m2, m3 = p["l1"], p["l2"], p["m2"], p["m3"]
    I_B = m2 * l2**2 / 3
    beta = -asin(l1 / l2 * sin(alpha))
    s_a, c_a, s_b, c_b = sin(alpha), cos(alpha), sin(beta), cos(beta)
    beta_rate = -l1 * c_a * rate / (l2 * c_b)
    half = m2 * l2 / 2
    A = np.array(
        [
            [p["I1"], 0, 0, -l1 * s_a, -l1 * c_a],
            [0, I_B, half * s_b, -l2 * s_b, -l2 * c_b],
            [0, half * s_b, m2 + m3, -1, 0],
            [l1 * s_a, l2 * s_b, 1, 0, 0],
            [l1 * c_a, l2 * c_b, 0, 0, 0],
        ]
    )
    right = [
        p["Cm"],
        0,
        -p["Fr"] - half * c_b * beta_rate**2,
        -l1 * c_a * rate**2 - l2 * c_b * beta_rate**2,
        l1 * s_a * rate**2 + l2 * s_b * beta_rate**2,
    ]
    return np.linalg.solve(A, right)


def appendix_acceleration(p, alpha, rate):
    """N-SC1: that of α, with β and λ and their multipliers eliminated."""
    l1, l2, m2, m3 = p["l1"], p["l2"], p["m2"], p["m3"]
    beta = -asin(l1 / l2 * sin(alpha))
    s_a, c_a, s_b, c_b = sin(alpha), cos(alpha), sin(beta), cos(beta)
    b = -l1 * c_a / (l2 * c_b)  # β. = b α., λ. = c α.
    c = -l1 * s_a - l2 * s_b * b
    left = (l1 * s_a + l2 * s_b * b**2) / (l2 * c_b)  # β.. = b α.. + left α.², likewise λ..
    last = -l1 * c_a - l2 * c_b * b**2 - l2 * s_b * left
    I_B, half, m = m2 * l2**2 / 3, m2 * l2 / 2, m2 + m3
    inertia = p["I1"] + I_B * b**2 + 2 * half * s_b * b * c + m * c**2
    rod, piston = I_B * left + half * s_b * last, half * (s_b * left + c_b * b**2) + m * last
    return (p["Cm"] - c * p["Fr"] - (b * rod + c * piston) * rate**2) / inertia


def test_the_slider_crank_of_the_appendix_moves_and_pulls_as_computed_for_thirty_seconds():
    """N-SC1 and N-SC2: the reduced equation gives the motion, the bordered one the multipliers."""
    model = coasting_slider_crank()
    p = model.parameters
    run = ts.simulate(model, 30.0, rate=10, initial={"alpha": 0.3, "alpha.": 30.0}, rtol=1e-12)

    def rate(t, y):
        return [y[1], appendix_acceleration(p, *y.tolist())]

    exact = solve_ivp(
        rate, (0, 30), [0.3, 30.0], method="DOP853", t_eval=run.t, rtol=1e-13, atol=1e-13
    )
    np.testing.assert_allclose(run["alpha"], exact.y[0], rtol=1e-9)
    np.testing.assert_allclose(run["alpha."], exact.y[1], rtol=1e-8)
    states = list(zip(run["alpha"], run["alpha."], strict=True))
    bordered = np.array([appendix_system(p, *state) for state in states])
    reduced = [appendix_acceleration(p, *state) for state in states]
    np.testing.assert_allclose(bordered[:, 0], reduced, atol=1e-12 * np.abs(reduced).max())
    mu = bordered[:, 3:]
    force = run.reaction("A")[:, :2]  # of the crank on the rod
    np.testing.assert_allclose(force, mu * [1, -1], rtol=1e-9, atol=1e-9 * np.abs(mu).max())


def test_the_impossible_start_of_the_appendix_is_told_and_assembled():
    """E3-3: α = β = 0 with λ = 0, where λ = l₁ + l₂ is the only possibility."""
    run = ts.simulate(coasting_slider_crank(), 0.1, initial={"alpha": 0.0, "beta": 0.0, "x": 0.0})
    assert run.closure_error < 1e-12
    assert any("did not fit loops, conditions and laws; moved:" in notice for notice in run.notices)


def test_a_top_goes_through_the_vertical_when_it_is_described_with_a_spherical_joint():
    """N-Top at θ = 0, where Euler's angles are singular; its integrals stay constant."""
    m, length, I_e, I_t = 0.1, 0.04, 4e-5, 2e-4
    top = {
        "gravity": [0, 0, -9.81],
        "bodies": {
            "top": {
                "mass": m,
                "centre": [0, 0, length],
                "inertia": [I_t - m * length**2, I_t - m * length**2, I_e],
            }
        },
        "joints": {"tip": {"type": "rotule", "bodies": ["ground", "top"]}},
        "points": {"G": ["top", [0, 0, length]]},
    }
    start = {"tip_wx": 2.0, "tip_wz": 200.0}  # upright, pushed aside
    run = ts.simulate(ts.load(top), 10.0, initial=start, rtol=1e-12)
    spin = run["tip_wz"]
    np.testing.assert_allclose(spin, 200.0, rtol=1e-9)
    G = run.point("G")
    tilt = np.hypot(G[:, 0], G[:, 1]) / length
    assert tilt.max() > 0.05
    assert tilt[1:].min() < 0.1 * tilt.max()  # it comes back to the vertical
    w = np.column_stack([run["tip_wx"], run["tip_wy"], run["tip_wz"]])
    up = run.seen.poses["top"][0][:, 2, :]  # the vertical in the axes of the top
    vertical = (w * np.array([I_t, I_t, I_e]) * up).sum(axis=1)  # of the angular momentum
    np.testing.assert_allclose(vertical, vertical[0], rtol=1e-9)
    assert run.energy_drift < 1e-9
