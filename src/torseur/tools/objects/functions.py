"""Functions to export as one LLVM module, with the description of their arguments."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from torseur.equations.functions.kernel import Kernel, kernel_of
from torseur.equations.functions.placed import named_function
from torseur.equations.symbols.system import system
from torseur.errors import ModelError
from torseur.export.c import C, notation_of
from torseur.export.export import closed_kernels, usual
from torseur.export.exported_model import Model, model
from torseur.export.header import header
from torseur.language.text.given import given_parameters
from torseur.machine.llvm import jit
from torseur.machine.llvm.module import module_text, tables_of
from torseur.model.checks.given_values import valued
from torseur.model.description import Mechanism
from torseur.words.sentence import say

Array = np.ndarray
OPTIONS = ("functions", "name", "parameters", "at", "actuators")  # of all processors


@final
@dataclass(frozen=True)
class Functions:
    """Functions of a mechanism about to be compiled."""

    model: Model
    kernels: Mapping[str, Kernel]  # by the names of their routines

    @property
    def prefix(self) -> str:
        """Prefix of the names of functions and files."""
        return self.model.prefix

    @property
    def symbols(self) -> list[str]:
        """Names of the entries."""
        return [x for name in self.kernels for x in (self.symbol(name), self.maker(name))]

    def symbol(self, name: str) -> str:
        """The entry of a function, of one address."""
        return f"{self.prefix}_{name}_entry"

    def maker(self, name: str) -> str:
        """The entry that makes its constants."""
        return f"{self.prefix}_{name}_constants_entry"

    def sizes(self, name: str) -> dict[str, int]:
        """Lengths of the arrays of a function, in the order of its table."""
        kernel = self.kernels[name]
        inputs = {letter: len(names) for letter, names in kernel.inputs}
        return {"c": max(len(kernel.constants), 1), **inputs, "result": kernel.size}

    def module(self) -> Any:
        """The LLVM module of all functions, with the elementary ones that they call."""
        whole, parameters = jit.parsed(""), tuple(p.name for p in self.model.parameters)
        for name, kernel in self.kernels.items():
            one = jit.parsed(module_text(kernel, parameters))
            one.get_function("single").name = self.symbol(name)
            one.get_function("constants").name = self.maker(name)
            whole.link_in(one)
        return jit.with_elementary(whole)

    def comment(self, usage: Sequence[str]) -> list[str]:
        """The comment at the top of a file."""
        return header(self.model, self.model.routines, notation_of("double"), usage)


def functions_of(
    mechanism: Mechanism,
    to: str,
    functions: Sequence[str] | None = None,
    name: str = "",
    parameters: Mapping[str, float] | None = None,
    at: Sequence[float] | Array | None = None,
    actuators: Sequence[str] | None = None,
) -> Functions:
    """The functions of a mechanism; those of a tree, or parts of M a = … where loops close."""
    if parameters:
        mechanism = valued(mechanism, given_parameters(mechanism, parameters))
    names = usual(mechanism) if functions is None else functions
    chosen = [names] if isinstance(names, str) else list(dict.fromkeys(names))
    for one in chosen:
        named_function(one, mechanism)
    closed = closed_kernels(mechanism, chosen, at, actuators)
    described = model(system(mechanism), chosen, C, name=name, closed=closed)
    kernels = {}
    for one, routine in zip(chosen, described.routines, strict=True):
        built = closed.get(one) or kernel_of(named_function(one, mechanism), described.system)
        if tables_of(built):
            problem = say("it looks up tables, whose numbers are not part of an object.")
            advice = say("Export it to c, or give the tables as formulas.")
            raise ModelError(f'function "{one}"', problem, advice)
        kernels[routine.name] = replace(built, name=routine.name)
    return Functions(described, kernels)


def hide_all(module: Any, but: Collection[str]) -> None:
    """Functions of a module are not seen from outside, but for some."""
    for function in module.functions:
        if not function.is_declaration and function.name not in but:
            function.linkage = "internal"
