"""Style sheets, scripts and templates that stand beside the code that fills them in."""

from collections.abc import Iterable
from functools import cache
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from torseur.named_words import counted


def asset(path: str) -> str:
    """The text of a file of this package."""
    return files("torseur.report").joinpath(path).read_text(encoding="utf-8")


def enclosed(folder: str, scripts: Iterable[str]) -> Markup:
    """Scripts as one, in which nothing is visible to a page around it."""
    return Markup(f"(() => {{\n{joined(folder, scripts)}}})();")


def joined(folder: str, scripts: Iterable[str]) -> str:
    """Scripts one after the other."""
    return "\n".join(asset(f"{folder}/{name}") for name in scripts)


def style(path: str) -> str:
    """The <style> element of a sheet."""
    return f"<style>{asset(path)}</style>"


@cache
def templates() -> Environment:
    """The templates of this package; what they are not given is an error."""
    settings = Environment(
        loader=PackageLoader("torseur.report", ""),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    settings.filters |= {"sentence": paragraph, "counted": counted}
    return settings


def paragraph(template: str, *parts: object) -> Markup:
    """A sentence of ours with markup in its places."""
    return Markup(escape(template)).format(*parts)


def rendered(path: str, **values: object) -> str:
    """The text of a template filled in."""
    return templates().get_template(path).render(**values)
