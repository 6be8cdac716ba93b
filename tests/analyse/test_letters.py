"""Answers in letters: the closed forms of the sources, at random parameters."""

from math import acos, cos, pi, sin, sqrt, tan

import numpy as np
import pytest

import torseur as ts
from torseur.algebra.core.expr import expression
from torseur.algebra.core.graph import evaluate, free_symbols, substitute


def same(formula, closed, names):
    """Whether a formula has the values of a closed form at 20 random sets of positive letters."""
    rng = np.random.default_rng(1980)
    for _ in range(20):
        drawn = {name: float(rng.uniform(0.5, 2.0)) for name in names}
        letters = {x.name for x in free_symbols([formula])}
        assert letters <= drawn.keys(), sorted(letters - drawn.keys())
        value = float(evaluate(formula, drawn))
        assert value == pytest.approx(closed(**drawn), rel=1e-12, abs=1e-12)


def equilibria(model, **options):
    result = ts.equilibria(model, letters=True, **options)
    assert len(result)
    return result


def branch(result, **places):
    """The branch at coordinates that are numbers, or the one with a formula of that name."""
    chosen = [x for x in result if x.is_at(places)]
    assert len(chosen) == 1, [str(x) for x in result]
    return chosen[0]


GOVERNOR = ("m", "ms", "l", "a", "g", "Omega")


def governor_open(m, ms, l, a, g, Omega, **_):
    c = (m * l + ms * a) * g / (m * l**2 * Omega**2)
    return {"alpha1": acos(c) if abs(c) < 1 else None}


def test_governor_opens_at_a_critical_speed_and_swings_about_the_open_position():
    """Plaut, exercise 4.5: cos α, Ω_c and both pulsations, in its own letters."""
    result = equilibria("ball_governor")
    even = equilibria("even_governor")
    same(
        result.formula("cos(alpha1)"),
        lambda m, ms, l, a, g, Omega: (m * l + ms * a) * g / (m * l**2 * Omega**2),
        GOVERNOR,
    )
    opened = next(x for x in result if "cos(alpha1)" in x.formulas)
    assert opened.verdict == "stable"
    assert str(opened.exists[0].left) == "Omega^2"
    same(
        opened.exists[0].right,
        lambda m, ms, l, a, g, Omega: (m * l + ms * a) * g / (m * l**2),
        GOVERNOR,
    )

    def swings(m, ms, l, a, g, Omega, alpha1):
        s = sin(alpha1)
        return m * l**2 * Omega**2 * s**2 / (m * l**2 + 2 * ms * a**2 * s**2)

    rng = np.random.default_rng(7)
    for _ in range(20):
        drawn = {name: float(rng.uniform(0.5, 2.0)) for name in GOVERNOR}
        drawn["Omega"] += sqrt((drawn["m"] * drawn["l"] + drawn["ms"] * drawn["a"]) * drawn["g"]
                               / (drawn["m"] * drawn["l"] ** 2))  # fmt: skip
        drawn |= governor_open(**drawn)
        value = float(evaluate(opened.formula("omega^2"), drawn))
        assert value == pytest.approx(swings(**drawn), rel=1e-12)
    at_rest = branch(even, alpha=0)
    same(
        at_rest.formula("omega^2"),
        lambda m, ms, l, a, g, Omega: (m * l + ms * a) * g / (m * l**2) - Omega**2,
        GOVERNOR,
    )
    (critical,) = ts.stability.critical("even_governor", "Omega", at={"alpha": 0}).values
    same(
        critical.formula,
        lambda m, ms, l, a, g, Omega: sqrt((m * l + ms * a) * g / (m * l**2)),
        GOVERNOR,
    )


def test_bars_buckle_at_the_loads_of_the_source():
    """Plaut, exercises 4.3 and 4.4: F_c = 2C/l, F = 2Cθ/(l sin θ); C/l and 3C/l."""
    two = equilibria("buckling_two_bars")
    same(
        two.formula("F"), lambda C, l, theta: 2 * C * theta / (l * sin(theta)), ("C", "l", "theta")
    )
    straight = branch(two, theta=0)
    same(straight.formula("omega^2"), lambda C, F, l, m: 2 * (2 * C - F * l) / (m * l**2), "CFlm")
    (load,) = ts.stability.critical("buckling_two_bars", "F").formulas
    same(load, lambda C, l: 2 * C / l, "Cl")
    first, second = ts.stability.critical("buckling_three_bars", "F", at={"theta": 0}).formulas
    same(first, lambda C, l: C / l, "Cl")
    same(second, lambda C, l: 3 * C / l, "Cl")
    three = branch(equilibria("buckling_three_bars"), theta=0)
    same(three.formula("omega1^2"), lambda C, F, l, m: (C - F * l) / (m * l**2), "CFlm")
    same(three.formula("omega2^2"), lambda C, F, l, m: 3 * (3 * C - F * l) / (m * l**2), "CFlm")


def test_absorber_has_the_length_and_both_pulsations_of_the_source():
    """Guérin, exam, problem II: λ_e, ω_λ², ω_θ²."""
    names = ("m1", "m2", "l1", "a", "l0", "k", "g", "C1", "C2")
    hanging = branch(equilibria("vibration_absorber"), theta=0)
    same(hanging.formula("lam"), lambda l0, m2, g, k, **_: l0 + m2 * g / k, names)
    same(hanging.formula("omega1^2"), lambda k, m2, **_: k / m2, names)

    def nods(m1, m2, l1, a, l0, k, g, C1, C2):
        length = a + l0 + m2 * g / k
        return (m1 * l1 + m2 * length) * g / (C1 + C2 + m2 * length**2)

    length = {x.left: x.right for x in hanging.relations if x.name == "lam"}  # it is kept as λ
    same(expression(substitute(hanging.formula("omega2^2"), length)), nods, names)


def test_mass_on_a_driven_arm_rests_where_the_spring_balances_it():
    """Guérin, exam of 2 April 2009: λ_e = (k l0 + m ω² a)/(k − m ω²), stable if k > m ω²."""
    names = ("k", "l0", "m", "omega", "a")
    (rest,) = equilibria("turning_arm")
    same(
        rest.formula("lam"),
        lambda k, l0, m, omega, a: (k * l0 + m * omega**2 * a) / (k - m * omega**2),
        names,
    )
    same(rest.formula("omega^2"), lambda k, m, omega, **_: k / m - omega**2, names)
    assert [x.text() for x in rest.stable] == ["omega^2 < k/m"]


def test_pendulums_have_the_pulsations_of_the_sources():
    """Elliptic, compound, conical and double pendulums, and the half disc."""
    elliptic = branch(equilibria("elliptic_pendulum"), theta=0)
    same(elliptic.formula("omega^2"), lambda g, a, m1, m2: g / a * (1 + m2 / m1),
         ("g", "a", "m1", "m2"))  # fmt: skip
    compound = branch(equilibria("compound_pendulum"), theta=0)
    same(compound.formula("omega^2"), lambda m, g, a, C: m * g * a / C, "mgaC")
    conical = equilibria("spherical_pendulum", turning=["phi"])
    same(conical.formula("cos(theta)"), lambda g, a, **x: g / (a * x["phi."] ** 2),
         ("g", "a", "phi."))  # fmt: skip
    disc = branch(equilibria("half_disc"), phi=0)
    same(disc.formula("omega^2"), lambda g, a: 8 * g / (a * (9 * pi - 16)), "ga")


def test_double_pendulum_has_the_biquadratic_of_the_source():
    """Plaut, exercise 4.1: m a b ω⁴ − (m + M) g (a + b) ω² + (m + M) g² = 0."""
    hanging = branch(equilibria("double_pendulum_points"), phi=0, turn=0)
    names = ("m", "M", "a", "b", "g")
    closed = (
        lambda m, M, a, b, g: (m + M) * g**2,
        lambda m, M, a, b, g: -(m + M) * g * (a + b),
        lambda m, M, a, b, g: m * a * b,
    )
    for formula, coefficient in zip(hanging.characteristic, closed, strict=True):
        same(formula, coefficient, names)
    assert hanging.verdict == "stable"


def test_satellite_on_a_circle_has_keplers_period_and_librates():
    """Plaut, exercise 4.7: θ̇² = k (r² + 3a²)/r⁵, and √3 Ω for a small satellite."""
    result = equilibria("dumbbell_satellite", turning=["theta"], given=["r"])
    along = branch(result, psi=0)
    same(along.formula("theta."), lambda k, a, r: k * (r**2 + 3 * a**2) / r**5, "kar")
    drawn = {"k": 1.3, "r": 1.7, "a": 1e-5}
    coefficients = [float(evaluate(x, drawn)) for x in along.characteristic]
    squares = np.sort(np.roots(coefficients[::-1]).real) / (drawn["k"] / drawn["r"] ** 3)
    assert squares == pytest.approx([1, 3], rel=1e-6)


def test_engine_rests_at_its_dead_centres():
    """Plaut, exercise 4.2: ω² = m_p g a (b − a)/(b I_v) at the bottom, with no load."""
    result = equilibria("single_cylinder_engine", parameters={"F": 0, "Gamma": 0})
    names = ("mp", "g", "a", "b", "Iv")
    values = [
        float(evaluate(x.formula("omega^2"), dict(mp=1.1, g=9.0, a=0.3, b=0.9, Iv=0.2, x=1.2)))
        for x in result
    ]
    bottom = 1.1 * 9 * 0.3 * 0.6 / (0.9 * 0.2)
    assert any(value == pytest.approx(bottom) for value in values), (names, values)


def test_fly_weight_of_the_governor_balances_its_spring():
    """Guérin, TD 2, θ = π/2: M b (a + b cos β) ω² = k c (c cos β − λ0), or sin β = 0."""
    result = equilibria("speed_governor", turning=["alpha"], given={"theta": "pi/2", "lam0": 0})
    same(
        result.formula("cos(beta)"),
        lambda M, a, b, c, k, **x: (
            M * a * b * x["alpha."] ** 2 / (k * c**2 - M * b**2 * x["alpha."] ** 2)
        ),
        ("M", "a", "b", "c", "k", "alpha."),
    )
    closed = branch(result, beta=0)
    assert [x.name for x in closed.required] == ["Cm"]


def test_front_wheel_lifts_at_the_couple_of_the_source():
    """Guérin, exam, problem I: Ẍ*, Γ*, T* and N* of the wheelie."""
    names = ("M", "m2", "m3", "a", "b", "c", "R", "C2", "g")
    lift = ts.stability.threshold(
        "motorcycle", "psi.. = 0", parameter="Gamma", at={"psi": 0, "psi.": 0}
    )

    def acceleration(M, m2, m3, a, b, c, R, C2, g):
        return g * (M * a + m3 * (a + b)) / (R * (M + m2 + m3 + C2 / R**2) + M * c)

    same(lift.formula("X.."), acceleration, names)
    same(
        lift.formula(),
        lambda R, M, m2, m3, C2, **x: (
            R * (M + m2 + m3 + C2 / R**2) * acceleration(R=R, M=M, m2=m2, m3=m3, C2=C2, **x)
        ),
        names,
    )
    same(
        lift.formula("T_road"),
        lambda M, m2, m3, **x: (M + m2 + m3) * acceleration(M=M, m2=m2, m3=m3, **x),
        names,
    )
    same(lift.formula("N_road"), lambda M, m2, m3, g, **_: (M + m2 + m3) * g, names)


def test_slip_of_a_thrown_cylinder_ends_at_t_star():
    """Llibre, §2.2.10: t* = v_s0/[g (sin α + 3 f cos α)], and |tan α| < 3 f to stick."""
    end = ts.stability.end_of_slip("cylinder_sliding", "road")
    names = ("g", "f", "alpha", "x.", "r")

    def instant(g, f, alpha, **x):
        return x["x."] / (g * (sin(alpha) + 3 * f * cos(alpha)))

    same(end.formula("t_star"), instant, names)
    same(
        end.formula("x_star."),
        lambda g, f, alpha, r, **x: (
            x["x."] - g * (sin(alpha) + f * cos(alpha)) * instant(g, f, alpha, **x)
        ),
        names,
    )
    run = ts.simulate("cylinder_sliding", 0.3)
    first = next(x.t for x in run.events if "stick" in str(x))
    known = dict(g=9.81, f=0.3, alpha=pi / 9, r=0.15) | {"x.": 2.0}
    assert float(evaluate(end.formula("t_star"), known)) == pytest.approx(first, abs=1e-9)


def test_rolling_needs_the_friction_of_the_source():
    """Llibre: T/N = tan α/3 while a cylinder rolls; driven, Ẍ and T follow from the couple."""
    rolls = ts.stability.at_state("cylinder_contact")
    same(rolls.formula("T_road") / rolls.formula("N_road"), lambda alpha, **_: tan(alpha) / 3,
         ("alpha", "m", "g"))  # fmt: skip
    driven = ts.stability.at_state("driven_cylinder")
    same(
        driven.formula("x.."),
        lambda R, Gamma, m, g, alpha, C: R * (Gamma - R * m * g * sin(alpha)) / (C + m * R**2),
        ("R", "Gamma", "m", "g", "alpha", "C"),
    )


def test_small_motions_in_letters_have_the_matrices_of_the_source():
    """Guérin, TD 4: M = [[m1 + m2, m2 l], [m2 l, m2 l²]], K = diag(k, m2 g l), D = diag(b, 0)."""
    linear = ts.linearise("cart_pendulum", letters=True)
    values = {"m1": 2.0, "m2": 0.7, "l": 0.4, "k": 30.0, "b": 1.5, "g": 9.81}

    def numbers(matrix):
        return np.array([[float(evaluate(x, values)) for x in row] for row in matrix])

    order = [linear.coordinates.index(x) for x in ("x", "theta")]
    M, D, K = (numbers(A)[np.ix_(order, order)] for A in (linear.M, linear.D, linear.K))
    ml = 0.7 * 0.4
    assert pytest.approx(M) == np.array([[2.7, ml], [ml, ml * 0.4]])
    assert pytest.approx(D) == np.diag([1.5, 0])
    assert pytest.approx(K) == np.diag([30, ml * 9.81])


def test_damped_oscillator_has_its_damping_ratio():
    """ζ = b/(2 √(k m)) of one damped freedom."""
    model = ts.load(
        {
            "torseur": 1,
            "parameters": {"m": 2.0, "b": 1.0, "k": 30.0},
            "gravity": [0, 0, 0],
            "bodies": {"block": {"mass": "m"}},
            "joints": {
                "slide": {
                    "type": "prismatic",
                    "bodies": ["ground", "block"],
                    "axis": "x",
                    "coordinate": "x",
                }
            },
            "forces": {
                "spring": {"type": "joint", "joint": "slide", "value": "-k*x - b*x."},
            },
        }
    )
    linear = ts.linearise(model, letters=True)
    same(linear.formula("zeta"), lambda m, b, k: b / (2 * sqrt(k * m)), "mbk")


@pytest.mark.parametrize(
    "name", ["even_governor", "elliptic_pendulum", "turning_arm", "double_pendulum"]
)
def test_every_numerical_equilibrium_is_a_branch_in_letters(name):
    """The numerical search finds nothing that letters do not have."""
    model = ts.load(name)
    letters = equilibria(model)
    table = {k: float(x) for k, x in ts.compile(letters_mechanism(model)).parameters.items()}
    for state in ts.equilibria(model):
        places = state.coordinates
        matches = [x for x in letters if holds(x, places, table)]
        assert matches, (places, str(letters))


def letters_mechanism(model):
    from torseur.model.values.named_numbers import named_numbers

    return named_numbers(model)


def holds(one, places, table):
    """Whether the relations of a branch hold at numerical coordinates."""
    values = {**table, **places}
    return all(
        abs(np.sin((float(evaluate(x.left, values)) - float(evaluate(x.right, values))) / 2)) < 1e-6
        for x in one.relations
    )


def test_what_has_no_closed_form_says_so():
    with pytest.raises(ts.SolveError, match="no closed form"):
        ts.equilibria("delta_robot", letters=True)
    with pytest.raises(ts.ModelError, match="answers in letters"):
        ts.equilibria("double_pendulum", turning=["theta1"])
    with pytest.raises(ts.ModelError, match="numerical search"):
        ts.equilibria("double_pendulum", letters=True, starts=3)
    with pytest.raises(ts.ModelError, match="no equation"):
        ts.stability.threshold("motorcycle", "N_road", parameter="Gamma")
