"""Many bodies that touch: laws of contact, friction and shocks under steps of Moreau and Jean."""

from types import FunctionType

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import torseur as ts
from torseur.errors import ModelError, SolveError
from torseur.machine.piles import places as at
from torseur.machine.piles.kernels import cone
from torseur.spatial import quaternion

G = 9.81
STATE = 13  # numbers of a body
FLOOR = {"among": "all", "normal": "z"}


def sphere(radius=0.1):
    return {"sphere": {"radius": radius}}


def box(*size):
    return {"box": {"size": list(size)}}


def capsule(radius, length, axis="z"):
    return {"capsule": {"radius": radius, "length": length, "axis": axis}}


def scene(bodies, contacts, gravity=(0, 0, -G), **sections):
    """A mechanism of free bodies: name → mass, shape and initial values."""
    joints = {f"J{name}": {"type": "free", "bodies": ["ground", name]} for name in bodies}
    initial = {f"J{b}_{q}": x for b, (_, _, own) in bodies.items() for q, x in own.items()}
    masses = {name: {"mass": m, "shape": shape} for name, (m, shape, _) in bodies.items()}
    return ts.load(
        {
            "gravity": list(gravity),
            "bodies": masses,
            "joints": joints,
            "contacts": contacts,
            "initial": initial,
            **sections,
        }
    )


def on_slope(degrees, friction):
    """A box on a floor that gravity is inclined to, so that it slides along x."""
    a = np.radians(degrees)
    down = (float(G * np.sin(a)), 0, float(-G * np.cos(a)))
    return scene(
        {"b": (2.0, box(0.2, 0.2, 0.1), {"z": 0.05})},
        {"floor": {**FLOOR, "friction": friction}},
        down,
    )


def moved(mechanism, duration, step=1e-3, **options):
    return ts.simulate(mechanism, duration, method="moreau", step=step, **options)


def total_energy(run):
    return run.energy["kinetic"] + run.energy["potential"]


def momenta(run):
    """Linear momentum, and angular momentum about the origin of the ground (samples, 3)."""
    P, L = np.zeros((2, len(run.t), 3))
    for k, body in enumerate(run.samples.poses.model.numbers.bodies.values()):
        own = run.samples.kept_states[:, STATE * k : STATE * (k + 1)]
        r, v, w = own[:, :3], own[:, 7:10], own[:, 10:]
        R = quaternion.matrix(tuple(own[:, 3:7].T)).reshape(3, 3, -1)
        spin = np.einsum("ijt,jk,tk->ti", R, np.asarray(body.inertia, dtype=float), w)
        P, L = P + body.mass * v, L + body.mass * np.cross(r, v) + spin
    return P, L


# --- one body on a plane -------------------------------------------------------------------------


def test_a_box_slides_down_a_slope_with_the_acceleration_of_coulomb():
    errors = []
    for step in (4e-3, 2e-3, 1e-3):
        run = moved(on_slope(30, 0.3), 1.0, step, at=[1.0])
        assert run["Jb_x."][-1] == pytest.approx(2.356287, abs=1e-6)
        errors.append(run["Jb_x"][-1] - 2.35628724 / 2)
    np.testing.assert_allclose(np.array(errors) / errors[-1], [4, 2, 1], rtol=1e-4)  # order 1


def test_what_slides_does_not_lift():
    run = moved(on_slope(30, 0.3), 1.0, rate=100)
    assert np.abs(run["Jb_z."]).max() < 1e-12  # a relaxed cone gives 0.3 of the sliding speed
    assert np.abs(run["Jb_z"] - 0.05).max() < 1e-12


def test_a_box_that_sticks_does_not_move_by_a_single_bit():
    states = moved(on_slope(10, 0.5), 1.0, rate=100).samples.kept_states[:, :STATE]
    assert np.array_equal(states, states[:1].repeat(101, axis=0))


def test_a_box_that_stops_stays_exactly_where_it_stopped():
    m = scene(
        {"b": (1.0, box(0.2, 0.2, 0.1), {"z": 0.05, "x.": 1.0})},
        {"floor": {**FLOOR, "friction": 0.3}},
    )
    run = moved(m, 1.0, rate=100)
    stop = 1 / (0.3 * G)
    after = run.samples.kept_states[run.t > stop + 2e-3, :STATE]
    assert np.array_equal(after, after[:1].repeat(len(after), axis=0))
    assert run["Jb_x"][-1] == pytest.approx(1 / (2 * 0.3 * G), abs=1e-3)


@pytest.mark.parametrize("step", [1e-2, 1e-3])
def test_a_ball_slides_until_it_rolls_at_five_sevenths_of_its_speed(step):
    ball = {"b": (1.0, sphere(), {"z": 0.1, "x.": 7.0})}
    m = scene(ball, {"floor": {**FLOOR, "friction": 0.2}})
    run = moved(m, 2.0, step, at=[1.0193679918, 2.0])
    np.testing.assert_allclose(run["Jb_x."], 5.0, rtol=1e-9)
    np.testing.assert_allclose(run["Jb_wy"], 50.0, rtol=1e-9)
    assert run["Jb_x"][0] == pytest.approx(6.116207951, abs=2 * step)


@pytest.mark.parametrize(("step", "error"), [(1e-3, 4e-3), (1e-4, 4e-4)])
def test_a_ball_bounces_as_often_and_as_high_as_it_should(step, error):
    m = scene({"b": (1.0, sphere(), {"z": 1.1})}, {"floor": {**FLOOR, "restitution": 0.9}})
    run = moved(m, 1.2, step, at=[0.4, 0.8, 1.2])
    first = np.sqrt(2 / G)
    u = np.sqrt(2 * G)
    t = run.t[1:] - first
    np.testing.assert_allclose(run["Jb_z"][1:] - 0.1, 0.9 * u * t - G * t * t / 2, atol=error * u)
    assert run["Jb_z"][0] == pytest.approx(1.1 - G * 0.08, abs=1e-12)  # free flight is exact


def test_a_capsule_rolls_down_a_slope_as_its_inertia_says():
    a = np.radians(15)
    m = scene(
        {"b": (1.0, capsule(0.1, 0.3, "y"), {"z": 0.1})},
        {"floor": {**FLOOR, "friction": 0.9}},
        (G * np.sin(a), 0, -G * np.cos(a)),
    )
    run = moved(m, 0.5, at=[0.5])
    own = float(run.samples.poses.model.numbers.bodies["b"].inertia[1, 1])
    assert run["Jb_x."][-1] == pytest.approx(0.5 * G * np.sin(a) / (1 + own / 0.01), rel=1e-9)


# --- shocks --------------------------------------------------------------------------------------


def test_touching_balls_of_a_cradle_follow_the_law_of_moreau():
    balls = {f"b{k}": (1.0, sphere(), {"x": 0.2 * k}) for k in range(5)}
    balls["b0"][2]["x."] = 1.0
    m = scene(balls, {"pile": {"among": "all", "restitution": 1}}, (0, 0, 0))
    run = moved(m, 0.01)
    speeds = [run[f"Jb{k}_x."][-1] for k in range(5)]
    np.testing.assert_allclose(speeds, [-0.6, 0.4, 0.4, 0.4, 0.4], atol=1e-9)
    assert run.energy["kinetic"][-1] == pytest.approx(0.5, rel=1e-9)


@pytest.mark.parametrize("shape", ["sphere", "box", "mixed"])
def test_shocks_between_free_bodies_keep_both_momenta(shape):
    run = moved(random_scene(1, shape, 8, gravity=0.0, restitution=0.5), 0.3, rate=1000)
    P, L = momenta(run)
    assert run.energy["kinetic"][-1] < 0.999 * run.energy["kinetic"][0]  # they did meet
    np.testing.assert_allclose(P, P[:1].repeat(len(P), axis=0), atol=1e-11)
    np.testing.assert_allclose(L, L[:1].repeat(len(L), axis=0), atol=1e-9)


def test_a_body_that_touches_nothing_keeps_energy_and_momentum_and_tumbles():
    tumbling = {"wx": 0.01, "wy": 8.0, "wz": 0.02}
    far = {"floor": {**FLOOR, "through": [0, 0, -9]}}
    m = scene({"b": (1.0, box(0.1, 0.2, 0.3), tumbling)}, far, (0, 0, 0))
    run = moved(m, 5.0, rate=100)
    _, L = momenta(run)
    np.testing.assert_allclose(L, L[:1].repeat(len(L), axis=0), rtol=0, atol=1e-12)
    np.testing.assert_allclose(run.energy["kinetic"], run.energy["kinetic"][0], rtol=1e-12)
    assert run["Jb_wy"].min() < -7.9  # about the middle axis


# --- many bodies ---------------------------------------------------------------------------------


def stack(count, ratio):
    """Boxes of 1 kg on each other, the uppermost heavier; the weight that each has to carry."""
    masses = [*([1.0] * (count - 1)), ratio]
    boxes = {f"b{k}": (m, box(0.2, 0.2, 0.1), {"z": 0.05 + 0.1 * k}) for k, m in enumerate(masses)}
    laws = {"friction": 0.5}
    m = scene(boxes, {"pile": {"among": "all", **laws}, "floor": {**FLOOR, **laws}})
    return m, G * np.cumsum(masses[::-1])[::-1]


def loads_of(touching, count):
    """What each box of a stack is carried with."""
    loads = np.zeros(count)
    for touch in touching:
        upper = max(touch.first, touch.second, key=lambda name: name != "ground" and int(name[1:]))
        loads[int(upper[1:])] += touch.force[2] * (1 if upper == touch.first else -1)
    return loads


@pytest.mark.parametrize("ratio", [1e3, 1e6])
def test_each_box_of_a_stack_with_the_heaviest_on_top_carries_the_weight_above(ratio):
    m, above = stack(10, ratio)
    run = moved(m, 0.05, rate=100)
    np.testing.assert_allclose(loads_of(run.touching[-1], 10), above, rtol=1e-9)
    assert not run.v.any()


@pytest.mark.parametrize("ratio", [1e3, 1e6])
def test_a_stack_too_large_for_a_dense_system_is_solved_to_the_residual_asked(ratio):
    """56 contacts; a residual of 1e-9 m/s is 1e-7 of what a step of free fall gives a box."""
    m, above = stack(14, ratio)
    run = moved(m, 0.02, rate=1000, atol=1e-9)
    assert run.touching.residuals.max() <= 1e-9
    np.testing.assert_allclose(loads_of(run.touching[-1], 14), above, rtol=1e-6)
    assert not run.v.any()


def test_sweeps_that_come_nowhere_near_are_not_left_at_that():
    """Without a residual asked for, the same stack neither sinks nor moves as if it were loose."""
    m, _ = stack(14, 1e6)
    run = moved(m, 0.02, rate=1000)
    assert run.touching.residuals.max() <= 1e-2 * G * 1e-3  # of a step of free fall
    assert run.touching.penetrations.max() <= 1e-6 * 0.05


def test_a_plate_pushed_along_its_diagonal_moves_under_balls_as_coulomb_says():
    bodies = {"plate": (10.0, box(1.2, 1.2, 0.1), {"z": 0.05})}
    for k in range(25):
        place = {"x": 0.2 * (k % 5) - 0.4, "y": 0.2 * (k // 5) - 0.4, "z": 0.15}
        bodies[f"b{k}"] = (1.0, sphere(0.05), place)
    force = 150 / np.sqrt(2)
    m = scene(
        bodies,
        {
            "balls": {"among": "all", "friction": 0.8},
            "floor": {**FLOOR, "among": ["plate"], "friction": 0.4},
        },
        forces={"push": {"type": "wrench", "body": "plate", "force": [force, force, 0]}},
    )
    run = moved(m, 0.2, at=[0.2])
    speeds = [np.hypot(run[f"J{b}_x."], run[f"J{b}_y."])[-1] / 0.2 for b in ("plate", "b0", "b12")]
    np.testing.assert_allclose(speeds, [0.7385, 0.211, 0.211], rtol=1e-8)
    assert run["Jplate_x."][-1] == pytest.approx(run["Jplate_y."][-1], rel=1e-8)
    assert run.energy_drift < 1e-12


def test_a_spring_between_bodies_of_a_heap_pulls_them_as_anywhere_else():
    """Apart by l + s cos ωt with ω² = 2k/m; the error of a step is of order 1."""
    places = {name: (1.0, sphere(), {"z": 0.1, "x": x}) for name, x in (("a", 0.0), ("b", 0.5))}
    tie = {"type": "spring", "between": [["a", [0, 0, 0]], ["b", [0, 0, 0]]]}
    m = scene(
        places,
        {"pile": {"among": "all", "friction": 0.3}, "floor": FLOOR},
        forces={"tie": {**tie, "stiffness": 400, "length": 0.3}},
    )
    known, apart = 0.3 + 0.2 * np.cos(np.sqrt(800) * 0.05), []
    for step in (1e-3, 5e-4):
        run = ts.simulate(m, 0.05, at=[0.05], method="moreau", step=step)
        apart.append(float((run["Jb_x"] - run["Ja_x"])[-1]) - known)
    assert abs(apart[0]) < np.sqrt(800) * 1e-3 * 0.2
    assert apart[0] / apart[1] == pytest.approx(2.0, abs=0.2)


def box_of_spheres(n, radius=0.05, restitution=0.2):
    """n³ spheres, none quite above another, over a floor between four walls."""
    rng = np.random.default_rng(3)
    bodies = {}
    for k in range(n**3):
        at = np.array([k % n + 0.5, k // n % n + 0.5, k // n**2 + 0.6]) * 2.3 * radius
        at += rng.uniform(-0.1, 0.1, 3) * radius
        bodies[f"b{k}"] = (1.0, sphere(radius), dict(zip("xyz", map(float, at), strict=True)))
    laws, width = {"friction": 0.3, "restitution": restitution}, 2.3 * radius * n
    walls = {
        "floor": FLOOR,
        "left": {**FLOOR, "normal": "x"},
        "right": {**FLOOR, "normal": [-1, 0, 0], "through": [width, 0, 0]},
        "front": {**FLOOR, "normal": "y"},
        "back": {**FLOOR, "normal": [0, -1, 0], "through": [0, width, 0]},
    }
    contacts = {name: wall | laws for name, wall in walls.items()}
    return scene(bodies, {"pile": {"among": "all"} | laws} | contacts)


def test_spheres_dropped_into_a_box_settle_without_penetration_and_lose_energy_only():
    run = moved(box_of_spheres(4), 1.0, rate=1000)
    E = total_energy(run)
    assert np.diff(E).max() <= 1e-12 * E[0]
    assert E[-1] < 0.9 * E[0]
    assert run.touching.penetrations.max() <= 1e-6 * 0.05
    assert run.energy_drift < 1e-12  # what contacts took is in the work
    lowest = run.samples.kept_states[:, 2 : 64 * STATE : STATE].min()
    assert lowest >= 0.05 * (1 - 1e-6)
    centres = run.samples.kept_states[-1, : 64 * STATE].reshape(-1, STATE)[:, :3]
    apart = np.linalg.norm(centres[:, None] - centres, axis=2) + np.eye(64)
    assert apart.min() >= 0.1 * (1 - 1e-6)


def test_the_work_of_contacts_is_that_of_their_forces_less_what_a_step_loses():
    run = moved(on_slope(30, 0.3), 0.5, rate=1000)
    speeds = run["Jb_x."]
    forces = np.array([sum(touch.force[0] for touch in run.touching[k]) for k in range(500)])
    lost = 2.0 * np.diff(speeds) ** 2 / 2  # of the step from one speed to the next, ½ m Δv²
    spent = np.concatenate([[0.0], np.cumsum(1e-3 * forces * speeds[1:] - lost)])
    np.testing.assert_allclose(run.work, spent, rtol=1e-9, atol=1e-12)


def test_accelerations_are_those_under_contact_forces():
    run = moved(on_slope(30, 0.3), 0.1, rate=100)
    np.testing.assert_allclose(run["Jb_x.."], 2.35628724, rtol=1e-6)
    np.testing.assert_allclose(run["Jb_z.."], 0, atol=1e-9)


# --- random scenes -------------------------------------------------------------------------------

SHAPES = {
    "sphere": [sphere()],
    "capsule": [capsule(0.06, 0.2, axis) for axis in "xyz"],
    "box": [box(0.15, 0.2, 0.12)],
}
SHAPES["mixed"] = [SHAPES["sphere"][0], SHAPES["capsule"][0], SHAPES["box"][0]]


def random_scene(seed, shape, count, gravity=G, friction=0.4, restitution=0.3):
    """Bodies thrown at each other, over two planes unless there is no weight."""
    rng, bodies, shapes = np.random.default_rng(seed), {}, SHAPES[shape]
    for k in range(count):
        q, v, w = rng.normal(size=4), rng.normal(size=3), 5 * rng.normal(size=3)
        start = {"x": 0.4 * (k % 2), "y": 0.4 * (k // 2 % 2), "z": 0.3 + 0.4 * (k // 4)}
        start |= dict(zip(("qw", "qx", "qy", "qz"), q / np.linalg.norm(q), strict=True))
        start |= dict(zip(("x.", "y.", "z.", "wx", "wy", "wz"), [*v, *w], strict=True))
        own = {name: float(x) for name, x in start.items()}
        bodies[f"b{k}"] = (float(np.exp(rng.normal())), shapes[k % len(shapes)], own)
    laws = {"friction": friction, "restitution": restitution}
    contacts = {"pile": {"among": "all"} | laws}
    if gravity:
        contacts["floor"] = FLOOR | laws
        contacts["wall"] = FLOOR | laws | {"normal": [1, 0, 0.3], "through": [-0.3, 0, 0]}
    return scene(bodies, contacts, (0, 0, -gravity))


@settings(max_examples=12, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    shape=st.sampled_from(sorted(SHAPES)),
    friction=st.sampled_from([0.0, 0.3, 1.2]),
    restitution=st.sampled_from([0.0, 0.4, 1.0]),
)
def test_whatever_is_thrown_stays_finite_and_gains_no_energy(seed, shape, friction, restitution):
    m = random_scene(seed, shape, 6, friction=friction, restitution=restitution)
    run = moved(m, 0.5, 2e-3, rate=500)
    E = total_energy(run)
    assert np.isfinite(run.samples.kept_states).all()
    assert np.diff(E).max() <= 1e-6 * E.max()
    assert run.touching.penetrations.max() <= 1e-6 * 0.06
    assert run.energy_drift < 1e-9


# --- the law of one contact ----------------------------------------------------------------------


def plain_text(module):
    """The functions of a kernel as Python runs them."""
    names = {**vars(module), "square_root": np.sqrt}
    for name, function in vars(module).items():
        if hasattr(function, "py_func"):
            names[name] = FunctionType(function.py_func.__code__, names)
    return names


LAW = plain_text(cone)


@given(st.integers(0, 10**6))
def test_one_contact_is_solved_exactly_whatever_pushes_it(seed):
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(3, 3))
    D = A @ A.T + 0.1 * np.eye(3)
    D[1, 2] = D[2, 1] = D[0, 1] * D[0, 2] / D[0, 0]  # as the tangents are chosen
    row = np.zeros(at.CONTACT_WIDTH)
    row[at.D : at.D + 6] = D[np.triu_indices(3)]
    row[at.FRICTION], row[at.BOUND] = rng.uniform(0, 1.5), rng.normal()
    q = rng.normal(size=3)
    P = np.array(LAW["solved_alone"](row, tuple(q)))
    row[at.IMPULSE : at.IMPULSE + 3] = P
    u = q + D @ P
    assert LAW["natural_residual"](row, u) < 1e-9 * (1 + np.abs(u).max())
    normal, slip = u[0] - row[at.BOUND], u[1:]
    limit = row[at.FRICTION] * P[0]
    assert P[0] >= 0
    assert normal >= -1e-9
    assert abs(P[0] * normal) <= 1e-9 * (1 + P[0])
    assert np.linalg.norm(P[1:]) <= limit + 1e-9 * (1 + P[0])
    against = np.linalg.norm(slip) * limit + slip @ P[1:]  # zero: friction opposes the slip
    assert abs(against) <= 1e-7 * (1 + limit)


# --- what is refused, and what is said -----------------------------------------------------------


def test_the_worst_residual_and_penetration_are_told():
    run = moved(on_slope(30, 0.3), 0.1)
    assert any(note.startswith("Contacts: natural residual at most") for note in run.notices)
    assert run.touching.residuals.max() < 1e-9


def test_bodies_that_overlap_at_the_start_are_named():
    pair = {"a": (1.0, sphere(), {}), "b": (1.0, sphere(), {"x": 0.15})}
    with pytest.raises(SolveError, match=r'"a" and "b" overlap by 0\.05 m at the start'):
        moved(scene(pair, {"pile": {"among": "all"}}), 0.1)


def test_other_methods_do_not_let_a_pile_fall_through_itself():
    with pytest.raises(ModelError, match='method "auto" does not move contacts among bodies'):
        ts.simulate(on_slope(30, 0.3), 0.1)


def test_a_large_heap_is_solved_to_the_residual_that_is_asked():
    m = box_of_spheres(4)
    usual, exact = (moved(m, 0.25, rate=50, **own) for own in ({}, {"atol": 1e-7}))
    assert exact.touching.residuals.max() <= 1e-7
    assert usual.touching.residuals.max() > 1e-5


def test_a_shape_that_cannot_touch_is_refused_with_those_that_can():
    cone_shape = {"cone": {"radius": 0.1, "height": 0.2}}
    m = scene({"b": (1.0, cone_shape, {"z": 1.0})}, {"floor": FLOOR})
    with pytest.raises(ModelError, match='the shape of "b" is cone') as error:
        moved(m, 0.1)
    assert "sphere, shell, hollow_sphere, capsule, box" in str(error.value)


def test_a_pile_is_written_and_read_again(tmp_path):
    m = box_of_spheres(1)
    again = ts.load(m.save(tmp_path / "pile.yaml"))
    assert list(again.contacts) == list(m.contacts)
    for one, other in zip(again.contacts.values(), m.contacts.values(), strict=True):
        assert (one.among, one.friction, one.holding) == (
            other.among,
            other.friction,
            other.holding,
        )


def test_a_run_is_written_and_read_again_with_its_contacts(tmp_path):
    run = moved(on_slope(30, 0.3), 0.1, rate=50)
    run.save(tmp_path / "run.nc")
    again = ts.load_run(tmp_path / "run.nc")
    np.testing.assert_allclose(again["Jb_x.."], run["Jb_x.."], rtol=1e-9)
    assert len(again.touching[-1]) == len(run.touching[-1]) == 4


def test_a_run_goes_on_from_where_it_ended_and_is_known_between_samples():
    m = on_slope(30, 0.3)
    whole = moved(m, 0.4, rate=100)
    later = moved(m, 0.2, rate=100, initial=moved(m, 0.2, rate=100))
    assert later["Jb_x"][-1] == pytest.approx(whole["Jb_x"][-1], rel=1e-12)
    assert whole(0.205)["Jb_x"] == pytest.approx(whole["Jb_x"][20:22].mean(), abs=1e-4)
