"""Flywheels, bearings, gearboxes and isolation against closed forms and published numbers."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

import torseur as ts
from torseur.analyse.sizing.summary import _lowest
from torseur.cli.commands import commands
from torseur.errors import ModelError

PIVOT = {"type": "pivot", "axis": "z"}


def rotor(**more):
    """A rotor with a couple that changes twice a turn."""
    return {
        "parameters": {"A": 40.0, "C0": 100.0, "w": 50.0, "I": 0.2, "J": 0},
        "bodies": {"r": {"inertia": [20, 20, "I + J"], "mass": 1}},
        "joints": {"O": {**PIVOT, "bodies": ["ground", "r"], "coordinate": "th"}},
        "forces": {"load": {"type": "joint", "joint": "O", "value": "-C0 - A*cos(2*th)"}},
        **more,
    }


DRIVEN = rotor(motions={"drive": {"coordinate": "th", "law": "w*t"}})


def crank(**more):
    """An engine whose piston is pushed by a force that depends on the angle of its crank."""
    return {
        "gravity": [0, -9.81, 0],
        "parameters": {"r": 0.04, "l": 0.13, "J": 0, "load": 0, "w": 100},
        "bodies": {
            "crank": {"mass": 2, "inertia": [20, 20, "0.01 + J"], "centre": [0.01, 0, 0]},
            "rod": {"mass": 0.5, "centre": ["l/3", 0, 0], "inertia": [0, 8e-4, 8e-4]},
            "piston": {"mass": 0.6},
        },
        "joints": {
            "O": {**PIVOT, "bodies": ["ground", "crank"], "coordinate": "th"},
            "A": {**PIVOT, "bodies": ["crank", "rod"], "point": [["r", 0, 0], [0, 0, 0]]},
            "G": {"type": "prismatic", "axis": "x", "bodies": ["ground", "piston"]},
            "B": {**PIVOT, "bodies": ["rod", "piston"], "point": [["l", 0, 0], [0, 0, 0]]},
        },
        "forces": {
            "gas": {"type": "joint", "joint": "G", "value": "-2000*(1 + sin(th))"},
            "load": {"type": "joint", "joint": "O", "value": "load"},
        },
        "initial": {"th": 0},
        **more,
    }


# --- flywheels ------------------------------------------------------------------------------------


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("wanted", [0.01, 0.05])
def test_a_flywheel_stores_the_excess_of_a_sine(wanted, sign):
    run = ts.simulate(DRIVEN, 0.2, parameters={"w": sign * 50.0})
    wheel = ts.sizing.flywheel(run, "drive", wanted)
    assert wheel.excess == pytest.approx(40, rel=1e-9)  # of C = C0 + A cos 2θ: 2 A/2
    assert wheel.mean_couple == pytest.approx(100, rel=1e-9)
    assert wheel.inertia == pytest.approx(40 / (wanted * 2500) - 0.2, rel=1e-8)
    assert wheel.without == pytest.approx(40 / (0.2 * 2500), rel=1e-8)


@pytest.mark.slow
def test_an_engine_with_its_flywheel_fluctuates_as_wanted():
    run = ts.simulate(crank(motions={"shaft": {"coordinate": "th", "law": "w*t"}}), 0.14)
    wheel = ts.sizing.flywheel(run, "shaft", 0.03)
    assert abs(wheel.inertia / wheel.approximation - 1) > 1e-3  # the parts move too
    start = {"th": run["th"][-1], "th.": wheel.speeds[-1]}
    given = {"J": wheel.inertia, "load": wheel.mean_couple}
    free = ts.simulate(crank(), 0.07, rate=2000, parameters=given, initial=start)
    speed = ts.sizing.fluctuation(free, "th")
    assert speed.coefficient == pytest.approx(0.03, rel=1e-5)
    assert speed.mean == pytest.approx(100, rel=1e-6)


def test_no_flywheel_is_needed_where_the_rotor_is_heavy():
    run = ts.simulate(DRIVEN, 0.2, parameters={"I": 10})
    wheel = ts.sizing.flywheel(run, "drive", 0.01)
    assert wheel.inertia == 0 and wheel.without == pytest.approx(40 / 25000, rel=1e-8)
    assert "no flywheel is needed" in str(wheel)


def test_a_flywheel_from_a_wrong_run_is_refused():
    run = ts.simulate(DRIVEN, 0.1)
    with pytest.raises(ModelError, match="shorter than a cycle"):
        ts.sizing.flywheel(run, "drive", 0.02)
    with pytest.raises(ModelError, match=r"turns by 5 rad, less than a cycle"):
        ts.sizing.fluctuation(run, "th")
    with pytest.raises(ModelError, match='"other" does not exist'):
        ts.sizing.flywheel(run, "other", 0.02)
    with pytest.raises(ModelError, match="is not possible"):
        ts.sizing.flywheel(run, "drive", 3.0)
    faster = rotor(motions={"drive": {"coordinate": "th", "law": "w*t^2"}})
    with pytest.raises(ModelError, match="Impose a constant speed"):
        ts.sizing.flywheel(ts.simulate(faster, 0.5), "drive", 0.02)


# --- bearings -------------------------------------------------------------------------------------


def shaft(force, point=(0, 0, 0), speed="100*pi*t"):
    """A shaft about x that turns, with a force of the ground axes."""
    return {
        "bodies": {"r": {"mass": 1, "inertia": [1, 1, 1]}},
        "joints": {"O": {"type": "pivot", "axis": "x", "bodies": ["ground", "r"],
                         "coordinate": "th"}},
        "motions": {"d": {"coordinate": "th", "law": speed}},
        "forces": {"F": {"type": "wrench", "body": "r", "force": force, "point": point}},
    }  # fmt: skip


def test_a_ball_bearing_of_a_catalogue_lives_940_hours():
    # SKF, Rolling bearings (2016), example 1 of selecting bearing size: 6309, 3000 r/min, 10 kN
    run = ts.simulate(shaft([0, -10e3, 0]), 0.05)
    life = ts.sizing.bearing_life(run, "O", ts.sizing.Bearing(55.3e3))
    assert round(life[0].millions) == 169
    assert round(life.hours, -1) == 940


def test_a_load_that_changes_counts_by_its_cube():
    # of |sin|: the mean of its cube over a turn is 4/(3 π)
    run = ts.simulate(shaft([0, "-1000*sin(50*pi*t)", 0]), 0.04, rate=20000)
    life = ts.sizing.bearing_life(run, "O", ts.sizing.Bearing(20e3))
    assert life[0].mean_load == pytest.approx(1000 * (4 / (3 * np.pi)) ** (1 / 3), rel=1e-6)
    rollers = ts.sizing.bearing_life(run, "O", ts.sizing.Bearing(20e3, "cylindrical roller"))
    angles = np.linspace(0, np.pi, 200001)
    mean = np.trapezoid(np.sin(angles) ** (10 / 3), angles) / np.pi
    assert rollers[0].mean_load == pytest.approx(1000 * mean**0.3, rel=1e-6)


def test_turns_at_a_higher_speed_count_more():
    # the angle 10 t + 5 t²: the load 1000 (1 + t) N has ∫ P³ ω dt/∫ ω dt with ω = 10 (1 + t)
    run = ts.simulate(shaft([0, "-1000*(1 + t)", 0], speed="10*t + 5*t^2"), 1.0, rate=2000)
    life = ts.sizing.bearing_life(run, "O", ts.sizing.Bearing(20e3))
    cubes = (2**5 - 1) / 5 / (3 / 2)
    assert life[0].mean_load == pytest.approx(1000 * cubes ** (1 / 3), rel=1e-6)
    assert life[0].speed == pytest.approx(15, rel=1e-9)
    hours = (20 / (cubes ** (1 / 3))) ** 3 * 1e6 * 2 * np.pi / 15 / 3600
    assert life.hours == pytest.approx(hours, rel=1e-6)


def test_two_bearings_share_force_and_couple_by_statics():
    run = ts.simulate(shaft([500, 0, -3000], [0.15, 0, 0]), 0.02)  # turns with the shaft
    ball = ts.sizing.Bearing(30e3, "angular contact ball")
    first, second = ts.sizing.bearing_life(run, "O", ball, places=(0.0, 0.1)).bearings
    assert (first.radial, second.radial) == pytest.approx((1500, 4500), rel=1e-9)
    assert (first.axial, second.axial) == pytest.approx((500, 0), abs=1e-9)
    alone = ts.sizing.bearing_life(run, "O", ball)
    assert "couple of up to 450 N·m" in alone.notices[0]


def test_the_equivalent_load_of_deep_groove_balls_follows_the_table():
    ball = ts.sizing.Bearing(30e3, static_rating=16e3, f0=13)
    axial = 1.38 * 16e3 / 13  # e = 0.30, Y = 1.45
    P = ball.load(np.array([1000.0, 1e5]), np.array([axial, axial]))
    np.testing.assert_allclose(P, [0.56 * 1000 + 1.45 * axial, 1e5])
    tapered = ts.sizing.Bearing(30e3, "tapered roller", e=0.37, Y=1.6)
    P = tapered.load(np.array([1000.0, 1000.0]), np.array([370.0, 1000.0]))
    np.testing.assert_allclose(P, [1000, 400 + 1600])
    assert tapered.life(3e3) == pytest.approx(10 ** (10 / 3))


def test_bearings_refuse_loads_they_do_not_carry():
    run = ts.simulate(shaft([500, 0, -3000]), 0.02)
    for bearing, problem in (
        (ts.sizing.Bearing(30e3), "needs static_rating, f0"),
        (ts.sizing.Bearing(30e3, "cylindrical roller"), "carries no axial load, but has 500 N"),
        (ts.sizing.Bearing(30e3, "thrust ball"), "carries no radial load, but has 3000 N"),
    ):
        with pytest.raises(ModelError, match=problem):
            ts.sizing.bearing_life(run, "O", bearing)
    with pytest.raises(ModelError, match=r"no factor is given for the reliability 0\.5"):
        ts.sizing.bearing_life(run, "O", ts.sizing.Bearing(30e3), reliability=0.5)
    with pytest.raises(ModelError, match="rating = -1 is not positive"):
        ts.sizing.Bearing(-1)
    with pytest.raises(ModelError, match='"plain" does not exist'):
        ts.sizing.Bearing(1e3, "plain")
    still = ts.simulate(shaft([0, -1, 0], speed="0*t"), 0.02)
    with pytest.raises(ModelError, match="does not turn"):
        ts.sizing.bearing_life(still, "O", ts.sizing.Bearing(30e3))


# --- transmissions --------------------------------------------------------------------------------


def gears(loss):
    """A pair of gears of ratio 1/2 with a loss in the teeth."""
    return {
        "gravity": [0, -9.81, 0],
        "bodies": {
            "a": {"mass": 1, "inertia": [0.1, 0.1, 0.1], "centre": [0.01, 0, 0]},
            "b": {"mass": 1, "inertia": [0.1, 0.1, 0.1]},
        },
        "joints": {
            "A": {**PIVOT, "bodies": ["ground", "a"], "coordinate": "a"},
            "B": {**PIVOT, "bodies": ["ground", "b"], "coordinate": "b",
                  "point": [[0.3, 0, 0], [0, 0, 0]]},
        },
        "constraints": {"teeth": {"type": "gear", "bodies": ["a", "b"], "carrier": "ground",
                                  "point": [0.1, 0, 0], "direction": [0, 1, 0],
                                  "friction": loss}},
        "motions": {"motor": {"coordinate": "a", "law": "50*t"}},
        "forces": {"load": {"type": "joint", "joint": "B", "value": 20}},
    }  # fmt: skip


def test_gears_lose_the_part_of_their_tooth_force():
    run = ts.simulate(gears(0.05), 2 * np.pi / 50)
    found = ts.sizing.efficiency(run, "motor", "load")
    assert found.efficiency == pytest.approx(1 / 1.05, rel=1e-6)
    assert found.losses["teeth: friction"] == pytest.approx(0.05 * found.delivered, rel=1e-6)
    assert abs(found.stored) < 1e-6 * found.received  # the heavy side turned once
    part = ts.sizing.efficiency(run, "motor", "load", start=0.0, stop=0.03)
    assert part.stored == pytest.approx(9.81 * 0.01 * np.sin(50 * 0.03), rel=1e-9)  # m g r sin θ
    assert part.efficiency == pytest.approx(1 / 1.05, rel=1e-6)


def test_a_screw_jack_has_the_losses_of_its_thread():
    couple, lasts = 30.0, 0.1
    run = ts.simulate("screw_jack", lasts, parameters={"C": couple})
    found = ts.sizing.efficiency(run, "bar", "weight")
    M, J, r, h, g = 500, 0.02, 0.015, 6e-3 / (2 * np.pi), 9.81
    t = np.tan(np.arctan(h / r) + np.arctan(0.12 / np.cos(np.radians(15))))
    alpha = (couple - M * g * r * t) / (J + M * h * r * t)  # the axial load is M (g + h α)
    friction = M * (g + h * alpha) * (r * t - h)
    assert found.efficiency == pytest.approx(M * g * h / (M * g * h + friction), rel=1e-6)
    assert found.losses["thread: friction"] == pytest.approx(friction * alpha * lasts**2 / 2)
    assert found.received == pytest.approx(couple * alpha * lasts**2 / 2, rel=1e-6)


def test_input_and_output_of_an_efficiency_are_checked():
    run = ts.simulate(gears(0.05), 0.1)
    with pytest.raises(ModelError, match=r"receives .* J instead of giving energy"):
        ts.sizing.efficiency(run, "load", "motor")
    with pytest.raises(ModelError, match='"brake" does not exist'):
        ts.sizing.efficiency(run, "motor", "brake")
    with pytest.raises(ModelError, match="both input and output"):
        ts.sizing.efficiency(run, "motor", "motor")


# --- isolation ------------------------------------------------------------------------------------


def mount(*masses):
    """Masses in a row along x, each on a spring and a damper."""
    names = ["ground", *(f"m{k}" for k in range(len(masses)))]
    form = {"bodies": {}, "joints": {}, "forces": {}}
    for k, ((m, stiffness, damping), below) in enumerate(zip(masses, names, strict=False)):
        ends = [[below, [-1, 0, 0]], [f"m{k}", [0, 0, 0]]]
        form["bodies"][f"m{k}"] = {"mass": m}
        form["joints"][f"s{k}"] = {"type": "prismatic", "axis": "x", "bodies": [below, f"m{k}"],
                                   "coordinate": f"x{k}"}  # fmt: skip
        form["forces"][f"k{k}"] = {"type": "spring", "between": ends, "stiffness": stiffness,
                                   "length": 1}  # fmt: skip
        form["forces"][f"c{k}"] = {"type": "damper", "between": ends, "damping": damping}
    return form


def transmissibility(rho, zeta):
    top, bottom = 1 + 2j * zeta * rho, 1 - rho**2 + 2j * zeta * rho
    return np.abs(top / bottom)


@pytest.mark.parametrize("damping", [4.0, 40.0])
@pytest.mark.parametrize("excited", ["x0", "ground.x"])
def test_one_mass_isolates_above_root_two_whatever_its_damping(damping, excited):
    small = ts.linearise(mount((2.0, 800.0, damping)), inputs=("x0",))
    curve = ts.sizing.isolation(small, excited)
    wanted = transmissibility(curve.frequencies / 20, damping / 80)
    np.testing.assert_allclose(curve.transmissibility, wanted, rtol=1e-9)
    assert curve.isolates_from == pytest.approx((20 * np.sqrt(2),), rel=1e-9)


def test_a_mount_of_two_stages_lets_through_the_product_of_its_springs():
    (M, K, C), (m, k, c) = stages = ((30.0, 9e3, 30.0), (5.0, 4e3, 10.0))
    small = ts.linearise(mount(*stages), inputs=("x1",))
    omegas = np.geomspace(1, 300, 60)
    curve = ts.sizing.isolation(small, "x1", omegas)
    # "x1" acts between the two masses: both feel it; the ground feels (K + i ω C) X
    p = 1j * omegas
    lower, upper = K + C * p, k + c * p
    felt = []
    for s, Z, z in zip(p, lower, upper, strict=True):
        matrix = np.array([[M * s * s + Z + z, -z], [-z, m * s * s + z]])
        felt.append(Z * np.linalg.solve(matrix, [-1, 1])[0])
    np.testing.assert_allclose(curve.amplitudes, felt, rtol=1e-9, atol=1e-12)


def test_an_imposed_base_is_a_ground_that_shakes():
    form = mount((1.0, 1.0, 0.0), (2.0, 800.0, 8.0))
    del form["forces"]["k0"], form["forces"]["c0"]
    form["motions"] = {"shake": {"coordinate": "x0", "law": "0*t"}}
    curve = ts.sizing.isolation(ts.linearise(form), "shake", [5.0, 20.0, 60.0], output="m1")
    wanted = transmissibility(np.array([5.0, 20.0, 60.0]) / 20, 0.1)
    np.testing.assert_allclose(curve.transmissibility, wanted, rtol=1e-9)
    with pytest.raises(ModelError, match="is a motion, not a force"):
        curve.rotating_unbalance(1.0)


def test_inputs_of_isolation_are_checked():
    small = ts.linearise(mount((2.0, 800.0, 8.0)), inputs=("x0",))
    with pytest.raises(ModelError, match='"y" does not exist'):
        ts.sizing.isolation(small, "y")
    with pytest.raises(ModelError, match="frequencies are positive"):
        ts.sizing.isolation(small, "x0", [0.0, 1.0])
    with pytest.raises(ModelError, match='axis "w" does not exist'):
        ts.sizing.isolation(small, "x0", output="w")


# --- summaries and files --------------------------------------------------------------------------


def test_a_summary_has_the_mean_the_root_mean_square_and_the_extremes_of_a_sine():
    run = ts.simulate(rotor(motions={"d": {"coordinate": "th", "law": "3*sin(2*pi*t)"}}), 2.0)
    found = ts.observe.summary(run, "th", "2*th + 1", "O.force")
    row = found["th"]
    assert row.rms == pytest.approx(3 / np.sqrt(2), rel=1e-3)
    assert abs(row.mean) < 1e-12 and row.peak == pytest.approx(3, rel=1e-6)
    assert (row.most_at % 1, row.least_at % 1) == pytest.approx((0.25, 0.75))
    assert found["2*th + 1"].range == pytest.approx(12, rel=1e-6)
    assert found["|O.force|"].rms == found["O.force.x"].rms == 0
    assert ts.observe.summary(run, "th", start=0.0, stop=0.25)["th"].most_at == 0.25
    with pytest.raises(ModelError, match='curve "x" does not exist'):
        found["x"]


def test_the_commands_answer_as_the_library(tmp_path):
    file = tmp_path / "rotor.yaml"
    ts.load(DRIVEN).save(file)
    run = [str(file), "--duration", "0.2", "--json"]
    for line, name, value in (
        (["flywheel", "--drive", "drive", "--fluctuation", "0.02"], "inertia", 0.6),
        (["flywheel", "--of", "th"], "coefficient", 0.0),
        (["efficiency", "--input", "drive", "--output", "load"], "efficiency", 1.0),
    ):
        answer = CliRunner().invoke(commands, [*line, *run])
        assert answer.exit_code == 0, answer.output
        assert json.loads(answer.stdout)[name] == pytest.approx(value, abs=1e-6)
    table = tmp_path / "table.csv"
    line = ["summary", *run, "--of", "drive", "-o", str(table), "--span", "0:0.1"]
    assert CliRunner().invoke(commands, line).exit_code == 0
    assert table.read_text().splitlines()[0].startswith("curve,unit,mean,rms")
    answer = CliRunner().invoke(commands, ["flywheel", *run])
    assert "either --of" in str(answer.exception)


def test_a_workbook_has_names_units_reactions_extremes_and_parameters(tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    run = ts.simulate(crank(motions={"shaft": {"coordinate": "th", "law": "w*t"}}), 0.05)
    run.to_excel(tmp_path / "run.xlsx", of=["reactions"])
    samples, extremes, parameters = openpyxl.load_workbook(tmp_path / "run.xlsx")
    heads = [cell.value for cell in samples[1]]
    assert heads[0] == "t [s]" and "O.force.x [N]" in heads and "O.couple.z [N·m]" in heads
    column = [row[heads.index("O.force.x [N]")].value for row in samples.iter_rows(min_row=2)]
    np.testing.assert_allclose(column, run.reaction("O")[:, 0], rtol=1e-15)  # 16 digits
    rows = {row[0].value: [cell.value for cell in row] for row in extremes.iter_rows(min_row=2)}
    assert rows["O.force.x"][1:2] == ["N"] and rows["O.force.x"][5] == max(column)
    assert [cell.value for cell in parameters[2]][:2] == ["r", 0.04]
    with pytest.raises(ModelError):
        run.to_excel(tmp_path / "run.xls")


def test_of_equal_extremes_the_first_is_named():
    """Three cycles that differ by rounding alone: the lowest and the highest are of the first."""
    t = np.linspace(0, 3, 301)
    x = np.sin(2 * np.pi * t) - 1e-9 * np.floor(t)
    assert t[_lowest(x)] == pytest.approx(0.75, abs=0.011)
    assert t[_lowest(-x)] == pytest.approx(0.25, abs=0.011)
    assert _lowest(np.array([2.0, 2.0])) == 0
