"""LaTeX documents of their own: one beginning for reports, equations and pictures alike."""

from collections.abc import Iterable

from torseur.algebra.printing.latex_words import foreign
from torseur.errors import ModelError
from torseur.words.sentence import say

_ALWAYS = ("[utf8]{inputenc}", "[T1]{fontenc}")
_SCALABLE = r"\IfFileExists{lmodern.sty}{\usepackage{lmodern}}{}"  # letters of any size


def tex_document(
    kind: str, packages: Iterable[str], settings: Iterable[str], lines: Iterable[str]
) -> str:
    """A document of a class that pdflatex compiles; letters it has no font for are refused."""
    body = [*settings, r"\begin{document}", *lines, r"\end{document}", ""]
    if letters := foreign("".join(body)):
        raise ModelError(
            "LaTeX",
            say('pdflatex has no letters for "{letters}".', letters),
            "Write .html, .pdf or .svg, or name things in Latin or Greek letters.",
        )
    used = (rf"\usepackage{package}" for package in (*_ALWAYS, *packages))
    return "\n".join([rf"\documentclass{kind}", *used, _SCALABLE, *body])
