"""Objects for processors without a system: ARM Cortex-M and RISC-V, each with a header of C."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, final

from torseur.export.c import notation_of
from torseur.machine.llvm import jit
from torseur.model.description import Mechanism
from torseur.tools.objects.functions import OPTIONS, Functions, functions_of, hide_all
from torseur.tools.target import Exported, Target
from torseur.words.sentence import say, worded


@final
@dataclass(frozen=True)
class Processor:
    """A processor by the name of `--to`."""

    name: str
    triple: str
    cpu: str
    features: str
    abi: str
    words: str


_PROCESSORS = (
    Processor("cortex-m", "thumbv7em-none-eabi", "cortex-m4", "", "", "ARM Cortex-M4 and larger"),
    Processor("risc-v", "riscv64-unknown-elf", "generic-rv64", "+m,+a,+f,+d,+c", "lp64d",
              "RISC-V RV64GC"),
)  # fmt: skip


def _exported(processor: Processor, mechanism: Mechanism, **options: Any) -> Exported:
    """NAME.o and NAME.h."""
    functions = functions_of(mechanism, processor.name, **options)
    module = functions.module()
    hide_all(module, functions.symbols)
    code = jit.object_elsewhere(
        module, processor.triple, processor.cpu, processor.features, processor.abi
    )
    name = functions.prefix
    notice = say("{name}.o is for {processor}: not run by our tests.", name, processor.words)
    files: Mapping[str, bytes] = {f"{name}.o": code, f"{name}.h": _header(functions, notice)}
    return Exported(files, (notice,))


def _header(functions: Functions, notice: str) -> bytes:
    """The functions with arrays as arguments."""
    name = functions.prefix
    usage = (
        notice,
        worded("Numbers are doubles; code without such arithmetic needs libgcc or compiler-rt."),
        say("Call {name}_FUNCTION_constants(p, c) once per parameter set, then", name),
        say("{name}_FUNCTION(c, q, ..., result) for every state.", name),
    )
    guard = f"{name.upper()}_H"
    lines = [*functions.comment(usage), "", f"#ifndef {guard}", f"#define {guard}", ""]
    lines += ["#include <stdint.h>", ""]
    for function in functions.kernels:
        sizes = functions.sizes(function)
        macro = f"{name}_{function}_CONSTANTS".upper()
        lines.append(f"#define {macro} {sizes['c']}")
        symbols = functions.maker(function), functions.symbol(function)
        lines += [f"extern void {symbol}(int64_t table);" for symbol in symbols]
        lines += _wrapped(f"{name}_{function}_constants", symbols[0], ["p", "c"])
        lines += [*_wrapped(f"{name}_{function}", symbols[1], list(sizes)), ""]
    return "\n".join([*lines, f"#endif // {guard}", ""]).encode()


def _wrapped(name: str, symbol: str, arrays: list[str]) -> list[str]:
    """A function of arrays, the last of which it writes."""
    arguments = [f"const double *{x}" for x in arrays[:-1]] + [f"double *{arrays[-1]}"]
    table = [f"(int64_t)(intptr_t){x}" for x in arrays]
    listed = notation_of("double").listed
    return [
        *listed(f"static inline void {name}(", arguments, ")", ""),
        "{",
        *listed("    const int64_t table[] = {", table, "};", ""),
        f"    {symbol}((int64_t)(intptr_t)table);",
        "}",
    ]


EMBEDDED: tuple[Target, ...] = tuple(
    Target(x.name, partial(_exported, x), OPTIONS) for x in _PROCESSORS
)
