"""Help of commands in French, by its English: texts, options, and what click says of a line."""

from torseur.words.fr.help.click import CLICK
from torseur.words.fr.help.commands import COMMANDS
from torseur.words.fr.help.metavars import METAVARS
from torseur.words.fr.help.options import OPTIONS

HELP: dict[str, str] = CLICK | COMMANDS | METAVARS | OPTIONS
