"""Isolated bodies while contacts keep their modes: what slides has N alone, and f N against it."""

import json
from importlib.resources import files

import numpy as np
import pytest
from click.testing import CliRunner

import torseur as ts
from torseur.algebra.calculus.derivative import derivative
from torseur.algebra.core.graph import evaluate, free_symbols
from torseur.cli.commands import commands


def example(name):
    return ts.load(str(files("torseur.examples") / f"{name}.yaml"))


def values_of(mechanism, lines, **state):
    """Parameters of a mechanism with what `formulas` gives for accelerations and reactions."""
    known = {x: v for x, v in ts.compile(mechanism).parameters.items() if v is not None} | state
    for line in lines:
        left = line.equation.left
        (unknown,) = (x for x in free_symbols(left) if x.kind in ("acceleration", "input"))
        factor = evaluate(derivative(left, unknown), known)
        known[unknown.name] = float(evaluate(line.equation.right, known) / factor)
    return known


@pytest.mark.parametrize("mode", ["slip", "stick"])
def test_the_balance_of_a_cylinder_is_that_of_its_equations_of_motion(mode):
    """Along x: m ẍ = T − m g sin α; friction is −f N sign(ẋ + r θ̇) where it slides."""
    modes, mechanism = {"road": mode}, example("cylinder_sliding")
    lines = ts.formalisms.formulas(mechanism, reactions=True, modes=modes).lines
    state = {"x": 0.1, "y": 0.15, "theta": 0.2, "x.": 2.0, "y.": 0.0, "theta.": -3.0}
    known = values_of(mechanism, [x for x in lines if "plane" not in x.name], **state)
    known |= {"Z_plane": 0.0, "L_plane": 0.0, "M_plane": 0.0}
    found = ts.formalisms.isolate(mechanism, "cylinder", modes=modes)
    assert set(found.unknowns) & {"N_road", "T_road"} == (
        {"N_road", "T_road"} if mode == "stick" else {"N_road"}
    )
    left = np.asarray(evaluate(found.equations, known), dtype=float)
    np.testing.assert_allclose(left, 0, atol=1e-12)
    assert not found.notices


def test_a_normal_force_is_solved_from_its_own_row():
    found = ts.formalisms.isolate("cylinder_sliding", "cylinder", modes={"road": "slip"})
    assert "N_road = m (ÿ + g cos α)" in str(found.solved())
    closed = ts.formalisms.isolate(
        "cylinder_sliding", "cylinder", modes={"road": "slip"}, independent=[]
    )
    assert "N_road = m g cos α" in str(closed.solved())  # sliding leaves x and theta free


def test_few_equations_in_a_mode_are_enough():
    stuck = ts.formalisms.isolations("cylinder_sliding", modes={"road": "stick"})
    assert [sorted({n for x in one for n in x.unknowns}) for one in stuck.systems] == [["T_road"]]
    slides = ts.formalisms.isolations("cylinder_sliding", modes={"road": "slip"})
    assert len(slides.systems) == 2 and not slides.notices
    wanted = ts.formalisms.isolations("cylinder_sliding", "N_road", modes={"road": "slip"})
    assert [x.unknowns for x in wanted.systems[0]] == [("N_road",)]


def test_friction_of_a_constant_size_needs_no_unknown():
    slides = ts.formalisms.isolate("coulomb_oscillator", modes={"rail: friction": "slip"})
    names = {x.name for x in free_symbols(slides.equations)}
    assert {"F", "x."} <= names and "resultant x: m*x.. = " in str(slides)
    row = slides.equations[0]
    parts = {"m": 2.0, "k": 3.0, "F": 0.7, "x": 0.4, "x.": -5.0, "x..": 0.0}
    assert float(evaluate(row, parts)) == pytest.approx(3 * 0.4 - 0.7)  # m ẍ + k x + F sign(ẋ)


def test_without_modes_contacts_stay_out_and_a_wrong_name_is_refused():
    assert ts.formalisms.isolate("cylinder_sliding", "cylinder").notices
    with pytest.raises(ts.ModelError, match='contact "rod"'):
        ts.formalisms.isolations("cylinder_sliding", modes={"rod": "slip"})


def test_the_command_takes_modes():
    words = ["isolations", "cylinder_sliding", "--mode", "road=slip", "--json"]
    data = json.loads(CliRunner().invoke(commands, words).stdout)
    assert [[x["unknowns"] for x in one] for one in data["systems"]] == [[["N_road"]] * 2] * 2
