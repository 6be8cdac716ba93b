"""Chaos: sensitivity to the start, trust in runs, Lyapunov exponents, Poincaré sections."""

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from same_text import tells
from scipy.special import ellipj, ellipk

import torseur as ts
from torseur.cli.motion.chaos import chaos

EXAMPLES = Path(ts.__file__).parent / "examples"


@cache
def example(name):
    return ts.compile(ts.load(EXAMPLES / f"{name}.yaml"))


# --- trust --------------------------------------------------------------------------------------


def test_the_pendulum_of_the_annex_is_right_at_8_seconds_and_trust_says_so():
    """P-TPA: φ = 2 asin[k cd(ω₀ t, k)], k = sin(φ₀/2); φ(8) = −2.50414138042."""
    found = ts.chaos.trust(example("simple_pendulum"), 8.0, rtol=1e-11, accuracy=1e-6)
    run = found.levels[0].run
    k, w = np.sin(3.1 / 2), np.sqrt(9.81 / 0.2)
    _, cn, dn, _ = ellipj(w * run.t, k**2)
    exact = 2 * np.arcsin(k * cn / dn)
    assert exact[-1] == pytest.approx(-2.50414138042, abs=1e-9)
    assert 4 * ellipk(k**2) / w == pytest.approx(3.00407108260, abs=1e-10)
    assert found.complete and found.until == 8.0
    error = np.abs(run["phi"] - exact)
    assert error.max() < 1e-6
    # what the comparison with a finer run calls the difference is the true error
    assert found.levels[0].difference.max() == pytest.approx(error.max(), rel=0.2)


def test_runs_of_the_double_pendulum_part_later_at_finer_tolerances():
    found = ts.chaos.trust(example("double_pendulum_points"), 16.0, rtol=1e-6)
    until = [level.until for level in found.levels]
    assert not found.complete and until[0] < 8 < until[-1] < 16
    assert found.levels[0].run.energy_drift < 1e-3  # although it is wrong after some seconds
    assert found.gain > 0 and found.limit == until[-1]
    at, reference = found.levels[-1].run, found.levels[0].run
    inside = reference.t <= found.until
    assert np.abs(at.q[inside] - reference.q[inside]).max() < 2 * found.accuracy
    assert "digit" in str(found) and found.document["levels"][0]["rtol"] == 1e-6


def test_the_double_pendulum_has_the_digits_of_the_reference():
    """P-TPA, 25-digit Taylor solution: φ and ψ at 1, 2 and 5 s, eight digits at 5 s."""
    run = ts.chaos.trust(example("double_pendulum_points"), 5.0, rtol=1e-13, rate=1.0).levels[0].run
    psi = run["phi"] + run["turn"]
    for t, first, second, tolerance in ((1, -1.68641715258, -1.74894445849, 1e-10),
                                        (2, -0.00846501780, 1.69079196132, 1e-10),
                                        (5, 2.0397088037, 6.6006405044, 1e-7)):  # fmt: skip
        assert run["phi"][t] == pytest.approx(first, abs=tolerance)
        assert psi[t] == pytest.approx(second, abs=tolerance)


def test_the_rod_with_a_swivelling_plate_follows_the_reference_for_ten_seconds():
    """PyDy's chaos pendulum; digits from an integration in quadruple precision."""
    along, across = 0.075, 0.01 * 0.15**2 / 12  # centre of the rod [m], its inertia [kg m²]
    plate = [0.1 * 0.1**2 / 12, 0.1 * (0.2**2 + 0.1**2) / 12, 0.1 * 0.2**2 / 12]
    b = ts.Builder("rod with plate", gravity=[0, 0, 9.81])
    rod = b.body("rod", mass=0.01, centre=[0, 0, along], inertia=[across, across, 0])
    b.body("plate", mass=0.1, inertia=plate)
    b.joint("O", "pivot", b.ground, rod, axis="y", coordinate="theta")
    b.joint("A", "pivot", rod, "plate", point=[[0, 0, 0.2], [0, 0, 0]], axis="z", coordinate="phi")
    b.initial(theta="90 deg", phi="0.5 deg")
    found = ts.chaos.trust(b.build(), 10.0, rtol=1e-13, rate=1.0, accuracy=1e-6)
    run = found.levels[0].run
    for t, theta, phi in ((1, 1.33704996954277, 1.49902516455851e-02),
                          (2, 0.661002798328375, 1.10825797699886e-03),
                          (5, -1.35088293579944, 3.94541983976119),
                          (10, 8.21765948696443e-02, -0.767836668901034)):  # fmt: skip
        assert found.until >= t
        assert [run["theta"][t], run["phi"][t]] == pytest.approx([theta, phi], abs=1e-6)


def test_a_tolerance_below_rounding_is_refused():
    with pytest.raises(ts.ModelError, match="1e-20"):
        ts.chaos.trust(example("simple_pendulum"), 1.0, rtol=1e-20)


# --- sensitivity --------------------------------------------------------------------------------


def test_a_hundredth_of_a_degree_changes_everything_within_five_seconds():
    """P-TPA: ψ₀ = 90.01° gives φ, ψ = −0.009029686, 1.690587429 at 2 s; 0.61572, 5.42090 at 5 s."""
    found = ts.chaos.sensitivity_to_start(
        example("double_pendulum_points"), "turn", "0.01 deg", 5.0
    )
    changed = found.second
    phi, psi = changed["phi"], changed["phi"] + changed["turn"]
    assert [phi[200], psi[200]] == pytest.approx([-0.009029686, 1.690587429], abs=2e-9)
    assert [phi[500], psi[500]] == pytest.approx([0.61572, 5.42090], abs=6e-6)
    assert found.separation[0] == pytest.approx(np.radians(0.01), rel=1e-9)
    assert found.separation[-1] > 1 and 2 < found.apart(0.1) < 4 and found.growth > 0


def test_a_regular_motion_stays_near():
    found = ts.chaos.sensitivity_to_start(example("spherical_pendulum"), "theta", "0.01 deg", 5.0)
    assert found.apart(0.1) is None
    assert found.separation.max() < 100 * found.by


def test_a_start_that_does_not_exist_or_does_not_change_is_refused():
    with pytest.raises(ts.ModelError, match="trun"):
        ts.chaos.sensitivity_to_start(example("double_pendulum_points"), "trun", 0.1)
    with pytest.raises(ts.ModelError, match="zero"):
        ts.chaos.sensitivity_to_start(example("double_pendulum_points"), "turn", 0.0)
    with pytest.raises(ts.ModelError, match="deeg"):
        ts.chaos.sensitivity_to_start(example("double_pendulum_points"), "turn", "1 deeg")


# --- Lyapunov exponents -------------------------------------------------------------------------


def test_an_upright_pendulum_has_the_exponent_of_its_linear_motion():
    """λ = √(g/l) at the unstable equilibrium, once neighbours have turned to that direction."""
    b = ts.Builder("upright", gravity=[0, -1.0, 0])
    bob = b.body("bob", mass=1, centre=[0, 0.25, 0])
    b.joint("pivot", "revolute", b.ground, bob, axis="z")
    found = ts.chaos.lyapunov(b.build(), 10.0, interval=0.05)
    assert found.logarithms[-20:].mean() / 0.05 == pytest.approx(2.0, rel=1e-5)
    assert found.chaotic and abs(found.exponent - 2) < found.error


@cache
def exponent(name, duration):
    return ts.chaos.lyapunov(example(name), duration)


def test_the_double_pendulum_is_chaotic_beyond_its_error_bar():
    found = exponent("double_pendulum_points", 60.0)
    assert found.chaotic and found.exponent > 5 * found.error
    assert found.megno > 20


def test_the_exponent_does_not_depend_on_how_it_is_measured():
    first = exponent("double_pendulum_points", 60.0)
    second = ts.chaos.lyapunov(example("double_pendulum_points"), 60.0, interval=0.2, rtol=1e-11)
    both = np.hypot(first.error, second.error)
    assert abs(first.exponent - second.exponent) < 2 * both


def test_the_integrable_spherical_pendulum_has_no_exponent():
    """P-Ex5.1: H and p_φ are kept, so neighbours part in proportion to time at most."""
    found = exponent("spherical_pendulum", 100.0)
    assert abs(found.exponent) < found.error < 0.05
    assert not found.chaotic and found.megno < 3


def test_neighbours_of_a_damped_oscillator_meet_whatever_shakes_it():
    """m ẍ + c ẋ + k x = F cos ωt: differences decay as exp(−c t/2m), and a section is one point."""
    shaken = {
        "gravity": [0, 0, 0],
        "bodies": {"cart": {"mass": 2}},
        "joints": {"rail": {"type": "prismatic", "axis": "x", "bodies": ["ground", "cart"],
                            "coordinate": "x"}},
        "forces": {"shaker": {"type": "joint", "joint": "rail",
                              "value": "3*cos(2*t) - 8*x - 1.5*x."}},
    }  # fmt: skip
    found = ts.chaos.lyapunov(shaken, 60.0)
    assert abs(found.exponent + 1.5 / 4) < found.error
    assert not found.chaotic
    folding = f"{-1 / found.exponent:.3g}"
    assert f"meet, errors shrink e-fold in {folding} s" in str(found)
    section = ts.chaos.poincare(shaken, "sin(2*t)", 60.0)  # once in a period
    amplitude = 3 / (8 - 2 * 2**2 + 1.5j * 2)
    assert section["x"][-1] == pytest.approx(amplitude.real, abs=1e-8)
    assert section["x."][-1] == pytest.approx((2j * amplitude).real, abs=1e-8)


def test_too_few_intervals_are_refused():
    with pytest.raises(ts.ModelError, match="blocks"):
        ts.chaos.lyapunov(example("simple_pendulum"), 1.0, interval=0.2)


# --- Poincaré sections --------------------------------------------------------------------------


def test_a_section_of_a_periodic_motion_is_one_point():
    found = ts.chaos.poincare(example("simple_pendulum"), "phi", 20.0)
    assert len(found) == 6  # period 3.004 s
    np.testing.assert_allclose(np.diff(found.t), 3.00407108260, atol=1e-6)
    np.testing.assert_allclose(found["phi"], 0, atol=1e-12)
    np.testing.assert_allclose(found["phi."], np.sqrt(2 * 9.81 / 0.2 * (1 - np.cos(3.1))))


def test_points_of_a_section_have_the_energy_of_the_start():
    model = example("double_pendulum_points")
    starts = [{"phi": 0.2, "turn": 0.1}, {"phi": 2.0, "turn": 0.0}]
    found = ts.chaos.poincare(model, "phi", 5.0, starts=starts)
    for k, start in enumerate(starts):
        own = found.states[found.motion == k]
        energy = [model.kinetic_energy(x[:2], x[2:]) + model.potential_energy(x[:2]) for x in own]
        q = np.array([start["phi"], start["turn"]])
        np.testing.assert_allclose(energy, model.potential_energy(q), atol=1e-7)
        assert len(own) and (own[:, 2] > 0).all()  # rising
    assert found.figure("turn", "turn.").axes[0].get_xlabel() == "turn [rad]"


def test_a_section_may_speak_of_any_joint_of_a_loop():
    found = ts.chaos.poincare(example("slider_crank"), "psi + 0.1", 0.5, direction="both")
    run = ts.simulate(example("slider_crank"), 0.5, at=found.t, rtol=1e-10)
    assert len(found) == 2
    np.testing.assert_allclose(run["psi"], -0.1, atol=1e-7)


# --- the command --------------------------------------------------------------------------------


def test_the_command_tells_trust_and_films_both_motions(tmp_path):
    film, plot = tmp_path / "film.html", tmp_path / "start.svg"
    model = str(EXAMPLES / "double_pendulum_points.yaml")
    arguments = [model, "--duration", "2", "--start", "turn", "--json"]
    answer = CliRunner().invoke(chaos, [*arguments, "--film", str(film), "--plot", str(plot)])
    assert answer.exit_code == 0, answer.output
    document = json.loads(answer.output)
    assert document["trust"]["until"] == 2.0
    assert document["start"]["second"]["phi"] == pytest.approx(-0.009029686, abs=1e-8)
    assert film.read_text(encoding="utf-8").count("<iframe") == 2 and plot.exists()
    assert tells(film.read_text(encoding="utf-8"), "turn changed by 0.0001745 rad")


def test_the_command_draws_exponents_and_sections_of_several_motions(tmp_path):
    model, picture = str(EXAMPLES / "double_pendulum_points.yaml"), tmp_path / "figure.svg"
    arguments = [model, "--duration", "3", "--accuracy", "0.1", "--rtol", "1e-12", "--plot",
                 str(picture)]  # fmt: skip
    answer = CliRunner().invoke(chaos, [*arguments, "--lyapunov", "5"])
    assert answer.exit_code == 0, answer.output
    assert "largest Lyapunov exponent" in answer.output and picture.exists()
    section = ["--section", "phi", "--also", "phi=0.3,turn=0.1", "--of", "turn", "turn."]
    answer = CliRunner().invoke(chaos, [*arguments, *section, "--json"])
    alone = ts.chaos.poincare(example("double_pendulum_points"), "phi", 3.0,
                        starts=[{"phi": 0.3, "turn": 0.1}])  # fmt: skip
    assert json.loads(answer.output)["section"]["points"] > len(alone) > 0


def test_a_film_needs_two_motions():
    model = str(EXAMPLES / "simple_pendulum.yaml")
    answer = CliRunner().invoke(chaos, [model, "--duration", "1", "--film", "x.html"])
    assert isinstance(answer.exception, ts.ModelError) and "--start" in str(answer.exception)


def test_the_help_of_the_command_teaches_by_an_example():
    assert "Example" in CliRunner().invoke(chaos, ["--help"]).output
