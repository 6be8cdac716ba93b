"""The state derivative of a mechanism as one MATLAB function, in the shape solvers ask for."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from torseur.algebra.core.expr import TIME, expression
from torseur.algebra.core.graph import flat, free_symbols
from torseur.algebra.forms.program import unsigned
from torseur.algebra.printing.tree import Tree
from torseur.equations.constraints.rows import coordinate_rates
from torseur.equations.functions.catalogue import FUNCTIONS, generalised_forces
from torseur.equations.functions.kernel import kernel
from torseur.equations.symbols.system import System
from torseur.export.header import Element, header
from torseur.export.matlab_text import NOTATION, tables
from torseur.export.model import Model
from torseur.export.notation import INDENT
from torseur.export.routine import Routine
from torseur.words.sentence import say, worded

Array = np.ndarray
_BORDERED = (
    "The chain is closed: A a + C + Q = F + J' lambda with J a + gamma = 0, and lambda is given",
    "too. Start closed: nothing here brings positions back to their constraints.",
)


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
