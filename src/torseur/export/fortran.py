"""Fortran 2003: a module in free form with pure subroutines."""

from collections.abc import Iterable

from torseur.algebra.printing.tree import Tree
from torseur.export.header import commented, header
from torseur.export.language import Language, words
from torseur.export.model import Model
from torseur.export.names import table_function
from torseur.export.notation import Notation
from torseur.export.routine import Load, Routine
from torseur.export.tables import (
    Lookup,
    array_name,
    arrays,
    described,
    numbers,
    tabulated,
)

# Fortran reserves nothing: these are the words a reader would trip over, and those used here.
_RESERVED = words(
    "allocate associate block call case class common contains continue cycle data dimension do "
    "double else elseif end enddo endif entry exit external for forall format function go goto if "
    "implicit in inout integer intent intrinsic interface kind logical module namelist none only "
    "out parameter pointer print private procedure program public pure read real return save "
    "select stop subroutine target then to type use where while write wp sign_of forces"
)
_WORDS = {"Q": "forces"}  # Q and q are one name
_INDENT = "    "
_MOST = 100  # numbers in one statement


def files(model: Model, *, real: str = "double") -> dict[str, str]:
    """NAME.f90."""
    notation = Notation(
        {"sign": "sign_of"}, suffix="_wp", going_on=" &", choice="merge({a}, {b}, {c} > 0.0_wp)"
    )
    name = model.identifier
    usage = (
        "Call FUNCTION_constants(p, c) once per parameter set, then",
        "FUNCTION(c, q, ..., result) for every state. The generalised forces Q are called forces.",
    )
    lines = [*header(model, model.routines, _element, "!", usage), "", f"module {name}"]
    lines += ["  implicit none", "  private", f"  integer, parameter, public :: wp = {_kind(real)}"]
    if model.values:
        head = f"real(wp), parameter, public :: parameters({len(model.values)}) = ["
        lines += notation.listed(head, [notation.signed(x) for x in model.values], "]", "  ")
    for routine in model.routines:
        lines.append(f"  public :: {routine.name}_constants, {routine.name}")
    lines += [*_table_arrays(model, notation), "", "contains", ""]
    for routine in model.routines:
        lines += [*_constants(model, routine, notation), "", *_run(routine, notation), ""]
    if any("sign" in routine.calls for routine in model.routines):
        lines += [*_SIGN, ""]
    lines += _table_functions(model, notation)
    return {f"{name}.f90": "\n".join([*lines, f"end module {name}", ""])}


_SIGN = (
    "  elemental function sign_of(x) result(direction)",
    "    real(wp), intent(in) :: x",
    "    real(wp) :: direction",
    "    direction = merge(1.0_wp, merge(-1.0_wp, x, x < 0.0_wp), x > 0.0_wp)",
    "  end function sign_of",
)


def _table_arrays(model: Model, notation: Notation) -> list[str]:
    """The arrays of the tables that are looked up; a statement has a bounded number of lines."""
    lines = []
    for table, orders in tabulated(model.routines).items():
        for array in arrays(orders):
            name, entries = array_name(table, array), numbers(table, array, notation)
            lines += ["", f"  real(wp), save :: {name}({len(entries)})"]
            for start in range(0, len(entries), _MOST):
                part = entries[start : start + _MOST]
                head = f"data {name}({start + 1}:{start + len(part)}) / "
                lines += notation.listed(head, part, " /", "  ")
    return lines


def _table_functions(model: Model, notation: Notation) -> list[str]:
    """A function for each derivative of a table."""
    lookup = Lookup(
        notation,
        find="count({thresholds} <= {x})",
        element="{array}({index})",
        floor="real(floor({x}), wp)",
        first=1,
    )
    lines = []
    for table, orders in tabulated(model.routines).items():
        for order in orders:
            name, steps = table_function(table.name, order), lookup.steps(table, order)
            lines += commented([f"The {described(table, order)}."], "  !")
            lines += [f"  pure function {name}(x) result(y)", "    real(wp), intent(in) :: x"]
            declared = ", ".join(left for left, _ in steps if left != "k")
            lines += ["    integer :: k", f"    real(wp) :: {declared}"]
            lines += [f"    {left} = {formula}" for left, formula in steps]
            lines += [f"  end function {name}", ""]
    return lines


def _kind(real: str) -> str:
    return "kind(1.0d0)" if real == "double" else "kind(1.0)"


def _element(array: str, k: int) -> str:
    return f"{_WORDS.get(array, array)}({k + 1})"


def _constants(model: Model, routine: Routine, notation: Notation) -> list[str]:
    head = f"  pure subroutine {routine.name}_constants(p, c)"
    lines = [head, f"    real(wp), intent(in) :: p({len(model.parameters)})"]
    lines.append(f"    real(wp), intent(out) :: c({len(routine.constants)})")
    names = [x.identifier for x in routine.parameters] + [s.name for s in routine.once]
    lines += [*_declared(names, notation), *_loads(routine.parameters)]
    for step in routine.once:
        lines += notation.assignment(step.name, step.value, _INDENT)
    lines += [f"    c({k + 1}) = {name}" for k, name in enumerate(routine.constants)]
    return [*lines, f"  end subroutine {routine.name}_constants"]


def _run(routine: Routine, notation: Notation) -> list[str]:
    arrays = [("c", len(routine.constants)), *routine.arguments]
    given = [(_WORDS.get(letter, letter), size) for letter, size in arrays]
    arguments = [*(letter for letter, _ in given), "result"]
    lines = notation.listed(f"pure subroutine {routine.name}(", arguments, ")", "  ")
    sized = [f"{letter}({size})" for letter, size in given]
    lines += notation.listed("real(wp), intent(in) :: ", sized, "", _INDENT)
    shape = f"({', '.join(str(n) for n in routine.shape)})" if routine.shape else ""
    lines.append(f"    real(wp), intent(out) :: result{shape}")
    loads = (*routine.kept, *routine.inputs)
    names = [x.identifier for x in loads] + [step.name for step in routine.steps]
    lines += [*_declared(names, notation), *_loads(loads)]
    for heading, steps in routine.by_stage():
        lines += ["", *commented([heading], "    !")]
        for step in steps:
            lines += notation.assignment(step.name, step.value, _INDENT)
    lines.append("")
    for index, tree in _indexed(routine):
        lines += notation.assignment(f"result{index}", tree, _INDENT)
    return [*lines, f"  end subroutine {routine.name}"]


def _indexed(routine: Routine) -> Iterable[tuple[str, Tree]]:
    """Each result with its index from 1."""
    from numpy import ndindex

    for place, tree in zip(ndindex(routine.shape), routine.results, strict=True):
        yield f"({', '.join(str(k + 1) for k in place)})" if place else "", tree


def _declared(names: list[str], notation: Notation) -> list[str]:
    """Declarations of local variables, a few dozen each."""
    lines = []
    for start in range(0, len(names), 40):
        lines += notation.listed("real(wp) :: ", names[start : start + 40], "", _INDENT)
    return lines


def _loads(loads: Iterable[Load]) -> list[str]:
    return [f"    {x.identifier} = {_element(x.argument, x.index)}" for x in loads]


FORTRAN: Language = Language(
    "fortran", _RESERVED, files, case_sensitive=False, options={"real": ("double", "float")}
)
