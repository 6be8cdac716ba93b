"""Coordinates that the user chooses: absolute angles, and what speaks in them."""

from functools import cache
from importlib.resources import files

import numpy as np
import pytest
import yaml

import torseur as ts
from torseur.teach.derivation.step_formulas import Boxed

FORMALISMS = ("newton-euler", "lagrange", "kane", "virtual-power", "gibbs-appell", "hamilton")


def described(**sections):
    path = files("torseur.examples") / "double_pendulum_points.yaml"
    return yaml.safe_load(path.read_text()) | sections


@cache
def pendulum():
    start = {"phi": "120 deg", "psi": "90 deg", "psi.": 0.5}
    return ts.load(described(coordinates={"psi": "phi + turn"}, initial=start))


def rates_and_forces(rng):
    phi, psi, w, u = rng.normal(size=4)
    return (phi, psi), (w, u), (phi, psi - phi), (w, u - w)


@pytest.mark.parametrize("formalism", [*FORMALISMS, "uicker", "augmented-bodies"])
def test_equations_in_chosen_coordinates_are_those_of_joints_projected(formalism):
    own = ts.derive(pendulum(), formalism)
    joints = ts.derive(ts.load(described()), formalism)
    assert own.coordinates == ("phi", "psi")
    B = np.array([[1, 0], [-1, 1]])
    q, v, q_j, v_j = rates_and_forces(np.random.default_rng(1))
    x, y = own.evaluate(q, v), joints.evaluate(q_j, v_j)
    assert pytest.approx(B.T @ y.M @ B, abs=1e-12) == x.M
    assert x.h + x.g == pytest.approx(B.T @ (y.h + y.g), abs=1e-12)


def test_a_double_pendulum_in_absolute_angles_has_the_lines_of_the_book():
    assert str(ts.formalisms.formulas(pendulum())).splitlines() == [
        "φ: M b (ψ̈ cos(φ − ψ) + ψ̇² sin(φ − ψ)) + (M + m) a φ̈ = −(M + m) g sin φ",
        "ψ: a φ̈ cos(φ − ψ) + b ψ̈ = a φ̇² sin(φ − ψ) − g sin ψ",
    ]


def results(derivation):
    """The equations in frames at the end of a derivation."""
    formulas = [x for step in derivation.steps for x in step.formulas]
    return [x.equation for x in formulas if isinstance(x, Boxed)]


@pytest.mark.parametrize("formalism", FORMALISMS[:-1])
def test_derivations_end_with_the_same_equations(formalism):
    lines, first = results(ts.tell(pendulum(), formalism)), results(ts.tell(pendulum()))
    assert [x.name for x in lines] == ["phi", "psi"]
    assert [(x.name, str(x.left), str(x.right)) for x in lines] == [
        (x.name, str(x.left), str(x.right)) for x in first
    ]


def test_canonical_equations_have_the_momenta_of_chosen_coordinates():
    told = ts.tell(pendulum(), "hamilton")
    assert [x.name for x in results(told)] == ["phi", "psi", "p_phi", "p_psi"]


def test_initial_values_and_runs_know_chosen_coordinates():
    run = ts.simulate(pendulum(), 0.2)
    assert run["psi"][0] == pytest.approx(np.pi / 2)
    assert run["psi."][0] == pytest.approx(0.5)
    assert run["psi.."] == pytest.approx(run["phi.."] + run["turn.."])
    other = ts.simulate(pendulum(), 0.2, initial={"phi": 0.1})
    assert other["psi"][0] == pytest.approx(np.pi / 2)  # stays, so that the joint turns
    assert other["turn"][0] == pytest.approx(np.pi / 2 - 0.1)


def test_derivatives_and_sections_speak_of_chosen_coordinates():
    found = ts.sensitivity(pendulum(), 0.2, ["a"], rate=50.0)
    for dots in ("", "."):
        parts = found[f"phi{dots}"] + found[f"turn{dots}"]
        np.testing.assert_allclose(found[f"psi{dots}"], parts, atol=1e-12)
    through = ts.chaos.poincare(pendulum(), "psi - 1.5", 0.5, direction="both")
    np.testing.assert_allclose(through["phi"] + through["turn"], 1.5, atol=1e-9)
    assert len(through)


def test_forces_speak_of_chosen_coordinates():
    push = {"push": {"type": "joint", "joint": "O", "value": "-psi.*psi"}}
    m = ts.load(described(coordinates={"psi": "phi + turn"}, forces=push))
    assert str(ts.derive(m).Q[0]) == "-psi*psi."


def test_shapes_of_modes_have_chosen_coordinates():
    for mode in ts.linearise(pendulum(), at={"phi": 0, "psi": 0}).modes:
        assert mode.shape["psi"] == pytest.approx(mode.shape["phi"] + mode.shape["turn"])


def test_small_motions_have_the_matrices_of_chosen_coordinates():
    """M = Bᵀ M_joint B and K = Bᵀ K_joint B with B of v_joint = B v; eigenvalues are the same."""
    own = ts.linearise(pendulum(), at={"phi": 0, "psi": 0}, inputs=["phi"])
    joints = ts.linearise(ts.load(described()), at={"phi": 0, "turn": 0}, inputs=["phi"])
    B = np.array([[1, 0], [-1, 1]])
    assert own.states == ("phi", "psi", "phi.", "psi.")
    for name in ("M", "D", "K"):
        expected = B.T @ getattr(joints, name) @ B
        assert getattr(own, name) == pytest.approx(expected, abs=1e-12)
    assert own.eigenvalues == pytest.approx(joints.eigenvalues)
    system = ts.derive(pendulum()).evaluate([0, 0])
    assert pytest.approx(system.M, abs=1e-12) == own.M
    omega = [1.0, 3.0]
    one, other = (x.response(omega, "phi", "phi") for x in (own, joints))
    assert one == pytest.approx(other)


def test_a_regulator_of_chosen_states_brings_the_pendulum_to_rest():
    linear = ts.linearise(pendulum(), at={"phi": 0, "psi": 0}, inputs=["phi"])
    regulator = ts.control.lqr(linear, 1.0, 0.1)
    other = ts.linearise(ts.load(described()), at={"phi": 0, "turn": 0}, inputs=["phi"])
    B = np.kron(np.eye(2), np.array([[1, 0], [1, 1]]))  # x = B x_joint
    weights = B.T @ B
    same = ts.control.lqr(other, weights, 0.1)
    assert pytest.approx(same.K) == regulator.K @ B
    state = np.array([0.1, -0.2]), np.array([0.3, 0.4])  # of joints, which the law is told
    assert regulator.law(0.0, *state) == pytest.approx(same.law(0.0, *state))


def test_equilibria_are_told_in_chosen_coordinates():
    found = ts.equilibria(pendulum())
    told = {str(x) for x in found}
    assert "equilibrium phi = 0, psi = 0" in told
    assert all("turn" not in line for line in told)
    for x in found:
        both = x.coordinates
        assert both["psi"] == pytest.approx(both["phi"] + both["turn"])


def test_first_integrals_are_momenta_of_chosen_coordinates():
    """Without gravity the whole turns freely: p of φ at fixed ψ − φ is not that at fixed ψ."""
    free = described(coordinates={"tilt": "phi + turn"}, gravity=[0, 0, 0])
    (energy, *momenta) = ts.first_integrals(ts.load(free))
    assert "tilt" in str(energy.formula) and "turn" not in str(energy.formula)
    assert all("turn" not in str(x.formula) for x in momenta)
    relative = described(coordinates={"minus": "-turn"}, gravity=[0, 0, 0])
    names = [x.name for x in ts.first_integrals(ts.load(relative))]
    assert "p_phi" in names


@pytest.mark.parametrize(
    ("formalism", "options"),
    [
        ("lagrange", {"eliminate": []}),
        ("kane", {"quasi_velocities": {"u1": "phi.", "u2": "phi. + turn."}}),
        ("kane", {"quasi_velocities": {"u1": "phi.", "u2": "psi."}}),
    ],
)
def test_options_of_formalisms_keep_chosen_coordinates(formalism, options):
    own, plain = ts.derive(pendulum(), formalism, **options), ts.derive(pendulum())
    assert own.coordinates == ("phi", "psi")
    q, v, *_ = rates_and_forces(np.random.default_rng(2))
    x, y = own.evaluate(q, v), plain.evaluate(q, v)  # u1, u2 are φ̇, ψ̇ here
    assert pytest.approx(y.M, abs=1e-12) == x.M
    assert x.h + x.g == pytest.approx(y.h + y.g, abs=1e-12)


def test_an_eliminated_coordinate_leaves_the_chosen_ones_that_do_not_speak_of_it():
    turned = {"spin": {"type": "relation", "zero": "phi - 2*turn"}}
    m = ts.load(described(coordinates={"psi": "phi + turn"}, constraints=turned))
    assert ts.derive(m, "lagrange", eliminate={"spin": "turn"}).coordinates == ("phi",)
    three = ts.formalisms.christoffel(pendulum())
    assert three.system.coordinates == ("phi", "psi")
    assert str(three.M[1, 1]) == str(ts.derive(pendulum()).M[1, 1])


def test_a_lagrangian_moves_in_chosen_coordinates():
    L = ts.formalisms.lagrangian(pendulum())
    assert L.coordinates == ("phi", "psi")
    assert str(L.system.mechanism.initial["psi"]) == "1/2*pi"


@cache
def linkage():
    path = files("torseur.examples") / "four_bar.yaml"
    plain = yaml.safe_load(path.read_text())
    first, second = ts.load(plain).coordinates[:2]
    return ts.load(plain | {"coordinates": {"tilt": f"{first} + {second}"}})


def test_a_linkage_is_closed_in_absolute_angles():
    loops = str(ts.formalisms.formulas(linkage()))
    assert "tilt" in loops and "α + β" not in loops


@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        ({"psi": "phi*turn"}, "not a sum of coordinates"),
        ({"psi": "phi + turn", "chi": "2*phi + 2*turn"}, "follows from those before"),
        ({"psi": "phi + a"}, "does not fit|not a coordinate of a joint"),
        ({"phi": "phi + turn"}, "already used"),
        ({"psi": "90 deg"}, "not a sum of coordinates"),
    ],
)
def test_what_is_no_coordinate_is_refused(wrong, problem):
    with pytest.raises(ts.ModelError, match=problem):
        ts.load(described(coordinates=wrong))


@pytest.mark.parametrize("mechanism", [pendulum, linkage])
def test_answers_are_read_in_the_coordinates_that_are_written(mechanism):
    m = mechanism()
    lines = ts.formalisms.formulas(m).text(ascii_only=True).replace("\n    ", " ").splitlines()
    written = dict(line.split(": ", 1) for line in lines)
    for name in m.chosen:
        assert ts.check_answer(m, written[name], of=name).right
        assert not ts.check_answer(m, written[name] + " + 1", of=name).right


def test_answers_about_points_forces_and_momenta_have_chosen_coordinates():
    m = pendulum()
    right = {
        "V(B)": "[a*phi.*cos(phi) + b*psi.*cos(psi), a*phi.*sin(phi) + b*psi.*sin(psi), 0]",
        "Q_psi": "-M*g*b*sin(psi)",
        "p_psi": "M*b^2*psi. + M*a*b*phi.*cos(psi - phi)",
    }
    for of, formula in right.items():
        assert ts.check_answer(m, formula, of=of).right
        assert not ts.check_answer(m, formula.replace("psi", "phi"), of=of).right
