"""Poses, Jacobians and inertias of named places; momenta of the whole; C; motions of balls."""

import inspect
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from click.testing import CliRunner
from example_states import model as example
from example_states import run as example_run
from export_cases import assert_close
from random_mechanisms import at, random_mechanism, random_state, rate, speeds_of
from random_trees import random_pose
from test_export_c import GCC, built

import torseur as ts
from torseur.algebra.calculus.derivative import directional
from torseur.algebra.core.graph import evaluate, expressions
from torseur.cli.commands import commands
from torseur.dynamics.tree.kinematics import accelerations
from torseur.equations.functions.catalogue import FUNCTIONS
from torseur.equations.functions.placed import PLACED, named_function
from torseur.equations.symbols.system import system
from torseur.export.export import LANGUAGES, sources
from torseur.model.description import Frame
from torseur.model.joints.library import Free, Revolute, Spherical
from torseur.spatial.vectors import axial, cross

ARM = {
    "name": "arm",
    "parameters": {"l": 0.4, "tip": 0.15, "m": 2.0},
    "gravity": [0, 0, -9.81],
    "bodies": {
        f"b{k}": {"mass": "m", "centre": [0.02 * k, "l/2", 0.03], "inertia": [0.02, 0.01, 0.03]}
        for k in range(1, 8)
    },
    "joints": {
        f"A{k}": {"type": "pivot", "bodies": ["ground" if k == 1 else f"b{k - 1}", f"b{k}"],
                  "point": [[0, "l" if k > 1 else 0, 0.01 * k], [0, 0, 0]], "axis": "zxy"[k % 3],
                  "coordinate": f"q{k}"}
        for k in range(1, 8)
    },
    "points": {"P": ["b7", ["tip", 0, "l/3"]]},
    "frames": {"tool": {"body": "b7", "position": ["tip", "l", 0], "rotation": [{"x": "40 deg"}]},
               "base": {"body": "ground", "position": [1, 2, 3]}},
}  # fmt: skip


@cache
def arm():
    return ts.compile(ts.load(ARM))


@cache
def states(rows=5):
    return np.random.default_rng(3).normal(size=(2, rows, 7))


@cache
def placed(seed, *first, motors=False):
    """A random tree with a frame P on its last body, and values of its state."""
    rng = np.random.default_rng(seed)
    made = random_mechanism(rng, *first, motors=motors)
    made = replace(made, frames={"P": Frame("P", "B3", random_pose(rng))})
    found = system(made)
    return found, random_state(rng, found)


def built_of(made, name):
    """The expressions of a function."""
    return expressions(named_function(name, made.mechanism).build(made))


def twist_of(R, R_rate, p_rate):
    """(ω; v) in ground axes."""
    return np.concatenate([axial(R_rate @ R.T) / 2, p_rate])


def turned(R):
    return np.kron(np.eye(2), R)


# --- poses and Jacobians ------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(8))
def test_a_place_moves_at_its_jacobian_times_the_speeds(seed):
    made, values = placed(seed)
    X = built_of(made, "pose:P")
    R, p = at(X, values)[:3, :3], at(X, values)[:3, 3]
    change, v = at(rate(made, X), values), speeds_of(made, values)
    twist = twist_of(R, change[:3, :3], change[:3, 3])
    np.testing.assert_allclose(at(built_of(made, "jacobian:P"), values) @ v, twist, atol=1e-12)
    own = at(built_of(made, "jacobian:P:body"), values) @ v
    np.testing.assert_allclose(own, turned(R.T) @ twist, atol=1e-12)
    np.testing.assert_allclose(at(built_of(made, "point:P"), values), p, atol=1e-13)
    np.testing.assert_allclose(R @ R.T, np.eye(3), atol=1e-13)


@pytest.mark.parametrize("seed", range(4))
def test_the_acceleration_of_a_place_is_that_of_the_recursion(seed):
    made, values = placed(seed)
    a = np.random.default_rng(seed).normal(size=made.tree.nv)
    known = values | dict(zip([x.name for x in made.a], a, strict=True))
    i = next(k for k, link in made.tree if link.name == "B3")
    own = accelerations(made.tree, made.q, made.v, made.a, np.zeros(3))[i]
    X_MP = made.tree.links[i].X_MB @ made.mechanism.frames["P"].pose
    R_MP = np.asarray(evaluate(X_MP.R.matrix, {}), dtype=float)
    acc = at(expressions(np.concatenate([own.dw, own.acc + own.U @ X_MP.p])), known)
    R = at(built_of(made, "pose:P"), values)[:3, :3] @ R_MP.T
    J, J_rate = (at(built_of(made, f"{name}:P"), values) for name in ("jacobian", "jacobian_rate"))
    found = J @ a + J_rate @ speeds_of(made, values)
    np.testing.assert_allclose(found, turned(R) @ acc, atol=1e-11 * (1 + np.abs(acc).max()))


def test_every_kind_of_place_is_seen_from_its_body():
    made = system(ts.load(ARM))
    values = made.mechanism.parameters | dict(zip(made.coordinates, states()[0][0], strict=True))
    l, tip = values["l"], values["tip"]
    X, J = (at(built_of(made, f"{name}:b7"), values) for name in ("pose", "jacobian"))
    for name, r in (("P", [tip, 0, l / 3]), ("tool", [tip, l, 0])):
        seen, arm_ = at(built_of(made, f"pose:{name}"), values), X[:3, :3] @ r
        np.testing.assert_allclose(seen[:3, 3], X[:3, 3] + arm_, atol=1e-14)
        moving = at(built_of(made, f"jacobian:{name}"), values)
        assert len(moving) == (3 if name == "P" else 6), "a point does not turn"
        np.testing.assert_allclose(moving[-3:], J[3:] + cross(J[:3], arm_[:, None]), atol=1e-14)
    np.testing.assert_allclose(at(built_of(made, "pose:P"), values)[:3, :3], X[:3, :3], atol=1e-14)
    assert at(built_of(made, "pose:base"), {})[:3, 3].tolist() == [1, 2, 3]
    for name in ("base", "ground"):
        assert not at(built_of(made, f"jacobian:{name}"), {}).any()
    assert not at(built_of(made, "jacobian:b3"), values)[:, 3:].any(), "what it does not carry"


def test_machine_code_of_a_place_takes_states_and_batches():
    f, (q, v) = arm(), states()
    X, h = f.pose("tool", q), 1e-6
    assert X.shape == (5, 4, 4)
    np.testing.assert_array_equal(f.pose(name="tool", q=q[2]), f.pose("tool", q[2]))
    np.testing.assert_allclose(X[2], f.pose("tool", q[2]), atol=1e-15)
    motion = (f.pose("tool", q + h * v) - f.pose("tool", q - h * v)) / (2 * h)
    for k in range(5):
        R, J = X[k, :3, :3], f.jacobian("tool", q[k])
        twist = twist_of(R, motion[k, :3, :3], motion[k, :3, 3])
        np.testing.assert_allclose(J @ v[k], twist, atol=1e-7)
        own = f.jacobian("tool", q[k], frame="body")
        np.testing.assert_allclose(turned(R) @ own, J, atol=1e-13)
        ends = [f.jacobian("tool", q[k] + s * h * v[k]) for s in (1, -1)]
        found = f.jacobian_rate("tool", q[k], v[k])
        np.testing.assert_allclose(found, (ends[0] - ends[1]) / (2 * h), atol=1e-7)


def test_points_follow_the_parameters_that_place_them():
    f, q = arm(), states()[0][0]
    X, before = f.pose("b7", q), f.point("P", q)
    moved = f.with_parameters(tip=0.5).point("P", q)
    np.testing.assert_allclose(moved - before, X[:3, 0] * 0.35, atol=1e-14)
    swept = f.point("P", q, parameters={"tip": [0.15, 0.5]})
    np.testing.assert_allclose(swept, [before, moved], atol=1e-14)


def test_two_points_of_one_name_in_two_mechanisms_have_their_own_code():
    other = ts.compile(ts.load(ARM | {"points": {"P": ["b3", [0, 0, 0]]}}))
    q = states()[0][0]
    np.testing.assert_allclose(other.point("P", q), arm().point("b3", q), atol=1e-14)
    assert np.abs(other.point("P", q) - arm().point("P", q)).max() > 0.1


def test_a_coupler_point_of_a_closed_linkage_is_that_of_the_run():
    run, f = example_run("four_bar"), example("four_bar")
    name = next(iter(f.mechanism.points))
    np.testing.assert_allclose(f.point(name, run.q), run.point(name), atol=1e-12)
    moving = np.einsum("kij,kj->ki", f.jacobian(name, run.q), run.v)
    np.testing.assert_allclose(moving, run.point(name, derivative=1), atol=1e-11)


def test_what_is_no_place_is_told_with_the_places_there_are():
    f, q = arm(), states()[0][0]
    for call, words in (
        (lambda: f.pose("tol", q), ('place "tol" does not exist', 'Did you mean "tool"')),
        (lambda: f.pose(["tool"], q), ("does not exist", "b7")),
        (lambda: f.jacobian("tool", q, frame="tool"), ('frame "tool" does not exist', "ground")),
        (lambda: f.function("pose"), ("pose:tool", "Places: tool, base, P")),
        (lambda: f.function("pose:tool:body"), ("ground axes",)),
        (lambda: f.pose("tool", q[:3]), ("pose:tool, argument q", "(7,)")),
    ):
        with pytest.raises(ts.ModelError) as caught:
            call()
        assert all(word in str(caught.value) for word in words), caught.value
    twice = ts.compile(ts.load(ARM | {"points": {"b3": ["b7", [0, 0, 0]]}}))
    with pytest.raises(ts.ModelError, match="2 places"):
        twice.pose("b3", q)


@pytest.mark.parametrize("name", PLACED)
def test_a_function_of_a_place_is_a_method_with_signature_and_words(name):
    method, declared = getattr(ts.CompiledModel, name), PLACED[name]
    known = inspect.signature(method).parameters
    letters = [x for x in known if len(x) == 1 and x != "t"]
    assert "".join(letters) == declared.arguments
    assert ("frame" in known) == declared.turned == ("axes of the place" in method.__doc__)
    assert declared.result.format("a frame, a point or a body")[1:] in method.__doc__
    assert inspect.signature(getattr(arm(), name)) == inspect.signature(method)


# --- inertia of a place -------------------------------------------------------------------------


def test_the_operational_inertia_is_that_of_dense_algebra():
    f = arm()
    for q in states()[0][:3]:
        M, J = f.mass_matrix(q), f.jacobian("tool", q)
        W = J @ np.linalg.solve(M, J.T)
        found = f.inverse_operational_inertia("tool", q)
        np.testing.assert_allclose(found, W, rtol=0, atol=1e-12 * np.abs(W).max())
        np.testing.assert_array_equal(found, found.T)
        product = f.operational_inertia("tool", q) @ W
        np.testing.assert_allclose(product, np.eye(6), atol=1e-13 * np.linalg.cond(W))


def test_a_stretched_arm_says_which_motion_no_force_gives():
    arm = "RZ(q1), TXK(1), RY(q2), TXK(1), RY(q3), TXK(1), RX(q4), RY(q5), RX(q6), TXK(0.1);"
    f = ts.compile(ts.load(arm, masses="full"))
    values = {name: 0.3 if name[0] in "MXYZ" else 0.05 for name in f.parameters}
    f = f.with_parameters(**values | {n: 0.0 for n in values if n[:3] in ("IXY", "IXZ", "IYZ")})
    regular = np.array([0.3, 0.4, 0.5, 0.6, 0.7, 0.8])
    assert np.isfinite(f.operational_inertia("tool", regular)).all()
    stretched = np.array([0.0, 0.0, 0.0, 0.6, 0.7, 0.8])
    with pytest.raises(ts.SolveError, match=r"q1 = 0, .*: it has no .*vx.* there, whatever acts"):
        f.operational_inertia("tool", stretched)


def test_an_arm_of_a_plane_has_no_inertia_of_six_directions():
    f = ts.compile(ts.load("RZ(q1), TXK(L1), RZ(q2), TXK(L2);", masses="lever"))
    with pytest.raises(ts.ModelError, match=r"never has ωx, ωy, vz\.\n.*2 \(ωz\), 3 \(vx\)"):
        f.operational_inertia("tool", [0.1, 0.2])


# --- the whole ----------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
def test_centroidal_momentum_is_the_sum_over_the_bodies(seed):
    made, values = placed(seed)
    v, mechanism = speeds_of(made, values), made.mechanism
    G = at(built_of(made, "centre_of_mass"), values)
    P, sigma, moment, mass = np.zeros(3), np.zeros(3), np.zeros(3), 0.0
    for name, body in mechanism.bodies.items():
        X, J = (at(built_of(made, f"{what}:{name}"), values) for what in ("pose", "jacobian"))
        R, (w, origin) = X[:3, :3], np.split(J @ v, 2)
        m, arm_ = float(body.mass), R @ np.asarray(body.centre, dtype=float)
        p = m * (origin + cross(w, arm_))
        inertia = R @ np.asarray(body.inertia, dtype=float) @ R.T
        P, sigma = P + p, sigma + inertia @ w + cross(X[:3, 3] + arm_ - G, p)
        moment, mass = moment + m * (X[:3, 3] + arm_), mass + m
    expected, size = np.concatenate([sigma, P]), 1 + np.abs(sigma).max()
    found = at(built_of(made, "centroidal_momentum"), values)
    np.testing.assert_allclose(found, expected, atol=1e-12 * size)
    A = at(built_of(made, "centroidal_matrix"), values)
    np.testing.assert_allclose(A @ v, expected, atol=1e-12 * size)
    np.testing.assert_allclose(G, moment / mass, atol=1e-12)
    G_rate = at(rate(made, built_of(made, "centre_of_mass")), values)
    np.testing.assert_allclose(mass * G_rate, P, atol=1e-12 * size)


@pytest.mark.parametrize("seed", range(3))
def test_what_floats_keeps_its_momentum_its_rotors_included(seed):
    """Bodies on one free body, motors with spinning rotors, nothing outside."""
    rng = np.random.default_rng(seed)
    made = random_mechanism(rng, Free(), Revolute(seed), bodies=2, motors=True)
    found = system(made)
    assert made.motors
    values = random_state(rng, found)
    a = at(built_of(found, "forward_dynamics"), values | dict.fromkeys(
        (f"Q[{name}]" for name in found.speeds), 0.0))  # fmt: skip
    momentum = built_of(found, "centroidal_momentum")
    along = dict(zip(found.v, expressions(a), strict=True))
    change = at(rate(found, momentum), values) + at(directional(momentum, along), values)
    np.testing.assert_allclose(change, 0, atol=1e-11 * (1 + np.abs(at(momentum, values)).max()))


@pytest.mark.parametrize("seed", range(8))
def test_the_rate_of_the_mass_matrix_less_twice_c_is_skew(seed):
    made, values = placed(seed, motors=True)
    v = speeds_of(made, values)
    C, h = (at(built_of(made, name), values) for name in ("coriolis_matrix", "bias"))
    M_rate = at(rate(made, built_of(made, "mass_matrix")), values)
    size = 1 + np.abs(C).max() * (1 + np.abs(v).max())
    np.testing.assert_allclose(C @ v, h, atol=1e-12 * size)
    np.testing.assert_allclose(M_rate - C - C.T, 0, atol=1e-12 * size)


def test_c_is_that_of_christoffels_symbols():
    """C(x) y = C(y) x where speeds are rates of coordinates."""
    made = system(ts.load(ARM))
    q, (x, y) = states()[0][0], states()[1][:2]
    C, known = built_of(made, "coriolis_matrix"), dict(zip(made.coordinates, q, strict=True))
    known |= made.mechanism.parameters
    first, second = (at(C, known | dict(zip(made.speeds, v, strict=True))) for v in (x, y))
    np.testing.assert_allclose(first @ y, second @ x, rtol=0, atol=1e-13 * np.abs(first).max())


def test_without_mass_there_is_no_centre_of_mass():
    light = ts.load({"bodies": {"b": {"inertia": [1, 1, 1]}}, "joints": {"A": {
        "type": "pivot", "bodies": ["ground", "b"], "axis": "z"}}})  # fmt: skip
    with pytest.raises(ts.ModelError, match="no centre of mass"):
        ts.compile(light).centre_of_mass([0.1])


# --- derivatives by small motions ---------------------------------------------------------------


@pytest.mark.parametrize(("name", "last"), [("inverse_dynamics", "a"), ("forward_dynamics", "Q")])
def test_tangent_derivatives_are_those_of_small_motions(name, last):
    """A ball on a free body, moved along each of its nine speeds."""
    rng, h = np.random.default_rng(5), 1e-5
    made = system(replace(random_mechanism(rng, Free(), Spherical(), bodies=2),
                          gravity=np.array([0.0, 0.3, -9.81])))  # fmt: skip
    n, values = made.tree.nv, random_state(rng, made)
    names = [x.name for x in made.a] if last == "a" else [f"Q[{x}]" for x in made.speeds]
    values |= dict(zip(names, rng.normal(size=n), strict=True))
    call, partial = (built_of(made, x) for x in (name, f"{name}_tangent_derivatives"))
    rates, found = expressions(FUNCTIONS["rates"].build(made)), at(partial, values)
    assert found.shape == (n, (3 if last == "Q" else 2) * n)
    for k, speed in enumerate(made.speeds):
        along = at(rates, values | dict.fromkeys(made.speeds, 0.0) | {speed: 1.0})
        ends = [{x: values[x] + s * h * d for x, d in zip(made.coordinates, along, strict=True)}
                for s in (1, -1)]  # fmt: skip
        moved = np.subtract(*(at(call, values | unit(made, end)) for end in ends)) / (2 * h)
        faster = np.subtract(
            *(at(call, values | {speed: values[speed] + s * h}) for s in (1, -1))
        ) / (2 * h)
        size = 1 + np.abs(moved).max() + np.abs(faster).max()
        np.testing.assert_allclose(found[:, k], moved, atol=1e-7 * size)
        np.testing.assert_allclose(found[:, n + k], faster, atol=1e-7 * size)


def unit(made, values):
    """Coordinates with unit quaternions."""
    for _, link in made.tree:
        names = [x.name for x in made.q[link.q]][-4:]
        length = np.linalg.norm([values[x] for x in names])
        values |= {x: values[x] / length for x in names}
    return values


def test_tangent_derivatives_are_the_plain_ones_where_speeds_are_rates():
    made = system(ts.load("RY(q1), TYK(L1), RX(q2), TYK(L2);", masses="lever"))
    for name in ("inverse_dynamics", "forward_dynamics"):
        plain, tangent = (
            FUNCTIONS[f"{name}{kind}_derivatives"].build(made) for kind in ("", "_tangent")
        )
        assert all(x is y for x, y in zip(plain.flat, tangent.flat, strict=True))


# --- exported -----------------------------------------------------------------------------------

WRITTEN = ("pose:tool", "point:P", "jacobian:tool", "jacobian:tool:body", "jacobian_rate:P")


def test_exported_numpy_code_gives_the_numbers_of_machine_code():
    f, (q, v) = arm(), states()
    (text,) = sources(ts.load(ARM), "numpy", WRITTEN).values()
    scope: dict = {}
    exec(text, scope)
    p = [f.parameters[name] for name in ("l", "tip", "m")]
    for name in WRITTEN:
        own = name.replace(":", "_")
        given = (q[0], v[0])[: len(inspect.signature(scope[own]).parameters) - 1]
        found = scope[own](scope[f"{own}_constants"](p), *given)
        assert_close(found, f.function(name)(*given), 1e-12)


@pytest.mark.skipif(GCC is None, reason="gcc is not on the PATH")
def test_exported_c_gives_the_numbers_of_machine_code(tmp_path):
    f, (q, v) = arm(), states()
    library = built(sources(ts.load(ARM), "c", WRITTEN), tmp_path)
    p = np.array([f.parameters[name] for name in ("l", "tip", "m")])
    for name in WRITTEN:
        given = (q[0], v[0]) if "rate" in name else (q[0],)
        expected = f.function(name)(*given)
        found = library(name.replace(":", "_"), p, given, expected.shape)
        assert_close(found, expected, 1e-12)


@pytest.mark.parametrize("to", LANGUAGES)
def test_functions_of_places_are_written_in_every_language(to):
    text = "".join(sources(ts.load(ARM), to, WRITTEN).values())
    assert all(name.replace(":", "_") in text for name in WRITTEN)
    assert "tip" in text, "the parameters of a point are among those of the file"


def test_the_command_writes_functions_of_places_with_values_in_them(tmp_path):
    phrase = "RY(q1), TYK(L1), RX(q2), TYK(L2);"
    given = ["export", phrase, "--to", "c", "--functions", "pose:tool,jacobian:tool:body", "-o"]
    values = ["--set", "L1=0.25", "--set", "L2=0.5", "--set", "G=-9.81"]
    done = CliRunner().invoke(commands, [*given, str(tmp_path), "--fixed", *values])
    assert done.exit_code == 0, done.output
    text = (tmp_path / "phrase.c").read_text(encoding="utf-8")
    assert "phrase_jacobian_tool_body" in text
    assert "0.25" in text
    assert "No parameters." in text
    missing = CliRunner().invoke(commands, [*given, str(tmp_path), "--fixed"])
    assert "--set L1=1.0" in str(missing.exception)
