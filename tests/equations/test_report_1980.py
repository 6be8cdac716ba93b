"""The printed tables of the 1980 report, read back and compared with its corrected formulas.

Liégeois and Aldon (1980), §4; errata E1-1 and E1-2 are the two misprints of §4.5.
"""

import re
from pathlib import Path

import numpy as np
import pytest
import sympy
from source_formulas import length_of_line

from torseur.algebra.core.graph import evaluate, free_symbols
from torseur.equations.formalisms.derive import FORMALISMS, derive
from torseur.errors import ModelError
from torseur.language.phrase.phrase_mechanism import phrase_mechanism
from torseur.report.pages.listing_1980 import line, listing, sections, short_listing

ROBOT = (
    "RY(q1MIN,q1MAX), TYK(L1), RX(q2MIN,q2MAX), TYK(L2), RX(q3MIN,q3MAX), TZK(L3), "
    "RX(q4MIN,q4MAX), TZK(0), RY(q5MIN,q5MAX), TZK(0), RZ(q6MIN,q6MAX), TZK(L6);"
)
OTHERS = {
    "planar arm": ("RZ(q1), TXK(L1), RZ(q2), TXK(L2), RZ(q3), TXK(L3);", "lever"),
    "sliding arm": ("RZ(q1), TZK(L1), RX(q2), TY(q3), TYK(L3), RY(q4), TZK(L4);", "full"),
    "three axes": ("RY(q1), TYK(L1), RX(q2), TYK(L2), RX(q3), TZK(L3);", "full"),
    "two branches": ("RZ(q1), TZK(L1), [RX(q2), TZK(L2)], RY(q3), TXK(L3);", "lever"),
}

LUMPED = """
VY1 = D1*M1 + L1*(M2+M3+M6)
VY2 = D2*M2 + L2*(M3+M6)
VZ3 = D3*M3 + L3*M6
VZ6 = D6*M6
WY1 = D1^2*M1 + L1^2*(M2+M3+M6)
WY2 = D2^2*M2 + L2^2*(M3+M6)
WZ3 = D3^2*M3 + L3^2*M6
WZ6 = D6^2*M6
JX1 = IX1+WY1
JZ1 = IZ1+WY1
JX2 = IX2+WY2
JZ2 = IZ2+WY2
JX3 = IX3+WZ3
JY3 = IY3+WZ3
JX6 = IX6+WZ6
JY6 = IY6+WZ6
"""
GRAVITY = """
Q6 = 0
Q5 = G*S234*S5*VZ6
Q4 = -G*C234*C5*VZ6
Q3 = -G*C23*VZ3 + Q4
Q2 = -G*S2*VY2 + Q3
Q1 = 0
"""
INERTIA = """
P = C6*S5*S234 + S6*C234
N = S6*S5*S234 - C6*C234
A11 = 2*VZ3*L2*C23*S2 + 2*VZ6*L2*C234*C5*S2 + 2*VZ6*L3*C234*C5*C23 + JZ2*S2^2 + JY3*C23^2 + JX6*P^2 + JY6*N^2
A14 = JX6*C6*C5*P + JY6*S6*C5*N
A13 = A14 + VZ6*L3*S5*S23
A12 = A13 - VZ6*L2*S5*C2
A15 = VZ6*C5*(L2*S2 + L3*C23) + JX6*S6*P - JY6*C6*N
A44 = C5^2*(JX6*C6^2 + JY6*S6^2)
A34 = A44 + VZ6*L3*C4*C5
A24 = A34 - VZ6*L2*S34*C5
A33 = A44 + JX3 + 2*VZ6*L3*C4*C5
A23 = A33 - VZ3*L2*S3 - VZ6*L2*S34*C5
A22 = A33 + JX2 - 2*VZ3*L2*S3 - 2*VZ6*L2*S34*C5
A45 = (JX6 - JY6)*S6*C6*C5
A35 = A45 - VZ6*L3*S4*S5
A25 = A35 - VZ6*L2*C34*S5
A55 = JX6*S6^2 + JY6*C6^2
A16 = A26 = A36 = A46 = A56 = A66 = 0
"""  # noqa: E501
MISPRINTS = """
P = C6*S5*S234 + S6*C234
N = S6*S5*S234 - C6*C234
A11 = 2*VZ3*L2*C23*S2 + 2*VZ6*L2*C234*C5*S2 + 2*VZ6*L3*C234*C5*C23 + JZ2*S2^2 + JY3*C23^2 + JX6*C6*S5*S234 + C5*S5*S234 + 2*JX6*C6*S5*S234*S6*C234 + JX6*S6^2*C234^2 + JY6*N^2
A33 = 2*VZ3*L3*C4*C5 + JX3 + JX6*C6^2*C5^2 + JY6*S6^2*C5^2
"""  # noqa: E501

FORMULAS = ("V", "W", "J", "moving", "Q", "A", "B")
ABBREVIATION = re.compile(r"([CS])(\d+)$")
NAME = re.compile(r"[A-Za-z_]\w*")


def by_python(formula, values):
    return eval(formula, {"sin": np.sin, "cos": np.cos}, values)


def by_sympy(formula, values):
    symbols = {name: sympy.Symbol(name) for name in NAME.findall(formula)}
    numbers = {symbol: sympy.Float(values[name], 20) for name, symbol in symbols.items()}
    return float(sympy.sympify(formula, locals=symbols).xreplace(numbers))


def computed(lines, given, read=by_python):
    """The values of formulas, each computed from those before it."""
    values, defined = dict(given), {}
    for text in lines:
        plain = re.sub(r"\[([\d,]+)\]", lambda found: "_" + found[1].replace(",", "_"), text)
        *names, formula = plain.split(" = ")
        used = set(NAME.findall(formula)) - {"sin", "cos"}
        values |= {name: abbreviated(name, values) for name in used if name not in values}
        number = read(formula.replace("^", "**"), values)
        for name in names:
            values[name] = defined[name] = number
    return defined


def abbreviated(name, values):
    """C23 is cos(q2 + q3)."""
    found = ABBREVIATION.match(name)
    assert found, f"{name} is used before it is defined"
    angle = sum(values[f"q{digit}"] for digit in found[2])
    return float(np.cos(angle) if found[1] == "C" else np.sin(angle))


def printed(found, keys):
    return [line(e) for section in found if section.key in keys for e in section.equations]


def random_values(mechanism, seed):
    rng = np.random.default_rng(seed)
    names = [*mechanism.parameter_table, *mechanism.coordinates]
    return {name: float(rng.uniform(0.3, 1.7)) for name in names}


@pytest.fixture(scope="module")
def robot():
    return derive(phrase_mechanism(ROBOT, masses="lever"), "augmented-bodies")


@pytest.fixture(scope="module")
def robot_sections(robot):
    return sections(robot)


@pytest.mark.parametrize("seed", range(3))
def test_printed_formulas_are_those_of_the_report_corrected(robot, robot_sections, seed):
    values = random_values(robot.system.mechanism, seed)
    ours = computed(printed(robot_sections, "VWJQA"), values, by_sympy)
    report = [text for text in (LUMPED + GRAVITY + INERTIA).splitlines() if text]
    theirs = computed(report, values)
    assert {name for name in ours if name[0] != "P"} == set(theirs) - {"P", "N"}
    for name in set(theirs) - {"P", "N"}:
        assert ours[name] == pytest.approx(theirs[name], rel=1e-12, abs=1e-12), name


def test_the_two_misprints_of_1980_are_not_reproduced(robot, robot_sections):
    values = random_values(robot.system.mechanism, 7)
    ours = computed(printed(robot_sections, "VWJQA"), values)
    misprinted = computed([*LUMPED.split("\n")[1:-1], *MISPRINTS.split("\n")[1:-1]], values)
    for name in ("A11", "A33"):
        assert abs(misprinted[name] - ours[name]) > 1e-3


def test_coefficients_are_printed_from_one_another_as_in_the_report(robot_sections):
    lines = dict(text.split(" = ", 1) for text in printed(robot_sections, "QA"))
    assert lines["Q3"] == "Q4 - G*VZ3*C23"
    assert lines["A13"] == "A14 + L3*VZ6*S5*S23"
    assert lines["A12"] == "A13 - L2*VZ6*C2*S5"
    assert "A16 = A26 = A36 = A46 = A56 = A66 = 0" in printed(robot_sections, "A")


def test_no_line_is_longer_than_that_of_the_report(robot_sections):
    def formulas(lines):
        split = [text.split(" = ") for text in lines if text]
        return {name: names[-1] for names in split for name in names[:-1]}

    ours = formulas(printed(robot_sections, "VWJQA"))
    theirs = formulas((LUMPED + GRAVITY + INERTIA).splitlines())
    assert len(ours.keys() & theirs.keys()) > 35
    for name in ours.keys() & theirs.keys():
        assert length_of_line(ours[name]) <= length_of_line(theirs[name]), name


def test_lumped_constants_are_written_with_parameters_alone(robot_sections):
    lines = printed(robot_sections, "VWJ")
    assert "VY1 = D1*M1 + L1*(M2 + M3 + M6)" in lines
    assert "WY2 = D2^2*M2 + L2^2*(M3 + M6)" in lines
    assert "JX6 = IX6 + WZ6" in lines


@pytest.mark.parametrize("name", OTHERS)
def test_every_printed_formula_computes_its_coefficient_from_those_before_it(name):
    phrase, masses = OTHERS[name]
    equations = derive(phrase_mechanism(phrase, masses=masses), "augmented-bodies")
    values = random_values(equations.system.mechanism, 3)
    ours = computed(printed(sections(equations), FORMULAS), values)
    for letter, array in (("Q", "Qg"), ("A", "A"), ("B", "B"), ("C", "C")):
        exact = evaluate(equations.output(array), values)
        for index in np.ndindex(np.shape(exact)):
            if len(index) == 3 and index[1] >= index[2]:
                continue
            digits = [str(k + 1) for k in index]
            label = letter + "".join(digits)
            found = ours.get(label, ours.get(f"{letter}_{'_'.join(digits)}"))
            if found is None:  # the other half of a symmetric matrix
                found = ours[letter + "".join(reversed(digits))]
            assert found == pytest.approx(exact[index], rel=1e-11, abs=1e-11), label


def test_velocity_terms_of_the_robot_are_right_too(robot, robot_sections):
    values = random_values(robot.system.mechanism, 11)
    ours = computed(printed(robot_sections, "VWJQAB"), values)
    B, C = (evaluate(robot.output(name), values) for name in "BC")
    for i, j, k in np.ndindex(6, 6, 6):
        assert ours[f"C_{i + 1}_{j + 1}"] == pytest.approx(C[i, j], rel=1e-11, abs=1e-12)
        if j < k:
            assert ours[f"B{i + 1}{j + 1}{k + 1}"] == pytest.approx(
                B[i, j, k], rel=1e-11, abs=1e-12
            )


def test_no_formula_of_the_robot_needs_more_than_two_lines(robot_sections):
    assert max(map(len, printed(robot_sections, "VWJQA"))) < 160


def test_the_listing_has_the_tables_of_the_report_in_order(robot, robot_sections):
    keys = [section.key for section in robot_sections]
    assert keys == [
        "frames", "translations", "rotations", "numbers", "bodies", "limits", "masses", "inertias",
        "V", "W", "J", "Q", "A", "B", "operations",
    ]  # fmt: skip
    rows = {section.key: section.rows for section in robot_sections}
    assert rows["rotations"][1:4] == (("2", "0", "0"), ("23", "0", "0"), ("234", "0", "0"))
    assert rows["inertias"][-1] == ("6", "IX6", "IY6", "0")
    assert all(len(text) <= 79 for text in listing(robot).splitlines())
    assert "TABLEAU DES ROTATIONS" in listing(robot, lang="fr")
    assert short_listing(robot).startswith("CONSTANT LUMPED MASSES")


def test_a_name_that_is_taken_is_not_given_again():
    mechanism = phrase_mechanism("RZ(q1), TXK(A11), RZ(q2), TXK(P1);", masses="lever")
    equations = derive(mechanism, "augmented-bodies")
    lines = printed(sections(equations), "A")
    assert any(text.startswith("A[1,1] = ") for text in lines)
    assert not any(text.startswith("P1 = ") for text in lines)
    assert {x.name for x in free_symbols(equations.M)} >= {"A11"}


def test_equations_of_another_formalism_have_no_tables_of_1980(robot):
    other = derive(robot.system.mechanism, "newton-euler")
    with pytest.raises(ModelError, match="bodies"):
        sections(other)


def test_the_page_on_the_report_shows_lines_as_they_are_printed(robot_sections):
    page = (Path(__file__).parents[2] / "docs" / "report-1980.md").read_text(encoding="utf-8")
    shown = page[page.index("GRAVITY TORQUES") :].split("```")[0].splitlines()
    formulas = [text for text in shown if " = " in text]
    assert len(formulas) > 15 and set(formulas) <= set(printed(robot_sections, "QA"))


def test_the_page_on_the_report_tells_its_errata_and_how_many_formalisms_there_are():
    page = (Path(__file__).parents[2] / "docs" / "report-1980.md").read_text()
    for number in range(1, 12):
        assert re.search(rf"\bE1-{number}\b", page), f"E1-{number}"
    words = {8: "eight", 9: "nine", 10: "ten", 11: "eleven", 12: "twelve"}
    assert f"There are {words[len(FORMALISMS)]} " in page
    readme = (Path(__file__).parents[2] / "README.md").read_text()
    assert f"{words[len(FORMALISMS)].capitalize()} formalisms" in readme
