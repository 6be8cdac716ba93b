"""Whether all equilibria were found: bounds of expressions, proofs, sums of indices."""

from dataclasses import replace

import numpy as np
import pytest
from example_states import model
from random_expressions import SYMBOLS, VALUES, computation
from same_text import tells
from test_equilibria import G, pendulum, rotating_arm

import torseur as ts
from torseur.algebra.calculus.intervals import NotBounded, bounds
from torseur.algebra.core.graph import evaluate
from torseur.analyse.equilibria.completeness import examined, index_sum

# --- bounds ---------------------------------------------------------------------------------------


def boxes(width, count=40):
    """Boxes around the usual values, and a point in each of them."""
    rng = np.random.default_rng(1)
    low = {x.name: VALUES[x.name] - width * rng.uniform(size=count) for x in SYMBOLS}
    high = {name: x + width for name, x in low.items()}
    point = {n: x + (high[n] - x) * rng.uniform(size=count) for n, x in low.items()}
    return {n: (x, high[n]) for n, x in low.items()}, point


@pytest.mark.parametrize("seed", range(25))
def test_bounds_hold_the_value_at_every_point_of_a_box(seed):
    made = [x.expr for x in computation(seed, steps=12)]
    for width in (0.5, 1e-3, 0.0):
        box, point = boxes(width)
        for x in made:
            low, high = bounds(x, box, 40)
            with np.errstate(all="ignore"):
                value = np.broadcast_to(evaluate(x, point), 40)
            kept = np.isfinite(value)
            assert (low[kept] <= value[kept]).all()
            assert (value[kept] <= high[kept]).all()


def test_bounds_close_in_on_the_value():
    x = SYMBOLS[3]
    wave = (x.sin() * x + (2 + x.cos()).sqrt()) / (3 + x)
    widths = []
    for width in (1e-2, 1e-3, 1e-4):
        low, high = bounds(wave, {"q1": (np.array([0.4]), np.array([0.4 + width]))}, 1)
        widths.append(float(high[0] - low[0]))
    assert widths[0] / widths[1] == pytest.approx(10, rel=0.1)
    assert widths[1] / widths[2] == pytest.approx(10, rel=0.1)


# --- proofs ---------------------------------------------------------------------------------------


def test_a_double_pendulum_is_proved_to_rest_in_four_ways():
    found = ts.equilibria(model("double_pendulum"))
    assert len(found) == 4
    assert found.complete
    assert found.complete.word == "proved"


@pytest.mark.parametrize("missing", range(4))
def test_the_proof_meets_what_the_search_has_missed(missing):
    searched = ts.equilibria(model("double_pendulum")).searched
    kept = tuple(x for k, x in enumerate(searched.found) if k != missing)
    short = replace(searched, found=kept)
    assert index_sum(short.space, short.sought, kept) != 0
    verdict, more = examined(short, 2000)
    assert verdict.word == "proved"
    (met,) = more
    assert short.space.same(met, searched.found[missing], short.sought)


def test_a_wound_spring_is_proved_to_rest_where_its_torque_changes_sign():
    spring = {"type": "torsion spring", "joint": "O", "stiffness": 0.3}
    wound = ts.load(pendulum(forces={"s": spring}))
    found = ts.equilibria(wound, box={"phi": (-7, 7)}, prove=True)
    assert found.complete.word == "proved"
    phi = np.linspace(-7, 7, 4000)
    torque = 0.3 * phi + 2.0 * G * 0.5 * np.sin(phi)
    assert len(found) == np.count_nonzero(torque[:-1] * torque[1:] < 0) == 5


def test_a_loop_is_proved_with_its_reactions_as_unknowns():
    engine = model("single_cylinder_engine").with_parameters(F=0, Gamma=0)
    found = ts.equilibria(engine, box={"x": (0.01, 0.3)})
    assert len(found) == 2
    assert "no other equilibrium exists with x from 0.01 to 0.3" in str(found.complete)


def test_equilibria_under_an_imposed_rotation_are_proved():
    found = ts.equilibria(rotating_arm(5.0), box={"lam": (-1, 1)})
    assert len(found) == 1
    assert found.complete.word == "proved"


def test_where_the_equations_are_singular_nothing_is_proved():
    """The spring of the cart has no direction when its ends meet."""
    cart = ts.equilibria(model("cart_pendulum"))
    assert cart.complete.word == "unknown"
    assert tells(cart.complete.reason, "x = -0.25")
    beyond = ts.equilibria(model("cart_pendulum"), box={"x": (-0.2, 0.5)})
    assert beyond.complete.word == "proved"


def test_rolling_and_ball_joints_are_told_to_be_out_of_reach():
    ball = {"type": "spherical", "bodies": ["ground", "bob"]}
    found = ts.equilibria(ts.load(pendulum(joints={"O": ball})), starts=4)
    assert "ball joints" in found.complete.reason
    assert "rolling" in ts.equilibria(model("vertical_disc"), starts=4).complete.reason


def test_where_nothing_is_felt_or_free_there_is_nothing_else_to_find():
    shaft, driven = (ts.equilibria(model(name)) for name in ("crankshaft", "cardan_shaft"))
    assert (len(shaft), len(driven)) == (1, 0)
    assert "nothing depends" in shaft.complete.reason
    assert "nothing is free" in driven.complete.reason


def test_a_table_has_no_bounds():
    knots = {"x": [-4, -2, 0, 2, 4], "value": [2.0, 0.5, -0.4, -1.0, -3.0]}
    load = {"type": "joint", "joint": "O", "value": "pull(phi)"}
    made = ts.load(pendulum(forces={"f": load}, tables={"pull": knots}))
    with pytest.raises(NotBounded):
        bounds(ts.derive(made).Q[0], {"phi": (np.zeros(1), np.ones(1))}, 1)
    assert "no bounds" in ts.equilibria(made, box={"phi": (-3, 3)}).complete.reason


def test_the_sum_of_indices_says_when_a_torus_has_lost_one():
    found = ts.equilibria(model("double_pendulum"))
    searched = found.searched
    assert index_sum(searched.space, searched.sought, searched.found) == 0
    arm = ts.equilibria(rotating_arm(5.0), box={"lam": (-1, 1)}).searched
    assert index_sum(arm.space, arm.sought, arm.found) is None  # a slider is no torus


# --- families -------------------------------------------------------------------------------------


def test_a_ball_pendulum_in_a_turning_frame_has_one_family_of_cones():
    """(A − C) Ω² cos θ = m g l: a family of two parameters, the azimuth and the own angle."""
    made = ts.load({
        "frame": {"rotation": [0, 0, "W"]}, "parameters": {"W": 6.0}, "gravity": [0, 0, -G],
        "bodies": {"bob": {"mass": 2, "centre": [0, 0, -0.5], "inertia": [0.1, 0.1, 0.05]}},
        "joints": {"O": {"type": "spherical", "bodies": ["ground", "bob"]}},
    })  # fmt: skip
    found = ts.equilibria(made, starts=12)
    assert [x.family for x in found] == [2, 1, 1]
    four = found[0].coordinates
    cosine = 1 - 2 * (four["O_x"] ** 2 + four["O_y"] ** 2)
    assert cosine == pytest.approx(2 * G * 0.5 / ((0.6 - 0.05) * 36), rel=1e-9)
