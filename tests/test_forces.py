"""Springs, dampers and loads: potentials, powers and the equations of a cart with a pendulum."""

from pathlib import Path

import numpy as np
import pytest

from torseur.backends.compiled import compile
from torseur.formalisms.derive import derive
from torseur.language.load import load

MODELS = Path(__file__).parent / "models"

SPATIAL = {
    "gravity": [0, 0, 0],
    "bodies": {
        "arm": {"mass": 1, "centre": [0.2, 0, 0.1], "inertia": [0.2, 0.3, 0.4]},
        "bob": {"mass": 2, "centre": [0, 0.1, 0], "inertia": [0.2, 0.3, 0.4]},
    },
    "joints": {
        "A": {"type": "cardan", "bodies": ["ground", "arm"], "axes": ["x", "y"]},
        "B": {
            "type": "pivot",
            "bodies": ["arm", "bob"],
            "point": [[0.5, 0, 0], [0, 0, 0]],
            "axis": "z",
        },
    },
}
ENDS = [["ground", [0.1, -1, 0.3]], ["bob", [0.3, 0.1, 0.2]]]
INSIDE = [["arm", [0, 0.4, 0.1]], ["bob", [0.3, 0.1, 0.2]]]


def spatial(**forces):
    return compile(load(SPATIAL | {"forces": forces}))


@pytest.mark.parametrize("between", [ENDS, INSIDE], ids=["from the ground", "between bodies"])
@pytest.mark.parametrize("seed", range(5))
def test_the_power_of_a_spring_is_what_its_potential_loses(between, seed):
    f = spatial(s={"type": "spring", "between": between, "stiffness": 40, "length": 0.3})
    rng = np.random.default_rng(seed)
    q, v = rng.normal(size=(2, 3))
    step = 1e-6
    lost = f.potential_energy(q - step * v) - f.potential_energy(q + step * v)
    assert f.applied(q, v) @ v == pytest.approx(lost / (2 * step), rel=1e-6, abs=1e-7)


@pytest.mark.parametrize("between", [ENDS, INSIDE], ids=["from the ground", "between bodies"])
@pytest.mark.parametrize("seed", range(5))
def test_a_damper_takes_power_and_its_force_grows_with_the_speed(between, seed):
    f = spatial(d={"type": "damper", "between": between, "damping": 7})
    q, v = np.random.default_rng(seed).normal(size=(2, 3))
    assert f.applied(q, v) @ v < 0
    np.testing.assert_allclose(f.applied(q, 2 * v), 2 * f.applied(q, v), rtol=1e-12)
    np.testing.assert_allclose(f.applied(q, 0 * v), 0, atol=1e-14)


def test_a_spring_at_rest_length_between_points_of_one_body_does_nothing():
    between = [["bob", [0, 0, 0]], ["bob", [0.3, 0.4, 0]]]
    f = spatial(s={"type": "spring", "between": between, "stiffness": 40, "length": 0.1})
    np.testing.assert_allclose(f.applied(np.ones(3), np.ones(3)), 0, atol=1e-13)


@pytest.mark.parametrize("formalism", ["newton-euler", "lagrange", "augmented-bodies", "uicker"])
@pytest.mark.parametrize("seed", range(3))
def test_a_cart_with_spring_and_damper_carries_a_pendulum_as_in_the_notes(formalism, seed):
    """(m1+m2) x'' + m2 l (th'' cos th - th'^2 sin th) + b x' + k x = 0,
    m2 l^2 th'' + m2 l x'' cos th + m2 g l sin th = 0 (erratum E2-6 settled: hanging pendulum)."""
    model = load(MODELS / "cart_pendulum.yaml")
    p = model.parameters
    x, theta = q = np.random.default_rng(seed).uniform(-0.2, 0.2, 2)
    v = np.random.default_rng(seed + 9).normal(size=2)
    found = derive(model, formalism).evaluate(q, v)
    s, c, ml = np.sin(theta), np.cos(theta), p["m2"] * p["l"]
    np.testing.assert_allclose(
        found.M, [[p["m1"] + p["m2"], ml * c], [ml * c, ml * p["l"]]], rtol=1e-12
    )
    np.testing.assert_allclose(found.h, [-ml * s * v[1] ** 2, 0], atol=1e-13)
    np.testing.assert_allclose(found.g, [0, ml * 9.81 * s], atol=1e-13)
    np.testing.assert_allclose(found.Q, [-p["k"] * x - p["b"] * v[0], 0], atol=1e-12)
