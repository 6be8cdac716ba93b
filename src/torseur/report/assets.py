"""Style sheets, scripts and templates that stand beside the code that fills them in."""

from functools import cache
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from torseur.named_words import counted


def asset(folder: str, name: str) -> str:
    """The text of a file of a folder of this package."""
    return files("torseur.report").joinpath(folder, name).read_text(encoding="utf-8")


def style(sheet: str) -> str:
    """The <style> element of a sheet."""
    return f"<style>{sheet}</style>"


@cache
def templates(folder: str) -> Environment:
    """The templates of a folder; what they are not given is an error."""
    settings = Environment(
        loader=PackageLoader("torseur.report", folder),
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


def rendered(folder: str, name: str, **values: object) -> str:
    """The text of a template filled in."""
    return templates(folder).get_template(name).render(**values)
