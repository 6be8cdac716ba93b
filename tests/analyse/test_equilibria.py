"""Where mechanisms rest, how they move steadily, and what holds them: closed forms and laws."""

import json
import re

import numpy as np
import pytest
import yaml
from click.testing import CliRunner
from example_states import FOLDER, mechanism, model, parameters
from same_text import tells

import torseur as ts
from torseur.cli.main import commands

G = 9.81


def angles(found, name):
    """One coordinate of all equilibria, sorted, within a turn; π and −π are one."""
    values = np.array([x.coordinates[name] for x in found])
    return np.sort(np.where(np.isclose(values, -np.pi), np.pi, values))


def pendulum(**more):
    return {
        "gravity": [0, -G, 0],
        "parameters": {"m": 2.0, "l": 0.5},
        "bodies": {"bob": {"mass": "m", "centre": [0, "-l", 0]}},
        "joints": {"O": {"type": "pivot", "bodies": ["ground", "bob"], "axis": "z",
                         "coordinate": "phi"}},
    } | more  # fmt: skip


# --- equilibria -----------------------------------------------------------------------------------


def test_a_double_pendulum_rests_in_four_ways_of_which_one_is_stable():
    found = ts.equilibria(model("double_pendulum"))
    assert len(found) == 4
    assert [bool(x.stable) for x in found] == [True, False, False, False]
    lowest = found[0]
    assert lowest.coordinates == pytest.approx({"theta1": 0, "theta2": 0}, abs=1e-10)
    assert all(x.energy > lowest.energy for x in found.found[1:])


def test_an_engine_rests_at_its_dead_centres():
    p = parameters("single_cylinder_engine")
    found = ts.equilibria(
        model("single_cylinder_engine"), parameters={"F": 0, "Gamma": 0}, box={"x": (0.01, 0.3)}
    )
    bottom, top = found
    assert (bottom.coordinates["phi"], top.coordinates["phi"]) == pytest.approx(
        (np.pi, 0), abs=1e-9
    )
    assert bottom.stable.word == "stable"
    assert top.stable.word == "unstable"
    # E_p'' = m_p g a (b − a)/b at the bottom, −m_p g a (a + b)/b at the top
    weight = p.mp * p.g * p.a / p.b / p.Iv
    linear = ts.linearise(model("single_cylinder_engine"), at=bottom)
    assert linear.frequencies == pytest.approx([np.sqrt(weight * (p.b - p.a))], rel=1e-10)
    rising = ts.linearise(model("single_cylinder_engine"), at=top).eigenvalues.real.max()
    assert rising == pytest.approx(np.sqrt(weight * (p.a + p.b)), rel=1e-10)


def test_gas_alone_cannot_start_an_engine_from_its_dead_centre():
    """u = 0 at φ = π: no couple is needed to hold the crank, whatever the gas pushes."""
    for gas in (0.0, 400.0):
        held = ts.stability.holding_forces(
            model("single_cylinder_engine"), {"phi": np.pi}, parameters={"F": gas, "Gamma": 0}
        )
        assert held.forces["phi"] == pytest.approx(0, abs=1e-10)


def test_a_loop_rests_where_its_energy_along_its_motion_is_stationary():
    four_bar = model("four_bar")
    found = ts.equilibria(four_bar, starts=24)
    alphas = np.linspace(-np.pi, np.pi, 181)
    stationary = []
    for guess in ({"beta": -0.9, "delta": 1.7}, {"beta": 0.9, "delta": -1.7}):
        energies = []
        for alpha in alphas:
            try:
                made = ts.assemble(four_bar, {"alpha": alpha, **guess}, pinned=("alpha",))
                guess = {n: x for n, x in made.coordinates.items() if n != "alpha"}
                energies.append(four_bar.potential_energy(made.q))
            except ts.SolveError:
                energies.append(np.nan)
        slopes = np.diff(energies)
        turns = np.flatnonzero(slopes[:-1] * slopes[1:] < 0)
        stationary += [alphas[k + 1] for k in turns]
    wanted = np.sort(stationary)
    assert len(wanted) == len(found)
    np.testing.assert_allclose(angles(found, "alpha"), wanted, atol=0.035)


def test_turns_of_a_torsion_spring_are_told_apart_and_turns_of_a_bare_joint_are_not():
    spring = {"type": "torsion spring", "joint": "O", "stiffness": 0.3}
    free = ts.equilibria(ts.load(pendulum()), box={"phi": (-7, 7)})
    assert len(free) == 2
    wound = ts.equilibria(ts.load(pendulum(forces={"s": spring})), box={"phi": (-7, 7)}, starts=40)
    phi = np.linspace(-7, 7, 4000)
    torque = 0.3 * phi + 2.0 * G * 0.5 * np.sin(phi)
    assert len(wound) == np.count_nonzero(torque[:-1] * torque[1:] < 0) == 5


def test_what_nothing_holds_is_one_equilibrium_of_a_family():
    found = ts.equilibria(model("elliptic_pendulum"))
    assert angles(found, "theta") == pytest.approx([0, np.pi], abs=1e-9)
    assert [x.coordinates["y"] for x in found] == [0, 0]
    assert [x.family for x in found] == [1, 1]
    ball = pendulum(joints={"O": {"type": "spherical", "bodies": ["ground", "bob"]}})
    ball["bodies"] = {"bob": {"mass": 2, "centre": [0, -0.5, 0], "inertia": [0.1, 0.05, 0.1]}}
    hanging, standing = ts.equilibria(ts.load(ball), starts=12)  # any turn about the vertical
    assert hanging.family == standing.family == 1
    assert standing.energy - hanging.energy == pytest.approx(2 * 2 * G * 0.5, rel=1e-12)


def test_reactions_of_an_equilibrium_carry_the_weight():
    found = ts.equilibria(model("four_bar"), starts=3)
    assert len(found) > 0
    bodies = ts.compile(mechanism("four_bar"))
    weight = sum(float(bodies.inertial_parameters[10 * k]) for k in range(3)) * G
    grounded = [n for n, j in mechanism("four_bar").joints.items() if j.first == "ground"]
    for x in found:
        force = sum(x.reactions[name][:3] for name in grounded)
        np.testing.assert_allclose(force, [0, weight, 0], atol=1e-9 * weight)


def test_a_governor_opens_at_the_angle_that_balances_its_rotation():
    """Equilibria of E_p − K0, not of E_p (erratum E4-20)."""
    p = parameters("ball_governor")
    critical = np.sqrt((p.m * p.l + p.ms * p.a) * G / (p.m * p.l**2))
    box = {"alpha1": (-0.1, 1.5), "alpha2": (-0.1, 1.5), "z": (0.05, 0.5)}
    for speed in (0.7 * critical, 1.3 * critical):
        found = ts.equilibria(
            model("ball_governor"), parameters={"Omega": speed}, box=box, starts=20
        )
        wanted = [0.0] if speed < critical else [0.0, np.arccos(critical**2 / speed**2)]
        np.testing.assert_allclose(angles(found, "alpha1"), wanted, atol=1e-8)
        closed_in = max(found, key=lambda x: x.coordinates["z"])
        assert bool(closed_in.stable) == (speed < critical)
        if speed > critical:
            a = wanted[1]
            open_ = next(x for x in found if x is not closed_in)
            assert open_.stable.word == "stable"
            inertia = p.m * p.l**2 + 2 * p.ms * p.a**2 * np.sin(a) ** 2
            omega = np.sqrt(p.m * p.l**2 * speed**2 * np.sin(a) ** 2 / inertia)
            assert ts.linearise(model("ball_governor"), at=open_).frequencies == pytest.approx(
                [omega], rel=1e-10
            )


def rotating_arm(omega, law="omega*t"):
    """The exam of 2009 with an imposed rotation."""
    if law == "omega*t":
        return model("turning_arm").with_parameters(omega=omega)
    text = (FOLDER / "turning_arm.yaml").read_text(encoding="utf-8")
    return ts.load(yaml.safe_load(text.replace("law: omega*t", f"law: {law}")))


def test_a_slider_on_a_turning_arm_is_stable_up_to_k_equal_to_m_omega_squared():
    m, a, k, l0 = 0.8, 0.1, 120.0, 0.15
    limit = np.sqrt(k / m)
    slow = ts.equilibria(rotating_arm(0.6 * limit))[0]
    force = m * (0.6 * limit) ** 2
    assert slow.coordinates["lam"] == pytest.approx((k * l0 + force * a) / (k - force), rel=1e-10)
    for near, stable in ((1 - 1e-8, True), (1 + 1e-8, False)):
        linear = ts.linearise(rotating_arm(near * limit), {"lam": 0.2})
        assert linear.K[0, 0] == pytest.approx(k * (1 - near**2), abs=1e-12 * k)
        assert (linear.eigenvalues.real.max() <= 0) == stable


def test_equilibria_stay_in_their_box():
    inside = ts.equilibria(model("double_pendulum"), box={"theta1": (-1, 1), "theta2": (2, 4)})
    assert [x.coordinates for x in inside] == [
        pytest.approx({"theta1": 0, "theta2": np.pi}, abs=1e-9)
    ]


def test_loads_that_change_with_time_are_refused_unless_an_instant_is_given():
    push = {"type": "joint", "joint": "O", "value": "3*cos(t)"}
    made = ts.load(pendulum(forces={"push": push}))
    with pytest.raises(ts.ModelError, match="depends on time"):
        ts.equilibria(made)
    found = ts.equilibria(made, t=1.0)
    wanted = np.arcsin(3 * np.cos(1.0) / (2.0 * G * 0.5))
    np.testing.assert_allclose(angles(found, "phi"), [wanted, np.pi - wanted], atol=1e-9)


def test_a_motion_that_is_not_uniform_leaves_no_equilibrium():
    found = ts.equilibria(rotating_arm(3.0, law="sin(omega*t)"), starts=10)
    assert len(found) == 0
    assert "for an instant only" in found.notices[0]


# --- holding forces -------------------------------------------------------------------------------


def test_a_pose_is_held_by_the_torques_of_gravity():
    arm = model("double_pendulum")
    pose = {"theta1": 0.4, "theta2": -0.9}
    held = ts.stability.holding_forces(arm, pose)
    np.testing.assert_allclose(list(held.forces.values()), arm.gravity(np.array([0.4, -0.9])))


def test_a_slider_crank_is_held_by_virtual_work():
    p = parameters("slider_crank")
    alpha = 0.7
    beta = -np.arcsin(p.l1 / p.l2 * np.sin(alpha))
    f = -p.l1 * np.cos(alpha) / np.sqrt(p.l2**2 - p.l1**2 * np.sin(alpha) ** 2)
    piston = p.l1 * (f * np.sin(alpha) - np.sin(alpha))  # dx/dα
    crank = ts.stability.holding_forces(model("slider_crank"), {"alpha": alpha})
    assert crank.forces == pytest.approx({"alpha": -(p.Cm - p.Fr * piston)}, rel=1e-12)
    pushed = ts.stability.holding_forces(model("slider_crank"), {"alpha": alpha}, by=("x",))
    assert pushed.forces == pytest.approx({"x": p.Fr - p.Cm / piston}, rel=1e-12)
    # the rod carries along itself only
    force = pushed.reactions["A"][:3]
    assert force[0] * np.sin(beta) == pytest.approx(force[1] * np.cos(beta), rel=1e-9)
    with pytest.raises(ts.SolveError, match="cannot hold this pose"):
        ts.stability.holding_forces(model("double_pendulum"), {"theta1": 0.4}, by=("theta1",))


def test_what_holds_along_a_slide_is_told_in_newtons_whatever_names_it():
    collar = ts.load({
        "bodies": {"collar": {"mass": 2.0, "inertia": [1, 1, 1]}},
        "joints": {"A": {"type": "cylindrical", "bodies": ["ground", "collar"], "axis": "y",
                         "coordinates": ["height", "turn"]}},
        "forces": {"jack": {"type": "joint", "joint": "A", "coordinate": "height", "value": 0}},
        "gravity": [0, -9.81, 0],
    })  # fmt: skip
    for name in ("height", "jack"):
        held = ts.stability.holding_forces(collar, {}, by=[name])
        assert held.forces == pytest.approx({name: 2.0 * 9.81}, rel=1e-12)
        assert held.units == {name: "N"}


# --- steady motions -------------------------------------------------------------------------------


def test_a_top_precesses_slowly_or_fast_and_nods_about_both():
    p = parameters("heavy_top")
    theta, spin = 0.5, 300.0
    weight = p.m * G * p.l
    found = ts.stability.steady_motions(model("heavy_top"), {"theta": theta, "psi.": spin})
    rates = np.sort([x.speeds["phi."] for x in found])
    wanted = np.sort(np.roots([(p.Ip - p.Ie) * np.cos(theta), -p.Ie * spin, weight]))
    np.testing.assert_allclose(rates, wanted, rtol=1e-10)
    for x in found:
        # the curvature of the potential at constant momenta
        rate = x.speeds["phi."]
        nod = rate**2 - 2 * weight * np.cos(theta) / p.Ip + (weight / (p.Ip * rate)) ** 2
        assert ts.linearise(None, at=x).frequencies == pytest.approx([np.sqrt(nod)], rel=1e-9)
        assert "Routh" in str(x.stable)


def test_a_dumbbell_librates_at_root_three_times_its_orbital_speed():
    small = {"a": 1e-4}  # the next term is of order a²/r²
    found = ts.stability.steady_motions(
        model("dumbbell_satellite"), {"r": 1.0}, parameters=small, starts=20
    )
    along = [x for x in found if abs(np.sin(x.coordinates["psi"])) < 1e-6]
    across = [x for x in found if abs(np.cos(x.coordinates["psi"])) < 1e-6]
    assert along
    assert across
    for x in along:
        orbit = abs(x.speeds["theta."])
        linear = ts.linearise(None, at=x)
        np.testing.assert_allclose(linear.frequencies, [orbit, np.sqrt(3) * orbit], rtol=1e-6)
        assert x.stable.word == "stable"
    assert not any(x.stable for x in across)


def test_a_plate_tumbles_about_its_middle_axis_at_the_rate_of_euler():
    p = parameters("free_body")
    I = p.m / 12 * np.array([p.b**2 + p.c**2, p.a**2 + p.c**2, p.a**2 + p.b**2])
    order = np.argsort(I)
    still = {f"flight_{axis}.": 0.0 for axis in "xyz"}
    for axis in range(3):
        given = {**still, f"flight_w{'xyz'[axis]}": p.omega}
        (found,) = ts.stability.steady_motions(model("free_body"), given, starts=6)
        j, k = (axis + 1) % 3, (axis + 2) % 3
        square = (I[j] - I[axis]) * (I[axis] - I[k]) / (I[j] * I[k]) * p.omega**2
        values = ts.linearise(None, at=found).eigenvalues
        assert np.abs(values).max() == pytest.approx(np.sqrt(abs(square)), rel=1e-10)
        assert bool(found.stable) == (axis != order[1])


def test_a_disc_that_leans_rolls_on_a_circle():
    """Moments about the point of contact; inertia m r²/4 across the disc, m r²/2 about its axis."""
    r, turn, spin = 0.26, 1.0, 8.0
    found = ts.stability.steady_motions(
        model("rolling_disc"), {"psi.": turn, "phi.": spin}, starts=12
    )
    assert len(found) == 2
    for x in found:
        s, c = np.sin(x.coordinates["lean"]), np.cos(x.coordinates["lean"])
        about = spin + turn * s
        weight = G * s * np.sign(c)  # the centre is above the floor
        assert r / 4 * turn**2 * s * c - 1.5 * r * turn * c * about == pytest.approx(
            weight, rel=1e-9
        )
        assert x.speeds["x."] == pytest.approx(r * about * np.sign(c), rel=1e-9)


def test_a_governor_with_a_spring_turns_steadily_where_its_weight_balances_it():
    """TD 2 at α̇ = ω: M b (a + b cos β) ω² = k c (c cos β − λ₀), or sin β = 0."""
    p = parameters("speed_governor_relation")
    for speed in (20.0, 30.0):
        found = ts.stability.steady_motions(
            model("speed_governor_relation"), {"alpha.": speed}, parameters={"Cm": 0}, starts=16
        )
        leaning = 0
        for x in found:
            beta = x.coordinates["beta"]
            force = p.M * p.b * (p.a + p.b * np.cos(beta)) * speed**2
            spring = p.k * p.c * (p.c * np.cos(beta) - p.lam0)
            assert np.sin(beta) * (force - spring) == pytest.approx(0, abs=1e-8)
            leaning += abs(np.sin(beta)) > 1e-6
        assert leaning == (2 if speed == 20.0 else 0)


def test_a_symmetry_without_a_coordinate_is_told():
    ball = {"type": "spherical", "bodies": ["ground", "bob"]}
    body = {"bob": {"mass": 2, "centre": [0, -0.5, 0], "inertia": [0.1, 0.05, 0.1]}}
    made = ts.load(pendulum(joints={"O": ball}, bodies=body))
    with pytest.raises(ts.ModelError, match="no coordinate turns with that symmetry"):
        ts.stability.steady_motions(made, {"O_wy": 3.0})


def test_a_family_of_steady_motions_needs_as_much_as_it_has_parameters():
    with pytest.raises(ts.ModelError, match=re.escape("Give 1 more of: theta, phi.")):
        ts.stability.steady_motions(model("heavy_top"), {"psi.": 300.0})
    with pytest.raises(ts.ModelError, match=re.escape('"theta." cannot be a constant speed')):
        ts.stability.steady_motions(model("heavy_top"), {"theta.": 1.0})


# --- from a shell ---------------------------------------------------------------------------------


def test_equilibria_of_a_file_as_one_document(tmp_path):
    file = tmp_path / "pendulum.yaml"
    file.write_text(json.dumps({"torseur": 1, **pendulum()}), encoding="utf-8")

    def said(*arguments):
        answer = CliRunner().invoke(commands, [arguments[0], str(file), *arguments[1:]])
        if answer.exception is not None:
            raise answer.exception
        return answer.stdout

    low, high = json.loads(said("equilibria", "--json", "--set", "m=3"))["equilibria"]
    assert (low["stable"], high["stable"]) == (True, False)
    assert low["reactions"]["O"][1] == pytest.approx(3 * G)
    told = said("equilibria", "--prove", "--reactions", "--plot", str(tmp_path / "force.svg"))
    assert "2 equilibria" in told
    assert "all of them? proved" in told
    assert tells(told, "O: force (0, 19.62, 0) N")
    assert (tmp_path / "force.svg").exists()
    upright = json.loads(said("linearise", "--at", "phi=180 deg", "--json"))
    assert upright["modes"][1]["eigenvalue"] == pytest.approx([np.sqrt(G / 0.5), 0])
    assert not upright["stable"]
    assert "rad/s" in said("linearise", "--matlab", str(tmp_path / "small.m"))
    assert "StateName" in (tmp_path / "small.m").read_text(encoding="utf-8")
    with pytest.raises(ts.ModelError, match="expected NAME=LOW:HIGH"):
        said("equilibria", "--box", "phi=1")
    held = json.loads(said("holding-forces", "--at", "phi=90 deg", "--json"))
    assert held["forces"] == pytest.approx({"phi": 2 * G * 0.5})
    assert tells(said("holding-forces", "--at", "phi=90 deg"), "held by phi = 9.81 N m")


def test_steady_motions_from_a_shell():
    file = str(FOLDER / "heavy_top.yaml")
    arguments = ["steady-motions", file, "--given", "theta=0.5", "--given", "psi.=300"]
    told = CliRunner().invoke(commands, arguments).stdout
    assert "2 steady motions" in told
    assert "Routh" in told
    document = json.loads(CliRunner().invoke(commands, [*arguments, "--json"]).stdout)
    speeds = sorted(x["speeds"]["phi."] for x in document["steady_motions"])
    found = ts.stability.steady_motions(model("heavy_top"), {"theta": 0.5, "psi.": 300})
    assert speeds == pytest.approx(sorted(x.speeds["phi."] for x in found), rel=1e-9)
