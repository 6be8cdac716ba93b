"""Commands: a MODEL, options, and a printout as text or as one JSON document."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import wraps
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, final

import rich_click as click

from torseur.cli.frame.options import MODEL, Decorator, load_model
from torseur.cli.frame.outputs import Output
from torseur.cli.frame.settings import parameters, parameters_and_start, state
from torseur.cli.frame.spoken import HELP, LANG, SpokenCommand
from torseur.waiting import waiting
from torseur.words.language import spoken
from torseur.words.sentence import said, say, worded

if TYPE_CHECKING:
    from torseur.model.description import Mechanism as Mechanism
else:
    Mechanism = Any  # its module imports numerical packages, which the help does without

_JSON = click.option(
    "--json", "as_json", is_flag=True, help="One JSON document on standard output."
)

_TALKING = ("app", "demo", "exercise", "reduce")  # commands that print or ask while they run


@final
@dataclass(frozen=True)
class Printout:
    """Result of a command: data, text, figure and exit code."""

    document: Callable[[], Any]
    text: Callable[[], str | Sequence[str]] | str | Sequence[str] | None  # None: all has been said
    figure: Callable[[Path], object] | None = None  # what --plot draws
    tells_files: bool = False  # whether the text says which files were written
    aside: tuple[str, ...] = ()  # what people are told beside a text for programs
    code: int = 0
    fault: Exception | None = None  # told after the text
    data: bool = False  # whether the document was asked for otherwise than by --json
    afterwards: Callable[[], None] | None = None  # what the command does once it has answered

    def show(self, as_json: bool) -> None:
        """On standard output, then leave with the exit code."""
        if as_json or self.data:
            say_json(self.document())
        else:
            if self.text is not None:
                click.echo(self._text())
            for file in () if self.tells_files else _files():
                click.echo(written(file))
            for line in self.aside:
                click.echo(said(line, spoken()), err=True)
            if self.fault is not None:
                raise self.fault
        if self.afterwards is not None:
            sys.stdout.flush()
            self.afterwards()
        if self.code:
            sys.exit(self.code)

    def _text(self) -> str:
        """The text; sentences are in the language of the command."""
        text = self.text() if callable(self.text) else self.text
        lines = (text,) if isinstance(text, str) else text or ()
        return "\n".join(said(line, spoken()) for line in lines)


def written(file: object) -> str:
    """That a file was written."""
    return say("{file}: written.", str(file))


def answer_of(mechanism: Mechanism, result: Any, between: str = ": ") -> Printout:
    """The answer that a result of the library gives of itself, under the name of the mechanism."""
    return Printout(
        lambda: {"name": mechanism.name} | result.document,
        lambda: f"{mechanism.name}{worded(between)}{result}",
        getattr(result, "figure", None) or getattr(result, "plot", None),
    )


def command(name: str, *options: Decorator) -> Callable[[Callable[..., Printout]], click.Command]:
    """A command with options, --lang and --json; its function returns a printout.

    The figure of the printout is written to the file of --plot. A function that takes `lang`
    receives the language; all sentences are in it.
    """

    def decorate(run: Callable[..., Printout]) -> click.Command:
        takes_language = "lang" in signature(run).parameters

        @wraps(run)
        def answered(as_json: bool, lang: str, **given: Any) -> None:
            picture = given.pop("picture", None)
            if takes_language:
                given["lang"] = lang
            with nullcontext() if as_json or name in _TALKING else waiting(say("computing")):
                answer = run(**given)
                if picture is not None and answer.figure is not None:
                    answer.figure(picture)
            answer.show(as_json)

        with_options = _with(answered, (*options, LANG, _JSON))
        return click.command(name, cls=SpokenCommand, context_settings=HELP)(with_options)

    return decorate


def model_command(
    name: str, *options: Decorator
) -> Callable[[Callable[..., Printout]], click.Command]:
    """A command with a MODEL: its function receives the mechanism and the values of `--set`.

    `--set` gives `parameters` where the function takes no start, or `parameters` and `initial`;
    `--at` gives a state `at`, None without it.
    """

    def decorate(run: Callable[..., Printout]) -> click.Command:
        @wraps(run)
        def of_mechanism(
            model: str, masses: str | None, gravity: str | None, **given: Any
        ) -> Printout:
            mechanism = load_model(model, masses, gravity)
            if "settings" in given:
                given["parameters"] = parameters(mechanism, given.pop("settings"))
            if "start_settings" in given:
                texts = given.pop("start_settings")
                given["parameters"], given["initial"] = parameters_and_start(mechanism, texts)
            if "state_settings" in given:
                given["at"] = state(mechanism, "--at", given.pop("state_settings")) or None
            return run(mechanism, **given)

        return command(name, *MODEL, *options)(of_mechanism)

    return decorate


def run_command(
    name: str, *options: Decorator
) -> Callable[[Callable[..., Printout]], click.Command]:
    """A command whose MODEL may be another file: its function loads it."""
    return command(name, *MODEL, *options)


def argument(name: str) -> Any:
    """Value of an argument or an option of the command line."""
    return running_context().params[name]


def _files() -> list[Path]:
    """Files that the options of the command name for writing, in their order."""
    context = running_context()
    named = (x.name for x in context.command.params if isinstance(x.type, Output))
    return [context.params[name] for name in named if name and context.params.get(name)]


def running_context() -> click.Context:
    """The command that runs, with its parameters."""
    context = click.get_current_context()
    assert context is not None, "a command runs in its context"
    return context


def _with(function: Callable[..., Any], decorators: tuple[Decorator, ...]) -> Callable[..., Any]:
    for decorate in reversed(decorators):
        function = decorate(function)
    return function


def say_json(document: Any) -> None:
    """One JSON document on standard output; escapes stand for what its encoding may lack."""
    from torseur.report.pages.json_documents import json_text

    plain = "utf" not in str(getattr(sys.stdout, "encoding", "")).lower()
    click.echo(json_text(document, indent=2, ensure_ascii=plain))


def wrench_lines(reactions: Mapping[str, Any]) -> list[str]:
    """Force and couple of each joint, a line each."""
    from torseur.brief import without_rounding

    lines = []
    for joint, wrench in reactions.items():
        listed = [f"{x:.6g}" for x in without_rounding(wrench, 1e-12)]
        force, couple = ", ".join(listed[:3]), ", ".join(listed[3:])
        lines.append(
            say("  {joint}: force ({force}) N, couple ({couple}) N m", joint, force, couple)
        )
    return lines
