"""Typed Lagrangians, canonical equations, Routh and Painlevé: their motions and what these keep."""

from pathlib import Path

import numpy as np
import pytest

import torseur as ts
from torseur.algebra.calculus.derivative import jacobian
from torseur.algebra.core.expr import expression
from torseur.algebra.core.graph import evaluate, free_symbols
from torseur.algebra.forms.readable import readable
from torseur.equations.functions.flow import flow

G = 9.81

# --- the double pendulum (P-Ex4.2, P-TPA) --------------------------------------------------------

DOUBLE = (
    "½*(m + M)*a²*phi.² + ½*M*b²*psi.² + M*a*b*cos(phi - psi)*phi.*psi. "
    "+ (m + M)*g*a*cos(phi) + M*g*b*cos(psi)"
)
ARMS = {"m": 1.0, "M": 1.0, "a": 0.3, "b": 0.2, "g": G}


def double(**initial):
    return ts.formalisms.lagrangian(DOUBLE, ["phi", "psi"], parameters=ARMS, initial=initial)


def test_the_double_pendulum_has_the_equations_of_the_exercise():
    at = double().equations.evaluate([0.4, -0.3], [1.1, 0.6])
    m, M, a, b = (ARMS[n] for n in ("m", "M", "a", "b"))
    s, c = np.sin(0.7), np.cos(0.7)
    np.testing.assert_allclose(at.M, [[(m + M) * a**2, M * a * b * c], [M * a * b * c, M * b**2]])
    np.testing.assert_allclose(at.h, [M * a * b * s * 0.36, -M * a * b * s * 1.21])
    np.testing.assert_allclose(at.g, [(m + M) * G * a * np.sin(0.4), M * G * b * np.sin(-0.3)])


def test_the_double_pendulum_follows_the_reference_solution():
    """25-digit Taylor solution: φ₀ = 120°, ψ₀ = 90°, at rest."""
    run = ts.formalisms.integrate(
        double(phi=2 * np.pi / 3, psi=np.pi / 2), 2.0, rate=1.0, rtol=1e-13
    )
    np.testing.assert_allclose(run["phi"], [2 * np.pi / 3, -1.68641715258, -0.00846501780],
                               atol=1e-8)  # fmt: skip
    np.testing.assert_allclose(run["psi"][1:], [-1.74894445849, 1.69079196132], atol=1e-8)


def test_hamilton_and_lagrange_give_the_same_motion_of_the_double_pendulum():
    made = double(phi=0.9, psi=-0.5)
    first = ts.formalisms.integrate(made, 10.0, rate=20.0, rtol=1e-13)
    second = ts.formalisms.integrate(made.hamiltonian, 10.0, rate=20.0, rtol=1e-13)
    for name in ("phi", "psi"):
        np.testing.assert_allclose(second[name], first[name], atol=1e-9)
    energy = second.of(made.hamiltonian.H)
    np.testing.assert_allclose(energy, energy[0], rtol=1e-10)


# --- the spherical pendulum (P-Ex5.1) ------------------------------------------------------------

SPHERICAL = "½*m*a²*(theta.² + sin(theta)²*phi.²) + m*g*a*cos(theta)"
BOB = {"m": 0.7, "a": 0.5, "g": G}


def spherical(**initial):
    return ts.formalisms.lagrangian(SPHERICAL, ["theta", "phi"], parameters=BOB, initial=initial)


def test_the_hamiltonian_of_the_spherical_pendulum_is_that_of_the_exercise():
    made = spherical().hamiltonian
    assert made.momenta == ("p_theta", "p_phi")
    values = BOB | {"theta": 0.8, "phi": 0.1, "p_theta": 0.3, "p_phi": 0.2}
    m, a, s, c = BOB["m"], BOB["a"], np.sin(0.8), np.cos(0.8)
    H = 0.09 / (2 * m * a**2) + 0.04 / (2 * m * a**2 * s**2) - m * G * a * c
    assert evaluate(made.H, values) == pytest.approx(H)
    rates = [float(x) for x in evaluate(made.momentum_rates, values)]
    assert rates == pytest.approx([0.04 * c / (m * a**2 * s**3) - m * G * a * s, 0])
    assert "p_phi. = 0" in str(made)


def test_momenta_of_cyclic_coordinates_are_kept_for_a_hundred_seconds():
    made = spherical(theta=1.0, **{"phi.": 3.0})
    assert set(made.conserved) == {"phi"}
    run = ts.formalisms.integrate(made, 100.0, rate=2.0, rtol=1e-13)
    momentum = run.of(made.conserved["phi"])
    np.testing.assert_allclose(momentum, momentum[0], rtol=0, atol=1e-10)


def test_routh_integrates_the_cyclic_coordinate_by_quadrature():
    made = spherical(theta=1.0, **{"phi.": 3.0})
    reduced = made.routhian()
    assert reduced.lagrangian.coordinates == ("theta",) and set(reduced.rates) == {"phi"}
    p = BOB["m"] * BOB["a"] ** 2 * np.sin(1.0) ** 2 * 3.0
    whole = ts.formalisms.integrate(made, 5.0, rate=10.0, rtol=1e-12)
    less = ts.formalisms.integrate(reduced, 5.0, rate=10.0, parameters={"p_phi": p}, rtol=1e-12)
    for name in ("theta", "phi"):
        np.testing.assert_allclose(less[name], whole[name], atol=1e-9)
    with pytest.raises(ts.ModelError, match="L depends on it"):
        made.routhian(["theta"])


def test_a_force_on_a_cyclic_coordinate_leaves_it_cyclic_but_not_conserved():
    pushed = ts.formalisms.lagrangian(
        SPHERICAL, ["theta", "phi"], parameters=BOB, forces={"phi": "-0.1*phi."}
    )
    assert pushed.cyclic == ("phi",) and not pushed.conserved
    with pytest.raises(ts.ModelError, match="a force or a constraint works on it"):
        pushed.routhian(["phi"])


def test_the_singularity_of_the_chart_stops_the_motion_with_a_clear_message():
    with pytest.raises(ts.SolveError, match="cannot be continued"):
        ts.formalisms.integrate(spherical(theta=0.0, **{"phi.": 1.0}), 1.0)


# --- the integral of Painlevé (P-Pai, G-Ex0) -----------------------------------------------------

OMEGA = {"omega": 3.0, "m": 0.4, "a": 0.2, "k": 30.0, "l0": 0.3}


def turntable():
    """An arm turned at a given rate, a mass that slides on it, a spring."""
    return ts.load(
        {
            "parameters": OMEGA,
            "bodies": {"arm": {"mass": 1, "inertia": [1, 1, 1]}, "slide": {"mass": "m"}},
            "joints": {
                "turn": {
                    "type": "pivot", "bodies": ["ground", "arm"], "axis": "z",
                    "coordinate": "theta",
                },
                "rail": {
                    "type": "prismatic", "bodies": ["arm", "slide"], "axis": "x",
                    "coordinate": "s", "point": [["a", 0, 0], [0, 0, 0]],
                },
            },
            "forces": {"spring": {"type": "law", "joint": "rail", "value": "-k*(distance - l0)"}},
            "motions": {"drive": {"coordinate": "theta", "law": "omega*t"}},
            "initial": {"s": 0.5, "s.": 0.3},
        }
    )  # fmt: skip


def test_an_imposed_rotation_splits_the_kinetic_energy_and_leaves_painleves_integral():
    found = ts.derive(turntable(), "lagrange", eliminate=["drive"])
    assert found.coordinates == ("s",)
    values = OMEGA | {"s": 0.5, "s.": 0.3, "t": 0.7}
    at = {n: float(evaluate(found.tables[n], values)) for n in ("T2", "T1", "T0", "H", "T")}
    m, w, far = OMEGA["m"], OMEGA["omega"], OMEGA["a"] + 0.5
    assert at["T2"] == pytest.approx(m * 0.09 / 2)
    assert at["T1"] == pytest.approx(0, abs=1e-15)
    assert at["T0"] == pytest.approx((1 + m * far**2) * w**2 / 2)
    assert at["T"] == pytest.approx(at["T2"] + at["T1"] + at["T0"])
    run = ts.formalisms.integrate(found, 5.0, rtol=1e-12)
    kept = run.of(found.tables["H"])
    np.testing.assert_allclose(kept, kept[0], rtol=1e-10)
    own = m * run["s."] ** 2 / 2 - m * w**2 * (OMEGA["a"] + run["s"]) ** 2 / 2
    own += OMEGA["k"] * (run["s"] - OMEGA["l0"]) ** 2 / 2
    np.testing.assert_allclose(own, own[0], rtol=1e-10)
    energy = run.of(found.tables["T"] + found.tables["V"])
    assert np.ptp(energy) > 0.01 * abs(energy[0])  # the drive works: energy itself is not kept


def test_a_pendulum_on_a_driven_crank_has_a_part_linear_in_its_speed():
    """V(G)² = (a ω)² + l² (ω + θ̇)² + 2 a l ω (ω + θ̇) cos θ: M = m l², N = m l ω (l + a cos θ)."""
    p = {"m": 0.7, "l": 0.4, "a": 0.3, "omega": 2.0}
    made = ts.derive(
        {
            "parameters": p,
            "bodies": {"crank": {"mass": 0}, "bob": {"mass": "m", "centre": ["l", 0, 0]}},
            "joints": {
                "O": {
                    "type": "pivot", "bodies": ["ground", "crank"], "axis": "z",
                    "coordinate": "psi",
                },
                "A": {
                    "type": "pivot", "bodies": ["crank", "bob"], "axis": "z",
                    "point": [["a", 0, 0], [0, 0, 0]], "coordinate": "theta",
                },
            },
            "motions": {"drive": {"coordinate": "psi", "law": "omega*t"}},
        },
        "lagrange",
        eliminate=["drive"],
    )  # fmt: skip
    values = p | {"theta": 0.6, "theta.": 1.3, "t": 0.2}
    m, l, a, w = p.values()
    M, N = m * l**2, m * l * w * (l + a * np.cos(0.6))
    K0 = m * w**2 * (a**2 + l**2 + 2 * a * l * np.cos(0.6)) / 2
    found = {n: float(evaluate(made.tables[n], values)) for n in ("T2", "T1", "T0")}
    assert found == pytest.approx({"T2": M * 1.3**2 / 2, "T1": N * 1.3, "T0": K0})
    assert float(evaluate(made.M[0, 0], values)) == pytest.approx(M)
    assert float(evaluate(made.tables["N"][0], values)) == pytest.approx(N)


def test_the_eliminated_motion_is_that_of_the_whole_mechanism_with_its_multiplier():
    found = ts.derive(turntable(), "lagrange", eliminate=["drive"])
    less = ts.formalisms.integrate(found, 1.0, rate=20.0, rtol=1e-12)
    whole = ts.simulate(turntable(), 1.0, rate=20.0, rtol=1e-12)
    np.testing.assert_allclose(less["s"], whole["s"], atol=1e-9)
    hamiltonian = ts.formalisms.lagrangian(turntable(), eliminate=["drive"]).hamiltonian
    canonical = ts.formalisms.integrate(
        hamiltonian, 1.0, rate=20.0, initial={"p_s": 0.12}, rtol=1e-12
    )
    np.testing.assert_allclose(canonical["s"], less["s"], atol=1e-9)


# --- the satellite (P-Pb4.2) ---------------------------------------------------------------------

KEPLER = "½*m*(r.² + r²*theta.² + r²*sin(theta)^2*phi.²) + k*m/r"


def test_kepler_keeps_the_areas_and_a_circular_orbit_has_the_period_of_the_third_law():
    polar = ts.formalisms.lagrangian("½*m*(r.² + r²*theta.²) + k*m/r", ["r", "theta"],
                          parameters={"m": 2.0, "k": 3.0})  # fmt: skip
    assert polar.cyclic == ("theta",)
    rate = np.sqrt(3.0 / 1.5**3)
    run = ts.formalisms.integrate(polar, 2 * np.pi / rate, rate=20.0, rtol=1e-12,
                       initial={"r": 1.5, "theta.": rate})  # fmt: skip
    np.testing.assert_allclose(run["r"], 1.5, atol=1e-10)
    assert run["theta"][-1] == pytest.approx(rate * run.t[-1], rel=1e-10)
    assert ts.formalisms.lagrangian(KEPLER, ["r", "theta", "phi"]).cyclic == ("phi",)


def test_the_attraction_on_a_dumb_bell_has_the_series_of_the_exam():
    """E_p = (α/r)[1 + β a²/r² + γ a² cos²ψ/r²]: α = −km, β = −½, γ = 3/2; next term a⁴/r⁴."""
    exact = "-k*m/2*(1/sqrt(r^2 + a^2 + 2*a*r*cos(psi)) + 1/sqrt(r^2 + a^2 - 2*a*r*cos(psi)))"
    V = ts.formalisms.taylor(exact, {"a": 0}, 3)
    at = {"k": 1.3, "m": 0.7, "r": 2.0, "a": 0.1, "psi": 0.6}
    c = np.cos(0.6)
    series = -1.3 * 0.7 / 2.0 * (1 - 0.01 / 8 + 1.5 * 0.01 * c**2 / 4)
    assert evaluate(V, at) == pytest.approx(series, rel=1e-14)
    fourth = evaluate(ts.formalisms.taylor(exact, {"a": 0}, 4) - V, at)
    legendre = (35 * c**4 - 30 * c**2 + 3) / 8
    assert fourth == pytest.approx(-1.3 * 0.7 / 2.0 * legendre * (0.1 / 2) ** 4)


def test_the_dumb_bell_librates_at_root_three_times_its_orbital_rate():
    """r̈ − rθ̇² + k/r² + …, r²θ̇ + a²(θ̇ + ψ̇) = const; ψ̈ + (3/2) Ω² sin 2ψ = 0 to leading order."""
    text = (
        "½*m*(r.² + r²*theta.² + a²*(theta. + psi.)^2) "
        "+ k*m/r*(1 - a²/(2*r²) + 3*a²*cos(psi)^2/(2*r²))"
    )
    made = ts.formalisms.lagrangian(
        text, ["r", "theta", "psi"], parameters={"m": 1.0, "k": 1.0, "a": 1e-4}
    )
    assert made.cyclic == ("theta",)
    a2 = 1e-8
    at = made.equations.evaluate([2.0, 0.3, 0.4], [0.1, 0.5, 0.2])
    a = np.linalg.solve(at.M, at.Q - at.h - at.g)
    c, s = np.cos(0.4), np.sin(0.4)
    radial = a[0] - 2.0 * 0.25 + 1 / 4.0 + 1.5 * a2 / 16.0 * (3 * c**2 - 1)
    assert radial == pytest.approx(0, abs=1e-12)
    assert a[1] + a[2] + 3 / 8.0 * s * c == pytest.approx(0, abs=1e-6)
    rate = np.sqrt(1.0 / 8.0)
    period = 2 * np.pi / (np.sqrt(3) * rate)
    run = ts.formalisms.integrate(made, period, rate=4 / period, rtol=1e-12,
                       initial={"r": 2.0, "theta.": rate, "psi": 1e-3})  # fmt: skip
    np.testing.assert_allclose(run["psi"] / 1e-3, [1, 0, -1, 0, 1], atol=1e-5)


# --- what a typed Lagrangian may hold ------------------------------------------------------------


def test_the_simple_pendulum_in_cartesian_coordinates_pulls_its_string():
    """L-Pend: with x² + y² = l² as constraint the multiplier is −T/(2 l)."""
    made = ts.formalisms.lagrangian(
        "½*m*(x.² + y.²) - m*g*y", ["x", "y"], parameters={"m": 2.0, "g": G, "l": 1.5},
        constraints={"string": "x^2 + y^2 - l^2"}, initial={"x": 1.0, "y": -1.0},
    )  # fmt: skip
    first = ts.formalisms.integrate(made, 3.0, rate=20.0, rtol=1e-12)
    np.testing.assert_allclose(first["x"] ** 2 + first["y"] ** 2, 2.25, atol=1e-11)
    v2 = first["x."] ** 2 + first["y."] ** 2
    tension = 2.0 * (v2 / 1.5 - G * first["y"] / 1.5)
    np.testing.assert_allclose(-first.multiplier("string")[:, 0] * 2 * 1.5, tension, atol=1e-8)
    second = ts.formalisms.integrate(made.hamiltonian, 3.0, rate=20.0, rtol=1e-12)
    np.testing.assert_allclose(second["x"], first["x"], atol=1e-9)


def test_rayleighs_function_takes_the_energy_at_twice_its_value():
    made = ts.formalisms.lagrangian(
        "½*m*x.² - ½*k*x²",
        ["x"],
        parameters={"m": 1.0, "k": 4.0, "b": 0.3},
        rayleigh="½*b*x.²",
        initial={"x": 1.0},
    )
    run = ts.formalisms.integrate(made, 4.0, rate=200.0, rtol=1e-12)
    lost = run.of(made.energy)[0] - run.of(made.energy)[-1]
    twice = 2 * run.of(made.R)
    simpson = (
        run.t[1] / 3 * (twice[0] + 4 * twice[1::2].sum() + 2 * twice[2:-1:2].sum() + twice[-1])
    )
    assert lost == pytest.approx(simpson, rel=1e-8)


@pytest.mark.parametrize("name", ["spherical_pendulum", "half_disc", "cart_pendulum", "heavy_top"])
def test_a_lagrangian_is_its_kinetic_energy_less_its_potential(name):
    """However it is factored: V has no speed, and nothing that is constant."""
    made = ts.formalisms.lagrangian(ts.load(name))
    q, v = (set(x) for x in (made.system.q, made.system.v))
    assert v & set(free_symbols(made.kinetic)) and not v & set(free_symbols(made.potential))
    rest = expression(readable(made.kinetic - made.potential - made.L))
    assert not (q | v) & set(free_symbols(rest))


def test_weight_in_the_equations_of_a_lagrangian_is_in_g():
    """m a (½ a θ̇² + g cos θ) has terms of both kinds in one product."""
    made = ts.formalisms.lagrangian(ts.load("spherical_pendulum")).equations
    assert "sin(theta)" in str(made.g[made.coordinates.index("theta")])
    assert all(x.name != "g" for x in free_symbols(made.h))
    assert ts.check_answer(
        ts.formalisms.lagrangian(ts.load("spherical_pendulum")), "-m*g*a*sin(theta)", of="Q_theta"
    ).right


def test_the_potential_of_what_is_driven_has_that_of_centrifugal_forces():
    chosen = {"even": "beta", "links": "z", "drive": "psi"}
    made = ts.formalisms.lagrangian(ts.load("even_governor"), eliminate=chosen)
    assert str(made.potential).count("Omega^2") == 1 and "Is" not in str(made.potential)


def test_a_lagrangian_that_is_not_quadratic_has_equations_but_no_hamiltonian_here():
    light = ts.formalisms.lagrangian(
        "-m*c²*sqrt(1 - x.²/c²) - m*w*x",
        ["x"],
        parameters={"m": 1.0, "c": 2.0, "w": 0.5},
        initial={"x.": 0.1},
    )
    run = ts.formalisms.integrate(light, 3.0, rtol=1e-12)
    momentum = run["x."] / np.sqrt(1 - run["x."] ** 2 / 4)
    np.testing.assert_allclose(momentum, momentum[0] - 0.5 * run.t, atol=1e-10)
    with pytest.raises(ts.ModelError, match="not quadratic in the speeds"):
        _ = light.hamiltonian


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"source": "x.^2"}, "has no coordinates"),
        ({"source": "x.^2 + zz", "parameters": {}}, '"zz" does not exist'),
        ({"source": "x.^2", "forces": {"y": 1}}, 'coordinate "y" does not exist'),
        ({"source": "x.^2", "constraints": {"c": "x.^2 - 1"}}, 'not linear in the speed "x."'),
        ({"source": "x^2"}, "no kinetic energy goes with x"),
    ],
)
def test_what_is_wrong_with_a_lagrangian_is_said(arguments, message):
    coordinates = () if message == "has no coordinates" else ["x"]
    with pytest.raises(ts.ModelError, match=message.replace(".", r"\.")):
        _ = ts.formalisms.lagrangian(coordinates=coordinates, **arguments).hamiltonian


def test_simulate_moves_mechanisms_and_equations_alike():
    """The same pendulum as a mechanism, a Lagrangian, a Hamiltonian and derived equations."""
    text = "½*m*l²*theta.² + m*g*l*cos(theta)"
    values, start = {"m": 1.3, "l": 0.4, "g": G}, {"theta": 0.8}
    typed = ts.formalisms.lagrangian(text, ["theta"], parameters=values)
    body = {"mass": "m", "centre": [0, "-l", 0]}
    pin = {"type": "pivot", "bodies": ["ground", "bob"], "axis": "z", "coordinate": "theta"}
    made = ts.load({"parameters": values, "gravity": [0, "-g", 0], "bodies": {"bob": body},
                    "joints": {"O": pin}})  # fmt: skip
    sources = (made, typed, typed.hamiltonian, ts.derive(made, "lagrange"))
    options = {"rate": 10.0, "initial": start, "parameters": {"l": 0.5}, "rtol": 1e-12}
    runs = [ts.simulate(x, 2.0, **options) for x in sources]
    for run in runs[1:]:
        np.testing.assert_allclose(run["theta"], runs[0]["theta"], atol=1e-9)
        assert run.names[0] == "theta"
    assert not np.allclose(
        runs[0]["theta"], ts.simulate(made, 2.0, rate=10.0, initial=start)["theta"]
    )
    with pytest.raises(ts.ModelError, match='method "radau"'):
        ts.simulate(typed, 1.0, method="radau")
    with pytest.raises(ts.ModelError, match='coordinates "absolute"'):
        ts.simulate(typed, 1.0, coordinates="absolute")
    with pytest.raises(ts.ModelError, match=r"\(Mechanism\)"):
        ts.formalisms.integrate(made, 1.0)


def test_integrate_says_which_parameter_or_entry_is_missing():
    made = ts.formalisms.lagrangian("½*m*x.²", ["x"])
    with pytest.raises(ts.ModelError, match="no value: m"):
        ts.formalisms.integrate(
            ts.formalisms.lagrangian("½*m*x.² - k*x", ["x"]), 1.0, parameters={"k": 1.0}
        )
    with pytest.raises(ts.ModelError, match='"y" does not exist'):
        ts.formalisms.integrate(made, 1.0, initial={"y": 1.0})
    with pytest.raises(ts.ModelError, match="must be positive"):
        ts.formalisms.integrate(made, -1.0)


def test_the_canonical_equations_of_a_loop_move_it_as_its_simulation_does():
    """The slider-crank: multipliers keep it closed, and are those of the simulation."""
    made = ts.load(Path(__file__).parents[1] / "models" / "slider_crank.yaml")
    run = ts.simulate(made, 0.3, rate=50.0, initial={"alpha": 0.5, "alpha.": 3.0}, rtol=1e-11)
    found = ts.formalisms.lagrangian(made)
    start = dict(zip(found.coordinates, run.q[0], strict=True))
    speeds = dict(zip(found.system.speeds, run.v[0], strict=True))
    p = evaluate(found.p, {**made.parameters, **start, **speeds})
    start |= dict(zip(found.hamiltonian.momenta, (float(x) for x in p), strict=True))
    canonical = ts.formalisms.integrate(
        found.hamiltonian, 0.3, rate=50.0, initial=start, rtol=1e-11
    )
    for name in found.coordinates:
        np.testing.assert_allclose(canonical[name], run[name], atol=1e-9)
    closing = found.constraints.owners[0]
    rows = canonical.flow.multipliers[closing]
    wanted = run.multiplier(closing)
    own = [k for k in range(wanted.shape[1]) if np.abs(wanted[:, k]).max() > 1e-9]
    assert len(rows) == len(own)
    np.testing.assert_allclose(canonical.multiplier(closing), wanted[:, own], atol=1e-6)


# --- other variables move the same way -----------------------------------------------------------


def test_quasi_velocities_move_a_pendulum_on_a_cart_as_its_speeds_do():
    phrase = ts.load("TX(x), RZ(q1), TYK(L1), RZ(q2), TYK(L2);", masses="lever")
    values = {name: 0.4 + 0.1 * k for k, name in enumerate(phrase.parameters)}
    start = {"x": 0.1, "q1": 0.5, "q2": -0.3}
    given = {"u0": "x.", "u1": "q1.*cos(q2) + x.", "u2": "q1. + q2."}
    kane = ts.derive(phrase, "kane", quasi_velocities=given)
    assert flow(kane).names == ("x", "q1", "q2", "u0", "u1", "u2")
    first = ts.formalisms.integrate(
        kane, 1.0, rate=10.0, initial=start, parameters=values, rtol=1e-12
    )
    model = ts.compile(phrase).with_parameters(**values)
    second = ts.simulate(model, 1.0, rate=10.0, initial=start, rtol=1e-12)
    for name in start:
        np.testing.assert_allclose(first[name], second[name], atol=1e-9)


# --- a motion starts with the speeds that are given, whatever stands in their places --------------


def test_canonical_equations_start_with_the_momenta_of_the_given_speeds():
    """p_θ = m a² θ̇, p_φ = m a² sin²θ φ̇: the spherical pendulum moves as by Lagrange."""
    made = spherical(theta=1.0, **{"theta.": -0.4, "phi.": 3.0})
    first = ts.simulate(made, 2.0, rate=10.0, rtol=1e-12)
    second = ts.simulate(made.hamiltonian, 2.0, rate=10.0, rtol=1e-12)
    unit = BOB["m"] * BOB["a"] ** 2
    assert second["p_theta"][0] == pytest.approx(-0.4 * unit)
    assert second["p_phi"][0] == pytest.approx(3.0 * unit * np.sin(1.0) ** 2)
    np.testing.assert_allclose(second["theta"], first["theta"], atol=1e-9)
    # speeds that are asked for count before those of the description, momenta before both
    asked = ts.simulate(made.hamiltonian, 0.1, initial={"phi.": 1.0})
    assert asked["p_phi"][0] == pytest.approx(unit * np.sin(1.0) ** 2)
    assert ts.simulate(made.hamiltonian, 0.1, initial={"p_phi": 0.2})["p_phi"][0] == 0.2


@pytest.mark.parametrize("start", [0.0, 0.7])
def test_momenta_at_the_start_hold_what_an_imposed_motion_carries_along(start):
    """x = A sin(Ω t) + l sin θ: p = m l² θ̇ + m l A Ω cos(Ω t) cos θ is not zero at rest."""
    values = {"m": 1.2, "l": 0.6, "A": 0.1, "Om": 5.0, "g": G}
    at = ["A*sin(Om*t) + l*sin(theta)", "-l*cos(theta)", 0]
    made = ts.formalisms.lagrangian(
        "0", ["theta"], gravity=[0, "-g", 0], parameters=values,
        bodies={"bob": {"mass": "m", "position": at}}, initial={"theta": 0.4},
    )  # fmt: skip
    options = {"rate": 20.0, "start": start, "rtol": 1e-12}
    first, second = (ts.simulate(x, 1.0, **options) for x in (made, made.hamiltonian))
    carried = 1.2 * 0.6 * 0.1 * 5.0 * np.cos(5.0 * start) * np.cos(0.4)
    assert second["p_theta"][0] == pytest.approx(carried)
    np.testing.assert_allclose(second["theta"], first["theta"], atol=1e-9)


def test_a_cyclic_coordinate_that_routh_leaves_out_starts_where_it_did():
    made = spherical(theta=1.0, phi=0.4, **{"phi.": 3.0})
    kept = {"p_phi": 3.0 * BOB["m"] * BOB["a"] ** 2 * np.sin(1.0) ** 2}
    first = ts.simulate(made, 1.0, rate=10.0, rtol=1e-12)
    second = ts.simulate(made.routhian(), 1.0, rate=10.0, parameters=kept, rtol=1e-12)
    np.testing.assert_allclose(second["phi"], first["phi"], atol=1e-9)


def two_bars(**more):
    body = {"mass": 1, "centre": [0.2, 0, 0], "inertia": [0, 0, 0.01]}
    pin = {"type": "pivot", "axis": "z"}
    return ts.load({
        "gravity": [0, -9.81, 0], "bodies": {"a": body, "b": body},
        "joints": {"A": pin | {"bodies": ["ground", "a"], "coordinate": "q1"},
                   "B": pin | {"bodies": ["a", "b"], "coordinate": "q2",
                               "point": [[0.4, 0, 0], [0, 0, 0]]}},
        "initial": {"q1": 0.3, "q2": 0.2, "q1.": 2.0, "q2.": -1.5}, **more,
    })  # fmt: skip


def test_quasi_velocities_start_from_the_given_speeds():
    made = two_bars()
    given = {"u1": "q1.*cos(q2)", "u2": "q1. + q2."}
    run = ts.simulate(ts.derive(made, "kane", quasi_velocities=given), 0.8, rate=10.0, rtol=1e-12)
    assert [run["u1"][0], run["u2"][0]] == pytest.approx([2.0 * np.cos(0.2), 0.5])
    np.testing.assert_allclose(
        run["q1"], ts.simulate(made, 0.8, rate=10.0, rtol=1e-12)["q1"], atol=1e-9
    )


def test_a_motion_ends_where_quasi_velocities_do_not_determine_the_speeds():
    made = two_bars()
    given = {"u1": "q1.*cos(q2)", "u2": "q1. + q2."}
    exact = ts.simulate(made, 1.0, rate=1000.0, rtol=1e-12)
    t = exact.t[np.flatnonzero(np.diff(np.sign(np.cos(exact["q2"]))))[0]]
    with pytest.raises(ts.SolveError, match=r"no longer determine q1\., q2\.") as refused:
        ts.simulate(ts.derive(made, "kane", quasi_velocities=given), 1.0, rtol=1e-12)
    assert float(refused.value.place.split()[2]) == pytest.approx(t, abs=1e-3)


@pytest.mark.parametrize("formalism", ["newton-euler", "lagrange"])
def test_equations_in_chosen_coordinates_start_where_their_joints_do(formalism):
    made = two_bars(coordinates={"psi": "q1 + q2"})
    run = ts.simulate(ts.derive(made, formalism), 1.0, rate=10.0, rtol=1e-12)
    assert [run["psi"][0], run["psi."][0]] == pytest.approx([0.5, 0.5])
    whole = ts.simulate(made, 1.0, rate=10.0, rtol=1e-12)
    np.testing.assert_allclose(run["psi"], whole["psi"], atol=1e-9)


def test_speeds_and_what_stands_in_their_places_are_not_both_given():
    made = spherical(theta=1.0).hamiltonian
    with pytest.raises(ts.ModelError, match=r'"phi\." and "p_theta" are both given'):
        ts.simulate(made, 0.1, initial={"phi.": 1.0, "p_theta": 0.1})
    kane = ts.derive(two_bars(), "kane", quasi_velocities={"u1": "q1.*sin(q2)", "u2": "q2."})
    with pytest.raises(ts.SolveError, match=r"u1, u2 do not follow from q1\. = 2, q2\. = -1\.5"):
        ts.simulate(kane, 0.1, initial={"q2": 0.0})


def test_equations_tell_which_given_values_their_constraints_moved():
    """As a mechanism does; of a Hamiltonian, the speeds that were given."""
    made = ts.formalisms.lagrangian(
        "½*m*(x.² + y.²)", ["x", "y"], parameters={"m": 1.0},
        constraints=["x^2 + y^2 - 1"], initial={"x": 1.5, "x.": 0.5, "y.": 2.0},
    )  # fmt: skip
    for source in (made, made.hamiltonian):
        run = ts.simulate(source, 0.1)
        assert [run["x"][0], run["y"][0]] == pytest.approx([1, 0])
        assert len(run.notices) == 1
        assert run.notices[0].endswith("and laws; moved: x from 1.5 to 1, x. from 0.5 to 0.")
    fitting = ts.simulate(made, 0.1, initial={"x": 1.0, "x.": 0.0})
    assert fitting.notices == ()


def test_the_flow_of_the_canonical_equations_has_no_divergence():
    """Liouville: Σ ∂q̇/∂q + ∂ṗ/∂p = 0."""
    made = flow(double().hamiltonian)
    values = ARMS | {"phi": 0.4, "psi": -0.8, "p_phi": 0.05, "p_psi": -0.02}
    numbers = np.asarray(evaluate(jacobian(made.rates, made.state), values), dtype=float)
    assert np.trace(numbers) == pytest.approx(0, abs=1e-10 * np.abs(numbers).max())
