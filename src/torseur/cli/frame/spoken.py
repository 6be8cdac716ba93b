"""Commands of which click speaks in the language asked for: help, usage and errors of the line."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from copy import copy
from typing import Any, TypeVar

import click as plain_click
import rich_click as click

from torseur.errors import unknown
from torseur.words.catalogue import ENGLISH, languages
from torseur.words.help import help_text, helped
from torseur.words.language import OPTION, VARIABLE, of_line, speaking, spoken

HELP = {"help_option_names": ["-h", "--help"]}  # by which every command is asked what it does
_Command = TypeVar("_Command", bound=click.Command)
_TIE = "\ue000"  # stands for a space at which no line may end, which rich has none of
_TIED = re.compile(r" (?=[;:!?»])|(?<=«) ")
_WORDS = {
    "arguments_panel_title": "Arguments",
    "options_panel_title": "Options",
    "commands_panel_title": "Commands",
    "errors_panel_title": "Error",
    "default_string": "\\[default: {}]",
    "required_long_string": "\\[required]",
    "aborted_text": "Aborted.",
}
_MEANT = {  # options of other programs, without their dashes
    **dict.fromkeys(("parameters", "parameter", "param", "params", "initial", "p"), "--set"),
    **dict.fromkeys(("language", "target", "format"), "--to"),
    **dict.fromkeys(("d", "t", "time", "end", "tend"), "--duration"),
    **dict.fromkeys(("output", "save", "file"), "--out"),
}


class SpokenCommand(click.RichCommand):
    """A command that is read, explained and run in the language of its line."""

    def main(self, args: Any = None, *more: Any, **options: Any) -> Any:
        """Run it, with everything said in the language that the line asks for."""
        line = sys.argv[1:] if args is None else list(args)
        with speaking(of_line(line)):
            return super(SpokenCommand, in_words(self, first=True)).main(args, *more, **options)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the line; of a command without commands, arguments may begin with a minus sign."""
        line = options_first(self.get_params(ctx), args) if ctx.allow_interspersed_args else args
        try:
            return super().parse_args(ctx, line)
        except plain_click.NoSuchOption as error:
            flags = {name for parameter in self.get_params(ctx) for name in parameter.opts}
            intended = _MEANT.get(error.option_name.lstrip("-"), "")
            if intended not in flags:
                raise
            hint = helped("Did you mean {possibility}?").format(possibility=f"'{intended}'")
            problem = f"{error.message} {hint}"
            raise plain_click.NoSuchOption(error.option_name, problem, ctx=ctx) from None

    def get_help(self, ctx: click.Context) -> str:
        """The help, laid out in lines."""
        return super().get_help(ctx).replace(_TIE, " ")

    def format_usage(self, ctx: Any, formatter: Any) -> None:
        """The first line of the help."""
        pieces = self.collect_usage_pieces(ctx)
        formatter.write_usage(ctx.command_path, " ".join(pieces), helped("Usage:"))

    def get_help_option(self, ctx: Any) -> plain_click.Option | None:
        """The option --help, which click makes once and keeps."""
        option = super().get_help_option(ctx)
        if option is not None:
            option.help = helped("Show this message and exit.")
        return option


def in_words(command: _Command, first: bool = False) -> _Command:
    """A command with its help in the language spoken; the first of a line has the headings too."""
    if spoken() == ENGLISH:
        return command
    translated = copy(command)
    translated.help = _TIED.sub(_TIE, help_text(command.help or ""))
    translated.params = [_in_words(x) for x in command.params]
    if isinstance(translated, plain_click.Group):
        translated.subcommand_metavar = helped(translated.subcommand_metavar or "")
    if first:
        headings = {key: helped(english) for key, english in _WORDS.items()}
        translated.context_settings = {**command.context_settings, "rich_help_config": headings}
    return translated


def metavar(parameter: plain_click.Parameter) -> str | None:
    """The word that stands for a value; None where the help shows none, or the values instead."""
    if getattr(parameter, "is_flag", False) or isinstance(parameter.type, click.Choice):
        return None
    if parameter.metavar is not None:
        return parameter.metavar
    if not isinstance(parameter, plain_click.Argument):
        return parameter.type.name.upper()
    name = (parameter.name or "").upper()
    return name if parameter.required else f"[{name}]"


def _in_words(parameter: plain_click.Parameter) -> plain_click.Parameter:
    translated, word = copy(parameter), metavar(parameter)
    translated.metavar = word and helped(word)
    if isinstance(translated, plain_click.Option):
        translated.help = _TIED.sub(_TIE, helped(translated.help or ""))
    return translated


def _one_or_several(one: str, several: str, number: int) -> str:
    return helped(one if number == 1 else several)


def _give_words_to_click() -> None:
    """Click asks gettext for what it says, in each of its modules: the catalogue answers."""
    for module in (
        plain_click.core,
        plain_click.exceptions,
        plain_click.formatting,
        plain_click.parser,
        plain_click.types,
    ):
        setattr(module, "_", helped)  # noqa: B010
        setattr(module, "ngettext", _one_or_several)  # noqa: B010


_give_words_to_click()


# --- the language of a command: what --lang says, else TORSEUR_LANG, else the locale --------------


def _known(*_: object) -> str:
    """Language of the command line; the environment may name an unknown one."""
    if spoken() not in languages():
        raise unknown(VARIABLE, "language", spoken(), languages())
    return spoken()


def _language(**more: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    return click.option(
        OPTION,
        type=click.Choice(languages()),
        callback=_known,
        is_eager=True,
        help=f"Language; default: {VARIABLE}, or that of the locale.",
        **more,
    )


LANG = _language()
LANGUAGE = _language(expose_value=False)  # before the name of a command


# --- the words of a command line in an order that lets formulas begin with a minus sign -----------

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
