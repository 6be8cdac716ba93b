"""Values given to parameters: judged as in a description, and a name instead of a NaN."""

from dataclasses import replace

import numpy as np
import pytest
from example_states import EXAMPLES, FOLDER, mechanism, model

import torseur as ts
from torseur.algebra.core.expr import expression
from torseur.cli.main import main
from torseur.model.checks.mechanism_checks import check

NAN, INFINITE = float("nan"), float("inf")
LONG = ("jansen_leg", "stewart_platform")
CASES = [pytest.param(x, marks=pytest.mark.slow) if x in LONG else x for x in EXAMPLES]


@pytest.mark.parametrize("value", [NAN, INFINITE, -INFINITE])
@pytest.mark.parametrize("name", ["double_pendulum", "slider_crank", "puma560"])
def test_a_value_that_is_not_finite_is_refused_by_name(name, value):
    parameter = next(iter(mechanism(name).parameters))
    with pytest.raises(ts.ModelError, match=f'parameter "{parameter}": the value is {value}'):
        model(name).with_parameters(**{parameter: value})
    with pytest.raises(ts.ModelError, match=f'parameter "{parameter}": the value is {value}'):
        ts.simulate(mechanism(name), 0.1, parameters={parameter: value})


@pytest.mark.parametrize("name", CASES)
def test_a_value_is_refused_with_the_words_of_the_description(name):
    """Each parameter in turn is made negative and zero: the verdict is that of the file.

    Initial values may be given anew, and so may those of parameters that they alone need.
    """
    described, made = mechanism(name), model(name)
    for parameter, entry in described.parameter_table.items():
        for value in (-1.0, 0.0):
            table = dict(described.parameter_table)
            table[parameter] = replace(entry, value=expression(value))
            file = replace(described, parameter_table=table, initial={})
            wanted = {str(fault) for fault in check(file)}
            if any(f'parameter "{own}": the value is nan' in x for x in wanted for own in table):
                continue
            try:
                made.with_parameters(**{parameter: value})
                found = set()
            except ts.ModelError as error:
                found = {str(fault) for fault in error.faults}
            assert found == wanted, f"{parameter} = {value}"


def test_a_shell_refuses_what_the_file_would_not_say(capsys, monkeypatch):
    arguments = ["simulate", str(FOLDER / "double_pendulum.yaml"), "--duration", "0.1"]
    monkeypatch.setattr("sys.argv", ["torseur", *arguments, "--set", "m1=-1"])
    with pytest.raises(SystemExit) as stopped:
        main()
    assert stopped.value.code == 2
    assert "the mass is -1 kg; it cannot be negative" in capsys.readouterr().err


@pytest.mark.parametrize("function", ["forward_dynamics", "forward_dynamics_derivatives"])
def test_accelerations_that_do_not_exist_are_named(function):
    f, still = model("double_pendulum"), np.zeros(2)
    light = f.with_parameters(l2=0.0)
    call = light.function(function)
    for arrays in [(still, still, still), ([0, 0], [0, 0], [0, 0]), (np.zeros((9, 2)),) * 3]:
        with pytest.raises(ts.SolveError, match=r"theta2 \(joint .A.\) carries no inertia"):
            call(*arrays)
    with pytest.raises(ts.SolveError, match=r"theta2 \(joint .A.\) carries no inertia"):
        f.function(function)(still, still, still, parameters={"l2": [0.4, 0.0]})
    assert np.isnan(call(NAN * still, still, still)).all(), "what is not a number stays so"
    assert np.isfinite(f.function(function)(still, still, still)).all()


def test_loops_over_bodies_say_it_too():
    links = ", ".join(f"RZ(q{k}), TYK(l)" for k in range(50))
    f = ts.compile(ts.load(f"{links};", masses="lever", gravity=(0, -9.81, 0)))
    values = {name: 0.1 for name in f.parameters} | {"l": 1.0}
    heavy = f.with_parameters(**values)
    assert np.isfinite(heavy.forward_dynamics(*np.zeros((3, 50)))).all()
    small = {name: 0.0 for name in f.parameters if name.startswith(("IX", "IZ", "M"))}
    with pytest.raises(ts.SolveError, match="no inertia"):
        heavy.with_parameters(**small).forward_dynamics(*np.zeros((3, 50)))


def test_a_force_that_is_not_defined_is_named():
    pull = {"type": "spring", "between": [["ground", [0, 0, 0]], ["bead", [0, 0, 0]]],
            "stiffness": 5, "length": 0.1}  # fmt: skip
    slide = {"type": "slider", "bodies": ["ground", "bead"], "axis": "x", "coordinate": "x"}
    bead = {"bodies": {"bead": {"mass": 1}}, "joints": {"A": slide}, "forces": {"pull": pull}}
    f = ts.compile(ts.load(bead))
    with pytest.raises(ts.SolveError, match=r'x = 0: force "pull" is infinite or undefined'):
        f.forward_dynamics(np.zeros(1), np.zeros(1), np.zeros(1))


def test_a_parameter_that_a_function_does_not_use_is_accepted():
    f, still = model("double_pendulum"), np.zeros(2)
    masses = np.array([0.5, 2.0, 3.0])
    found = f.potential_energy(still + 0.3, parameters={"m1": masses, "l1": 0.5})
    assert found.shape == (3,)
    weightless = ts.compile(replace(f.mechanism, gravity=0 * f.mechanism.gravity))
    assert weightless.gravity(still, parameters={"m1": masses}).shape == (3, 2)
    with pytest.raises(ts.ModelError, match='parameter "m9" does not exist'):
        f.gravity(still, parameters={"m9": masses})
    with pytest.raises(ts.ModelError, match='parameter "m1": its value in row 1 is nan'):
        f.gravity(still, parameters={"m1": [1.0, NAN]})


def test_in_a_sweep_what_is_defined_from_a_parameter_follows_it():
    arm = {
        "parameters": {"m": 2, "l": 0.5, "I": "m*l^2/12"},
        "bodies": {"arm": {"mass": "m", "centre": ["l/2", 0, 0], "inertia": ["I", "I", "I"]}},
        "joints": {"A": {"type": "pivot", "bodies": ["ground", "arm"], "axis": "z"}},
    }
    f = ts.compile(ts.load(arm))
    swept = f.mass_matrix([0.1], parameters={"m": [1.0, 4.0]})
    wanted = [f.with_parameters(m=m).mass_matrix([0.1]) for m in (1.0, 4.0)]
    np.testing.assert_allclose(swept, wanted, rtol=1e-14)
