"""C code written by CasADi, compiled by gcc -O3 and called in a loop written in C."""

from __future__ import annotations

import atexit
import ctypes
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

import casadi as ca
import numpy as np

from benchmarks.engines import Rows

Array = np.ndarray
FLAGS = ("-O3", "-march=native", "-fPIC", "-shared")
_LOOP = """
void rows(long count, const double *q, const double *v, const double *x, double *y,
          long n, long size, casadi_int *iw, double *w) {{
  for (long i = 0; i < count; ++i) {{
    const double *arg[{arguments}] = {{q + i * n, v + i * n, x + i * n}};
    double *res[{results}] = {{y + i * size}};
    {name}(arg, res, iw, w, 0);
  }}
}}
"""


@cache
def _folder() -> Path:
    made = tempfile.mkdtemp(prefix="torseur-bench-")
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return Path(made)


def compiled(function: ca.Function) -> Rows | None:
    """The function of every row of three arrays; None where there is no gcc."""
    if shutil.which("gcc") is None:
        return None
    folder = Path(tempfile.mkdtemp(dir=_folder()))
    source, library = folder / "code.c", folder / "code.so"
    arguments, results, integers, reals = (
        function.sz_arg(),
        function.sz_res(),
        function.sz_iw(),
        function.sz_w(),
    )
    generator = ca.CodeGenerator(source.name)
    generator.add(function)
    loop = _LOOP.format(name=function.name(), arguments=arguments, results=results)
    source.write_text(generator.dump() + loop, encoding="utf-8")
    subprocess.run(["gcc", *FLAGS, "-o", str(library), str(source), "-lm"], check=True)
    rows = ctypes.CDLL(str(library)).rows
    kinds = [ctypes.c_long, *[ctypes.c_void_p] * 4, *[ctypes.c_long] * 2, *[ctypes.c_void_p] * 2]
    rows.argtypes, rows.restype = kinds, None
    n, shape = function.size1_in(0), function.size_out(0)
    work, whole = np.zeros(max(reals, 1)), np.zeros(max(integers, 1), dtype=np.int64)

    def run(Q: Array, V: Array, X: Array) -> Array:
        out = np.empty((len(Q), shape[1], shape[0]))  # column-major in CasADi
        places = [array.ctypes.data for array in (Q, V, X, out)]
        rows(len(Q), *places, n, shape[0] * shape[1], whole.ctypes.data, work.ctypes.data)
        return out.transpose(0, 2, 1).squeeze() if shape[1] > 1 else out[:, 0]

    return run
