"""Shocks without friction, several in one instant, on drives and moving bases; their energy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from settled_oracle import events_in_python, judged

import torseur as ts
from torseur.machine.contact import tables
from torseur.machine.contact.model import ContactModel

Array = np.ndarray
COORDINATES = ("joint", "absolute")
STILL = [0.0, 0.0, 0.0]


def on_a_line(masses: Array, places: Array, speeds: Array, contacts: Any, **more: Any) -> Any:
    """Masses x0, x1, … on slides along one line."""
    names = [f"x{k}" for k in range(len(masses))]
    initial = {name: float(x) for name, x in zip(names, places, strict=True)}
    initial |= {f"{name}.": float(v) for name, v in zip(names, speeds, strict=True)}
    return ts.load(
        {
            "gravity": STILL,
            "bodies": {f"b{k}": {"mass": float(m)} for k, m in enumerate(masses)},
            "joints": {
                f"S{k}": {
                    "type": "slider",
                    "bodies": ["ground", f"b{k}"],
                    "axis": "x",
                    "coordinate": name,
                }
                for k, name in enumerate(names)
            },
            "contacts": contacts,
            "initial": initial,
            **more,
        }
    )


def thrown(contact: dict[str, Any], **initial: float) -> dict[str, Any]:
    """A ball of radius 0.1 m, 1 kg, 0.004 kg·m² above a floor."""
    floor = {"bodies": ["ground", "b"], "shape": "ball", "radius": 0.1, "normal": "z"}
    return {
        "gravity": [0, 0, -9.81],
        "bodies": {"b": {"mass": 1, "inertia": [0.004] * 3}},
        "joints": {"F": {"type": "free", "bodies": ["ground", "b"]}},
        "contacts": {"floor": {**floor, **contact}},
        "initial": {"F_z": 0.5, **initial},
    }


# --- without friction -----------------------------------------------------------------------------


@pytest.mark.sampled(8)
@pytest.mark.parametrize("coordinates", COORDINATES)
@pytest.mark.parametrize("restitution", [0, 0.6, 1, {"poisson": 0.6}])
@pytest.mark.parametrize("rubbing", [{}, {"friction": 0}])
def test_a_shock_without_friction_keeps_the_speed_along_the_floor_and_the_spin(
    coordinates, restitution, rubbing
):
    described = thrown({"restitution": restitution, **rubbing}, **{"F_x.": 1.0, "F_y.": -0.5})
    run = ts.simulate(ts.load(described), 0.5, rate=100, coordinates=coordinates)
    assert any(event.cause == "shock" for event in run.events)
    assert run["F_x."] == pytest.approx(1.0, abs=1e-12)
    assert run["F_y."] == pytest.approx(-0.5, abs=1e-12)
    spins = [name for name in run.names if "omega" in name or name.startswith("F_w")]
    assert spins
    for name in spins:
        assert run[name] == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("coordinates", COORDINATES)
def test_a_shock_does_not_touch_what_slides_elsewhere(coordinates):
    """A ball bounces on its floor while a mass slides on another, without friction."""
    both = thrown({"restitution": 1})
    both["bodies"]["far"] = {"mass": 2, "inertia": [0.1, 0.1, 0.1]}
    both["joints"]["G"] = {"type": "free", "bodies": ["ground", "far"]}
    plate = {"bodies": ["ground", "far"], "point": STILL, "normal": "z"}
    both["contacts"]["plate"] = plate
    both["initial"] |= {"G_x.": 3.0}
    run = ts.simulate(ts.load(both), 0.5, rate=100, coordinates=coordinates)
    assert run["G_x."] == pytest.approx(3.0, abs=1e-12)
    alone = ts.simulate(ts.load(thrown({"restitution": 1})), 0.5, rate=100, coordinates=coordinates)
    np.testing.assert_allclose(run["F_z"], alone["F_z"], rtol=0, atol=1e-9)


# --- several shocks in one instant ----------------------------------------------------------------


@pytest.mark.parametrize("coordinates", COORDINATES)
def test_a_shock_that_closes_an_opening_contact_is_followed_by_its_shock(coordinates):
    """Unit masses at a wall, −2 and −1 m/s: swapped by the pair, turned round by the wall."""
    contacts = {
        "wall": {"gap": "x0", "restitution": 1},
        "pair": {"gap": "x1 - x0", "restitution": 1},
    }
    m = on_a_line([1, 1], [0, 0], [-2, -1], contacts)
    run = ts.simulate(m, 0.01, rate=1000, coordinates=coordinates)
    np.testing.assert_allclose(run.v[-1], [1.0, 2.0], atol=1e-12)
    shocks = [event.name for event in run.events if event.cause == "shock"]
    assert shocks == ["wall", "pair", "wall"]


@pytest.mark.parametrize("seed", range(12))
def test_elastic_masses_that_touch_keep_energy_and_leave_each_other(seed):
    rng = np.random.default_rng(seed)
    count = int(rng.integers(2, 6))
    masses, speeds = rng.uniform(0.2, 5, count), rng.uniform(-2, 2, count)
    contacts = {f"c{k}": {"gap": f"x{k + 1} - x{k}", "restitution": 1} for k in range(count - 1)}
    walled = bool(rng.integers(2))
    if walled:
        contacts["wall"] = {"gap": "x0", "restitution": 1}
    run = ts.simulate(on_a_line(masses, np.zeros(count), speeds, contacts), 1e-6, rate=1e6)
    v = run.v[-1]
    assert masses @ v**2 == pytest.approx(masses @ speeds**2, rel=1e-10)
    assert (np.diff(v) >= -1e-9).all()
    if walled:
        assert v[0] >= -1e-9
    else:
        assert masses @ v == pytest.approx(masses @ speeds, abs=1e-10)


# --- drives and bases that move -------------------------------------------------------------------


@pytest.mark.sampled(8)
@pytest.mark.parametrize("coordinates", COORDINATES)
@pytest.mark.parametrize("law", ["newton", "poisson"])
@pytest.mark.parametrize("e", [0.0, 0.5, 1.0])
def test_a_driven_table_sends_a_ball_back_at_its_own_speed_and_the_rebound(coordinates, law, e):
    """v⁺ = V + e (V − v⁻), with V = 1 m/s of the table and v⁻ = −2 m/s."""
    pair = {"pair": {"gap": "x1 - x0", "restitution": {law: e}}}
    drive = {"lift": {"coordinate": "x0", "law": "t"}}
    m = on_a_line([2, 1], [0, 0.3], [1, -2], pair, motions=drive)
    run = ts.simulate(m, 0.2, rate=1000, coordinates=coordinates)
    assert run["x1."][-1] == pytest.approx(1 + e * 3, abs=1e-9)
    assert run.notices == ()
    assert run.energy_drift < 1e-9


@pytest.mark.parametrize("e", [0.4, 1.0])
def test_a_stop_of_a_driven_arm_rebounds_by_the_speed_relative_to_the_drive(e):
    """A rod hangs loose on a shaft that turns at 1 rad/s; its stop throws it ahead of the shaft."""
    joint = {"bodies": ["shaft", "rod"], "axis": "z", "coordinate": "b", "type": "revolute"}
    m = ts.load(
        {
            "gravity": STILL,
            "bodies": {
                "shaft": {"mass": 1, "inertia": [1, 1, 1]},
                "rod": {"mass": 1, "inertia": [0.3, 0.3, 0.3]},
            },
            "joints": {
                "A": {
                    "type": "revolute",
                    "bodies": ["ground", "shaft"],
                    "axis": "z",
                    "coordinate": "a",
                },
                "B": {**joint, "limits": [-0.2, 3], "stop": {"restitution": e}},
            },
            "motions": {"turn": {"coordinate": "a", "law": "t"}},
            "initial": {"b.": -2},
        }
    )
    run = ts.simulate(m, 0.2, rate=1000)
    assert run["b."][-1] == pytest.approx(2 * e, abs=1e-9)
    assert run.energy_drift < 1e-9


def rough_ball(speed: Array) -> dict[str, Any]:
    """A ball that spins and falls on a rough plate; both have a speed more than at rest."""
    described = thrown(
        {"bodies": ["plate", "b"], "restitution": 0.7, "friction": 0.2},
        **{"F_x.": 1.5 + speed[0], "F_y.": speed[1], "F_z.": speed[2]},
    )
    described["bodies"]["plate"] = {"mass": 3}
    axes = {"type": "prismatic", "bodies": ["ground", "plate"], "axis": "x", "coordinate": "p"}
    described["joints"]["P"] = {**axes, "axis": [float(x) for x in speed] if any(speed) else "x"}
    described["motions"] = {"carry": {"coordinate": "p", "law": f"{np.linalg.norm(speed)}*t"}}
    return described


@pytest.mark.parametrize("speed", [(2.0, 0.0, 0.0), (0.0, 0.0, 1.0), (-3.0, 1.0, 2.0)])
def test_shocks_are_the_same_on_a_base_that_moves_at_constant_speed(speed):
    still = ts.simulate(ts.load(rough_ball(np.zeros(3))), 0.6, rate=100)
    moving = ts.simulate(ts.load(rough_ball(np.array(speed))), 0.6, rate=100)
    assert sum(event.cause == "shock" for event in still.events) >= 1
    for axis, more in zip("xyz", speed, strict=True):
        np.testing.assert_allclose(
            moving[f"F_{axis}."], still[f"F_{axis}."] + more, rtol=0, atol=1e-8
        )


# --- the end of bounces ---------------------------------------------------------------------------


@pytest.mark.parametrize("coordinates", COORDINATES)
@pytest.mark.parametrize(("u", "e"), [(0.5, 0.5), (3.0, 0.8), (-1.0, 0.3)])
def test_a_table_that_rises_carries_a_ball_that_bounces_to_rest(coordinates, u, e):
    """The ball starts at rest beside the table, at a height h. It loses m g h of the energy that
    the table sees, whatever e; both weights, over the whole time, are the drive's to lift."""
    g, h, t = 10.0, 0.2, 2.9
    pair = {"pair": {"gap": "x1 - x0", "restitution": e}}
    drive = {"lift": {"coordinate": "x0", "law": f"{u}*t"}}
    m = on_a_line([1, 2], [0, h], [u, u], pair, motions=drive, gravity=[-g, 0, 0])
    run = ts.simulate(m, t, at=[0, t], rtol=1e-12, coordinates=coordinates)
    lifted, lost = (1 + 2) * g * u * t, 2 * g * h
    assert run["x1."][-1] == pytest.approx(u, abs=1e-14)
    assert run.contact("pair").work[-1] == pytest.approx(-lost, abs=1e-10)
    assert np.ptp(run.energy["work"]) == pytest.approx(abs(lifted - lost), abs=1e-10)
    assert run.energy_drift < 1e-12


def sliding_mass(mu: float, e: float, along: float) -> Any:
    """A mass on two slides, which do not let it turn, thrown down onto a floor at 1 m/s."""
    law = {"friction": mu, "restitution": e}
    slide = {"type": "prismatic", "axis": "x", "coordinate": "x"}
    return ts.load(
        {
            "gravity": [0, -10, 0],
            "bodies": {"a": {"mass": 0}, "b": {"mass": 2}},
            "joints": {
                "X": {**slide, "bodies": ["ground", "a"]},
                "Y": {**slide, "bodies": ["a", "b"], "axis": "y", "coordinate": "y"},
            },
            "contacts": {"floor": {"bodies": ["ground", "b"], "normal": "y", **law}},
            "initial": {"y.": -1.0, "x.": along},
        }
    )


@pytest.mark.parametrize("e", [0.0, 0.3, 0.8])
def test_bounces_slow_what_slides_by_the_friction_of_all_their_impulses(e):
    """Normal impulses are m (v + g t) in all, from the throw to any time at rest on the floor."""
    run = ts.simulate(sliding_mass(0.1, e, 3.0), 2.0, at=[1.9], rtol=1e-12)
    assert run["x."][-1] == pytest.approx(3.0 - 0.1 * (1.0 + 10 * 1.9), abs=1e-12)


def test_the_end_of_bounces_stops_nothing_that_has_no_friction():
    run = ts.simulate(sliding_mass(0.0, 0.5, 5e-6), 0.5, at=[0.5])
    assert run["x."][-1] == pytest.approx(5e-6, abs=1e-15)


# --- the balance of energy ------------------------------------------------------------------------


@pytest.mark.parametrize("start", [0.1, 0.5])  # in touch, and above
def test_the_balance_of_energy_shows_impulses_that_break_the_law(monkeypatch, start):
    """An impulse a tenth too small leaves a rebound that the law of restitution does not give."""
    right, m = (
        ContactModel.settle,
        ts.load(thrown({"restitution": 0.5}, **{"F_z": start, "F_z.": -2.0})),
    )
    assert ts.simulate(m, 0.3, rate=100).energy_drift < 1e-9

    def settle(contacts, y, t, event):
        speeds, before = contacts.in_state["speeds"], y.copy()
        verdict = right(contacts, y, t, event)
        y[speeds] += 0.1 * (before - y)[speeds]
        return verdict

    events_in_python(monkeypatch)
    monkeypatch.setattr(ContactModel, "settle", settle)
    with pytest.raises(ts.SolveError, match="balance of energy"):
        ts.simulate(m, 0.3, rate=100)


# --- against laws ---------------------------------------------------------------------------------


SCENES = {
    "smooth": thrown({"restitution": 0.8}, **{"F_x.": 1.0}),
    "rough": thrown({"restitution": 0.8, "friction": 0.1}, **{"F_x.": 1.0}),
    "sticky": thrown({"restitution": 0.3, "friction": 2}, **{"F_x.": 0.2, "F_y.": 0.1}),
    "moving": rough_ball(np.array([0.3, 0.2, 0.5])),
}


@pytest.mark.parametrize("name", SCENES)
def test_shocks_obey_the_laws_of_momentum_of_restitution_and_of_friction(monkeypatch, name):
    judge = judged(monkeypatch)
    ts.simulate(ts.load(SCENES[name]), 0.8, rate=100)
    assert judge.wrong == []
    assert judge.served > 2


def test_shocks_without_end_are_refused_by_the_names_of_their_contacts(monkeypatch):
    """Two shocks follow each other at once where a body between others is struck in turn."""
    entries = thrown({"restitution": 0.5}, **{"F_z": 0.1, "F_z.": -2.0})
    monkeypatch.setattr(tables, "MOST_SHOCKS", 0)
    with pytest.raises(ts.SolveError, match="shocks in one instant, at last of"):
        ts.simulate(ts.load(entries), 0.3)
