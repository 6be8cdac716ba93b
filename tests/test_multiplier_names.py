"""Every row of constraints has an unknown of its own, in whatever variables equations are."""

from importlib.resources import files

import pytest
import yaml

import torseur as ts


def example(name, **sections):
    text = (files("torseur.examples") / f"{name}.yaml").read_text()
    return ts.load(yaml.safe_load(text) | sections)


def in_every_variable():
    linkage = example("four_bar")
    yield lambda: ts.derive(linkage)
    yield lambda: ts.formalisms.lagrangian(linkage).equations
    yield lambda: ts.derive(example("four_bar", coordinates={"tilt": "alpha + beta"}))
    yield lambda: ts.derive(example("compound_pendulum"), "absolute")


@pytest.mark.parametrize("derived", list(in_every_variable()))
def test_no_two_rows_share_an_unknown(derived, tmp_path):
    equations = derived()
    unknowns = [x.name for x in equations.constraints.unknowns]
    assert len(set(unknowns)) == len(unknowns) == len(equations.J) > 1
    said = equations.formulas().text(ascii_only=True)
    acting = [name for name, row in zip(unknowns, equations.J, strict=True) if any(row)]
    assert len(acting) > 1 and all(name in said for name in acting)
    equations.save(tmp_path / "equations.json")
    again = ts.load_equations(tmp_path / "equations.json")
    assert [x.name for x in again.constraints.unknowns] == unknowns


def test_a_told_lagrangian_names_the_reactions_of_a_loop():
    told = str(ts.tell(ts.formalisms.lagrangian(example("four_bar"))))
    assert "X_C*" in told and "Y_C*" in told and "lambda" not in told
