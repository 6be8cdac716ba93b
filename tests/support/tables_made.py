"""Tables, and a mechanism that looks them up, for the tests of functions given by points."""

import numpy as np
import pytest

from torseur.algebra.core.tabulated import table
from torseur.language.load import load

ORDERS = range(4)
MANNERS = {
    "natural": ("natural", None),
    "held": ("not-a-knot", "hold"),
    "clamped": ("clamped", "straight"),
    "slopes": ((1.5, -0.5), "straight"),
    "periodic": ("periodic", None),
}
SPACINGS = {
    "random": lambda rng: np.sort(rng.uniform(-1, 3, 40)),
    "even": lambda rng: np.linspace(-1, 3, 40),
    "nearly even": lambda rng: np.linspace(-1, 3, 40) + rng.uniform(-0.02, 0.02, 40),
    "two points": lambda rng: np.array([-1.0, 3.0]),
    "three points": lambda rng: np.array([-1.0, 0.25, 3.0]),
}
every_manner = pytest.mark.parametrize("manner", MANNERS)


def points(spacing="random", seed=0):
    """Arguments, and values that end as they begin."""
    rng = np.random.default_rng(seed)
    x = SPACINGS[spacing](rng)
    y = rng.normal(size=len(x))
    y[-1] = y[0]
    return x, y


def made(manner="natural", spacing="random", name="lift", seed=0):
    return table(name, *points(spacing, seed), *MANNERS[manner])


def around(x, seed=1):
    """Arguments inside and outside, at the points and next to them."""
    width = x[-1] - x[0]
    drawn = np.random.default_rng(seed).uniform(x[0] - width, x[-1] + width, 200)
    return np.concatenate([drawn, x, np.nextafter(x, np.inf), np.nextafter(x, -np.inf)])


CAM = {
    "parameters": {"k": "200 N/m", "table_lift": 0.7},
    "tables": {
        "lift": {
            "x": ["-90 deg", 0, "90 deg", "pi", "270 deg"],
            "value": [0, "20 mm", "35 mm", "20 mm", 0],
            "ends": "periodic",
        },
        "Δ": {"t": [-1, 0.5, 2, 3], "value": [1, 3, -2, 0], "ends": [0, 1], "beyond": "hold"},
    },
    "bodies": {"cam": {"mass": 1, "inertia": [0.1, 0.1, 0.1]}},
    "joints": {"A": {"type": "pivot", "bodies": ["ground", "cam"], "axis": "z", "coordinate": "q"}},
    "forces": {
        "spring": {"type": "joint", "joint": "A", "value": "-k*lift(q)*lift'(q)"},
        "other": {
            "type": "joint",
            "joint": "A",
            "value": "Δ(table_lift) + Δ(3*q)*lift''(q)^2 - Δ'(q)*Δ'''(q)",
        },
    },
}
LIFT = table("lift", np.pi * np.arange(-1, 4) / 2, [0, 0.02, 0.035, 0.02, 0], "periodic")


def turning(force, **tables):
    return load(
        {
            "tables": tables,
            "bodies": CAM["bodies"],
            "joints": CAM["joints"],
            "forces": {"f": {"type": "joint", "joint": "A", "value": force}},
        }
    )
