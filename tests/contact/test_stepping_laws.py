"""Static and kinetic friction, shocks and what they give back, by steps of Moreau and Jean."""

import numpy as np
import pytest

import torseur as ts

G = 9.81
SLIDE = {"type": "prismatic", "bodies": ["ground", "b"], "axis": "x", "coordinate": "x"}


def by_steps(model, seconds, step=1e-3, **options):
    return ts.simulate(model, seconds, **{"method": "moreau", "step": step, "rate": 100} | options)


def shocks(run):
    return [event for event in run.events if event.cause == "shock"]


def described(bodies, joints, gravity=(0.0, 0.0, 0.0), **more):
    return ts.load({"gravity": list(gravity), "bodies": bodies, "joints": joints, **more})


# --- static and kinetic friction -----------------------------------------------------------------


def pushed_block(push, speed):
    """1 kg on a guide, friction 0.3 at rest and 0.2 in motion, and a force."""
    return ts.compile(
        described(
            {"b": {"mass": 1.0}},
            {"P": {**SLIDE, "friction": {"static": 0.3, "kinetic": 0.2}}},
            (0, 0, -G),
            forces={"push": {"type": "law", "joint": "P", "value": push}},
            initial={"x.": speed},
        )
    )


def test_what_stops_between_kinetic_and_static_friction_sticks_whatever_the_step():
    """It slides v²/2a against a force of 2.5 N, and 2.5 N is less than 0.3 m g."""
    model, speed = pushed_block(2.5, -0.3), 0.3
    stops = -(speed**2) / (2 * (2.5 + 0.2 * G))
    for step in np.linspace(1e-3, 5e-3, 61):
        run = by_steps(model, 0.5, step, rate=4)
        assert run["x"][-1] == pytest.approx(stops, abs=speed * step)
        assert run["x."][-1] == 0.0
        assert run.contact("P: friction").state[-1] == "stick"


def test_what_turns_back_faster_than_static_friction_holds_slides_on_with_kinetic_friction():
    """3.2 N is more than 0.3 m g."""
    run = by_steps(pushed_block(3.2, -0.3), 0.5, 1e-3)
    turns = 0.3 / (3.2 + 0.2 * G)
    assert run["x."][-1] == pytest.approx((3.2 - 0.2 * G) * (0.5 - turns), abs=5e-3)


def test_what_lets_go_has_kinetic_friction_from_its_first_step_on():
    run = by_steps(pushed_block(3.2, 0.0), 0.1, 1e-3, rate=1000)
    np.testing.assert_allclose(run["x."], (3.2 - 0.2 * G) * run.t, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("stribeck", [0.0, 0.05])
@pytest.mark.parametrize(
    "options", [{}, {"method": "moreau", "step": 1e-3}], ids=["events", "steps"]
)
def test_a_shock_makes_what_stuck_slide_with_kinetic_friction(options, stribeck):
    """A pusher along d meets a slide along x by a smooth plane of normal n; both go on together.

    s⁺ d·n = v nₓ with s⁺ = s + P d·n and v = −P nₓ + μ P n_y, the guide carrying P n_y.
    """
    n, d, s, friction = np.array([0.6, 0.8]), np.array([0.8, 0.6]), -3.0, 0.2
    m = described(
        {"b": {"mass": 1.0}, "p": {"mass": 1.0}},
        {
            "P": {**SLIDE, "friction": {"static": 0.3, "kinetic": friction, "stribeck": stribeck}},
            "Q": {
                "type": "prismatic",
                "bodies": ["ground", "p"],
                "axis": [*d, 0],
                "coordinate": "s",
            },
        },
        contacts={"hit": {"bodies": ["b", "p"], "shape": "ball", "radius": 0.1, "normal": [*n, 0]}},
        initial={"s": 0.5, "s.": s},
    )
    run = ts.simulate(m, 0.16, rate=100, **options)
    along = d @ n
    push = -s * along / (along**2 + n[0] ** 2 - friction * n[0] * n[1])
    assert shocks(run)[0].impulse == pytest.approx(push, rel=1e-9)
    assert run["x."][-1] == pytest.approx(push * (friction * n[1] - n[0]), rel=1e-9)


# --- what shocks give back -----------------------------------------------------------------------


def falling_pendulum(**more):
    """Two links of 1 m that meet a floor with friction 0.5 and restitution 0.7 at the start.

    The arrangement of Kane and Levinson (1985, *Dynamics: Theory and Applications*), where Newton's
    law would give energy.
    """
    first, second = np.radians([20.0, 30.0])
    link = {"mass": 1, "centre": [0.5, 0, 0], "inertia": [0, 1 / 12, 1 / 12]}
    hinge = {"type": "revolute", "axis": "z"}
    floor = [0, -float(np.cos(first) + np.cos(second)), 0]
    tip = {"bodies": ["ground", "l2"], "point": [1, 0, 0], "normal": "y", "through": floor}
    joints = {
        "A": {**hinge, "bodies": ["ground", "l1"], "coordinate": "a"},
        "B": {**hinge, "bodies": ["l1", "l2"], "point": [[1, 0, 0], [0, 0, 0]], "coordinate": "b"},
    }
    return described(
        {"l1": link, "l2": link} | more.get("bodies", {}),
        joints | more.get("joints", {}),
        contacts={"tip": {**tip, "friction": 0.5, "restitution": 0.7}} | more.get("contacts", {}),
        initial={"a": first - np.pi / 2, "b": second - first, "a.": -0.1, "b.": -0.1}
        | more.get("initial", {}),
    )


def test_where_restitution_would_give_energy_steps_give_back_the_share_that_takes_none():
    events = ts.simulate(falling_pendulum(), 0.02, rate=100)
    for step in (1e-3, 1e-4):
        run = by_steps(falling_pendulum(), 0.02, step)
        energy = run.energy["kinetic"]
        assert energy[1] == pytest.approx(energy[0], rel=step)
        np.testing.assert_allclose(run.v[1], events.v[1], rtol=step)
        assert "the law of restitution would give energy" in "".join(run.notices)


def test_what_a_shock_gives_back_does_not_depend_on_a_scene_beside():
    """A ball that loses 50 J in the same step."""
    ball = {"type": "prismatic", "bodies": ["ground", "ball"], "axis": "y", "coordinate": "y"}
    beside = falling_pendulum(
        bodies={"ball": {"mass": 1.0}},
        joints={"F": ball},
        contacts={"plastic": {"gap": "y", "restitution": 0}},
        initial={"y.": -10.0},
    )
    alone, both = (by_steps(m, 0.02) for m in (falling_pendulum(), beside))
    for name in ("a.", "b."):
        assert both[name][-1] == pytest.approx(alone[name][-1], rel=1e-12)


def test_a_force_that_pulls_away_takes_nothing_of_an_elastic_rebound():
    """A ball thrown at a ceiling returns with its speed."""
    m = described(
        {"b": {"mass": 1.0}},
        {"P": {**SLIDE, "axis": "z", "coordinate": "z"}},
        (0, 0, -G),
        contacts={"ceiling": {"gap": "0.2 - z", "restitution": 1}},
        initial={"z.": 3.0},
    )
    run = by_steps(m, 0.15)
    returns = -np.sqrt(3.0**2 - 2 * G * run["z"][-1])
    assert run["z."][-1] == pytest.approx(returns, rel=1e-6)


@pytest.mark.parametrize("law", [1, {"poisson": 1}], ids=["newton", "poisson"])
def test_an_elastic_ball_leaves_a_driven_table_with_its_speed_relative_to_it(law):
    """The table rises at 1 m/s, the ball comes at 2 m/s: it leaves at 1 + 3 m/s."""
    rail = {"type": "prismatic", "axis": "z"}
    m = described(
        {"b": {"mass": 1.0}, "table": {"mass": 1.0}},
        {
            "P": {**rail, "bodies": ["ground", "b"], "coordinate": "z"},
            "T": {**rail, "bodies": ["ground", "table"], "coordinate": "y"},
        },
        motions={"lift": {"coordinate": "y", "law": "t"}},
        contacts={"top": {"gap": "z - y", "restitution": law}},
        initial={"z": 0.3, "z.": -2.0},
    )
    run = by_steps(m, 0.15)
    assert run["z."][-1] == pytest.approx(4.0, rel=1e-9)
    assert not any("energy" in note for note in run.notices)
    assert run.energy_drift < 1e-9


def test_a_shock_of_the_first_step_is_an_event_at_the_start():
    m = described(
        {"b": {"mass": 2.0}},
        {"P": {**SLIDE, "axis": "z", "coordinate": "z"}},
        (0, 0, -G),
        contacts={"floor": {"gap": "z", "restitution": 0.5}},
        initial={"z.": -3.0},
    )
    first = shocks(by_steps(m, 0.1))[0]
    assert first.name == "floor"
    assert first.t == pytest.approx(0.0, abs=1e-9)
    assert first.impulse == pytest.approx(1.5 * 2.0 * 3.0, rel=1e-9)
