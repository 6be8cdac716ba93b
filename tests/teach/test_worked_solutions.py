"""Derivations as worked solutions: tables of actions, moments brought to G, checked results."""

import re
from functools import cache
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

import torseur as ts
from torseur.algebra.core.expr import expression, symbol
from torseur.algebra.core.graph import evaluate, expressions, free_symbols
from torseur.algebra.forms.normal_form import vanishes
from torseur.algebra.printing.unicode import symbol_name, unicode_text
from torseur.equations.actions.joint_actions import joint_actions
from torseur.teach.derivation.checked_result import homogeneous
from torseur.teach.derivation.step_formulas import ActionTable, Boxed, Equation, Transport
from torseur.teach.derivation.telling import Telling

DOCS = Path(__file__).resolve().parents[2] / "docs"
FORMALISM = {"elliptic_pendulum": "kane", "spherical_pendulum": "hamilton"}
BODIES = ("slider_crank", "motorcycle", "driven_cylinder", "double_pendulum", "rotating_arm")


@cache
def example(name):
    return ts.load(str(files("torseur.examples") / f"{name}.yaml"))


@cache
def derivation(name, formalism="newton-euler", lang="en"):
    return ts.tell(example(name), formalism, lang)


def formulas(told, step, kind):
    return [x for x in told.step(step).formulas if isinstance(x, kind)]


# --- actions --------------------------------------------------------------------------------------


def test_every_action_on_a_body_is_a_row_and_the_motor_stands_apart_from_the_joint():
    """Crank: joint O, motor, joint A; piston: P, load, B; rod: B, A. No weight: gravity is zero."""
    tables = formulas(derivation("slider_crank"), "actions", ActionTable)
    causes = [[row.cause for row in table.rows] for table in tables]
    assert causes == [
        ["O: revolute joint", "motor (in O)", "A: revolute joint"],
        ["P: prismatic joint", "load (in P)", "B: revolute joint"],
        ["B: revolute joint", "A: revolute joint"],
    ]
    motor = tables[0].rows[1]
    assert motor.resultant.value.is_nothing
    assert [str(x) for x in motor.moment.value.values] == ["0", "0", "Cm"]
    assert "X_O" in str(tables[0].rows[0].resultant.value.values)
    assert "Cm" not in str(tables[0].rows[0].moment.value.values)


@pytest.mark.parametrize("name", [*BODIES, "ball_governor", "planetary_reducer", "heavy_top"])
def test_the_actions_of_a_joint_add_up_to_what_it_transmits(name):
    efforts = Telling(example(name), "en").efforts
    for x in efforts.transmitted:
        parts = joint_actions(efforts, x).values()
        for k, whole in enumerate(x.wrench):
            total = sum((part[k] for part in parts), np.zeros(3))
            assert all(vanishes(y) for y in expressions(total - whole)), x.name


@pytest.mark.parametrize("name", BODIES)
def test_moments_at_g_are_those_at_the_points_and_of_the_arms(name):
    """All rows of a table, their moments brought to G, add up to the right of the balance."""
    telling, told = Telling(example(name), "en"), derivation(name)
    rng = np.random.default_rng(3)
    for table, (body, i) in zip(
        formulas(told, "actions", ActionTable), telling.bodies.items(), strict=True
    ):
        R = telling.places.rotation(body)
        acting = telling.own.acting(i)
        whole = [*R.out(acting.resultant), *R.out(acting.moment)]
        moved = (
            {x.moment.symbol.text: x.moment.value for x in formulas(told, "transport", Transport)}
            if any(step.name == "transport" for step in told.steps)
            else {}
        )
        rows = []
        for row in table.rows:
            label = row.resultant.symbol.text.removeprefix("R")
            at_centre = moved.get(f"M_G{label}", row.moment.value)
            sides = (row.resultant.value, at_centre)
            turned = [
                x.values if x.axes == "ground" else telling.places.rotation(x.axes).out(x.values)
                for x in sides
            ]
            rows.append([*turned[0], *turned[1]])
        total = [sum(column[1:], column[0]) for column in zip(*rows, strict=True)]
        for a, b in zip(total, whole, strict=True):
            difference = expression(a - b)
            names = {x.name for x in free_symbols([difference])}
            values = {n: float(rng.uniform(0.3, 1.2)) for n in names}
            values = closed(name, values)
            assert float(evaluate(difference, values)) == pytest.approx(0, abs=1e-9)


def closed(name, values):
    """The values on the closed loop of a slider-crank."""
    if name == "slider_crank" and {"alpha", "l1"} & set(values):
        values = {"l1": 0.4, "l2": 1.1, "alpha": 0.7, **values}
        psi = np.arcsin(values["l1"] * np.sin(values["alpha"]) / values["l2"])
        x = values["l1"] * np.cos(values["alpha"]) + values["l2"] * np.cos(psi)
        values |= {"psi": float(psi), "x": float(x)}
    return values


def test_a_contact_acts_where_it_touches():
    """G-Cyl: T and N at I, (0, −R) from G, with the moment R T at G."""
    told = derivation("driven_cylinder")
    (transport,) = formulas(told, "transport", Transport)
    assert [str(x) for x in transport.arm.value.values] == ["0", "-R", "0"]
    assert [str(x) for x in transport.moment.value.values] == ["0", "0", "R*T_road"]


# --- isolation, count -----------------------------------------------------------------------------


def test_bodies_are_isolated_not_joints_and_the_reason_is_given():
    text = "\n".join(derivation("slider_crank", lang="fr").step("equations").text)
    assert "on isole crank. Dans la liaison O, théorème du moment dynamique" in text
    assert "on isole piston, rod. Dans la liaison P, théorème de la résultante" in text
    assert "pour chaque liaison" not in str(derivation("slider_crank", lang="fr"))


@pytest.mark.parametrize(("name", "expected"), [
    ("double_pendulum", "12 scalar equations; unknowns: 10 of the joints and 2 accelerations."),
    ("slider_crank", "23 equations; unknowns: 20 of the joints and 3 accelerations, 23 in all."),
    ("motorcycle", "20 equations; unknowns: 15 of the joints and 5 accelerations, 20 in all."),
])  # fmt: skip
def test_equations_are_counted_against_unknowns(name, expected):
    assert any(expected in line for line in derivation(name).step("bodies").text)


def test_perfect_joints_do_not_contradict_motors_or_friction():
    """H1 is about reactions; motors, springs and friction are given actions."""
    (text,) = (x.text for x in derivation("driven_cylinder").hypotheses if x.code == "H1")
    assert "reactions do no work" in text and "friction are given actions" in text


# --- results --------------------------------------------------------------------------------------


def test_the_result_is_framed_and_its_dimension_and_limit_cases_follow():
    told = derivation("elliptic_pendulum", "kane")
    framed = [x.equation for x in formulas(told, "result", Boxed)]
    assert [x.name for x in framed] == ["y", "theta"]
    assert vanishes(framed[1].left - framed[1].right - kane_of_the_elliptic_pendulum())
    cases = {x.name: x for x in formulas(told, "checks", Equation)}
    assert str(cases["theta, small motions"].left) == "a*theta.. + y.."
    assert "every term of the equation of y is in N" in " ".join(told.step("checks").text)
    assert "│ θ: a θ̈ + ÿ cos θ = −g sin θ │" in str(told)
    assert "| theta: a*theta.. + y..*cos(theta) = -g*sin(theta) |" in told.text()
    assert r"\boxed{" in told.latex()


def kane_of_the_elliptic_pendulum():
    """L-EllK: a θ'' + y'' cos θ + g sin θ."""
    theta, a, g = symbol("theta", "coordinate"), symbol("a"), symbol("g")
    turning, pulled = symbol("theta..", "acceleration"), symbol("y..", "acceleration")
    return a * turning + pulled * theta.cos() + g * theta.sin()


@pytest.mark.parametrize("name", ["cart_pendulum", "rotating_arm", "heavy_top"])
def test_equations_have_one_dimension_and_wrong_ones_have_none(name):
    mechanism = Telling(example(name), "en").mechanism
    length = next(n for n in ("l", "a") if n in mechanism.parameter_table)
    for q, equation in ts.tell(example(name)).equations.items():
        assert str(homogeneous(mechanism, equation)) == ("N" if q in ("x", "lam") else "N.m")
        wrong = Equation(q, expression(equation.left + symbol(length)), equation.right)
        assert homogeneous(mechanism, wrong) is None


def test_errata_of_the_source_are_noted_in_the_examples_and_nowhere_else():
    text = " ".join(derivation("driven_cylinder").step("checks").text)
    assert "Erratum E2-3" in text and "Erratum E2-4" in text
    assert "E2-3" not in str(ts.tell(example("slider_crank")))
    own = ts.load({
        "name": "driven-cylinder", "bodies": {"b": {"mass": 1, "inertia": [1, 1, 1]}},
        "joints": {"O": {"type": "pivot", "bodies": ["ground", "b"], "axis": "z"}},
    })  # fmt: skip
    assert "Erratum" not in str(ts.tell(own))


def test_the_reduced_equation_of_a_slider_crank_has_f_and_g():
    """N-SC1: I_eq α'' + ½ I_eq' α'² + F l1 g = C, at random positions of the crank."""
    step = ts.tell(example("slider_crank")).step("elimination")
    values = {"I1": 0.02, "m2": 0.8, "m3": 0.5, "l1": 0.1, "l2": 0.3, "Fr": 10.0, "Cm": 1.5}

    def at(alpha):
        l1, l2 = values["l1"], values["l2"]
        psi = np.arcsin(l1 * np.sin(alpha) / l2)
        known = values | {"alpha": alpha, "psi": psi, "x": l1 * np.cos(alpha) + l2 * np.cos(psi)}
        for x in step.formulas:
            if not isinstance(x, Equation):
                known[x.symbol.text.split(" = ")[0]] = float(evaluate(x.value, known))
        return known

    def inertia(alpha):
        l1, l2, m2, m3 = (values[n] for n in ("l1", "l2", "m2", "m3"))
        f = -l1 * np.cos(alpha) / np.sqrt(l2**2 - (l1 * np.sin(alpha)) ** 2)
        g = (f - 1) * np.sin(alpha)
        about_pin = m2 * l2**2 / 3
        whole = values["I1"] + about_pin * f**2 - m2 * l1**2 * f * g * np.sin(alpha)
        return whole + (m2 + m3) * l1**2 * g**2, l1 * g

    (line,) = (x for x in step.formulas if isinstance(x, Equation))
    for alpha in (0.3, 1.1, 2.4, -0.8):
        known, (equivalent, ratio) = at(alpha), inertia(alpha)
        slope = (inertia(alpha + 1e-6)[0] - inertia(alpha - 1e-6)[0]) / 2e-6
        assert known["f"] == pytest.approx(equivalent, rel=1e-12)
        assert known["g"] == pytest.approx(slope / 2, rel=1e-6, abs=1e-9)
        right = values["Cm"] - values["Fr"] * ratio
        assert float(evaluate(line.right, known)) == pytest.approx(right, rel=1e-12)


def test_the_bearings_of_an_unbalanced_rotor_are_one_line_each():
    """P-Pb3.2: R2x = ω² I_xz/l with I_xz = −(E + m a c) at O, and R1x = −m ω² a − R2x."""
    told = derivation("unbalanced_rotor")
    found = {x.symbol.text: x.value.values for x in told.step("reactions").formulas}
    at = {"m": 10, "a": 1.5e-3, "b": -8e-4, "c": 0.18, "l": 0.4, "A": 0.12, "C": 0.06,
          "E": 1.2e-3, "D": 7e-4, "P1_wz": 157.0, "P1_wz.": 0.0}  # fmt: skip
    first, second = (np.array(evaluate(found[f"R({x})"], at), float) for x in ("P1", "P2"))
    mixed = np.array([-(at["E"] + at["m"] * at["a"] * at["c"]),
                      -(at["D"] + at["m"] * at["b"] * at["c"]), 0])  # fmt: skip
    w2 = at["P1_wz"] ** 2
    np.testing.assert_allclose(second, w2 * mixed / at["l"], rtol=1e-12)
    off = np.array([at["a"], at["b"], 0])
    np.testing.assert_allclose(first, -at["m"] * w2 * off - second, rtol=1e-12)
    assert "P1_x" not in str(found["R(P2)"])


# --- forms ----------------------------------------------------------------------------------------


def test_torseurs_of_bodies_are_simplified_as_equations_are():
    """G-Moto: the road acts with T along x and N along y, whatever the wheel has turned."""
    road = ts.torseurs.body_torseurs(example("motorcycle"), "rear").joints["road"]
    assert [str(x) for x in road.resultant] == ["T_road", "N_road", "0"]
    assert [str(x) for x in road.moment] == ["0", "0", "R*T_road"]


@pytest.mark.parametrize("name", ["double_pendulum_points", "planetary_reducer", "motorcycle"])
def test_kinetic_energies_are_sums_over_products_of_speeds(name):
    told = ts.tell(example(name))
    parts = {x.symbol.text: x.value for x in told.step("kinetic energy").formulas}
    whole = parts.pop("T")
    assert vanishes(whole - sum(list(parts.values())[1:], next(iter(parts.values()))))
    for product in re.findall(r"\(([^()]*)\)\*\(([^()]*)\)", str(whole)):
        assert not all("." in factor for factor in product)


def test_names_and_numbers_are_written_as_books_do():
    assert symbol_name("spin1.") == "ṡpin₁" and symbol_name("turn..") == "ẗurn"
    assert symbol_name("k'_psi") == "k'_ψ"
    assert unicode_text(expression(3).sqrt() * symbol("a")) == "√3 a"
    written = str(ts.tell(example("planetary_reducer")))
    assert "√(3)" not in written and not re.search(r"spin₁\.", written)


def test_the_letters_of_vectors_are_told_from_radii_and_masses():
    """R is the radius and R⃗ the resultant, M the mass of the frame and M⃗ a moment."""
    written = str(derivation("motorcycle"))
    assert "R⃗(0→rear) = (T_road, N_road, 0)" in written
    assert "M⃗_A(frame→rear)" in written and "(M + m₂ + m₃) Ẍ" in written
    assert not re.search(r"(?<!\w)[RM]\((?!φ)", written)
    assert "L = T − V gives" in str(ts.tell(example("elliptic_pendulum")))


def test_rounding_alone_is_no_drift():
    run = ts.simulate(example("planetary_reducer"), 0.2)
    rows = str(ts.observe.monitor(run)).splitlines()[1:]
    assert all(float(row.split()[-1]) == 0.0 for row in rows if " 0 " in row)
    assert all(x.formula is not expression(0) for x in ts.first_integrals(example("motorcycle")))


# --- the page of the manual -----------------------------------------------------------------------


@pytest.mark.parametrize("page", ["derivations.md", "fr/derivations.md"])
def test_every_line_beside_a_worked_solution_is_printed_below_it(page):
    sections = (DOCS / page).read_text(encoding="utf-8").split("\n## ")[1:]
    assert len(sections) == 10
    for section in sections:
        table, printed = section.split("```text\n")
        quoted = re.findall(r"\| `(.+)` \|$", table, re.M)
        assert quoted and all(line in printed for line in quoted)
