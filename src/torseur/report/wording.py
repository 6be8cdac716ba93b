"""The words of the reports, in English and in French."""

import re
from collections.abc import Mapping

from torseur.errors import unknown

Wording = Mapping[str, str]

ENGLISH: dict[str, str] = {
    "drawn as 1": "Lengths not given are drawn as 1: {}.",
    "drawn apart": "Joints at one place are drawn apart.",
    # the tables of the 1980 report
    "table frames": "Table MRR of the changes of frame",
    "table translations": "Table of constant translations",
    "table rotations": "Table of rotations",
    "table numbers": "Size",
    "table bodies": "List of bodies",
    "table limits": "Limits of the degrees of freedom",
    "table masses": "Mass data",
    "table inertias": "Tensors of inertia at the centres of mass",
    "table V": "Constant lumped masses",
    "table W": "Constant lumped inertias",
    "table J": "Total inertias",
    "table Q": "Gravity torques",
    "table A": "Inertia coefficients",
    "table B": "Velocity coefficients",
    "table operations": "Operation count",
    "changes of frame": "changes of frame",
    "freedoms": "degrees of freedom",
    "body": "body",
    "length": "length",
    "coordinate": "coordinate",
    "minimum": "minimum",
    "maximum": "maximum",
    "mass": "mass",
    "centre": "centre",
    "stage parameters": "once per parameter set",
    "stage configuration": "per configuration",
    "stage state": "per state",
    "products": "products",
    "sums": "sums",
    "sines": "sines, cosines",
    "total": "total",
}

FRENCH: dict[str, str] = {
    "drawn as 1": "Les longueurs sans valeur sont dessinées égales à 1 : {}.",
    "drawn apart": "Les liaisons confondues sont dessinées séparées.",
    "table frames": "Tableau MRR de la description",
    "table translations": "Tableau des translations constantes",
    "table rotations": "Tableau des rotations",
    "table numbers": "Dimensions",
    "table bodies": "Liste des corps décrits",
    "table limits": "Limites des degrés de liberté",
    "table masses": "Données massiques",
    "table inertias": "Tenseurs d'inertie aux centres de masse",
    "table V": "Masses rapportées constantes",
    "table W": "Inerties rapportées constantes",
    "table J": "Inerties totales",
    "table Q": "Couples exercés par la pesanteur",
    "table A": "Coefficients des couples d'inertie",
    "table B": "Coefficients des termes de vitesse",
    "table operations": "Nombre d'opérations",
    "changes of frame": "changements de repère",
    "freedoms": "degrés de liberté",
    "body": "corps",
    "length": "longueur",
    "coordinate": "coordonnée",
    "minimum": "minimum",
    "maximum": "maximum",
    "mass": "masse",
    "centre": "centre",
    "stage parameters": "une fois par jeu de paramètres",
    "stage configuration": "par configuration",
    "stage state": "par état",
    "products": "produits",
    "sums": "sommes",
    "sines": "sinus, cosinus",
    "total": "total",
}
LANGUAGES: dict[str, Wording] = {"en": ENGLISH, "fr": FRENCH}


def wording(lang: str) -> Wording:
    """The words of a language."""
    if lang not in LANGUAGES:
        raise unknown("lang", "language", lang, LANGUAGES)
    return LANGUAGES[lang]
