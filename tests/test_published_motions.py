"""Published and exact motions: the IFToMM pendulum, the fast top of the numerical appendix."""

import numpy as np
import pytest
from scipy.signal import argrelmin

import torseur as ts
from torseur.spatial import quaternion


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
