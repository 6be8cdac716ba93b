"""Fortran 2003: a module in free form with pure subroutines."""

from torseur.export.exported_model import Model
from torseur.export.header import header
from torseur.export.names import Language, table_function, words
from torseur.export.notation import INDENT, Notation, arrays, described, lookup, tabulated
from torseur.export.routine import Routine
from torseur.words.sentence import say

# Fortran reserves nothing: these are the words a reader would trip over, and those used here.
_RESERVED = words(
    "allocate associate block call case class common contains continue cycle data dimension do "
    "double else elseif end enddo endif entry exit external for forall format function go goto if "
    "implicit in inout integer intent intrinsic interface kind logical module namelist none only "
    "out parameter pointer print private procedure program public pure read real return save "
    "select stop subroutine target then to type use where while write wp sign_of forces"
)
_MOST = 100  # numbers in one statement
_NOTATION = Notation(
    {"sign": "sign_of"},
    suffix="_wp",
    going_on=" &",
    choice="merge({a}, {b}, {c} > 0.0_wp)",
    element="{array}({index})",
    first=1,
    arrays={"Q": "forces"},  # Q and q are one name
    comment="!",
    find="count({thresholds} <= {x})",
    floor="real(floor({x}), wp)",
)


def files(model: Model, *, real: str = "double") -> dict[str, str]:
    """NAME.f90."""
    name = model.identifier
    usage = (
        "Call FUNCTION_constants(p, c) once per parameter set, then",
        "FUNCTION(c, q, ..., result) for every state. The generalised forces Q are called forces.",
    )
    lines = [*header(model, model.routines, _NOTATION, usage), "", f"module {name}"]
    kind = "1.0d0" if real == "double" else "1.0"
    lines += ["  implicit none", "  private", f"  integer, parameter, public :: wp = kind({kind})"]
    if model.values:
        head = f"real(wp), parameter, public :: parameters({len(model.values)}) = ["
        lines += _NOTATION.listed(head, [_NOTATION.number(x) for x in model.values], "]", "  ")
    for routine in model.routines:
        lines.append(f"  public :: {routine.name}_constants, {routine.name}")
    lines += [*_table_arrays(model), "", "contains", ""]
    for routine in model.routines:
        lines += [*_constants(model, routine), "", *_run(routine), ""]
    if any("sign" in routine.calls for routine in model.routines):
        lines += [*_SIGN, ""]
    lines += _table_functions(model)
    return {f"{name}.f90": "\n".join([*lines, f"end module {name}", ""])}


_SIGN = (
    "  elemental function sign_of(x) result(direction)",
    "    real(wp), intent(in) :: x",
    "    real(wp) :: direction",
    "    direction = merge(1.0_wp, merge(-1.0_wp, x, x < 0.0_wp), x > 0.0_wp)",
    "  end function sign_of",
)


def _table_arrays(model: Model) -> list[str]:
    """The arrays of the tables that are looked up; a statement has a bounded number of lines."""
    lines = []
    for table, orders in tabulated(model.routines).items():
        for name, entries in arrays(table, orders, _NOTATION).items():
            lines += ["", f"  real(wp), save :: {name}({len(entries)})"]
            for start in range(0, len(entries), _MOST):
                part = entries[start : start + _MOST]
                head = f"data {name}({start + 1}:{start + len(part)}) / "
                lines += _NOTATION.listed(head, part, " /", "  ")
    return lines


def _table_functions(model: Model) -> list[str]:
    """A function for each derivative of a table."""
    lines = []
    for table, orders in tabulated(model.routines).items():
        for order in orders:
            name, steps = table_function(table.name, order), lookup(table, order, _NOTATION)
            lines += _NOTATION.commented([say("The {what}.", described(table, order))], "  ")
            lines += [f"  pure function {name}(x) result(y)", "    real(wp), intent(in) :: x"]
            declared = ", ".join(left for left, _ in steps if left != "k")
            lines += ["    integer :: k", f"    real(wp) :: {declared}"]
            lines += [f"    {left} = {formula}" for left, formula in steps]
            lines += [f"  end function {name}", ""]
    return lines


def _constants(model: Model, routine: Routine) -> list[str]:
    head = f"  pure subroutine {routine.name}_constants(p, c)"
    lines = [head, f"    real(wp), intent(in) :: p({len(model.parameters)})"]
    lines.append(f"    real(wp), intent(out) :: c({len(routine.constants)})")
    names = [x.identifier for x in routine.parameters] + [s.name for s in routine.once]
    lines += [*_declared(names), *_NOTATION.once(routine), *_NOTATION.filled(routine)]
    return [*lines, f"  end subroutine {routine.name}_constants"]


def _run(routine: Routine) -> list[str]:
    arguments = [*map(_NOTATION.entry, routine.arrays), "result"]
    lines = _NOTATION.listed(f"pure subroutine {routine.name}(", arguments, ")", "  ")
    sizes = [("c", len(routine.constants)), *routine.arguments]
    sized = [f"{_NOTATION.entry(letter)}({size})" for letter, size in sizes]
    lines += _NOTATION.listed("real(wp), intent(in) :: ", sized, "", INDENT)
    shape = f"({', '.join(str(n) for n in routine.shape)})" if routine.shape else ""
    lines.append(f"    real(wp), intent(out) :: result{shape}")
    names = [x.identifier for x in (*routine.stored, *routine.inputs)]
    lines += _declared([*names, *(step.name for step in routine.steps)])
    lines += [*_NOTATION.run(routine), *_NOTATION.results(routine)]
    return [*lines, f"  end subroutine {routine.name}"]


def _declared(names: list[str]) -> list[str]:
    """Declarations of local variables, a few dozen each."""
    lines = []
    for start in range(0, len(names), 40):
        lines += _NOTATION.listed("real(wp) :: ", names[start : start + 40], "", INDENT)
    return lines


FORTRAN: Language = Language(
    "fortran", _RESERVED, files, case_sensitive=False, options={"real": ("double", "float")}
)
