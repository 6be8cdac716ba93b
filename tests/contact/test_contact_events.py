"""What is done at events: states looked at, shocks, forces by projection, what runs share."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from example_states import mechanism
from random_contacts import random_scene

import torseur as ts
from torseur.machine.contact import layout as at
from torseur.machine.contact.code import ContactCode
from torseur.machine.contact.model import ContactModel
from torseur.machine.integrators.problem import entry
from torseur.simulation.contact.path import ContactPath, require_laws, settle
from torseur.simulation.formulations.contact import ContactFormulation
from torseur.simulation.formulations.joint_start import joint_start
from torseur.simulation.formulations.request import Beginning

Array = np.ndarray
EARTH = 9.81
RADIUS = 0.1


def balls(heights: list[float], **laws: Any) -> dict[str, Any]:
    """Balls of 1 kg above a floor, side by side; they turn about all axes."""
    names = [f"b{k}" for k in range(len(heights))]
    floor = {"shape": "sphere", "radius": RADIUS, "normal": "y", "friction": 0.3} | laws
    initial = {f"{name}_y": RADIUS + h for name, h in zip(names, heights, strict=True)}
    return {
        "gravity": [0, -EARTH, 0],
        "bodies": {name: {"mass": 1, "inertia": [0.004, 0.005, 0.006]} for name in names},
        "joints": {name: {"type": "free", "bodies": ["ground", name]} for name in names},
        "contacts": {f"c{name}": {"bodies": ["ground", name], **floor} for name in names},
        "initial": initial,
    }


def state_at(contacts: ContactModel, q: Array, v: Array) -> Array:
    """A state, which is seen with all rows."""
    y = np.concatenate([q, v, np.zeros(contacts.size - len(q) - len(v))])
    contacts.see(y, 0.0)
    return y


def pushed(contacts: ContactModel, impulses: Array) -> Array:
    """Speeds by impulses of rows, from the factor L of M = Lᵀ L and L⁻ᵀ Jᵀ."""
    found, L = impulses @ contacts["half"], contacts["factor"]
    for i in range(len(found)):
        found[i] = (found[i] - L[i, :i] @ found[:i]) * L[i, i]
    return np.asarray(found)


# --- a state ------------------------------------------------------------------------------------


def test_what_rows_do_to_each_other_is_J_over_M_though_zeros_and_islands_are_left_out():
    entries = balls([0.0, 0.2, 0.5])
    entries["contacts"]["pair"] = {
        "bodies": ["b0", "b1"], "shape": "sphere", "radius": RADIUS, "normal": "y",
    }  # fmt: skip
    contacts, rng = ContactModel(ts.compile(ts.load(entries))), np.random.default_rng(5)
    q, v = rng.normal(size=len(contacts.model.coordinates)), rng.normal(size=18)
    for k in range(3):
        q[7 * k + 3 : 7 * k + 7] /= np.linalg.norm(q[7 * k + 3 : 7 * k + 7])
    state_at(contacts, q, v)
    M, J = contacts.held.mass_matrix(q), contacts.held.constraint_jacobian(q)
    np.testing.assert_allclose(contacts["M"], M, atol=1e-15)
    np.testing.assert_allclose(contacts["J"], J, atol=1e-15)
    np.testing.assert_allclose(contacts["A"], J @ np.linalg.solve(M, J.T), atol=1e-11)
    by_each = [pushed(contacts, one) for one in np.eye(len(J))]
    np.testing.assert_allclose(by_each, np.linalg.solve(M, J.T).T, atol=1e-11)
    np.testing.assert_allclose(contacts["u"], J @ v, atol=1e-14)


def test_functions_of_some_parts_of_a_state_give_what_that_of_all_gives():
    contacts, rng = ContactModel(ts.compile(ts.load(balls([0.0, 0.2])))), np.random.default_rng(9)
    code, y = contacts._shared, rng.normal(size=contacts.size)
    whole = contacts["parts"].copy()
    for name, parts in at.OF_PARTS.items():
        function, places = code.of_parts(parts), code.places()[name]
        found = entry(function, contacts.held.numbers(function)).value(y, 0.3, len(places))
        if not parts:
            whole[places] = found
        assert len(found) > 0
        np.testing.assert_allclose(found, whole[places], rtol=1e-12, atol=1e-12)


def test_what_rows_of_a_tree_with_branches_do_is_J_over_M():
    """A trunk in a plane with two legs of two joints each, of which only parts join each other."""
    bodies, joints, contacts = {"trunk": {"mass": 2.0, "inertia": [0.1] * 3}}, {}, {}
    joints["base"] = {"type": "planar", "bodies": ["ground", "trunk"], "normal": "z"}
    for name, x in (("a", 0.2), ("b", -0.3)):
        carrier, point = "trunk", [x, 0, 0]
        for k in "ul":
            bodies[name + k] = {"mass": 0.5, "centre": [0, -0.1, 0], "inertia": [0.01] * 3}
            joints[name + k] = {"type": "pivot", "bodies": [carrier, name + k], "axis": "z",
                                "point": [point, [0, 0, 0]]}  # fmt: skip
            carrier, point = name + k, [0, -0.2, 0]
        contacts[name] = {"bodies": ["ground", carrier], "point": point, "normal": "y",
                          "friction": 0.5}  # fmt: skip
    made = {"bodies": bodies, "joints": joints, "contacts": contacts, "gravity": [0, -9.81, 0]}
    contacts, rng = ContactModel(ts.compile(ts.load(made))), np.random.default_rng(7)
    n = len(contacts.model.speeds)
    state_at(contacts, rng.normal(size=n), rng.normal(size=n))
    M, J = contacts["M"], contacts["J"]
    above, counts = contacts["above"], contacts["above_count"]
    parents = [row[0] if count else -1 for row, count in zip(above, counts, strict=True)]
    assert parents == [-1, 0, 1, 2, 3, 2, 5]  # the second leg hangs on the trunk
    np.testing.assert_allclose(contacts["A"], J @ np.linalg.solve(M, J.T), rtol=1e-12, atol=1e-12)
    by_each = [pushed(contacts, one) for one in np.eye(len(J))]
    np.testing.assert_allclose(by_each, np.linalg.solve(M, J.T).T, rtol=1e-12, atol=1e-12)


def test_forces_carry_a_box_on_a_slope_within_their_cones():
    contacts = ContactModel(ts.compile(mechanism("box_on_slope")))
    p = contacts.model.parameters
    y = state_at(contacts, np.array([0.0, p["h"] / 2, 0.0]), np.zeros(3))
    A, c = contacts["A"].copy(), contacts["c"].copy()
    assert contacts.choose(y, 0.0) == at.SETTLED
    z = contacts["z"].copy()
    normals, rubbing = z[contacts.normal_rows], z[[rows[0] for rows in contacts.rubbing_rows]]
    weight = p["m"] * p["g"]
    assert normals.sum() == pytest.approx(weight * np.cos(p["alpha"]), rel=1e-10)
    assert abs(rubbing.sum()) == pytest.approx(weight * np.sin(p["alpha"]), rel=1e-10)
    assert (np.abs(rubbing) <= p["mu"] * normals).all()
    np.testing.assert_allclose(A @ z + c, 0, atol=1e-9)


# --- shocks -------------------------------------------------------------------------------------


def test_a_shock_leaves_what_is_not_joined_to_it_as_it_is():
    entries = balls([0.0, 0.2, 0.5], restitution=0.5)
    entries["initial"] |= {"b0_x.": 3.0}
    run = ts.simulate(ts.load(entries), 0.5)
    struck = {event.name for event in run.events if event.cause == "shock"}
    assert struck == {"cb1", "cb2"}
    alone = ts.simulate(ts.load(balls([0.0]) | {"initial": {"b0_y": RADIUS, "b0_x.": 3.0}}), 0.5)
    np.testing.assert_allclose(run.at(0.5).q[0, :7], alone.at(0.5).q[0], atol=1e-9)


def test_balls_that_bounce_side_by_side_bounce_as_if_alone():
    heights = [0.1, 0.25, 0.7]
    run = ts.simulate(ts.load(balls(heights, restitution=0.5, friction=0.0)), 0.8)
    for k, height in enumerate(heights):
        touch = np.sqrt(2 * height / EARTH)
        bounce = 2 * 0.5 * EARTH * touch / EARTH  # from one touch to the next, then halved
        known = touch + np.concatenate([[0.0], np.cumsum(bounce * 0.5 ** np.arange(3))])
        found = [e.t for e in run.events if e.name == f"cb{k}" and e.cause == "shock"]
        within = known[known < 0.8]
        np.testing.assert_allclose(found[: len(within)], within, atol=1e-10)


@pytest.mark.parametrize("spin", [0.7, 1.3, 3.1])
def test_a_linkage_comes_to_rest_beside_a_pendulum_whose_friction_grows_with_its_load(spin):
    """No weight: J φ̈ = −C of the linkage; the pivot bears M d √(ω⁴ + ω̇²), so that ω̇ = −k ω²."""
    l, w, bar, couple, turning = 0.4, 0.6, 0.02, 0.15, 2.0
    pivot, rubs = {"type": "revolute", "axis": "z"}, {"coefficient": 0.4, "radius": 0.1}
    bars = {
        x: {"mass": 1, "inertia": [0, 0, bar], "centre": [0, -l / 2, 0]}
        for x in ("crank", "rocker")
    }
    entries = {
        "gravity": [0, 0, 0],
        "bodies": bars
        | {"rod": {"mass": 2, "inertia": [0, 0, 0.1], "centre": [w / 2, 0, 0]}}
        | {"arm": {"mass": 3, "inertia": [0, 0, 0.2], "centre": [0.5, 0, 0]}},
        "joints": {
            "a": {**pivot, "bodies": ["ground", "crank"], "friction": {"constant": couple}},
            "b": {**pivot, "bodies": ["crank", "rod"], "point": [[0, -l, 0], [0, 0, 0]]},
            "d": {**pivot, "bodies": ["ground", "rocker"], "point": [[w, 0, 0], [0, 0, 0]]},
            "c": {**pivot, "bodies": ["rod", "rocker"], "point": [[w, 0, 0], [0, -l, 0]]},
            "n": {**pivot, "bodies": ["ground", "arm"], "friction": rubs},
        },
        "initial": {"a": 0.3, "b": -0.3, "d": 0.3, "a.": spin, "b.": -spin, "d.": spin}
        | {"n.": turning},
    }  # fmt: skip
    inertia = 2 * (bar + l * l / 4) + 2 * l * l
    run = ts.simulate(ts.load(entries), 2.0 * inertia * spin / couple)
    assert [(event.name, event.effect) for event in run.events] == [("a: friction", "stick")]
    assert run.events[0].t == pytest.approx(inertia * spin / couple, rel=1e-8)
    assert run["a"][-1] == pytest.approx(0.3 + inertia * spin**2 / (2 * couple), rel=1e-8)
    part = 0.4 * 0.1 * 3 * 0.5 / (0.2 + 3 * 0.5**2)
    slower = turning * part / np.sqrt(1 - part * part)
    np.testing.assert_allclose(run["n."], turning / (1 + slower * run.t), rtol=1e-8)


# --- gaps ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("place", [0.5, 5.0, 50.0])
def test_a_gap_that_rises_dips_and_rises_within_a_step_is_closed_where_it_is_zero(place):
    """x = t until x ((x − c)² − d²)/c² is zero, at c − d; without forces steps are long."""
    entries = {
        "parameters": {"c": place, "d": 0.02 * place},
        "bodies": {"m": {"mass": 1}},
        "joints": {
            "x": {"type": "prismatic", "bodies": ["ground", "m"], "axis": "x", "coordinate": "x"}
        },
        "contacts": {"dip": {"gap": "x*((x - c)^2 - d^2)/c^2"}},
        "initial": {"x": 0, "x.": 1},
    }
    run = ts.simulate(ts.load(entries), 1000.0, rate=0.01)
    assert run.events[0].t == pytest.approx(0.98 * place, rel=1e-9)
    assert run["x"][1:] == pytest.approx(0.98 * place, rel=1e-9)


# --- what runs share ----------------------------------------------------------------------------


def test_what_is_made_of_contacts_is_shared_by_all_values_of_parameters():
    model = ts.compile(mechanism("box_on_slope"))
    assert model.with_parameters(mu=0.4).once(ContactCode) is model.once(ContactCode)


def test_runs_of_one_model_do_not_disturb_each_other():
    model = ts.compile(mechanism("box_on_slope"))
    sticking = ts.simulate(model, 0.2)
    sliding = ts.simulate(model.with_parameters(mu=0.1), 0.2)
    again = ts.simulate(model, 0.2)
    slope = model.parameters["alpha"]
    load = model.parameters["m"] * EARTH * np.cos(slope)
    assert sticking.contact("low").state[-1] == "stick"
    assert sliding.contact("low").state[-1] == "slip"
    for run in (sticking, sliding):
        normal = run.contact("low").normal + run.contact("high").normal
        np.testing.assert_allclose(normal, load, rtol=1e-9)
    np.testing.assert_array_equal(again.q, sticking.q)
    fall = EARTH * (np.sin(slope) - 0.1 * np.cos(slope))
    assert sliding.v[-1, 0] == pytest.approx(-fall * 0.2, rel=1e-9)


# --- what is held twice -------------------------------------------------------------------------


def pulled_block(rear: tuple[float, float], front: tuple[float, float]) -> dict[str, Any]:
    """A block of 2 kg on two legs, pulled by 4 N/s; static and kinetic friction of each."""
    touch = {"bodies": ["ground", "A"], "normal": "y"}
    laws = [dict(zip(("static", "kinetic"), x, strict=True)) for x in (rear, front)]
    return {
        "gravity": [0, -10.0, 0],
        "reactions": "least_norm",
        "bodies": {"A": {"mass": 2.0, "inertia": [0.1, 0.1, 0.1]}},
        "joints": {"A": {"type": "planar", "bodies": ["ground", "A"], "normal": "z"}},
        "contacts": {
            "rear": {**touch, "point": [-0.5, -0.3, 0], "friction": laws[0]},
            "front": {**touch, "point": [0.5, -0.3, 0], "friction": laws[1]},
        },
        "forces": {"pull": {"type": "wrench", "body": "A", "force": ["4*t", 0, 0]}},
        "initial": {"A_y": 0.3},
    }


@pytest.mark.parametrize(
    ("rear", "front"),
    [((0.1, 0.06), (0.5, 0.4)), ((0.3, 0.3), (0.3, 0.3)), ((0.05, 0.02), (0.8, 0.8))],
)
def test_two_legs_slide_together_and_only_beyond_the_limits_of_both(rear, front):
    """F = μ₁ N₁ + μ₂ N₂ with N = m g/2 ∓ F h/2a, whatever the legs share until then."""
    start = (rear[0] + front[0]) * 10.0 / (1 - (front[0] - rear[0]) * 0.3) / 4
    run = ts.simulate(ts.load(pulled_block(rear, front)), 1.2 * start, rate=100)
    rears, fronts = (run.contact(name) for name in ("rear", "front"))
    assert (rears.state == fronts.state).all()
    slips = [event.t for event in run.events if event.effect == "slip"]
    assert slips == pytest.approx([start, start], rel=1e-8)
    for seen, (static, _) in ((rears, rear), (fronts, front)):
        sticks = seen.state == "stick"
        assert (seen.adherence[sticks] <= static * (1 + 1e-9)).all()
    assert len(run.events) < 40


def falling_rod(under: str, friction: float, block: float, feet: list[float]) -> dict[str, Any]:
    """A body that falls over the point it stands on, on the ground or on a block with two feet."""
    bodies = {"block": (block, [0.1, 0.1, 0.1]), "rod": (1.0, [1.0, 1.0, 1.0])}
    planar, touch = {"type": "planar", "normal": "z"}, {"bodies": ["ground", "block"]}
    contacts = {
        "left": {**touch, "normal": "y", "point": [-1, -0.5, 0], "friction": feet[0]},
        "right": {**touch, "normal": "y", "point": [1, -0.5, 0], "friction": feet[1]},
        "foot": {"bodies": [under, "rod"], "normal": "y", "point": [0.5, -0.5, 0]},
    }
    contacts["foot"] |= {"friction": friction, "through": [0, 0.5 if under == "block" else 1, 0]}
    return {
        "gravity": [0, -10.0, 0],
        "reactions": "least_norm",
        "bodies": {x: {"mass": m, "inertia": inertia} for x, (m, inertia) in bodies.items()},
        "joints": {x: {**planar, "bodies": ["ground", x]} for x in bodies},
        "contacts": contacts,
        "initial": {"block_y": 0.5, "rod_y": 1.5},
    }


@pytest.mark.parametrize(("block", "feet"), [(3.0, [0.7, 0.8]), (50.0, [1.3, 1.25])])
def test_what_slides_gently_on_feet_that_share_moves_as_it_does_on_the_ground(block, feet):
    """The foot needs T/N = 0.2 to stick; with hardly less it starts to slide, for a moment."""
    one, other = (
        ts.simulate(ts.load(falling_rod(under, 0.2 * (1 - 1e-4), block, feet)), 0.05, rate=200)
        for under in ("block", "ground")
    )
    told = [[(e.name, e.cause, e.effect) for e in run.events] for run in (one, other)]
    assert told[0] == told[1] == [("foot", "end of sliding", "stick")]
    assert one.events[0].t == pytest.approx(other.events[0].t, abs=1e-9)
    for name in ("rod_x", "rod_y", "rod_angle"):
        np.testing.assert_allclose(one[name], other[name], atol=1e-10)
    # forces of 500 N are rounded: by 1e-13 N, in 0.05 s, of a block whose mass is of their order
    np.testing.assert_allclose(one["block_x"], 0.0, atol=5e-15)
    for name, limit in zip(("left", "right"), feet, strict=True):
        assert (one.contact(name).state == "stick").all()
        assert (one.contact(name).adherence <= limit).all()
        assert one.contact(name).adherence[-1] < 0.9 * limit


# --- what is no motion ----------------------------------------------------------------------------


def on_floor(gravity: list[float], **laws: Any) -> ContactFormulation:
    """A ball that touches a floor."""
    model = ts.compile(ts.load(balls([0.0], **laws) | {"gravity": gravity}))
    return ContactFormulation(joint_start(model, Beginning({}, 0.0)))


def state_of(made: ContactFormulation, mode: int, **values: float) -> Array:
    """The start in a mode, with other coordinates and speeds."""
    y, model = made.start.copy(), made.contacts.model
    names = (*model.coordinates, *model.speeds)
    for name, value in values.items():
        y[names.index(name.replace("_rate", "."))] = value
    made.contacts.set_modes([mode], np.array([[0.0, 1.0, 0.0]]))
    return y


@pytest.mark.parametrize("factor", [0.1, 10.0])
def test_an_open_contact_may_overlap_by_a_millionth_of_its_size_only(factor):
    made = on_floor([0, -EARTH, 0])
    depth = factor * 1e-6 * made.contacts.gap_sizes[0]
    y = state_of(made, at.OPEN, b0_y=RADIUS - depth)
    if factor < 1:
        require_laws(made.contacts, 0.0, y)
        return
    with pytest.raises(ts.SolveError, match='"cb0" breaks its law'):
        require_laws(made.contacts, 0.0, y)


def test_a_contact_that_pulls_breaks_its_law_unless_a_sliding_ends_there():
    pulled = on_floor([0, EARTH, 0])
    with pytest.raises(ts.SolveError, match='"cb0" breaks its law'):
        require_laws(pulled.contacts, 0.0, state_of(pulled, at.STICK))
    with pytest.raises(ts.SolveError, match='"cb0" breaks its law'):
        require_laws(pulled.contacts, 0.0, state_of(pulled, at.SLIP, b0_x_rate=1.0))
    require_laws(pulled.contacts, 0.0, state_of(pulled, at.SLIP))
    ends = 1  # the event function of the end of sliding
    verdict = pulled.contacts.settle(state_of(pulled, at.SLIP, b0_x_rate=1.0), 0.0, ends)
    assert verdict != at.BROKEN_LAW


def test_a_contact_that_sticks_by_more_friction_than_there_is_breaks_its_law():
    made = on_floor([5.0, -EARTH, 0], friction=0.3, rolling=1.0)  # it does not roll away
    made.contacts.set_modes([at.STICK, at.STICK], np.zeros((2, 3)))
    with pytest.raises(ts.SolveError, match='"cb0" breaks its law'):
        require_laws(made.contacts, 0.0, made.start)


def begun(described: dict[str, Any]) -> ContactFormulation:
    return ContactFormulation(joint_start(ts.compile(ts.load(described)), Beginning({}, 0.0)))


@pytest.mark.parametrize("seed", range(0, 40, 8))
def test_event_functions_read_off_a_rate_are_those_of_the_state(seed):
    """After a return onto what holds, and after an event; not where modes or numbers changed."""
    made = begun(random_scene(seed).described)
    contacts, y = made.contacts, made.start.copy()
    settle(ContactPath(contacts, np.array([0.0, 1.0])), 0.0, y, at.AT_START)
    kinds, directions = contacts.table[:, at.MODE].copy(), contacts.table[:, at.DIRECTION :].copy()
    for before in (at.CALM, at.SETTLE):
        contacts.call(before, y, 0.0, at.AFTER_ACT)
        contacts.call(at.RATE, y, 0.0)
        assert contacts["known_time"][int(before == at.SETTLE)] == 0.0
        read = contacts.call(at.EVENTS, y, 0.0).copy()
        contacts.set_modes(kinds, directions)  # which makes them unknown
        assert np.isnan(contacts["known_time"]).all()
        np.testing.assert_array_equal(contacts.call(at.EVENTS, y, 0.0), read)


def test_inertia_is_measured_anew_at_another_place_and_with_other_rows():
    made = begun(balls([0.0, 1.0]))
    contacts, y = made.contacts, made.start.copy()
    other = y.copy()
    other[:2] += 0.3
    contacts.all_rows_act()
    contacts.call(at.LOOK, y, 0.0)
    first = contacts["A"].copy()
    contacts.call(at.LOOK, other, 0.0)
    contacts["A"][:] = 0.0
    contacts.call(at.LOOK, other, 0.0)  # at the same place, where it is known
    assert not contacts["A"].any()
    contacts.call(at.LOOK, y, 0.0)
    np.testing.assert_array_equal(contacts["A"], first)


def resting_balls() -> tuple[ContactPath, Array]:
    """Two balls at rest on a floor, settled at the start."""
    made = begun(balls([0.0, 0.0]))
    path, y = ContactPath(made.contacts, np.array([0.0, 1.0])), made.start.copy()
    settle(path, 0.0, y, at.AT_START)
    return path, y


def test_events_without_progress_are_refused_by_the_name_of_their_contact():
    path, y = resting_balls()
    step, lifts = 1e-10 / path.contacts.pace, 3  # the normal force of the second
    with pytest.raises(ts.SolveError, match=f'more than {at.MOST_EVENTS} events.*"cb1"'):
        for k in range(at.MOST_EVENTS + 3):
            settle(path, k * step, y, lifts)
    assert not path.events


def test_many_events_that_move_on_are_not_refused():
    path, y = resting_balls()
    for k in range(3 * at.MOST_EVENTS):
        settle(path, k * 2e-9 / path.contacts.pace, y, 3)
    assert not path.events  # what was about to happen did not


def test_friction_that_is_shared_anew_at_a_limit_is_no_event():
    scene = random_scene(819)
    run = ts.simulate(ts.load(scene.described), scene.duration, rate=50 / scene.duration)
    torn = [event for event in run.events if event.cause == "limit of friction"]
    assert all(event.effect != "stick" for event in torn)
    assert [event.name for event in torn]
