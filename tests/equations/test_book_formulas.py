"""Equations as a book writes them are those of the program, and can be read back as printed."""

import re
from functools import cache
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import least_squares
from source_formulas import SOURCES, length_of_line, ours, placed, table

import torseur as ts
from torseur.algebra.core.expr import expression, symbol
from torseur.algebra.core.graph import evaluate, free_symbols
from torseur.algebra.forms.length import length
from torseur.algebra.forms.normal_form import normal_form, product
from torseur.algebra.forms.readable import readable
from torseur.algebra.printing.text import text
from torseur.algebra.printing.unicode import symbol_name, unicode_text
from torseur.equations.formalisms.derive import derive
from torseur.model.joints.library import Distance
from torseur.model.values.named_numbers import named_numbers
from torseur.teach.formula.nodes import value_of
from torseur.teach.formula.parser import parse_formula
from torseur.teach.formula.tokens import KnownNames

EXAMPLES = sorted(
    x.name.removesuffix(".yaml")
    for x in files("torseur.examples").iterdir()
    if x.name.endswith(".yaml")
)
SLOW = {"cardan_shaft", "delta_robot", "stewart_platform", "jansen_leg", "peaucellier"}
NAME = re.compile(r"[A-Za-z]\w*\.*")
FUNCTIONS = {"sin", "cos", "asin", "sqrt", "pi", "sign", "abs"}
STATES = {"X", "x", "y", "theta", "phi", "psi", "alpha", "beta", "lam", "p_theta", "p_phi"} | {
    "O_wx", "O_wy", "O_wz", "lambda_mu1", "lambda_mu2", "Rx", "T_road", "x_phi", "psi_alpha",
    "x_alpha", "spin1", "theta1", "theta2", "P1_wz", "y1", "y2",
}  # fmt: skip
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
    parts = [
        *made.M.ravel(),
        *made.h,
        *made.g,
        *made.Q,
        *made.J.ravel(),
        *made.constraints.unknowns,
    ]
    rods = rod_gaps(made)
    names = {x.name for x in free_symbols([*parts, *lines.positive, *rods])}
    names |= {f"{v}." for v in made.speeds} | set(made.speeds)
    for _ in range(200):
        values = {name: float(rng.uniform(0.3, 1.3)) for name in names}
        if all(evaluate(x, values) > 0 for x in lines.positive):
            return _closed(_unit(values, made, rng), made, rods)
    raise AssertionError("no state found")


def rod_gaps(made):
    """|r| − l of each rod: lines have l for |r|, so that they hold where this is zero."""
    closures = getattr(made.constraints, "closures", ())
    return [expression(x.gap[0]) for x in closures if isinstance(x.cut.joint, Distance)]


def _closed(values, made, rods):
    """The same state with the ends of rods as far apart as these are long."""
    if not rods:
        return values
    names = [x.name for x in made.system.q]

    def gaps(q):
        return np.asarray(evaluate(rods, values | dict(zip(names, q, strict=True))), dtype=float)

    found = least_squares(gaps, [values[x] for x in names], xtol=1e-15, ftol=1e-15, gtol=1e-15)
    assert np.abs(found.fun).max() < 1e-13
    return values | dict(zip(names, map(float, found.x), strict=True))


def _unit(values, made, rng):
    """Quaternions of size one."""
    for four in made.system.tree.quaternions:
        raw = rng.normal(size=4)
        for x, value in zip(made.system.q[four], raw / np.linalg.norm(raw), strict=True):
            values[x.name] = float(value)
    return values


@pytest.mark.sampled(20)
@pytest.mark.parametrize(
    "name", [pytest.param(x, marks=[pytest.mark.slow] * (x in SLOW)) for x in EXAMPLES]
)
def test_lines_as_they_are_printed_are_the_program(name):
    """Left − right, times what the line was divided by, is M a + h + g − Q − Jᵀ λ."""
    made, lines = equations(name), written(name)
    values = at_random(made, lines)
    a = np.array([values[f"{v}."] for v in made.speeds])
    M, h, g, Q = (
        np.asarray(evaluate(x, values), dtype=float) for x in (made.M, made.h, made.g, made.Q)
    )
    terms = [M.reshape(len(a), -1) * a, h, g, -Q]
    if len(made.constraints.owners):
        unknowns = np.array([values[x.name] for x in made.constraints.unknowns])
        J = np.asarray(evaluate(made.J, values), dtype=float).reshape(len(unknowns), -1)
        terms.append(-J.T * unknowns)
    rows = sum(t.sum(axis=1) if t.ndim == 2 else t for t in terms)
    size = max(np.abs(np.concatenate([np.ravel(t) for t in terms])).max(), 1e-300)
    for k, line in enumerate(lines.lines):
        if line.equation is None:
            continue
        factor = evaluate(line.equation.factor, values)
        for write in (
            lambda x: text(x, ranks=lines.ranks),
            lambda x: unicode_text(x, ranks=lines.ranks),
        ):
            sides = [
                value_as_printed(write(x), values)
                for x in (line.equation.left, line.equation.right)
            ]
            assert abs(factor * (sides[0] - sides[1]) - rows[k]) <= CLOSE * size, write(
                line.equation.left
            )


def value_as_printed(line, values):
    known = {name: symbol(name) for name in values}
    node = read_back(line, known)
    return float(evaluate(value_of(node, known, {}), values))


# --- beside the sources -------------------------------------------------------------------------


def _difference(line, values):
    """left − right of a line, at values."""
    known = {name: symbol(name) for name in values}
    return float(evaluate(value_of(read_back(line, known), known, {}), values))


@pytest.mark.parametrize("source", SOURCES, ids=lambda x: f"{x.problem} {x.example} {x.of}")
def test_a_line_says_what_the_source_says_and_is_no_longer(source):
    """left − right of both lines is proportional, by parameters alone.

    What stays constant in every motion is so up to a constant, and so is a potential.
    """
    found = ours(source)
    assert found.signs <= length_of_line(source.line)
    words = {x for line in (source.line, found.plain) for x in NAME.findall(line)} - FUNCTIONS
    rates = {x.rstrip(".") for x in words if x.endswith(".")}
    moving = {x for x in words if x.rstrip(".") in rates | STATES | {source.of}}
    kept = bool({"integral", "energy", "potential"} & source.computed.keys())

    def ratios(rng):
        still = {name: float(rng.uniform(0.4, 1.4)) for name in words - moving}

        def at_random():
            values = still | {name: float(rng.uniform(0.4, 1.4)) for name in moving}
            values = placed(source, values)
            return np.array([_difference(line, values) for line in (source.line, found.plain)])

        start = at_random() if kept else np.zeros(2)
        return [np.divide(*(at_random() - start)) for _ in range(3)]

    with np.errstate(invalid="ignore"):  # until the rod is longer than the crank
        tries = map(ratios, map(np.random.default_rng, range(3, 30)))
        right = next(x for x in tries if np.isfinite(x).all())
    assert np.allclose(right, right[0], rtol=1e-9)


def test_the_page_of_formulas_has_these_lines():
    page = (Path(__file__).parents[2] / "docs" / "formulas.md").read_text(encoding="utf-8")
    assert table() in page
    assert len(SOURCES) >= 25


# --- the search ---------------------------------------------------------------------------------


def test_the_signs_of_an_expression_are_those_of_its_text():
    for source in SOURCES:
        left, right = ours(source).plain.split(" = ")
        for side in (left, right):
            known = {x: symbol(x) for x in set(NAME.findall(side)) - FUNCTIONS}
            x = value_of(read_back(side, known), known, {})
            assert (
                abs(length(expression(x)) - length_of_line(side)) <= 2
            )  # the reader gathers numbers


@pytest.mark.parametrize(
    "name", ["heavy_top", "elliptic_pendulum", "spherical_pendulum", "slider_crank_multipliers"]
)
def test_lines_solved_for_their_accelerations_have_those_of_the_program(name):
    made = equations(name)
    lines = made.solved()
    values = at_random(made, lines)
    forces = made.Q - made.g - made.h
    if made.constraints.owners:
        forces = forces + made.J.T @ made.constraints.unknowns
    M, f = (np.asarray(evaluate(x, values), dtype=float) for x in (made.M, forces))
    a = np.linalg.solve(M, f)
    values |= {f"{v}.": float(x) for v, x in zip(made.speeds, a, strict=True)}
    for line in lines.lines:
        sides = [float(evaluate(x, values)) for x in (line.equation.left, line.equation.right)]
        assert sides[0] == pytest.approx(sides[1], rel=1e-9)
        accelerations = [x for x in free_symbols(line.equation.right) if x.kind == "acceleration"]
        assert not accelerations


def test_a_line_that_was_divided_by_what_moves_says_where_it_holds():
    text = str(equations("heavy_top").solved())
    assert text.splitlines()[-1] == "where sin θ ≠ 0"
    assert r"\sin \theta \neq 0" in equations("heavy_top").solved().latex()


def test_accelerations_that_hang_together_by_many_are_told_to_be_too_long():
    assert "see the program" in str(equations("puma560").solved()).splitlines()[0]


def test_what_is_read_is_short():
    a, b, m = (symbol(x) for x in "abm")
    t, u = symbol("t1", "coordinate"), symbol("u", "coordinate")
    assert str(readable(a**2 * m + 2 * a * m * u + m * u**2)) == "m*(a + u)^2"
    assert str(readable(2 * m * t.sin() * t.cos())) == "m*sin(2*t1)"
    assert str(readable(a * m + b * m - a * u - b * u)) in ("(a + b)*(m - u)", "-(a + b)*(u - m)")
    assert str(readable(m * t.sin() ** 2 + m * t.cos() ** 2)) == "m"


def test_numbers_stand_in_a_sum_or_below_it_whichever_is_shorter():
    R, a, b, m, n = (symbol(x) for x in "Rabmn")
    assert str(readable(m * n * (R**2 / 2 + a**2))) == "m*n*(1/2*R^2 + a^2)"
    assert str(readable(m * n * (a**2 / 2 + b**2 * 9 / 8))) == "1/8*m*n*(4*a^2 + 9*b^2)"


def test_a_sum_of_many_terms_is_read_by_the_parameters_that_many_of_them_have():
    """The normal force of a motorcycle on its rear wheel: M, m3 and lengths a, b, c."""
    M, a, b, c, g, m2, m3 = (symbol(x) for x in ("M", "a", "b", "c", "g", "m2", "m3"))
    psi, v, w = (
        symbol("psi", "coordinate"),
        symbol("psi.", "speed"),
        symbol("psi..", "acceleration"),
    )
    along, across = w * psi.cos() - v**2 * psi.sin(), w * psi.sin() + v**2 * psi.cos()
    push = (M + m2 + m3) * g + (M * a + m3 * (a + b)) * along - M * c * across
    assert length(readable(push)) <= length(push)


def test_what_is_left_of_a_square_is_a_term_of_its_own():
    """The energy of a planet: that of its centre, and that of its spin."""
    a, b = symbol("a"), symbol("b")
    spin, turn = symbol("spin.", "speed"), symbol("turn.", "speed")
    T = 2 * (a + b) ** 2 * turn**2 + b**2 * (spin + turn) ** 2
    expanded = sum(c * product(m) for m, c in normal_form(T).terms.items())
    assert length(readable(expanded)) == length(T) < length(expanded)


def test_a_number_leads_where_all_else_is_negative():
    x, w, p = (
        symbol("x", "coordinate"),
        symbol("x..", "acceleration"),
        symbol("p..", "acceleration"),
    )
    for ranks in (None, {}):
        assert "(1 - 1/2*cos(x)^2)" in text(p * x.sin() - (x.cos() ** 2 / 2 - 1) * w, ranks=ranks)
        assert "(cos(x)^2 - 2)" in text(p + (x.cos() ** 2 - 2) * w, ranks=ranks)


def test_functions_of_parameters_stand_behind_what_moves():
    alpha, x = symbol("alpha"), symbol("x", "coordinate")
    assert unicode_text(x * alpha.sin(), ranks={}) == "x sin α"


def test_numbers_get_letters_where_a_description_gives_them():
    lines = derive(named_numbers(example("whitworth"))).formulas()
    assert "m_ram" in lines.text(ascii_only=True) and "Izz_crank" in lines.text(ascii_only=True)


def test_names_have_their_dots_and_numbers_where_a_book_has_them():
    assert [symbol_name(x) for x in ("theta1..", "x.", "m_rod", "turn..", "lam", "J")] == [
        "θ̈₁", "ẋ", "m_rod", "ẗurn", "λ", "J"
    ]  # fmt: skip


def test_an_equation_longer_than_a_page_says_so():
    assert "longer than a page" in written("puma560").text()


def test_a_sum_that_is_the_cosine_of_a_double_angle_is_written_so():
    F, x, y = symbol("F"), symbol("x", "coordinate"), symbol("y", "coordinate")
    mixed = F * (2 * x.cos() ** 2 - 1) * y.sin() + F * x.sin() * y.cos()
    assert "cos(2*x)" in str(readable(mixed)) and "^2" not in str(readable(mixed))


def test_sums_of_radii_are_positive_without_saying_so():
    wheels = {
        "parameters": {"r1": 0.04, "r2": 0.12},
        "bodies": {"a": {"inertia": [1, 1, 1]}, "b": {"inertia": [1, 1, 1]}},
        "joints": {
            "A": {"type": "pivot", "bodies": ["ground", "a"], "axis": "z"},
            "B": {"type": "pivot", "bodies": ["ground", "b"], "axis": "z",
                  "point": [["r1 + r2", 0, 0], [0, 0, 0]]},
        },
        "constraints": {"mesh": {"type": "gear", "joints": ["A", "B"], "radii": ["r1", "r2"]}},
    }  # fmt: skip
    assert "where" not in str(ts.formalisms.formulas(ts.load(wheels)))
