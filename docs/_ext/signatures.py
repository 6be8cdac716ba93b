"""Signatures: the names of a group with their arguments and docstrings."""

import inspect
from types import ModuleType

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

import torseur as ts


class Signatures(SphinxDirective):
    """Names of `ts.<group>`, or names of `ts` that are not groups."""

    optional_arguments = 1

    def run(self):
        self.env.note_reread()  # docstrings change without the page
        group = self.arguments[0] if self.arguments else ""
        if group:
            home, names = getattr(ts, group), getattr(ts, group).__all__
        else:
            home = ts
            names = [x for x in ts.__all__ if not isinstance(getattr(ts, x), ModuleType)]
        place = f"ts.{group}" if group else "ts"
        told = nodes.definition_list()
        for name in sorted(names, key=str.lower):
            if not name.startswith("_"):
                told += list(entries(f"{place}.{name}", getattr(home, name)))
        first = inspect.getdoc(home) if group else ""
        return [nodes.paragraph("", first.splitlines()[0]), told] if first else [told]


def entries(place, value):
    """Object of a name, with the functions of a module or the members of a class."""
    if isinstance(value, ModuleType):
        for name, function in inspect.getmembers(value, inspect.isfunction):
            yield from entries(f"{place}.{name}", function)
        return
    members = list(public_members(value)) if inspect.isclass(value) else []
    yield entry(place + arguments(value), inspect.getdoc(value) or "", members)


def public_members(kind):
    """Methods and properties defined by a class, with the first line of each."""
    for name, value in vars(kind).items():
        function = getattr(value, "fget", None) or getattr(value, "func", None) or value
        if name.startswith("_") or not callable(function) or not inspect.getdoc(function):
            continue
        called = arguments(function) if inspect.isfunction(value) else ""
        yield f".{name}{called}", inspect.getdoc(function).splitlines()[0]


def arguments(value):
    """(a, b, *, option=default), without kinds, or nothing where that is unknown."""
    try:
        found = inspect.signature(value)
    except (TypeError, ValueError):
        return ""
    bare = [
        x.replace(annotation=inspect.Parameter.empty, default=shown(x.default))
        for name, x in found.parameters.items()
        if name != "self"
    ]
    return str(inspect.Signature(bare))


def shown(default):
    """Default value as text; long values and objects as an ellipsis."""
    written = repr(default)
    plain = default is inspect.Parameter.empty or (len(written) < 24 and "<" not in written)
    return default if plain else ...


def entry(signature, doc, members):
    """Signature, docstring and members."""
    below = nodes.definition()
    below += [paragraph(x) for x in doc.split("\n\n") if x.strip()]
    if members:
        listed = nodes.bullet_list()
        for name, first in members:
            listed += nodes.list_item("", paragraph(f"`{name}` {first}"))
        below += listed
    term = nodes.term("", "", nodes.literal("", signature))
    return nodes.definition_list_item("", term, below)


def paragraph(text):
    """Text with backquoted parts as code."""
    pieces = " ".join(text.split()).split("`")
    kinds = (nodes.Text, lambda code: nodes.literal("", code))
    return nodes.paragraph("", "", *(kinds[k % 2](x) for k, x in enumerate(pieces) if x))


def setup(app):
    app.add_directive("signatures", Signatures)
    return {"parallel_read_safe": True}
