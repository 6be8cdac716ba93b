"""First-order states beside the motion: closed forms, contacts, control, batches, files."""

import json
import subprocess

import numpy as np
import pytest
from test_cli import torseur

import torseur as ts

LAGGED = {
    "parameters": {"tau": "0.1 s", "U": "2 N"},
    "bodies": {"b": {"mass": 2, "inertia": [1, 1, 1]}},
    "joints": {"x": {"type": "slider", "bodies": ["ground", "b"], "axis": "x"}},
    "states": {"F": {"rate": "(U - F)/tau", "initial": "0.5 N", "unit": "N"}},
    "forces": {"push": {"type": "joint", "joint": "x", "value": "F"}},
}
TIMES = [0.05, 0.3, 1.0]


def lagged(first, t):
    """F, and the speed of 2 kg that it pushes from rest."""
    rest = (first - 2) * np.exp(-t / 0.1)
    return 2 + rest, (2 * t + (first - 2) * 0.1 * (1 - np.exp(-t / 0.1))) / 2


@pytest.mark.parametrize(
    ("options", "bound"),
    [({}, 1e-8), ({"method": "radau"}, 1e-8), ({"method": "rk4", "step": 1e-3}, 1e-9)],
)
def test_a_force_behind_a_filter_follows_its_closed_form(options, bound):
    run = ts.simulate(ts.load(LAGGED), at=TIMES, **options)
    F, v = lagged(0.5, run.t)
    np.testing.assert_allclose(run["F"], F, rtol=bound)
    np.testing.assert_allclose(run["x."], v, rtol=bound)
    np.testing.assert_allclose(run["x.."], F / 2, rtol=bound)
    assert run.energy_drift < 1e-8
    assert run.names["F"] == "N"


def test_a_row_of_a_batch_has_the_bits_of_the_single_run():
    model, firsts = ts.load(LAGGED), np.array([0.5, 1.0, -3.0])
    batch = ts.simulate(model, at=TIMES, initial={"F": firsts}, parameters={"U": firsts + 1})
    for row, first in enumerate(firsts):
        one = ts.simulate(model, at=TIMES, initial={"F": first}, parameters={"U": first + 1})
        assert np.array_equal(batch["F"][row], one["F"])
        assert np.array_equal(batch["x"][row], one["x"])
    assert {name: x.tolist() for name, x in batch.end.items()} == {
        name: batch[name][:, -1].tolist() for name in ("x", "x.", "F")
    }


def test_a_run_is_saved_with_its_states(tmp_path):
    run = ts.simulate(ts.load(LAGGED), at=TIMES)
    run.save(tmp_path / "run.nc")
    again = ts.load_run(tmp_path / "run.nc")
    assert np.array_equal(again["F"], run["F"])
    np.testing.assert_allclose(again["x.."], run["x.."], rtol=1e-14)


def test_a_report_of_a_run_has_the_curves_of_its_states(tmp_path):
    page = ts.report(ts.simulate(ts.load(LAGGED), 0.2, rate=50), tmp_path / "run.html")
    assert "[N]" in page.read_text(encoding="utf-8")


def test_laws_of_control_and_steppers_know_states():
    model = ts.load(LAGGED)
    run = ts.simulate(model, at=[0.5], control={"x": "-F"}, sample=1e-2)
    stepper = ts.Stepper(model, 1e-2)
    for _ in range(50):
        stepper.step([-stepper["F"]])
    np.testing.assert_allclose([stepper["x"], stepper["F"]], [run["x"][0], run["F"][0]], rtol=1e-9)


BALL = {
    "gravity": [0, -9.81, 0],
    "bodies": {"b": {"mass": 1, "inertia": [1, 1, 1]}},
    "joints": {"y": {"type": "slider", "bodies": ["ground", "b"], "axis": "y"}},
    "contacts": {
        "floor": {"bodies": ["ground", "b"], "point": [0, 0, 0], "normal": "y", "restitution": 0.5}
    },
    "states": {"u": {"rate": "-2*u", "initial": 3}},
    "forces": {"f": {"type": "joint", "joint": "y", "value": "u"}},
    "initial": {"y": 1},
}


@pytest.mark.parametrize(
    ("options", "bound"), [({}, 1e-8), ({"method": "moreau", "step": 1e-3}, 4e-3)]
)
def test_states_go_on_through_shocks(options, bound):
    run = ts.simulate(ts.load(BALL), at=[0.3, 1.0, 3.0], **options)
    np.testing.assert_allclose(run["u"], 3 * np.exp(-2 * run.t), rtol=5 * bound)
    # the first flight: y'' = −g + u with u = 3 e^(−2t)
    t = 0.3
    y = 1 - 9.81 * t**2 / 2 + 3 / 4 * (np.exp(-2 * t) - 1) + 3 / 2 * t
    assert run["y"][0] == pytest.approx(y, rel=bound)


def test_a_bristle_holds_and_then_slides_at_its_limit():
    """Dahl's friction: ż = v − |v| z/z_max; pulled slowly it reaches σ z_max."""
    model = ts.load(
        LAGGED
        | {
            "parameters": {"sigma": 1000, "zmax": 0.001},
            "states": {"z": "x. - abs(x.)*z/zmax"},
            "forces": {
                "bristle": {"type": "joint", "joint": "x", "value": "-sigma*z"},
                "pull": {"type": "joint", "joint": "x", "value": "200*(0.5*t - x) - 30*x."},
            },
        }
    )
    run = ts.simulate(model, at=[3.0])
    assert run["z"][0] == pytest.approx(1e-3, rel=1e-6)
    # steady: 200 (0.5 t − x) − 30 · 0.5 = σ z_max = 1, so that x = 0.5 t − 16/200
    assert run["x"][0] == pytest.approx(1.5 - 16 / 200, rel=1e-4)


def test_small_motions_of_a_servo_have_the_roots_of_its_polynomial():
    """m x'' = F − k x − b x', τ F' = K (r − x) − F: det(s) is a cubic."""
    k, b, tau, gain, m = 20.0, 0.5, 0.1, 50.0, 2.0
    model = ts.load(
        LAGGED
        | {
            "parameters": {"tau": tau, "gain": gain},
            "states": {"F": {"rate": "(gain*(0.3 - x) - F)/tau"}},
            "forces": {"push": {"type": "joint", "joint": "x", "value": "F - 20*x - 0.5*x."}},
        }
    )
    system = ts.stability.linear_system(model)
    assert system.states == ("x", "x.", "F")
    cubic = [tau * m, m + tau * b, b + tau * k, k + gain]
    np.testing.assert_allclose(
        np.poly(np.linalg.eigvals(system.A)).real, np.array(cubic) / cubic[0]
    )


def test_linear_systems_start_from_the_rest_of_states_that_are_not_linear():
    """A pendulum held by a couple that follows its angle: F = c tanh θ, about θ ≠ 0."""
    model = ts.load(
        {
            "gravity": [0, -9.81, 0],
            "bodies": {"rod": {"mass": 1, "centre": [0, -1, 0], "inertia": [0, 0, 0]}},
            "joints": {"a": {"type": "pivot", "bodies": ["ground", "rod"], "axis": "z"}},
            "states": {"C": {"rate": "3 - C - C^3", "initial": 1}},
            "forces": {"hold": {"type": "joint", "joint": "a", "value": "C"}},
        }
    )
    A = ts.stability.linear_system(model).A
    C = np.roots([1, 0, 1, -3]).real[np.abs(np.roots([1, 0, 1, -3]).imag) < 1e-12][0]
    stiffness = 9.81 * np.sqrt(1 - (C / 9.81) ** 2)
    np.testing.assert_allclose(A, [[0, 1, 0], [-stiffness, 0, 1], [0, 0, -1 - 3 * C**2]], atol=1e-9)


def test_equations_show_states_and_functions_take_them():
    model = ts.load(LAGGED)
    assert "F. = (U - F)/tau" in ts.derive(model).text()
    assert "Ḟ = (U − F)/τ" in str(ts.derive(model))
    assert r"\dot{F} = \frac{U - F}{\tau}" in ts.derive(model).formulas().latex()
    assert ts.derive(model).evaluate().Q == [0.5]
    f = ts.compile(model)
    np.testing.assert_allclose(f.forward_dynamics([0.0], [0.0], [1.0], [3.0]), [2.0])


def test_exported_c_takes_states(tmp_path):
    files = ts.export(ts.load(LAGGED), "c", functions=["forward_dynamics"], directory=tmp_path)
    source = next(path for path in files if str(path).endswith(".c"))
    text = source.read_text()
    assert "u[0]" in text
    done = subprocess.run(["cc", "-fsyntax-only", str(source)], cwd=tmp_path, check=False)
    assert done.returncode == 0


def test_what_knows_no_states_says_so():
    with pytest.raises(ts.ModelError, match='the state "F" has a rate of its own'):
        ts.first_integrals(ts.load(LAGGED))


def test_commands_that_know_no_states_say_so(tmp_path):
    model = tmp_path / "lag.yaml"
    model.write_text(json.dumps(LAGGED))
    said = torseur("integrals", str(model))
    assert said.returncode == 2
    assert 'the state "F" has a rate of its own' in said.stderr


def test_the_command_simulate_moves_states(tmp_path):
    model = tmp_path / "lag.yaml"
    model.write_text(json.dumps(LAGGED))
    assert (
        torseur(
            "simulate", str(model), "--duration", "0.5", "-o", str(tmp_path / "r.nc")
        ).returncode
        == 0
    )
    run = ts.load_run(tmp_path / "r.nc")
    np.testing.assert_allclose(run["F"][-1], lagged(0.5, 0.5)[0], rtol=1e-8)


@pytest.mark.parametrize("options", [{"method": "symplectic"}, {"multipliers": "schur"}])
def test_motions_that_know_no_states_are_refused(options):
    with pytest.raises(ts.ModelError, match="leave out multipliers and symplectic"):
        ts.simulate(ts.load(LAGGED), 1.0, **options)


@pytest.mark.parametrize("options", [{}, {"control": {"x": "-x."}, "sample": 0.05}])
def test_absolute_coordinates_move_states(options, tmp_path):
    model = ts.load(LAGGED)
    runs = [ts.simulate(model, at=TIMES, coordinates=x, **options) for x in ("absolute", "joint")]
    np.testing.assert_allclose(runs[0]["F"], runs[1]["F"], rtol=1e-7)
    np.testing.assert_allclose(runs[0]["x"], runs[1]["x"], rtol=1e-7)
    runs[0].save(tmp_path / "run.nc")
    assert np.array_equal(ts.load_run(tmp_path / "run.nc")["F"], runs[0]["F"])


@pytest.mark.parametrize("options", [{}, {"method": "moreau", "step": 1e-3}])
def test_absolute_coordinates_move_states_through_shocks(options):
    run = ts.simulate(ts.load(BALL), at=[0.3, 1.0, 3.0], coordinates="absolute", **options)
    joint = ts.simulate(ts.load(BALL), at=[0.3, 1.0, 3.0], **options)
    np.testing.assert_allclose(run["u"], joint["u"], rtol=1e-6)
    np.testing.assert_allclose(run["y"], joint["y"], atol=1e-8)


def test_equations_with_states_move_as_the_mechanism():
    run = ts.formalisms.integrate(ts.derive(ts.load(LAGGED)), at=TIMES, initial={"F": 1.0})
    np.testing.assert_allclose(run["F"], lagged(1.0, run.t)[0], rtol=1e-8)


@pytest.mark.parametrize(
    ("states", "problem"),
    [
        ({"x": "1"}, 'the name "x" of a state is already used'),
        ({"U": "1"}, 'the name "U" of a state is already used'),
        ({"F": {"initial": 2}}, 'the entry "rate" is missing'),
        ({"F": "G + 1"}, 'name "G" does not exist'),
        ({"F": {"rate": "-F", "initial": "3 m", "unit": "N"}}, "where a force"),
    ],
)
def test_states_that_contradict_themselves_are_refused(states, problem):
    with pytest.raises(ts.ModelError, match=problem):
        ts.load(LAGGED | {"states": states, "forces": {}})


def test_batches_and_rollouts_move_states_beside_commands():
    """s' = 1 is a force s on 0.5 kg·m²: with a command of 1, q' = 2 (t + t²/2)."""
    model = ts.load(
        {
            "bodies": {"b": {"mass": 2, "inertia": [1, 1, 0.5]}},
            "joints": {"q": {"type": "pivot", "bodies": ["ground", "b"], "axis": "z"}},
            "states": {"s": {"rate": "1"}},
            "forces": {"f": {"type": "joint", "joint": "q", "value": "s"}},
        }
    )
    at, rows = np.linspace(0, 1, 11), {"q": np.array([0, 0.1])}
    rolled = ts.rollout(model, np.ones((2, 10, 1)), 0.1)
    ruled = ts.simulate(model, at=at, initial=rows, control={"q": "1"}, sample=0.1)
    for runs in (rolled, ruled):
        np.testing.assert_allclose(runs["s"][:, -1], 1.0)
        np.testing.assert_allclose(runs["q."][:, -1], 3.0)
        assert runs.energy_drift.max() < 1e-12
    assert ts.simulate(model, at=at, initial=rows).energy_drift.max() < 1e-12
