"""Ill-posed mechanisms: each gives one clear message that says where, what, how much, what to do.

Each file of models/ill_posed is a mechanism with one thing wrong, told in its first line; the file
of the same name in golden/ill_posed is the message.
"""

from pathlib import Path

import numpy as np
import pytest
from same_text import same_text, tells

import torseur as ts
from torseur.language.yaml.form import yaml_mechanism

HERE = Path(__file__).parents[1]
MODELS = sorted((HERE / "models" / "ill_posed").glob("*.yaml"))
GOLDEN = HERE / "golden" / "ill_posed"


def messages(path):
    """Everything said about a mechanism but what was assumed."""
    try:
        found = ts.check(yaml_mechanism(path.read_text(encoding="utf-8"), path.name))
    except ts.ModelError as error:
        return [str(fault) for fault in error.faults]
    return [*map(str, found.faults), *found.notices]


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_an_ill_posed_mechanism_gives_the_one_message_we_want_people_to_read(path):
    expected = (GOLDEN / f"{path.stem}.txt").read_text(encoding="utf-8").rstrip("\n")
    assert len(messages(path)) == 1
    assert same_text(messages(path)[0], expected)


def test_every_mechanism_says_what_is_wrong_with_it():
    assert len(MODELS) >= 20
    assert {path.stem for path in GOLDEN.glob("*.txt")} == {path.stem for path in MODELS}
    assert all(path.read_text(encoding="utf-8").startswith("# ") for path in MODELS)


def test_the_nearest_initial_values_close_the_loops():
    """The piston of the misfit is where the closed form puts it: l1 cos α + √(l2² − l1² sin² α)."""
    path = HERE / "models" / "ill_posed" / "initial_inconsistent.yaml"
    x = 0.1 * np.cos(0.3) + np.sqrt(0.3**2 - (0.1 * np.sin(0.3)) ** 2)
    assert tells(messages(path)[0], f"x = {x:.6g} (given 0.38)")


def test_the_nearest_initial_speeds_are_those_of_the_closed_form():
    path = HERE / "models" / "ill_posed" / "initial_speeds_inconsistent.yaml"
    root = np.sqrt(0.3**2 - (0.1 * np.sin(0.3)) ** 2)
    rate = -2.0 * 0.1 * np.sin(0.3) * (1 + 0.1 * np.cos(0.3) / root)
    assert tells(messages(path)[0], f"x. = {rate:.6g} (given 1)")


def test_the_gap_of_an_open_loop_is_the_distance_that_is_missing():
    """Fixed here and there: the two places are 0.1 m apart whatever is done."""
    path = HERE / "models" / "ill_posed" / "fixed_in_two_places.yaml"
    assert tells(messages(path)[0], "stays open by 0.1 ")


def test_pinned_coordinates_that_contradict_each_other_are_told_with_the_joint_that_opens():
    """With the rod in line with the crank its end is 0.4 sin 0.3 above the line of the piston."""
    model = ts.load(HERE / "models" / "slider_crank.yaml")
    with pytest.raises(ts.SolveError) as caught:
        ts.assemble(model, {"alpha": 0.3, "x": 0.3}, pinned=("alpha", "beta", "x"))
    assert caught.value.place == 'joint "B"'
    assert tells(caught.value.problem, f"stays open by {0.4 * np.sin(0.3):.3g} ")


def test_a_sound_mechanism_gives_no_message():
    found = ts.check(ts.load(HERE / "models" / "cart_pendulum.yaml"))
    assert str(found) == "No error found, no assumption made."
