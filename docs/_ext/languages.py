"""French pages in French throughout, and a search in the language of the page it starts from.

Pages of the folder `fr` get `lang="fr"` and the words of the theme from the French catalogue of
Sphinx; `languages.js` keeps the results of a search that are in the language of the reader.
"""

import gettext
from pathlib import Path

import sphinx

CATALOGUES = Path(sphinx.__file__).parent / "locale"
OF_THEME = {  # words of furo that Sphinx has not
    "Back to top": "Haut de page",
    "Contents": "Sommaire",
    "Home": "Accueil",
    "Search": "Rechercher",
}


def spoken(app, pagename, templatename, context, doctree):
    """Give a page its language and the words of the theme in it."""
    if not pagename.startswith("fr/"):
        return
    french = gettext.translation("sphinx", CATALOGUES, ["fr"], fallback=True).gettext
    words = {"language": "fr", "_": lambda text: OF_THEME.get(text) or french(text)}
    context.update(words, gettext=words["_"])


def setup(app):
    app.add_js_file("languages.js")
    app.connect("html-page-context", spoken)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
