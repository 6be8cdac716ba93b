"""Exchange with SymPy: there and back, and what cannot come."""

import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from random_expressions import SYMBOLS, VALUES, computation

from torseur.algebra import PI, number, symbol, symbols
from torseur.algebra.core.functions import FUNCTIONS
from torseur.algebra.core.graph import evaluate
from torseur.algebra.core.rules import function
from torseur.algebra.exchange import from_sympy, to_sympy
from torseur.errors import ModelError

a, b = symbols("a b")
q1, q2 = symbols("q1 q2", "coordinate")
speed = symbol("alpha.", "speed")
x, y = sympy.symbols("q1 q2")


@settings(max_examples=15)
@given(st.integers(0, 1000))
def test_there_and_back_the_value_is_the_same(seed):
    for sample in computation(seed, steps=12)[-2:]:
        back = from_sympy(to_sympy(sample.expr), SYMBOLS)
        assert abs(evaluate(back, VALUES) - sample.value) <= 1e3 * sample.error + 1e-15


def test_symbols_are_found_by_name_and_speeds_have_names_of_c():
    acceleration = symbol("alpha..", "acceleration")
    here = speed * q1 + acceleration * a
    there = to_sympy(here)
    assert {x.name for x in there.free_symbols} == {"q1", "a", "alpha_dot", "alpha_ddot"}
    assert there.subs({"q1": 2, "a": 0}) == 2 * sympy.Symbol("alpha_dot")
    code = sympy.ccode(there)
    assert sympy.sympify(code) == there
    assert from_sympy(there, [speed, acceleration, q1, a]) is here
    assert all(x.is_real for x in to_sympy(here, real=True).free_symbols)
    assert from_sympy(to_sympy(here, real=True), [speed, acceleration, q1, a]) is here


def test_a_speed_and_a_parameter_that_has_its_name_stay_apart():
    other = symbol("alpha_dot")
    there = to_sympy(speed * other**2)
    assert there == sympy.Symbol("alpha_dot_") * sympy.Symbol("alpha_dot") ** 2
    assert from_sympy(there, [speed, other]) is speed * other**2


def test_numbers_stay_exact():
    assert to_sympy(q1 / 3 + PI) == x / 3 + sympy.pi
    assert from_sympy(x / 3 + sympy.pi, [q1]) is q1 / 3 + PI
    assert to_sympy(number(0.1)) == sympy.Float(0.1)
    assert from_sympy(sympy.Float(0.1), []) == 0.1
    assert from_sympy(sympy.sqrt(x), [q1]) is q1.sqrt()


@pytest.mark.parametrize("name", sorted(set(FUNCTIONS) - {"atan2", "if"}))
def test_every_function_goes_there_and_back(name):
    here = function(name, q1 * q2)
    there = to_sympy(here)
    assert there == getattr(sympy, "Abs" if name == "abs" else name)(x * y) or name == "abs"
    values = {"q1": 0.6, "q2": 0.9}
    assert evaluate(from_sympy(there, [q1, q2]), values) == evaluate(here, values)


def test_the_angle_of_a_point_goes_there_and_back():
    assert to_sympy(q1.arctan2(q2)) == sympy.atan2(x, y)
    assert from_sympy(sympy.atan2(x, y), [q1, q2]) is q1.arctan2(q2)


def test_variable_exponents_and_e_are_taken():
    values = {"q1": 1.3, "q2": 0.4}
    assert evaluate(from_sympy(x**y, [q1, q2]), values) == pytest.approx(1.3**0.4, rel=1e-12)
    assert evaluate(from_sympy(sympy.E * x, [q1]), values) == pytest.approx(1.3 * np.e, rel=1e-12)


def test_matrices_become_arrays_and_vectors_columns():
    M = np.array([[a, q1], [q1, b]], dtype=object)
    there = to_sympy(M)
    assert isinstance(there, sympy.MatrixBase)
    assert (from_sympy(there, [a, b, q1]) == M).all()
    assert to_sympy(M[0]).shape == (2, 1)
    assert to_sympy(np.array([M, M])).shape == (2, 2, 2)


def test_named_nodes_become_symbols_except_the_outputs_themselves():
    C12 = np.cos(q1 + q2)
    names = {C12.key: "C12"}
    assert to_sympy(a * C12, names) == sympy.Symbol("a") * sympy.Symbol("C12")
    assert to_sympy(C12, names, top=True) == sympy.cos(x + y)


def test_functions_of_time_stand_for_the_nodes_they_are_given():
    t = sympy.Symbol("t")
    q = sympy.Function("q")(t)
    known = {q: q1, q.diff(t): speed}
    assert from_sympy(q.diff(t) ** 2 * sympy.sin(q), known) is speed**2 * np.sin(q1)


def test_an_unknown_symbol_is_named():
    with pytest.raises(ModelError, match='symbol "q3" does not exist'):
        from_sympy(x + sympy.Symbol("q3"), [q1, q2])


@pytest.mark.parametrize(
    ("there", "named"),
    [
        (sympy.gamma(x), r"gamma\(q1\)"),
        (sympy.I * x, "I"),
        (sympy.Piecewise((x, x > 0)), "not defined everywhere"),
        (sympy.Function("f")(x), r"f\(q1\)"),
        (sympy.oo, "oo"),
    ],
    ids=str,
)
def test_what_cannot_be_taken_is_named(there, named):
    with pytest.raises(ModelError, match=named):
        from_sympy(there, [q1])


def test_a_shared_node_is_exchanged_once():
    u, v = q1, q2
    for i in range(100):  # 700 nodes whose text would be astronomical
        u, v = np.sin(v) * symbol(f"c{i % 30}") + u, u * v - np.cos(u)
    assert to_sympy(u).is_Add  # which ends only if each shared node is taken once


def test_a_deep_chain_is_exchanged_without_recursion():
    here = q1
    for _ in range(1000):
        here = here * a + b
    back = from_sympy(to_sympy(here), [a, b, q1])
    values = {"a": 0.9, "b": 0.3, "q1": 0.5}
    assert evaluate(back, values) == pytest.approx(evaluate(here, values), rel=1e-12)
