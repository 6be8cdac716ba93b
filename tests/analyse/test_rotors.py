"""Rotors and gyroscopes: unbalance, bearings, balancing, free rotation, spectra."""

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from same_text import tells
from scipy.integrate import solve_ivp

import torseur as ts
from torseur.cli.motion.gyroscopic_couple import gyroscopic_couple
from torseur.cli.motion.spectrum import spectrum
from torseur.cli.motion.tumbling import tumbling
from torseur.cli.rest.balance_rotor import balance_rotor
from torseur.cli.rest.rotor import rotor as rotor_command

EXAMPLES = Path(ts.__file__).parent / "examples"
PLANES, RADIUS = (0.1, 0.3), 0.1  # [m]
TRIALS = (
    ts.rotors.BalanceMass(0.06, RADIUS, 0.0, 0.1),
    ts.rotors.BalanceMass(0.06, RADIUS, np.pi / 2, 0.3),
)
NOISE = 0.02  # of the strongest signal


@cache
def example(name):
    return ts.load(EXAMPLES / f"{name}.yaml")


@cache
def rotor():
    return ts.rotors.rotor(example("unbalanced_rotor"), "rotor", "P1", "P2")


SPEED = example("unbalanced_rotor").parameters["omega"]


# --- unbalance and bearings ---------------------------------------------------------------------


def test_the_bearings_of_a_run_carry_what_the_closed_form_says():
    """P-Pb3.2: R₂ = ω² (I_xz + i I_yz)/l, R₁ = −m ω² (a + i b) − R₂, in the axes of the rotor."""
    run = ts.simulate(example("unbalanced_rotor"), 0.05, rate=2000, rtol=1e-11)
    back = np.exp(-1j * SPEED * run.t)
    for name, expected in zip(("P1", "P2"), rotor().reactions(SPEED), strict=True):
        force = run.reaction(name)
        np.testing.assert_allclose((force[:, 0] + 1j * force[:, 1]) * back, expected, rtol=1e-7)


def test_mass_data_of_a_rotor_are_those_at_its_first_bearing():
    """Huygens: I_xz at O is I_xz at G less m a c."""
    found, p = rotor(), example("unbalanced_rotor").parameters
    np.testing.assert_allclose(found.centre, [p["a"], p["b"], p["c"]])
    assert found.dynamic.real == pytest.approx(-p["E"] - p["m"] * p["a"] * p["c"])
    assert found.dynamic.imag == pytest.approx(-p["D"] - p["m"] * p["b"] * p["c"])
    assert found.balanced() == (False, False) and "static" in str(found)
    assert found.grade(SPEED) == pytest.approx(1.7 * SPEED)  # 1.7 mm off the axis


def test_an_axis_along_x_is_a_rotor_like_any_other():
    """The same body described with its axis along x has the same reactions, turned."""
    m, l, I = 3.0, 0.5, np.diag([0.02, 0.05, 0.05])
    along_z = {"mass": m, "centre": [1e-3, 2e-3, 0.2], "inertia": [0.05, 0.05, 0.02]}
    along_x = {"mass": m, "centre": [0.2, 1e-3, 2e-3], "inertia": np.diag(I).tolist()}
    found = []
    for body, end in ((along_z, [0, 0, l]), (along_x, [l, 0, 0])):
        joint = {"type": "rotule", "bodies": ["ground", "r"]}
        model = ts.load(
            {"bodies": {"r": body}, "joints": {"A": joint}, "points": {"E": ["r", end]}}
        )
        found.append(ts.rotors.rotor(model, "r", "A", "E").reactions(100.0))
    np.testing.assert_allclose(found[0], found[1], rtol=1e-12)


def test_two_masses_balance_a_rotor_at_every_point_of_its_axis():
    found = rotor().correction(PLANES)
    masses = [ts.rotors.BalanceMass(abs(b) / RADIUS, RADIUS, float(np.angle(b)), z)
              for b, z in zip(found, PLANES, strict=True)]  # fmt: skip
    balanced = rotor().with_masses(*masses)
    assert balanced.balanced() == (True, True)
    np.testing.assert_allclose(balanced.reactions(SPEED), 0, atol=1e-9)


def test_one_plane_is_not_enough():
    with pytest.raises(ts.ModelError, match="couple"):
        rotor().correction((0.2, 0.2))


def test_an_unknown_bearing_is_named_with_those_that_exist():
    with pytest.raises(ts.ModelError, match=r"Known bearings: .*P1"):
        ts.rotors.rotor(example("unbalanced_rotor"), "rotor", "P1", "P3")


# --- balancing from signals ---------------------------------------------------------------------


INERTIA = ("xx", "yy", "zz", "xy", "xz", "yz")


@cache
def rotor_model():
    """A rotor on the bearings of the example, with any mass data."""
    p = example("unbalanced_rotor").parameters
    sliding = {"type": "linéaire annulaire", "bodies": ["ground", "rotor"], "axis": "z"}
    made = ts.load({
        "parameters": dict.fromkeys(("mass", "a", "b", "c", "xx", "yy", "zz"), 1)
        | dict.fromkeys(("xy", "xz", "yz"), 0),
        "bodies": {"rotor": {"mass": "mass", "centre": ["a", "b", "c"], "inertia": [*INERTIA]}},
        "joints": {"P1": {"type": "rotule", "bodies": ["ground", "rotor"]},
                   "P2": sliding | {"point": [0, 0, p["l"]]}},
        "initial": {"P1_wz": float(SPEED)},
    })  # fmt: skip
    return ts.compile(made)


def gauges(*masses):
    """Times and both forces along X of a run of the example with masses on its rotor."""
    p = example("unbalanced_rotor").parameters
    own = np.array([[p["A"], 0, -p["E"]], [0, p["A"], -p["D"]], [-p["E"], -p["D"], p["C"]]])
    parts = [(p["m"], np.array([p["a"], p["b"], p["c"]])), *((m.mass, m.position) for m in masses)]
    mass = sum(m for m, _ in parts)
    centre = sum(m * x for m, x in parts) / mass
    places = [(m, x - centre) for m, x in parts]
    I = own + sum(m * (x @ x * np.eye(3) - np.outer(x, x)) for m, x in places)
    six = dict(zip(INERTIA, [*np.diag(I), I[0, 1], I[0, 2], I[1, 2]], strict=True))
    a, b, c = centre
    model = rotor_model().with_parameters(mass=mass, a=a, b=b, c=c, **six)
    run = ts.simulate(model, 0.5, rate=2000)
    return run.t, np.column_stack([run.reaction("P1")[:, 0], run.reaction("P2")[:, 0]])


def test_noisy_signals_of_runs_give_masses_that_reduce_the_reactions_a_hundred_times():
    """Three simulated runs, 2 % of noise, an offset and the hum of a motor at 50 Hz."""
    rng = np.random.default_rng(0)
    t, bare = gauges()
    strongest = np.abs(bare).max()
    signals = [bare, *(gauges(trial)[1] for trial in TRIALS)]
    hum = 3 * np.sin(2 * np.pi * 50 * t)[:, None]
    measured = [s + 5 + hum + NOISE * strongest * rng.normal(size=s.shape) for s in signals]
    first, *trials = (ts.rotors.synchronous(SPEED * t, s) for s in measured)
    found = ts.rotors.balance_rotor(first, trials, [x.unbalance for x in TRIALS])
    _, after = gauges(*found.masses((RADIUS, RADIUS), PLANES))
    assert np.abs(bare).max() / np.abs(after).max() > 100
    exact = rotor().correction(PLANES)
    np.testing.assert_allclose(found.corrections, exact, atol=0.02 * np.abs(exact).max())
    assert found.reduction > 100 and len(found.figure().axes) == 2


def test_influence_coefficients_of_clean_signals_are_those_of_the_closed_form():
    """P-Pb3.2: c₁ = −ω² (1 − z/l), c₂ = −ω² z/l."""
    t = np.sort(np.random.default_rng(1).uniform(0, 0.5, 300))  # uneven samples do as well
    first, *trials = (ts.rotors.synchronous(SPEED * t, r.signals(SPEED, t))
                      for r in (rotor(), *(rotor().with_masses(m) for m in TRIALS)))  # fmt: skip
    found = ts.rotors.balance_rotor(first, trials, [x.unbalance for x in TRIALS])
    np.testing.assert_allclose(found.influence, rotor().influence(SPEED, PLANES), rtol=1e-9)
    np.testing.assert_allclose(found.corrections, rotor().correction(PLANES), rtol=1e-8)
    np.testing.assert_allclose(first.z, rotor().reactions(SPEED), rtol=1e-10)


def test_the_error_of_a_synchronous_part_is_that_of_repeated_measurements():
    t, rng = np.linspace(0, 1, 1000), np.random.default_rng(2)
    clean = rotor().signals(SPEED, t)
    found = [
        ts.rotors.synchronous(SPEED * t, clean + rng.normal(size=clean.shape)) for _ in range(200)
    ]
    spread = np.std([x.z[0].real for x in found])
    assert found[0].error[0] == pytest.approx(spread, rel=0.15)


def test_the_speed_is_found_in_the_signals():
    t = np.linspace(0, 2, 4000)
    signals = rotor().signals(SPEED, t) + np.random.default_rng(3).normal(size=(4000, 2))
    assert ts.rotors.rotation_speed(t, signals) == pytest.approx(SPEED, rel=1e-4)


def test_trials_in_one_plane_are_refused():
    t = np.linspace(0, 1, 500)
    runs = [rotor(), rotor().with_masses(TRIALS[0]), rotor().with_masses(TRIALS[0])]
    first, *trials = (ts.rotors.synchronous(SPEED * t, r.signals(SPEED, t)) for r in runs)
    with pytest.raises(ts.ModelError, match="alike"):
        ts.rotors.balance_rotor(first, trials, [1e-3, 1e-3])


def test_the_command_reads_signals_and_says_masses_and_angles(tmp_path):
    t = np.arange(0, 1, 1e-3)
    rotors = (rotor(), *(rotor().with_masses(m) for m in TRIALS))
    table = np.column_stack([t, *(r.signals(SPEED, t) for r in rotors)])
    names = "t [s],bare_1 [N],bare_2 [N],trial1_1,trial1_2,trial2_1,trial2_2"
    file = tmp_path / "run.csv"
    np.savetxt(file, table, delimiter=",", header=names, comments="", fmt="%.12g")
    options = ("--trial", "60 g@0 deg", "--trial", "60 g @ 90 deg", "--radius", "100 mm",
               "--speed", "1500 tr/min")  # fmt: skip
    answer = CliRunner().invoke(balance_rotor, [str(file), *options, "--json"])
    assert answer.exit_code == 0, answer.output
    for mass, b in zip(
        json.loads(answer.output)["masses"], rotor().correction(PLANES), strict=True
    ):
        assert mass["mass"] == pytest.approx(abs(b) / RADIUS, rel=1e-6)
        assert mass["angle"] == pytest.approx(np.degrees(np.angle(b)), abs=1e-4)
    answer = CliRunner().invoke(balance_rotor, [str(file), *options[2:]])
    assert isinstance(answer.exception, ts.ModelError) and "--trial" in str(answer.exception)


def test_the_command_balances_from_noisy_files_without_being_told_the_speed(tmp_path):
    """Three files of 2 s with 2 % of noise; the masses it says reduce the reactions 100 times."""
    t, rng = np.arange(0, 2, 5e-4), np.random.default_rng(5)
    rotors = (rotor(), *(rotor().with_masses(m) for m in TRIALS))
    files = []
    for k, one in enumerate(rotors):
        signals = one.signals(SPEED, t)
        signals += 4 + NOISE * np.abs(signals).max() * rng.normal(size=signals.shape)
        files.append(str(tmp_path / f"run{k}.csv"))
        np.savetxt(files[-1], np.column_stack([t, signals]), delimiter=",", comments="",
                   header="t [s],first [N],second [N]")  # fmt: skip
    options = ("--trial", "60 g@0", "--trial", "60 g@90 deg", "--radius", "100 mm")
    picture = tmp_path / "vectors.svg"
    answer = CliRunner().invoke(balance_rotor, [*files, *options, "--json", "--plot", str(picture)])
    assert answer.exit_code == 0, answer.output
    document = json.loads(answer.output)
    assert document["speed"] == pytest.approx(SPEED, rel=1e-5)
    put = [ts.rotors.BalanceMass(m["mass"], m["radius"], np.radians(m["angle"]), z)
           for m, z in zip(document["masses"], PLANES, strict=True)]  # fmt: skip
    before, after = rotor().reactions(SPEED), rotor().with_masses(*put).reactions(SPEED)
    assert np.abs(before).max() / np.abs(after).max() > 100
    assert picture.exists()
    told = CliRunner().invoke(balance_rotor, [*files, *options]).output
    assert tells(told, "plane 1: put 88.2", rel=5e-3)


@pytest.mark.parametrize("spoilt", ["nan", "-1e308", "inf", "1e151"])
def test_a_sample_that_no_gauge_measures_is_told_with_its_row(tmp_path, spoilt):
    file = tmp_path / "run.csv"
    rows = [f"{k},1,2,3,4,5,6" for k in range(5)] + [f"5,1,{spoilt},3,4,5,6"]
    file.write_text("\n".join(["t,bare_1,bare_2,trial1_1,trial1_2,trial2_1,trial2_2", *rows]))
    with pytest.raises(ts.ModelError, match=r'"bare_2" is .* in row 7'):
        ts.rotors.read_signals(file)


def test_the_unbalance_of_a_model_from_a_shell():
    file = str(EXAMPLES / "unbalanced_rotor.yaml")
    arguments = [file, "--body", "rotor", "--bearing", "P1", "--bearing", "P2", "--speed",
                 "1500 tr/min", "--planes", "0.1:0.3", "--radius", "100 mm"]  # fmt: skip
    document = json.loads(CliRunner().invoke(rotor_command, [*arguments, "--json"]).output)
    for z, pair in zip(rotor().reactions(SPEED), document["reactions"], strict=True):
        assert complex(*pair) == pytest.approx(z, rel=1e-9)
    for b, put in zip(rotor().correction(PLANES), document["masses"], strict=True):
        assert put["mass"] * put["radius"] == pytest.approx(abs(b), rel=1e-9)
    told = CliRunner().invoke(rotor_command, arguments).output
    assert tells(told, "plane z = 0.1 m: put 88.2", rel=1e-3)
    answer = CliRunner().invoke(rotor_command, arguments[:5])
    assert isinstance(answer.exception, ts.ModelError) and "two bearings are needed" in str(
        answer.exception
    )


# --- gyroscopic couples -------------------------------------------------------------------------


def test_the_propeller_that_turns_needs_the_couples_of_the_exercise():
    """P-Pb3.3: C ω ψ. = 3665.19 N m and A ψ̈ = 25 N m, the opposite on the aircraft."""
    spin = 2000 * 2 * np.pi / 60
    couple = ts.rotation.gyroscopic_couple([25, 25, 35], spin, [0, 0.5, 0], growth=[0, 1, 0])[0]
    assert couple == pytest.approx([3665.19, 25, 0], abs=0.01)
    run = ts.simulate(example("propeller"), 1e-3, rate=1e5)
    reaction = run.reaction("shaft", at=np.array([0, -2.0, 0]))[0, 3:]
    # x'' is x, y'' is up, z'' is the direction of flight −y
    np.testing.assert_allclose([reaction[0], reaction[2], -reaction[1]], couple, atol=1e-6)


def test_the_couples_of_the_exercise_from_a_shell():
    arguments = ["--inertia", "25,25,35", "--spin", "2000 tr/min", "--turning", "0,0.5,0",
                 "--growth", "0,1,0"]  # fmt: skip
    found = json.loads(CliRunner().invoke(gyroscopic_couple, [*arguments, "--json"]).output)
    assert found["couple"] == pytest.approx([3665.19, 25, 0], abs=0.01)
    told = CliRunner().invoke(gyroscopic_couple, arguments).output
    assert tells(told, "(3665.1914, 25, 0) N m")
    answer = CliRunner().invoke(gyroscopic_couple, [*arguments, "--growth", "1"])
    assert isinstance(answer.exception, ts.ModelError) and "three numbers" in str(answer.exception)


def test_two_blades_shake_the_aircraft_at_twice_their_speed():
    """P-Pb3.3: Γ_x'' = [C + (A − B) cos 2ωt] ω ψ. at a constant rate of turn."""
    model = ts.compile(example("propeller")).with_parameters(A=10, more=0)
    run = ts.simulate(model, 1.0, rate=1000)
    spin = 2000 * 2 * np.pi / 60
    couple = run.reaction("yaw", frame="joint")[:, 3]
    found = ts.chaos.spectrum(run.t, couple, unit="N m", known={"ω": spin})
    (peak,) = found.peaks
    assert peak.name == "2ω" and peak.frequency == pytest.approx(2 * spin / (2 * np.pi), rel=1e-4)
    assert peak.amplitude == pytest.approx(15 * spin * 0.5, rel=1e-3)
    assert found.mean == pytest.approx(35 * spin * 0.5, rel=1e-4)
    expected = ts.rotation.gyroscopic_couple([10, 25, 35], spin, [0, 0.5, 0], angle=spin * run.t)
    np.testing.assert_allclose(couple, expected[:, 0], rtol=1e-9)
    straight = ts.rotation.gyroscopic_couple([10, 25, 35], spin, [0, 0, 0], angle=spin * run.t)
    np.testing.assert_allclose(straight, 0, atol=1e-9)


def test_the_spectrum_of_a_signal_from_a_shell(tmp_path):
    picture = tmp_path / "spectrum.svg"
    arguments = [str(EXAMPLES / "propeller.yaml"), "--of", "yaw.couple.x", "--known", "ω=209.44",
                 "--set", "A=10", "--set", "more=0"]  # fmt: skip
    answer = CliRunner().invoke(
        spectrum, [*arguments, "--duration", "1", "--plot", str(picture), "--json"]
    )
    strongest = json.loads(answer.output)["peaks"][0]
    assert strongest["name"] == "2ω"
    assert picture.exists()
    answer = CliRunner().invoke(spectrum, arguments)
    assert isinstance(answer.exception, ts.ModelError) and "--duration" in str(answer.exception)
    several = [*arguments[:2], "yaw.couple", *arguments[3:], "--duration", "0.1"]
    answer = CliRunner().invoke(spectrum, several)
    assert isinstance(answer.exception, ts.ModelError) and "3 signals" in str(answer.exception)


def test_sines_between_the_lines_of_a_spectrum_keep_frequency_and_amplitude():
    t = np.arange(1000) / 1000
    signal = 3 + 2 * np.sin(2 * np.pi * 50.3 * t) + 0.5 * np.cos(2 * np.pi * 120.25 * t + 1)
    known = {"a": 2 * np.pi * 50.3, "b": 2 * np.pi * 19.65}
    first, second = ts.chaos.spectrum(t, signal, known=known).peaks
    assert (first.name, second.name) == ("a", "2a + b")
    assert [first.frequency, first.amplitude] == pytest.approx([50.3, 2], rel=1e-3)
    assert [second.frequency, second.amplitude] == pytest.approx([120.25, 0.5], rel=1e-3)


def test_uneven_samples_have_no_spectrum():
    with pytest.raises(ts.ModelError, match="evenly"):
        ts.chaos.spectrum(np.linspace(0, 1, 50) ** 2, np.zeros(50))


# --- free rotation ------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(8))
def test_elliptic_functions_solve_eulers_equations(seed):
    rng = np.random.default_rng(seed)
    moments, rates = rng.uniform(1, 1.9, 3), rng.normal(size=3)
    if seed >= 6:
        moments[seed % 3] = moments[(seed + 1) % 3]
    found, t = ts.rotation.free_rotation(moments, rates), np.linspace(0, 20, 41)
    made = solve_ivp(lambda _, w: ts.rotation.euler_equations(moments, w), (0, 20), rates, "DOP853",
                     t_eval=t, rtol=1e-12, atol=1e-13)  # fmt: skip
    np.testing.assert_allclose(found.at(t), made.y.T, atol=1e-10)
    np.testing.assert_allclose(found.at(found.period)[0], rates, atol=1e-12)


def test_a_body_of_revolution_precesses_at_the_rates_of_the_exercise():
    """P-Pb3.1, case B: (I₃ − I₁) Ω₃/I₁ in the body, |σ|/I₁ in space, at a constant angle."""
    I, rates = [0.3, 0.3, 0.5], [0.4, 0.0, 3.0]
    body = {"mass": 1, "inertia": I}
    model = ts.load({"bodies": {"b": body},
                     "joints": {"O": {"type": "rotule", "bodies": ["ground", "b"]}}})  # fmt: skip
    start = dict(zip(("O_wx", "O_wy", "O_wz"), rates, strict=True))
    run = ts.simulate(model, 2.0, rate=200, initial=start, rtol=1e-11)
    found = ts.rotation.free_rotation(I, rates)
    assert found.body_precession == pytest.approx(0.2 * 3 / 0.3)
    own = run.seen.angular_velocity("b", axes="b")
    in_body = np.unwrap(np.angle(own[:, 0] + 1j * own[:, 1]))
    np.testing.assert_allclose(in_body, found.body_precession * run.t, atol=1e-8)
    # the axis of the body about the kinetic moment, which is fixed in space
    sigma = np.array(I) * rates
    e = sigma / np.linalg.norm(sigma)
    axis = run.seen.poses["b"][0][:, :, 2]
    np.testing.assert_allclose(np.arccos(axis @ e), found.nutation, atol=1e-8)
    x = np.cross([0, 1, 0], e)
    turned = np.unwrap(np.arctan2(axis @ np.cross(e, x), axis @ x))
    np.testing.assert_allclose(turned - turned[0], found.space_precession * run.t, atol=1e-7)


def test_a_plate_flips_about_its_middle_axis_at_regular_intervals():
    model = example("free_body")
    run = ts.simulate(model, 12.0, rate=400, rtol=1e-11)
    a, b, c = (model.parameters[n] for n in "abc")
    I = model.parameters["m"] / 12 * np.array([b**2 + c**2, a**2 + c**2, a**2 + b**2])
    found = ts.rotation.free_rotation(I, [0.05, 8.0, 0.05])
    instants = ts.rotation.flips(run, "plate", 1)
    assert len(instants) == 5
    np.testing.assert_allclose(np.diff(instants), found.flip_interval, atol=1e-5)
    assert found.growth(1).real > 0 and found.growth(0).real == found.growth(2).real == 0


def test_polhodes_lie_on_the_sphere_and_on_the_ellipsoid():
    """Plaut (2007), (3.51) and (3.52): Σ σᵢ² = α, Σ σᵢ²/Iᵢ = β."""
    I = np.array([0.9, 0.4, 1.3])
    found = ts.rotation.polhodes(I, 0.7, count=3)
    assert {p.axis for p in found.curves} == {1, 2}  # none goes round the middle axis
    for p in found.curves:
        for curve in p.curves:
            np.testing.assert_allclose((curve**2).sum(axis=1), 0.49)
            np.testing.assert_allclose((curve**2 / I).sum(axis=1), 2 * p.energy)
    for curve in found.separatrix:
        np.testing.assert_allclose((curve**2 / I).sum(axis=1), 0.49 / 0.9)
    rates = ts.rotation.free_rotation(I, [0.1, 1.0, 0.2])
    own = ts.rotation.polhodes(I, rates.momentum, energies=[rates.energy])
    sigma = I * rates.at(np.linspace(0, rates.period, 50))
    distance = np.linalg.norm(sigma[:, None] - own.curves[0].curves[0][None], axis=2).min(axis=1)
    assert distance.max() < 0.02 * rates.momentum  # the motion is on the curve, between its points
    assert own.figure(followed=sigma).axes[0].get_xlabel() == "σ₁ [N m s]"


# --- drift to the major axis ----------------------------------------------------------------------


@cache
def drifting():
    return ts.simulate(example("drifting_satellite"), 150.0, rate=20, rtol=1e-10)


def test_dissipation_turns_a_satellite_over_to_the_axis_of_its_largest_moment():
    """P-Pb3.1: |σ| is kept, the energy falls to |σ|²/2I_max."""
    found = ts.rotation.tumbling(drifting())
    p = example("drifting_satellite").parameters
    np.testing.assert_allclose(found.moments, [p["A"] + p["J"], p["B"] + p["J"], p["C"] + p["J"]])
    assert found.change < 1e-9
    assert found.major == 2
    assert np.degrees(found.tilt[0]) > 85 and np.degrees(found.tilt[-1]) < 3
    assert (np.diff(found.energy) < 1e-9).all()
    excess = found.energy - found.least_energy
    assert 0 < excess[-1] < 1e-3 * excess[0]
    # at the end it turns about that axis at |σ|/I_max
    assert np.abs(drifting()["O_wz"][-1]) == pytest.approx(found.size / found.moments[2], rel=2e-3)


def test_without_dissipation_it_stays_on_its_polhode():
    made = ts.compile(example("drifting_satellite")).with_parameters(c=0, J=1e-9)
    run = ts.simulate(made, 20.0, rate=50, rtol=1e-11)
    found = ts.rotation.tumbling(run, "hull")
    sigma = found.momentum
    np.testing.assert_allclose((sigma**2).sum(axis=1), found.size**2, rtol=1e-9)
    np.testing.assert_allclose((sigma**2 / found.moments).sum(axis=1), 2 * found.energy, rtol=1e-6)
    rates = found.rigid.at(run.t)
    np.testing.assert_allclose(sigma / found.moments, rates, atol=1e-6)
    assert found.figure().axes[0].get_zlabel() == "σ₃ [N m s]"


def test_a_body_in_oblique_axes_has_the_same_principal_moments():
    """The plate described in axes turned by a third of a right angle tumbles as it did."""
    c, s = np.cos(np.pi / 6), np.sin(np.pi / 6)
    R = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    I = np.diag([0.4, 0.9, 1.3])
    turned = R @ I @ R.T
    six = [*np.diag(turned), turned[0, 1], turned[0, 2], turned[1, 2]]
    ball = {"type": "rotule", "bodies": ["ground", "b"]}
    found = []
    for inertia, w in ((np.diag(I).tolist(), [0.1, 2.0, 0.2]), (six, R @ [0.1, 2.0, 0.2])):
        made = ts.load({"bodies": {"b": {"mass": 1, "inertia": inertia}}, "joints": {"O": ball}})
        start = dict(zip(("O_wx", "O_wy", "O_wz"), map(float, w), strict=True))
        found.append(ts.rotation.tumbling(ts.simulate(made, 8.0, initial=start, rtol=1e-11)))
    np.testing.assert_allclose(found[1].moments, found[0].moments, rtol=1e-12)
    np.testing.assert_allclose(found[1].momentum, found[0].momentum, atol=1e-8)
    np.testing.assert_allclose(found[1].flips, found[0].flips, atol=1e-4)


def test_a_body_that_is_turned_from_outside_is_refused():
    with pytest.raises(ts.ModelError, match="is not kept"):
        ts.rotation.tumbling(ts.simulate(example("heavy_top"), 0.1))
    with pytest.raises(ts.ModelError, match='"hall" does not exist'):
        ts.rotation.tumbling(drifting(), "hall")


def test_tumbling_from_a_shell(tmp_path):
    picture = tmp_path / "polhodes.svg"
    file = str(EXAMPLES / "free_body.yaml")
    arguments = [file, "--duration", "4", "--plot", str(picture)]
    told = CliRunner().invoke(tumbling, arguments).output
    assert tells(told, "axis 2: 0.00909 kg m², the middle one; unstable, exp(4.851 t)")
    assert picture.exists()
    document = json.loads(CliRunner().invoke(tumbling, [*arguments, "--json"]).output)
    assert len(document["flips"]) == 1


@pytest.mark.parametrize("t", [[0.0, 0.1, 0.2], [0.0, 0.1, 0.1, 0.3], [0.4, 0.3, 0.2, 0.1]])
def test_signals_that_show_no_speed_are_refused(t):
    with pytest.raises(ts.ModelError, match="do not show a speed"):
        ts.rotors.rotation_speed(np.array(t), np.ones((len(t), 2)))
