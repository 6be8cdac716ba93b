"""Every sentence that is given to an error or a notice passes through the catalogue of words."""

import ast
import re
from functools import cache
from pathlib import Path
from xml.parsers.expat import errors

import source_code
from ruamel.yaml import composer, parser, scanner
from source_code import SOURCE, nodes

from torseur.words.fr.sentences import SENTENCES, parsers
from torseur.words.sentence import places

MODULES = [x for x in source_code.MODULES if "words" not in x.relative_to(SOURCE).parts]

FIRST = {"ModelError": 1, "SolveError": 1, "FormulaError": 0, "fault": 0}  # argument that is said
LISTS = re.compile(r"_?(\w+_)?(notice|notices)")
SAID = re.compile(rf"\b({'|'.join(FIRST)})\(|notice")  # in a module that gives sentences at all
WORD = re.compile(r"[^\W\d_]{2}")
WRITTEN = {"labelled": 1, "set_xlabel": 0, "set_ylabel": 0, "set_zlabel": 0, "set_title": 0,
           "suptitle": 0, "annotate": 0}  # fmt: skip
SIGNS = re.compile(r"\[[^]]*\]?|\b(Re|Im|SI|Hz|rtol|rad|N|m|s|kg|E_p|K0)\b|[₁₂₃]")
DRAWN = "language/text/place.py"  # a line of the user's text with a caret under it
BY_KIND = "errors.py"  # the sentences of `unknown` are made for each kind, and tested by kind


def called(call):
    return getattr(call.func, "attr", getattr(call.func, "id", None))


def label(x):
    return getattr(x, "attr", getattr(x, "id", ""))


def given(function):
    """What a function gives to errors and to notices, names followed to what they stand for."""
    nodes, names = list(ast.walk(function)), {}
    for node in nodes:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                names.setdefault(label(target), []).append(node.value)
    for node in nodes:
        if isinstance(node, ast.Call) and called(node) in FIRST:
            for x in node.args[FIRST[called(node)] :]:
                yield x
                yield from names.get(label(x), ()) if isinstance(x, ast.Name) else ()
        elif isinstance(node, ast.Call) and called(node) in ("append", "extend"):
            if LISTS.fullmatch(label(getattr(node.func, "value", None))):
                yield from node.args
        elif isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign) and node.value:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(LISTS.fullmatch(label(x)) for x in targets):
                yield node.value


def parts(x):
    """The texts that an expression may be, those of choices and of collections included."""
    if isinstance(x, ast.IfExp):
        yield from (*parts(x.body), *parts(x.orelse))
    elif isinstance(x, ast.BoolOp):
        yield from (one for value in x.values for one in parts(value))
    elif isinstance(x, ast.Tuple | ast.List):
        yield from (one for value in x.elts for one in parts(value))
    elif isinstance(x, ast.Starred):
        yield from parts(x.value)
    elif isinstance(x, ast.GeneratorExp | ast.ListComp):
        yield from parts(x.elt)
    else:
        yield x


@cache
def read(path):
    """Of a module: the texts that are given, the calls of `say`, and all texts in it."""
    told = SAID.search(path.read_text(encoding="utf-8"))
    functions = nodes(path, ast.FunctionDef) if told else []
    texts = [one for function in functions for x in given(function) for one in parts(x)]
    calls = [x for x in nodes(path, ast.Call) if called(x) == "say"]
    worded = [x.args[0] for x in nodes(path, ast.Call) if called(x) == "worded"]
    texts += [one for x in worded for one in parts(x)]
    quoted = {x.value for x in nodes(path, ast.Constant) if isinstance(x.value, str)}
    return texts, calls, quoted


def modules(besides):
    """Every module by its name below the sources, but for one."""
    named = ((path.relative_to(SOURCE).as_posix(), path) for path in MODULES)
    return [(name, path) for name, path in named if name != besides]


def test_no_sentence_is_put_together_where_it_is_given():
    """A text with values in it is said: `say("… {name} …", value)`."""
    loose = []
    for name, path in modules(DRAWN):
        sums = (x for x in read(path)[0] if isinstance(x, ast.JoinedStr | ast.BinOp))
        made = (x for x in sums if any(isinstance(y, ast.JoinedStr) for y in ast.walk(x)))
        loose += [f"{name}:{x.lineno}: {ast.unparse(x)}" for x in made]
    assert not loose


def test_every_sentence_has_french():
    lacking = {}
    for name, path in modules(BY_KIND):
        texts, calls, _ = read(path)
        plain = {x.value for x in texts if isinstance(x, ast.Constant) and x.value}
        templates = {x.args[0].value for x in calls}
        said = {x for x in plain | templates if isinstance(x, str) and WORD.search(x)}
        wordless = {x for x in templates if not WORD.search(re.sub(r"\{[^{}]*\}", "", x))}
        if without := said - wordless - set(SENTENCES):
            lacking[name] = without
    assert not lacking


def in_figures(path):
    """What figures are given to write: names of axes, titles, legends and notes."""
    for call in nodes(path, ast.Call):
        yield from (x.value for x in call.keywords if x.arg == "label")
        yield from call.args[WRITTEN[called(call)] :] if called(call) in WRITTEN else ()


def test_what_stands_in_a_figure_is_said():
    """Names of quantities, symbols and units aside: [rad/s], Re λ."""
    wrong = []
    for name, path in modules(BY_KIND):
        if "figures import" not in path.read_text(encoding="utf-8"):
            continue
        for x in (one for given in in_figures(path) for one in parts(given)):
            pieces = x.values if isinstance(x, ast.JoinedStr) else [x]
            fixed = [y.value for y in pieces if isinstance(y, ast.Constant)]
            words = [y for y in fixed if WORD.search(SIGNS.sub("", str(y)))]
            alone = isinstance(x, ast.Constant) and x.value in SENTENCES
            wrong += [f"{name}:{x.lineno}: {words}"] if words and not alone else []
    assert not wrong


def test_every_sentence_is_given_its_values():
    wrong = [
        f"{name}:{call.lineno}"
        for name, path in modules(BY_KIND)
        for call in read(path)[1]
        if len(places(call.args[0].value)) != len(call.args) - 1
    ]
    assert not wrong


def test_no_entry_of_the_table_is_left_that_nothing_says():
    quoted = {x for path in MODULES for x in read(path)[2]}
    made = re.compile(
        r'.* "\{name\}" does not exist\.|Known .*: (\{names\}|none)\.|in the .*|an? .* joint'
    )
    left = SENTENCES.keys() - quoted - parsers.SENTENCES.keys()
    assert not {x for x in left if not made.fullmatch(x)}


def test_what_is_told_of_yaml_and_xml_is_what_their_parsers_say():
    """Its sources hold every text; of a node or an anchor the kind is put in."""
    sources = (Path(x.__file__) for x in (scanner, parser, composer))
    said = "".join(x.read_text(encoding="utf-8") for x in sources)
    texts = {re.sub(r"a (block|flow) node$|an (alias|anchor)$", "", x) for x in parsers.YAML}
    assert not {x for x in texts if x not in said}
    assert not set(parsers.XML) - set(errors.messages.values())
