"""The elementary functions by name, each as IR of one function of doubles or of vectors of them."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from torseur.machine.llvm.elementary.arcs import acos, asin, atan, atan2
from torseur.machine.llvm.elementary.circular import sincos, tan
from torseur.machine.llvm.elementary.exponentials import cosh, exp, log, sinh, tanh
from torseur.machine.llvm.elementary.powers import power
from torseur.machine.llvm.elementary.values import Real
from torseur.machine.llvm.emit import Instructions
from torseur.machine.llvm.library import ARGUMENTS, head
from torseur.machine.llvm.module import assembled

FUNCTIONS: Mapping[str, Callable[..., Real | tuple[Real, Real]]] = MappingProxyType(
    {
        "sincos": sincos,
        "tan": tan,
        "asin": asin,
        "acos": acos,
        "atan": atan,
        "atan2": atan2,
        "exp": exp,
        "log": log,
        "sinh": sinh,
        "cosh": cosh,
        "tanh": tanh,
        "pow": power,
    }
)


def function_text(name: str, width: int) -> str:
    """The IR of a function on vectors of so many doubles."""
    body = Instructions(width)
    result = FUNCTIONS[name](*(Real(body, f"%x{k}") for k in range(ARGUMENTS[name])))
    if isinstance(result, Real):
        body.lines.append(f"  ret {body.type} {result.register}")
    else:
        _return_both(body, *result)
    return assembled([(f"define {head(name, width)}", body)])


def _return_both(body: Instructions, first: Real, second: Real) -> None:
    pair = f"{{{body.type}, {body.type}}}"
    one = body.do(f"insertvalue {pair} undef, {body.type} {first.register}, 0")
    both = body.do(f"insertvalue {pair} {one}, {body.type} {second.register}, 1")
    body.lines.append(f"  ret {pair} {both}")
