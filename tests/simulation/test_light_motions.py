"""Bodies without mass between springs and dampers: the balance of forces decides their motion."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import torseur as ts

K = np.array([100.0, 200.0, 300.0])
SERIES = 1 / (1 / K).sum()
MASS = {"mass": 2, "inertia": [1, 1, 1]}


def slider(first, second):
    return {"type": "slider", "bodies": [first, second], "axis": "x"}


def along(joint, value):
    return {"type": "joint", "joint": joint, "value": value}


CHAIN = {  # each carriage on the one before: M is full, its rank is 1
    "parameters": {"k1": 100, "k2": 200, "k3": 300},
    "bodies": {"a": {}, "b": {}, "m": MASS},
    "joints": {"x1": slider("ground", "a"), "x2": slider("a", "b"), "x3": slider("b", "m")},
    "forces": {f"s{k}": along(f"x{k}", f"-k{k}*x{k}") for k in (1, 2, 3)},
    "initial": {f"x{k + 1}": 0.1 * SERIES / K[k] for k in range(3)},
}
PLACED = {  # each carriage on the ground
    **CHAIN,
    "joints": {
        "x1": slider("ground", "a"),
        "x2": slider("ground", "b"),
        "x3": slider("ground", "m"),
    },
    "forces": {
        "f1": along("x1", "-k1*x1 + k2*(x2 - x1)"),
        "f2": along("x2", "-k2*(x2 - x1) + k3*(x3 - x2)"),
        "f3": along("x3", "-k3*(x3 - x2)"),
    },
    "initial": {"x3": 0.1},
}
TIMES = [0.1, 0.5, 2.0]


@pytest.mark.parametrize(
    "options",
    [{}, {"coordinates": "absolute"}, {"method": "radau"}, {"method": "symplectic", "step": 1e-3}],
)
def test_three_springs_in_series_are_one(options):
    run = ts.simulate(ts.load(CHAIN), at=TIMES, **options)
    whole = run["x1"] + run["x2"] + run["x3"]
    np.testing.assert_allclose(whole, 0.1 * np.cos(np.sqrt(SERIES / 2) * run.t), atol=1e-9)
    np.testing.assert_allclose(run["x2"] / run["x1"], K[0] / K[1], rtol=1e-9)
    assert run.energy_drift < 1e-8
    assert np.abs(run.lambdas).max(initial=0.0) < 1e-12


def test_springs_between_carriages_that_are_placed_move_alike():
    run = ts.simulate(ts.load(PLACED), at=TIMES)
    np.testing.assert_allclose(run["x3"], 0.1 * np.cos(np.sqrt(SERIES / 2) * run.t), atol=1e-9)


def test_springs_in_series_vibrate_as_one():
    for form in (CHAIN, PLACED):
        linear = ts.linearise(ts.load(form))
        np.testing.assert_allclose(linear.frequencies, [np.sqrt(SERIES / 2)], rtol=1e-12)
        assert linear.stable
        assert ts.equilibria(ts.load(form))[0].stable


def test_rows_of_a_batch_move_as_single_runs():
    stiff = np.array([100.0, 150.0])
    rows = ts.simulate(ts.load(PLACED), at=TIMES, parameters={"k1": stiff})
    for k, value in enumerate(stiff):
        one = ts.simulate(ts.load(PLACED), at=TIMES, parameters={"k1": value})
        np.testing.assert_allclose(rows["x3"][k], one["x3"], rtol=1e-13)


def test_a_run_is_saved_and_read(tmp_path):
    run = ts.simulate(ts.load(CHAIN), at=TIMES)
    run.save(tmp_path / "run.nc")
    assert np.array_equal(ts.load_run(tmp_path / "run.nc")["x1"], run["x1"])


MAXWELL = {  # a mass on a spring and a damper in series
    "parameters": {"k": 50, "c": 4, "F": 3},
    "bodies": {"n": {}, "m": {"mass": 1, "inertia": [1, 1, 1]}},
    "joints": {"y": slider("ground", "n"), "x": slider("ground", "m")},
    "forces": {"node": along("y", "-c*y. + k*(x - y)"), "mass": along("x", "-k*(x - y) + F")},
}


@pytest.mark.parametrize("coordinates", ["joint", "absolute"])
def test_a_spring_and_a_damper_in_series_are_a_maxwell_element(coordinates):
    run = ts.simulate(ts.load(MAXWELL), at=TIMES, coordinates=coordinates)

    def rate(t, z):
        return [z[1], -50 * (z[0] - z[2]) + 3, 50 * (z[0] - z[2]) / 4]

    exact = solve_ivp(rate, [0, 2], [0, 0, 0], t_eval=TIMES, rtol=1e-12, atol=1e-13).y
    np.testing.assert_allclose(run["x"], exact[0], atol=1e-9)
    np.testing.assert_allclose(run["y"], exact[2], atol=1e-9)
    assert run.energy_drift < 1e-8


def test_a_maxwell_element_has_the_roots_of_its_polynomial():
    """s (s² + k/c s + k/m) = 0."""
    linear = ts.linearise(ts.load({**MAXWELL, "parameters": {"k": 50, "c": 4, "F": 0}}))
    roots = np.sort_complex(np.roots([1, 50 / 4, 50, 0]))
    np.testing.assert_allclose(np.sort_complex(linear.eigenvalues), roots, atol=1e-9)


SOLID = {  # a spring beside a Maxwell element, without any mass
    "parameters": {"k1": 100, "k2": 50, "c": 20, "F": 10},
    "bodies": {"n": {}, "p": {}},
    "joints": {"y": slider("ground", "n"), "x": slider("ground", "p")},
    "forces": {
        "node": along("y", "-c*y. + k2*(x - y)"),
        "point": along("x", "-k2*(x - y) - k1*x + F"),
    },
}
CREEP = 20 * (100 + 50) / (100 * 50)


def test_a_standard_linear_solid_creeps_with_its_time():
    run = ts.simulate(ts.load(SOLID), at=[0.0, 0.2, 1.0, 3.0])
    exact = 10 / 100 * (1 - 50 / 150 * np.exp(-run.t / CREEP))
    np.testing.assert_allclose(run["x"], exact, rtol=1e-8)
    np.testing.assert_allclose(ts.linearise(ts.load(SOLID)).eigenvalues, [-1 / CREEP], rtol=1e-9)


def test_a_standard_linear_solid_relaxes_with_its_time():
    """Held at 0.1 m, the force falls from (k1 + k2) x to k1 x with the time c/k2."""
    form = {**SOLID, "motions": {"hold": {"coordinate": "x", "law": 0.1}}}
    run = ts.simulate(ts.load(form), at=[0.0, 0.2, 1.0])
    pulled = 50 * (run["x"] - run["y"])
    np.testing.assert_allclose(pulled, 5 * np.exp(-run.t * 50 / 20), rtol=1e-7)


def test_derivatives_of_creep_are_exact():
    for name, value in (("k1", 100.0), ("c", 20.0)):
        exact = ts.sensitivity(ts.load(SOLID), 1.0, [name], rate=2)["x"][:, 0]
        near = [
            ts.simulate(ts.load(SOLID), 1.0, rate=2, rtol=1e-11, parameters={name: value + h})["x"]
            for h in (1e-3, -1e-3)
        ]
        np.testing.assert_allclose(exact, (near[0] - near[1]) / 2e-3, atol=1e-9)


ENDS = {"p": ([1, 0, 0], 100), "q": ([-0.5, 0.8, 0], 200), "r": ([-0.4, -0.9, 0], 150)}
NODE = {
    "bodies": {"a": {}, "n": {}},
    "joints": {
        "x": {"type": "slider", "bodies": ["ground", "a"], "axis": "x"},
        "y": {"type": "slider", "bodies": ["a", "n"], "axis": "y"},
    },
    "forces": {
        name: {
            "type": "spring",
            "between": [["ground", end], ["n", [0, 0, 0]]],
            "stiffness": k,
            "length": 0.2,
        }
        for name, (end, k) in ENDS.items()
    },
}


def test_a_node_of_three_ropes_rests_where_their_forces_balance():
    (rest,) = ts.equilibria(ts.load(NODE))
    run = ts.simulate(ts.load(NODE), 1.0, rate=2)
    assert rest.stable
    for x, y in [(rest.coordinates["x"], rest.coordinates["y"]), (run["x"][0], run["y"][0])]:
        total = np.zeros(2)
        for end, k in ENDS.values():
            apart = np.array(end[:2]) - [x, y]
            total += k * (1 - 0.2 / np.linalg.norm(apart)) * apart
        np.testing.assert_allclose(total, 0, atol=1e-9)


def bars(inertia):
    """Three bars with torsion springs and a point mass at the end: N depends on the angles."""
    after = {"a": ("ground", 0), "b": ("a", 0.5), "c": ("b", 0.5)}
    return {
        "gravity": [0, -9.81, 0],
        "parameters": {"I": inertia},
        "bodies": {
            "a": {"inertia": [0, 0, "I"]},
            "b": {"inertia": [0, 0, "I"]},
            "c": {"mass": 1, "centre": [0.5, 0, 0], "inertia": [0, 0, 0]},
        },
        "joints": {
            f"q{name}": {
                "type": "pivot",
                "bodies": [first, name],
                "axis": "z",
                "point": [[at, 0, 0], [0, 0, 0]],
            }
            for name, (first, at) in after.items()
        },
        "forces": {
            f"s{name}": {"type": "torsion spring", "joint": f"q{name}", "stiffness": k}
            for name, k in {"a": 30, "b": 20, "c": 10}.items()
        },
    }


BENT = {"qa": -0.32, "qb": -0.296, "qc": -0.266}


def test_bars_without_mass_move_as_very_light_ones():
    run = ts.simulate(ts.load(bars(0)), at=[0.0, 0.1, 0.3], initial=BENT)
    start = {name: run[name][0] for name in BENT}
    light = ts.simulate(ts.load(bars(1e-7)), at=[0.0, 0.1, 0.3], initial=start, method="radau")
    for name in BENT:
        np.testing.assert_allclose(run[name], light[name], atol=1e-6)
    assert run.energy_drift < 1e-8


HEAVY = {  # a mass on two springs, which bounces on a stop
    "gravity": [-9.81, 0, 0],
    "parameters": {"k1": 100, "k3": 300},
    "bodies": {"a": {}, "m": MASS},
    "joints": {
        "x1": slider("ground", "a"),
        "x3": {**slider("ground", "m"), "limits": [0, 2], "stop": {"restitution": 0.5}},
    },
    "forces": {"f1": along("x1", "-k1*x1 + k3*(x3 - x1)"), "f3": along("x3", "-k3*(x3 - x1)")},
    "initial": {"x3": 1.0},
}
ALONE = {
    "gravity": [-9.81, 0, 0],
    "bodies": {"m": MASS},
    "joints": {"x3": HEAVY["joints"]["x3"]},
    "forces": {"f": along("x3", "-75*x3")},
    "initial": {"x3": 1.0},
}


@pytest.mark.parametrize(
    ("options", "bound"),
    [
        ({}, 1e-8),
        ({"coordinates": "absolute"}, 1e-7),
        ({"method": "moreau", "step": 1e-3}, 1e-4),
    ],
)
def test_stops_act_on_what_light_springs_hold(options, bound):
    run = ts.simulate(ts.load(HEAVY), at=[0.2, 0.5, 1.0], **options)
    alone = ts.simulate(ts.load(ALONE), at=[0.2, 0.5, 1.0], **options)
    np.testing.assert_allclose(run["x3"], alone["x3"], atol=bound)


def test_control_and_steppers_act_on_what_has_mass():
    control = {"control": {"x3": "-0.5*x3."}, "sample": 0.01, "at": [0.2]}
    free = {"x1": HEAVY["joints"]["x1"], "x3": slider("ground", "m")}
    model = ts.load({**HEAVY, "joints": free, "inputs": ["x3"]})
    alone = ts.load({**ALONE, "joints": {"x3": free["x3"]}})
    one, other = (ts.simulate(x, **control) for x in (model, alone))
    np.testing.assert_allclose(one["x3"], other["x3"], rtol=1e-8)
    stepper = ts.Stepper(model, 0.01)
    stepper.step([0.1])
    assert stepper["x1"] == pytest.approx(0.75 * stepper["x3"])


def changed(**parts):
    return {**HEAVY, "joints": {**HEAVY["joints"], "x3": slider("ground", "m")}, **parts}


def test_a_balance_that_is_not_stable_is_refused():
    """A spring of negative stiffness pushes the carriage away from where forces balance."""
    with pytest.raises(ts.SolveError, match="would leave at once"):
        ts.simulate(ts.load({**HEAVY, "parameters": {"k1": -400, "k3": 300}}), 1.0)
    assert not ts.equilibria(ts.load(changed(parameters={"k1": -400, "k3": 300})))[0].stable


@pytest.mark.parametrize(
    ("form", "options", "problem"),
    [
        (changed(), {"control": {"x3": "-x3."}, "sample": 0.01}, "given while it moves"),
        (
            changed(
                states={"F": {"rate": "1 - F"}},
                forces={**HEAVY["forces"], "push": along("x1", "F")},
            ),
            {},
            'the state "F" acts on it',
        ),
        (
            changed(forces={**HEAVY["forces"], "drag": along("x1", "-x1.*abs(x1.)")}),
            {},
            "not linear in the speeds",
        ),
        (
            {
                **HEAVY,
                "joints": {
                    **HEAVY["joints"],
                    "x1": {**HEAVY["joints"]["x1"], "limits": [0, 2], "stop": {"restitution": 0.5}},
                },
            },
            {},
            "may touch, stop or rub it",
        ),
        (changed(forces={}), {}, "carries no inertia"),
    ],
)
def test_what_a_balance_cannot_say_is_refused_by_name(form, options, problem):
    with pytest.raises((ts.ModelError, ts.SolveError), match=problem):
        ts.simulate(ts.load(form), 1.0, **options)


def test_linear_systems_have_states_that_push_what_has_no_mass():
    form = changed(
        states={"F": {"rate": "(2 - F)/0.1"}},
        forces={**HEAVY["forces"], "push": along("x1", "F")},
    )
    linear = ts.linearise(ts.load(form))
    # m ẍ = −75 x + 0.75 F about the rest
    assert linear.states == ("x3", "x3.", "F")
    np.testing.assert_allclose(linear.A, [[0, 1, 0], [-37.5, 0, 0.375], [0, 0, -10]], atol=1e-9)
