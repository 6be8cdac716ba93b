"""Equations as a book writes them are those of the program, and can be read back as printed."""

import glob
from functools import cache
from importlib.resources import files

import numpy as np
import pytest

import torseur as ts
from torseur.algebra.core.expr import symbol
from torseur.algebra.core.graph import evaluate, free_symbols
from torseur.algebra.forms.length import length, length_of_line
from torseur.algebra.forms.readable import readable
from torseur.algebra.printing.text import text
from torseur.algebra.printing.unicode import symbol_name, unicode_text
from torseur.equations.actions.efforts import multipliers
from torseur.equations.formalisms.derive import derive
from torseur.model.values.named_numbers import named_numbers
from torseur.teach.formula.names import KnownNames
from torseur.teach.formula.parser import parse_formula
from torseur.teach.formula.values import value_of

EXAMPLES = sorted(x.name.removesuffix(".yaml") for x in files("torseur.examples").iterdir() if x.name.endswith(".yaml"))
SLOW = {"cardan_shaft", "delta_robot", "stewart_platform", "jansen_leg", "peaucellier"}
CLOSE = 1e-9  # of the largest term of a line: formulas are sums of tens of terms


def example(name):
    return ts.load(str(files("torseur.examples") / f"{name}.yaml"))


@cache
def equations(name):
    return derive(named_numbers(example(name)))


@cache
def written(name):
    return equations(name).formulas()


def read_back(line, names):
    known = KnownNames({name: name for name in names})
    node, _ = parse_formula(line, known)
    return node


def at_random(made, lines, seed=1):
    """A state at which what must be positive is."""
    rng = np.random.default_rng(seed)
    parts = [*made.M.ravel(), *made.h, *made.g, *made.Q, *made.J.ravel(), *multipliers(made.constraints)]
    names = {x.name for x in free_symbols([*parts, *lines.positive])}
    names |= {f"{v}." for v in made.speeds} | set(made.speeds)
    for _ in range(200):
        values = {name: float(rng.uniform(0.3, 1.3)) for name in names}
        if all(evaluate(x, values) > 0 for x in lines.positive):
            return _unit(values, made, rng)
    raise AssertionError("no state found")


def _unit(values, made, rng):
    """Quaternions of size one."""
    for four in made.system.tree.quaternions:
        raw = rng.normal(size=4)
        for x, value in zip(made.system.q[four], raw / np.linalg.norm(raw), strict=True):
            values[x.name] = float(value)
    return values


@pytest.mark.parametrize("name", [pytest.param(x, marks=[pytest.mark.slow] * (x in SLOW)) for x in EXAMPLES])
def test_lines_as_they_are_printed_are_the_program(name):
    """Left − right, times what the line was divided by, is M a + h + g − Q − Jᵀ λ."""
    made, lines = equations(name), written(name)
    values = at_random(made, lines)
    a = np.array([values[f"{v}."] for v in made.speeds])
    M, h, g, Q = (np.asarray(evaluate(x, values), dtype=float) for x in (made.M, made.h, made.g, made.Q))
    terms = [M.reshape(len(a), -1) * a, h, g, -Q]
    if len(made.constraints.owners):
        unknowns = np.array([values[x.name] for x in multipliers(made.constraints)])
        J = np.asarray(evaluate(made.J, values), dtype=float).reshape(len(unknowns), -1)
        terms.append(-J.T * unknowns)
    rows = sum(t.sum(axis=1) if t.ndim == 2 else t for t in terms)
    size = max(np.abs(np.concatenate([np.ravel(t) for t in terms])).max(), 1e-300)
    for k, line in enumerate(lines.lines):
        if line.equation is None:
            continue
        factor = evaluate(line.equation.factor, values)
        for write in (lambda x: text(x, ranks=lines.written.ranks), lambda x: unicode_text(x, ranks=lines.written.ranks)):
            sides = [value_as_printed(write(x), values) for x in (line.equation.left, line.equation.right)]
            assert abs(factor * (sides[0] - sides[1]) - rows[k]) <= CLOSE * size, write(line.equation.left)


def value_as_printed(line, values):
    known = {name: symbol(name) for name in values} 
    node = read_back(line, known)
    return float(evaluate(value_of(node, known, {}), values))
