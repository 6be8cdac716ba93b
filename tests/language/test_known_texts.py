"""Sources that stand for a mechanism are read once, as long as their text is the same."""

import pickle
import sys

import pytest

import torseur as ts
from torseur.equations.symbols.system import system
from torseur.language.load import load, load_once

SLIDER = """bodies: {block: {mass: %s}}
joints: {rail: {type: prismatic, bodies: [ground, block], axis: x, coordinate: x}}
"""
TABLED = """tables: {force: {file: force.csv}}
bodies: {block: {mass: 1}}
joints: {rail: {type: prismatic, bodies: [ground, block], axis: x, coordinate: x}}
forces: {push: {type: joint, joint: rail, value: force(x)}}
"""
PHRASE = "RZ(q1), TXK(L1), RZ(q2), TXK(L2);"


def functions_of(room, call):
    """The functions of a room that a call runs."""
    seen = set()

    def profile(frame, event, _):
        if event == "call" and f"torseur/{room}/" in frame.f_code.co_filename:
            seen.add(frame.f_code)

    sys.setprofile(profile)
    try:
        call()
    finally:
        sys.setprofile(None)
    return len(seen)


def test_a_changed_file_is_read_again(tmp_path):
    path = tmp_path / "slider.yaml"
    path.write_text(SLIDER % 2)
    first = ts.derive(path)
    assert ts.derive(path).system.mechanism is first.system.mechanism
    path.write_text(SLIDER % 3)
    assert [str(ts.derive(path).M[0, 0]), str(first.M[0, 0])] == ["3", "2"]


def test_load_gives_a_mechanism_of_its_own():
    assert load(PHRASE) is not load(PHRASE)
    assert load(PHRASE) == load_once(PHRASE)


def test_the_files_of_a_description_are_read_each_time(tmp_path):
    path = tmp_path / "tabled.yaml"
    path.write_text(TABLED)
    table = tmp_path / "force.csv"
    table.write_text("0, 0\n1, 1\n2, 2\n")
    first = load_once(path)
    table.write_text("0, 0\n1, 5\n2, 9\n")
    assert load_once(path) != first


@pytest.mark.parametrize("source", [PHRASE, "slider_crank"])
def test_deriving_again_reads_and_arranges_nothing_again(source):
    ts.derive(source)
    cold = functions_of("model", lambda: ts.derive(load(source)))
    again = {room: functions_of(room, lambda: ts.derive(source)) for room in ("model", "language")}
    assert again["model"] <= 20 < cold
    assert again["language"] <= 10


def test_computed_results_are_not_pickled():
    mechanism = load("slider_crank")
    size = len(pickle.dumps(mechanism))
    assert system(mechanism) is system(mechanism)
    assert len(pickle.dumps(mechanism)) == size
    assert pickle.loads(pickle.dumps(mechanism)) == mechanism
