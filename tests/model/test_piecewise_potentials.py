"""Springs in pieces: ropes, bump stops, bilinear springs and dead zones store what they should."""

import numpy as np
import pytest

import torseur as ts
from torseur.algebra.core.graph import evaluate
from torseur.errors import ModelError, SolveError

K, GAP, M = 100.0, 0.3, 1.0


def along(value, *, forces=None, **others):
    """A mass on a line x under a law of its distance."""
    law = {"type": "law", "joint": "P", "value": value} | others.pop("law", {})
    return {
        "gravity": [0, 0, 0],
        "parameters": {"k": K, "l": GAP, "m": M} | others.pop("parameters", {}),
        "bodies": {"b": {"mass": "m"}},
        "joints": {
            "P": {"type": "slider", "bodies": ["ground", "b"], "axis": "x", "coordinate": "x"}
        },
        "forces": {"s": law} if forces is None else forces,
        "initial": {"x": 0.05, "x.": 5.0},
    } | others


def rope(value):
    """A mass that falls in a plane, tied to the ground by a line under tension."""
    ends = [["ground", [0, 0, 0]], ["b", [0, 0, 0]]]
    return {
        "gravity": [0, -9.81, 0],
        "parameters": {"k": K, "l": GAP},
        "bodies": {"b": {"mass": 1.0, "inertia": [0.1, 0.1, 0.1]}},
        "joints": {
            "P": {
                "type": "planar",
                "bodies": ["ground", "b"],
                "normal": "z",
                "coordinates": ["x", "y", "a"],
            }
        },
        "forces": {"s": {"type": "line", "between": ends, "tension": value}},
        "initial": {"x": 0.2, "y": 0.1, "x.": 1.0},
    }


def stretched(x, start=GAP):
    """½ k (x − start)², for what is beyond."""
    return K * np.maximum(x - start, 0.0) ** 2 / 2


# Laws, and their potentials by hand.
LAWS = {
    "one-sided spring": ("-k*max(distance - l, 0)", stretched),
    "bump stops on both sides": (
        "-k*max(distance - l, 0) - k*min(distance + l, 0)",
        lambda x: stretched(np.abs(x)),
    ),
    "dead zone by a sign": (
        "-k*if(abs(distance) - l, distance - l*sign(distance), 0)",
        lambda x: stretched(np.abs(x)),
    ),
    "nested pieces": (
        "-k*(max(max(distance, 0) - l, 0) + min(min(distance, 0) + l, 0))",
        lambda x: stretched(np.abs(x)),
    ),
    "bilinear spring": (
        "-if(distance - l, 3*k*(distance - l) + k*l, k*distance)",
        lambda x: K * x**2 / 2 + 2 * stretched(x),
    ),
    "quadratic spring": ("-k*distance*abs(distance)", lambda x: K * np.abs(x) ** 3 / 3),
    "constant force towards the middle": ("-k*sign(distance)", lambda x: K * np.abs(x)),
    "spring that yields": (
        "-k*clip(distance, -l, l)",
        lambda x: K * x**2 / 2 - stretched(np.abs(x)),
    ),
    "condition times a parameter": ("-max(k*(distance - l), 0)", stretched),
    "product of pieces": (
        "-k*max(distance - l, 0)*max(distance + l, 0)",
        lambda x: K * np.where(x > GAP, x**3 / 3 - GAP**2 * x + 2 * GAP**3 / 3, 0.0),
    ),
}


@pytest.mark.parametrize("name", LAWS)
def test_the_potential_of_a_law_in_pieces_is_that_found_by_hand(name):
    law, stored = LAWS[name]
    model = ts.compile(along(law))
    x = np.linspace(-1.0, 1.0, 81)
    found = np.array([model.potential_energy([xi]) for xi in x])
    wanted = stored(x) - stored(0.0)
    np.testing.assert_allclose(found - model.potential_energy([0.0]), wanted, atol=1e-12)


@pytest.mark.parametrize("name", LAWS)
@pytest.mark.parametrize("coordinates", ["joint", "absolute"])
def test_a_mass_on_a_spring_in_pieces_keeps_its_energy(name, coordinates):
    law, stored = LAWS[name]
    run = ts.simulate(along(law), 1.0, coordinates=coordinates)
    energy = M * run["x."] ** 2 / 2 + stored(run["x"])
    assert np.ptp(energy) < 1e-6 * energy[0]
    assert run.energy_drift < 1e-6


def test_rows_of_a_batch_take_knots_from_their_own_parameters():
    law, _ = LAWS["bump stops on both sides"]
    ends = np.array([0.1, 0.2, 0.5])
    runs = ts.simulate(along(law), 1.0, parameters={"l": ends})
    assert runs.energy_drift.max() < 1e-6
    beyond = np.maximum(np.abs(runs["x"]) - ends[:, np.newaxis], 0.0)
    energy = M * runs["x."] ** 2 / 2 + K * beyond**2 / 2
    np.testing.assert_allclose(energy, M * 25 / 2, rtol=1e-6)


@pytest.mark.parametrize("coordinates", ["joint", "absolute"])
def test_a_rope_is_slack_or_stretched_and_keeps_its_energy(coordinates):
    run = ts.simulate(rope("k*max(length - l, 0)"), 2.0, coordinates=coordinates)
    length = np.hypot(run["x"], run["y"])
    energy = (run["x."] ** 2 + run["y."] ** 2) / 2 + 9.81 * run["y"] + stretched(length)
    assert (length < GAP).any()
    assert (length > GAP).any()
    assert np.ptp(energy) < 1e-6 * np.ptp(stretched(length))


def random_law(rng, depth=3):
    """A random nesting of pieces, linear or quadratic between its knots."""
    if not depth:
        a, b = rng.uniform(-1, 1, 2).round(2)
        return str(rng.choice([f"({a}*distance + {b}*l)", f"{a}*l", f"({b}*distance)"]))
    first, second, third = (random_law(rng, rng.integers(depth)) for _ in range(3))
    shapes = (
        f"max({first}, {second})",
        f"min({first}, {second})",
        f"if(distance - {rng.uniform(-1, 1):.2f}*l, {first}, {second})",
        f"abs({first})",
        f"({first} + {third}*max({second}, 0))",
    )
    return str(rng.choice(shapes))


@pytest.mark.sampled(8)
@pytest.mark.parametrize("seed", range(12))
def test_a_random_law_in_pieces_stores_the_work_done_against_it_or_is_counted_as_work(seed):
    mechanism = ts.load(along(f"-k*({random_law(np.random.default_rng(seed))})"))
    model, law = ts.compile(mechanism), mechanism.loads["s"].value
    x = np.linspace(-1.0, 1.0, 200_001)
    force = np.broadcast_to(evaluate(law, {"position": x, "k": K, "l": GAP}), x.shape)
    V = [model.potential_energy([at]) for at in (-1.0, 1.0)]
    assert V[0] == V[1] == 0.0 or V[0] - V[1] == pytest.approx(np.trapezoid(force, x), abs=1e-3)


def test_a_knot_whose_slope_is_a_parameter_may_have_the_slope_zero():
    law = along("-k*max(c*distance - l, 0)", parameters={"c": 2.0})
    for c in (2.0, -1.5, 0.0):
        model = ts.compile(law | {"parameters": law["parameters"] | {"c": c}})
        V = np.array([model.potential_energy([x]) for x in (-1.0, 1.0)])
        work = K * (max(c - GAP, 0) ** 2 - max(-c - GAP, 0) ** 2) / (2 * c) if c else 0.0
        assert V[1] - V[0] == pytest.approx(work, abs=1e-12)


@pytest.mark.parametrize(
    "law",
    [
        "-if(t - 0.5, 2*k, k)*distance",  # a stiffness that jumps at an instant
        "-k*max(distance - l*if(t - 0.5, 1, 2), 0)",  # a knot that does
        "-k*max(distance - l*t, 0)",  # a knot that moves
        "-k*max(distance^2 - l^2, 0)*sign(distance)",  # a knot that is no linear equation
        "-k*tooth(distance)",  # a table: cubic pieces
        "-k*max(distance - l, 0) - 5*if(distance - l, rate, 0)",  # a damper in the stop
    ],
)
@pytest.mark.parametrize("coordinates", ["joint", "absolute"])
def test_the_balance_of_energy_holds_whatever_the_law_jumps_with(law, coordinates):
    tables = {"tooth": {"x": [-1, 0, 0.3, 1], "value": [-1, 0, 0, 2]}}
    run = ts.simulate(along(law, tables=tables), 1.0, coordinates=coordinates)
    assert run.energy_drift < 1e-6


def test_a_mass_that_hangs_on_a_rope_rests_and_swings_as_on_a_spring():
    hanging = along(LAWS["one-sided spring"][0], gravity=[9.81, 0, 0], initial={"x": 0.35})
    low = GAP + M * 9.81 / K
    (rest,) = ts.equilibria(hanging)
    assert rest.coordinates["x"] == pytest.approx(low)
    assert rest.stable.word == "stable"
    assert ts.linearise(hanging, {"x": low}).frequencies == pytest.approx([np.sqrt(K / M)])


@pytest.mark.parametrize("name", ["one-sided spring", "bilinear spring", "nested pieces"])
def test_formalisms_agree_on_a_spring_in_pieces(name):
    assert ts.formalisms.compare(along(LAWS[name][0])).agree


def test_a_potential_that_is_given_must_not_jump():
    right = {"potential": "k*max(distance - l, 0)^2/2 + k*l^2"}
    ts.load(along("-k*max(distance - l, 0)", law=right))
    wrong = {"potential": "if(distance - l, k*(distance^2/2 - l*distance), 0)"}
    with pytest.raises(ModelError, match="the potential jumps: from position"):
        ts.load(along("-k*max(distance - l, 0)", law=wrong))


def test_a_potential_that_jumps_is_named_where_energy_is_not_kept():
    forces = {"wall": {"type": "generalised potential", "value": "if(x - 0.3, 9, 0)"}}
    with pytest.raises(SolveError) as caught:
        ts.simulate(along("0", forces=forces), 1.0)
    assert 'make the potential of "wall" continuous' in str(caught.value)
