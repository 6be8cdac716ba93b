"""The block diagram of the resolution, and the action that a motion makes stationary."""

from functools import cache
from importlib.resources import files
from xml.etree import ElementTree

import numpy as np
import pytest
from click.testing import CliRunner

import torseur as ts
from torseur.cli.main import commands

EXAMPLES = files("torseur.examples")


def words(path):
    root = ElementTree.parse(path).getroot()
    return [x.text for x in root.iter("{http://www.w3.org/2000/svg}text")]


def test_the_diagram_has_the_blocks_that_the_mechanism_needs(tmp_path):
    path = tmp_path / "blocks.svg"
    assert ts.pictures.blocks(str(EXAMPLES / "double_pendulum.yaml"), path) == path
    tree = words(path)
    assert {"Q − h − g", "a = M⁻¹ S", "mass matrix 2 × 2"} <= set(tree) and tree.count("∫") == 2
    loop = words(ts.pictures.blocks(str(EXAMPLES / "slider_crank.yaml"), path, lang="fr"))
    assert {"M a = S + Jᵀλ, J a = −γ", "φ(q, t) = 0", "5 multiplicateurs"} <= set(loop)
    free = words(ts.pictures.blocks(str(EXAMPLES / "free_body.yaml"), path))
    assert "q̇ = B(q) v" in free and "q̇ = B(q) v" not in tree
    driven = words(ts.pictures.blocks(str(EXAMPLES / "cardan_shaft.yaml"), path))
    assert "u, t" in driven and "u, t" not in tree
    with pytest.raises(ts.ModelError, match="not a picture format"):
        ts.pictures.blocks(str(EXAMPLES / "free_body.yaml"), tmp_path / "blocks.png")


def test_the_command_writes_the_diagram(tmp_path):
    path = tmp_path / "scheme.svg"
    given = ["blocks", str(EXAMPLES / "double_pendulum.yaml"), "-o", str(path), "--lang", "fr"]
    assert CliRunner().invoke(commands, given).exit_code == 0
    assert "matrice de masse 2 × 2" in words(path)


# --- least action -------------------------------------------------------------------------------


@cache
def run(name, duration, **start):
    return ts.simulate(str(EXAMPLES / f"{name}.yaml"), duration, rate=50, initial=start or None)


@pytest.mark.parametrize("name", ["double_pendulum", "cartesian_pendulum", "four_bar"])
def test_a_motion_makes_the_action_stationary_among_paths_with_its_ends(name):
    found = ts.formalisms.action(run(name, 0.2))
    assert found.stationary and abs(found.first) < 1e-7 * found.scale
    assert found.least and (found.varied > found.value).all()
    # S − S(0) is of second order in the variation
    half, whole = (S - found.value for S in found.varied[2:])
    assert whole / half == pytest.approx(4, rel=0.1)


def test_any_variation_will_do_and_over_a_long_time_the_action_is_not_least():
    """A pendulum past its conjugate point, half a period: δ²S < 0 for the first sine."""
    long = run("compound_pendulum", 5.0, theta=0.3)
    assert ts.formalisms.action(long).stationary and not ts.formalisms.action(long).least
    quick = ts.formalisms.action(long, variation={"theta": 0.5}, harmonic=9)
    assert quick.stationary and quick.least
    short = ts.formalisms.action(long, 1.0, 1.5)
    assert short.least and short.span == (1.0, 1.5)
    assert str(short).startswith("action from t = 1 to 1.5 s")


def test_the_action_is_the_integral_of_t_less_v():
    moving = run("compound_pendulum", 5.0, theta=0.3).at(np.linspace(0, 5, 20001))
    L = moving.energy["kinetic"] - moving.energy["potential"]
    assert ts.formalisms.action(run("compound_pendulum", 5.0, theta=0.3)).value == pytest.approx(
        np.trapezoid(L, moving.t), rel=1e-7
    )


def test_what_has_no_action_is_refused():
    with pytest.raises(ts.ModelError, match="forces without a potential work"):
        ts.formalisms.action(run("rotating_arm", 0.2))
    with pytest.raises(ts.ModelError, match='"floor" holds speeds only'):
        ts.formalisms.action(run("rolling_disc", 0.1))
    with pytest.raises(ts.ModelError, match="are not the rates of its"):
        ts.formalisms.action(run("free_body", 0.1))
    with pytest.raises(ts.ModelError, match='coordinate "zeta" does not exist'):
        ts.formalisms.action(run("double_pendulum", 0.2), variation={"zeta": 1})
    for start, stop in ((0.1, 0.1), (0.15, 0.05), (0.0, 0.3), (-0.1, 0.1)):
        with pytest.raises(ts.ModelError, match="does not contain the interval"):
            ts.formalisms.action(run("double_pendulum", 0.2), start, stop)
