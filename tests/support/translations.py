"""Translations compared with the sources: `make words` reports what is wrong and adds what lacks.

A catalogue keeps its order. A message that the sources have and a catalogue has not is put after
those of the same file, without a translation. `make words NEW=de` starts the catalogue of a
language.
"""

import ast
import inspect
import re
import sys
from functools import cache
from pathlib import Path
from string import Formatter
from xml.parsers.expat import errors

import click
import yaml
from form_keys import KEYS
from ruamel.yaml import composer, parser, scanner
from source_code import ROOT, SOURCE, nodes
from source_sentences import quoted, sentences

from torseur.algebra.forms.dimensions import _NAMES
from torseur.cli.commands import GROUPS, commands
from torseur.cli.frame.spoken import metavar
from torseur.language.packaged import EXAMPLE as DESCRIBED
from torseur.language.packaged import EXAMPLES, example_description, packaged_files
from torseur.language.vocabulary.vocabulary import explanations
from torseur.model.actuator_types import ACTUATORS
from torseur.model.constraints.catalogue import CONSTRAINTS, MOTIONS
from torseur.model.constraints.contact import CONTACTS
from torseur.model.constraints.protocol import Constraint
from torseur.model.forces.catalogue import FORCES
from torseur.model.joints.catalogue import JOINTS, called
from torseur.model.joints.protocol import JointType
from torseur.model.joints.rolling import ContactType
from torseur.model.mass.solids import SOLIDS
from torseur.model.sensors import SENSORS
from torseur.named_words import ENGLISH, context
from torseur.words import catalogue
from torseur.words.entries import ENTRY
from torseur.words.help import EXAMPLE, HELP, paragraphs
from torseur.words.po import Message, read_po
from torseur.words.sentence import MEANING, NAME, PLACE, TYPE, TYPOGRAPHY

COMMANDS = {"": commands, **commands.commands}
CODE = re.compile(r"`[^`]*`|\"[^\"]*\"|--[\w-]+|\b[\w.:]+[._:]\w+\b")
TYPES = (*JOINTS, *FORCES, *CONSTRAINTS, *MOTIONS, *CONTACTS, *ACTUATORS, *SENSORS)
CLICK = (click.core, click.exceptions, click.formatting, click.parser, click.types)
MADE_HELP = {*GROUPS.values(), "Usage:", "Arguments", "Commands", "COMMAND [ARGS]...", EXAMPLE,
             "Error", "Aborted.", "\\[default: {}]", "\\[required]",
             "Show this message and exit."}  # fmt: skip
NEVER = re.compile(  # what the options and arguments of Torseur do not let click say
    r"deprecat|Deprecat|Positional|iterable|declar|defined twice|true/false|start character|UUID"
    r"|boolean|match the format|number_type|executable|writable|is a file|does not exist|env var"
    r"|\(dynamic\)|default: \{default\}|Missing \{|Missing parameter: |open file|unknown error"
    r"|^(file|directory|path|Choice\(.*)$"
)
MADE = re.compile(  # sentences that are put together of a kind, or of the name of a joint
    r'.* "\{name\}" does not exist\.|Known .*: (\{names\}|none)\.|in the .*|an? .* joint'
)
SIGNS = {
    '{kind} "{name}"': "src/torseur/words/sentence.py",
    ": ": "src/torseur/errors.py",
    "english": "src/torseur/report/documents/latex.py",
}
HEADER = (
    "Project-Id-Version: torseur\nLanguage: {}\nMIME-Version: 1.0\n"
    "Content-Type: text/plain; charset=UTF-8\nContent-Transfer-Encoding: 8bit\n"
)


# --- what the sources say -------------------------------------------------------------------------


@cache
def wanted():
    """The messages that need a translation, by context and English, and where each stands."""
    found = {}
    for *key, where in _all():
        found.setdefault(tuple(key), where)
    return found


def _all():
    yield from (("", english, where) for english, where in sentences())
    yield from (("", called(x), _defined(x)) for x in JOINTS)
    measures = {*_NAMES.values(), "a quantity"}
    measures |= {told for solid in SOLIDS.values() for told in solid.parameters.values()}
    measures |= explanations()
    yield from (("", x, quoted()[x]) for x in sorted(measures))
    yield from ((HELP, english, where) for english, where in _help())
    yield from _words_by_key()
    yield from _types()
    yield from _examples()
    yield from ((ENTRY, x, quoted().get(x, "src/torseur/language/yaml")) for x in sorted(KEYS))
    yield from ((TYPOGRAPHY, x, where) for x, where in SIGNS.items())


def _defined(kind):
    path, (_, line) = inspect.getsourcefile(kind), inspect.getsourcelines(kind)
    return f"{Path(path).relative_to(ROOT).as_posix()}:{line}"


def help_texts():
    """Every text of the help: paragraphs, remarks on examples, options, words for values."""
    for name, command in COMMANDS.items():
        texts = [x.removeprefix(EXAMPLE) for x in paragraphs(command.help)]
        texts += [x.help for x in command.params if getattr(x, "help", None)]
        texts += filter(None, map(metavar, command.params))
        yield from ((x, name) for x in texts)


def of_click():
    """Every template that click gives to gettext in the modules that read a line."""
    for module in CLICK:
        for node in ast.walk(ast.parse(Path(module.__file__).read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("_", "ngettext"):
                yield from (x.value for x in node.args if isinstance(x, ast.Constant))


def in_words(text):
    """Whether a text has words that a language says: not code, letters and names of files."""
    return bool(re.search(r"[^\W\d_]{2}", CODE.sub("", text)))


@cache
def _said_by_commands():
    return {x for x, _ in help_texts()} | set(of_click())


def _help():
    for text, name in help_texts():
        function = inspect.unwrap(COMMANDS[name].callback)
        where = quoted().get(text) or _defined(function)
        yield from [(text, where)] if in_words(text) else []
    reader = "src/torseur/cli/frame/spoken.py"
    yield from ((x, reader) for x in sorted(MADE_HELP))
    yield from ((x, reader) for x in of_click() if not NEVER.search(x))


def _words_by_key():
    lines = {}
    for path in sorted((SOURCE / "words" / "en").glob("*.py")):
        place = path.relative_to(ROOT).as_posix()
        table = "teach" if path.stem == "answers" else path.stem
        lines |= {(table, x.value): f"{place}:{x.lineno}" for x in nodes(path, ast.Constant)}
    for table, words in ENGLISH.items():
        for key, english in words.items():
            yield context(table, key), english, lines[table, key]


def _types():
    kinds = (*TYPES, *(x for top in (JointType, ContactType, Constraint) for x in _below(top)))
    for kind in (x for x in kinds if x.__module__.startswith("torseur.")):
        names, words = getattr(kind, "names", ()), getattr(kind, "words", "")
        spelt = [names, *getattr(kind, "called", {}).values()]
        yield from ((NAME, x[0], _defined(kind)) for x in spelt if isinstance(x, tuple) and x)
        yield from [(TYPE, words, _defined(kind))] if isinstance(words, str) and words else []


def _below(kind):
    for one in kind.__subclasses__():
        yield one
        yield from _below(one)


def _examples():
    for name, file in packaged_files(EXAMPLES).items():
        where, text = f"src/torseur/examples/{name}.yaml", file.read_text(encoding="utf-8")
        yield DESCRIBED, example_description(name, catalogue.ENGLISH), where
        parameters = (yaml.safe_load(text).get("parameters") or {}).values()
        told = (x for x in parameters if isinstance(x, dict) and "meaning" in x)
        yield from ((MEANING, x["meaning"], where) for x in told)


@cache
def _of_parsers():
    """The texts in the sources of the reader of YAML, and what that of XML says."""
    trees = [ast.parse(inspect.getsource(x)) for x in (scanner, parser, composer)]
    found = [x.value for tree in trees for x in ast.walk(tree) if isinstance(x, ast.Constant)]
    return [*filter(lambda x: isinstance(x, str), found), *errors.messages.values()]


def said_by_parsers(english):
    """Whether a reader of YAML or XML says it, or begins with it; kinds of nodes are put in."""
    bare = re.sub(r"(block|flow) node$|(alias|anchor)$", "", english.replace("}}", "}"))
    return any(x.startswith(bare) for x in _of_parsers())


def used(message):
    """Whether the sources say a message: as one that needs a translation, or quoted somewhere."""
    if (message.context, message.english) in wanted():
        return True
    if message.context == PLACE:
        return any(message.english in x for x in quoted())
    if message.context == HELP:
        return message.english in _said_by_commands()
    if message.context:
        return message.context == ENTRY and message.english in quoted()
    known = message.english in quoted() or MADE.fullmatch(message.english)
    return bool(known) or said_by_parsers(message.english)


# --- what a catalogue says ------------------------------------------------------------------------


def file_of(lang):
    return catalogue.FOLDER / f"{lang}.po"


@cache
def messages(lang):
    """The messages of a language, without the header."""
    return tuple(list(read_po(file_of(lang).read_text(encoding="utf-8")))[1:])


def texts(lang, context=""):
    """The translations of a context by their English."""
    return {x.english: x.text for x in messages(lang) if x.context == context and x.usable}


def missing(lang):
    """The messages that a language has no words for, and where they are said."""
    there = {(x.context, x.english) for x in messages(lang) if x.usable}
    return [(Message(*key), where) for key, where in wanted().items() if key not in there]


def unused(lang):
    """The messages of a language that nothing says any more."""
    return [
        f"{lang}.po:{x.line}: nothing says {x.english!r}" for x in messages(lang) if not used(x)
    ]


def misplaced(lang):
    """The translations of a language whose values are not those of the English text."""
    return [
        f"{lang}.po:{x.line}: values {sorted(values(x.context, x.english))} in English, "
        f"{sorted(values(x.context, x.text))} in {x.text!r}"
        for x in messages(lang)
        if x.usable and not _fits(x)
    ]


def _fits(message):
    english, own = (values(message.context, x) for x in (message.english, message.text))
    return own <= english if message.context == HELP else own == english


def values(context, text):
    """The values that a text takes: by name, and how many have none.

    Words by a key have torseurs, {V; M}, and sentences have YAML, {mass: 2}: these are no values.
    """
    if context and context not in (HELP, TYPOGRAPHY):
        found = re.findall(r"\{(\w*)(?::[^} ][^}]*)?\}", text)
    else:
        parsed = Formatter().parse(text)
        found = [x for _, x, form, _ in parsed if x is not None and not form.startswith(" ")]
    return {x or f"{found.count('')} without a name" for x in found}


# --- make words -----------------------------------------------------------------------------------


def completed(lang):
    """The text of a catalogue with every message that is wanted, each with the file it is of."""
    head, *found = read_po(file_of(lang).read_text(encoding="utf-8"))
    for message in found:
        rest = [x for x in message.comments if not x.startswith("#:")]
        message.comments = [*rest, *_reference(message)]
    there = {(x.context, x.english) for x in found}
    behind, added = _last_of_each(found), {}
    for message in (Message(*key) for key in {**wanted(), **_elsewhere()} if key not in there):
        message.comments = _reference(message)
        file, table = _near(message)
        added.setdefault(behind.get(file, behind.get(table, len(found) - 1)), []).append(message)
    blocks = [added.get(-1, []), *([x, *added.get(k, [])] for k, x in enumerate(found))]
    return "\n".join(map(str, [head, *(x for block in blocks for x in block)]))


def _last_of_each(found):
    """Where the last message of each file and of each table of words stands."""
    return {near: k for k, message in enumerate(found) for near in _near(message)}


def _near(message):
    """The file of a message in its table, and the table: it is put behind those of the same."""
    table = message.context.partition(":")[0]
    return (table, *message.comments[-1:]), table


def _elsewhere():
    """What other languages say, of messages that need no translation."""
    every = (x for lang in catalogue.languages()[1:] for x in messages(lang))
    return dict.fromkeys((x.context, x.english) for x in every if used(x))


def _reference(message):
    """The file of a message, without its line, which would change with every line above it."""
    where = wanted().get((message.context, message.english)) or quoted().get(message.english)
    return [f"#: {where.partition(':')[0]}"] if where else []


def main(new=""):
    """Report on every language, and add what lacks."""
    if new and new not in catalogue.languages():
        file_of(new).write_text(str(Message("", "", HEADER.format(new))), encoding="utf-8")
        catalogue.languages.cache_clear()
    for lang in catalogue.languages()[1:]:
        lacking = missing(lang)
        said = [f"{where}: {lang} has no {x.english!r}" for x, where in lacking if lang != new]
        for line in (*said, *unused(lang), *misplaced(lang)):
            print(line)
        file_of(lang).write_text(completed(lang), encoding="utf-8", newline="\n")
        print(f"{file_of(lang)}: {len(lacking)} of {len(wanted())} texts wait for a translation.")


if __name__ == "__main__":
    main(*sys.argv[1:])
