"""Entry points of the machine code of one function."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, final

from torseur.machine.llvm import jit, levels

Wide = Callable[[str, int], tuple[bytes, levels.Keep | None]]  # of an entry and its width


@final
@dataclass(frozen=True)
class Loaded:
    """Entry points, as ctypes functions of one address."""

    engine: Any  # kept alive as long as its code is used
    constants: Any
    single: Any
    addresses: dict[str, int]
    more: Wide | None  # packed code of an entry; None: all is here
    wide: dict[int, tuple[Any, int]] = field(default_factory=dict)  # lanes that were asked for

    @cached_property
    def batch(self) -> Any:
        """Many rows; its code is made when it is first asked for."""
        if self.more is None:
            return jit.entry(self.engine, "batch")
        holder = levels.engine(*self.more("batch", 0), "batch")
        call: Any = jit.entry(holder, "batch")
        call.engine = holder  # kept alive as long as it is called
        return call

    def lanes(self, width: int) -> tuple[Any, int]:
        """States in so many lanes: an engine to be kept alive, and the address there."""
        if width not in self.wide:
            assert self.more is not None, "what runs in a loop has no lanes"
            holder = levels.engine(*self.more("lanes", width), "lanes")
            self.wide[width] = holder, holder.get_function_address("lanes")
        return self.wide[width]


def load(code: bytes, keep: levels.Keep | None = None, more: Wide | None = None) -> Loaded:
    """The entry points of packed code, and of that of batches and lanes."""
    holder = levels.engine(code, keep, "single")
    addresses = {name: holder.get_function_address(name) for name in ("constants", "single")}
    constants, single = (jit.entry(holder, name) for name in ("constants", "single"))
    return Loaded(holder, constants, single, addresses, more)
