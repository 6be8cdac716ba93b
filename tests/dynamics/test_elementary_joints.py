"""Trees with joints of one freedom: the same mechanism, whichever way its joints are crossed."""

from __future__ import annotations

import numpy as np
import pytest

import torseur as ts
from torseur.algebra.core.graph import evaluate

OBLIQUE = {"joint": "C", "ratio": 30, "rotor_inertia": 0.05, "axis": [0.6, 0.8, 0]}


def arm(kind, *, turned=True, motors=None):
    """Three bodies in a row; the tree crosses the first two joints backwards if they are turned."""
    body = {"mass": 1.2, "centre": [0.1, 0.07, 0.2], "inertia": [0.1, 0.2, 0.27]}
    first, second = (["a", "ground"], ["b", "a"]) if turned else (["ground", "a"], ["a", "b"])
    pivot = {"type": "pivot", "axis": [0.6, 0, 0.8]}
    return ts.load(
        {
            "gravity": [0.3, 0, -9.81],
            "bodies": dict.fromkeys("abc", body),
            "joints": {
                "A": pivot | {"bodies": first, "point": [[0.1, 0.2, 0], [0, 0, 0]]},
                "B": {"type": kind, "bodies": second, "point": [[0, 0.2, 0], [0.3, 0, 0]]}
                | KINDS[kind],
                "C": pivot | {"bodies": ["b", "c"], "point": [[0.1, 0, 0.2], [0, 0, 0.1]]},
            },
            "motors": motors or {},
        }
    )


KINDS = {
    "pivot": {"axis": [0, 0.6, 0.8]},
    "cylindrical": {"axis": [0, 0.6, 0.8]},
    "universal": {"axes": [[0, 1, 0], [0, 0, 1]]},
    "planar": {"normal": "z"},
    "fixed": {"rotation": [{"x": "40 deg"}, {"y": "30 deg"}]},
    "screw": {"axis": "z", "pitch": 0.1},
}


def assert_same(m, formalism):
    """M, h and g at a random state are those of Newton and Euler."""
    expected, found = ts.derive(m), ts.derive(m, formalism)
    rng, own = np.random.default_rng(5), expected.system
    at = {x.name: rng.normal() for x in (*own.q, *own.v)}
    for name in ("M", "h", "g"):
        numbers, theirs = (
            np.asarray(evaluate(x.output(name), at), dtype=float) for x in (found, expected)
        )
        assert np.abs(numbers - theirs).max() <= 1e-12 * np.abs(theirs).max()


@pytest.mark.parametrize("kind", KINDS)
def test_joints_crossed_backwards_give_the_same_equations(kind):
    m = arm(kind)
    assert_same(m, "uicker")
    if kind != "screw":
        assert_same(m, "augmented-bodies")


@pytest.mark.parametrize(("kind", "turned"), [("fixed", False), ("fixed", True), ("pivot", True)])
def test_an_oblique_rotor_keeps_its_axis_on_a_body_that_is_merged_or_turned(kind, turned):
    assert_same(arm(kind, turned=turned, motors={"M": OBLIQUE}), "augmented-bodies")
