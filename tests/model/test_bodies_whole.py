"""Rotations, units, the drawn inertia and the theorems of Koenig: every part of each sentence."""

from fractions import Fraction

import matplotlib.figure  # noqa: F401  its import takes longer than a test may
import numpy as np
import pytest
from mpl_toolkits.mplot3d.axes3d import Axes3D
from test_language_expression import read
from test_torseur import cloud

import torseur as ts
from torseur.algebra.core.expr import PI
from torseur.mass import draw_ellipsoid, particles
from torseur.spatial import euler, quaternion
from torseur.spatial import torseur as formulas
from torseur.spatial.rotation import rodrigues
from torseur.spatial.torseur import Torseur, total
from torseur.spatial.vectors import axial, skew
from torseur.units import ANGLE_UNITS, UNITS, unit_factor

STEP = 1e-5
SEEDS = range(5)


def rate(function, t=0.0):
    """The derivative of a function of time."""
    return (function(t + STEP) - function(t - STEP)) / (2 * STEP)


# --- A05: rotation tensor, orthogonality, Ω̃ = Ṙ Rᵀ -----------------------------------------------


def turning_body(rng):
    """Three ways to turn: the matrix as a function of time, and Ω in fixed axes at t = 0."""
    u, w0, w1 = rng.normal(size=(3, 3))
    u /= np.linalg.norm(u)
    start = quaternion.from_axis(u, 1.1)
    spin = quaternion.rate(start, w0)
    angles = euler.ground_rates("zxz", w1)
    yield lambda t: rodrigues(u, 0.4 + 1.7 * t), 1.7 * u
    yield lambda t: euler.matrix("zxz", w1 + w0 * t), angles @ w0
    yield lambda t: quaternion.matrix(start + spin * t), quaternion.matrix(start) @ w0


@pytest.mark.parametrize("seed", SEEDS)
def test_a_rotation_tensor_is_orthogonal_and_its_rate_is_its_spin_however_it_is_written(seed):
    for R, omega in turning_body(np.random.default_rng(seed)):
        np.testing.assert_allclose(R(0) @ R(0).T, np.eye(3), atol=1e-14)
        assert np.linalg.det(R(0)) == pytest.approx(1)
        spin = rate(R) @ R(0).T
        np.testing.assert_allclose(spin, -spin.T, atol=1e-8)
        np.testing.assert_allclose(spin, skew(omega), atol=1e-8)
        np.testing.assert_allclose(axial(spin), axial(skew(omega)), atol=1e-8)


# --- A25: units -----------------------------------------------------------------------------------

PREFIXES = {"G": 9, "M": 6, "k": 3, "h": 2, "da": 1, "": 0, "d": -1, "c": -2, "m": -3, "u": -6,
            "n": -9, "p": -12, "f": -15, "T": 12, "P": 15}  # fmt: skip
PREFIXED = (
    "m",
    "s",
    "N",
    "J",
    "W",
    "Pa",
    "Hz",
    "K",
    "A",
    "rad",
    "L",
    "g",
    "Wh",
    "bar",
    "kg",
    "V",
    "ohm",
    "H",
)
OTHERS = {
    "L": Fraction(1, 1000), "g": Fraction(1, 1000), "Wh": 3600, "kg": 1, "t": 1000, "bar": 10**5,
    "min": 60, "mn": 60, "h": 3600, "d": 86400, "in": Fraction(254, 10**4),
    "ft": 12 * Fraction(254, 10**4), "lb": Fraction(45359237, 10**8),
    "lbf": Fraction(45359237, 10**8) * Fraction(980665, 10**5),
    "ch": 75 * Fraction(980665, 10**5),  # 75 kgf m/s
    "hp": 550 * Fraction(45359237, 10**8) * Fraction(980665, 10**5) * 12 * Fraction(254, 10**4),
}  # fmt: skip
TURNS = {"deg": Fraction(1, 360), "°": Fraction(1, 360), "grad": Fraction(1, 400), "tr": 1,
         "rev": 1, "rpm": Fraction(1, 60)}  # fmt: skip


def definitions(name):
    """What the name of a unit may mean in SI, by its definition or by prefix and unit."""
    if name in OTHERS:
        return [OTHERS[name]]
    return [
        Fraction(10) ** power * OTHERS.get(name.removeprefix(prefix), 1)
        for prefix, power in PREFIXES.items()
        if name.startswith(prefix) and name.removeprefix(prefix) in PREFIXED
    ]


def test_every_unit_is_what_its_definition_says_and_divides_out():
    for name in (*UNITS, *ANGLE_UNITS):
        factor, powers_of_pi = unit_factor(name)
        if name in ANGLE_UNITS:
            assert (factor, powers_of_pi) == (2 * TURNS[name], 1), name
        else:
            assert powers_of_pi == 0, name
            assert any(factor == pytest.approx(float(x), rel=1e-15) for x in definitions(name))
        back, none = unit_factor(f"{name}^-1")
        assert (factor * back, powers_of_pi + none) == (pytest.approx(1), 0), name
        assert unit_factor(f"{name}/{name}") == (pytest.approx(1), 0), name


def test_the_units_of_the_course_are_converted_both_ways():
    for text, si in [("36 km/h", "10 m/s"), ("1 kWh", "3.6 MJ"), ("1 ch", "735.49875 W"),
                     ("30 tr/mn", "0.5 tr/s"), ("1 kg.m^2", "1e7 g.cm^2")]:  # fmt: skip
        assert read(text) is read(si)
    assert read("30 tr/mn") is PI
    assert read("2 µm") is read("2 μm")  # the sign of the prefix, and the Greek letter
    assert float(read("1 hp").value[1]) == pytest.approx(float(OTHERS["hp"]))


def test_a_body_with_a_moment_about_one_axis_only_has_no_ellipsoid():
    """The rod of a plane model: the surface z² = const is no ellipsoid, and cannot be drawn."""
    body = {"mass": 1, "inertia": [0, 0, 0.1], "accept": ["triangle"]}
    joint = {"type": "pivot", "bodies": ["ground", "rod"], "axis": "z"}
    rod = ts.load({"bodies": {"rod": body}, "joints": {"O": joint}})
    with pytest.raises(ts.ModelError, match="two at least are positive"):
        ts.mass.body_sheet(rod, "rod").figure("rod.png")


# --- B12: the inertia ellipsoid, drawn ------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_the_drawn_ellipsoid_has_semi_axes_inverse_to_the_roots_of_the_principal_moments(
    seed, tmp_path, monkeypatch
):
    """Every point r that is drawn has the same r · I_A r, the lines are principal directions."""
    rng = np.random.default_rng(seed)
    drawn = {"plot_surface": [], "plot": []}
    for name, kept in drawn.items():
        known = getattr(Axes3D, name)

        def noted(self, x, y, z, *more, known=known, kept=kept, **style):
            kept.append(np.array([x, y, z]))
            return known(self, x, y, z, *more, **style)

        monkeypatch.setattr(Axes3D, name, noted)
    masses, points, place = rng.uniform(0.2, 1.0, 5), rng.normal(size=(5, 3)), rng.normal(size=3)
    draw_ellipsoid(particles(masses, points), tmp_path / "ellipsoid.png", point=place)

    # the tensor at the place, from the particles
    arms = points - place
    tensor = sum(
        m * (r @ r * np.eye(3) - np.outer(r, r)) for m, r in zip(masses, arms, strict=True)
    )
    moments, directions = np.linalg.eigh(tensor)
    (surface,) = drawn["plot_surface"]
    r = surface.reshape(3, -1).T - place
    level = np.einsum("ni,ij,nj->n", r, tensor, r)
    np.testing.assert_allclose(level, level[0], rtol=1e-9)
    sizes = np.abs(r @ directions).max(axis=0)
    np.testing.assert_allclose(sizes * np.sqrt(moments), np.sqrt(level[0]), rtol=1e-2)  # of a mesh
    for line, moment in zip(drawn["plot"], moments, strict=True):
        along = line[:, 1] - line[:, 0]
        np.testing.assert_allclose(tensor @ along, moment * along, atol=1e-9)
        np.testing.assert_allclose(line.mean(axis=1), place, atol=1e-12)


# --- B17: the theorems of Koenig ------------------------------------------------------------------


def moving_cloud(rng):
    """Particles of a rigid body in motion, and the body: mass, centre, tensor, motion."""
    masses, points, centre, tensor = cloud(rng)
    origin, V, omega = rng.normal(size=(3, 3))
    motion = Torseur(omega, V, origin)
    velocities = V + np.cross(omega, points - origin)
    return masses, points, velocities, (masses.sum(), centre, tensor, motion)


def sums(masses, points, velocities, place=None):
    """Moment at a place and kinetic energy of particles."""
    arms = points - (np.zeros(3) if place is None else place)
    return masses @ np.cross(arms, velocities), masses @ (velocities**2).sum(axis=1) / 2


@pytest.mark.parametrize("seed", SEEDS)
def test_koenig_for_a_rigid_cloud_at_its_centre_and_at_any_point_of_the_body(seed):
    rng = np.random.default_rng(seed)
    masses, points, velocities, (m, G, tensor, motion) = moving_cloud(rng)
    A, omega = rng.normal(size=3), motion.resultant
    sigma, T = sums(masses, points, velocities, A)
    V_G, V_A, AG = formulas.velocity(motion, G), formulas.velocity(motion, A), G - A
    tensor_A = formulas.inertia_at(tensor, m, AG)

    # first theorem σ_A = AG × m V(G) + I_G Ω, second T = ½ m V(G)² + ½ Ω · I_G Ω
    np.testing.assert_allclose(sigma, np.cross(AG, m * V_G) + tensor @ omega, atol=1e-12)
    assert pytest.approx(m * V_G @ V_G / 2 + omega @ tensor @ omega / 2) == T
    # general form, at any point of the body
    np.testing.assert_allclose(formulas.kinetic_moment(m, G, tensor, motion, A), sigma, atol=1e-12)
    general = m * V_A @ V_A / 2 + m * V_A @ np.cross(omega, AG) + omega @ tensor_A @ omega / 2
    assert general == pytest.approx(T)
    # and the kinetic torseur holds them all
    momentum = formulas.kinetic(m, G, tensor, motion)
    np.testing.assert_allclose(momentum.at(A).moment, sigma, atol=1e-12)
    assert formulas.kinetic_energy(momentum, motion) == pytest.approx(T)


@pytest.mark.parametrize("seed", SEEDS)
def test_koenig_for_a_system_of_bodies_that_move_relative_to_each_other(seed):
    """σ_A = AG × M V(G) + σ_G*, T = ½ M V(G)² + T*, the stars in axes that move with G only."""
    rng = np.random.default_rng(seed)
    clouds = [moving_cloud(rng) for _ in range(3)]
    masses, points, velocities = (np.concatenate([c[k] for c in clouds]) for k in range(3))
    M, A = masses.sum(), rng.normal(size=3)
    G, V_G = masses @ points / M, masses @ velocities / M
    sigma_star, T_star = sums(masses, points, velocities - V_G, G)
    momenta = [formulas.kinetic(*body) for *_, body in clouds]
    C = total(momenta, A)
    np.testing.assert_allclose(C.resultant, M * V_G, atol=1e-12)
    np.testing.assert_allclose(C.moment, np.cross(G - A, M * V_G) + sigma_star, atol=1e-12)
    T = sum(formulas.kinetic_energy(p, c[3][3]) for p, c in zip(momenta, clouds, strict=True))
    assert pytest.approx(M * V_G @ V_G / 2 + T_star) == T


# --- attitude and partial velocities of mechanisms -----------------------------------------------


def test_a_ball_joint_goes_through_the_singular_position_of_euler_angles():
    """Nutation from +0.5 through 0 at −1 rad/s: its attitude is the turn by 0.5 − t about x."""
    model = {
        "gravity": [0, 0, 0],
        "bodies": {"b": {"mass": 1, "inertia": [1, 2, 3]}},
        "joints": {"O": {"type": "spherical", "bodies": ["ground", "b"]}},
        "initial": {"O_wx": -1.0},
    }
    tilted = ts.attitude.quaternion.from_matrix(ts.attitude.elementary("x", 0.5))
    start = dict(zip(ts.load(model).coordinates, tilted, strict=True))
    run = ts.simulate(model, 1.0, rate=10, initial=start)
    for t, q in zip(run.t, run.q, strict=True):
        expected = ts.attitude.elementary("x", 0.5 - t)
        np.testing.assert_allclose(ts.attitude.quaternion.matrix(q), expected, atol=1e-9)


def test_partial_velocities_are_those_of_a_turn_or_a_slide_and_zero_off_the_branch():
    """J_Ω = z, J_V = z × OP of a pivot; 0 and the axis of a slide; nothing from another branch."""
    model = {
        "bodies": {name: {"mass": 1, "inertia": [1, 1, 1]} for name in ("hub", "slide", "other")},
        "joints": {
            "O": {"type": "pivot", "axis": "z", "bodies": ["ground", "hub"], "coordinate": "a"},
            "S": {
                "type": "prismatic", "axis": "x", "bodies": ["hub", "slide"], "coordinate": "s",
            },
            "B": {"type": "pivot", "axis": "y", "bodies": ["hub", "other"], "coordinate": "b"},
        },
        "frames": {"tip": {"body": "slide", "position": [0, 0.2, 0]}},
    }  # fmt: skip
    f = ts.compile(model)
    q = np.zeros(3)
    q[[f.coordinates.index(name) for name in "asb"]] = 0.7, 1.5, 0.4
    R, p = f.pose("tip", q)[:3, :3], f.pose("tip", q)[:3, 3]
    J = dict(zip(f.coordinates, f.jacobian("tip", q).T, strict=True))
    np.testing.assert_allclose(J["a"], [0, 0, 1, *np.cross([0, 0, 1], p)], atol=1e-14)
    np.testing.assert_allclose(J["s"], [0, 0, 0, *R[:, 0]], atol=1e-14)
    np.testing.assert_array_equal(J["b"], np.zeros(6))
