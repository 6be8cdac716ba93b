"""Machine code gives what the float recursions give, for one state and for many."""

import gc
import os
import re
import subprocess
import sys
import weakref
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_trees import EVERY_JOINT, SLIDING_AND_TURNING, random_coordinates, random_tree
from test_formalisms import system_of

import torseur as ts
from torseur.algebra.core.expr import symbol
from torseur.algebra.core.graph import evaluate
from torseur.dynamics.tree.inverse_dynamics import inverse_dynamics
from torseur.dynamics.tree.quantities import forward_dynamics, mass_matrix
from torseur.equations.functions.catalogue import FUNCTIONS, kernel_of
from torseur.equations.functions.kernel import kernel
from torseur.errors import ModelError
from torseur.language.load import load
from torseur.machine.compiled import compile
from torseur.machine.evaluator import Interpreted, kernel_code
from torseur.machine.llvm import cache
from torseur.machine.llvm.builtin import NEW_ARRAY_INDEX, WritingCode, builtin
from torseur.machine.llvm.module import module_text
from torseur.machine.native import Calls, compiled_function

ARM = "RY(q1), TYK(L1), RX(q2), TYK(L2), TZ(d), TZK(L3);"
NAMES = ("L1", "L2", "L3", "M1", "D1", "IX1", "IZ1", "M2", "D2", "IX2", "IZ2", "M3", "D3", "IX3")
VALUES = {name: 0.3 + 0.1 * k for k, name in enumerate((*NAMES, "IY3", "G"))}


def arm():
    return compile(load(ARM, masses="lever")).with_parameters(**VALUES)


def functions_of(tree, gravity):
    system = system_of(tree)
    numbers = {"gx": gravity[0], "gy": gravity[1], "gz": gravity[2]}

    def function(name):
        made = kernel_code(kernel_of(FUNCTIONS[name], system), "")
        return compiled_function(made, np.array([numbers[p] for p in made.parameters]))

    return function


@pytest.mark.sampled(8)
@pytest.mark.parametrize("rotors", [None, "reflected"])
@pytest.mark.parametrize("seed", range(6))
def test_machine_code_is_the_float_recursion_on_random_trees(seed, rotors):
    rng = np.random.default_rng(seed)
    tree = random_tree(rng, EVERY_JOINT, bodies=3, rotors=rotors)
    if not tree.nv:
        pytest.skip("three fixed bodies have no equations")
    gravity = rng.normal(size=3) * 9.81
    q, (v, a) = random_coordinates(rng, tree), rng.normal(size=(2, tree.nv))
    function = functions_of(tree, gravity)
    Q = inverse_dynamics(tree, q, v, a, gravity).Q
    M = mass_matrix(tree, q)
    size = 1 + np.abs(Q).max() + np.abs(M).max()
    np.testing.assert_allclose(function("inverse_dynamics")(q, v, a), Q, atol=1e-12 * size)
    np.testing.assert_allclose(function("mass_matrix")(q), M, atol=1e-12 * size)
    found = function("forward_dynamics")(q, v, Q)
    reference = forward_dynamics(tree, q, v, Q, gravity)
    condition = max(np.linalg.cond(M), 100.0)
    np.testing.assert_allclose(
        found, reference, atol=1e-14 * condition * (1 + np.abs(a).max()) * size
    )


@pytest.mark.parametrize("rows", [1, 3, 4, 5, 8, 13])
def test_a_batch_is_every_row_on_its_own(rows):
    f, rng = arm(), np.random.default_rng(rows)
    q, v, a = rng.normal(size=(3, rows, 3))
    together = f.inverse_dynamics(q, v, a)
    assert together.shape == (rows, 3)
    for k in range(rows):
        np.testing.assert_allclose(together[k], f.inverse_dynamics(q[k], v[k], a[k]), rtol=1e-12)
    np.testing.assert_allclose(f.mass_matrix(q)[rows - 1], f.mass_matrix(q[rows - 1]), rtol=1e-12)
    np.testing.assert_array_equal(together, f.inverse_dynamics(q, v, a, threads=2))


def test_forward_dynamics_undoes_inverse_dynamics_with_the_compiled_mass_matrix():
    f, rng = arm(), np.random.default_rng(1)
    q, v, a = rng.normal(size=(3, 3))
    Q = f.inverse_dynamics(q, v, a)
    np.testing.assert_allclose(f.forward_dynamics(q, v, Q), a, rtol=1e-10)
    np.testing.assert_allclose(f.mass_matrix(q) @ a + f.bias(q, v) + f.gravity(q), Q, rtol=1e-12)
    assert f.kinetic_energy(q, v) == pytest.approx(v @ f.mass_matrix(q) @ v / 2, rel=1e-12)


def test_accelerations_are_solved_for_by_factors_which_no_inverse_does_as_well():
    """Errata E3-2, E3-7: M a is right to rounding, where cond(M) spoils the product with M⁻¹."""
    count = 12
    b = ts.Builder("stretched chain", gravity=[0, -9.81, 0])
    last = b.ground
    for k in range(count):
        bar = b.body(f"bar{k}", mass=1, centre=[0.5, 0, 0], inertia=[0.01, 0.01, 0.01])
        at = [[float(k > 0), 0, 0], [0, 0, 0]]
        b.joint(f"J{k}", "pivot", last, bar, point=at, axis="z", coordinate=f"q{k}")
        last = bar
    f, rng = ts.compile(b.build()), np.random.default_rng(0)
    q, v, Q = 1e-3 * rng.normal(size=count), *rng.normal(size=(2, count))
    M, right = f.mass_matrix(q), Q - f.inverse_dynamics(q, v, np.zeros(count))

    def left_over(a):
        return np.abs(M @ a - right).max() / (np.abs(M).max() * np.abs(a).max())

    assert np.linalg.cond(M) > 1e5
    assert left_over(f.forward_dynamics(q, v, Q)) < 1e-15
    assert left_over(np.linalg.inv(M) @ right) > 1e-14


def test_the_regressor_times_the_inertial_parameters_is_inverse_dynamics():
    f, rng = arm(), np.random.default_rng(2)
    q, v, a = rng.normal(size=(3, 3))
    found = f.regressor(q, v, a) @ f.inertial_parameters
    np.testing.assert_allclose(found, f.inverse_dynamics(q, v, a), rtol=1e-11)
    assert len(f.inertial_names) == 30


def test_partial_derivatives_are_those_of_finite_differences():
    f, rng = arm(), np.random.default_rng(3)
    q, v, a = rng.normal(size=(3, 3))
    Q, step = f.inverse_dynamics(q, v, a), 1e-6
    pairs = (("inverse_dynamics", a), ("forward_dynamics", Q))
    for name, last in pairs:
        function = getattr(f, name)
        exact = getattr(f, f"{name}_derivatives")(q, v, last)
        for k, direction in enumerate(np.eye(3) * step):
            by_q = function(q + direction, v, last) - function(q - direction, v, last)
            by_v = function(q, v + direction, last) - function(q, v - direction, last)
            np.testing.assert_allclose(exact[:, k], by_q / (2 * step), rtol=1e-6, atol=1e-6)
            np.testing.assert_allclose(exact[:, 3 + k], by_v / (2 * step), rtol=1e-6, atol=1e-6)


def test_changing_a_parameter_compiles_nothing_and_a_row_may_have_its_own():
    f, rng = arm(), np.random.default_rng(4)
    q, v, a = rng.normal(size=(3, 5, 3))
    masses = np.linspace(0.0, 2.0, 5)
    swept = f.inverse_dynamics(q, v, a, parameters={"M2": masses})
    for k, mass in enumerate(masses):
        other = f.with_parameters(M2=mass)
        assert other._evaluators is f._evaluators
        np.testing.assert_allclose(swept[k], other.inverse_dynamics(q[k], v[k], a[k]), rtol=1e-11)


@pytest.mark.parametrize(
    "given",
    [
        lambda x: x.tolist(),
        lambda x: np.repeat(x, 2)[::2],
        lambda x: x.astype(np.float32).astype(np.float64),
        lambda x: x[np.newaxis],
    ],
    ids=["list", "strided", "copy", "one row"],
)
def test_lists_and_strided_arrays_are_taken(given):
    f = arm()
    q = np.array([0.5, -0.25, 0.125])
    np.testing.assert_array_equal(np.ravel(f.gravity(given(q))), f.gravity(q))
    np.testing.assert_array_equal(f.gravity(np.array([0, 1, 2])), f.gravity([0.0, 1.0, 2.0]))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1.0, 2.0],), r"expected shape \(3,\) or \(N, 3\), got \(2,\).*q1, q2, d"),
        ((0.5,), r"got \(\)"),
        ((["a", "b", "c"],), "expected shape"),
    ],
)
def test_a_wrong_shape_is_met_with_the_expected_order(arguments, message):
    with pytest.raises(ModelError, match=f"(?s){message}"):
        arm().gravity(*arguments)


def test_a_parameter_without_value_is_named():
    with pytest.raises(ModelError, match=r"have no value: .*IX2"):
        compile(load(ARM, masses="lever")).mass_matrix(np.zeros(3))


def test_a_function_is_a_built_in_that_leaks_nothing():
    f, q = arm(), np.array([0.1, 0.2, 0.3])
    gravity, energy = f.gravity, f.potential_energy
    assert type(gravity).__name__ == "builtin_function_or_method"
    assert "q1, q2, d" in gravity.__doc__
    float_type = np.dtype(float)
    before = sys.getrefcount(float_type), sys.getrefcount(q)
    for _ in range(1000):
        gravity(q)
        energy(q)
    after = sys.getrefcount(float_type), sys.getrefcount(q)
    assert abs(after[0] - before[0]) < 10
    assert after[1] == before[1]


def test_numpy_still_numbers_its_functions_as_we_do():
    header = Path(np.get_include()) / "numpy" / "__multiarray_api.h"
    found = re.search(r"#define PyArray_Empty\b.*?PyArray_API\[(\d+)\]", header.read_text(), re.S)
    assert found is not None
    assert int(found[1]) == NEW_ARRAY_INDEX


# --- the function library -----------------------------------------------------------------------


def library():
    x = symbol("x", "coordinate")
    made = kernel_code(kernel("library", [("x", ["x"])], np.array([x.sin(), x.cos()])), "")
    return compiled_function(made, np.zeros(0))


def ulps(found, exact):
    return np.abs(found - exact) / np.spacing(np.abs(exact))


NEAR = np.arange(1, 1000, dtype=float) * np.pi / 2
ARGUMENTS = np.concatenate(
    [
        np.linspace(-20.0, 20.0, 4001),
        NEAR,
        np.nextafter(NEAR, 0.0),
        np.nextafter(NEAR, np.inf),
        NEAR * 1024,
        10.0 ** np.linspace(-300.0, 308.0, 2001),
        [6381956970095103 * 2.0**797, 2.0**20 * np.pi / 2],
    ]
)


def test_sine_and_cosine_are_within_two_units_in_the_last_place():
    from mpmath import cos, mp, mpf, sin

    found = library()(ARGUMENTS[:, np.newaxis])
    with mp.workprec(1300):
        for k in range(0, len(ARGUMENTS), 31):
            for column, exact in ((0, sin), (1, cos)):
                true = exact(mpf(float(ARGUMENTS[k])))
                error = abs(mpf(float(found[k, column])) - true)
                assert error <= 2 * float(np.spacing(abs(float(true))))
    single = np.array([library()(np.array([x])) for x in ARGUMENTS[:50]])
    np.testing.assert_array_equal(single, found[:50])


def test_infinities_and_nan_give_nan_and_the_sign_of_zero_is_kept():
    found = library()(np.array([[np.inf], [-np.inf], [np.nan], [-0.0], [0.0]]))
    assert np.isnan(found[:3]).all()
    assert np.signbit(found[3, 0])
    assert not np.signbit(found[4, 0])


def every_function():
    x, y = (symbol(name, "coordinate") for name in "xy")
    one = x * x + 1
    outputs = [
        one.sqrt(), one.log(), (-one).exp(), one.sqrt() ** -1, x.sign(), abs(x), x.arctan2(one),
        one**5, one**-3, x / one, x.tan() * 0 + y, (one**2 + y * y) ** 1.5,
    ]  # fmt: skip
    made = kernel_code(kernel("all", [("x", ["x", "y"])], np.array(outputs)), "")
    return np.array(outputs), compiled_function(made, np.zeros(0))


@pytest.fixture(scope="module")
def compiled_library():
    return every_function()


@given(numbers=st.lists(st.floats(-50, 50), min_size=2, max_size=2))
def test_every_function_of_the_algebra_compiles(compiled_library, numbers):
    outputs, function = compiled_library
    expected = evaluate(outputs, {"x": numbers[0], "y": numbers[1]})
    np.testing.assert_allclose(function(np.array(numbers)), expected, rtol=1e-12, atol=1e-300)


def test_powers_of_three_halves_are_products_with_a_root():
    """They are rounded twice, and once more with the inverse."""
    from mpmath import mpf, workprec

    x, bases, halves = symbol("x", "coordinate"), np.geomspace(1e-60, 1e60, 301), (-1.5, 1.5)
    made = kernel("halves", [("x", ["x"])], np.array([x**half for half in halves]))
    assert "@torseur.pow" not in module_text(made, ())
    found = compiled_function(kernel_code(made, ""), np.zeros(0))(bases[:, np.newaxis])
    with workprec(120):
        for base, row in zip(bases, found, strict=True):
            for half, value in zip(halves, row, strict=True):
                true = mpf(base) ** mpf(half)
                assert abs(mpf(value) / true - 1) <= (2 + (half < 0)) * 1.001 * 2.0**-53


# --- other machines -----------------------------------------------------------------------------


def test_the_portable_path_gives_the_same_numbers(monkeypatch):
    rng = np.random.default_rng(5)
    tree = random_tree(rng, SLIDING_AND_TURNING, bodies=4)
    found = kernel_of(FUNCTIONS["inverse_dynamics"], system_of(tree))
    q, v, a = rng.normal(size=(3, 6, tree.nv))
    numbers, results = None, []
    for portable in ("", "1"):
        monkeypatch.setenv("TORSEUR_PORTABLE", portable)
        made = kernel_code(found, "")
        numbers = rng.normal(size=len(made.parameters)) if numbers is None else numbers
        results.append(compiled_function(made, numbers)(q, v, a))
    np.testing.assert_allclose(results[0], results[1], rtol=1e-12, atol=1e-12)


def test_numpy_code_stands_in_where_llvm_is_missing():
    f, rng = arm(), np.random.default_rng(6)
    f.function("inverse_dynamics")
    made = f._evaluators["inverse_dynamics"]
    plain = replace(made, entries=Interpreted(made.kernel, made.parameters))
    values = np.array([VALUES[name] for name in made.parameters])
    q, v, a = rng.normal(size=(3, 6, 3))
    slow = compiled_function(plain, values)
    np.testing.assert_allclose(slow(q, v, a), f.inverse_dynamics(q, v, a), rtol=1e-11)
    np.testing.assert_allclose(slow(q[0], v[0], a[0]), f.inverse_dynamics(q, v, a)[0], rtol=1e-11)


@pytest.mark.parametrize("spoil", [b"", b"garbage", None], ids=["empty", "garbage", "truncated"])
def test_a_spoilt_cache_entry_is_made_again(tmp_path, monkeypatch, spoil):
    q = np.array([0.1, 0.2, 0.3])
    expected = arm().gravity(q)  # with what is compiled once for all functions
    monkeypatch.setenv("TORSEUR_CACHE", str(tmp_path))
    arm().gravity(q)
    (entry,) = [x for x in tmp_path.iterdir() if x.name != "looked"]  # when room was made last
    entry.write_bytes(entry.read_bytes()[:-7] if spoil is None else spoil)
    np.testing.assert_array_equal(arm().gravity(q), expected)
    assert cache.read(entry.name) is not None


def test_a_cache_that_cannot_be_written_is_done_without(tmp_path, monkeypatch):
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    monkeypatch.setenv("TORSEUR_CACHE", str(blocked))
    assert np.isfinite(arm().gravity(np.zeros(3))).all()


@pytest.mark.slow
def test_processes_that_compile_at_once_share_the_cache(tmp_path):
    code = (
        "import numpy as np, torseur as ts;"
        f"m = ts.load({ARM!r}, masses='lever');"
        f"print(ts.compile(m).with_parameters(**{VALUES!r}).gravity(np.ones(3)).tolist())"
    )
    environment = os.environ | {"TORSEUR_CACHE": str(tmp_path)}
    running = [
        subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, env=environment)
        for _ in range(4)
    ]
    answers = {process.communicate()[0] for process in running}
    assert len(answers) == 1
    assert all(process.returncode == 0 for process in running)


def test_a_mechanism_that_a_run_still_holds_is_not_made_symbols_again():
    mechanism = ts.load("bouncing_ball")
    run = ts.simulate(mechanism, 0.1)
    again = ts.simulate(mechanism, 0.1)
    assert again.model.system is run.model.system
    np.testing.assert_array_equal(again.q, run.q)


def test_a_mechanism_goes_when_nothing_holds_it():
    mechanism = ts.load("compound_pendulum")
    alive = weakref.ref(mechanism)
    ts.simulate(mechanism, 0.1)
    del mechanism
    gc.collect()
    assert alive() is None


@pytest.mark.parametrize(("entry", "inputs", "size"), [("array", 15, 1), ("judged", 1, 257)])
def test_code_that_an_entry_has_no_room_for_is_left_to_the_careful_function(entry, inputs, size):
    code = WritingCode(0, np.zeros(1), (1,) * inputs, (size,), np.zeros(1))
    assert builtin(entry, "f", "", code, print) is None


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("place", [0, 5])
def test_each_number_of_a_solution_must_be_finite_to_be_returned_at_once(bad, place):
    names = tuple(f"x{k}" for k in range(6))
    one = kernel(
        "solution", [("x", names)], np.array([symbol(name, "input") ** 2 for name in names])
    )
    calls = Calls(kernel_code(one, ""), np.zeros(0))
    function = builtin("solved", "solution", "", calls.code((6,)), lambda *_: "careful")
    x = np.arange(6.0)
    np.testing.assert_array_equal(function(x), x**2)
    x[place] = bad
    assert function(x) == "careful"
