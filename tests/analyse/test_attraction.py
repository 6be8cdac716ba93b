"""Newtonian attraction of extended bodies: gravity gradient, dumb-bells, two bodies."""

from dataclasses import replace

import numpy as np
import pytest
from random_mechanisms import at, joint, random_body, random_state

import torseur as ts
from torseur.algebra.core.expr import expression, number
from torseur.equations.actions.applied import applied_forces, external_wrenches, stored_energy
from torseur.equations.symbols.system import system
from torseur.equations.symbols.system_places import SystemPlaces
from torseur.language.load import load
from torseur.machine.compiled import compile
from torseur.model.description import GROUND, Mechanism
from torseur.model.forces.body import Attraction, Gravitation
from torseur.model.forces.protocol import Attachment
from torseur.model.joints.library import Free
from torseur.spatial.pose import Pose

K = 3.7
ORIGIN = Attachment(GROUND, np.zeros(3))


def floating(rng, *forces, names=("B0",)):
    """Free bodies, their frames anywhere."""
    bodies = {name: random_body(rng, name) for name in names}
    joints = {f"F{name}": joint(f"F{name}", Free(), GROUND, name, Pose(), Pose()) for name in names}
    loads = {force.name: force for force in forces}
    made = system(Mechanism("floating", {}, bodies, joints, np.zeros(3), loads=loads))
    return made, random_state(rng, made)


def wrench_on(made, values, name):
    """Force and couple at the centre of mass, in body axes."""
    i, body = SystemPlaces(made).index[name], made.mechanism.bodies[name]
    force, couple = (at(x, values) for x in external_wrenches(made)[i])
    return force, couple - np.cross(body.centre, force)


@pytest.mark.parametrize("seed", range(5))
def test_the_couple_of_a_centre_is_that_of_maccullagh(seed):
    """3 k/r³ û × I û at the centre of mass."""
    made, values = floating(np.random.default_rng(seed), Attraction("k", ORIGIN, k=number(K)))
    body, places = made.mechanism.bodies["B0"], SystemPlaces(made)
    away = at(places.position(Attachment("B0", body.centre)), values)
    r = np.linalg.norm(away)
    u = at(places.rotation("B0").matrix.T @ away, values) / r
    _, couple = wrench_on(made, values, "B0")
    expected = 3 * K / r**3 * np.cross(u, body.inertia @ u)
    np.testing.assert_allclose(couple, expected, rtol=1e-10, atol=1e-12 * np.abs(expected).max())


@pytest.mark.parametrize("seed", range(5))
def test_a_centre_that_a_body_carries_pulls_as_one_in_the_ground(seed):
    """What the carried centre does to the other body is what a centre fixed there would do."""
    rng = np.random.default_rng(seed)
    point = np.array([0.2, -0.1, 0.4])
    carried = Attraction("k", Attachment("B0", point), k=number(K), on=("B1",))
    made, values = floating(rng, carried, names=("B0", "B1"))
    there = at(SystemPlaces(made).position(Attachment("B0", point)), values)
    fixed = Attraction("k", Attachment(GROUND, there), k=number(K), on=("B1",))
    other = replace(made, mechanism=replace(made.mechanism, loads={"k": fixed}))
    np.testing.assert_allclose(
        wrench_on(made, values, "B1"), wrench_on(other, values, "B1"), rtol=1e-10, atol=1e-12
    )


@pytest.mark.parametrize("seed", range(5))
def test_mutual_attraction_is_seen_alike_from_both_bodies(seed):
    def found(pair):
        rng = np.random.default_rng(seed)
        made, values = floating(rng, Gravitation("g", pair, number(K)), names=("B0", "B1"))
        energy = at(expression(stored_energy(made)), values)
        return energy, at(applied_forces(made), values)

    (energy, Q), (again, same) = found(("B0", "B1")), found(("B1", "B0"))
    assert energy == pytest.approx(again, rel=1e-12)
    np.testing.assert_allclose(Q, same, rtol=1e-10, atol=1e-12 * np.abs(Q).max())


# --- the satellite of the course (Pb 4.2) -------------------------------------------------------


def dumb_bell(m, a, **force):
    """Polar coordinates theta and r of the centre, psi of the bar from the radius."""
    moment = m * a**2
    return {
        "gravity": [0, 0, 0],
        "bodies": {
            "arm": {},
            "slide": {},
            "bell": {"mass": m, "inertia": [0, moment, moment]},
        },
        "joints": {
            "theta": {"type": "pivot", "bodies": ["ground", "arm"], "axis": "z"},
            "r": {"type": "glissière", "bodies": ["arm", "slide"], "axis": "x"},
            "psi": {"type": "pivot", "bodies": ["slide", "bell"], "axis": "z"},
        },
        "forces": {"earth": {"type": "attraction", "centre": ["ground", [0, 0, 0]]} | force},
    }


@pytest.mark.parametrize("psi", [0.0, 0.4, 1.3])
def test_a_dumb_bell_moves_by_the_equations_of_the_course(psi):
    """r'' − r θ'² + k/r² + (3 k a²/2 r⁴)(3 cos² ψ − 1) = 0, θ'' + ψ'' + (3 k/r³) sin ψ cos ψ = 0,
    and r² θ' + a² (θ' + ψ') keeps its value."""
    m, a, k, r = 2.0, 0.3, 5.0, 1.7
    f = compile(load(dumb_bell(m, a, k=k, on="bell")))
    q, v = np.array([0.9, r, psi]), np.array([0.7, -0.2, 0.4])
    theta2, r2, psi2 = f.forward_dynamics(q, v, np.zeros(3))
    gradient = 3 * k * a**2 / (2 * r**4) * (3 * np.cos(psi) ** 2 - 1)
    assert r2 == pytest.approx(r * v[0] ** 2 - k / r**2 - gradient, rel=1e-12)
    couple = -3 * k / r**3 * np.sin(psi) * np.cos(psi)
    assert theta2 + psi2 == pytest.approx(couple, rel=1e-11, abs=1e-12)
    swept = 2 * r * v[1] * v[0] + r**2 * theta2 + a**2 * (theta2 + psi2)
    assert swept == pytest.approx(0, abs=1e-12)
    energy = -k * m / r * (1 - a**2 / (2 * r**2) + 3 * a**2 * np.cos(psi) ** 2 / (2 * r**2))
    assert f.potential_energy(q) == pytest.approx(energy, rel=1e-12)


def test_the_expansion_is_exact_to_the_second_order_in_size_over_distance():
    """Against two point masses: the error falls with the fourth power of the size."""
    m, k, r, psi = 2.0, 5.0, 1.7, 0.6

    def error(a):
        f = compile(load(dumb_bell(m, a, k=k, on="bell")))
        end = a * np.array([np.cos(psi), np.sin(psi)])
        distances = [np.linalg.norm([r, 0] + sign * end) for sign in (1, -1)]
        exact = -sum(k * m / 2 / d for d in distances)
        return f.potential_energy([0.9, r, psi]) - exact

    a = 0.05  # the next terms are smaller by (a/r)², less than 1e-3
    assert error(a) / error(a / 2) == pytest.approx(16, rel=1e-2)


def test_the_mass_of_a_centre_stands_for_its_strength():
    """A circular orbit: T² = 4 π² r³/(G m)."""
    earth, r = 5.9722e24, 42_164e3
    f = compile(load(dumb_bell(1.0, 0.0, mass=earth, on="bell")))
    period = 2 * np.pi * np.sqrt(r**3 / (6.6743e-11 * earth))
    assert period == pytest.approx(86_164, rel=1e-4)  # a sidereal day
    radial = f.applied([0.3, r, 0], np.zeros(3))[1]
    assert -radial == pytest.approx(r * (2 * np.pi / period) ** 2, rel=1e-12)


def satellite(arm):
    """A body on an arm that turns about the centre, at a distance that may change."""
    return {
        "gravity": [0, 0, 0],
        "parameters": {"m": 2, "k": 5},
        "bodies": {"arm": {"mass": arm}, "carriage": {"mass": 0}, "satellite": {"mass": "m"}},
        "joints": {
            "O": {"type": "pivot", "axis": "z", "bodies": ["ground", "arm"]},
            "r": {"type": "prismatic", "axis": "x", "bodies": ["arm", "carriage"]},
            "S": {"type": "pivot", "axis": "z", "bodies": ["carriage", "satellite"]},
        },
        "forces": {"sun": {"type": "attraction", "centre": ["ground", [0, 0, 0]], "k": "k"}},
    }


def test_a_centre_attracts_what_has_a_mass():
    f = compile(load(satellite(arm=0)))
    found = f.applied([0.3, 1.7, 0.2], [0, 0, 0])
    np.testing.assert_allclose(found, [0, -5 * 2 / 1.7**2, 0], atol=1e-14)


def test_a_body_at_the_centre_that_attracts_it_is_named():
    with pytest.raises(ts.ModelError, match='the body "arm" has its centre of mass at the centre'):
        ts.derive(satellite(arm=1))
