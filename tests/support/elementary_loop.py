"""A loop over numbers by the machine code of an elementary function, in blocks of a width."""

import ctypes

import numpy as np

from torseur.machine.llvm import jit
from torseur.machine.llvm.library import ARGUMENTS, WIDTHS, head, symbol


def function(name, width):
    """A function of arrays: every block of numbers goes through the code for one width."""
    given = "sincos" if name in ("sin", "cos") else name
    T = "double" if width == 1 else f"<{width} x double>"
    result = f"{{{T}, {T}}}" if given == "sincos" else T
    lines, listed = [], ", ".join(f"{T} %x{k}" for k in range(ARGUMENTS[given]))
    for k in range(ARGUMENTS[given]):
        lines += [
            f"%s{k} = getelementptr ptr, ptr %t, i64 {k + 1}",
            f"%a{k} = load ptr, ptr %s{k}",
            f"%p{k} = getelementptr double, ptr %a{k}, i64 %i",
            f"%x{k} = load {T}, ptr %p{k}, align 8",
        ]
    lines.append(f"%value = call {result} @{symbol(given, width)}({listed})")
    if given == "sincos":
        lines.append(f"%one = extractvalue {result} %value, {int(name == 'cos')}")
    result_register = "%one" if given == "sincos" else "%value"
    block = "\n".join(f"  {line}" for line in lines)
    text = f"""declare {head(given, width)}
define void @loop(ptr %t) {{
entry:
  %c = load ptr, ptr %t
  %n = load i64, ptr %c
  %so = getelementptr ptr, ptr %t, i64 {ARGUMENTS[given] + 1}
  %o = load ptr, ptr %so
  br label %block
block:
  %i = phi i64 [0, %entry], [%next, %block]
{block}
  %place = getelementptr double, ptr %o, i64 %i
  store {T} {result_register}, ptr %place, align 8
  %next = add i64 %i, {width}
  %more = icmp slt i64 %next, %n
  br i1 %more, label %block, label %end
end:
  ret void
}}
"""
    engine = jit.engine(jit.object_code(text))
    entry = jit.entry(engine, "loop")

    def call(*arguments):
        count = len(arguments[0])
        filled = -(-count // WIDTHS[-1]) * WIDTHS[-1]
        columns = [np.resize(np.asarray(x, dtype=float), filled) for x in arguments]
        arrays = [np.array([filled]), *columns, output := np.empty(filled)]
        table = (ctypes.c_void_p * len(arrays))(*(x.ctypes.data for x in arrays))
        entry(ctypes.addressof(table))
        assert engine is not None  # as long as its code runs
        return output[:count]

    return call
