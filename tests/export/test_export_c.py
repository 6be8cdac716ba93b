"""Generated C is compiled without a warning and gives Torseur's own numbers."""

import ctypes
import shutil
import subprocess
from importlib.resources import files

import numpy as np
import pytest
from export_cases import (
    EVERY,
    arm,
    assert_close,
    cases,
    every_joint,
    every_operation,
    nasty,
    texts_of,
    value,
)

import torseur as ts

GCC = shutil.which("gcc")
STRICT = ("-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-Wconversion", "-Wshadow",
          "-Wdouble-promotion", "-Wstrict-prototypes", "-Wmissing-prototypes")  # fmt: skip
pytestmark = pytest.mark.skipif(GCC is None, reason="gcc is not on the PATH")


def built(texts, folder, real="double"):
    """The library of C files."""
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    source = next(folder.glob("*.c"))
    target = folder / "library.so"
    command = [GCC, *STRICT, "-O0", "-shared", "-fPIC", "-o", target, source, "-lm"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return Library(ctypes.CDLL(str(target)), source.stem, real)


class Library:
    """Generated functions called with arrays."""

    def __init__(self, code, name, real):
        self.code, self.name = code, name
        self.dtype = np.float64 if real == "double" else np.float32

    def __call__(self, function, p, inputs, shape):
        c, result = np.full(3000, np.nan, self.dtype), np.full(shape, np.nan, self.dtype)
        self._call(f"{function}_constants", p, c)
        self._call(function, c, *inputs, result)
        return result

    def _call(self, name, *arrays):
        own = [np.ascontiguousarray(x, self.dtype) for x in arrays[:-1]]
        pointers = [ctypes.c_void_p(x.ctypes.data) for x in (*own, arrays[-1])]
        getattr(self.code, f"{self.name}_{name}")(*pointers)


@cases()
def test_every_function_in_c_gives_the_same_numbers(case, tmp_path):
    case = case()
    library = built(case.texts("c"), tmp_path)
    for name in EVERY:
        expected = case.expected(name)
        assert_close(library(name, case.p, case.inputs(name), expected.shape), expected)


@pytest.mark.parametrize("real", ["double", "float"])
def test_every_operation_is_written_in_c(real, tmp_path):
    case, of = arm(), every_operation()
    if real == "float":  # numbers beyond the range of a float are left out
        keep = [k for k, x in enumerate(of.outputs) if "e" not in str(x).replace("exp", "")]
        of = type(of)(of.name, of.inputs, (len(keep),), tuple(of.outputs[k] for k in keep))
    library = built(texts_of("c", of, case, real=real), tmp_path, real)
    found = library(of.name, case.p, [case.arrays["q"]], of.shape)
    for one, other in zip(found, value(of, case), strict=True):
        assert_close(one, other, 1e-13 if real == "double" else 1e-4)


def test_single_precision_c_agrees_to_single_precision(tmp_path):
    case = arm()
    texts = case.texts("c", ["inverse_dynamics", "mass_matrix"], real="float")
    assert not any("double" in line for line in texts["phrase.c"].splitlines())
    library = built(texts, tmp_path, "float")
    for name in ("inverse_dynamics", "mass_matrix"):
        expected = case.expected(name)
        assert_close(library(name, case.p, case.inputs(name), expected.shape), expected, 1e-3)


def test_the_values_of_the_parameters_are_in_the_library(tmp_path):
    case = every_joint()
    library = built(case.texts("c", ["gravity"]), tmp_path)
    values = (ctypes.c_double * len(case.p)).in_dll(library.code, "every_joint_parameters")
    assert list(values) == list(case.p)


def test_names_do_not_meet_the_macros_of_gnu_c(tmp_path):
    for name, text in nasty().texts("c", ["inverse_dynamics", "mass_matrix"]).items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    command = [GCC, "-std=gnu99", "-Wall", "-Werror", "-fsyntax-only", next(tmp_path.glob("*.c"))]
    subprocess.run(command, check=True)


def test_the_header_can_be_included_from_cpp(tmp_path):
    compiler = shutil.which("g++")
    if compiler is None:
        pytest.skip("g++ is not on the PATH")
    texts = nasty().texts("c", ["inverse_dynamics", "forward_dynamics"])
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    header = next(tmp_path.glob("*.h")).name
    main = f'#include "{header}"\n#include "{header}"\nint main() {{ return 0; }}\n'
    (tmp_path / "main.cpp").write_text(main)
    command = [compiler, "-Wall", "-Werror", "-fsyntax-only", tmp_path / "main.cpp"]
    subprocess.run(command, check=True)


def test_a_law_of_control_in_c_gives_the_forces_of_the_call(tmp_path):
    cart = ts.load(files("torseur.examples") / "cart_pole.yaml")
    law = ts.control.pid(cart, {"x": "0.1*sin(t)"}, 40, 60, 20, limits=5)
    written = law.export("c", tmp_path)
    library = built({path.name: path.read_text(encoding="utf-8") for path in written}, tmp_path)
    running, memory = law.running(), np.array(list(law.memory.values()))
    for t, x in ((0.0, 0.2), (0.1, 0.05), (0.15, 0.04)):
        q, v = np.array([x, 0.1]), np.array([-0.27, 0.2])
        p = np.array(list(law.parameters.values()))
        found = library("control", p, [np.array([t]), q, v, memory], (3,))
        memory = found[1:]
        assert_close(found[:1], running(t, q, v))
