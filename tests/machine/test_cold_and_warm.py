"""The verdict on a mechanism does not depend on code that was kept from another one."""

import os
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from example_states import EXAMPLES, FOLDER, mechanism

import torseur as ts
from torseur.algebra.core.expr import expression
from torseur.equations.formalisms.derive import derive
from torseur.equations.motion.diagnosis import inertia_notices, singular_notices
from torseur.machine.compiled import compile
from torseur.model.values.fingerprint import fingerprint


def with_values(made, **values):
    """The same description with other values of parameters."""
    table = dict(made.parameter_table)
    for name, value in values.items():
        table[name] = replace(table[name], value=expression(value))
    return replace(made, parameter_table=table)


@pytest.mark.sampled(16)
@pytest.mark.parametrize("name", [x for x in EXAMPLES if len(mechanism(x).speeds) < 8])
def test_mechanisms_that_share_their_code_share_the_verdict_on_it(name):
    """Values from 1e-30 to 1e30, one at a time: the same text, the same code."""
    made = mechanism(name)
    plain = compile(made)
    verdict = singular_notices(np.array(derive(made).M), plain.system)
    values = {n: x for n, x in made.parameters.items() if x and not isinstance(x, bool)}
    for parameter in list(values)[:3]:
        for size in (1e-30, 1e30):
            other = with_values(made, **{parameter: size * values[parameter]})
            if fingerprint(other) == fingerprint(made):
                found = compile(other)
                assert singular_notices(np.array(derive(other).M), found.system) == verdict


def test_a_body_without_inertia_does_not_take_the_code_of_one_that_has_some():
    made = mechanism("simple_pendulum")
    masses = [n for n in made.parameters if n.startswith("m")]
    light = with_values(made, **{masses[0]: 0})
    assert fingerprint(light) != fingerprint(made)
    assert inertia_notices(derive(light))
    with pytest.raises(ts.SolveError, match="carries no inertia"):
        ts.simulate(light, 0.1)
    assert ts.simulate(made, 0.1).t[-1] == pytest.approx(0.1)
    with pytest.raises(ts.SolveError, match="carries no inertia"):
        ts.simulate(light, 0.1)


def test_arms_of_micrometres_that_carry_a_slide_have_an_inertia():
    """Two pivots and a slide, the same at every size: forces are m l², times are the same."""

    def accelerations(l):
        bars = {"mass": 2.0, "centre": [l / 2, 0, 0], "inertia": [0, l * l / 12, l * l / 12]}
        made = {
            "bodies": {"upper": bars, "lower": bars, "slide": bars},
            "joints": {
                "A": {"type": "pivot", "bodies": ["ground", "upper"], "axis": "z"},
                "B": {"type": "pivot", "bodies": ["upper", "lower"], "axis": "z",
                      "point": [[l, 0, 0], [0, 0, 0]]},
                "C": {"type": "prismatic", "bodies": ["lower", "slide"], "axis": "x"},
            },
        }  # fmt: skip
        q, v = np.array([0.1, 0.7, 0.4 * l]), np.array([1.0, -2.0, 0.5 * l])
        found = ts.compile(ts.load(made)).forward_dynamics(q, v, np.zeros(3))
        return found / [1, 1, l]

    assert accelerations(1e-6) == pytest.approx(accelerations(1.0), rel=1e-9)


def test_metres_beside_radians_do_not_make_a_matrix_singular():
    for b in (1e-30, 1e30):
        assert inertia_notices(derive(with_values(mechanism("free_body"), b=b))) == ()


@pytest.mark.slow
@pytest.mark.parametrize("b", ["1e30", "1e-30", "0"])
def test_the_same_command_answers_the_same_cold_and_warm(tmp_path, b):
    file = tmp_path / "plate.yaml"
    text = (FOLDER / "free_body.yaml").read_text(encoding="utf-8")
    lines = [f"  b: {b}" if x.startswith("  b:") else x for x in text.splitlines()]
    file.write_text("\n".join(lines), encoding="utf-8")
    command = [sys.executable, "-c", "from torseur.cli import main; main()", "simulate"]
    environment = {**os.environ, "TORSEUR_CACHE": str(tmp_path / "kept")}

    def answer(path):
        done = subprocess.run(
            [*command, str(path), "--duration", "0.1"],
            env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        return done.returncode, done.stdout, done.stderr

    cold = answer(file)
    assert answer(file) == cold
    # nor does it depend on what another value left behind
    environment["TORSEUR_CACHE"] = str(tmp_path / "other")
    answer(FOLDER / "free_body.yaml")
    assert answer(file) == cold
