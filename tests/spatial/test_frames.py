"""Frames, points and velocity fields: relative motions, composition, rigidity, contact points."""

from types import SimpleNamespace

import numpy as np
import pytest
from random_trees import random_coordinates, random_pose, random_tree

import torseur as ts
from torseur.algebra.calculus.derivative import directional
from torseur.algebra.core.expr import symbol
from torseur.algebra.core.graph import evaluate, expressions
from torseur.dynamics.tree.kinematics import accelerations, ground_poses
from torseur.equations.symbols.system import System
from torseur.model.description import Frame
from torseur.model.values.numeric import numeric_mechanism
from torseur.spatial.velocity_field import rigid_fit
from torseur.topology.structure import structure

SAMPLES = 3
EXACT = dict(rel=1e-11, abs=1e-11)  # rounding of a few hundred operations on numbers of order one


def close(x, **tolerance):
    return pytest.approx(x, **(tolerance or EXACT))


# --- random trees -------------------------------------------------------------------------------


def symbolic_system(tree, frames):
    mechanism = SimpleNamespace(
        bodies={link.name: None for _, link in tree}, frames=frames, points={}
    )

    def named(letter, kind, count):
        return np.array([symbol(f"{letter}{k}", kind) for k in range(count)], dtype=object)

    return System(
        mechanism,
        tree,
        named("q", "coordinate", tree.nq),
        named("v", "speed", tree.nv),
        named("a", "acceleration", tree.nv),
    )


def random_observer(seed):
    """Random states of a random tree with a frame on its last body, and their observer."""
    rng = np.random.default_rng(seed)
    tree = random_tree(rng, bodies=int(rng.integers(3, 7)))
    last = tree.links[-1].name
    system = symbolic_system(tree, {"tool": Frame("tool", last, random_pose(rng))})
    model = SimpleNamespace(system=system, mechanism=system.mechanism, parameters={})
    q = np.array([random_coordinates(rng, tree) for _ in range(SAMPLES)])
    v, a = rng.normal(size=(2, SAMPLES, tree.nv))
    motion = SimpleNamespace(model=model, t=np.arange(SAMPLES), q=q, v=v, a=a)
    return motion, ts.observe.motion(motion), rng


def seen_by_differentiation(samples, point, frame):
    """Coordinates of a point in a frame as expressions of the state, and two time derivatives."""
    system = samples.model.system
    poses = ground_poses(system.tree, system.q)
    placed = {link.name: poses[i] for i, link in system.tree}
    tool = system.mechanism.frames["tool"]
    placed["tool"] = placed[tool.body] @ tool.pose
    carrier, r = point
    x = expressions(placed[frame].inverse.point(placed[carrier].point(np.array(r))))
    along = dict(zip(system.v, system.a, strict=True))
    for _, link in system.tree:
        rates = link.joint.rates(system.q[link.q], system.v[link.v])
        along |= dict(zip(system.q[link.q], rates, strict=True))
    velocity = directional(x, along)
    both = np.array([x, velocity, directional(velocity, along)])
    rows = []
    for q, v, a in zip(samples.q, samples.v, samples.a, strict=True):
        names = [s.name for s in (*system.q, *system.v, *system.a)]
        rows.append(evaluate(both, dict(zip(names, [*q, *v, *a], strict=True))))
    return np.moveaxis(np.array(rows, dtype=float), 1, 0)


@pytest.mark.parametrize("seed", range(8))
def test_what_a_frame_sees_are_derivatives_of_the_coordinates_in_it(seed):
    motion, observer, rng = random_observer(seed)
    r = rng.normal(size=3)
    for point, frame in ((("tool", r), "0"), (("1", r), "tool")):
        expected = seen_by_differentiation(motion, point, frame)
        for k in range(3):
            found = observer.point(point, k, frame=frame)
            assert found == close(expected[k], rel=1e-9, abs=1e-9 * np.abs(expected[k]).max())


@pytest.mark.parametrize("seed", range(5))
def test_relative_entrainment_and_coriolis_terms_sum_to_the_absolute_motion(seed):
    _, observer, rng = random_observer(seed)
    point = ("tool", rng.normal(size=3))
    for reference, axes in (("ground", ""), ("0", ""), ("1", "2")):
        terms = ts.observe.composition(observer, point, "2", reference=reference, axes=axes)
        v, a = terms.velocity, terms.acceleration
        scale = np.abs(a.absolute).max() + np.abs(a.relative).max()
        assert v.relative + v.entrainment == close(v.absolute)
        total = a.relative + a.entrainment + a.coriolis
        assert total == close(a.absolute, rel=1e-11, abs=1e-12 * scale)


@pytest.mark.parametrize("seed", range(5))
def test_entrainment_and_coriolis_terms_are_those_of_bour(seed):
    _, observer, rng = random_observer(seed)
    point = ("tool", rng.normal(size=3))
    terms = ts.observe.composition(observer, point, "1")
    frame, P = observer.frame("1"), observer.point(point)
    OP = P - frame.p[0]
    w, dw = observer.angular_velocity("1"), observer.angular_acceleration("1")
    v_e = frame.p[1] + np.cross(w, OP)
    a_e = frame.p[2] + np.cross(dw, OP) + np.cross(w, np.cross(w, OP))
    assert terms.velocity.entrainment == close(v_e)
    assert terms.acceleration.entrainment == close(a_e)
    assert terms.acceleration.coriolis == close(2 * np.cross(w, terms.velocity.relative))
    assert terms.coriolis_force(2.0) == close(-4 * np.cross(w, terms.velocity.relative))


@pytest.mark.parametrize("seed", range(5))
def test_angular_velocities_add_and_angular_accelerations_add_with_a_cross_term(seed):
    _, observer, _ = random_observer(seed)
    of, rate = observer.angular_velocity, observer.angular_acceleration
    carried, own = of("1", "0"), of("tool", "1", axes="0")
    assert of("tool", "0") == close(own + carried)
    total = rate("tool", "1", axes="0") + rate("1", "0") + np.cross(carried, own)
    assert rate("tool", "0") == close(total)
    assert of("0", "tool") == close(-of("tool", "0", axes="tool"))


@pytest.mark.parametrize("seed", range(5))
def test_two_points_of_a_body_have_equal_velocities_along_their_line(seed):
    _, observer, rng = random_observer(seed)
    A, B = (("tool", r) for r in rng.normal(size=(2, 3)))
    for frame in ("ground", "0"):
        AB = observer.point(B, frame=frame) - observer.point(A, frame=frame)
        difference = observer.point(B, 1, frame=frame) - observer.point(A, 1, frame=frame)
        assert (AB * difference).sum(axis=1) == close(np.zeros(SAMPLES))


# --- a run, and names ---------------------------------------------------------------------------


def bar(length):
    return {"mass": 1, "centre": [length / 2, 0, 0], "inertia": [0.01, 0.01, 0.01]}


def pivot(first, second, at=(0, 0, 0), own=(0, 0, 0), axis="z"):
    return {"type": "pivot", "bodies": [first, second], "axis": axis, "point": [[*at], [*own]]}


FOUR_BAR = {
    "gravity": [0, -9.81, 0],
    "parameters": {"l": 0.2, "h": 0.1},
    "bodies": {"crank": bar(0.2), "coupler": bar(0.5), "rocker": bar(0.4)},
    "joints": {
        "A": pivot("ground", "crank"),
        "B": pivot("crank", "coupler", (0.2, 0, 0)),
        "C": pivot("coupler", "rocker", (0.5, 0, 0), (0.4, 0, 0)),
        "D": pivot("ground", "rocker", (0.5, 0, 0)),
    },
    "frames": {
        "tool": {"body": "coupler", "position": ["2*l", "h", 0], "rotation": [{"z": "90 deg"}]},
        "table": {"body": "ground", "position": [1, 0, 0], "rotation": [{"z": "90 deg"}]},
    },
    "points": {"P": ["tool", [0.1, 0, 0]], "Q": ["coupler", [0.4, 0.2, 0]]},
}


@pytest.fixture(scope="module")
def swinging():
    start = {"A": 1.0, "B": -0.5, "C": 1.0}
    return ts.simulate(ts.load(FOUR_BAR), 0.1, rate=2000, initial=start)


def slope(x, h):
    """The derivative at all samples but two at each end, with an error of order h⁴."""
    return (8 * (x[3:-1] - x[1:-3]) - (x[4:] - x[:-4])) / (12 * h)


@pytest.mark.parametrize("frame", ["ground", "table", "crank", "rocker"])
def test_points_of_a_run_move_with_the_velocities_that_are_read(swinging, frame):
    observer, h = ts.observe.motion(swinging), swinging.t[1]
    x, v, a = (observer.point("P", k, frame=frame) for k in range(3))
    noise = 1e-9 / h  # the accuracy of the run between its steps, over the step
    assert slope(x, h) == close(v[2:-2], rel=noise, abs=noise)
    assert slope(v, h) == close(a[2:-2], rel=noise, abs=noise)


def test_all_samples_at_once_give_what_the_recursion_gives_one_by_one(swinging):
    model = swinging.model
    tree = structure(numeric_mechanism(model.mechanism, model.parameters)).tree
    i = next(i for i, link in tree if link.name == "coupler")
    r = tree.links[i].X_MB.point(np.array([0.4, 0.2, 0]))
    found = ts.observe.motion(swinging).point("P", 2)
    for k in range(0, len(swinging.t), 20):
        q, v, a = swinging.q[k], swinging.v[k], swinging.a[k]
        motion = accelerations(tree, q, v, a, np.zeros(3))[i]
        expected = ground_poses(tree, q)[i].R.out(motion.acc + motion.U @ r)
        assert found[k] == close(expected, rel=1e-11, abs=1e-11 * np.abs(found).max())


def test_a_named_frame_moves_with_its_body_and_places_points(swinging):
    observer = ts.observe.motion(swinging)
    assert observer.point("P") == close(observer.point("Q"))  # the same point, given twice
    R = observer.frame("tool", "coupler")
    assert R.p[0] == close(np.tile([0.4, 0.1, 0], (len(swinging.t), 1)))
    assert not np.abs(R.R[1:]).max() > 1e-12
    assert observer.angular_velocity("tool", "coupler") == close(0 * R.p[0])
    here = observer.point("Q", frame="table")
    expected = np.stack([observer.point("Q")[:, 1], 1 - observer.point("Q")[:, 0]], axis=-1)
    assert here[:, :2] == close(expected)


def test_poses_of_all_bodies_place_their_points(swinging):
    observer = ts.observe.motion(swinging)
    R, p = observer.poses["coupler"]
    assert p + R @ [0.4, 0.2, 0] == close(observer.point("Q"))


def test_other_axes_turn_the_components_and_keep_the_length(swinging):
    observer = ts.observe.motion(swinging)
    own, other = (observer.point("Q", 1, frame="crank", axes=x) for x in ("crank", "rocker"))
    assert np.linalg.norm(own, axis=1) == close(np.linalg.norm(other, axis=1))
    R = observer.frame("crank", "rocker", derivatives=0).R[0]
    assert (R @ own[..., None])[..., 0] == close(other)


@pytest.mark.parametrize(
    "frames, said",
    [
        ({"tool": {"body": "cranc"}}, 'body "cranc" does not exist'),
        ({"crank": {"body": "crank"}}, 'the name "crank" is that of a body'),
        ({"ground": {"body": "crank"}}, 'the name "ground" is that of a body'),
        ({"tool": {"position": [0, 0, 0]}}, 'the entry "body" is missing'),
        ({"tool": {"body": "crank", "origin": [0, 0, 0]}}, 'unknown entry "origin" for a frame'),
        ({"tool": {"body": "crank", "position": [0, 0]}}, "3 values are expected"),
    ],
)
def test_a_frame_that_cannot_be_says_why(frames, said):
    with pytest.raises(ts.ModelError, match=said):
        ts.load({**FOUR_BAR, "frames": frames, "points": {}})


def test_unknown_frames_points_and_derivatives_are_named_with_those_that_exist(swinging):
    observer = ts.observe.motion(swinging)
    with pytest.raises(ts.ModelError, match="Known frames: coupler, crank, ground"):
        observer.point("P", frame="crnk")
    with pytest.raises(ts.ModelError, match="Known points: P, Q"):
        observer.point("R")
    with pytest.raises(ts.ModelError, match="the derivative 3"):
        observer.point("P", 3)


def test_a_given_motion_of_the_wrong_shape_shows_the_order_of_its_columns():
    model = ts.load(FOUR_BAR)
    with pytest.raises(ts.ModelError, match=r"argument v: expected shape \(4, 3\).*got \(4, 2\)"):
        ts.observe.given_motion(
            model, np.arange(4), np.zeros((4, 3)), np.zeros((4, 2)), np.zeros((4, 3))
        )


# --- exercises of the courses -------------------------------------------------------------------


def steady(model, t, speeds, start=0.0):
    """The motion with constant speeds."""
    q = start + np.outer(t, speeds)
    v = np.tile(np.asarray(speeds, dtype=float), (len(t), 1))
    return ts.observe.given_motion(ts.load(model), t, q, v, 0 * v)


def test_the_cabin_of_a_ferris_wheel_does_not_turn():
    """Plaut, exercise 1.1."""
    R, w, theta = 8.0, 0.3, 0.4
    model = {
        "bodies": {"wheel": {"mass": 1}, "cabin": {"mass": 1}},
        "joints": {"O": pivot("ground", "wheel"), "A": pivot("wheel", "cabin", (R, 0, 0))},
    }
    t = np.linspace(0, 20, 9)
    start = np.array([theta, -theta])
    observer = ts.observe.motion(steady(model, t, [w, -w], start))
    cabin, angle = observer.frame("cabin"), w * t + theta
    moved = R * np.stack([np.cos(angle) - np.cos(theta), np.sin(angle) - np.sin(theta), 0 * t], 1)
    velocity = R * w * np.stack([-np.sin(angle), np.cos(angle), 0 * t], 1)
    M0 = np.array([7.0, 1.0, 0.5])
    assert cabin.followed(M0).position == close(M0 + moved)
    assert cabin.traced_back(M0) == close(M0 - moved)
    assert cabin.followed(M0).velocity == close(velocity)
    assert cabin.carried(np.array([1.0, -3, 2])).velocity == close(velocity)  # uniform
    e_z = np.tile([0, 0, 1.0], (len(t), 1))
    assert observer.angular_velocity("cabin") == close(0 * e_z)
    assert observer.angular_velocity("cabin", "wheel") == close(-w * e_z)
    assert observer.angular_velocity("wheel") == close(w * e_z)


def test_the_entrainment_of_a_steadily_turning_frame_is_centripetal():
    """Plaut, exercise 1.3: γ_e = −ω² HM, H being the projection on the axis."""
    w, m, M = 1.7, 3.0, np.array([0.3, -0.4, 0.9])
    model = {"bodies": {"disc": {"mass": 1}}, "joints": {"O": pivot("ground", "disc")}}
    motion = steady(model, np.linspace(0, 1, 5), [w])
    terms = ts.observe.composition(motion, ("ground", M), "disc")
    HM = np.tile([*M[:2], 0], (5, 1))
    assert terms.acceleration.entrainment == close(-(w**2) * HM)
    assert terms.entrainment_force(m) == close(m * w**2 * HM)
    assert terms.acceleration.absolute == close(0 * HM)


def test_the_frames_of_the_earth_have_the_accelerations_of_the_course():
    """Plaut, §3.1.3 and §3.1.4: γ_e = 6e-3 m/s² = G m_S/d², γ_c = v/6880 s."""
    d, r, year, day, v = 150e9, 6380e3, 365.25 * 86400, 86400.0, 100.0
    year_rate, day_rate = 2 * np.pi / year, 2 * np.pi / day  # 24 h as there; see erratum E4-13
    names = ("radius", "geocentric", "earth", "train")
    model = {
        "bodies": {name: {"mass": 1} for name in names},
        "joints": {
            "S": pivot("ground", "radius"),
            "T": pivot("radius", "geocentric", (d, 0, 0)),
            "N": pivot("geocentric", "earth"),
            "track": {
                "type": "prismatic",
                "bodies": ["earth", "train"],
                "axis": "y",
                "point": [[r, 0, 0], [0, 0, 0]],
            },
        },
    }
    motion = steady(model, np.array([0.0]), [year_rate, -year_rate, day_rate, v])
    centre = ts.observe.composition(motion, ("earth", [0, 0, 0]), "geocentric")
    size = np.linalg.norm(centre.acceleration.entrainment)
    assert size == pytest.approx(6e-3, rel=0.02)  # of the exercise
    assert size == pytest.approx(6.67e-11 * 2e30 / d**2, rel=5e-3)  # their masses have 3 digits
    assert not centre.acceleration.coriolis.any()
    train = ts.observe.composition(motion, ("train", [0, 0, 0]), "earth", reference="geocentric")
    coriolis = np.linalg.norm(train.acceleration.coriolis)
    assert coriolis == pytest.approx(v / 6880, rel=1e-3)
    assert train.velocity.entrainment[0] == close([0, day_rate * r, 0], rel=1e-6)


FIELD = ["a*cos(b*t) - c*t*x2 + d*t*x1", "a*sin(b*t) + c*t*x1 + d*t*x2", "-d*t*(x1 + x2)"]


def test_the_field_of_the_exercise_is_rigid_only_without_d():
    """Plaut, exercise 1.2."""
    found = ts.torseurs.rigidity(FIELD)
    assert not found.rigid
    assert [str(x) for x in found.conditions] == ["d*t"]
    solid = ts.torseurs.rigidity(FIELD, d=0)
    assert solid.rigid
    assert [str(x) for x in solid.rotation] == ["0", "0", "c*t"]
    assert [str(x) for x in solid.torseur([0, 0, 0]).moment] == ["a*cos(b*t)", "a*sin(b*t)", "0"]
    with pytest.raises(ts.ModelError, match=r"rigid only if d\*t = 0"):
        found.torseur([0, 0, 0])


def test_quaternions_of_a_given_motion_count_by_their_direction():
    ball = {"bodies": {"a": {"mass": 1, "inertia": [1, 2, 2.5]}},
            "joints": {"O": {"type": "rotule", "bodies": ["ground", "a"]}}}  # fmt: skip
    still, turning = np.zeros((1, 3)), np.array([[0.2, 0.3, 0.4]])
    given = ts.observe.given_motion(ball, [0.0], [[2.0, 0, 0, 1.0]], turning, still)
    R = ts.observe.motion(given).poses["a"][0][0]
    assert close(ts.attitude.quaternion.matrix([2, 0, 0, 1])) == R
    assert ts.observe.motion(given).angular_velocity("a")[0] == close(R @ turning[0])
    with pytest.raises(ts.ModelError, match="O_w, O_x, O_y, O_z are all 0 in row 0"):
        ts.observe.given_motion(ball, [0.0], [[0, 0, 0, 0]], turning, still)
    with pytest.raises(ts.ModelError, match="O_wy is nan in row 0"):
        ts.observe.given_motion(ball, [0.0], [[1, 0, 0, 0]], [[0, np.nan, 0]], still)
    with pytest.raises(ts.ModelError, match="has not three coordinates"):
        ts.observe.motion(given).point(("a", [1, 2]), 1)


def test_a_field_that_no_parameter_makes_rigid_says_so_with_its_strain_rates():
    found = ts.torseurs.rigidity(["-x2*x3 + k*x1", "x1*x3", "0"])
    assert not found.rigid
    told = "Not rigid: strain rates D11 = k, D13 = -1/2*x2, D23 = 1/2*x1"
    assert str(found) == f"{told}; half its curl is [-1/2*x1, -1/2*x2, x3]."
    with pytest.raises(ts.ModelError, match=r"it is not rigid: strain rates D11 = k"):
        found.torseur([0, 0, 0])


def test_the_curl_of_a_rigid_field_is_twice_its_rotation_and_gives_its_torseur():
    """Plaut, §1.1.5."""
    field = ["u + q*x3 - r*x2", "v + r*x1 - p*x3", "w + p*x2 - q*x1"]
    found = ts.torseurs.rigidity(field)
    assert [str(x) for x in found.rotation] == ["p", "q", "r"]
    at = [symbol(name) for name in ("X", "Y", "Z")]
    moved = found.torseur([0, 0, 0]).at(np.array(at, dtype=object))
    values = dict(zip("uvwpqrXYZ", np.random.default_rng(0).normal(size=9), strict=True))
    assert evaluate(moved.moment, values) == close(evaluate(found.torseur(at).moment, values))


def test_a_strain_rate_that_no_rule_sees_to_be_zero_is_still_zero():
    hidden = "(cosh(k)^2 - sinh(k)^2 - 1)*x1"
    assert ts.torseurs.rigidity([f"-x2 + {hidden}", "x1", hidden]).rigid
    assert not ts.torseurs.rigidity([f"-x2 + {hidden}", "x1", "x3"]).rigid


# --- velocities known at points -----------------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
def test_velocities_of_a_rigid_body_at_points_give_its_torseur(seed):
    rng = np.random.default_rng(seed)
    x, (w, v) = rng.normal(size=(6, 3)), rng.normal(size=(2, 3))
    found = rigid_fit(x, v + np.cross(w, x))
    assert found.rigid()
    assert not len(found.unseen)
    assert found.torseur.resultant == close(w)
    assert found.torseur.at(np.zeros(3)).moment == close(v)
    assert found.strain_rate == close(np.zeros((3, 3)))


@pytest.mark.parametrize("seed", range(5))
def test_a_stretch_is_left_over_and_measured(seed):
    rng = np.random.default_rng(seed)
    x, w, A = rng.normal(size=(8, 3)), rng.normal(size=3), rng.normal(size=(3, 3))
    D = 1e-3 * (A + A.T)
    found = rigid_fit(x, np.cross(w, x) + x @ D)
    assert not found.rigid()
    assert found.strain_rate == close(D)
    r = x - x.mean(axis=0)
    for change in 1e-6 * np.concatenate([np.eye(3), -np.eye(3)]):  # no other rotation leaves less
        other = found.residuals - np.cross(change, r)
        assert (found.residuals**2).sum() < (other**2).sum()


def test_points_on_a_line_do_not_show_the_rotation_about_it():
    x = np.outer([0.0, 1, 2], [0, 0, 1.0])
    found = rigid_fit(x, np.cross([0.5, 0, 3.0], x))
    assert np.abs(found.unseen) == close(np.array([[0, 0, 1.0]]))
    assert found.torseur.resultant == close([0.5, 0, 0])
    assert found.strain_rate is None


def test_points_and_velocities_must_go_together():
    with pytest.raises(ts.ModelError, match=r"got \(2, 3\), \(3, 3\)"):
        ts.torseurs.rigid_fit(np.zeros((2, 3)), np.zeros((3, 3)))


# --- points of contact --------------------------------------------------------------------------

COIN = {  # a disc of mass m and radius a about y of its frame, its centre anywhere
    "bodies": {
        **{name: {"mass": 0} for name in ("x", "y", "z", "heading", "tilt")},
        "disc": {"mass": 2, "centre": [0.03, 0, 0.02], "inertia": [0.02, 0.04, 0.03]},
    },
    "joints": {
        "X": {"type": "prismatic", "bodies": ["ground", "x"], "axis": "x"},
        "Y": {"type": "prismatic", "bodies": ["x", "y"], "axis": "y"},
        "Z": {"type": "prismatic", "bodies": ["y", "z"], "axis": "z"},
        "theta": pivot("z", "heading"),
        "beta": pivot("heading", "tilt", axis="x"),
        "phi": pivot("tilt", "disc", axis="y"),
    },
}
RADIUS = 0.3


def on_the_plane(beta):
    """The height of the centre of a disc tilted by β that touches the plane z = 0."""
    return RADIUS * np.cos(beta)


def spectral(x):
    """The derivative of samples of one period 2π: exact to rounding for what is smooth enough."""
    n = len(x)
    k = np.fft.fftfreq(n, 1 / n)
    k[n // 2] = 0
    return np.fft.ifft(1j * k[:, None] * np.fft.fft(x, axis=0), axis=0).real


@pytest.fixture(scope="module")
def wobbling():
    """A tilting, turning, slipping disc that keeps in touch with the plane; periodic in time."""
    t = 2 * np.pi * np.arange(128) / 128
    beta = 0.3 * np.sin(t)
    q = np.stack(
        [
            0.2 * np.cos(t),
            0.1 * np.sin(2 * t),
            on_the_plane(beta),
            0.5 * np.cos(t),
            beta,
            np.sin(t),
        ],
        axis=1,
    )
    v = spectral(q)
    return ts.observe.given_motion(ts.load(COIN), t, q, v, spectral(v))


@pytest.mark.parametrize("speed", [2.0, -0.7])
def test_a_rolling_wheel_has_three_points_of_contact(speed):
    """Llibre, §1.3.2: velocities 0, 0 and V."""
    motion = steady(COIN, np.linspace(0, 1, 4), [speed, 0, 0, 0, 0, speed / RADIUS])
    motion.q[:, 2] = RADIUS
    contact = ts.observe.wheel_contact(motion, "disc", RADIUS, axis="y")
    nothing, along = np.zeros((4, 3)), np.tile([speed, 0, 0], (4, 1))
    assert contact.gap == close(np.zeros(4))
    assert contact.surface.velocity == close(nothing)
    assert contact.wheel.velocity == close(nothing)
    assert contact.slip == close(nothing)
    assert contact.geometric.velocity == close(along)
    assert contact.surface.acceleration == close(nothing)
    assert contact.wheel.acceleration == close(np.tile([0, 0, speed**2 / RADIUS], (4, 1)))
    assert contact.geometric.acceleration == close(nothing)
    assert contact.geometric.position == close(contact.wheel.position)


def test_the_place_of_contact_moves_with_its_own_velocity(wobbling):
    contact = ts.observe.wheel_contact(wobbling, "disc", RADIUS, axis="y")
    x = contact.geometric
    assert contact.gap == close(np.zeros(128))
    assert spectral(x.position) == close(x.velocity, rel=1e-9, abs=1e-9)
    assert spectral(x.velocity) == close(x.acceleration, rel=1e-9, abs=1e-8)
    assert contact.slip[:, 2] == close(np.zeros(128))  # it stays on the plane
    assert np.abs(contact.slip).max() > 0.1


def test_a_wheel_on_a_moving_plane_slips_relative_to_it():
    lift = {
        "bodies": {"tray": {"mass": 1}, "wheel": {"mass": 1}},
        "joints": {
            "T": {"type": "prismatic", "bodies": ["ground", "tray"], "axis": "x"},
            "W": pivot("ground", "wheel", (0, 0, RADIUS), axis="y"),
        },
    }
    motion = steady(lift, np.linspace(0, 1, 3), [0.6, -0.6 / RADIUS])  # as a treadmill
    contact = ts.observe.wheel_contact(motion, "wheel", RADIUS, axis="y", plane="tray")
    assert contact.slip == close(np.zeros((3, 3)))
    assert contact.surface.velocity == close(np.tile([0.6, 0, 0], (3, 1)))
    assert contact.geometric.velocity == close(np.zeros((3, 3)))


def test_a_wheel_that_lies_flat_has_no_single_point_of_contact():
    motion = steady(COIN, np.array([0.0]), [0] * 6)
    with pytest.raises(ts.SolveError, match="lies flat"):
        ts.observe.wheel_contact(motion, "disc", RADIUS, axis="z")
    with pytest.raises(ts.ModelError, match="radius -1"):
        ts.observe.wheel_contact(motion, "disc", -1)
    with pytest.raises(ts.ModelError, match='axis "w"'):
        ts.observe.wheel_contact(motion, "disc", 1, axis="w")


def test_the_moment_theorem_takes_the_velocity_of_the_place_not_of_the_material_point(wobbling):
    """Llibre, §1.3.2 « Attention »."""
    contact = ts.observe.wheel_contact(wobbling, "disc", RADIUS, axis="y")
    place = contact.geometric
    found = ts.observe.moment_theorem(wobbling, "disc", place)
    assert spectral(found.kinetic) == close(found.rate, rel=1e-8, abs=1e-8)
    assert ts.observe.moment_at_body_point(wobbling, "disc", place) == close(found.moment)
    wrong = ts.observe.moment_theorem(
        wobbling, "disc", contact.wheel
    )  # the same place at each time
    assert wrong.kinetic == close(found.kinetic)
    assert np.abs(wrong.rate - spectral(found.kinetic)).max() > 0.1
    assert wrong.moment == close(found.moment)  # each with its own velocity throughout


def test_a_vertical_disc_that_rolls_in_a_circle_needs_its_couple():
    """Plaut, exercise 3.1: (3/2) m a² φ̇ θ̇ about the direction of rolling."""
    m, a, theta_rate, phi_rate = 2.0, RADIUS, 0.8, 3.0
    inertia = [m * a**2 / 4, m * a**2 / 2, m * a**2 / 4]
    model = {
        **COIN,
        "bodies": {**COIN["bodies"], "disc": {"mass": m, "inertia": inertia}},
    }
    t = np.linspace(0, 1, 5)
    theta, still = theta_rate * t, 0 * t
    V = a * phi_rate  # along the axis x of the heading
    q = np.stack([V / theta_rate * np.sin(theta), -V / theta_rate * np.cos(theta), a + still,
                  theta, still, phi_rate * t], axis=1)  # fmt: skip
    ahead, aside = (np.stack(x, 1) for x in (
        [np.cos(theta), np.sin(theta), still], [-np.sin(theta), np.cos(theta), still]))  # fmt: skip
    v = np.concatenate([V * ahead, np.tile([theta_rate, 0, phi_rate], (5, 1))], axis=1)
    acceleration = np.concatenate([V * theta_rate * aside, np.zeros((5, 3))], axis=1)
    motion = ts.observe.given_motion(ts.load(model), t, q, v, acceleration)
    contact = ts.observe.wheel_contact(motion, "disc", a, axis="y")
    assert contact.slip == close(np.zeros((5, 3)))
    moment = ts.observe.moment_theorem(motion, "disc", contact.geometric).moment
    assert moment == close(-1.5 * m * a**2 * phi_rate * theta_rate * ahead)
