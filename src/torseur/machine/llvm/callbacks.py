"""LLVM IR of functions in Python: their arguments as an array on the stack, then the call back."""

from collections.abc import Mapping

from torseur.algebra.core.called import SYMBOL, PythonCall
from torseur.machine.llvm.emit import Instructions


def callbacks(functions: Mapping[str, tuple[PythonCall, int]]) -> list[tuple[str, Instructions]]:
    """A function of doubles for each number of a function in Python, with its arguments."""
    bodies = []
    for name, (called, count) in sorted(functions.items()):
        body = Instructions(1)
        place = body.do(f"alloca double, i64 {count}")
        for k in range(count):
            at = body.do(f"getelementptr double, ptr {place}, i64 {k}")
            body.lines.append(f"  store double %x{k}, ptr {at}")
        numbers = called.of.serial, called.component, called.by, count
        listed = ", ".join(f"i64 {x}" for x in numbers)
        value = body.do(f"call double @{SYMBOL}({listed}, ptr {place})")
        body.lines.append(f"  ret double {value}")
        body.used.add(f"declare double @{SYMBOL}(i64, i64, i64, i64, ptr)")
        given = ", ".join(f"double %x{k}" for k in range(count))
        bodies.append((f"define internal double @{name}({given})", body))
    return bodies
