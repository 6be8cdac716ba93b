"""The list of rooms of docs/rooms.md: names in the order of the page, sentences from the sources.

`python tests/support/rooms.py` writes the sentences anew and reports rooms that the list lacks.
"""

import ast
import re

from source_code import ROOT, SOURCE, parsed

PAGE = ROOT / "docs" / "rooms.md"
LIST = re.compile(r"^```\n(.*?)^```$", re.M | re.S)


def sentence(module):
    """First line of the docstring of a module or a package."""
    return ast.get_docstring(parsed(module)).splitlines()[0]


def rooms():
    """Modules of the top, packages and their sub-packages, each with its sentence."""
    for path in SOURCE.rglob("*.py"):
        place = path.relative_to(SOURCE)
        if path.name == "__init__.py" and len(place.parts) > 1:
            yield f"{place.parent.as_posix()}/", sentence(path)
        elif len(place.parts) == 1 and not path.name.startswith("__"):
            yield path.name, sentence(path)


def listed(text):
    """Pairs of room and sentence on the page; an indented line is a sub-package of the last one."""
    package = ""
    for line in LIST.search(text)[1].splitlines():
        indent, name, words = re.fullmatch(r"( *)(\S+) +(.+)", line).groups()
        package = "" if not indent else package
        yield package + name, words
        package = package or name


def rewritten(text):
    """The page with the sentences of today; a room that is gone loses its line."""
    today, lines = dict(rooms()), []
    for name, _ in listed(text):
        if name in today:
            short = name if name.count("/") < 2 else "  " + name.partition("/")[2]
            lines.append(f"{short:<20} {today[name]}\n")
    return LIST.sub(lambda _: f"```\n{''.join(lines)}```", text, count=1)


if __name__ == "__main__":
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(rewritten(page), encoding="utf-8")
    missing = {name for name, _ in rooms()} - {name for name, _ in listed(page)}
    print("\n".join(f"{name}: add a line" for name in sorted(missing)))
