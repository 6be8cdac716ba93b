"""Laws of printed equations: each name has one meaning, each formula its value, nothing is zero."""

import re
from fractions import Fraction

import numpy as np
import pytest
from example_states import EXAMPLES, mechanism

import torseur as ts
from torseur.algebra.core.expr import PARAMETER, symbols
from torseur.algebra.core.functions import FUNCTIONS
from torseur.algebra.core.graph import evaluate, flat, free_symbols, reachable
from torseur.algebra.forms.condensed import condensed
from torseur.algebra.forms.identities import without_zeros, zeros
from torseur.algebra.forms.listing import sections as program_sections
from torseur.algebra.forms.program import trigonometric_name
from torseur.equations.formalisms.derive import derive
from torseur.report.pages.listing_1980 import line, sections

NAME = re.compile(r"(?<!\w)[A-Za-z_]\w*(?:\[[\w,]+\])?\.*")
CONSTANT, FORMULAS = ("V", "W", "J"), ("V", "W", "J", "moving", "Q", "A", "B")
SHORT = [
    "RZ(q1), TX(d), TXK(L2), RZ(q3), TXK(L3);",
    "RZ(q1), TXK(L1), RZ(q2), TXK(L2), RZ(q3), TXK(L3);",
    "RZ(q1), TZK(L1), [RX(q2), TZK(L2)], RY(q3), TXK(L3);",
    "RZ(C1), TXK(A11), RZ(q2), TXK(VX1), RZ(q3), TXK(P1);",  # names that listings use themselves
]


def random_phrase(seed):
    """Two to four joints of both kinds about any axes, with levers and sometimes a branch."""
    rng = np.random.default_rng(seed)
    parts = []
    for k in range(1, int(rng.integers(2, 5)) + 1):
        kind, axis, lever = rng.choice(["R", "R", "T"]), rng.choice([*"XYZ"]), rng.choice([*"XYZ"])
        link = f"{kind}{axis}(q{k}), T{lever}K(L{k})"
        parts.append(f"[{link}]" if k > 1 and rng.random() < 0.2 else link)
    return ", ".join(parts) + ";"


PHRASES = [*SHORT, *map(random_phrase, range(12))]


def value(formula, values):
    """A formula by Python; the names in it are looked up first, whatever they look like."""
    numbers, scope = [], {name: x.evaluate for name, x in FUNCTIONS.items()}
    scope |= {"sqrt": np.sqrt, "pi": np.pi}

    def place(found):
        if found[0] in scope:
            return found[0]
        numbers.append(values[found[0]])
        return f"numbers[{len(numbers) - 1}]"

    return eval(NAME.sub(place, formula).replace("^", "**"), scope | {"numbers": numbers})


def read_back(lines, values, outputs):
    """The values of printed formulas, each computed from those before it, each name given once.

    Sines and cosines that are not printed have the names of the 1980 report.
    """
    known, defined = dict(values), {}
    texts = " ".join(lines)
    for x in reachable(flat(outputs)):
        wanted = trigonometric_name(x)
        if wanted and wanted not in known and not re.search(rf"(^| ){wanted} = ", texts):
            known[wanted] = evaluate(x, values)
    for text in lines:
        *names, formula = text.split(" = ")
        number = value(formula, known)
        for name in names:
            assert name not in known, f"{name} has two meanings"
            known[name] = defined[name] = number
    return defined


def given(equations, seed=1):
    rng = np.random.default_rng(seed)
    rates = [f"{name}." for name in equations.speeds]
    names = {*equations.symbols, *rates, *(x.name for x in free_symbols(equations.M)), "t"}
    return {name: float(rng.uniform(0.3, 1.7)) for name in sorted(names)}


def check_entries(defined, letter, exact):
    exact = np.asarray(exact)
    size = np.abs(exact).max(initial=1.0)
    for index in np.ndindex(exact.shape):
        digits = [str(k + 1) for k in index]
        labels = (letter + "".join(digits), f"{letter}[{','.join(digits)}]", letter)
        found = [defined[label] for label in labels if label in defined]
        for number in found:
            assert number == pytest.approx(exact[index], rel=1e-10, abs=1e-12 * size), labels[0]


@pytest.mark.parametrize("phrase", PHRASES)
def test_tables_of_1980_read_back_give_their_coefficients_under_names_of_one_meaning(phrase):
    equations = derive(ts.load(phrase, masses="lever"), "augmented-bodies")
    values, found = given(equations), {x.key: x for x in sections(equations)}
    outputs = [x for name in ("Qg", "A", "B", "C") for x in np.ravel(equations.output(name))]
    lines = [text for key in FORMULAS if key in found for text in found[key].lines]
    defined = read_back(lines, values, outputs)
    for letter, name in (("Q", "Qg"), ("A", "A"), ("B", "B"), ("C", "C")):
        check_entries(defined, letter, evaluate(equations.output(name), values))
    constant = [text for key in CONSTANT if key in found for text in found[key].lines]
    written = {name for text in constant for name in NAME.findall(text)}
    assert written.isdisjoint(equations.coordinates)


def check_listing(equations):
    values, shown = given(equations), equations.printed()
    lines = [line(x) for section in program_sections(shown) for x in section.equations]
    outputs = [x for name in ("M", "h", "g", "Q") for x in np.ravel(equations.output(name))]
    defined = read_back(lines, values, [])
    for name in ("M", "h", "g", "Q"):
        check_entries(defined, name, evaluate(equations.output(name), values))
    assert not zeros(shown.nodes)
    used = {name for text in lines for name in NAME.findall(text.rpartition(" = ")[2])}
    outputs_named = {shown.names.get(x.key) for x in shown.nodes}
    steps = (x for section in program_sections(shown)[:-1] for x in section.equations)
    for name in {x.names[0] for x in steps} - outputs_named:
        assert name in used, f"{name} is printed for nothing"
    for step in shown.assignments:
        symbols_of = {x.stage for x in free_symbols(step.value)}
        assert max(symbols_of, default=PARAMETER) == max(step.stage, PARAMETER)
    assert shown.operations.total <= max(equations.operations.total, len(outputs))


@pytest.mark.parametrize("phrase", PHRASES)
def test_a_printed_program_read_back_gives_the_equations_and_has_no_zero_in_it(phrase):
    check_listing(derive(ts.load(phrase, masses="lever")))


@pytest.mark.slow
@pytest.mark.parametrize("name", EXAMPLES)
def test_the_printed_program_of_an_example_read_back_gives_its_equations(name):
    check_listing(derive(mechanism(name)))


def test_products_that_have_a_name_are_written_by_it():
    equations = derive(ts.load(SHORT[1], masses="lever"), "augmented-bodies")
    lines = {x.key: x.lines for x in sections(equations)}
    assert "A23 = JZ3 + L2*VX3*C3" in lines["A"]
    m, l, d = symbols("m l d")
    named = m * l
    assert str(condensed(l**2 * m * d, [named])) == "d*l^2*m"
    assert named in reachable([condensed((l**2 * d) * m, [named])])


def test_sums_without_what_cancels_and_zeros_that_only_arithmetic_shows():
    x, y = symbols("x y", "coordinate")
    m, l = symbols("m l")
    k = m * np.sin(x) ** 2 * l
    assert condensed(2 * (k + y) - 2 * (k - m)) is condensed(2 * y + 2 * m)
    turned = np.sin(x) * (m * np.cos(x) + l * np.sin(x)) - np.cos(x) * (
        m * np.sin(x) - l * np.cos(x)
    )
    assert without_zeros(turned - l) == 0
    assert without_zeros(2 * np.cos(x / 2) ** 2 - 1 - np.cos(x) + y) is y
    assert not zeros([np.sqrt(x**2 + y) - x, np.sin(x) - x, x / 3 - Fraction(1, 3)])


def test_a_derivation_is_printed_with_letters_for_numbers_as_commands_and_notebooks_do():
    """In Python 70 q̈ = −981 sin q said nothing of masses, which the command line told."""
    door = {"mass": 1, "centre": [0, -0.5, 0], "inertia": [0.1, 0.1, 0.1]}
    hinge = {"type": "pivot", "bodies": ["ground", "door"], "axis": "z", "coordinate": "q"}
    made = ts.load({"gravity": [0, -9.81, 0], "bodies": {"door": door}, "joints": {"O": hinge}})
    found = ts.derive(made)
    told = "q: (4 Izz_door + m_door) q̈ = −2 m_door g sin q\n"
    assert f"{str(found).rstrip()}\n" == told == f"{str(ts.formalisms.formulas(made)).rstrip()}\n"
    assert str(found.formulas()).rstrip() == "q: 70 q̈ = −981 sin q"
    assert "m_" in found._repr_latex_()


def test_letters_keep_the_options_of_a_formalism():
    """Quasi-velocities stay those that were asked for."""
    made = ts.load({
        "gravity": [0, 0, -9.81],
        "bodies": {"a": {"mass": 1}, "b": {"mass": 2}},
        "joints": {
            "A": {"type": "prismatic", "bodies": ["ground", "a"], "axis": "x", "coordinate": "x"},
            "B": {"type": "prismatic", "bodies": ["a", "b"], "axis": "x", "coordinate": "y"},
        },
    })  # fmt: skip
    found = ts.derive(made, "kane", quasi_velocities={"u": "x. + y.", "w": "y."})
    assert found.in_letters.speeds == found.speeds == ("u", "w")
    assert "m_a" in str(found)


def test_one_thing_is_not_said_in_the_plural():
    made = ts.load({
        "bodies": {"a": {"mass": 1}},
        "joints": {
            "A": {"type": "prismatic", "bodies": ["ground", "a"], "axis": "x", "coordinate": "x"}
        },
    })  # fmt: skip
    assert repr(made) == '<Mechanism "model": 1 body, 1 joint, coordinates x>'
    builder = ts.Builder("b")
    builder.body("a", mass=1)
    assert repr(builder) == '<Builder of "b": 1 body>'
