"""The house style, as far as a machine can hold it."""

import ast
import re
from types import ModuleType

import pytest
from source_code import MODULES, ROOT, SOURCE, nodes, parsed

LONGEST_FILE = 400  # lines
LONGEST_FUNCTION = 60  # lines of code
SHARE_WITH_VALUE = 0.9

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
ERRORS = {"ModelError", "SolveError"}


def place(module, node=None):
    where = module.relative_to(ROOT)
    return f"{where}:{node.lineno}" if node else str(where)


def called(call):
    """The last name of what a call calls: `f` for f(), for m.f() and for a.m.f()."""
    return getattr(call.func, "attr", getattr(call.func, "id", None))


def lines_of_code(function, lines):
    """Lines of a function that are neither blank, nor comment, nor docstring."""
    has_docstring = ast.get_docstring(function, clean=False) is not None
    docstring = function.body[0] if has_docstring else None
    skipped = range(docstring.lineno, docstring.end_lineno + 1) if docstring else ()
    return sum(
        number not in skipped and bool(re.match(r"\s*[^\s#]", lines[number - 1]))
        for number in range(function.lineno, function.end_lineno + 1)
    )


def wording_functions():
    """Functions of errors.py that return an error ready to be raised."""
    return {
        function.name
        for function in nodes(SOURCE / "errors.py", *FUNCTIONS)
        if function.returns and ast.unparse(function.returns) in ERRORS
    }


def carries_a_value(call):
    """Whether the message interpolates something; the place of an error is not its value."""
    arguments = call.args[1:] if called(call) in ERRORS else call.args
    values = [*arguments, *(keyword.value for keyword in call.keywords)]
    return not all(isinstance(value, ast.Constant) or is_mute(value) for value in values)


def is_mute(call):
    """Whether a call says a sentence without values."""
    return isinstance(call, ast.Call) and called(call) == "say" and len(call.args) == 1


def test_every_module_says_what_it_is_for():
    silent = [place(module) for module in MODULES if not ast.get_docstring(parsed(module))]
    assert not silent


def test_no_file_is_longer_than_one_can_read():
    lengths = {place(m): len(m.read_text(encoding="utf-8").splitlines()) for m in MODULES}
    assert not {where: n for where, n in lengths.items() if n > LONGEST_FILE}


def test_no_function_is_longer_than_a_screen():
    long = {}
    for module in MODULES:
        lines = module.read_text(encoding="utf-8").splitlines()
        for function in nodes(module, *FUNCTIONS):
            length = lines_of_code(function, lines)
            if length > LONGEST_FUNCTION:
                long[f"{place(module, function)} {function.name}"] = length
    assert not long


def test_nothing_is_left_to_do():
    left = [
        f"{place(module)}:{number}"
        for module in MODULES
        for number, line in enumerate(module.read_text(encoding="utf-8").splitlines(), 1)
        if re.search(r"\b(TODO|FIXME)\b", line)
    ]
    assert not left


def test_only_the_command_line_prints():
    prints = [
        place(module, call)
        for module in MODULES
        if module.relative_to(SOURCE).parts[0] not in {"cli", "cli.py"}
        for call in nodes(module, ast.Call)
        if isinstance(call.func, ast.Name) and call.func.id == "print"
    ]
    assert not prints


def test_errors_show_the_value_that_is_wrong():
    wordings = ERRORS | wording_functions()
    calls = [(m, call) for m in MODULES for call in nodes(m, ast.Call) if called(call) in wordings]
    mute = [place(module, call) for module, call in calls if not carries_a_value(call)]
    assert len(mute) <= (1 - SHARE_WITH_VALUE) * len(calls), mute


def test_every_public_name_is_documented():
    torseur = pytest.importorskip("torseur")
    pages = "\n".join(page.read_text(encoding="utf-8") for page in (ROOT / "docs").glob("*.md"))
    documented = set(re.findall(r"\b(?:ts|torseur)\.([\w.]*\w)", pages))
    documented |= {name.rpartition(".")[0] for name in documented}
    rooms = {name: getattr(torseur, name) for name in torseur.__all__}
    inside = {
        f"{room}.{name}"
        for room, value in rooms.items()
        if isinstance(value, ModuleType)
        for name in value.__all__
    }
    assert not {*rooms, *inside} - documented


def test_nothing_is_simplified_globally():
    calls = [path.name for path in MODULES if re.search(r"\bsimplify\(", path.read_text("utf-8"))]
    assert not calls


DIGITS = re.compile(r"(?<![\w.])(?=[\d.]{5})\d+\.\d+(?![\w.])|\d\.\d*e[+-]\d")


def compared_texts(test):
    """Strings that a test compares with a text: by ==, by `in`, by the beginning or the end."""
    for node in nodes(test, ast.Compare, ast.Call):
        if isinstance(node, ast.Compare) or called(node) in ("startswith", "endswith"):
            yield from (x for x in ast.walk(node) if isinstance(x, ast.Constant))


def test_no_test_compares_the_last_digit_of_a_text_of_computed_numbers():
    """Processors differ there: `same_text` and `tells` compare such texts."""
    quoted = re.compile(rf"[\"'][^\"'\n]*(?:{DIGITS.pattern})")
    tests = [x for x in (ROOT / "tests").rglob("test_*.py") if quoted.search(x.read_text("utf-8"))]
    wrong = {
        place(test, text)
        for test in tests
        for text in compared_texts(test)
        if isinstance(text.value, str) and DIGITS.search(text.value) and not is_read(test, text)
    }
    assert wrong == set()


def is_read(test, text):
    """Whether a text is what Torseur reads, not what it prints: an argument of `read`."""
    return any(text in call.args for call in nodes(test, ast.Call) if called(call) == "read")
