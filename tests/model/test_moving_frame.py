"""A ground that is not Galilean: inertia forces of entrainment and of Coriolis."""

from dataclasses import replace

import numpy as np
import pytest
from random_mechanisms import at, joint, random_mechanism, random_state, rate, speeds_of

import torseur as ts
from torseur.algebra.calculus.derivative import jacobian
from torseur.algebra.core.expr import TIME, expression, number
from torseur.algebra.core.graph import evaluate
from torseur.dynamics.tree.inverse_dynamics import inverse_dynamics
from torseur.equations.actions.applied import Applied, applied_forces, powers, stored_energy
from torseur.equations.symbols.system import system
from torseur.language.load import load
from torseur.machine.compiled import compile
from torseur.model.description import GROUND, Body, MovingFrame, geocentric, orbital_rate
from torseur.model.joints.library import Free
from torseur.spatial.pose import Pose
from torseur.spatial.quaternion import matrix

EARTH_RATE = 7.292115e-5  # rad/s


def on_a_base(mechanism):
    """The same mechanism carried by a free body without mass instead of the ground."""
    base = joint("base", Free(), GROUND, "base", Pose(), Pose())
    moved = {
        name: replace(one, first="base") if one.first == GROUND else one
        for name, one in mechanism.joints.items()
    }
    bodies = {"base": Body("base", 0.0, np.zeros(3), np.zeros((3, 3)))} | dict(mechanism.bodies)
    return replace(mechanism, bodies=bodies, joints={"base": base} | moved, frame=None)


def needed(made, values, a):
    """M a + h less the applied forces, as numbers."""
    own = dict(zip([x.name for x in made.a], a, strict=True))
    required = inverse_dynamics(made.tree, made.q, made.v, made.a, np.zeros(3)).Q
    return at(required, values | own) - at(applied_forces(made), values)


@pytest.mark.parametrize("motors", [False, True], ids=["bodies", "with rotors"])
@pytest.mark.parametrize("seed", range(5))
def test_a_moving_ground_is_felt_as_a_moving_base_would_be(seed, motors):
    """Any motion of the base: what the joints beyond it need is what they need in its frame."""
    rng = np.random.default_rng(seed)
    plain = random_mechanism(rng, motors=motors)
    carried = system(on_a_base(plain))
    values = random_state(rng, carried)
    a = rng.normal(size=carried.tree.nv)

    w = np.array([values[name] for name in carried.speeds[3:6]])
    R = matrix(np.array([values[x.name] for x in carried.q[3:7]]))
    turning = np.array([number(x) + number(y) * TIME for x, y in zip(w, a[3:6], strict=True)])
    frame = MovingFrame(turning, R.T @ a[:3])
    made = system(replace(plain, frame=frame))

    wanted = needed(carried, values, a)[6:]
    found = needed(made, values, a[6:])
    np.testing.assert_allclose(found, wanted, rtol=1e-11, atol=1e-11 * np.abs(wanted).max())


@pytest.mark.parametrize("seed", range(4))
def test_entrainment_by_a_steady_rotation_has_a_potential_and_coriolis_does_no_work(seed):
    rng = np.random.default_rng(seed)
    frame = MovingFrame(rng.normal(size=3), rng.normal(size=3))
    made = system(random_mechanism(rng, frame=frame))
    values = random_state(rng, made)
    stored = rate(made, expression(stored_energy(made)))
    power = at(powers(made)["frame"], values)
    assert power == pytest.approx(-at(stored, values), rel=1e-10)
    assert power == pytest.approx(at(applied_forces(made), values) @ speeds_of(made, values))
    still = values | dict.fromkeys(made.speeds, 0.0)
    lost = jacobian([stored], made.v)[0]
    np.testing.assert_allclose(
        at(applied_forces(made), still), -at(lost, still), rtol=1e-11, atol=1e-11
    )


@pytest.mark.parametrize("motors", [False, True], ids=["bodies", "with rotors"])
def test_inertia_forces_are_told_apart_and_add_up(motors):
    """Entrainment is left where nothing moves relative to the ground, Coriolis works nowhere."""
    rng = np.random.default_rng(5)
    frame = MovingFrame(rng.normal(size=3) + TIME * rng.normal(size=3), rng.normal(size=3))
    made = system(random_mechanism(rng, frame=frame, motors=motors))
    values = random_state(rng, made) | {"t": 0.4}
    applied = Applied(made)
    parts = applied.told_apart(applied.parts)
    carried, turned = (
        at(applied.generalised(parts[f"frame: {kind}"]), values)
        for kind in ("entrainment", "Coriolis")
    )
    whole = at(applied.generalised(applied.parts["frame"]), values)
    np.testing.assert_allclose(carried + turned, whole, atol=1e-11 * np.abs(whole).max())
    assert turned @ speeds_of(made, values) == pytest.approx(0, abs=1e-11 * np.abs(whole).max())
    still = values | dict.fromkeys(made.speeds, 0.0)
    at_rest = at(applied.generalised(applied.parts["frame"]), still)
    np.testing.assert_allclose(carried, at_rest, atol=1e-11 * np.abs(whole).max())


TUBE = {
    "frame": {"rotation": [0, 0, "omega"]},
    "parameters": {"omega": 2, "m": 0.1, "k": 3},
    "gravity": [0, 0, 0],
    "bodies": {"ball": {"mass": "m"}},
    "joints": {
        "tube": {"type": "prismatic", "axis": "x", "bodies": ["ground", "ball"], "coordinate": "x"}
    },
    "forces": {
        "spring": {
            "type": "spring", "between": [["ground", [0, 0, 0]], ["ball", [0, 0, 0]]],
            "stiffness": "k",
        }
    },
    "initial": {"x": 0.1},
}  # fmt: skip


def test_a_balance_of_actions_lists_each_force_and_both_inertias_in_both_languages():
    told = str(ts.tell(TUBE, "newton-euler", lang="fr"))
    assert "R⃗(inertie d'entraînement→ball) = (m ω² x, 0, 0)" in told
    assert "R⃗(inertie de Coriolis→ball) = (0, −2 m ω ẋ, 0)" in told
    assert "R⃗(spring→ball) = (−k x, 0, 0)" in told
    assert "Q_x(inertia of entrainment) = m ω² x" in str(ts.tell(TUBE))
    forces = ts.torseurs.body_torseurs(ts.load(TUBE), "ball").forces
    assert str(forces["frame: Coriolis"].resultant[1]) == "-2*m*omega*x."
    run = ts.simulate(TUBE, 0.2)
    with ts.speaking("fr"):
        powers, impulse = str(ts.torseurs.power_balance(run)), str(ts.torseurs.impulse(run, "ball"))
    assert "inertie du bâti mobile" in powers and "travail" in powers and "work" not in powers
    assert "inertie de Coriolis" in impulse and "frame" not in impulse


PARTICLE = {
    "gravity": [0, 0, -9.81],
    "bodies": {name: {"mass": 0 if name != "bob" else 2} for name in ("east", "north", "bob")},
    "joints": {
        "x": {"type": "glissière", "bodies": ["ground", "east"], "axis": "x"},
        "y": {"type": "glissière", "bodies": ["east", "north"], "axis": "y"},
        "z": {"type": "glissière", "bodies": ["north", "bob"], "axis": "z"},
    },
}


def in_the_laboratory(**more):
    frame = {"preset": "laboratoire", "latitude": "45 deg"} | more
    return compile(load(PARTICLE | {"frame": frame}))


def test_a_falling_stone_is_deviated_to_the_east():
    """x'' = 2 Ω g t cos λ, at the speed −g t."""
    f = in_the_laboratory()
    fall = 9.81 * 3
    force = f.applied(np.ones(3), [0, 0, -fall])
    np.testing.assert_allclose(
        force, [2 * 2 * EARTH_RATE * fall * np.cos(np.pi / 4), 0, 0], rtol=1e-12, atol=1e-18
    )


def test_the_plane_of_a_pendulum_turns_as_foucault_saw():
    """A horizontal velocity is turned at −2 Ω sin λ: half of it for the plane of oscillation."""
    f = in_the_laboratory()
    v = np.array([0.3, -1.1, 0])
    force = f.applied(np.zeros(3), v)
    turning = 2 * EARTH_RATE * np.sin(np.pi / 4)
    np.testing.assert_allclose(force[:2] / 2, turning * np.array([v[1], -v[0]]), rtol=1e-12)


def test_in_the_laboratory_the_weight_holds_the_centrifugal_force_already():
    np.testing.assert_allclose(in_the_laboratory().applied(np.full(3, 1e6), np.zeros(3)), 0)
    felt = in_the_laboratory(entrainment="yes").applied([1e6, 0, 0], np.zeros(3))
    np.testing.assert_allclose(felt, [2 * EARTH_RATE**2 * 1e6, 0, 0], rtol=1e-12, atol=1e-20)


def test_the_earth_goes_round_the_sun_in_a_year():
    """√(G m/d³) and γ_e ≈ 6e-3 m/s² (P-Earth)."""
    year = 2 * np.pi / float(evaluate(orbital_rate(), {}))
    assert year == pytest.approx(365.2568 * 86400, rel=1e-5)
    assert np.linalg.norm(at(geocentric().acceleration, {"t": 0.0})) == pytest.approx(
        6e-3, rel=0.02
    )


def test_near_the_earth_only_the_tide_of_the_sun_is_left():
    """Its attraction less that of the Earth's centre: 2 k r/d³ along the line, −k r/d³ across."""
    k, d, r = 1.32712440018e20, 149_597_870_700, 1e7
    sun = {"type": "attraction", "centre": ["ground", [-d, 0, 0]], "k": k, "on": "bob"}
    model = PARTICLE | {"frame": {"preset": "geocentric"}, "forces": {"sun": sun}}
    made = system(load(model | {"gravity": [0, 0, 0]}))
    Q = at(applied_forces(made), {"x": 0.0, "y": r, "z": 0.0, "t": 0.0})
    assert Q[1] / 2 == pytest.approx(-k * r / d**3, rel=1e-6)
    Q = at(applied_forces(made), {"x": r, "y": 0.0, "z": 0.0, "t": 0.0})
    assert Q[0] / 2 == pytest.approx(2 * k * r / d**3, rel=3 * r / d)


def test_the_governor_of_watt_opens_beyond_its_critical_speed():
    """cos α = g/(l Ω²) is the equilibrium in a frame that turns at Ω (Ex 4.5, without links)."""
    g, length, turning = 9.81, 0.4, 7.0
    model = {
        "gravity": [0, 0, -g],
        "frame": {"rotation": [0, 0, turning]},
        "bodies": {"ball": {"mass": 2, "centre": [0, 0, -length]}},
        "joints": {"alpha": {"type": "pivot", "bodies": ["ground", "ball"], "axis": "y"}},
    }
    f = compile(load(model))
    alpha = np.arccos(g / (length * turning**2))
    assert f.applied([alpha], [0.0])[0] == pytest.approx(f.gravity([alpha])[0], rel=1e-12)


def test_the_orders_of_magnitude_of_inertia_forces_are_told():
    """Plaut, §3.1.3 and 3.1.4: 1.5e-4 m/s² at 1 m/s on the Earth, 6e-3 m/s² about the Sun."""
    falling = {
        "gravity": [0, 0, -9.81],
        "bodies": {"stone": {"mass": 1}},
        "joints": {"fall": {"type": "prismatic", "bodies": ["ground", "stone"], "axis": "z"}},
    }
    told = {
        "laboratory": "0.00015 m/s²; that of entrainment is left to gravity.",
        "geocentric": "The origin of the ground accelerates at 0.00593 m/s².",
    }
    for preset, words in told.items():
        frame = {"preset": preset} | ({"latitude": "45 deg"} if preset == "laboratory" else {})
        (notice,) = ts.check(ts.load(falling | {"frame": frame})).notices
        assert notice.endswith(words)
    turning = ts.load(falling | {"frame": {"rotation": [0, 0, 2]}}).notices
    assert turning[-1].endswith("4 m/s², at 1 m from the axis that of entrainment 4 m/s².")
