"""PTX text for processors of NVIDIA: one thread for each row of a batch."""

from __future__ import annotations

from typing import Any

from torseur.machine.llvm import jit
from torseur.model.description import Mechanism
from torseur.tools.objects.functions import OPTIONS, Functions, functions_of, hide_all
from torseur.tools.target import Exported, Target
from torseur.words.sentence import say, worded

_TRIPLE, _PROCESSOR = "nvptx64-nvidia-cuda", "sm_70"
_THREAD = """  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %before = mul i32 %b, %n
  %thread = add i32 %before, %x
  %row = zext i32 %thread to i64
  %inside = icmp slt i64 %row, %rows
  br i1 %inside, label %work, label %done
"""
_KERNELS = ("rows", "constants")
_DECLARED = "\n".join(
    f"declare i32 @llvm.nvvm.read.ptx.sreg.{x}.x()" for x in ("tid", "ntid", "ctaid")
)


def _exported(mechanism: Mechanism, **options: Any) -> Exported:
    """NAME.ptx."""
    functions = functions_of(mechanism, "ptx", **options)
    module = functions.module()
    rows = [_rows(functions, name) for name in functions.kernels]
    rows += [_constants(functions, name) for name in functions.kernels]
    declared = [
        f"declare void @{x}(i64)" for name in functions.kernels
        for x in (functions.symbol(name), functions.maker(name))
    ]  # fmt: skip
    module.link_in(jit.parsed("\n".join([_DECLARED, *declared, *rows])))
    kernels = {_name(functions, name, what) for name in functions.kernels for what in _KERNELS}
    hide_all(module, kernels)
    text = jit.assembly_elsewhere(module, _TRIPLE, _PROCESSOR, "static")
    notice = say("{name}.ptx is for {processor}: not run by our tests.", functions.prefix,
                 "NVIDIA sm_70")  # fmt: skip
    usage = (
        notice,
        worded("FUNCTION_rows(rows, c, q, ..., result): one thread for each row; arrays of rows"),
        worded("stand row after row, c is that of all rows. FUNCTION_constants(p, c): one thread."),
    )
    whole = "\n".join([*functions.comment(usage), text])
    return Exported({f"{functions.prefix}.ptx": whole.encode()}, (notice,))


def _rows(functions: Functions, name: str) -> str:
    """The kernel of a function for many rows."""
    sizes = functions.sizes(name)
    listed = ", ".join(f"i64 %{x}" for x in sizes)
    head = _name(functions, name, "rows")
    lines = [f"define ptx_kernel void @{head}(i64 %rows, {listed}) {{"]
    lines += ["entry:", f"  %table = alloca [{len(sizes)} x i64]", _THREAD + "work:"]
    for k, (array, size) in enumerate(sizes.items()):
        step = 0 if array == "c" else 8 * size
        lines.append(f"  %step{k} = mul i64 %row, {step}")
        lines.append(f"  %at{k} = add i64 %{array}, %step{k}")
        lines.append(f"  %place{k} = getelementptr i64, ptr %table, i64 {k}")
        lines.append(f"  store i64 %at{k}, ptr %place{k}")
    lines += _called(functions.symbol(name))
    return "\n".join([*lines, "  br label %done", "done:", "  ret void", "}"])


def _constants(functions: Functions, name: str) -> str:
    """The kernel that makes the constants of a function."""
    head = _name(functions, name, "constants")
    lines = [f"define ptx_kernel void @{head}(i64 %p, i64 %c) {{", "entry:"]
    lines += ["  %table = alloca [2 x i64]", "  store i64 %p, ptr %table"]
    lines += ["  %place = getelementptr i64, ptr %table, i64 1", "  store i64 %c, ptr %place"]
    return "\n".join([*lines, *_called(functions.maker(name)), "  ret void", "}"])


def _name(functions: Functions, name: str, what: str) -> str:
    """The name of a kernel."""
    return f"{functions.prefix}_{name}_{what}"


def _called(symbol: str) -> list[str]:
    return ["  %t = ptrtoint ptr %table to i64", f"  call void @{symbol}(i64 %t)"]


PTX: Target = Target("ptx", _exported, OPTIONS)
