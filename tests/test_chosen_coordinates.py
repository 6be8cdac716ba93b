"""Coordinates that the user chooses: absolute angles, and what speaks in them."""

from functools import cache
from importlib.resources import files

import numpy as np
import pytest
import yaml

import torseur as ts
from torseur.teach.derivation.formulas import Equation

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


@pytest.mark.parametrize("formalism", FORMALISMS[:-1])
def test_derivations_end_with_the_same_equations(formalism):
    told = ts.tell(pendulum(), formalism)
    lines = [x for x in told.steps[-1].formulas if isinstance(x, Equation)]
    first = [x for x in ts.tell(pendulum()).steps[-1].formulas if isinstance(x, Equation)]
    assert [(x.name, str(x.left), str(x.right)) for x in lines] == [
        (x.name, str(x.left), str(x.right)) for x in first
    ]


def test_canonical_equations_have_the_momenta_of_chosen_coordinates():
    told = ts.tell(pendulum(), "hamilton")
    names = [x.name for x in told.steps[-1].formulas]
    assert names == ["phi", "psi", "p_phi", "p_psi"]


def test_initial_values_and_runs_know_chosen_coordinates():
    run = ts.simulate(pendulum(), 0.2)
    assert run["psi"][0] == pytest.approx(np.pi / 2)
    assert run["psi."][0] == pytest.approx(0.5)
    assert run["psi.."] == pytest.approx(run["phi.."] + run["turn.."])
    other = ts.simulate(pendulum(), 0.2, initial={"phi": 0.1})
    assert other["psi"][0] == pytest.approx(np.pi / 2)  # stays, so that the joint turns
    assert other["turn"][0] == pytest.approx(np.pi / 2 - 0.1)


def test_forces_speak_of_chosen_coordinates():
    push = {"push": {"type": "joint", "joint": "O", "value": "-psi.*psi"}}
    m = ts.load(described(coordinates={"psi": "phi + turn"}, forces=push))
    assert str(ts.derive(m).Q[0]) == "-psi*psi."


def test_shapes_of_modes_have_chosen_coordinates():
    for mode in ts.linearise(pendulum(), at={"phi": 0, "psi": 0}).modes:
        assert mode.shape["psi"] == pytest.approx(mode.shape["phi"] + mode.shape["turn"])


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
        ({"psi": "phi*turn"}, "no sum of coordinates"),
        ({"psi": "phi + turn", "chi": "2*phi + 2*turn"}, "follows from those before"),
        ({"psi": "phi + a"}, "does not fit|no coordinate of a joint"),
        ({"phi": "phi + turn"}, "already used"),
        ({"psi": "90 deg"}, "no sum of coordinates"),
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
