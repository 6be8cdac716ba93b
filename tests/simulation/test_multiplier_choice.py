"""The four resolutions of the multiplier system, each chosen for a run."""

from functools import cache
from importlib.resources import files

import numpy as np
import pytest
from click.testing import CliRunner

import torseur as ts
from torseur.cli.main import commands
from torseur.simulation.constraints.multipliers import RESOLUTIONS

FOUR_BAR = str(files("torseur.examples") / "four_bar.yaml")


@cache
def run(multipliers, path=FOUR_BAR):
    return ts.simulate(path, 0.1, rate=50, multipliers=multipliers, rtol=1e-8)


@pytest.mark.parametrize("name", RESOLUTIONS)
def test_each_resolution_gives_the_motion_the_multipliers_and_the_reactions(name):
    one, usual = run(name), run("auto")
    np.testing.assert_allclose(one.q, usual.q, atol=1e-7)
    size = np.abs(usual.lambdas).max()
    np.testing.assert_allclose(one.lambdas, usual.lambdas, atol=1e-5 * size)
    for joint in one.model.mechanism.joints:
        np.testing.assert_allclose(one.reaction(joint), usual.reaction(joint), atol=1e-5 * size)
    assert one.energy_drift < 1e-6 and one.closure_error < 1e-9


def test_the_shell_and_python_choose_alike_and_name_the_choices():
    given = ["simulate", FOUR_BAR, "--duration", "0.02", "--multipliers", "schur"]
    assert CliRunner().invoke(commands, given).exit_code == 0
    with pytest.raises(ts.ModelError, match='resolution of multipliers "svd" does not exist'):
        run("svd")
    with pytest.raises(ts.ModelError, match="is chosen for a motion in the coordinates of joints"):
        ts.simulate(FOUR_BAR, 0.02, multipliers="schur", method="rk4")


def test_a_singular_mass_matrix_is_for_those_that_do_not_invert_it():
    """A carriage of no mass that carries a body: only the sum of both slides has inertia."""
    massless = {
        "torseur": 1,
        "name": "carriage",
        "gravity": [0, -9.81, 0],
        "bodies": {"carriage": {}, "load": {"mass": 2}},
        "joints": {
            "A": {"type": "prismatic", "bodies": ["ground", "carriage"], "axis": "y",
                  "coordinate": "y1"},
            "B": {"type": "prismatic", "bodies": ["carriage", "load"], "axis": "y",
                  "coordinate": "y2"},
        },
        "constraints": {"half": {"type": "relation", "zero": "y1 - y2"}},
    }  # fmt: skip
    fall = ts.simulate(massless, 0.5, at=[0.0, 0.5], multipliers="null-space")
    np.testing.assert_allclose(fall["y1"][-1] + fall["y2"][-1], -9.81 * 0.5**2 / 2, rtol=1e-7)
    with pytest.raises(ts.SolveError, match="needs a mass matrix that is regular"):
        ts.simulate(massless, 0.5, multipliers="schur")


@pytest.mark.parametrize("name", ["direct", "null-space", "pseudo-inverse"])
def test_a_rod_without_inertia_about_its_own_axis_moves_as_one_with_a_little(name):
    """Nothing turns it about its axis, so that only its two other moments count."""

    def crank_and_rod(about_axis):
        return {
            "gravity": [0, 0, -9.81],
            "bodies": {
                "crank": {"mass": 1, "centre": [0.3, 0, 0], "inertia": [0.1, 0.1, 0.1]},
                "rod": {"mass": 0.5, "centre": [1, 0, 0], "inertia": [about_axis, 0.2, 0.2]},
                "slide": {"mass": 2, "inertia": [0.1, 0.1, 0.1]},
            },
            "joints": {
                "A": {"type": "pivot", "bodies": ["ground", "crank"], "axis": "z",
                      "coordinate": "th"},
                "B": {"type": "rotule", "bodies": ["crank", "rod"],
                      "point": [[1, 0, 0], [0, 0, 0]]},
                "S": {"type": "prismatic", "bodies": ["ground", "slide"], "axis": "x",
                      "coordinate": "s", "point": [[0, 0, 0.5], [0, 0, 0]]},
                "C": {"type": "rotule", "bodies": ["rod", "slide"],
                      "point": [[2, 0, 0], [0, 0, 0]]},
            },
            "initial": {"th": 0.5, "th.": 3},
        }  # fmt: skip

    options = {"at": [0.0, 0.1, 0.2], "rtol": 1e-10}
    light = ts.simulate(crank_and_rod(0), 0.2, multipliers=name, **options)
    thin = ts.simulate(crank_and_rod(1e-3), 0.2, **options)
    np.testing.assert_allclose(light["th"], thin["th"], rtol=1e-9)
    assert light.energy_drift < 1e-9
