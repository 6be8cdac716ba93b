"""Derivations as books print them: letters of inertia, loops solved, collected terms, friction."""

import numpy as np
import pytest

import torseur as ts
from torseur.algebra.core.expr import symbol
from torseur.algebra.core.graph import evaluate, free_symbols
from torseur.algebra.forms.normal_form import vanishes
from torseur.teach.derivation.energy_forms import with_rest_lengths

PENDULUM = {
    "gravity": [0, "-g", 0],
    "parameters": {"g": 9.81, "rho": 7800, "r": 0.02, "l": 0.5},
    "bodies": {"rod": {"shape": {"cylinder": {"radius": "r", "length": "l", "axis": "y"}},
                       "density": "rho", "centre": [0, "-l/2", 0]}},
    "joints": {"O": {"type": "pivot", "bodies": ["ground", "rod"], "axis": "z",
                     "coordinate": "theta"}},
}  # fmt: skip


def lines(told, step):
    """The formulas of a step, by name."""
    return {x.symbol.text: x.value for x in told.step(step).formulas if hasattr(x, "symbol")}


def framed(told):
    """The equations of the result, by coordinate."""
    return {x.equation.name: x.equation for x in told.step("result").formulas}


def test_solids_have_the_letters_of_books_each_defined_once():
    """A cylinder: m = π ρ R² e, A = m (3 R² + e²)/12, C = ½ m R²; the energy is written in them."""
    told = ts.tell("gyroscope")
    letters = lines(told, "mass geometry")
    assert {k: str(x) for k, x in letters.items()} == {
        "m": "pi*R^2*e*rho",
        "A": "1/12*m*(3*R^2 + e^2)",
        "C": "1/2*R^2*m",
    }
    used = {x.name for x in free_symbols([lines(told, "kinetic energy")["T"]])}
    assert {"A", "C", "J"} <= used and not used & {"R", "e", "rho"}


def test_letters_of_inertia_stand_for_the_masses_of_the_mechanism():
    """Energies with the letters put in are those of the bodies, at random parameters."""
    for name in ("gyroscope", "planetary_reducer", "crankshaft"):
        told, rng = ts.tell(name), np.random.default_rng(3)
        values = dict(ts.load(name).parameters)
        for letter, x in lines(told, "mass geometry").items():
            values[letter] = float(evaluate(x, values))
        model = ts.compile(ts.load(name))
        q, v = rng.uniform(-1, 1, len(model.coordinates)), rng.uniform(-2, 2, len(model.speeds))
        at = dict(zip([*model.coordinates, *model.speeds], [*q, *v], strict=True))
        T = float(evaluate(lines(told, "kinetic energy")["T"], values | at))
        assert pytest.approx(v @ model.mass_matrix(q) @ v / 2, rel=1e-12) == T


def test_a_body_given_by_its_mass_keeps_its_own_letters():
    assert "mass geometry" not in [x.name for x in ts.tell("double_pendulum").steps]
    assert "mass geometry" in [x.name for x in ts.tell(ts.load(PENDULUM)).steps]


def test_a_governor_ends_with_the_equation_of_its_one_freedom():
    """Both arms by one angle: (m l² + 2 M a² sin² α) α̈ = …, not quotients of loops."""
    told = ts.tell("ball_governor")
    known = lines(told, "elimination")
    assert str(known["z"]) == "2*a*cos(alpha1)" and str(known["alpha2"]) == "alpha1"
    (equation,) = framed(told).values()
    names = ("m", "ms", "l", "a", "g", "Omega")
    m, ms, l, a, g, Omega = (symbol(x) for x in names)
    angle, rate = symbol("alpha1", "coordinate"), symbol("alpha1.", "speed")
    second, s, c = symbol("alpha1..", "acceleration"), angle.sin(), angle.cos()
    left = (m * l**2 + 2 * ms * a**2 * s**2) * second
    right = (m * l * (Omega**2 * l * c - g) - ms * a * (2 * a * rate**2 * c + g)) * s
    assert vanishes(equation.left - equation.right - left + right)


def test_redundant_meshes_are_counted():
    """Three planets: two of six conditions follow from the others, with as many forces unknown."""
    assert "2 of them follow from the others." in ts.tell("planetary_reducer").steps[0].text
    text = " ".join(ts.tell("planetary_reducer", "newton-euler").step("bodies").text)
    assert "2 of the constraints add no condition" in text


def test_a_spring_stores_half_k_times_its_extension_squared():
    assert str(lines(ts.tell("speed_governor"), "forces")["V"]) == "1/2*k*(lam - lam0)^2"
    k, m, g, l = (symbol(x) for x in ("k", "m", "g", "l"))
    x = symbol("x", "coordinate")
    told = with_rest_lengths(k * x**2 / 2 - k * l * x + m * g * x)
    assert vanishes(told - k * (x - l) ** 2 / 2 - m * g * x) and str(told).count("x") == 2


def test_equal_coefficients_of_an_energy_stand_once():
    T = lines(ts.tell("rolling_disc"), "kinetic energy")["T(disc/0)"]
    assert "m*(x.^2 + y.^2 + z.^2)" in str(T).replace(" ", "").replace("+", " + ")


def test_each_acceleration_of_a_double_pendulum_stands_once():
    told = ts.tell("double_pendulum")
    for x in framed(told).values():
        for name in ("theta1..", "theta2.."):
            assert str(x.left).count(name) == 1
    plain = {x.name: x for x in ts.formalisms.formulas(ts.load("double_pendulum")).lines}
    assert set(plain) == {"theta1", "theta2"}


def test_sliding_friction_is_a_given_action_of_a_derivation():
    """N and f N of the governor's contact, in the equation of the fly-weight."""
    told = ts.tell("governor_with_friction", modes={"I": "slip"})
    assert not next(x for x in told.hypotheses if x.code == "H1").holds
    expected = {x.name: x for x in ts.formalisms.formulas(
        ts.load("governor_with_friction"), modes={"I": "slip"}).lines}  # fmt: skip
    for name, x in told.equations.items():
        book = expected[name].equation
        assert vanishes(x.left - x.right - (book.left - book.right) * book.factor)
    with pytest.raises(ts.ModelError, match="newton-euler"):
        ts.tell("governor_with_friction", "newton-euler", modes={"I": "slip"})


def test_a_sticking_contact_leaves_the_governor_one_freedom():
    told = ts.tell("governor_with_friction", modes={"I": "stick"})
    assert list(framed(told)) == ["alpha"]


def test_limit_cases_have_no_unknown_reactions_and_no_letters_of_solids():
    for name in ("cardan_shaft", "planetary_reducer", "gyroscope"):
        told = ts.tell(name)
        shown = [x for step in told.steps if step.name == "checks" for x in step.formulas]
        letters = {x for step in told.steps if step.name == "mass geometry"
                   for x in lines(told, step.name)}  # fmt: skip
        for x in shown:
            assert not any(f"{letter} → 0" in x.name for letter in letters)
            assert all(y.kind != "input" for y in free_symbols([x.left, x.right]))


def test_equilibria_of_a_reducer_do_not_take_implied_meshes_for_conditions():
    """Every position is at rest if Γ₁ = Γ₂ a/(2 (a + b)): no angle must be zero."""
    answer = str(ts.equilibria(ts.load("planetary_reducer"), letters=True))
    assert "only if G₁ = G₂ a/(2 (a + b))" in answer
    assert "with θ₂ = a θ₁/(2 (a + b))" in answer and "= 0" not in answer
