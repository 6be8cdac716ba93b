"""Signatures: the public names of a group with their arguments, types and docstrings.

Each name is an object of Sphinx's Python domain: it has an address and an entry in the inventory.
"""

import inspect
import re
from types import ModuleType, UnionType

from sphinx.util.docutils import SphinxDirective
from sphinx.util.inspect import signature as typed_signature
from sphinx.util.inspect import stringify_signature

import torseur as ts


class Signatures(SphinxDirective):
    """Names of `ts.<group>`, or names of `ts` that are not groups."""

    optional_arguments = 1

    def run(self):
        self.env.note_reread()  # docstrings change without the page
        group = self.arguments[0] if self.arguments else ""
        home = getattr(ts, group) if group else ts
        names = [x for x in home.__all__ if not x.startswith("_")]
        if not group:
            names = [x for x in names if not isinstance(getattr(ts, x), ModuleType)]
        lines = [inspect.getdoc(home).splitlines()[0], ""] if group else []
        lines += module(home.__name__, {x: getattr(home, x) for x in names})
        return self.parse_text_to_nodes("\n".join(lines))


def module(place, values):
    """Lines of the names of a module; modules within it come last."""
    inner = {name: x for name, x in values.items() if isinstance(x, ModuleType)}
    lines = block(4, "module", place, [])
    for name in sorted(values.keys() - inner.keys(), key=str.lower):
        lines += entry(name, values[name])
    for name, home in sorted(inner.items()):
        functions = inspect.getmembers(home, inspect.isfunction)
        lines += module(f"{place}.{name}", {x: f for x, f in functions if not x.startswith("_")})
    return lines


def entry(name, value):
    """Lines of a function, a class with its members, or a constant."""
    text = paragraphs(inspect.getdoc(value) or "")
    if inspect.isclass(value):
        members = [line for member in public_members(value) for line in member]
        return block(4, "class", name + arguments(value), [*text, *members])
    if callable(value):
        return block(4, "function", name + arguments(value), text)
    return block(4, "data", name, [contents(value), ""])


def contents(value):
    """The members of a constant: names of a table, or classes of a type."""
    if isinstance(value, UnionType):
        return "One of " + ", ".join(f"`{x.__name__}`" for x in value.__args__) + "."
    return "With the keys " + ", ".join(f"`{x}`" for x in value) + "."


def public_members(kind):
    """Lines of the methods and properties that a class defines and documents."""
    for name, value in vars(kind).items():
        function = getattr(value, "fget", None) or getattr(value, "func", None) or value
        function = getattr(function, "__func__", function)  # class methods
        doc = inspect.getdoc(function)
        if name.startswith("_") or not callable(function) or not doc:
            continue
        method = callable(value) or isinstance(value, classmethod | staticmethod)
        kind_of, called = ("method", arguments(function)) if method else ("property", "")
        yield block(3, kind_of, name + called, [escaped(doc.splitlines()[0])])


def block(depth, kind, signature, text):
    """A directive of the Python domain, as lines; shallower blocks stand inside deeper ones."""
    fence = "`" * depth
    return [f"{fence}{{py:{kind}}} {signature}", "", *text, fence, ""]


def arguments(value):
    """Arguments with types; a long default is an ellipsis. Nothing where they are unknown."""
    try:
        found = typed_signature(value)
    except (TypeError, ValueError):
        return ""
    shown = [
        x.replace(default=x.default if plain(x.default) else Ellipsis)
        for name, x in found.parameters.items()
        if name not in ("self", "cls")
    ]
    written = stringify_signature(found.replace(parameters=shown), unqualified_typehints=True)
    return written.replace("\n", " ").removesuffix(" -> None")


def plain(default):
    """True for a default that is short and reads as code."""
    written = repr(default)
    return default is inspect.Parameter.empty or (len(written) < 24 and "<" not in written)


def paragraphs(doc):
    """A docstring as paragraphs of Markdown."""
    for text in doc.split("\n\n"):
        if text.strip():
            yield escaped(text)
            yield ""


def escaped(text):
    """Words with backquoted parts as code, and no other markup."""
    pieces = " ".join(text.split()).split("`")
    marks = re.compile(r"([\\*_\[\]<>$#|~&{}])")
    return "`".join(marks.sub(r"\\\1", x) if k % 2 == 0 else x for k, x in enumerate(pieces))


def setup(app):
    app.add_directive("signatures", Signatures)
    return {"parallel_read_safe": True}
