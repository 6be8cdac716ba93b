"""C for a micro-controller: compiled without a library, it agrees with doubles to 1e-4."""

import ctypes
import math
import re
import shutil
import subprocess
from importlib.resources import files

import numpy as np
import pytest
from export_cases import EVERY, arm, assert_close, cases, every_operation, texts_of, value

CC = shutil.which("cc")
FREE = ("-std=c99", "-O1", "-Wall", "-Wextra", "-Werror", "-pedantic", "-Wconversion",
        "-Wdouble-promotion", "-Wshadow", "-ffreestanding", "-nostdlib", "-fno-builtin",
        "-fstack-usage")  # fmt: skip
pytestmark = pytest.mark.skipif(CC is None, reason="cc is not on the PATH")
RANGES = {  # of arguments, and the function of doubles
    "sin": (-50, 50, math.sin), "cos": (-50, 50, math.cos), "tan": (-1.4, 1.4, math.tan),
    "sqrt": (0, 1e6, math.sqrt), "exp": (-80, 80, math.exp), "log": (1e-6, 1e6, math.log),
    "atan": (-20, 20, math.atan), "asin": (-1, 1, math.asin), "acos": (-1, 1, math.acos),
    "sinh": (-20, 20, math.sinh), "cosh": (-20, 20, math.cosh), "tanh": (-12, 12, math.tanh),
    "floor": (-1e4, 1e4, math.floor),
}  # fmt: skip


def compiled(folder, source):
    """The library of one C file, linked with nothing."""
    command = [CC, *FREE, "-shared", "-fPIC", "-o", "library.so", source]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return ctypes.CDLL(str(folder / "library.so"))


def stacks(folder):
    """Bytes of the stack that the compiler uses, by function."""
    rows = "".join(x.read_text() for x in folder.glob("*.su")).splitlines()
    return {row.split("\t")[0].split(":")[-1]: int(row.split("\t")[1]) for row in rows}


def called(code, name, *arrays):
    given = [np.ascontiguousarray(x, np.float32) for x in arrays[:-1]]
    getattr(code, name)(*(ctypes.c_void_p(x.ctypes.data) for x in (*given, arrays[-1])))


@cases()
def test_functions_without_a_library_agree_and_keep_their_stack(case, tmp_path):
    case = case()
    texts = case.texts("microcontroller")
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    source = next(x for x in texts if x.endswith(".c"))
    assert not re.search(r"\bdouble\b|#include <|malloc", "\n".join(
        line for line in texts[source].splitlines() if not line.startswith("//")
    ))  # fmt: skip
    code, prefix, used = compiled(tmp_path, source), source[:-2], stacks(tmp_path)
    for name in EVERY:
        c, result = np.zeros(3000, np.float32), np.zeros(case.expected(name).shape, np.float32)
        called(code, f"{prefix}_{name}_constants", case.p, c)
        called(code, f"{prefix}_{name}", c, *case.inputs(name), result)
        assert_close(result, case.expected(name), 1e-4)
        (stated,) = re.findall(rf"^//   {name}: (\d+) bytes", texts[source], re.M)
        assert used[f"{prefix}_{name}"] <= int(stated)
        assert used[f"{prefix}_{name}_constants"] <= int(stated)


def test_every_operation_has_its_function(tmp_path):
    case, of = arm(), every_operation()
    keep = [k for k, x in enumerate(of.outputs) if "e" not in str(x).replace("exp", "")]
    of = type(of)(of.name, of.inputs, (len(keep),), tuple(of.outputs[k] for k in keep))
    texts = texts_of("microcontroller", of, case)
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    source = next(x for x in texts if x.endswith(".c"))
    code, c, found = (
        compiled(tmp_path, source),
        np.zeros(100, np.float32),
        np.zeros(of.shape, np.float32),
    )
    called(code, f"{source[:-2]}_{of.name}_constants", case.p, c)
    called(code, f"{source[:-2]}_{of.name}", c, case.arrays["q"], found)
    for one, other in zip(found, value(of, case), strict=True):
        assert_close(one, other, 1e-4)


@pytest.mark.parametrize("name", RANGES)
def test_an_own_function_is_that_of_the_library(name, tmp_path):
    low, high, exact = RANGES[name]
    text = files("torseur.export").joinpath("microcontroller.c").read_text()
    text += f"float run(float x);\nfloat run(float x) {{ return own_{name}(x); }}\n"
    (tmp_path / "run.c").write_text(text)
    run = compiled(tmp_path, "run.c").run
    run.restype, run.argtypes = ctypes.c_float, [ctypes.c_float]
    for x in np.linspace(low, high, 2001, dtype=np.float32).tolist():
        wanted = exact(x)
        assert abs(run(x) - wanted) <= 4e-6 * max(abs(wanted), 1.0 if name in "sincoslogfloor"
                                                  else abs(wanted), 1e-3)  # fmt: skip


def test_atan2_and_powers_in_every_quadrant(tmp_path):
    text = files("torseur.export").joinpath("microcontroller.c").read_text()
    text += ("float run(float x, float y);\nfloat run(float x, float y) "
             "{ return own_atan2(x, y); }\nfloat power(float x, float y);\n"
             "float power(float x, float y) { return own_pow(x, y); }\n")  # fmt: skip
    (tmp_path / "run.c").write_text(text)
    code = compiled(tmp_path, "run.c")
    for function in (code.run, code.power):
        function.restype, function.argtypes = ctypes.c_float, [ctypes.c_float] * 2
    for y in (-2.0, -0.3, 0.0, 0.3, 2.0):
        for x in (-1.5, -0.1, 0.1, 1.5):
            assert code.run(y, x) == pytest.approx(math.atan2(y, x), abs=1e-6)
    for x, y in ((-1.5, 3.0), (2.0, -4.0), (1.7, 0.3), (0.2, 1.5), (3.0, 0.0)):
        assert code.power(x, y) == pytest.approx(x**y, rel=4e-6)
