"""Generated MATLAB files run in Octave and give Torseur's own numbers."""

import shutil
import subprocess

import numpy as np
import pytest
from export_cases import (
    EVERY,
    arm,
    assert_close,
    every_joint,
    every_operation,
    nasty,
    texts_of,
    value,
)

from torseur.equations.symbols.system import system

OCTAVE = shutil.which("octave-cli") or shutil.which("octave")
octave = pytest.mark.skipif(OCTAVE is None, reason="octave is not on the PATH")


def column(values):
    return "[" + "; ".join(repr(float(x)) for x in np.ravel(values)) + "]"


def run(folder, texts, statements):
    """The printed numbers of each expression."""
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    lines = [f"r = {x}; printf('%.17g ', transpose(r)); printf('\\n');" for x in statements]
    (folder / "main_script.m").write_text("\n".join(lines), encoding="utf-8")
    command = [OCTAVE, "--no-gui", "--norc", "--quiet", "main_script.m"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    # Octave 7 may complain of itself when it leaves
    wrong = [x for x in done.stderr.splitlines() if not x.endswith("preparing to exit")]
    assert done.returncode == 0 and not wrong, done.stderr
    return [np.array(line.split(), dtype=float) for line in done.stdout.splitlines()]


def statement(model, name, case):
    inputs = ", ".join(column(x) for x in case.inputs(name))
    return f"{model}_{name}({model}_{name}_constants({column(case.p)}), {inputs})"


@octave
@pytest.mark.slow
@pytest.mark.parametrize(
    ("case", "model"), [(arm, "phrase"), (every_joint, "every_joint"), (nasty, "do")]
)
def test_every_function_in_octave_gives_the_same_numbers(case, model, tmp_path):
    case = case()
    found = run(tmp_path, case.texts("matlab"), [statement(model, name, case) for name in EVERY])
    for name, numbers in zip(EVERY, found, strict=True):
        expected = case.expected(name)
        assert_close(numbers.reshape(expected.shape), expected)


@octave
@pytest.mark.slow
@pytest.mark.parametrize(
    ("case", "model"), [(arm, "phrase"), (every_joint, "every_joint"), (nasty, "do")]
)
def test_the_state_derivative_holds_rates_and_accelerations(case, model, tmp_path):
    """fcn: A a + C + Q = F solved with a backslash, q̇ from v, motors and loads included."""
    case = case()
    q, v, Q = (case.arrays[letter] for letter in "qvQ")
    state = column(np.concatenate([q, v]))
    call = f"{model}_fcn({state}, {column(case.p)}, {column(Q)})"
    [found] = run(tmp_path, case.texts("matlab", ["forward_dynamics"]), [call])
    accelerations = case.expected("forward_dynamics")
    tree = system(case.mechanism).tree
    rates = np.zeros(len(q))
    for _, link in tree:
        rates[link.q] = link.joint.rates(q[link.q], v[link.v])
    assert_close(found, np.concatenate([rates, accelerations]), 1e-10)


@octave
@pytest.mark.slow
def test_every_operation_is_written_in_octave(tmp_path):
    case, of = arm(), every_operation()
    texts = texts_of("matlab", of, case)
    call = f"phrase_everything_constants({column(case.p)}), {column(case.arrays['q'])}"
    [found] = run(tmp_path, texts, [f"phrase_everything({call})"])
    for one, other in zip(found, value(of, case), strict=True):
        assert_close(one, other, 1e-13)


@octave
@pytest.mark.slow
def test_the_values_of_the_parameters_are_a_column(tmp_path):
    case = every_joint()
    [found] = run(tmp_path, case.texts("matlab", ["gravity"]), ["every_joint_parameters()"])
    assert list(found) == list(case.p)


def test_there_is_one_file_for_each_function_and_fcn_for_forward_dynamics():
    texts = arm().texts("matlab", ["gravity", "forward_dynamics"])
    assert set(texts) == {
        "phrase_gravity.m",
        "phrase_gravity_constants.m",
        "phrase_forward_dynamics.m",
        "phrase_forward_dynamics_constants.m",
        "phrase_fcn.m",
    }
    assert "A \\ (F - C - Q)" in texts["phrase_fcn.m"]
    assert not any("inv(" in text for text in texts.values())
