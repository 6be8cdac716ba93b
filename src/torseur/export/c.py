"""C99: a header and a source file, re-entrant, without allocation."""

from collections.abc import Sequence

from torseur.export.exported_model import Model
from torseur.export.header import header
from torseur.export.names import MATHEMATICS, Language, table_function, words
from torseur.export.notation import Notation, arrays, described, lookup, tabulated
from torseur.export.routine import Load, Routine
from torseur.words.sentence import say, worded

RESERVED = words(
    "auto break case char const continue default do double else enum extern float for goto if "
    "inline int long register restrict return short signed sizeof static struct switch typedef "
    "union unsigned void volatile while asm typeof bool true false NAN INFINITY HUGE_VAL linux "
    "unix fabs sign_of M_E M_LOG2E M_LOG10E M_LN2 M_LN10 M_PI M_PI_2 M_PI_4 M_1_PI M_2_PI "
    "M_2_SQRTPI M_SQRT2 M_SQRT1_2 MAXFLOAT HUGE DOMAIN SING OVERFLOW UNDERFLOW PLOSS TLOSS "
    "piece_at floor floorf"
)


def files(model: Model, *, real: str = "double") -> dict[str, str]:
    """NAME.h and NAME.c."""
    return written(model, notation_of(real), real, ["#include <math.h>"])


def written(
    model: Model, notation: Notation, real: str, library: Sequence[str], more: Sequence[str] = ()
) -> dict[str, str]:
    """NAME.h and NAME.c; `library` are lines that bring the functions that are called."""
    name = model.prefix
    usage = (
        say("Call {name}_FUNCTION_constants(p, c) once per parameter set, then", name),
        say(
            "{name}_FUNCTION(c, q, ..., result) for every state. Matrices are written row by row.",
            name,
        ),
        *more,
    )
    top = header(model, model.routines, notation, usage)
    declared = [*top, "", *_header(model, notation, real), ""]
    code = [*top, "", f'#include "{name}.h"', "", *library, ""]
    code += _values(model, notation, real)
    if any("sign" in routine.calls for routine in model.routines):
        code += [*_sign(notation, real), ""]
    code += _tables(model, notation, real)
    for routine in model.routines:
        code += [*_constants(model, routine, notation, real), ""]
        code += [*_run(model, routine, notation, real), ""]
    return {f"{name}.h": "\n".join(declared), f"{name}.c": "\n".join(code)}


def notation_of(real: str) -> Notation:
    """`float` has functions and literals of its own."""
    short = "f" if real == "float" else ""
    functions = {name: name + short for name in MATHEMATICS}
    functions |= {"abs": f"fabs{short}", "sign": "sign_of"}
    return Notation(
        functions,
        suffix=short,
        power=f"pow{short}",
        repeated=4,
        end=";",
        choice=f"({{c}} > 0.0{short} ? {{a}} : {{b}})",
        local=f"const {real} ",
        comment="//",
        find="piece_at({thresholds}, {count}, {x})",
        floor=f"floor{short}({{x}})",
    )


def _header(model: Model, notation: Notation, real: str) -> list[str]:
    guard = f"{model.prefix.upper()}_H"
    lines = [f"#ifndef {guard}", f"#define {guard}", ""]
    lines += [f"#define {model.prefix.upper()}_PARAMETERS {max(len(model.parameters), 1)}"]
    lines += ["", *notation.commented([worded("The length of each array c.")])]
    for routine in model.routines:
        macro = f"{model.prefix}_{routine.name}_CONSTANTS".upper()
        lines.append(f"#define {macro} {max(len(routine.constants), 1)}")
    lines += ["", "#ifdef __cplusplus", 'extern "C" {', "#endif", ""]
    if model.values:
        lines += [f"extern const {real} {model.prefix}_parameters[{len(model.values)}];", ""]
    for routine in model.routines:
        for prototype in (_constants_head, _run_head):
            head = prototype(model, routine, notation, real)
            lines += [*head[:-1], f"{head[-1]};"]
        lines.append("")
    return [*lines, "#ifdef __cplusplus", "}", "#endif", "", f"#endif // {guard}"]


def _values(model: Model, notation: Notation, real: str) -> list[str]:
    """The values of the parameters, where all have one."""
    if not model.values:
        return []
    head = f"const {real} {model.prefix}_parameters[{len(model.values)}] = {{"
    return [*notation.listed(head, [notation.number(x) for x in model.values], "};", ""), ""]


def _sign(notation: Notation, real: str) -> list[str]:
    one, zero = notation.number(1), notation.number(0)
    return [
        f"static {real} sign_of({real} x)",
        "{",
        f"    return x > {zero} ? {one} : (x < {zero} ? -{one} : x);",
        "}",
    ]


_PIECE_AT = """static int piece_at(const {real} *thresholds, int count, {real} x)
{{
    int first = 0;
    while (count > 0) {{
        const int half = count / 2;
        const int reached = thresholds[first + half] <= x;
        first = reached ? first + half + 1 : first;
        count = reached ? count - half - 1 : half;
    }}
    return first;
}}"""


def _tables(model: Model, notation: Notation, real: str) -> list[str]:
    """The arrays of the tables that are looked up, and a function for each derivative."""
    looked_up = tabulated(model.routines)
    lines = [*_PIECE_AT.format(real=real).split("\n"), ""] if looked_up else []
    for table, orders in looked_up.items():
        for name, entries in arrays(table, orders, notation).items():
            head = f"static const {real} {name}[{len(entries)}] = {{"
            lines += notation.listed(head, entries, "};", "")
        for order in orders:
            lines += ["", *notation.commented([say("The {what}.", described(table, order))])]
            lines += [f"static {real} {table_function(table.name, order)}({real} x)", "{"]
            *steps, (_, value) = lookup(table, order, notation)
            for name, formula in steps:
                lines.append(f"    const {'int' if name == 'k' else real} {name} = {formula};")
            lines += [f"    return {value};", "}"]
        lines.append("")
    return lines


def _constants_head(model: Model, routine: Routine, notation: Notation, real: str) -> list[str]:
    name = f"{model.prefix}_{routine.name}_constants"
    return notation.listed(f"void {name}(", [f"const {real} *p", f"{real} *c"], ")", "")


def _run_head(model: Model, routine: Routine, notation: Notation, real: str) -> list[str]:
    arguments = [*(f"const {real} *{name}" for name in routine.arrays), f"{real} *result"]
    return notation.listed(f"void {model.prefix}_{routine.name}(", arguments, ")", "")


def _constants(model: Model, routine: Routine, notation: Notation, real: str) -> list[str]:
    lines = [*_constants_head(model, routine, notation, real), "{"]
    lines += _unused(["p", "c"], routine.parameters, also=routine.constants and ["c"])
    return [*lines, *notation.once(routine), *notation.filled(routine), "}"]


def _run(model: Model, routine: Routine, notation: Notation, real: str) -> list[str]:
    lines = [*_run_head(model, routine, notation, real), "{"]
    arrays, loads = [*routine.arrays, "result"], (*routine.stored, *routine.inputs)
    lines += _unused(arrays, loads, ["result"] if routine.results else [])
    in_a_row = notation.results(routine, (len(routine.results),))
    return [*lines, *notation.run(routine), *in_a_row, "}"]


def _unused(arrays: Sequence[str], loads: Sequence[Load], also: Sequence[str] = ()) -> list[str]:
    """A word to the compiler on the arrays that nothing reads or writes."""
    used = {load.argument for load in loads} | set(also)
    return [f"    (void){name};" for name in arrays if name not in used]


C: Language = Language("c", RESERVED, files, options={"real": ("double", "float")})
