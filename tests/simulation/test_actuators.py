"""Actuators: closed forms of their motions, what they stand for, and their errors."""

import re
from pathlib import Path

import numpy as np
import pytest
import yaml

import torseur as ts
from torseur.model.actuator_types import ACTUATORS, actuator_class
from torseur.model.sensors import SENSORS, sensor_class

SLIDE = {
    "parameters": {"r": 0.3},
    "bodies": {"b": {"mass": 2, "inertia": [1, 1, 1]}},
    "joints": {"x": {"type": "slider", "bodies": ["ground", "b"], "axis": "x"}},
}
WHEEL = SLIDE | {"joints": {"q": {"type": "pivot", "bodies": ["ground", "b"], "axis": "z"}}}
DC = {
    "type": "DC motor",
    "coordinate": "q",
    "voltage": "24 V",
    "resistance": "0.5 ohm",
    "inductance": "100 mH",
    "torque_constant": "50 mN.m/A",
    "ratio": 20,
}
TIMES = np.array([0.05, 0.3, 1.0])


def driven(model, **entries):
    """A model with one actuator, called drive."""
    return ts.load(model | {"actuators": {"drive": entries}})


def test_a_servo_swings_into_its_position():
    """2 x'' = 50 (r − x) − 4 x': a damped oscillation about r."""
    model = driven(SLIDE, type="servo", coordinate="x", position="r", gain="50 N/m", damping=4)
    run = ts.simulate(model, at=TIMES)
    decay, w = 1.0, np.sqrt(25 - 1)
    step = 1 - np.exp(-decay * TIMES) * (np.cos(w * TIMES) + decay / w * np.sin(w * TIMES))
    np.testing.assert_allclose(run["x"], 0.3 * step, rtol=1e-8)
    rows = ts.simulate(model, at=TIMES, parameters={"r": np.array([0.3, -1.0])})
    np.testing.assert_allclose(rows["x"], np.outer([0.3, -1.0], step), rtol=1e-8)


def test_a_velocity_servo_lags_behind_its_velocity():
    run = ts.simulate(
        driven(SLIDE, type="velocity servo", coordinate="x", velocity="2 m/s", gain="8 N.s/m"),
        at=TIMES,
    )
    np.testing.assert_allclose(run["x."], 2 * (1 - np.exp(-4 * TIMES)), rtol=1e-8)


def test_a_limit_holds_the_force():
    entries = {"coordinate": "x", "limit": ["-1 N", "3 N"]}
    motor = ts.simulate(driven(SLIDE, type="motor", force="40*cos(pi*t)", **entries), at=[0.4, 0.9])
    np.testing.assert_allclose(motor["x.."], [1.5, -0.5])
    servo = driven(SLIDE, type="servo", position="100 m", gain=50, **entries)
    np.testing.assert_allclose(ts.simulate(servo, at=TIMES)["x"], 0.75 * TIMES**2, rtol=1e-8)


def test_the_current_of_a_motor_follows_its_circuit():
    """L i' = U − R i − k N q', q'' = N k i: a system of two linear equations."""
    run = ts.simulate(driven(WHEEL, **DC), at=TIMES)
    A, b = np.array([[-5.0, -10.0], [1.0, 0.0]]), np.array([240.0, 0.0])
    values, vectors = np.linalg.eig(A)
    rest = np.linalg.solve(A, -b)
    weights = np.linalg.solve(vectors, -rest)
    i, v = rest[:, None] + (vectors @ (weights[:, None] * np.exp(np.outer(values, TIMES)))).real
    np.testing.assert_allclose(run["drive_current"], i, rtol=1e-7)
    np.testing.assert_allclose(run["q."], v, rtol=1e-7)
    assert run.names["drive_current"] == "A"
    np.testing.assert_allclose(rest, [0, 24 / (20 * 0.05)])  # speed without load: U/(k N)
    system = ts.stability.linear_system(driven(WHEEL, **DC | {"voltage": "0 V"}))
    np.testing.assert_allclose(
        np.sort_complex([x for x in np.linalg.eigvals(system.A) if abs(x) > 1e-9]),
        np.sort_complex(values),
    )


def test_a_motor_without_inductance_has_one_time_constant():
    run = ts.simulate(driven(WHEEL, **{k: x for k, x in DC.items() if k != "inductance"}), at=TIMES)
    np.testing.assert_allclose(run["q."], 24 * (1 - np.exp(-2 * TIMES)), rtol=1e-8)  # (k N)²/(R J)


def test_an_activation_lags_behind_its_command():
    run = ts.simulate(
        driven(SLIDE, type="activation", coordinate="x", command="r", time="0.1 s", force="20 N"),
        at=TIMES,
    )
    np.testing.assert_allclose(run["drive_activation"], 0.3 * (1 - np.exp(-TIMES / 0.1)), rtol=1e-7)
    v = 3 * (TIMES - 0.1 * (1 - np.exp(-TIMES / 0.1)))
    np.testing.assert_allclose(run["x."], v, rtol=1e-7)


def test_an_actuator_is_the_force_and_the_state_that_it_stands_for():
    short = driven(WHEEL, **DC)
    long = ts.load(
        WHEEL
        | {
            "states": {"drive_current": {"rate": "(24 - q. - drive_current/2)/0.1", "unit": "A"}},
            "forces": {"drive": {"type": "joint", "joint": "q", "value": "drive_current"}},
        }
    )
    assert str(ts.derive(short)) == str(ts.derive(long))
    again = ts.load(WHEEL | {"actuators": {"drive": DC}})
    assert again == short
    assert "DC motor" in short.yaml()


def test_other_parts_use_the_state_of_an_actuator_with_its_unit():
    watched = {"events": {"peak": "drive_current - 20 A"}, "actuators": {"drive": DC}}
    run = ts.simulate(ts.load(WHEEL | watched), 0.5)
    assert run.events[0].name == "peak"
    with pytest.raises(ts.ModelError, match="current"):
        ts.load(WHEEL | watched | {"definitions": {"wrong": "drive_current - 20 N"}})


SERVO = {"type": "servo", "coordinate": "q", "position": "r", "gain": 5}


@pytest.mark.parametrize(
    ("entries", "problem"),
    [
        (SERVO | {"type": "sevro"}, 'actuator type "sevro" does not exist'),
        (SERVO | {"coordinate": "z"}, 'coordinate "z" does not exist'),
        ({"type": "servo", "coordinate": "q", "gain": 5}, 'the entry "position" is missing'),
        (SERVO | {"gain": "5 N/m"}, "where"),
        (SERVO | {"force": 3}, 'unknown entry "force" for an actuator of type servo'),
        (SERVO | {"limit": [3, -3]}, "the lower limit 3 is above the upper one, -3"),
        (DC | {"voltage": "24 A"}, "voltage"),
    ],
)
def test_wrong_actuators_are_refused(entries, problem):
    with pytest.raises(ts.ModelError, match=problem):
        driven(WHEEL, **entries)


def test_names_that_are_taken_are_refused():
    force = {"type": "joint", "joint": "q", "value": 1}
    with pytest.raises(ts.ModelError, match='"drive" is already used'):
        ts.load(WHEEL | {"forces": {"drive": force}, "actuators": {"drive": SERVO}})
    with pytest.raises(ts.ModelError, match='"drive_current" is already used'):
        ts.load(WHEEL | {"states": {"drive_current": "1"}, "actuators": {"drive": DC}})
    ball = {"joints": {"s": {"type": "ball", "bodies": ["ground", "b"]}}}
    with pytest.raises(ts.ModelError, match="no coordinate whose rate is its speed"):
        ts.load(WHEEL | ball | {"actuators": {"drive": SERVO | {"coordinate": "s_x"}}})


PAGE = (Path(__file__).parents[2] / "docs" / "format.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("section", "by_name", "kinds"),
    [("actuators", actuator_class, ACTUATORS), ("sensors", sensor_class, SENSORS)],
)
def test_the_documentation_lists_every_type_with_its_entries_and_reads(section, by_name, kinds):
    text = PAGE.split(f"\n### {section}\n")[1].split("\n### ")[0]
    rows = re.findall(r"^\| (.+?) \| (.+?) \| (.+?) \| .+ \|$", text, re.M)[1:]
    listed = {}
    for english, french, entries in rows:
        assert by_name(english, "") is by_name(french, "")
        listed[by_name(english, "")] = set(re.findall(r"\w+", entries))
    assert listed == {kind: {key.name for key in kind.keys} for kind in kinds}
    model = {
        "parameters": {"k": 3, "target": 0.5},
        "bodies": {x: {"mass": 1, "inertia": [1, 1, 1]} for x in ("trunk", "slide")},
        "joints": {
            "A": {"type": "pivot", "bodies": ["ground", "trunk"], "coordinate": "q1", "axis": "z"},
            "x": {"type": "slider", "bodies": ["ground", "slide"], "axis": "x"},
        },
        "contacts": {"floor": {"bodies": ["ground", "slide"], "normal": "x", "point": [0, 0, 0]}},
    }
    block = re.search(r"```yaml\n(.*?)```", text, re.S)[1]
    read = ts.load(model | yaml.safe_load(block))
    assert len(read.loads if section == "actuators" else read.sensors) == len(kinds)


def test_attached_robots_keep_their_actuators_sensors_and_states():
    """Names get the prefix, those in expressions and of states of actuators too."""
    model = ts.load(
        WHEEL
        | {
            "actuators": {"drive": DC},
            "states": {"heat": "drive_current^2 - heat"},
            "sensors": {"counter": {"type": "encoder", "coordinate": "q"}},
        }
    )
    bench = {"bodies": {"t": {"mass": 1, "inertia": [1, 1, 1]}}}
    bench |= {"joints": {"f": {"type": "fixed", "bodies": ["ground", "t"]}}}
    both = ts.robots.attach(ts.load(bench), model, "t", prefix="left_")
    run = ts.simulate(both, at=TIMES)
    alone = ts.simulate(model, at=TIMES)
    for name in ("q", "drive_current", "heat"):
        np.testing.assert_allclose(run[f"left_{name}"], alone[name], rtol=1e-9)
    np.testing.assert_array_equal(run.sensor("left_counter").values[:, 0], run["left_q"])


def test_actuators_and_sensors_have_french_words():
    french = {
        "actionneurs": {
            "a": {"type": "asservissement de vitesse", "coordonnée": "q", "vitesse": 2, "gain": 3},
            "m": {
                "type": "moteur à courant continu",
                "coordonnée": "q",
                "tension": "24 V",
                "résistance": 1,
                "constante de couple": 0.1,
                "limite": [-1, 1],
            },
        },
        "capteurs": {
            "c": {"type": "centrale inertielle", "solide": "b", "bruit": {"vitesse angulaire": 1}}
        },
    }
    english = {
        "actuators": {
            "a": {"type": "velocity servo", "coordinate": "q", "velocity": 2, "gain": 3},
            "m": {
                "type": "DC motor",
                "coordinate": "q",
                "voltage": "24 V",
                "resistance": 1,
                "torque_constant": 0.1,
                "limit": [-1, 1],
            },
        },
        "sensors": {"c": {"type": "imu", "body": "b", "noise": {"rate": 1}}},
    }
    assert ts.load(WHEEL | french) == ts.load(WHEEL | english)


GEAR = {
    "type": "elastic gear",
    "coordinate": "q",
    "torque": "0.2 N.m",
    "rotor_inertia": "1e-4 kg.m^2",
    "stiffness": "300 N.m/rad",
    "ratio": 50,
}
ROTOR = 1e-4 * 50**2  # reduced to the joint
STILL = {"bodies": {"b": {"mass": 2, "inertia": [1, 1, 0.5]}}}


def test_an_elastic_gear_swings_at_the_frequency_of_two_inertias():
    """ω² = k (1/J' + 1/J); the centre of the twist accelerates by N C/(J' + J)."""
    w = np.sqrt(300 * (1 / ROTOR + 1 / 0.5))
    system = ts.stability.linear_system(driven(WHEEL | STILL, **GEAR | {"torque": 0}))
    assert np.sort(np.linalg.eigvals(system.A).imag)[-1] == pytest.approx(w, rel=1e-12)
    model = driven(WHEEL | STILL, **GEAR)
    q = 10 / (ROTOR + 0.5) * (TIMES**2 / 2 - (1 - np.cos(w * TIMES)) / w**2)
    run = ts.simulate(model, at=TIMES)
    np.testing.assert_allclose(run["q"], q, rtol=1e-8)
    commanded = ts.simulate(model, at=TIMES, control=lambda t, q, v: {"drive": 0.2}, sample=0.05)
    np.testing.assert_allclose(commanded["q"], q, rtol=1e-8)
    rows = ts.rollout(model, np.full((2, 20, 1), 0.2), 0.05)
    np.testing.assert_allclose(rows["q"][:, -1], q[-1], rtol=1e-7)


def test_the_work_of_the_motor_is_the_energy_behind_an_elastic_gear_and_its_losses():
    """On a slide: N in rad/m. Without losses the motor's work is all energy; with them, more."""
    slide = GEAR | {"coordinate": "x", "stiffness": "3 kN/m", "ratio": "50 rad/m"}
    for losses in ({}, {"damping": "20 N.s/m", "friction": "1e-3 N.m.s/rad"}):
        run = ts.simulate(driven(SLIDE, **slide | losses), at=np.linspace(0, 1, 200))
        twist, speed = run["drive_twist"], run["drive_speed"]
        energy = run["x."] ** 2 + 0.5e-4 * speed**2 + 1500 * (twist / 50) ** 2
        work = 0.2 * (twist + 50 * run["x"])
        assert run.names["drive_twist"] == "rad" and run.names["drive_speed"] == "rad/s"
        if not losses:
            np.testing.assert_allclose(energy, work, atol=1e-8)
        else:
            assert (np.diff(work - energy) > 0).all()


def test_the_play_of_an_elastic_gear_is_passed_before_it_pushes():
    """The rotor turns alone through half the play: p/2 = N C/J' t²/2."""
    run = ts.simulate(
        driven(WHEEL | STILL, **GEAR | {"play": "2 deg"}), at=np.linspace(0, 0.05, 51)
    )
    touching = np.sqrt(np.radians(2) * ROTOR / 10)
    moving = np.abs(run["q"]) > 1e-12
    assert not moving[run.t < touching].any() and moving[run.t > touching + 1e-3].all()


def test_an_elastic_gear_is_exported(tmp_path):
    files = ts.export(
        driven(WHEEL | STILL, **GEAR), "c", functions=["forward_dynamics"], directory=tmp_path
    )
    text = "".join(x.read_text("utf-8") for x in files)
    assert "const double *u" in text
