"""What the sources say: sentences, errors, notices, figures and kinds of names."""

import ast
import re
from functools import cache

import source_code
from source_code import ROOT, SOURCE, nodes

from torseur.words.en.plural import plural

MODULES = [x for x in source_code.MODULES if "words" not in x.relative_to(SOURCE).parts]

FIRST = {"ModelError": 1, "SolveError": 1, "FormulaError": 0, "fault": 0}  # argument that is said
LISTS = re.compile(r"_?(\w+_)?(notice|notices)")
SAID = re.compile(rf"\b({'|'.join(FIRST)})\(|notice")  # in a module that gives sentences at all
WORD = re.compile(r"[^\W\d_]{2}")
WRITTEN = {"labelled": 1, "set_xlabel": 0, "set_ylabel": 0, "set_zlabel": 0, "set_title": 0,
           "suptitle": 0, "annotate": 0}  # fmt: skip
SIGNS = re.compile(r"\[[^]]*\]?|\b(Re|Im|SI|Hz|rtol|rad|N|m|s|kg|E_p|K0)\b|[₁₂₃]")
DRAWN = "language/text/place.py"  # a line of the user's text with a caret under it
BY_KIND = "errors.py"  # the sentences of `unknown` are made for each kind
NAMING = ("unknown", "require_known")  # functions that take a place, then a kind of name
LISTED = {"", "and", "or", "rotation", "grashof"}  # other second arguments of `listed`


def called(call):
    return getattr(call.func, "attr", getattr(call.func, "id", None))


def label(x):
    return getattr(x, "attr", getattr(x, "id", ""))


def place(path, node):
    return f"{path.relative_to(ROOT).as_posix()}:{node.lineno}"


def modules(besides):
    """Every module by its name below the sources, but for one."""
    named = ((path.relative_to(SOURCE).as_posix(), path) for path in MODULES)
    return [(name, path) for name, path in named if name != besides]


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
    quoted = [x for x in nodes(path, ast.Constant) if isinstance(x.value, str)]
    return texts, calls, quoted


def in_figures(path):
    """What figures are given to write: names of axes, titles, legends and notes."""
    if "figures import" not in path.read_text(encoding="utf-8"):
        return
    for call in nodes(path, ast.Call):
        shown = [x.value for x in call.keywords if x.arg == "label"]
        shown += call.args[WRITTEN[called(call)] :] if called(call) in WRITTEN else []
        yield from (one for x in shown for one in parts(x))


def words_in_figure(x):
    """The words in what a figure writes, names of quantities, symbols and units aside."""
    pieces = x.values if isinstance(x, ast.JoinedStr) else [x]
    fixed = [y.value for y in pieces if isinstance(y, ast.Constant)]
    return [y for y in fixed if WORD.search(SIGNS.sub("", str(y)))]


def wordless(template):
    """Whether nothing is left of a template without its values."""
    return not WORD.search(re.sub(r"\{[^{}]*\}", "", template))


def sentences():
    """Every sentence that needs a translation, and where it stands; some stand in many places."""
    for name, path in modules(""):
        texts, calls, _ = read(path)
        if name != BY_KIND:
            plain = [x for x in texts if isinstance(x, ast.Constant) and isinstance(x.value, str)]
            yield from ((x.value, place(path, x)) for x in plain if WORD.search(x.value))
            templates = ((x.args[0].value, place(path, x)) for x in calls)
            yield from ((x, where) for x, where in templates if not wordless(x))
        drawn = (x for x in in_figures(path) if isinstance(x, ast.Constant))
        yield from ((x.value, place(path, x)) for x in drawn if words_in_figure(x))
        for call in nodes(path, ast.Call):
            kind = call.args[1] if len(call.args) > 1 else None
            if not isinstance(kind, ast.Constant):
                continue
            if called(call) in NAMING:
                yield from ((x, place(path, call)) for x in of_kind(kind.value))
            if called(call) == "listed" and kind.value not in LISTED:
                yield kind.value, place(path, call)


def of_kind(kind):
    """The sentences of `unknown` for a kind of name."""
    yield f'{kind} "{{name}}" does not exist.'
    yield from (f"Known {plural(kind)}: {names}." for names in ("{names}", "none"))


@cache
def quoted():
    """Where each text of the sources first stands."""
    found = {}
    for path in MODULES:
        for x in read(path)[2]:
            found.setdefault(x.value, place(path, x))
    return found
