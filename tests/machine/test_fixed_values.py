"""Values of parameters that are part of the code: the same numbers, fewer operations, no change."""

import pickle
from functools import cache

import numpy as np
import pytest
from example_states import EXAMPLES, mechanism
from export_cases import assert_close
from test_export_c import GCC, built
from test_kinematics import ARM

import torseur as ts
from torseur.algebra.core.graph import flat, free_symbols
from torseur.algebra.forms.count import count
from torseur.equations.functions.catalogue import FUNCTIONS
from torseur.equations.symbols.system import system
from torseur.export.export import sources
from torseur.model.values.fingerprint import fingerprint
from torseur.model.values.numbers import entries
from torseur.model.values.numeric import with_numbers

TURNED = {
    "name": "turned",
    "parameters": {"angle": "90 deg", "twice": "2*m", "m": 2.0, "l": 0.3, "off": 0.0},
    "gravity": [0, 0, -9.81],
    "bodies": {k: {"mass": "twice", "centre": ["off", "l", 0], "inertia": [0.1, "m/50", 0.1]}
               for k in ("a", "b")},
    "joints": {
        "A": {"type": "pivot", "bodies": ["ground", "a"], "axis": "x", "coordinate": "q1"},
        "B": {"type": "pivot", "bodies": ["a", "b"], "axis": ["y", "x"], "coordinate": "q2",
              "rotation": [{"z": "angle"}], "point": [["off", "l", 0], [0, 0, 0]]},
    },
    "points": {"P": ["b", ["l", "off", 0]]},
}  # fmt: skip


@cache
def both():
    made = ts.load(TURNED)
    return ts.compile(made), ts.compile(made, fixed=True)


def operations(mechanism, name="forward_dynamics"):
    return count(flat(FUNCTIONS[name].build(system(mechanism)))).total


def test_the_numbers_are_the_same():
    free, fixed = both()
    q, v, x = np.random.default_rng(0).normal(size=(3, 2))
    for name in ("forward_dynamics", "inverse_dynamics"):
        expected = getattr(free, name)(q, v, x)
        np.testing.assert_allclose(getattr(fixed, name)(q, v, x), expected, rtol=1e-13)
    np.testing.assert_allclose(fixed.point("P", q), free.point("P", q), atol=1e-15)
    assert fixed.parameters == {}
    assert fixed.fixed == pytest.approx(
        {"angle": np.pi / 2, "twice": 4, "m": 2, "l": 0.3, "off": 0}
    )


def test_zeros_and_quarter_turns_are_left_out():
    given = ts.load(TURNED)
    assert operations(with_numbers(given)) < 0.8 * operations(given)
    text = "".join(sources(given, "numpy", ["mass_matrix"], fixed=True).values())
    assert "e-17" not in text, "a quarter turn is exact"
    assert "p[" not in text
    assert "No parameters." in text


@pytest.mark.parametrize("name", EXAMPLES)
def test_no_parameter_is_left_in_an_example(name):
    left = free_symbols([value for _, _, value in entries(with_numbers(mechanism(name)))])
    assert not [x.name for x in left if x.kind == "parameter"]


def test_other_values_are_other_code():
    made = ts.load(TURNED)
    texts = {fingerprint(with_numbers(made, {"m": m})) for m in (2.0, 2.0 + 1e-15, 3.0)}
    assert len(texts) == 3
    heavier = ts.compile(made, parameters={"m": 3.0}, fixed=True)
    assert heavier.mass_matrix([0.1, 0.2]) == pytest.approx(
        both()[0].with_parameters(m=3.0).mass_matrix([0.1, 0.2])
    )


def test_fixed_values_cannot_be_changed():
    fixed = both()[1]
    for change in (
        lambda: fixed.with_parameters(m=3.0),
        lambda: fixed.tried(m=3.0).mass_matrix([0.1, 0.2]),
        lambda: fixed.mass_matrix([0.1, 0.2], parameters={"m": [1.0, 2.0]}),
        lambda: ts.simulate(fixed, 0.1, parameters={"m": 3.0}),
    ):
        with pytest.raises(ts.ModelError, match=r'parameter "m": its value 2 is part of the code'):
            change()
    with pytest.raises(ts.ModelError, match='"mm" does not exist'):
        fixed.with_parameters(mm=3.0)


def test_a_parameter_without_a_value_cannot_be_fixed():
    arm = ts.load("RZ(q1), TXK(L1), RZ(q2), TXK(L2);", masses="lever")
    with pytest.raises(ts.ModelError, match=r'no value.*\n.*parameters=\{"'):
        ts.compile(arm, fixed=True)


def test_a_fixed_model_moves_travels_and_is_saved(tmp_path):
    free, fixed = both()
    again = pickle.loads(pickle.dumps(fixed))
    assert again.fixed == fixed.fixed
    runs = [ts.simulate(f, 0.2, rate=20, initial={"q1": 0.5}) for f in (free, again)]
    np.testing.assert_allclose(runs[1].q, runs[0].q, atol=1e-8)
    assert ts.load(fixed.mechanism.save(tmp_path / "x.yaml")).parameters == free.parameters
    runs[1].save(tmp_path / "run.nc")
    kept = ts.load_run(tmp_path / "run.nc")
    assert kept.model.mass_matrix(kept.q[0]) == pytest.approx(free.mass_matrix(kept.q[0]))


@pytest.mark.skipif(GCC is None, reason="gcc is not on the PATH")
def test_exported_c_of_fixed_values_gives_the_same_numbers(tmp_path):
    q = np.random.default_rng(1).normal(size=7)
    made, free = ts.load(ARM), ts.compile(ts.load(ARM), parameters={"l": 0.5})
    names = ("mass_matrix", "pose:tool")
    texts = sources(made, "c", names, parameters={"l": 0.5}, fixed=True)
    library = built(texts, tmp_path)
    for name in names:
        expected = free.function(name)(q)
        found = library(name.replace(":", "_"), np.zeros(1), [q], expected.shape)
        assert_close(found, expected, 1e-12)
