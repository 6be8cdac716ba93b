"""Small motions: exact derivatives, closed forms of modes, verdicts and their limits."""

import re
from dataclasses import replace

import numpy as np
import pytest
from example_states import SMOOTH, mechanism, model, parameters, states

import torseur as ts
from torseur.algebra.core.graph import evaluate
from torseur.simulation.constraints.displacement import advanced
from torseur.simulation.constraints.multipliers import accelerations
from torseur.simulation.constraints.numeric_constraints import NumericConstraints
from torseur.simulation.start.assemble import assemble
from torseur.simulation.start.loop_closing import LoopClosing

G = 9.81
# nothing left to move: every coordinate is driven
DRIVEN = {"cardan_shaft", "delta_robot", "ferris_wheel", "jansen_leg", "peaucellier", "propeller",
          "stewart_platform", "whitworth"}  # fmt: skip
FREE = [name for name in SMOOTH if name not in DRIVEN]
STENCIL = (-2, -1, 1, 2)


def differences(linear, made, parameter=""):
    """∂(ẋ)/∂x, or ∂(ẋ)/∂p, by differences of accelerations at states that close the loops anew."""
    here, names = linear.here, linear.coordinates
    shifts = [made.coordinates.index(name) for name in names]
    rates = [made.speeds.index(f"{name}.") for name in names]
    speeds = [made.speeds.index(name) for name in linear.speeds]

    def rate(x, model):
        held = NumericConstraints(model)
        q = here.q.copy()
        q[shifts] += x[: len(shifts)]
        q = LoopClosing(held, here.t, rates).closed(q)
        v = np.zeros(len(model.speeds))
        v[speeds] = here.v[speeds] + x[len(shifts) :]
        if held:
            J, b = np.array(held.J(q, here.t)), held.rate(q, here.t)
            rest = [k for k in range(len(v)) if k not in speeds]
            v[rest] = np.linalg.lstsq(J[:, rest], -(J @ v + b), rcond=1e-10)[0]
        if not held:  # runs would smooth dry friction
            a = model.timed("forward_dynamics")(q, v, np.zeros_like(v), here.t)
            return np.concatenate([v[rates], a[speeds]])
        S = model.timed("applied")(q, v, here.t) - model.bias(q, v) - model.gravity(q)
        a, _ = accelerations(model.mass_matrix(q), S, J, held.bias(q, v, here.t))
        return np.concatenate([v[rates], a[speeds]])

    n = len(shifts) + len(speeds)
    if parameter:
        value = made.parameters[parameter]
        h = 1e-4 * (abs(value) or 1.0)
        models = [made.with_parameters(**{parameter: value + k * h}) for k in STENCIL]
        return difference([rate(np.zeros(n), other) for other in models], h)
    h = 1e-4
    columns = [difference([rate(k * h * e, made) for k in STENCIL], h) for e in np.eye(n)]
    return np.array(columns).T


def difference(values, h):
    """The derivative from values at the stencil, to the fourth order."""
    return (values[0] - 8 * values[1] + 8 * values[2] - values[3]) / (12 * h)


@pytest.mark.sampled(16)
@pytest.mark.parametrize("name", FREE)
def test_small_motions_are_the_derivatives_of_the_accelerations_in_every_example(name):
    """Open chains, closed loops, rolling, relations, gears, a turning ground, to 1e-6."""
    sample = states(name, count=1, spread=0.2, seed=4)
    made = sample.model
    at = dict(zip((*made.coordinates, *made.speeds), (*sample.q[0], *sample.v[0]), strict=True))
    linear = ts.linearise(made, at, inputs=())
    turning = any(link.joint.turning for _, link in made.system.tree)
    found = parting(linear, made) if turning else differences(linear, made)
    size = max(np.abs(linear.A).max(), 1e-3)  # where nothing changes the differences are rounding
    np.testing.assert_allclose(linear.A, found, atol=1e-6 * size)


def parting(linear, made):
    """How neighbouring motions part, for bodies whose attitude is a quaternion: ẋ = A x at t = 0.

    Their motions are simulated; the small rotation between two attitudes is 2 log(q₀⁻¹ q₁).
    """
    here, h, step = linear.here, 1e-3, 4e-3
    shifts = [i for i in here.chart.shifts if i not in linear.steady.turning]
    speeds = here.chart.speeds
    names = (*made.coordinates, *made.speeds)

    def moved(x):
        d = np.zeros(len(made.speeds))
        d[shifts] = x[: len(shifts)]
        q, v = advanced(made, here.q, d), here.v.copy()
        v[list(speeds)] += x[len(shifts) :]
        start = dict(zip(names, (*q, *v), strict=True))
        return ts.simulate(made, 4 * step, rate=1 / step, initial=start, rtol=1e-13,
                           coordinates="joint")  # fmt: skip

    def apart(a, b):
        rows = []
        for k in range(5):
            d = np.empty(len(made.speeds))
            for _, link in made.system.tree:
                d[link.v] = between(link.joint, a.q[k][link.q], b.q[k][link.q])
            rows.append([*d[shifts], *(b.v[k] - a.v[k])[list(speeds)]])
        return np.array(rows)

    n = len(shifts) + len(speeds)
    middle = moved(np.zeros(n))
    forward = np.array([-25, 48, -36, 16, -3]) / (12 * step)  # the derivative at the first of five
    columns = []
    for e in np.eye(n):
        values = [forward @ apart(middle, moved(k * h * e)) for k in STENCIL]
        columns.append(difference(values, h))
    return np.array(columns).T


def between(joint, a, b):
    """The displacement between configurations of a joint; quaternions are (w, x, y, z)."""
    if not joint.turning:
        return b - a
    (w, *p), (s, *r) = a[-4:], b[-4:]
    vector = w * np.array(r) - s * np.array(p) - np.cross(p, r)
    size = np.linalg.norm(vector)
    turn = 2 * np.arctan2(size, w * s + np.dot(p, r))
    return np.concatenate([b[:-4] - a[:-4], vector * (turn / size if size else 2.0)])


@pytest.mark.parametrize("name", ["cardan_shaft", "propeller"])
def test_where_every_coordinate_is_driven_nothing_can_vibrate(name):
    with pytest.raises(ts.SolveError, match="0 free motions"):
        ts.linearise(model(name))


@pytest.mark.parametrize(
    ("name", "parameter"),
    [("slider_crank", "l2"), ("ball_governor", "Omega")],
)
def test_parameters_are_inputs_with_exact_derivatives(name, parameter):
    sample = states(name, count=1, spread=0.2, seed=2)
    made = sample.model
    at = dict(zip((*made.coordinates, *made.speeds), (*sample.q[0], *sample.v[0]), strict=True))
    linear = ts.linearise(made, at, inputs=(parameter,))
    found = differences(linear, made, parameter)
    np.testing.assert_allclose(linear.B[:, 0], found, atol=1e-6 * np.abs(found).max())


def test_a_small_rotation_of_a_spinning_body_turns_backwards_in_its_axes():
    """R₀ᵀ R₁ = exp(−ω̃t) exp(d̃) exp(ω̃t) for two bodies that spin alike: ḋ = −ω × d."""
    spin = np.array([0, 8.0, 0])
    W = ts.linearise(model("free_body"), {"flight_wy": spin[1]}).here.terms.W
    np.testing.assert_allclose(W[3:, 3:], -np.cross(spin, np.eye(3)).T, atol=1e-12)
    assert not W[:3].any()


# --- closed forms ---------------------------------------------------------------------------------


def test_cart_and_pendulum_have_the_matrices_and_the_eigenvalues_of_the_exercise():
    p = parameters("cart_pendulum")
    linear = ts.linearise(model("cart_pendulum"), inputs=("x",))
    M = np.array([[p.m1 + p.m2, p.m2 * p.l], [p.m2 * p.l, p.m2 * p.l**2 + p.A]])
    K, D = np.diag([p.k, p.m2 * G * p.l]), np.diag([p.b, 0.0])
    for found, wanted in ((linear.M, M), (linear.K, K), (linear.D, D)):
        np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-12)
    zero = np.zeros((2, 2))
    A = np.block([[zero, np.eye(2)], [-np.linalg.solve(M, K), -np.linalg.solve(M, D)]])
    wanted = np.sort_complex(np.linalg.eigvals(A))
    np.testing.assert_allclose(np.sort_complex(linear.eigenvalues), wanted, rtol=1e-10)
    assert linear.stable.word == "asymptotically stable"
    omega = np.array([1.0, 4.0, 9.0])
    wanted = [np.linalg.solve(K + 1j * w * D - w**2 * M, [1, 0])[1] for w in omega]
    np.testing.assert_allclose(linear.response(omega, "x", "theta"), wanted, rtol=1e-10)
    transfer = linear.transfer("x", "theta")
    np.testing.assert_allclose(transfer(1j * omega), wanted, rtol=1e-10)
    np.testing.assert_allclose(transfer.denominator, np.poly(A), rtol=1e-10)


@pytest.mark.parametrize("masses", [(1.0, 1.0), (2.0, 0.3)])
def test_the_double_pendulum_has_the_roots_of_the_biquadratic(masses):
    m, M = masses
    a, b = 0.3, 0.2
    made = {
        "gravity": [0, -G, 0],
        "bodies": {
            "A": {"mass": m, "centre": [0, -a, 0]},
            "B": {"mass": M, "centre": [0, -b, 0]},
        },
        "joints": {
            "O": {"type": "pivot", "bodies": ["ground", "A"], "axis": "z", "coordinate": "phi"},
            "H": {"type": "pivot", "bodies": ["A", "B"], "axis": "z", "coordinate": "turn",
                  "point": [[0, -a, 0], [0, 0, 0]]},
        },
    }  # fmt: skip
    squares = np.roots([m * a * b, -(m + M) * G * (a + b), (m + M) * G**2])
    found = ts.linearise(ts.load(made))
    np.testing.assert_allclose(found.frequencies, np.sort(np.sqrt(squares)), rtol=1e-10)
    np.testing.assert_allclose(found.hertz, found.frequencies / (2 * np.pi))
    assert found.stable.word == "stable"
    assert "Lagrange-Dirichlet" in str(found.stable)


def test_the_vibration_absorber_has_its_two_frequencies():
    p = parameters("vibration_absorber")
    rest = p.l0 + p.m2 * p.g / p.k
    arm = p.a + rest
    pendulum = (p.m1 * p.l1 + p.m2 * arm) * p.g / (p.C1 + p.C2 + p.m2 * arm**2)
    found = ts.linearise(model("vibration_absorber"))
    assert found.steady.coordinates["lam"] == pytest.approx(rest, rel=1e-12)
    np.testing.assert_allclose(found.frequencies, np.sqrt([pendulum, p.k / p.m2]), rtol=1e-10)


def test_a_half_disc_rocks_at_the_frequency_of_the_exercise():
    p = parameters("half_disc")
    found = ts.linearise(model("half_disc")).frequencies
    assert found == pytest.approx([np.sqrt(8 * G / ((9 * np.pi - 16) * p.a))], rel=1e-10)


def test_a_pendulum_on_a_free_cart_drifts_and_swings():
    p = parameters("elliptic_pendulum")
    linear = ts.linearise(model("elliptic_pendulum"))
    assert linear.frequencies == pytest.approx([np.sqrt(G / p.a * (1 + p.m2 / p.m1))], rel=1e-10)
    assert [mode.kind for mode in linear.modes] == ["drift", "oscillation"]
    assert np.count_nonzero(linear.eigenvalues == 0) == 2
    assert linear.stable.word == "neutral"
    assert not linear.stable
    swing = linear.modes[1].shape
    # the centre of mass stays: (m1 + m2) y + m2 a θ = 0
    assert (p.m1 + p.m2) * swing["y"] + p.m2 * p.a * swing["theta"] == pytest.approx(0, abs=1e-12)


def test_every_joint_of_a_loop_moves_in_its_mode():
    linear = ts.linearise(model("four_bar"))
    shape = linear.modes[0].shape
    assert set(shape) == set(mechanism("four_bar").every_coordinate)
    made = model("four_bar")
    start = dict(zip(made.coordinates, linear.here.q, strict=True))
    first = linear.coordinates[0]
    moved = assemble(made, start | {first: start[first] + 1e-6}, pinned=(first,)).q
    slopes = (moved - linear.here.q) / 1e-6
    wanted = [(shape[name] / shape[first]).real for name in made.coordinates]
    np.testing.assert_allclose(slopes, wanted, atol=1e-5)


# --- verdicts -------------------------------------------------------------------------------------


def mass_on_a_turntable(k, damping=0.0):
    """Two springs of the same stiffness hold a mass in a frame that turns at 3 rad/s."""
    law = {"type": "law", "value": f"-{k}*distance - {damping}*rate"}
    return ts.load({
        "frame": {"rotation": [0, 0, 3]},
        "bodies": {"slide": {}, "mass": {"mass": 1}},
        "joints": {
            "x": {"type": "prismatic", "bodies": ["ground", "slide"], "axis": "x"},
            "y": {"type": "prismatic", "bodies": ["slide", "mass"], "axis": "y"},
        },
        "forces": {"fx": law | {"joint": "x"}, "fy": law | {"joint": "y"}},
    })  # fmt: skip


def test_rotation_may_hold_what_the_potential_does_not():
    held = ts.linearise(mass_on_a_turntable(k=4))
    np.testing.assert_allclose(held.gyroscopic, [[0, -6], [6, 0]], atol=1e-12)
    np.testing.assert_allclose(held.frequencies, [1, 5], rtol=1e-10)  # |Ω ∓ √(k/m)|
    assert (np.linalg.eigvalsh(held.stiffness) < 0).all()
    assert held.stable.word == "linearly stable"
    assert "gyroscopic stabilisation" in held.stable.reason
    assert "damping destroys it" in held.stable.limits
    assert ts.linearise(mass_on_a_turntable(k=10)).stable.word == "stable"
    assert ts.linearise(mass_on_a_turntable(k=4, damping=0.1)).stable.word == "unstable"


def test_at_a_critical_load_terms_of_fourth_order_decide():
    """E_p = 2 C θ² + 2 F l cos θ rises as θ⁴ at F_c: still stable (a supercritical pitchfork)."""
    p = parameters("buckling_two_bars")
    at = {"theta": 0.0, "bend": 0.0}
    critical = ts.linearise(model("buckling_two_bars"), at, parameters={"F": 2 * p.C / p.l})
    assert critical.stable.word == "stable"
    assert "fourth-order term rises" in critical.stable.reason
    assert "by differences" in critical.stable.limits
    above = ts.linearise(model("buckling_two_bars"), at, parameters={"F": 2.2 * p.C / p.l})
    growth = np.sqrt(2 * 0.2 * p.C / p.l / (p.m * p.l))  # σ² = 2 (F − F_c)/(m l)
    assert max(above.eigenvalues.real) == pytest.approx(growth, rel=1e-9)


@pytest.mark.parametrize(
    ("force", "word"),
    [("-x^3", "stable"), ("x^3", "unstable"), ("-x^2", "unstable"), ("0", "neutral"),
     ("-x^5", "neutral")],
)  # fmt: skip
def test_the_first_term_that_is_not_zero_decides_where_there_is_no_stiffness(force, word):
    rail = {"type": "prismatic", "bodies": ["ground", "b"], "axis": "x", "coordinate": "x"}
    push = {"type": "joint", "joint": "rail", "value": force}
    made = ts.load({"bodies": {"b": {"mass": 1}}, "joints": {"rail": rail},
                    "forces": {"push": push}})  # fmt: skip
    found = ts.linearise(made, {"x": 0.0}).stable
    assert found.word == word
    if word == "neutral":
        told = "Along it E_p is constant within rounding" if force == "0" else "terms do not decide"
        assert told in str(found)


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("tilt", [0.0, 1.2e-16, -1.2e-16])
def test_a_door_with_a_vertical_hinge_rests_anywhere(sign, tilt):
    """E_p is constant but for rounding, upright or upside down: no term of it decides."""
    door = {"mass": 20, "centre": [0.4, 0.01, 1.0], "inertia": [5, 6, 1.2]}
    hinge = {"type": "pivot", "bodies": ["ground", "door"], "axis": "z", "coordinate": "a"}

    def leaning(angle):
        g = [9.81 * angle, 0, -9.81 * sign]
        return ts.load({"gravity": g, "bodies": {"door": door}, "joints": {"h": hinge}})

    for at in (None, {"a": 0.7}):
        found = ts.linearise(leaning(tilt), at).stable
        assert found.word == "neutral"
        assert "Along it E_p is constant within rounding." in found.reason
    (family,) = ts.equilibria(leaning(tilt))
    assert family.family == 1
    # a hinge that is really out of true is not neutral
    words = [x.stable.word for x in ts.equilibria(leaning(1e-6))]
    assert sorted(words) == ["stable", "unstable"]


def test_squares_of_frequencies_are_those_of_the_tensor_between_two_roots_of_M():
    """M = N², λ² from N⁻¹ E₂ N⁻¹ (Plaut 2007, §4.3); R = ½ ẋᵀ D ẋ gives D (§4.4)."""
    found = ts.linearise(model("double_pendulum"))
    values, vectors = np.linalg.eigh(found.M)
    inverse = vectors @ np.diag(values**-0.5) @ vectors.T
    squares = np.linalg.eigvalsh(inverse @ found.stiffness @ inverse)
    np.testing.assert_allclose(found.frequencies**2, squares, rtol=1e-10)
    assert not found.dissipation.any()


def test_an_inverted_pendulum_on_its_cart_has_the_other_sign():
    """Erratum E2-6: the term of gravity is −m₂ g l sin θ when the pendulum stands."""
    p = parameters("cart_pendulum")
    found = ts.linearise(model("cart_pendulum"), {"x": 0.0, "theta": np.pi})
    np.testing.assert_allclose(np.diag(found.K), [p.k, -p.m2 * G * p.l], rtol=1e-10)
    assert found.stable.word == "unstable"


def test_a_state_that_is_not_steady_has_no_verdict():
    found = ts.linearise(model("simple_pendulum"), {"phi": 0.5})
    assert found.stable.word == "undecided"
    assert "not steady" in str(found.stable)


def test_dry_friction_is_told_to_be_left_out():
    sticky = ts.load({
        "gravity": [0, -G, 0],
        "bodies": {"bob": {"mass": 1, "centre": [0, -1, 0]}},
        "joints": {"O": {"type": "pivot", "bodies": ["ground", "bob"], "axis": "z"}},
        "motors": {"M": {"joint": "O", "ratio": 1, "dry": {"output": [0.1, 0.1]}}},
    })  # fmt: skip
    assert any("Dry friction" in x for x in ts.linearise(sticky).notices)
    assert not ts.linearise(model("simple_pendulum")).notices


# --- use ------------------------------------------------------------------------------------------


def test_independent_coordinates_can_be_named():
    at = {"alpha": 0.6}
    by_crank, by_piston = (
        ts.linearise(model("slider_crank"), at, independent=(name,), inputs=())
        for name in ("alpha", "x")
    )
    assert by_crank.states == ("alpha", "alpha.")
    assert by_piston.states == ("x", "x.")
    ratio = by_crank.channels.positions["x"][0]
    np.testing.assert_allclose(by_crank.M, ratio**2 * by_piston.M, rtol=1e-10)
    with pytest.raises(ts.ModelError, match="is not independent"):
        ts.linearise(model("slider_crank"), at, independent=("alpha", "x"))


def test_the_matlab_text_holds_the_matrices():
    linear = ts.linearise(model("cart_pendulum"), inputs=("x", "theta"))
    text = linear.to_matlab(["x", "theta."])
    A, B, C, D = linear.state_space(["x", "theta."])
    for name, matrix in (("A", A), ("B", B), ("C", C), ("D", D)):
        rows = re.search(rf"^{name} = \[\n(.*?)\];", text, re.S | re.M).group(1).strip().split("\n")
        found = [[float(x) for x in row.strip().rstrip(";").split()] for row in rows]
        np.testing.assert_array_equal(found, matrix)
    assert "'StateName', {'x', 'theta', 'x.', 'theta.'}" in text


def test_a_root_locus_follows_each_eigenvalue():
    values = np.linspace(0.0, 4.0, 21)
    locus = ts.stability.root_locus(model("cart_pendulum"), "b", values)
    assert locus.eigenvalues.shape == (21, 4)
    jumps = np.abs(np.diff(locus.eigenvalues, axis=0)).max(axis=0)
    assert (jumps < 0.2).all()
    for value, row in zip(values[[0, 7, 20]], locus.eigenvalues[[0, 7, 20]], strict=True):
        alone = ts.linearise(model("cart_pendulum"), parameters={"b": value}).eigenvalues
        np.testing.assert_allclose(np.sort_complex(row), np.sort_complex(alone), atol=1e-9)


def test_figures_are_drawn(tmp_path):
    linear = ts.linearise(model("cart_pendulum"), inputs=("x",))
    linear.plot(tmp_path / "modes.svg")
    linear.plot_response("x", "theta", np.geomspace(1, 20, 30), tmp_path / "response.svg")
    ts.stability.root_locus(model("cart_pendulum"), "b", [0.1, 0.5]).plot(tmp_path / "locus.svg")
    assert all((tmp_path / f"{x}.svg").stat().st_size for x in ("modes", "response", "locus"))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"inputs": ("y",)}, 'motor, coordinate or parameter "y" does not exist'),
        ({"independent": ("y",)}, 'coordinate "y" does not exist'),
        ({"at": {"y": 1}}, 'coordinate "y" does not exist'),
        ({"parameters": {"kk": 1}}, 'parameter "kk" does not exist'),
    ],
)
def test_what_does_not_exist_is_named(arguments, message):
    with pytest.raises(ts.ModelError, match=re.escape(message)):
        ts.linearise(model("cart_pendulum"), **arguments)


def test_coordinates_without_inertia_are_named():
    with pytest.raises(ts.SolveError, match="no inertia resists phi"):
        ts.linearise(model("spherical_pendulum"), {"theta": 0.0})


# --- poses that forces hold ---------------------------------------------------------------------


@pytest.mark.parametrize("angle", [0.0, 0.7, 1.5, 2.8])
def test_a_pendulum_that_is_held_swings_with_the_stiffness_of_its_place(angle):
    """m g l sin φ holds it; K = m g l cos φ."""
    made = model("simple_pendulum")
    found = ts.linearise(made, {"phi": angle}, held=True)
    hangs = ts.linearise(made, {"phi": 0.0})
    weight = float(hangs.K[0, 0])
    assert found.steady.held_by == pytest.approx({"phi": weight * np.sin(angle)})
    assert found.K[0, 0] == pytest.approx(weight * np.cos(angle))
    assert found.stable.word == ("stable" if np.cos(angle) > 0 else "unstable")
    assert "Held by constant forces" in str(found) or not angle


@pytest.mark.parametrize(
    ("name", "pose"),
    [("four_bar", {"alpha": 0.4}), ("single_cylinder_engine", {}), ("double_pendulum", {}),
     ("double_pendulum", {"theta1": 0.5, "theta2": -0.3})],
)  # fmt: skip
def test_the_stiffness_of_a_held_pose_is_the_slope_of_what_holds_it(name, pose):
    """Q(s) from the statics of neighbouring poses: K = dQ/ds."""
    made = model(name)
    found = ts.linearise(made, pose, held=True)
    names, centre, h = found.coordinates, found.steady.coordinates, 1e-5
    K = np.zeros_like(found.K)
    for k, along in enumerate(names):
        forces = []
        for sign in (1, -1):
            there = {n: centre[n] + sign * h * (n == along) for n in names}
            rest = {n: x for n, x in centre.items() if n not in there}
            start = ts.assemble(made, {**rest, **there}, pinned=names).coordinates
            holding = ts.linearise(made, start, held=True, independent=names).steady.held_by
            forces.append(np.array([holding[n] for n in names]))
        K[:, k] = (forces[0] - forces[1]) / (2 * h)
    np.testing.assert_allclose(found.K, K, rtol=1e-6, atol=1e-6 * np.abs(K).max())


def test_a_pose_is_held_at_rest_only():
    with pytest.raises(ts.ModelError, match=r'"phi." is a speed'):
        ts.linearise(model("simple_pendulum"), {"phi": 0.3, "phi.": 1.0}, held=True)


# --- bases that shake ---------------------------------------------------------------------------


def shaken(law):
    """A mass on a spring and a damper, on a carriage that is driven or on the ground itself."""
    carried = "carriage" if law else "ground"
    made = {
        "parameters": {"m": 2.0, "k": 50.0, "c": 3.0},
        "bodies": {"block": {"mass": "m"}},
        "joints": {"S": {"type": "prismatic", "bodies": [carried, "block"], "axis": "x",
                         "coordinate": "r"}},
        "forces": {"spring": {"type": "joint", "joint": "S", "value": "-k*r - c*r."}},
    }  # fmt: skip
    if law:
        made["bodies"]["carriage"] = {"mass": 5.0}
        rail = {"type": "prismatic", "bodies": ["ground", "carriage"], "axis": "x"}
        made["joints"]["rail"] = rail | {"coordinate": "X"}
        made["motions"] = {"shaker": {"coordinate": "X", "law": law}}
    return ts.load(made)


@pytest.mark.parametrize(("law", "base"), [("0*t", "shaker"), ("", "ground.x")])
def test_a_base_that_shakes_moves_what_stands_on_it(law, base):
    """r/X = m ω²/(k + i c ω − m ω²), relative to the base."""
    m, k, c = 2.0, 50.0, 3.0
    omegas = np.array([0.1, 3.0, 5.0, 20.0])
    found = ts.linearise(shaken(law), {})
    wanted = m * omegas**2 / (k + 1j * c * omegas - m * omegas**2)
    np.testing.assert_allclose(found.response(omegas, base, "r"), wanted, rtol=1e-10)
    np.testing.assert_allclose(found.response(omegas, base, "r."), 1j * omegas * wanted, rtol=1e-10)
    accelerated = found.response(omegas, f"{base}..", "r")
    np.testing.assert_allclose(accelerated, -wanted / omegas**2, rtol=1e-10)
    if law:
        np.testing.assert_allclose(found.response(omegas, base, "X"), 1.0, rtol=1e-12)


def test_the_ground_that_shakes_is_a_gravity_that_does():
    """Double pendulum: the response to ground.x is that of a horizontal weight, with its sign."""
    made = mechanism("double_pendulum")
    axes = np.array([float(evaluate(x, made.parameters)) for x in made.gravity])
    omegas = np.array([0.5, 2.0])
    found = ts.linearise(made, {"theta1": 0.0, "theta2": 0.0})
    e, h = np.eye(3)[int(np.argmin(np.abs(axes)))], 1e-5
    axis = "xyz"[int(e.argmax())]
    forces = []
    for sign in (1, -1):
        leaning = replace(made, gravity=axes + sign * h * e)
        forces.append(ts.stability.holding_forces(leaning, {"theta1": 0.0, "theta2": 0.0}).forces)
    Q = np.array([-(forces[0][n] - forces[1][n]) / (2 * h) for n in found.coordinates])
    for omega in omegas:
        dynamic = found.K + 1j * omega * found.D - omega**2 * found.M
        wanted = np.linalg.solve(dynamic, omega**2 * Q)
        for n, value in zip(found.coordinates, wanted, strict=True):
            own = found.response([omega], f"ground.{axis}", n)[0]
            assert own == pytest.approx(value, rel=1e-6, abs=1e-9)


def test_a_base_that_does_not_exist_is_told():
    with pytest.raises(ts.ModelError, match="input"):
        ts.linearise(shaken("0*t"), {}).response([1.0], "motor", "r")
