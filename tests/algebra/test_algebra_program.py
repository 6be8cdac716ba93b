"""Programs: every name defined before use, nothing dead, nothing twice, counts by hand."""

import re
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from random_expressions import VALUES, computations, read_back

from torseur.algebra import PI, number, symbol, symbols
from torseur.algebra.core.expr import CONFIGURATION, PARAMETER, STATE, expression
from torseur.algebra.core.graph import reachable
from torseur.algebra.forms.count import Operations, count
from torseur.algebra.forms.program import component_names, program, trigonometric_name
from torseur.algebra.printing.text import text

a, b, c = symbols("a b c")
q1, q2, q3 = symbols("q1 q2 q3", "coordinate")
v1, v2 = symbols("v1 v2", "speed")


def programs(found):
    return program({"x": np.array([x.expr for x in found[-3:]], dtype=object)})


def written_nodes(x, names):
    """The nodes written out in the line of x: named ones are not entered."""
    pending, seen = [*x.args], []
    while pending:
        part = pending.pop()
        seen.append(part)
        if part.key not in names:
            pending.extend(part.args)
    return seen


@given(computations)
def test_every_name_is_defined_before_it_is_used(found):
    made = programs(found)
    defined = set()
    for step in made.assignments:
        used = {x.key for x in written_nodes(step.value, made.names)} & set(made.names)
        assert used <= defined
        defined.add(step.value.key)


@given(computations)
def test_names_are_unique_and_no_symbol_has_one(found):
    made = programs(found)
    names = [step.name for step in made.assignments]
    assert len(names) == len(set(names))
    assert not set(names) & {x.name for x in made.symbols}


@given(computations)
def test_there_is_no_dead_code(found):
    made = programs(found)
    used = {x.key for x in made.nodes}
    for line in (*(step.value for step in made.assignments), *made.nodes):
        used |= {x.key for x in written_nodes(line, made.names)}
    assert {step.value.key for step in made.assignments} <= used


@given(computations)
def test_nothing_is_computed_twice(found):
    made = programs(found)
    lines = {x.key: x for x in (*(step.value for step in made.assignments), *made.nodes)}
    computed = Counter(
        x.key
        for line in lines.values()
        for x in (line, *written_nodes(line, made.names))
        if x.args and x.key not in made.names and x.args[0] != -1
    )
    assert not [key for key, times in computed.items() if times > 1]


@given(computations)
def test_the_printed_assignments_compute_the_outputs(found):
    made = programs(found)
    values = dict(VALUES)
    for step in made.assignments:
        values[step.name] = read_back(text(step.value, made.names, top=True), values)
    for x, expected in zip(made.nodes, made.evaluate(VALUES)["x"], strict=True):
        got = read_back(text(x, made.names), values)
        assert got == pytest.approx(expected, rel=1e-7, abs=1e-7)


def test_an_operand_used_with_both_signs_is_computed_once():
    product = q1 * q2
    made = program({"x": a - product, "y": b - product})
    assert [text(step.value, made.names, top=True) for step in made.assignments] == ["q1*q2"]


def test_an_output_used_by_another_has_a_name():
    made = program({"x": q1 * q2, "y": q1 * q2 + q3})
    assert [step.name for step in made.assignments] == ["k1"]


def test_parameters_are_computed_in_their_own_stage():
    made = program({"x": v1 - a * b, "y": (a + b) * q1 * v1})
    assert {text(step.value) for step in made.stage(PARAMETER)} == {"a*b", "a + b"}
    assert {text(step.value) for step in made.stage(CONFIGURATION)} == {"q1*(a + b)"}
    assert not list(made.stage(STATE))


def test_sines_and_cosines_bear_the_names_of_the_1980_report():
    angles = [np.cos(q2 + q3), np.sin(q1), np.cos(q1 - q2), np.sin(symbol("alpha"))]
    assert [trigonometric_name(x) for x in angles] == ["C23", "S1", "C1m2", "S_alpha"]
    assert trigonometric_name(np.sin(2 * q1)) is None
    assert trigonometric_name(q1) is None


def test_a_name_already_taken_is_numbered():
    taken = symbol("C1")
    made = program({"x": taken * np.cos(q1)})
    assert [step.name for step in made.assignments] == ["C1_1"]


def test_hints_name_intermediates():
    V = np.array([a * q1, b * q2, a - b], dtype=object)
    made = program({"x": q3 * V.sum()}, component_names("V", V, "6"))
    names = {text(step.value): step.name for step in made.assignments}
    assert names == {"a*q1": "V6x", "b*q2": "V6y", "a - b": "V6z"}


@pytest.mark.parametrize(
    ("x", "expected"),
    [
        (q1 * q2 + q3, Operations(mul=1, add=1)),
        (q1 - q2, Operations(add=1)),
        (-q1, Operations()),
        (q1**2, Operations(mul=1)),
        (q1**5, Operations(mul=3)),
        (1 / q1, Operations(div=1)),
        (q1**-2, Operations(mul=1, div=1)),
        (q1.sqrt(), Operations(other=1)),
        (np.sin(q1) * np.cos(q1), Operations(mul=1, trig=2)),
        (np.exp(q1), Operations(other=1)),
        ((a + b) * q1, Operations(mul=1)),
        (np.cos(q1 + PI / 2), Operations(trig=1)),
        (number(3) * PI, Operations()),
    ],
    ids=str,
)
def test_operations_are_counted_as_by_hand(x, expected):
    assert count([expression(x)]) == expected


def test_operations_are_counted_per_stage():
    made = program({"x": (a + b) * np.sin(q1) * v1})
    assert made.operations_by_stage == {
        "parameters": Operations(add=1),
        "configuration": Operations(mul=1, trig=1),
        "state": Operations(mul=1),
    }
    assert made.operations == Operations(mul=2, trig=1)
    assert str(made.operations) == "2 multiplications, 0 additions, 1 sines and cosines"


def chain(n):
    """Positions of the tips of a chain of n links in space."""
    p, R = np.array([0, 0, 0], dtype=object), np.eye(3).astype(object)
    for i in range(n):
        q, length = symbol(f"q{i}", "coordinate"), symbol(f"L{i}")
        s, c = np.sin(q), np.cos(q)
        turn = [[c, -s, 0], [s, c, 0], [0, 0, 1]] if i % 2 else [[1, 0, 0], [0, c, -s], [0, s, c]]
        R = R @ np.array(turn, dtype=object)
        p = p + R @ np.array([length, 0, length])
    return p


def test_twice_the_bodies_cost_twice_the_operations():
    costs = np.array([program({"p": chain(n)}).operations.total for n in (10, 20, 40)])
    nodes = np.array([len(reachable(chain(n))) for n in (10, 20, 40)])
    for found in (costs, nodes):
        ten_more, twenty_more = np.diff(found)
        assert twenty_more == 2 * ten_more


def test_a_program_needs_the_symbols_it_contains():
    made = program({"x": a * q1 + v1, "y": 0})
    assert [x.name for x in made.symbols] == ["q1", "a", "v1"]
    assert made.evaluate({"a": 2.0, "q1": 3.0, "v1": 1.0}) == {"x": 7.0, "y": 0.0}


def test_names_of_a_program_can_be_written_in_any_language():
    made = program({"p": chain(12)})
    assert all(re.fullmatch(r"[A-Za-z]\w*", step.name) for step in made.assignments)
