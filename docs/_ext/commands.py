"""The commands in their groups, with what `--help` says of each.

The directive takes a language. Each command is a section, so that it has an address and its row in
the contents of the page.
"""

from collections import Counter

import click
from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from torseur.cli.commands import GROUPS
from torseur.cli.commands import commands as torseur
from torseur.cli.frame.spoken import in_words, metavar
from torseur.words.help import helped, paragraphs
from torseur.words.language import speaking

SHARED_BY = 30  # commands: an option of more is described once, before them
HEADINGS = {
    "en": ("Options of most commands", "option", "meaning"),
    "fr": ("Options de la plupart des commandes", "option", "sens"),
}


class Commands(SphinxDirective):
    """Sections of all commands, in a language."""

    required_arguments = 1

    def run(self):
        self.env.note_reread()  # docstrings change without the page
        language = self.arguments[0]
        with speaking(language):
            found = {name: in_words(torseur.table[name]) for name in torseur.table}
            flags = Counter(flag(x) for x in found.values() for x in options(x))
            shared = {name for name, count in flags.items() if count > SHARED_BY}
            heading, *columns = HEADINGS[language]
            lines = [f"## {heading}", "", *table(common(found, shared), columns)]
            for group, names in torseur.table.groups.items():
                lines += [f"## {helped(GROUPS[group])}", ""]
                for name in names:
                    lines += section(name, found[name], shared, columns)
        document = nodes.Element()
        document += self.parse_text_to_nodes("\n".join(lines), allow_section_headings=True)
        return document.children


def section(name, command, shared, columns):
    """Lines of one command: usage, text and the options that few others have."""
    words = [metavar(x) for x in command.params if isinstance(x, click.Argument)]
    used = " ".join(["torseur", name, *filter(None, words)])
    text = [line for x in paragraphs(command.help) for line in (explained(x), "")]
    own = [x for x in options(command) if flag(x) not in shared]
    return [f"### {name}", "", f"```none\n{used}\n```", "", *text, *table(own, columns)]


def explained(paragraph):
    """A paragraph of the help; its examples are code."""
    label, colon, line = paragraph.partition(": torseur ")
    return f"{label}: `torseur {line}`" if colon else paragraph


def options(command):
    return [x for x in command.params if isinstance(x, click.Option)]


def flag(option):
    return max(option.opts, key=len)


def common(found, shared):
    """The options that many commands have, in the order in which they come."""
    return {flag(x): x for c in found.values() for x in options(c) if flag(x) in shared}.values()


def table(rows, columns):
    """Lines of a table of options."""
    if not rows:
        return []
    lines = [f"| {' | '.join(columns)} |", "|---|---|"]
    for option in rows:
        names = ", ".join(sorted(option.opts, key=len, reverse=True))
        word = metavar(option) or "|".join(getattr(option.type, "choices", ()))
        told = f"`{names} {word}`".replace(" `", "`").replace("|", r"\|")
        lines.append(f"| {told} | {(option.help or '').replace('|', chr(92) + '|')} |")
    return [*lines, ""]


def setup(app):
    app.add_directive("commands", Commands)
    return {"parallel_read_safe": True}
