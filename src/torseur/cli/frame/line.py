"""The words of a command line in an order that lets formulas begin with a minus sign."""

from __future__ import annotations

import re
from collections.abc import Sequence

import rich_click as click

_FORMULA = re.compile(r"-(?!-)(?:\d|.*[^\w-])", re.DOTALL)  # no option is spelt so
END = "--"  # of the options


class FormulaArgument(click.Argument):
    """An argument that is a formula: `-x` is one, unless the command has an option `-x`."""


def options_first(parameters: Sequence[click.Parameter], words: Sequence[str]) -> list[str]:
    """The options of a line with their values, `--`, then its arguments in their order."""
    named = {name: x for x in parameters for name in (*x.opts, *x.secondary_opts)}
    expected = [x for x in parameters if isinstance(x, click.Argument)]
    options: list[str] = []
    arguments: list[str] = []
    pending = list(words)
    while pending:
        word = pending.pop(0)
        if word == END:
            arguments += pending
            break
        option = named.get(word)
        formula = expected[len(arguments) : len(arguments) + 1]
        if option is not None:
            count = 0 if getattr(option, "is_flag", False) else option.nargs
            if count > len(pending):
                return list(words)  # the last option has no value
            options += [word, *pending[:count]]
            del pending[:count]
        elif _is_argument(word, named, bool(formula) and isinstance(formula[0], FormulaArgument)):
            arguments.append(word)
        else:
            options.append(word)
    return [*options, END, *arguments]


def _is_argument(word: str, named: dict[str, click.Parameter], formula: bool) -> bool:
    """Whether a word that is no option by itself is an argument: not `--set=…` nor `-ofile`."""
    if not word.startswith("-") or word == "-":
        return True
    short = named.get(word[:2])
    if short is not None and not getattr(short, "is_flag", False):
        return False
    return _FORMULA.match(word) is not None or (formula and not word.startswith("--"))
