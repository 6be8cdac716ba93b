"""Phase portraits: level curves that motions follow, separatrices, fields where energy is lost."""

import json

import numpy as np
import pytest
from click.testing import CliRunner
from example_states import FOLDER, model, parameters
from scipy.interpolate import CubicSpline
from scipy.optimize import brentq
from test_equilibria import pendulum

import torseur as ts
from torseur.cli.rest.phase_portrait import phase_portrait as phase


def level(portrait, q, v):
    """The energy of the portrait at states."""
    k = np.searchsorted(portrait.q, q).clip(1, len(portrait.q) - 1)
    share = (q - portrait.q[k - 1]) / (portrait.q[k] - portrait.q[k - 1])
    inertia = (portrait.energy[0] - portrait.potential) * 2 / portrait.v[0] ** 2
    m, V = ((1 - share) * x[k - 1] + share * x[k] for x in (inertia, portrait.potential))
    return m * v**2 / 2 + V


@pytest.mark.parametrize(
    ("name", "coordinate", "start"),
    [("simple_pendulum", "phi", {"phi": 2.0}), ("even_governor", "alpha", {"alpha": 0.5}),
     ("single_cylinder_engine", "phi", {"phi": 1.0, "phi.": 3.0})],
)  # fmt: skip
def test_a_motion_stays_on_its_level_curve(name, coordinate, start):
    """Open, with an imposed rotation (Painlevé's integral), and closed."""
    made = model(name)
    found = ts.stability.phase_portrait(made, coordinate)
    assert found.energy is not None
    run = ts.simulate(made, 1.5, initial=start, rtol=1e-11)
    energy = level(found, run[coordinate], run[f"{coordinate}."])
    inside = (run[coordinate] > found.q[0]) & (run[coordinate] < found.q[-1])
    assert np.ptp(energy[inside]) < 2e-3 * np.ptp(found.energy)  # of the interpolation


def test_the_separatrix_of_a_pendulum_goes_through_the_upright_rest():
    p = parameters("simple_pendulum")
    found = ts.stability.phase_portrait(model("simple_pendulum"))
    (height,) = found.separatrix
    mass = 2 * found.energy[0, 0] - 2 * found.potential[0]
    assert height / (mass / found.v[0] ** 2) == pytest.approx(2 * 9.81 / p.a, rel=1e-6)
    assert [bool(x.stable) for x in found.rests] == [True, False]
    assert found.figure().axes[0].get_xlabel() == "phi [rad]"


@pytest.mark.parametrize("span", [(-1.4, 1.4), (-3.0, 3.0), None])
def test_a_portrait_of_a_loop_stays_on_the_branch_of_its_start(span):
    """Two bars: V = 2 C θ² + 2 F l cos θ. Folded at π/2 they could turn together too.

    Rests are θ = 0 and θ/sin θ = F l/(2 C), whatever other ways of closing the search meets.
    """
    p = parameters("buckling_two_bars")
    found = ts.stability.phase_portrait(model("buckling_two_bars"), "theta", span=span)
    wanted = 2 * p.C * found.q**2 + 2 * p.F * p.l * np.cos(found.q)
    middle = wanted[np.flatnonzero(found.potential == 0)[0]]
    np.testing.assert_allclose(found.potential, wanted - middle, atol=1e-6 * np.ptp(wanted))
    bent = brentq(lambda x: x / np.sin(x) - p.F * p.l / (2 * p.C), 0.5, 1.5)
    places = sorted((x.coordinates["theta"], bool(x.stable)) for x in found.rests)
    assert places == [(pytest.approx(-bent), True), (pytest.approx(0, abs=1e-9), False),
                      (pytest.approx(bent), True)]  # fmt: skip


@pytest.mark.parametrize("name", ["four_bar", "single_cylinder_engine", "even_governor"])
def test_rests_are_where_the_force_along_the_branch_changes_sign(name):
    found = ts.stability.phase_portrait(model(name))
    force = CubicSpline(found.q, found.potential).derivative()
    turn = 2 * np.pi
    crossings = [x for x in force.roots(extrapolate=False) if -3.1 < x < 3.2]
    places = sorted(np.pi - (np.pi - x.coordinates[found.coordinate]) % turn for x in found.rests)
    assert places == pytest.approx(sorted(crossings), abs=1e-4)
    assert found.periodic


def test_angles_tied_to_each_other_turn_together():
    """Upside down is one rest, at α = β = π or −π: a turn of both changes nothing."""
    found = ts.equilibria(model("even_governor")).found
    assert sum(np.cos(x.coordinates["alpha"]) < -0.999 for x in found) == 1
    spring = {"type": "torsion spring", "joint": "O", "stiffness": 0.001}
    wound = ts.equilibria(ts.load(pendulum(forces={"hair": spring})), box={"phi": (-7.0, 7.0)})
    down = [x for x in wound.found if np.cos(x.coordinates["phi"]) > 0.9]
    assert len(down) == 3  # the spring counts turns


def test_a_portrait_of_micrometres_is_that_of_metres():
    """Lengths 1e-6 times as long, masses 1e-18: energies are 1e-24 times as large."""
    made = pendulum()
    small = made | {"parameters": {"m": 2e-18, "l": 0.5e-6}}
    one, other = (ts.stability.phase_portrait(ts.load(x)) for x in (made, small))
    assert other.separatrix == pytest.approx([1e-24 * x for x in one.separatrix], rel=1e-6, abs=0)
    assert len(other.separatrix) == 1


def test_bars_folded_on_each_other_are_families_whatever_the_search_begins_with():
    """bend = ±π with x = 0: one parameter, along which E_p is constant; it is indifferent there."""
    for starts in (None, 60, 120):
        found = ts.equilibria(model("buckling_two_bars"), starts=starts).found
        folded = [x for x in found if abs(x.coordinates["x"]) < 1e-9]
        assert {np.sign(x.coordinates["bend"]) for x in folded} == {-1, 1}
        for x in folded:
            assert abs(x.coordinates["bend"]) == pytest.approx(np.pi)
            assert x.family == 1
            assert x.stable.word == "neutral"
        alone = sorted(x.coordinates["theta"] for x in found if not x.family)
        assert alone == pytest.approx([-np.pi, -1.02674, 0, 1.02674], abs=1e-5)


def test_more_starts_are_all_tried():
    made = model("buckling_two_bars")
    sizes = [len(ts.equilibria(made, starts=n).found) for n in (1, 200)]
    assert sizes[0] == 1
    assert sizes[1] == 8  # four alone, and four parts of families


def test_an_angle_is_shown_before_a_distance():
    found = ts.stability.phase_portrait(model("pendulum_three_parameters"))
    assert found.coordinate == "theta"
    assert [bool(x.stable) for x in found.rests] == [True, False]


def test_where_speed_costs_energy_the_field_is_that_of_the_accelerations():
    damper = {"type": "torsion damper", "joint": "O", "damping": 0.5}
    made = ts.compile(ts.load(pendulum(forces={"oil": damper})))
    found = ts.stability.phase_portrait(made, speeds=(-5, 5))
    assert found.energy is None
    assert found.separatrix == ()
    for row, column in ((3, 7), (20, 25)):
        q, v = found.q[[column]], found.v[[row]]
        wanted = made.forward_dynamics(q, v, np.zeros(1))[0]
        assert found.acceleration[row, column] == pytest.approx(wanted, rel=1e-9)
    assert len(found.figure().axes) == 1


def test_more_than_one_freedom_is_refused():
    with pytest.raises(ts.ModelError, match="2 coordinates are free"):
        ts.stability.phase_portrait(model("double_pendulum"))
    with pytest.raises(ts.ModelError, match='coordinate "psi" does not exist'):
        ts.stability.phase_portrait(model("simple_pendulum"), "psi")


def test_a_portrait_from_a_shell(tmp_path):
    file, picture = str(FOLDER / "simple_pendulum.yaml"), tmp_path / "portrait.svg"
    answer = CliRunner().invoke(phase, [file, "--span", "-2:2", "--plot", str(picture), "--json"])
    document = json.loads(answer.stdout)
    assert document["equilibria"] == [{"phi": pytest.approx(0), "stable": True}]
    assert picture.exists()
    assert "energy is kept" in CliRunner().invoke(phase, [file]).stdout
