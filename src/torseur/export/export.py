"""Functions written as source files of another language: those of a mechanism, or one by itself.

One by itself is given by its expressions. It may be a law of control: a function of t, q, v and
what it remembers, with parameters of its own.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, final

import numpy as np

from torseur.algebra.core.expr import expression
from torseur.algebra.core.graph import evaluate, free_symbols, substitute
from torseur.equations.functions.catalogue import FUNCTIONS
from torseur.equations.functions.closed_system import BUILDS, ClosedSystem, closed_kernel
from torseur.equations.functions.held_rows import Rows
from torseur.equations.functions.kernel import Kernel
from torseur.equations.functions.placed import PLACED, named_function
from torseur.equations.symbols.system import System, system
from torseur.errors import ModelError, unknown
from torseur.export.c import C
from torseur.export.casadi_code import CASADI
from torseur.export.exported_model import MEMORY, Model, model
from torseur.export.fortran import FORTRAN
from torseur.export.jax_code import JAX
from torseur.export.julia import JULIA
from torseur.export.mathematica import MATHEMATICA
from torseur.export.matlab import MATLAB
from torseur.export.microcontroller import MICROCONTROLLER
from torseur.export.names import Language
from torseur.export.numpy_code import NUMPY
from torseur.export.routine import ArgumentEntry
from torseur.language.text.given import given_parameters
from torseur.machine.closed_functions import (
    chosen_actuators,
    independent_rows,
    require_actuated,
    require_closed,
)
from torseur.machine.compiled import CompiledModel
from torseur.model.checks.given_values import valued
from torseur.model.description import Mechanism
from torseur.model.values.numeric import with_numbers
from torseur.output import write_texts
from torseur.words.sentence import say

USUAL = ("inverse_dynamics", "mass_matrix", "bias", "gravity")
RESTRAINED = ("mass_matrix", "bias", "gravity", "applied", "constraint_jacobian", "constraint_bias")
LANGUAGES: Mapping[str, Language] = {
    language.name: language
    for language in (C, MICROCONTROLLER, FORTRAN, MATLAB, JULIA, NUMPY, JAX, CASADI, MATHEMATICA)
}
Array = np.ndarray


def language_named(name: str) -> Language:
    """The language of a name; one that does not exist is reported."""
    if name not in LANGUAGES:
        raise unknown("export", "programming language", name, LANGUAGES)
    return LANGUAGES[name]


def sources(
    mechanism: Mechanism,
    to: str,
    functions: Sequence[str] | None = None,
    *,
    parameters: Mapping[str, float] | None = None,
    fixed: bool = False,
    at: Sequence[float] | np.ndarray | None = None,
    actuators: Sequence[str] | None = None,
    **options: Any,
) -> dict[str, str]:
    """Texts of the exported files, by file name."""
    language = language_named(to)
    if functions is None:
        functions = usual(mechanism)
    chosen = [functions] if isinstance(functions, str) else list(dict.fromkeys(functions))
    for function in chosen:
        named_function(function, mechanism)
    if not chosen:
        possible = (*FUNCTIONS, *(f"{function}:PLACE" for function in PLACED))
        advice = say("Possible: {choices}.", ", ".join(possible))
        raise ModelError(
            "export", say("no function is requested (got {functions}).", repr(functions)), advice
        )
    name = str(options.pop("name", ""))
    _check(language, options)
    if parameters:
        mechanism = valued(mechanism, given_parameters(mechanism, parameters))
    if fixed:
        mechanism = with_numbers(mechanism)
    closed = closed_kernels(mechanism, chosen, at, actuators)
    written = model(system(mechanism), chosen, language, name=name, closed=closed)
    return dict(language.files(written, **options))


def usual(mechanism: Mechanism) -> tuple[str, ...]:
    """The functions that are written when none is named."""
    return RESTRAINED if system(mechanism).constrained else USUAL


def _check(language: Language, options: Mapping[str, Any]) -> None:
    """Options a language has, with values it knows."""
    for option, value in options.items():
        if option not in language.options:
            raise unknown(f"export to {language.name}", "option", option, language.options)
        if value not in language.options[option]:
            choices = ", ".join(language.options[option])
            problem = say('option {option} cannot be "{value}".', option, value)
            advice = say("Possible: {choices}.", choices)
            raise ModelError(f"export to {language.name}", problem, advice)


@final
@dataclass(frozen=True)
class LawEntries:
    """Entries of a control law beside its mechanism's: parameters and initial memory."""

    parameters: Mapping[str, float]
    memory: Mapping[str, float]

    def entries(self, described: Model) -> dict[str, tuple[ArgumentEntry, ...]]:
        """The arrays of both, in the code of a model."""
        take, values = described.identifiers.take, self.parameters.items()
        return {
            "p": tuple(ArgumentEntry(x, take(x), "", value) for x, value in values),
            MEMORY: tuple(ArgumentEntry(x, take(x), "") for x in self.memory),
        }


def export_kernel(
    system: System,
    kernel: Kernel,
    result: str,
    to: str,
    directory: str | os.PathLike[str],
    *,
    name: str,
    extras: LawEntries | None = None,
    **options: Any,
) -> list[Path]:
    """The files written in `directory`; `result` says in words what comes out."""
    language = language_named(to)
    described = model(system, (), language, name=name)
    if extras is not None:
        described = replace(described, arrays={**described.arrays, **extras.entries(described)})
    if extras is not None and extras.memory:
        first = ", ".join(f"{value!r}" for value in extras.memory.values())
        result = say("{result}, then {memory}, which starts at ({first})", result, MEMORY, first)
    routine = described.routine(kernel, result, {})
    return write_texts(
        directory, language.files(replace(described, routines=(routine,)), **options)
    )


def closed_kernels(
    mechanism: Mechanism,
    functions: Sequence[str],
    at: Sequence[float] | Array | None,
    actuators: Sequence[str] | None,
) -> dict[str, Kernel]:
    """The kernels of those functions that loops make others of; none for a tree."""
    model = CompiledModel(mechanism)
    names = [name for name in functions if name in BUILDS]
    if not names or not model.system.constrained:
        return {}
    q = _closed_coordinates(model, at)
    rows = independent_rows(model, q, 0.0)
    kernels = {}
    for name in names:
        driving: tuple[str, ...] = ()
        if name == "inverse_dynamics":
            driving = chosen_actuators(mechanism, actuators)
            require_actuated(model, driving, q, 0.0)
        kernels[name] = _kernel(model, name, rows, driving)
    return kernels


def _kernel(model: CompiledModel, name: str, rows: Rows, actuators: tuple[str, ...]) -> Kernel:
    """With numbers for the sizes of rows, which weigh what has no inertia of its own."""
    kernel = closed_kernel(name, ClosedSystem(model.system, rows, actuators), judged=False)
    outputs = list(kernel.outputs)
    sizes = {x: model.sizes.number(x.name) for x in free_symbols(outputs)}
    known = {x: expression(size) for x, size in sizes.items() if size is not None}
    return replace(kernel, outputs=tuple(substitute(outputs, known))) if known else kernel


def _closed_coordinates(model: CompiledModel, at: Sequence[float] | Array | None) -> Array:
    """The closed coordinates at which rows are chosen."""
    names = model.coordinates
    if at is None:
        given = model.mechanism.initial
        listed = [evaluate(given[name], model.parameters) if name in given else 0 for name in names]
        q = np.array([float(x) for x in listed])
    else:
        q = np.asarray(at, dtype=float)
    if q.shape != (len(names),):
        problem = say("at has shape {shape}, expected ({number},).", q.shape, len(names))
        raise ModelError("export", problem, say("In this order: {names}.", ", ".join(names)))
    require_closed(model, "export", q, 0.0)
    return q
