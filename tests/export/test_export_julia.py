"""Generated Julia is well formed, and its lines read as formulas give Torseur's own numbers."""

import math
import re
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

JULIA = shutil.which("julia")
FEW = ("inverse_dynamics", "mass_matrix", "forward_dynamics", "applied", "kinetic_energy")
SHARED = ("sin", "cos", "tan", "asin", "acos", "exp", "log", "sinh", "cosh", "tanh", "sqrt")
FUNCTIONS = {name: getattr(math, name) for name in SHARED}
FUNCTIONS |= {"abs": abs, "sign": np.sign, "atan": lambda y, x=1.0: math.atan2(y, x)}
FUNCTIONS |= {"ifelse": lambda c, a, b: a if c else b}


def statements(text):
    """The lines without comments, a line that is open in brackets joined with the next ones."""
    found, depth = [], 0
    for line in text.splitlines():
        code = line.split("#")[0].rstrip()
        depth_before = depth
        depth += sum(code.count(x) for x in "([{") - sum(code.count(x) for x in ")]}")
        assert depth >= 0, line
        if depth_before or (found and found[-1].endswith(",")):
            found[-1] += " " + code.strip()
        elif code:
            found.append(code)
    assert depth == 0
    return found


def functions(text):
    """Name → (arguments, body) of each function; every block must be closed."""
    found, current = {}, None
    lines = statements(text)
    assert lines[0].startswith("module ") and lines[-1] == "end"
    for line in lines[1:-1]:
        head = re.fullmatch(r"function ([\w!]+)\((.*)\)", line)
        if head:
            assert current is None, f"{line}: the function before it is open"
            current = found[head[1]] = (head[2].split(", "), [])
        elif line == "end":
            assert current is not None
            current = None
        elif current is not None:
            current[1].append(line.strip())
        else:
            assert line.startswith(("export ", "const parameters = ", "    ")), line
    assert current is None
    return found


def called(text, name, *arrays):
    """A function run by reading its assignments as Python, elements counted from one."""
    arguments, body = functions(text)[name]
    names = dict(zip(arguments, arrays, strict=True)) | FUNCTIONS
    for line in body:
        if line.startswith("return"):
            return names[line.removeprefix("return ")]
        left, right = line.replace("^", "**").split(" = ", 1)
        if "(undef, " in right:
            names[left] = np.full(int(re.search(r"undef, (\d+)", right)[1]), np.nan)
            continue
        exec(f"{_from_zero(left)} = {_from_zero(right)}", names)
    raise AssertionError(f"{name} returns nothing")


def _from_zero(code):
    def lowered(found):
        return "[" + ", ".join(str(int(k) - 1) for k in found[1].split(", ")) + "]"

    return re.sub(r"\[([\d, ]+)\]", lowered, code)


def result_of(text, name, p, inputs, shape):
    c = called(text, f"{name}_constants", p)
    if not shape:
        return called(text, name, c, *inputs)
    return called(text, f"{name}!", np.full(shape, np.nan), c, *inputs)


@pytest.mark.parametrize("case", [arm, nasty])
def test_julia_lines_give_the_same_numbers(case):
    case = case()
    [text] = case.texts("julia", FEW).values()
    for name in FEW:
        expected = case.expected(name)
        assert_close(result_of(text, name, case.p, case.inputs(name), expected.shape), expected)


def test_every_operation_is_written_in_julia():
    case, of = arm(), every_operation()
    [text] = texts_of("julia", of, case).values()
    found = result_of(text, of.name, case.p, [case.arrays["q"]], of.shape)
    for one, other in zip(found, value(of, case), strict=True):
        assert_close(one, other, 1e-13)


@pytest.mark.slow
@pytest.mark.skipif(JULIA is None, reason="julia is not on the PATH")
@pytest.mark.parametrize("case", [arm, every_joint, nasty])
def test_every_function_in_julia_gives_the_same_numbers(case, tmp_path):
    case = case()
    [(name, text)] = case.texts("julia").items()
    (tmp_path / name).write_text(text, encoding="utf-8")
    module = name.removesuffix(".jl")
    lines = [f'include("{name}")', f"using .{module}"]
    for function in EVERY:
        arrays = ", ".join(_vector(x) for x in case.inputs(function))
        call = f"{module}.{function}({module}.{function}_constants({_vector(case.p)}), {arrays})"
        lines.append(f'println(join(permutedims(Array([{call};])), " "))')
    (tmp_path / "main.jl").write_text("\n".join(lines), encoding="utf-8")
    command = [JULIA, "--startup-file=no", "main.jl"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    for function, line in zip(EVERY, done.stdout.splitlines(), strict=True):
        expected = case.expected(function)
        assert_close(np.array(line.split(), dtype=float).reshape(expected.shape), expected)


def _vector(values):
    return "[" + ", ".join(repr(float(x)) for x in values) + "]"
