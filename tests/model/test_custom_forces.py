"""Forces in Python agree with the same forces as expressions, wherever a mechanism moves."""

import pickle

import numpy as np
import pytest

import torseur as ts
from torseur.algebra.core.expr import expression
from torseur.algebra.core.graph import evaluate

K, REST = 40.0, 0.8
PAIR = {
    "gravity": [0, 0, 0],
    "bodies": {
        "a": {"mass": 2, "inertia": [0.1, 0.2, 0.3]},
        "b": {"mass": 1, "inertia": [0.1, 0.1, 0.1]},
    },
    "joints": {
        "A": {"type": "free", "bodies": ["ground", "a"]},
        "B": {"type": "free", "bodies": ["ground", "b"]},
    },
    "initial": {"B_x": 1.2, "B_y": 0.3, "A_x.": 0.1, "A_wz": 0.5},
}
SPRING = {
    "type": "spring",
    "between": [["a", [0, 0, 0]], ["b", [0, 0, 0]]],
    "stiffness": K,
    "length": REST,
}
CART = {
    "gravity": [0, 0, -9.81],
    "parameters": {"k": 3.0, "L": 0.4},
    "bodies": {"cart": {"mass": 2, "inertia": [1, 1, 1]}},
    "joints": {
        "J": {
            "type": "prismatic",
            "bodies": ["ground", "cart"],
            "axis": "x",
            "coordinate": "x",
            "friction": {"constant": 0.5},
        }
    },
    "contacts": {"wall": {"gap": "L - x", "restitution": 0.6}},
    "forces": {"k": {"type": "joint", "joint": "J", "value": "-k*x"}},
    "initial": {"x": 0.1, "x.": 2.0},
}


def spring(_, state):
    apart = state["b"].position - state["a"].position
    return K * (1 - REST / np.linalg.norm(apart)) * apart


def rubber(_, state):
    return -5 * state["x"] - 0.2 * state["x."]


def carts(**sections):
    described = {x: y for x, y in (CART | sections).items() if y is not None}
    by_expression = {"type": "joint", "joint": "J", "value": "-5*x - 0.2*x."}
    other = described | {"forces": described["forces"] | {"rubber": by_expression}}
    in_python = ts.forces.custom(ts.load(described), rubber, coordinate="x", name="rubber")
    return in_python, ts.load(other)


@pytest.mark.parametrize("method", ["dop853", "radau"])
@pytest.mark.parametrize("coordinates", ["joint", "absolute"])
def test_two_bodies_on_a_spring_in_python_move_as_on_a_spring(method, coordinates):
    magnet = ts.forces.custom(ts.load(PAIR), spring, bodies=("a", "b"), name="magnet")
    options = {"at": [0.3, 0.6], "method": method, "coordinates": coordinates}
    run = ts.simulate(magnet, 0.6, **options)
    same = ts.simulate(PAIR | {"forces": {"spring": SPRING}}, 0.6, **options)
    np.testing.assert_allclose(run.q, same.q, atol=1e-8)
    stored = same.energy["potential"]
    power = run.power["magnet"]
    np.testing.assert_allclose(power, same.power["spring"], atol=1e-7)
    assert stored[0] != stored[1]
    assert any("Python is called" in notice for notice in run.notices)


def test_action_and_reaction_keep_momentum_and_angular_momentum():
    def twisting(t, state):
        return [1.0, t, 2.0], [0.3, -0.2, 0.1]

    m = ts.forces.custom(ts.load(PAIR), twisting, bodies=("a", "b"))
    t = [0.7]
    q, v = np.r_[0.1, 0.2, 0.3, 1, 0, 0, 0, 1.2, 0.3, 0, 1, 0, 0, 0], np.zeros(12)
    Q = ts.compile(m).applied(q, v, t)
    np.testing.assert_allclose(Q[:6], [1, 0.7, 2, 0.3, -0.2, 0.1], rtol=1e-14)
    np.testing.assert_allclose(Q[6:9], -Q[:3])
    arm = q[:3] - q[7:10]
    np.testing.assert_allclose(Q[9:], -Q[3:6] - np.cross(arm, Q[:3]), rtol=1e-12)


@pytest.mark.parametrize("options", [{}, {"method": "moreau", "step": 2e-3}])
def test_with_shocks_and_dry_friction_it_acts_as_an_expression_does(options):
    in_python, by_expression = carts()
    run, same = (ts.simulate(m, 1.5, rate=20, **options) for m in (in_python, by_expression))
    np.testing.assert_allclose(run["x"], same["x"], atol=1e-9)
    assert len(run.events) == len(same.events)


def test_rows_of_a_batch_are_single_motions_to_the_bit():
    m, _ = carts(
        contacts=None,
        joints={
            "J": {"type": "prismatic", "bodies": ["ground", "cart"], "axis": "x", "coordinate": "x"}
        },
    )
    rows = ts.simulate(m, 0.5, at=[0.5], initial={"x": np.linspace(0.1, 0.5, 3)})
    alone = ts.simulate(m, 0.5, at=[0.5], initial={"x": 0.5})
    assert rows.row(2)["x"][-1] == alone["x"][-1]


def test_a_law_of_control_acts_beside_it():
    in_python, by_expression = carts(contacts=None, inputs=["x"])
    options = {"at": [0.5], "control": {"x": "-2*x"}, "sample": 0.01}
    run, same = (ts.simulate(m, 0.5, **options) for m in (in_python, by_expression))
    np.testing.assert_allclose(run["x"], same["x"], atol=1e-9)


def test_small_motions_have_the_stiffness_and_the_damping_of_the_function():
    joints = {
        "J": {"type": "prismatic", "bodies": ["ground", "cart"], "axis": "x", "coordinate": "x"}
    }
    m, _ = carts(contacts=None, joints=joints)
    (mode,) = ts.linearise(m).frequencies
    assert mode == pytest.approx(2.0, rel=1e-8)  # (3 + 5)/2 = 2²


def test_formalisms_agree_on_a_force_in_python():
    m, _ = carts(contacts=None)
    rates = [ts.derive(m, name) for name in ("newton-euler", "lagrange", "kane")]
    numbers = {"k": 3.0, "x": 0.3, "x.": 0.7, "t": 0.0}
    values = [evaluate(expression(one.Q[0] - one.h[0] - one.g[0]), numbers) for one in rates]
    np.testing.assert_allclose(values, -3 * 0.3 - 5 * 0.3 - 0.2 * 0.7, rtol=1e-14)


def test_an_exception_reaches_the_user_with_the_force_and_the_instant():
    def fails(t, _):
        if t > 0.2:
            raise ZeroDivisionError("no field there")
        return 0.0

    m, _ = carts(contacts=None)
    bad = ts.forces.custom(m, fails, coordinate="x", name="field")
    for move in (lambda: ts.simulate(bad, 1.0), lambda: ts.Stepper(bad, sample=0.5).step()):
        with pytest.raises(ZeroDivisionError, match="no field there") as caught:
            move()
        assert 'the force "field" at t = 0.' in caught.value.__notes__[0]
    assert ts.simulate(m, 0.3).span == (0.0, 0.3)  # the next run is not harmed


@pytest.mark.parametrize(
    ("value", "problem"),
    [((1.0, 2.0), "returned"), ("left", "returned"), (float("nan"), "returned nan")],
)
def test_a_value_that_is_no_force_is_refused(value, problem):
    m, _ = carts(contacts=None)
    with pytest.raises(ts.ModelError, match=problem) as caught:
        ts.simulate(ts.forces.custom(m, lambda t, s: value, coordinate="x", name="f"), 0.1)
    assert caught.value.place == 'force "f"'


def test_what_a_file_or_another_language_cannot_hold_is_refused_by_name(tmp_path):
    m, _ = carts(contacts=None)
    for write in (
        m.yaml,
        lambda: m.save(tmp_path / "m.yaml"),
        lambda: ts.export(m, "c", directory=tmp_path),
        lambda: ts.derive(m).save(tmp_path / "e.json"),
    ):
        with pytest.raises(ts.ModelError, match="function in Python") as caught:
            write()
        assert '"rubber"' in str(caught.value)


def test_a_mechanism_with_it_goes_to_another_process():
    m, _ = carts(contacts=None)
    again = pickle.loads(pickle.dumps(m))
    runs = [ts.simulate(x, 0.2, at=[0.2])["x"][0] for x in (m, again)]
    assert runs[0] == runs[1]


@pytest.mark.parametrize(
    ("entries", "problem"),
    [
        ({}, "one of both"),
        ({"bodies": "cart", "coordinate": "x"}, "one of both"),
        ({"bodies": "card"}, '"card" does not exist'),
        ({"bodies": "ground"}, "cannot act on ground"),
        ({"bodies": ("cart", "cart")}, "cannot act on"),
        ({"coordinate": "y"}, '"y" does not exist'),
        ({"bodies": "cart", "reads": "z"}, '"z" does not exist'),
        ({"bodies": "cart", "name": "k"}, 'has a force "k" already'),
    ],
)
def test_a_force_on_nothing_or_on_too_much_is_refused(entries, problem):
    with pytest.raises(ts.ModelError, match=problem):
        ts.forces.custom(ts.load(CART), rubber, **entries)


def test_what_it_does_not_read_is_said():
    def curious(_, state):
        return state["y"]

    m, _ = carts(contacts=None)
    with pytest.raises(KeyError, match="does not read"):
        ts.simulate(ts.forces.custom(m, curious, coordinate="x", name="f"), 0.1)


def test_it_sees_bodies_coordinates_and_states_that_it_reads():
    model = ts.load(
        PAIR
        | {"states": {"c": {"rate": "-c", "initial": 2}}, "initial": {"B_y.": 1.5, "A_wz": 0.5}}
    )
    seen = {}

    def watching(t, state):
        if not seen:
            seen.update(state)
        return 0, 0, 0

    m = ts.forces.custom(model, watching, bodies="a", reads=["b", "B_y.", "c"])
    ts.simulate(m, 0.1)
    assert seen["B_y."] == 1.5
    assert seen["c"] == 2
    np.testing.assert_allclose(seen["b"].velocity, [0, 1.5, 0])
    np.testing.assert_allclose(seen["a"].spin, [0, 0, 0.5])
    np.testing.assert_allclose(seen["a"].rotation, np.eye(3))
