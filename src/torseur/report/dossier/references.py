"""What a report refers to: the sources of the methods by which it was computed."""

from __future__ import annotations

from torseur.report.documents.parts import Items, Parts
from torseur.version import __version__

_LLIBRE = "M. Llibre, Modélisation de la dynamique des systèmes matériels multi-corps, 2009"
_PLAUT = "E. Plaut, Mécanique générale et analytique, ENSEM, 2007"
_ISO = "ISO 3952-1:1981, Kinematic diagrams – Graphical symbols"
_BY_FORMALISM = {
    "lagrange": "J.-L. Lagrange, Mécanique analytique, 1788",
    "hamilton": "W. R. Hamilton, On a general method in dynamics, Phil. Trans. R. Soc., 1834",
    "kane": "T. R. Kane, D. A. Levinson, Dynamics: theory and applications, McGraw-Hill, 1985",
    "gibbs-appell": "P. Appell, Traité de mécanique rationnelle, tome II, Gauthier-Villars, 1896",
}


def references(formalism: str | None) -> Parts:
    """The scheme, the balance, the formalism, the verdicts on stability, and the program."""
    own = _BY_FORMALISM.get(formalism or "lagrange")
    listed = (_ISO, _LLIBRE, *((own,) if own else ()), _PLAUT, f"Torseur {__version__}")
    return (Items(listed),)
