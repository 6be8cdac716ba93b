"""French pages in French throughout, and a search in the language of the page it starts from.

Pages of the folder `fr` get `lang="fr"`, the words of the theme from the French catalogue of Sphinx
and a contents list that starts with the French pages; `languages.js` keeps the results of a search
that are in the language of the reader.
"""

import gettext
import re
from pathlib import Path

import sphinx

CATALOGUES = Path(sphinx.__file__).parent / "locale"
OF_THEME = {  # words of furo that Sphinx has not
    "Back to top": "Haut de page",
    "Contents": "Sommaire",
    "Home": "Accueil",
    "Search": "Rechercher",
}
CAPTIONS = {  # of the lists of English pages
    "Learn": "Apprendre (en anglais)",
    "Do": "Faire (en anglais)",
    "Look up": "Consulter (en anglais)",
    "Understand": "Comprendre (en anglais)",
}
LATE = 900  # after the theme


def spoken(app, pagename, templatename, context, doctree):
    """Give a page its language and the words of the theme in it."""
    if not pagename.startswith("fr/"):
        return
    french = gettext.translation("sphinx", CATALOGUES, ["fr"], fallback=True).gettext
    words = {"language": "fr", "_": lambda text: OF_THEME.get(text) or french(text)}
    context.update(words, gettext=words["_"])
    context["furo_navigation_tree"] = french_first(context["furo_navigation_tree"])


def french_first(tree):
    """The contents list with the French pages, its last group, before the English ones."""
    start, *groups = re.split(r'(?=<p class="caption")', tree)
    for english, french in CAPTIONS.items():
        groups = [x.replace(f">{english}</span>", f">{french}</span>", 1) for x in groups]
    return "".join([start, *groups[-1:], *groups[:-1]])


def setup(app):
    app.add_js_file("languages.js")
    app.connect("html-page-context", spoken, priority=LATE)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
