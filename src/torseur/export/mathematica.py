"""Mathematica: a file of equations as definitions, which `Get` reads."""

from __future__ import annotations

import re

from torseur.export.exported_model import Model
from torseur.export.header import header
from torseur.export.names import Language, words
from torseur.export.notation import INDENT, Notation
from torseur.export.routine import Routine

_RESERVED = words(
    "C D E I K N O Pi If Module Table Sin Cos Tan ArcSin ArcCos ArcTan ArcTan2 Exp Log Sinh Cosh "
    "Tanh Sign Abs True False Null List result parameters"
)
_MARK = "(*~~~"  # as long as both ends of a comment
_NOTATION = Notation(
    {
        "sin": "Sin", "cos": "Cos", "tan": "Tan", "asin": "ArcSin", "acos": "ArcCos",
        "atan": "ArcTan", "atan2": "ArcTan2", "exp": "Exp", "log": "Log", "sinh": "Sinh",
        "cosh": "Cosh", "tanh": "Tanh", "sign": "Sign", "abs": "Abs", "sqrt": "Sqrt",
    },
    power="^",
    end=";",
    choice="If[{c} > 0, {a}, {b}]",
    element="{array}[[{index}]]",
    first=1,
    comment=_MARK,
    call=("[", "]"),
    exponent="*^",
)  # fmt: skip


def files(model: Model) -> dict[str, str]:
    """NAME.m; a name has $ where others have an underscore, which is a pattern there."""
    usage = (
        "c = FUNCTIONConstants[p] once per parameter set, then FUNCTION[c, q, ...] for every",
        "state; << NAME.m reads the file. Names have $ where the model has an underscore.",
    )
    lines = [*header(model, model.routines, _NOTATION, usage), ""]
    lines += ["ArcTan2[y_, x_] := ArcTan[x, y];", ""]
    if model.values:
        values = [_NOTATION.number(x) for x in model.values]
        lines += [*_NOTATION.listed("parameters = {", values, "};", ""), ""]
    for routine in model.routines:
        lines += [*_constants(routine), "", *_run(routine), ""]
    return {f"{model.identifier}.m": "\n".join(map(_one_line_comment, lines))}


def _one_line_comment(line: str) -> str:
    """A line whose comment, if it is one, ends on it; user's words cannot end it before."""
    indent, mark, comment = line.partition(_MARK)
    if not mark:
        return line
    safe = comment.strip("\n").replace("*)", "* )").replace("(*", "( *")
    return f"{indent}(*{safe.rstrip()} *)"


def _constants(routine: Routine) -> list[str]:
    body = [*_NOTATION.once(routine)]
    values = _NOTATION.listed("{", list(routine.constants), "}", INDENT)
    return _module(f"{_name(routine)}Constants", ["p"], body, values)


def _run(routine: Routine) -> list[str]:
    body = [*_NOTATION.run(routine)]
    if routine.shape:
        sizes = ", ".join(f"{{{n}}}" for n in routine.shape)
        body.append(f"{INDENT}result = Table[0, {sizes}];")
    body += _NOTATION.results(routine)
    return _module(_name(routine), list(routine.arrays), body, [f"{INDENT}result"])


def _name(routine: Routine) -> str:
    """inverseDynamics for inverse_dynamics, as names are there."""
    first, *others = routine.name.split("_")
    return first + "".join(part.title() for part in others)


def _module(name: str, arguments: list[str], body: list[str], value: list[str]) -> list[str]:
    """A definition whose names are its own."""
    assigned = (re.match(r"\s*(\w+)(\[\[.*?\]\])? = ", line) for line in body)
    local = list(dict.fromkeys(hit[1] for hit in assigned if hit))
    head = f"{name}[{', '.join(f'{x}_' for x in arguments)}] := Module["
    lines = [*_NOTATION.listed("{", local, "},", INDENT), *body, *value]
    renamed = [line if _MARK in line else line.replace("_", "$") for line in lines]
    return [head, *(line.rstrip() for line in renamed), "];"]


MATHEMATICA: Language = Language("mathematica", _RESERVED, files, tables=False)
