"""Derivations told step by step: every formula is the right one, in every language and notation."""

import re
from functools import cache
from importlib.resources import files

import numpy as np
import pytest
from click.testing import CliRunner

import torseur as ts
from torseur.algebra.core.expr import expression
from torseur.algebra.core.graph import evaluate, expressions, free_symbols
from torseur.algebra.forms.normal_form import vanishes
from torseur.algebra.forms.readable import readable
from torseur.cli.main import commands
from torseur.dynamics.tree.quantities import kinetic_energy
from torseur.equations.actions.efforts import Efforts
from torseur.equations.formalisms.derive import derived
from torseur.equations.motion.parametrisation import unchanged
from torseur.equations.symbols.system import system
from torseur.model.values.named_numbers import named_gravity, with_short_loops
from torseur.simulation.constraints.multipliers import RESOLUTIONS
from torseur.teach.derivation.by_lagrange import of_mechanism
from torseur.teach.derivation.step_formulas import TorseurFormula
from torseur.teach.tell import FORMALISMS

SECOND_ORDER = tuple(name for name in FORMALISMS if name != "hamilton")
CASES = {
    "double_pendulum_points": SECOND_ORDER,
    "rotating_arm": SECOND_ORDER,
    "driven_cylinder": ("lagrange", "virtual-power", "kane"),
    "pendulum_three_parameters": ("newton-euler", "lagrange"),
    "heavy_top": ("newton-euler", "lagrange", "kane", "gibbs-appell"),
    "spherical_pendulum": ("newton-euler",),
    "free_body": ("newton-euler", "lagrange", "virtual-power"),
    "slider_crank": ("newton-euler",),
}


@cache
def example(name):
    return ts.load(str(files("torseur.examples") / f"{name}.yaml"))


def at_random(outputs, mechanism, seed=0):
    """Expressions at random values, with unit quaternions and the given parameters."""
    rng = np.random.default_rng(seed)
    symbols = free_symbols(outputs)
    values = {x.name: float(rng.uniform(0.3, 1.2)) for x in symbols}
    values |= {n: x for n, x in mechanism.parameters.items() if x is not None}
    quaternion = [name for name in values if re.search(r"_q[wxyz]$", name)]
    size = np.sqrt(sum(values[n] ** 2 for n in quaternion))
    return values | {n: values[n] / size for n in quaternion}


# --- the equations that come out ----------------------------------------------------------------


@pytest.mark.sampled(12)
@pytest.mark.parametrize(
    ("name", "formalism"), [(n, f) for n, formalisms in CASES.items() for f in formalisms]
)
def test_the_equations_that_are_told_are_those_of_the_model(name, formalism):
    mechanism = example(name)
    told = ts.tell(mechanism, formalism)
    made = system(named_gravity(with_short_loops(mechanism)))
    right = derived(made, "newton-euler")
    reactions = np.zeros(len(made.v))
    if len(right.J):
        reactions = right.J.T @ np.array(Efforts(made).multipliers, dtype=object)
    rows = expressions(right.inverse_dynamics - right.Q - reactions)
    assert len(told.equations) == len(rows)
    for row, equation in zip(rows, told.equations.values(), strict=True):
        given = equation.left - equation.right
        values = at_random([row, given], made.mechanism)
        a, b = (float(evaluate(x, values)) for x in (row, given))
        assert a == pytest.approx(b, rel=1e-11, abs=1e-11)


@pytest.mark.parametrize("name", ["double_pendulum", "elliptic_pendulum", "heavy_top"])
def test_the_energies_of_the_bodies_add_up_and_are_half_the_comoment_of_their_torseurs(name):
    told = ts.tell(example(name), "lagrange")
    parts = {x.symbol.text: x.value for x in told.step("kinetic energy").formulas}
    own = [x for label, x in parts.items() if label != "T"]
    if len(own) > 1:
        assert vanishes(sum(own[1:], own[0]) - parts["T"])
    for label, T in parts.items():
        if label != "T":
            body = re.fullmatch(r"T\((\w+)/0\)", label)[1]
            whole = ts.torseurs.body_torseurs(named_gravity(example(name)), body).kinetic_energy
            assert vanishes(expression(whole) - T)


@pytest.mark.parametrize(
    "given",
    [
        ts.formalisms.lagrangian("m*x.^2/2 - k*x^2/2", ["x"], rayleigh="b*x.^2/2"),
        ts.formalisms.lagrangian("m*(r.^2 + r^2*theta.^2)/2 + G/r", ["r", "theta"]),
        ts.formalisms.lagrangian(
            "m*(x.^2 + y.^2)/2 - m*g*y", ["x", "y"], constraints=["x^2 + y^2 - l^2"]
        ),
    ],
)
def test_a_lagrangian_is_told_and_its_equations_are_those_it_has(given):
    for lang in ("en", "fr"):
        told = ts.tell(given, lang=lang)
        assert [step.name for step in told.steps] == ["lagrangian", "derivatives", "equations"]
        assert told.text() and told.markdown() and told.latex() and told.document
        for name, equation in told.equations.items():
            text = f"{equation.left} = {equation.right}"
            assert ts.check_answer(given, text, of=name).verdict == "equal"
    with pytest.raises(ts.ModelError, match="cannot start from a Lagrangian"):
        ts.tell(given, "newton-euler")
    with pytest.raises(ts.ModelError, match=r'the argument "\w+" is 3 \(int\)'):
        ts.tell(3)


def test_every_derivation_has_its_steps_in_order():
    pendulum = example("compound_pendulum")
    names = {f: [step.name for step in ts.tell(pendulum, f).steps] for f in FORMALISMS}
    assert names["lagrange"] == [
        "parametrisation", "kinematics", "kinetic energy", "virtual twists", "forces",
        "derivatives", "equations", "result", "checks",
    ]  # fmt: skip
    assert names["newton-euler"][2:7] == ["kinetics", "dynamics", "actions", "transport", "bodies"]
    assert "virtual powers" in names["virtual-power"]
    assert "partial velocities" in names["kane"]
    assert names["gibbs-appell"][3] == "acceleration energy"
    assert names["hamilton"][-5:-2] == ["momenta", "legendre", "equations"]
    with pytest.raises(ts.ModelError, match='step "energy" does not exist'):
        ts.tell(pendulum).step("energy")


# --- the problems of the sources ----------------------------------------------------------------


def test_the_pendulum_by_the_fundamental_principle_with_its_reactions():
    """G-PenN: C θ'' = −m g a sin θ, X01 = −m [a (θ'' sin θ + θ'² cos θ) + g], and Y01."""
    told = ts.tell(example("compound_pendulum"), "newton-euler", "fr")
    assert "theta : C*theta.. = -m*g*a*sin(theta)" in told.text()
    found = {x.symbol.text: x.value for x in told.step("reactions").formulas}
    m, a, g, th, w, dw = 1.8, 0.35, 9.81, 0.7, 1.3, -0.4
    at = {"m": m, "a": a, "g": g, "theta": th, "theta.": w, "theta..": dw}
    X, Y = (float(evaluate(found[f"{x}_O"], at)) for x in "XY")  # along the axes of the solid
    c, s = np.cos(th), np.sin(th)
    assert c * X - s * Y == pytest.approx(-m * (a * (dw * s + w**2 * c) + g))
    assert s * X + c * Y == pytest.approx(m * a * (dw * c - w**2 * s))
    (row,) = (x for x in told.text().splitlines() if "O : liaison pivot" in x and "R(" in x)
    assert "R(0->solid) = (X_O, Y_O, Z_O) [solid]" in row
    assert "M_O(0->solid) = (L_O, M_O, 0) [solid]" in row


def test_the_pendulum_by_virtual_power():
    """G-PenP with erratum E2-2: {z; 0} at O gives C θ'' = −m g a sin θ."""
    told = ts.tell(example("compound_pendulum"), "virtual-power")
    assert "P*_a(theta) = C*theta.." in told.text()
    assert "P*_e(theta) = -m*g*a*sin(theta)" in told.text()


def test_the_cylinder_rolled_up_a_slope():
    """G-Cyl by Lagrange with two parameters, erratum E2-4: C θ'' = Γ − R T."""
    told = ts.tell(example("driven_cylinder"), "lagrange", "fr")
    written = told.text()
    assert (
        "{V*_x(cylinder)} = {∂Ω/∂x. = (0, 0, 0); ∂V(G)/∂x. = (1, 0, 0)} en G(cylinder)" in written
    )
    assert "∂Ω/∂theta. = (0, 0, -1); ∂V(G)/∂theta. = (0, 0, 0)" in written
    normal, tangent = [x.name for x in Efforts(system(example("driven_cylinder"))).multipliers]
    assert f"x : m*x.. = {tangent} - m*g*sin(alpha)" in written
    assert f"y : m*y.. = {normal} - m*g*cos(alpha)" in written
    assert f"theta : C*theta.. = Gamma - R*{tangent}" in written
    assert "theta : (C + m*R^2)*theta.. = Gamma - m*g*R*sin(alpha)" in written
    assert "s'intègrent" in next(x.text for x in told.hypotheses if x.code == "H2")


def test_the_virtual_twists_of_the_exam():
    """G-Ex0 with erratum E2-11: {V*_θ} = {z; (a + λ) y1}, {V*_λ} = {0; x1}."""
    told = ts.tell(example("rotating_arm"), "lagrange")
    written = told.text()
    assert (
        "{V*_theta(slider)} = {∂Ω/∂theta. = (0, 0, 1); ∂V(G)/∂theta. = (0, a + lam, 0)" in written
    )
    assert "{V*_lam(slider)} = {∂Ω/∂lam. = (0, 0, 0); ∂V(G)/∂lam. = (1, 0, 0) [slider]}" in written
    assert "Q_theta(motor) = Cm" in written
    assert not next(x for x in told.hypotheses if x.code == "H3").holds


def test_the_exam_by_the_energy_of_accelerations():
    """G-Ex0: 2 S = (C1 + B2) θ''² + m γ_A², whose slopes have the 2 of Coriolis (E2-7)."""
    told = ts.tell(example("rotating_arm"), "gibbs-appell")
    assert "∂S/∂lam.. = m*(lam.. - (a + lam)*theta.^2)" in told.text()
    found = {x.symbol.text: x.value for x in told.step("acceleration energy").formulas}
    C1, B2, m, a, lam, u, w, du, dw = 0.3, 0.1, 0.8, 0.2, 0.4, 0.7, 1.3, -0.5, 0.9
    at = {"C1": C1, "B2": B2, "m": m, "a": a, "lam": lam, "lam.": u, "theta.": w}
    at |= {"lam..": du, "theta..": dw, "E": 0.05}
    far = a + lam
    twice = (C1 + B2) * dw**2 + m * ((du - far * w**2) ** 2 + (far * dw + 2 * u * w) ** 2)
    still = m * ((far * w**2) ** 2 + (2 * u * w) ** 2)  # what has no acceleration is left out
    assert float(evaluate(found["S"], at)) == pytest.approx((twice - still) / 2)


def test_the_spherical_pendulum_by_hamilton():
    """P-Ex5.1: H, p_phi constant, and the rate of p_theta."""
    told = ts.tell(example("spherical_pendulum"), "hamilton", "fr")
    written = told.text()
    assert "p_phi = m*a^2*phi.*sin(theta)^2" in written
    assert "Constants, car H ne dépend pas de leurs paramètres : p_phi." in written
    assert (
        "p_theta : p_theta. = p_phi^2*cos(theta)/(m*a^2*sin(theta)^3) - m*g*a*sin(theta)" in written
    )
    assert told.step("equations").hypotheses == ("H0", "H1", "H2")
    with pytest.raises(ts.ModelError, match="holds speeds but not positions"):
        ts.tell(example("vertical_disc"), "hamilton")


def test_canonical_equations_that_are_told_are_those_that_move():
    m = named_gravity(example("cart_pendulum"))  # a damper: p_x loses what it takes
    told = ts.tell(m, "hamilton").equations
    made = ts.formalisms.lagrangian(m).hamiltonian
    right = [*made.coordinate_rates, *made.momentum_rates]
    values = at_random(right, m)
    for x, equation in zip(right, told.values(), strict=True):
        given = float(evaluate(equation.right, values))
        assert given == pytest.approx(float(evaluate(x, values)), rel=1e-11)


def test_the_elliptic_pendulum_by_kane():
    """L-EllK: the inertia forces have no spurious 2 m2 a w1 w2 sin θ."""
    told = ts.tell(example("elliptic_pendulum"), "kane")
    found = {x.symbol.text: x.value for x in told.step("kane forces").formulas}
    at = {"a": 0.5, "m1": 1.0, "m2": 0.6, "theta": 0.8, "theta.": 1.2, "theta..": 0.3,
          "y.": 0.7, "y..": -0.2, "g": 9.81}  # fmt: skip
    a, m1, m2, c, s = 0.5, 1.0, 0.6, np.cos(0.8), np.sin(0.8)
    expected = {
        "F_y": 0.0,
        "F_theta": -m2 * 9.81 * a * s,
        "F*_y": -(m1 + m2) * -0.2 - m2 * a * (0.3 * c - 1.2**2 * s),
        "F*_theta": -m2 * a * (-0.2 * c + a * 0.3),
    }
    for name, value in expected.items():
        assert float(evaluate(found[name], at)) == pytest.approx(value, abs=1e-14)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("vertical_disc", {"theta": "1/4*a^2*m*theta..", "phi": "3/2*a^2*m*phi.."}),  # P-Ex3.1
        ("pendulum_three_parameters", {"theta": "theta..*(I + L^2*m)"}),  # G-PenL
        ("driven_cylinder", {"theta": "theta..*(C + R^2*m)"}),  # G-Cyl, erratum E2-3
    ],
)
def test_with_constraints_the_reactions_are_eliminated_in_the_simplest_coordinates(name, expected):
    told = ts.tell(example(name), "virtual-power")
    found = {x.name: str(x.left) for x in told.step("elimination").formulas if hasattr(x, "left")}
    assert found == expected


def test_eliminated_speeds_stand_over_one_denominator():
    """The relations of a planetary reducer, as they are read on a blackboard."""
    told = ts.tell(example("planetary_reducer")).step("elimination").formulas
    found = {x.symbol.text: str(x.value) for x in told if hasattr(x, "value")}
    assert found["theta1."] == "2*theta2.*(a + b)/a"
    assert found["spin1."] == "-theta2.*(a + 2*b)/b"


def test_eliminated_equations_hold_in_the_motion():
    """G-TD2: with the accelerations that multipliers give, both sides are equal."""
    m = example("speed_governor")
    p, beta, rate = m.parameters, 0.4, -0.7
    q = {"alpha": 0.2, "beta": beta, "lam": p["c"] * np.sin(p["theta"] + beta)}
    v = {"alpha.": 5.0, "beta.": rate, "lam.": p["c"] * np.cos(p["theta"] + beta) * rate}
    found = ts.derive(m)
    at = found.evaluate(q, v)
    a, _ = RESOLUTIONS["direct"](at.M, at.Q - at.h - at.g, at.J, at.gamma)
    values = {**p, **q, **v} | {f"{n}.": x for n, x in zip(found.speeds, a, strict=True)}
    rows = [x for x in ts.tell(m).step("elimination").formulas if hasattr(x, "left")]
    assert [x.name for x in rows] == ["alpha", "beta"]
    for x in rows:
        left, right = (float(evaluate(y, values)) for y in (x.left, x.right))
        assert left == pytest.approx(right, rel=1e-10)


@pytest.mark.parametrize("name", ["slider_crank", "planetary_reducer", "rolling_disc"])
def test_eliminated_formulas_are_those_of_the_compiled_model(name):
    """Speeds that follow, and both sides with the accelerations of machine code, seeded states."""
    model, rng = ts.compile(with_short_loops(example(name))), np.random.default_rng(7)
    names, given = model.coordinates, {"g": 9.81, **model.parameters}
    whole = ts.tell(example(name))
    told = whole.step("elimination").formulas
    for step in whole.steps:
        for x in step.formulas if step.name == "mass geometry" else ():
            given[x.symbol.text] = float(evaluate(x.value, given))
    free = [x.name for x in told if hasattr(x, "left")]
    for _ in range(3):
        wanted = {n: float(rng.uniform(0.2, 0.8)) for n in free}
        wanted |= {f"{n}.": float(rng.uniform(-2, 2)) for n in free}
        run = ts.simulate(model, at=[0.0, 1e-3], initial=wanted)
        values = given | {n: float(run[n][0]) for q in names for n in (q, f"{q}.", f"{q}..")}
        for x in told:
            name, *ratio = x.symbol.text.split(" = ") if hasattr(x, "symbol") else ("",)
            if hasattr(x, "left"):
                left, right = (float(evaluate(y, values)) for y in (x.left, x.right))
            elif name in values and not ratio:
                left, right = values[name], float(evaluate(x.value, values))
            else:  # a letter of the derivation: a ratio of speeds, its slope, f or g
                left = right = values[name] = float(evaluate(x.value, values))
                if ratio and "/" in ratio[0] and name.startswith("k_"):
                    above, below = ratio[0].split("/")
                    left = values[above] / values[below]
            assert left == pytest.approx(right, rel=1e-9, abs=1e-9)


def test_loops_are_told_by_their_closure_and_what_holds_anyway_is_counted():
    told = ts.tell(example("slider_crank"), "lagrange")
    step = told.step("parametrisation")
    assert "3 of them hold whatever the coordinates, and are left out." in step.text
    assert [str(x.left) for x in step.formulas] == [
        "x - l1*cos(alpha) - l2*cos(psi)",
        "l2*sin(psi) - l1*sin(alpha)",
    ]
    assert any("it closes a loop" in line for line in step.text)


# --- robots ---------------------------------------------------------------------------------------


def test_a_formula_that_is_too_long_to_be_read_is_told_by_its_cost():
    chain = "RY(q1), TYK(L1), RX(q2), TYK(L2), RX(q3), TZK(L3), RY(q4), TYK(L4);"
    told = ts.tell(ts.load(chain, masses="full"), "lagrange", "fr")
    written = told.text()
    assert "rotors" not in written
    assert [x.name for x in told.steps][-1] == "equations"
    assert re.search(r"d/dt ∂T/∂\w+\. = <une formule de \d+ opérations>", written)
    assert re.search(r"\\text\{une formule de \d+ opérations\}", told.latex())
    assert "…" not in written


# --- hypotheses and traps -----------------------------------------------------------------------


def test_hypotheses_are_tracked_with_the_theorems_that_need_them():
    told = ts.tell(example("vertical_disc"), "virtual-power")
    holds = {x.code: x.holds for x in told.hypotheses}
    assert holds == {"H0": True, "H1": True, "H2": False, "H3": True, "H4": True}
    assert told.step("equations").hypotheses == ("H0", "H1")
    lagrange = ts.tell(example("elliptic_pendulum"))
    assert lagrange.step("equations").hypotheses == ("H0", "H1", "H2")
    assert any("L = T - V" in line for line in lagrange.step("equations").text)
    assert not {x.code: x.holds for x in ts.tell(example("ball_governor")).hypotheses}["H4"]


@pytest.mark.parametrize(
    ("name", "formalism", "trap"),
    [
        ("cart_pendulum", "lagrange", "∂P/∂q. counts it twice"),
        ("double_pendulum", "newton-euler", "δ(A) = dσ(A)/dt + m V(A) ∧ V(G)"),
        ("heavy_top", "lagrange", "at theta = 0 these coordinates lose a degree of freedom"),
        ("spherical_pendulum", "lagrange", "at theta = π these coordinates lose"),
        ("driven_cylinder", "lagrange", "the geometric one, which moves"),
        ("ball_governor", "lagrange", "the real velocity is not a virtual one"),
        ("double_pendulum", "lagrange", "theta2 is a relative angle"),
    ],
)
def test_traps_are_named_where_they_lie(name, formalism, trap):
    assert any(trap in warning for warning in ts.tell(example(name), formalism).warnings)


@pytest.mark.parametrize(("name", "stated"), [
    ("simple_pendulum", "∂L/∂q (Euler-Lagrange): among the motions with the same ends, the action"),
    ("cylinder_multiplier", "∂L/∂q + Σ λ a: among the motions with the same ends that the"),
    ("rolling_disc", "this one does not in general make the action ∫ L dt stationary"),
])  # fmt: skip
def test_the_action_is_called_stationary_where_the_constraints_can_be_integrated(name, stated):
    assert stated in str(ts.tell(example(name)))


def test_a_simple_pendulum_has_no_traps():
    assert ts.tell(example("compound_pendulum")).warnings == ()


# --- words and notations ------------------------------------------------------------------------


MACROS = """left right dot ddot mathrm mathit mathcal text vec frac sqrt cos sin operatorname
partial begin end section item textit ensuremath sum le quad to cdot wedge neq alpha beta gamma
delta theta lambda pi rho sigma phi psi omega Omega Sigma boxed small raggedright linewidth
endhead overrightarrow textbf dimexpr tabcolsep toprule midrule bottomrule arraybackslash centering
noindent"""


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize(
    ("name", "formalism"),
    [("double_pendulum_points", "newton-euler"), ("slider_crank", "lagrange"),
     ("vertical_disc", "virtual-power"), ("cart_pendulum", "kane")],
)  # fmt: skip
def test_latex_is_balanced_and_uses_what_latex_and_amsmath_have(name, formalism, lang):
    written = ts.tell(example(name), formalism, lang).latex()
    assert set(re.findall(r"\\([a-zA-Z]+)", written)) <= set(MACROS.split())
    for line in written.split("\n"):
        plain = line.replace(r"\{", "").replace(r"\}", "")
        if "longtable" not in line:  # a table is a group over several lines
            assert plain.count("{") == plain.count("}")
        assert line.count(r"\left") == line.count(r"\right")
        displayed = line.startswith("& ")
        outside = "" if displayed else re.sub(r"\$[^$]*\$", "", line)
        unbroken = re.sub("~(?=[;:!?»])|(?<=«)~", " ", outside)  # spaces of French
        if line.endswith((r"\endhead", r"\\")):  # a row of a table
            unbroken = unbroken.replace(" & ", " ")
        assert not re.search(r"(?<!\\)[_&%#^~]", unbroken), line
        inside = " ".join(re.findall(r"\$([^$]*)\$", line)) if not displayed else line
        assert re.sub(r"\\text\{[^}]*\}", "", inside).isascii(), line
    assert written.count(r"\begin{") == written.count(r"\end{")
    whole = written.replace(r"\{", "").replace(r"\}", "")
    assert whole.count("{") == whole.count("}")


def test_a_document_of_its_own_holds_the_piece_between_its_ends():
    told = ts.tell(example("compound_pendulum"), lang="fr")
    whole = told.latex(standalone=True)
    assert whole.startswith(r"\documentclass") and whole.endswith("\\end{document}\n")
    assert told.latex() in whole
    path = str(files("torseur.examples") / "compound_pendulum.yaml")
    given = ["tell", path, "--as", "latex", "--standalone"]
    assert CliRunner().invoke(commands, given).output.startswith(r"\documentclass")


def test_latex_writes_torseurs_in_braces():
    written = ts.tell(example("double_pendulum_points"), "newton-euler", "fr").latex()
    assert r"\left\{ \mathcal{V}_{\mathrm{upper}/0} \right\} = \begin{Bmatrix}" in written
    assert r"\vec{z}_{0}" in written
    assert r"\ddot{\phi}" in written
    assert "Torseurs dynamiques" in written


def test_markdown_has_headings_and_displayed_formulas():
    written = ts.tell(example("compound_pendulum"), lang="fr").markdown()
    assert written.startswith("# compound-pendulum par les équations de Lagrange")
    assert "## 7. Équations du mouvement" in written
    equation = r"C\,\ddot{\theta} = -m\,g\,a\,\sin \theta"
    assert rf"$$ \theta:\quad {equation} $$" in written
    law = r"\frac{\mathrm{d}}{\mathrm{d}t} \frac{\partial T}{\partial \dot{q}}"
    assert rf"${law} - \frac{{\partial T}}{{\partial q}} = Q$ pour chaque paramètre." in written


def test_torseurs_are_data():
    step = ts.tell(example("compound_pendulum")).step("kinematics")
    (V,) = step.formulas
    assert isinstance(V, TorseurFormula)
    assert (V.resultant.value.axes, V.moment.value.axes) == ("ground", "solid")
    assert [str(x) for x in V.moment.value.values] == ["0", "a*theta.", "0"]
    assert V.point.text == "G(solid)"


def test_what_cannot_be_told_says_why():
    with pytest.raises(ts.ModelError, match='formalism "appell" does not exist'):
        ts.tell(example("compound_pendulum"), "appell")
    with pytest.raises(ts.ModelError, match='language "de" does not exist'):
        ts.tell(example("compound_pendulum"), lang="de")
    with pytest.raises(ts.ModelError, match="are not the rates of its") as refused:
        ts.tell(example("free_body"), "hamilton")
    assert '"lagrange"' in str(refused.value)
    with pytest.raises(ts.ModelError, match="no kinetic energy goes with") as refused:
        ts.tell(example("buckling_two_bars"), "hamilton")
    assert '"lagrange"' in str(refused.value)


def test_derivations_are_printed_as_books_write_and_can_be_had_in_plain_letters():
    told = ts.tell(example("cart_pendulum"))
    assert "θ: (A + m₂ l²) θ̈ + m₂ l ẍ cos θ = −m₂ g l sin θ" in str(told)
    assert "d/dt ∂T/∂q̇ − ∂T/∂q = Q for each coordinate." in str(told)
    assert "theta: (A + m2*l^2)*theta.. + m2*l*x..*cos(theta) = -m2*g*l*sin(theta)" in told.text()


def test_distances_are_told_without_bars_under_a_condition():
    told = ts.tell(example("cart_pendulum"))
    assert "Q_x(spring) = -k*x" in told.text()
    assert "l0 + x > 0" in told.text() and "l_0 + x > 0" in told.latex()
    assert "abs" not in told.text()


def driven_arm():
    return ts.load({
        "parameters": {"m1": 1.2, "m2": 0.7, "l": 0.8, "j": 0.1, "a": 0.3},
        "gravity": [0, -9.81, 0],
        "bodies": {
            "arm": {"mass": "m1", "centre": ["l/2", 0, 0], "inertia": [0, 0, "m1*l^2/12"]},
            "slider": {"mass": "m2", "centre": [0, "a", 0]},
        },
        "joints": {
            "A": {"type": "pivot", "bodies": ["ground", "arm"], "axis": "z", "coordinate": "theta"},
            "B": {"type": "prismatic", "bodies": ["arm", "slider"], "axis": "x", "coordinate": "x"},
        },
        "motors": {"M1": {"joint": "A", "ratio": 50, "rotor_inertia": "j"}},
    })  # fmt: skip


def test_the_recursion_of_mampey_is_told_from_the_last_joint_to_the_first():
    """L-Mam: a_kk = α² j + τ M + ρ u·Ju, a_ki = (ρ h + τ r)·u, the motor and its gear included."""
    told = ts.tell(driven_arm(), "mampey", "fr")
    names = [step.name for step in told.steps]
    assert names[2:5] == ["chain", "beyond x", "beyond theta"]
    written = told.text()
    assert "a(theta, theta) = 2500*j + 1/3*m1*l^2 + m2*(a^2 + x^2)" in written
    assert "a(theta, x) = -m2*a" in written
    indicators = {name: told.step(f"beyond {name}").text[0] for name in ("x", "theta")}
    assert "coulisse (ρ = 0, τ = 1)" in indicators["x"]
    assert "tourne (ρ = 1, τ = 0)" in indicators["theta"]
    A = ts.formalisms.mampey(driven_arm())
    shown = {x.symbol.text: x.value for step in told.steps[3:5] for x in step.formulas}
    assert vanishes(expression(A[0, 1]) - shown["a(theta, x)"])
    own, other = told.equations, ts.tell(driven_arm(), "lagrange").equations
    for name, equation in own.items():
        assert vanishes(equation.left - equation.right - other[name].left + other[name].right)


def test_joints_that_mampey_does_not_take_are_refused_with_a_formalism_that_does():
    with pytest.raises(ts.ModelError, match='"newton-euler" or "lagrange"'):
        ts.tell(example("free_body"), "mampey")


@pytest.mark.parametrize("name", ["free_body", "drifting_satellite", "unbalanced_rotor"])
def test_lagrange_in_quasi_velocities_has_the_equations_of_kane(name):
    """Boltzmann and Hamel: ω × ∂T/∂ω is what body rates add."""
    terms = of_mechanism(unchanged(system(example(name))))
    made = terms.system
    own = terms.operator(kinetic_energy(made.tree, made.q, made.v))
    kane = ts.derive(made.mechanism, "kane")
    values = at_random([*own, *kane.h, *kane.M.flat], made.mechanism)
    for four in made.tree.quaternions:
        raw = np.random.default_rng(5).normal(size=4)
        names = [x.name for x in made.q[four]]
        values |= dict(zip(names, map(float, raw / np.linalg.norm(raw)), strict=True))
    expected = evaluate(kane.M @ made.a + kane.h, values)
    assert np.asarray(evaluate(own, values), float) == pytest.approx(expected, rel=1e-9, abs=1e-9)
    assert "Boltzmann" in ts.tell(example(name)).step("equations").theorem


# --- readable formulas --------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["double_pendulum", "heavy_top", "rotating_arm", "ball_governor"])
def test_a_readable_formula_is_the_same_and_no_longer(name):
    found = ts.derive(example(name), "newton-euler").inverse_dynamics
    for x, y in zip(found, readable(found), strict=True):
        assert len(str(y)) <= len(str(x))
        assert vanishes(x - y)
        values = at_random([x, y], example(name))
        assert float(evaluate(x, values)) == pytest.approx(float(evaluate(y, values)), rel=1e-12)


def test_normal_forms_prove_identities_of_trigonometry_and_refuse_others():
    a, b = ts.formalisms.lagrangian("a.+b.", ["a", "b"]).system.q
    assert vanishes(np.sin(a + b) - np.sin(a) * np.cos(b) - np.cos(a) * np.sin(b))
    assert vanishes(np.cos(3 * a) - 4 * np.cos(a) ** 3 + 3 * np.cos(a))
    assert vanishes(np.sqrt(a**2 * b**2) - abs(a) * abs(b))
    assert not vanishes(np.sin(a + b) - np.sin(a) - np.sin(b))


# --- from a shell -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "code", "expected"),
    [
        (["tell", "--formalism", "kane", "--lang", "fr"], 0, "par les équations de Kane"),
        (["tell", "--as", "latex"], 0, r"\section{Kinetic energy}"),
        (["tell", "--as", "html"], 0, "<math>"),
        (["tell", "--json"], 0, '"formalism": "lagrange"'),
        (["integrals"], 0, "proved exactly"),
        (["integrals", "--json"], 0, '"integrals"'),
        (["integrals", "--duration", "0.2"], 0, "largest change"),
        (["check-answer", "C*theta.. = -m*g*a*sin(theta)", "--of", "theta"], 0, "Right"),
        (["check-answer", "C*theta.. = m*g*a*sin(theta)", "--lang", "fr"], 1, "mauvais signe"),
        (["check-answer", "C*theta..", "--json"], 1, '"verdict": "different"'),
    ],
)
def test_the_commands_say_it_too(arguments, code, expected):
    model = str(files("torseur.examples") / "compound_pendulum.yaml")
    command, *rest = arguments
    answer = CliRunner().invoke(commands, [command, model, *rest])
    assert answer.exit_code == code, answer.output
    assert expected in answer.output


def test_other_coordinates_are_given_on_the_command_line():
    model = str(files("torseur.examples") / "double_pendulum_points.yaml")
    arguments = ["check-answer", model, "-M g b Sin[psi]", "--of", "Q_psi", "--with"]
    formula = arguments.pop(2)
    answer = CliRunner().invoke(commands, [*arguments, "turn=psi-phi", "--", formula])
    assert answer.exit_code == 0, answer.output
    wrong = CliRunner().invoke(commands, [*arguments, "turn", "--", formula])
    assert 'has no "="' in str(wrong.exception)


@pytest.mark.parametrize(
    "name", ["rotating_arm", "vibration_absorber", "dumbbell_satellite", "rolling_disc"]
)
def test_every_formalism_writes_distances_without_bars(name):
    """A spring's force is along u/sqrt(u²), which is a sign once it is read."""
    told = str(ts.tell(example(name), formalism="newton-euler").text())
    assert "sign(" not in told and "abs(" not in told
    assert " > 0" in told


def test_a_joint_says_what_it_brings_to_those_before_it():
    """Mampey: h and r of a pair start at the joint itself."""
    told = str(ts.tell(example("rotating_arm"), formalism="mampey").text())
    assert "h' = u ∧ p and r' = M u" in told and "h' = J u and r' = p ∧ u" in told
    assert "r(theta, lam) = (m, 0, 0)" in told


def test_about_the_centre_of_a_set_nothing_is_left_that_cancels():
    """Koenig: a cart and its bob turn about G as one reduced mass; the power about G moves them."""
    cart = example("cart_pendulum")
    told = str(ts.tell(cart, bodies=["cart", "bob"]).text())
    assert "σ* = (0, 0, (A + m1*m2*l^2/(m1 + m2))*theta.)" in told
    assert "T* = 1/2*(A + m1*m2*l^2/(m1 + m2))*theta.^2" in told
    power = re.search(r"dT\*/dt = (.*)", told)[1]
    assert power == "m2*l*theta.*((b*x. + k*x)*cos(theta) - Y_rail*sin(theta))/(m1 + m2)"
    run, p = ts.simulate(cart, 0.5), cart.parameters
    reduced = p["A"] + p["m1"] * p["m2"] * p["l"] ** 2 / (p["m1"] + p["m2"])
    theta, pull = run["theta"], p["b"] * run["x."] + p["k"] * run["x"]
    rail = run.reaction("rail", frame="ground")[:, 1]
    found = pull * np.cos(theta) - rail * np.sin(theta)
    found = p["m2"] * p["l"] * run["theta."] * found / (p["m1"] + p["m2"])
    np.testing.assert_allclose(found, reduced * run["theta."] * run["theta.."], atol=1e-7)


def test_the_last_step_tells_a_speed_by_the_loop_between_it_and_the_independent_one():
    step = ts.tell("slider_crank").step("elimination")
    told = {str(x.symbol): str(x.value) for x in step.formulas if hasattr(x, "symbol")}
    assert told["k_psi = psi./alpha."] == "l1*cos(alpha)/(l2*cos(psi))"
    (line,) = (x for x in step.formulas if hasattr(x, "left"))
    assert "/" not in str(line.left) and "/" not in str(line.right)
