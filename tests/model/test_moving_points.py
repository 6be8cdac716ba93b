"""Forces at points that move: loads that travel, wheels that creep, wheelsets that hunt."""

import numpy as np
import pytest

import torseur as ts

BEAM = {
    "gravity": [0, 0, 0],
    "parameters": {"v": 2, "P": 10},
    "bodies": {"beam": {"mass": 3, "inertia": [0, 0.3, 0.25]}},
    "joints": {
        "O": {"type": "pivot", "axis": "z", "bodies": ["ground", "beam"], "coordinate": "th"}
    },
}


def loaded(**entries):
    load = {"type": "wrench", "body": "beam", "force": [0, "-P", 0]}
    return ts.load(BEAM | {"forces": {"load": load | entries}})


@pytest.mark.parametrize("coordinates", ["joint", "absolute"])
def test_a_load_at_a_place_of_the_ground_has_the_moment_of_its_line(coordinates):
    """I θ̈ = −P v t whatever the angle, so θ = −P v t³/(6 I)."""
    run = ts.simulate(loaded(at=["v*t", 0, 0]), 0.5, at=[0.5], coordinates=coordinates)
    assert run["th"][0] == pytest.approx(-10 * 2 * 0.5**3 / (6 * 0.25), rel=1e-8)


def test_a_load_that_travels_along_a_beam_turns_with_it():
    f = ts.compile(loaded(point=["v*t", 0, 0]))
    assert f.applied([0.6], [0.0], [0.3])[0] == pytest.approx(-10 * 0.6 * np.cos(0.6), rel=1e-14)


@pytest.mark.parametrize("entries", [{"at": ["v*t", 0, 0]}, {"point": ["0.3 + 0.1*th", 0, 0]}])
def test_a_moving_point_is_read_again_as_it_was_written(entries, tmp_path):
    m = loaded(**entries)
    assert ts.load(m.save(tmp_path / "beam.yaml")) == m


def test_a_point_given_twice_is_refused():
    with pytest.raises(ts.ModelError, match="given twice"):
        loaded(at=["v*t", 0, 0], point=[1, 0, 0])


# --- creep ----------------------------------------------------------------------------------------

RAIL = {"type": "tyre", "body": "wheel", "axis": "z", "radius": 0.4, "normal": "y"}


def rolling(**law):
    return ts.load(
        {
            "gravity": [0, 0, 0],
            "bodies": {"wheel": {"mass": 20, "inertia": [0.5, 0.5, 0.9]}},
            "joints": {
                "P": {
                    "type": "planar",
                    "bodies": ["ground", "wheel"],
                    "normal": "z",
                    "coordinates": ["x", "y", "a"],
                }
            },
            "forces": {"rail": RAIL | {"load": 1000, "slow": 0} | law},
        }
    )


def test_a_wheel_that_slides_a_little_comes_to_roll_in_the_relaxation_time_of_creep():
    """u = ẋ + r ω decays at C (1/m + r²/J)/V."""
    C, V, u, r = 400.0, 10.0, 1e-4, 0.4
    model = rolling(creep=[C, C])
    run = ts.simulate(
        model,
        1.0,
        at=[0.1, 0.3],
        initial={"x.": V, "a.": -(V - u) / r, "y": r, "y.": 0},
        rtol=1e-12,
    )
    rate = C * (1 / 20 + r**2 / 0.9) / V
    np.testing.assert_allclose(run["x."] + r * run["a."], u * np.exp(-rate * run.t), rtol=1e-4)


@pytest.mark.parametrize("slip", [1e-3, 0.02, 0.05, 0.4])
def test_creep_with_friction_is_that_of_vermeulen_and_johnson(slip):
    C, mu, N, V = 9e3, 0.3, 1000.0, 10.0
    f = ts.compile(rolling(creep=[C, C], friction=mu))
    force = f.applied([0, 0.4, 0], [V, 0, -V * (1 - slip) / 0.4])[0]
    tau = min(C * slip / (3 * mu * N), 1)
    assert force == pytest.approx(-mu * N * (1 - (1 - tau) ** 3), rel=1e-12)


def test_friction_beside_magic_is_refused():
    with pytest.raises(ts.ModelError, match="magic has its own limit"):
        rolling(magic=[10, 1.9, 1, 0.97], friction=0.3)


def test_a_wheelset_hunts_with_the_wavelength_of_klingel():
    """2π √(r s/λ), s half the distance of the rails, λ the cone (Klingel 1883).

    Creep is stiff: the wheels nearly roll.
    """
    r, s, cone, V = 0.45, 0.75, 0.05, 2.0
    wheel = {"type": "tyre", "body": "set", "normal": "z", "axis": "y", "load": 5e4, "slow": 0}
    wheel |= {"creep": [1e7, 1e7]}
    model = ts.load(
        {
            "gravity": [0, 0, 0],
            "bodies": {
                "frame": {"mass": 0},
                "set": {"mass": 1000, "inertia": [600, 100, 600]},
            },
            "joints": {
                "P": {
                    "type": "planar",
                    "bodies": ["ground", "frame"],
                    "normal": "z",
                    "point": [[0, 0, r], [0, 0, 0]],
                    "coordinates": ["x", "y", "psi"],
                },
                "axle": {
                    "type": "pivot",
                    "bodies": ["frame", "set"],
                    "axis": "y",
                    "coordinate": "spin",
                },
            },
            "forces": {
                "left": wheel | {"centre": [0, s, 0], "radius": f"{r} + {cone}*y"},
                "right": wheel | {"centre": [0, -s, 0], "radius": f"{r} - {cone}*y"},
            },
            "events": {"middle": {"zero": "y", "direction": "falling"}},
        }
    )
    start = {"x.": V, "spin.": V / r, "y": 1e-3, "psi": 0, "y.": 0}
    run = ts.simulate(model, 30.0, rate=50, initial=start, method="radau", rtol=1e-8)
    places = [run(event.t)["x"] for event in run.events]
    wave = np.diff(places)
    np.testing.assert_allclose(wave, 2 * np.pi * np.sqrt(r * s / cone), rtol=2e-3)
