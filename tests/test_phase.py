"""Phase portraits: level curves that motions follow, separatrices, fields where energy is lost."""

import json

import numpy as np
import pytest
from click.testing import CliRunner
from example_states import FOLDER, model, parameters
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
