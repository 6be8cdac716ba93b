"""Generated Fortran is compiled without a warning and gives Torseur's own numbers."""

import ctypes
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

GFORTRAN = shutil.which("gfortran")
STRICT = ("-std=f2003", "-Wall", "-Wextra", "-Werror", "-pedantic", "-fimplicit-none",
          "-Wno-unused-dummy-argument")  # fmt: skip
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(GFORTRAN is None, reason="gfortran is not on the PATH"),
]


def built(texts, folder):
    """The library of a Fortran file, and the name of its module."""
    [(name, text)] = texts.items()
    (folder / name).write_text(text, encoding="utf-8")
    command = [GFORTRAN, *STRICT, "-O0", "-shared", "-fPIC", "-o", "library.so", name]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
    assert done.returncode == 0, done.stderr
    return ctypes.CDLL(str(folder / "library.so")), name.removesuffix(".f90").lower()


def called(library, function, p, inputs, shape, dtype=np.float64):
    """Explicit-shape arrays are passed by their addresses; a matrix is stored by columns."""
    code, module = library
    c, result = np.full(300, np.nan, dtype), np.full(shape, np.nan, dtype, order="F")

    def call(name, *arrays):
        own = [np.ascontiguousarray(x, dtype) for x in arrays[:-1]]
        pointers = [ctypes.c_void_p(x.ctypes.data) for x in (*own, arrays[-1])]
        getattr(code, f"__{module}_MOD_{name}")(*pointers)

    call(f"{function}_constants", p, c)
    call(function, c, *inputs, result)
    return result


@pytest.mark.parametrize("case", [arm, every_joint, nasty])
def test_every_function_in_fortran_gives_the_same_numbers(case, tmp_path):
    case = case()
    library = built(case.texts("fortran"), tmp_path)
    for name in EVERY:
        expected = case.expected(name)
        assert_close(called(library, name, case.p, case.inputs(name), expected.shape), expected)


def test_every_operation_is_written_in_fortran(tmp_path):
    case, of = arm(), every_operation()
    library = built(texts_of("fortran", of, case), tmp_path)
    found = called(library, of.name, case.p, [case.arrays["q"]], of.shape)
    for one, other in zip(found, value(of, case), strict=True):
        assert_close(one, other, 1e-13)


def test_single_precision_fortran_agrees_to_single_precision(tmp_path):
    case = arm()
    library = built(case.texts("fortran", ["forward_dynamics"], real="float"), tmp_path)
    expected = case.expected("forward_dynamics")
    inputs = case.inputs("forward_dynamics")
    assert_close(
        called(library, "forward_dynamics", case.p, inputs, (3,), np.float32), expected, 1e-3
    )
