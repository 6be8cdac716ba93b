"""MATLAB and Octave: one function file per function, and the state derivative for a solver."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from torseur.algebra.core.expr import TIME, expression
from torseur.algebra.core.graph import flat, free_symbols
from torseur.algebra.core.tabulated import Table
from torseur.algebra.forms.program import unsigned
from torseur.algebra.printing.tree import Tree
from torseur.equations.constraints.constraint_rows import coordinate_rates
from torseur.equations.functions.catalogue import FUNCTIONS, generalised_forces
from torseur.equations.functions.kernel import kernel
from torseur.equations.symbols.system import System
from torseur.export.exported_model import Model
from torseur.export.header import Element, header
from torseur.export.names import Language, table_function, words
from torseur.export.notation import INDENT, Notation, arrays, described, lookup
from torseur.export.routine import Routine, called
from torseur.words.sentence import say, worded

RESERVED = words(
    "break case catch classdef continue else elseif end endfunction endif endfor endwhile enum "
    "events for function global if methods otherwise parfor persistent properties return spmd "
    "switch try unwind_protect until do while zeros choose x dx dq A C F J gamma border solved "
    "lambda pinv"
)
NOTATION = Notation(
    power="^",
    going_on=" ...",
    end=";",
    choice="choose({c}, {a}, {b})",
    element="{array}({index})",
    first=1,
    comment="%",
    find="sum({thresholds} <= {x})",
)
Array = np.ndarray
_BORDERED = (
    "The chain is closed: A a + C + Q = F + J' lambda with J a + gamma = 0, and lambda is given",
    "too. Start closed: nothing here brings positions back to their constraints.",
)


def tables(routine: Routine, calls: set[str]) -> list[str]:
    """The local functions that a file calls, to stand at its end: tables, the choice of a value.

    The arrays of a table are made at its first call.
    """
    lines: list[str] = [*_CHOOSE] if "if" in calls else []
    for function in sorted(routine.tables, key=lambda function: function.name):
        if function.name in calls:
            lines += _table(function.table, function.order)
    return lines


_CHOOSE = (
    "",
    "function y = choose(c, a, b)",
    f"{INDENT}if c > 0",
    f"{INDENT * 2}y = a;",
    f"{INDENT}else",
    f"{INDENT * 2}y = b;",
    f"{INDENT}end",
    "end",
)


def _table(table: Table, order: int) -> list[str]:
    needed = arrays(table, [order], NOTATION)
    lines = ["", *NOTATION.commented([say("The {what}.", described(table, order))])]
    lines.append(f"function y = {table_function(table.name, order)}(x)")
    lines += [f"{INDENT}persistent {' '.join(needed)}", f"{INDENT}if isempty({next(iter(needed))})"]
    for name, entries in needed.items():
        lines += NOTATION.listed(f"{name} = [", entries, "];", INDENT * 2)
    lines.append(f"{INDENT}end")
    steps = lookup(table, order, NOTATION)
    return [*lines, *(f"{INDENT}{left} = {formula};" for left, formula in steps), "end"]


def files(model: Model) -> dict[str, str]:
    """NAME_FUNCTION_constants.m and NAME_FUNCTION.m for each function.

    With forward_dynamics also NAME_fcn.m, the state derivative for a solver; with values for every
    parameter also NAME_parameters.m.
    """
    texts = {}
    for routine in model.routines:
        name = f"{model.prefix}_{routine.name}"
        usage = (
            say("c = {name}_constants(p) once per parameter set, then", name),
            say("result = {call} for every state.", _call(name, routine)),
        )
        top = header(model, [routine], NOTATION, usage)
        once = tables(routine, called(step.value for step in routine.once))
        texts[f"{name}_constants.m"] = _text(top, _constants(name, routine), once)
        run = tables(routine, called([*(step.value for step in routine.steps), *routine.results]))
        texts[f"{name}.m"] = _text(top, _run(name, routine), run)
        if routine.name == "forward_dynamics":
            texts[f"{model.prefix}_fcn.m"] = state_derivative(model)
    if model.values:
        texts[f"{model.prefix}_parameters.m"] = _values(model)
    return texts


def _text(top: list[str], body: Iterable[str], after: Iterable[str] = ()) -> str:
    return "\n".join([*top, "", *body, "end", *after, ""])


def _call(name: str, routine: Routine) -> str:
    return f"{name}({', '.join(routine.arrays)})"


def _constants(name: str, routine: Routine) -> list[str]:
    lines = [f"function c = {name}_constants(p)", *NOTATION.once(routine)]
    return [*lines, f"{INDENT}c = zeros({len(routine.constants)}, 1);", *NOTATION.filled(routine)]


def _run(name: str, routine: Routine) -> list[str]:
    lines = [f"function result = {_call(name, routine)}", *NOTATION.run(routine)]
    size = (*routine.shape, 1, 1)[: max(len(routine.shape), 2)]
    lines.append(f"{INDENT}result = zeros({', '.join(str(n) for n in size)});")
    return [*lines, *NOTATION.results(routine, routine.shape or (1,))]


def _values(model: Model) -> str:
    """The values of the parameters as a column."""
    name = f"{model.prefix}_parameters"
    lines = [f"function p = {name}()"]
    for k, parameter in enumerate(model.parameters):
        lines.append(f"{INDENT}p({k + 1}, 1) = {parameter.value!r}; % {parameter.identifier}")
    return _text(header(model, (), NOTATION, ["p holds the parameters."]), lines)


MATLAB: Language = Language("matlab", RESERVED, files)


def state_derivative(model: Model) -> str:
    """NAME_fcn.m: dx/dt for x = [q; v], from A a + C + Q = F, or with J' lambda for closed chains.

    The linear system is solved with a backslash; the listing this follows inverts a column
    (erratum E3-2). A closed chain has the bordered system of listing B.2, solved by the
    pseudo-inverse, since rows of J may repeat others; lambda is a second result.
    """
    system, name = model.system, f"{model.prefix}_fcn"
    nq, n = len(system.q), len(system.v)
    parts = _parts(system)
    routine = _routine(model, parts)
    call = f"{name}(x, p, F, t)" if "t" in routine.arrays else f"{name}(x, p, F)"
    closed = system.constrained
    result = "[dx, lambda]" if closed else "dx"
    usage = (
        say("dx = {call} is the derivative of the state x = [q; v] under the generalised", call),
        "forces F, by A a + C + Q = F: A the mass matrix, C the velocity terms, Q the gravity",
        "terms. Motors, friction and loads of the model are added to F.",
        *(_BORDERED if closed else ()),
        "For instance:",
        f"[t, x] = ode45(@(t, x) {call}, [0 10], x0);",
    )
    written = replace(NOTATION, arrays={"Q": "F"})
    lines = [*header(model, [routine], written, usage, _element(nq)), ""]
    lines += [f"function {result} = {call}", f"{INDENT}q = x(1:{nq});"]
    lines += [f"{INDENT}v = x({nq + 1}:{nq + n});"]
    lines += [*written.loads((*routine.parameters, *routine.inputs))]
    lines += [*written.assignments(routine.once), *written.stages(routine)]
    lines += ["", *_system(routine, parts)]
    return "\n".join([*lines, "end", *tables(routine, routine.calls), ""])


def _element(nq: int) -> Element:
    """q and v are the two parts of x; Q is called F."""
    names = {"Q": ("F", 0), "q": ("x", 0), "v": ("x", nq)}

    def place(array: str, k: int) -> str:
        letter, shift = names.get(array, (array, 0))
        return NOTATION.place(letter, k + shift)

    return place


def _routine(model: Model, parts: dict[str, Array]) -> Routine:
    """A, C, Q, F and q̇ as one list of outputs, their entries named."""
    system = model.system
    hints: dict[int, str] = {}
    for letter, array in parts.items():
        for index in np.ndindex(array.shape):
            x = expression(array[index])
            name = "_".join([letter, *(str(k + 1) for k in index)])
            computed = unsigned(x)
            hints.setdefault(computed.key, name if computed is x else f"minus_{name}")
    outputs = [x for array in parts.values() for x in flat(array)]
    inputs: list[tuple[str, Sequence[str]]] = [
        ("q", system.coordinates),
        ("v", system.speeds),
        ("Q", [x.name for x in generalised_forces(system)]),
    ]
    if TIME in free_symbols(outputs):
        inputs.append(("t", (TIME.name,)))
    whole = kernel("fcn", inputs, outputs)
    return model.routine(whole, worded("state derivative"), hints)


def _parts(system: System) -> dict[str, Array]:
    """Arrays A, C, Q and F of the appendix, and the rates of the coordinates."""
    rows = {} if not system.constrained else {
        "J": FUNCTIONS["constraint_jacobian"].build(system),
        "gamma": FUNCTIONS["constraint_bias"].build(system),
    }  # fmt: skip
    return {
        "A": FUNCTIONS["mass_matrix"].build(system),
        "C": FUNCTIONS["bias"].build(system),
        "Q": FUNCTIONS["gravity"].build(system),
        "F": generalised_forces(system) + FUNCTIONS["applied"].build(system),
        "dq": coordinate_rates(system),
        **rows,
    }


def _system(routine: Routine, parts: dict[str, Array]) -> list[str]:
    """The matrices from their named entries, then dx."""
    entries, lines = iter(routine.results), list[str]()
    for letter, array in parts.items():
        rows = array if array.ndim == 2 else array[:, np.newaxis]
        lines += _matrix(letter, [[next(entries) for _ in row] for row in rows])
    if "J" not in parts:
        return [*lines, f"{INDENT}dx = [dq; A \\ (F - C - Q)];"]
    row_count, n = parts["J"].shape
    return [
        *lines,
        f"{INDENT}border = [A, -J'; J, zeros({row_count})];",
        f"{INDENT}solved = pinv(border) * [F - C - Q; -gamma];",
        f"{INDENT}lambda = solved({n + 1}:end);",
        f"{INDENT}dx = [dq; solved(1:{n})];",
    ]


def _matrix(name: str, rows: list[list[Tree]]) -> list[str]:
    """name = [entry, …; …], a row a line unless it is long."""
    lines = []
    for k, row in enumerate(rows):
        start = f"{name} = [" if k == 0 else " " * (len(name) + 4)
        stop = "];" if k == len(rows) - 1 else ";"
        lines += NOTATION.listed(start, [NOTATION.text(tree) for tree in row], stop, INDENT)
    return lines
