"""The words of the YAML form in French: sections, entries, and what some entries say.

They are read with or without accents, with spaces, hyphens or underscores, beside the English ones.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType

from torseur.model.joints.catalogue import plain

# by the English word; the first is the one that messages show
_TABLE: dict[str, tuple[str, ...]] = {
    # sections
    "name": ("nom",),
    "gravity": ("pesanteur", "gravité"),
    "frame": ("référentiel",),
    "parameters": ("paramètres",),
    "definitions": ("définitions",),
    "bodies": ("solides", "corps"),
    "first_direction": ("première_direction",),
    "second_direction": ("seconde_direction", "deuxième_direction"),
    "joints": ("liaisons",),
    "motors": ("moteurs",),
    "forces": ("efforts",),
    "frames": ("repères",),
    "constraints": ("contraintes", "conditions"),
    "motions": ("mouvements",),
    "inputs": ("commandes",),
    "impacts": ("chocs",),
    "events": ("événements",),
    "reactions": ("réactions",),
    "initial": ("initiales", "conditions initiales", "départ"),
    # parameters and tables
    "value": ("valeur",),
    "unit": ("unité",),
    "meaning": ("sens", "signification"),
    "ends": ("extrémités",),
    "beyond": ("au-delà",),
    "file": ("fichier",),
    # bodies
    "body": ("solide",),
    "mass": ("masse",),
    "inertia": ("inertie",),
    "shape": ("forme",),
    "density": ("masse volumique", "densité"),
    "parts": ("parties",),
    "removed": ("retiré", "enlevé"),
    "accept": ("accepter",),
    "meshes": ("maillages",),
    "visuals": ("visuels",),
    "scale": ("échelle",),
    # joints
    "axis": ("axe",),
    "coordinate": ("coordonnée",),
    "coordinates": ("coordonnées",),
    "limits": ("limites",),
    "friction": ("frottement",),
    "stop": ("butée", "arrêt"),
    "effort": ("effort maximal",),
    "velocity": ("vitesse maximale",),
    "pitch": ("pas",),
    "joint": ("liaison",),
    # motors
    "ratio": ("rapport",),
    "rotor_inertia": ("inertie du rotor",),
    "viscous": ("visqueux",),
    "dry": ("sec",),
    "torque": ("couple moteur",),
    "motor": ("moteur",),
    "output": ("sortie",),
    # friction, stops and shocks
    "static": ("statique",),
    "kinetic": ("cinétique", "dynamique"),
    "half_angle": ("demi-angle",),
    "constant": ("constante", "constant"),
    "stiffness": ("raideur",),
    "damping": ("amortissement",),
    "exponent": ("exposant",),
    # places, directions and sizes
    "along": ("suivant",),
    "among": ("parmi",),
    "between": ("entre",),
    "through": ("par", "passant par"),
    "on": ("sur",),
    "other": ("autre",),
    "normal": ("normale",),
    "line": ("droite",),
    "radius": ("rayon",),
    "radii": ("rayons",),
    "length": ("longueur",),
    "height": ("hauteur",),
    "width": ("largeur",),
    "size": ("dimensions",),
    "area": ("aire",),
    "outline": ("contour",),
    # forces, constraints and contacts
    "zero": ("zéro",),
    "law": ("loi",),
    "load": ("charge",),
    "kind": ("genre",),
    "potential": ("potentiel",),
    "pressure": ("pression",),
    "pressure_angle": ("angle de pression",),
    "carrier": ("bras",),
    "crossed": ("croisée",),
    "drum": ("tambour",),
    "rope": ("câble",),
    "strand": ("brin",),
    "strut": ("buton",),
    "lead": ("pas d'hélice",),
    "gap": ("jeu",),
    "play": ("jeu d'engrènement",),
    "patch": ("tache",),
    "rolling": ("roulement",),
    "pivoting": ("pivotement",),
    "slip": ("glissement",),
    "surface_axis": ("axe de surface",),
    "surface_file": ("fichier de surface",),
    "surface_length": ("longueur de surface",),
    "surface_outline": ("contour de surface",),
    "surface_points": ("points de surface",),
    "surface_radius": ("rayon de surface",),
    "surface_scale": ("échelle de surface",),
    "surface_size": ("dimensions de surface",),
    # solids and their dimensions
    "box": ("pavé",),
    "plate": ("plaque",),
    "bar": ("barre",),
    "cylinder": ("cylindre",),
    "hollow_cylinder": ("cylindre creux",),
    "capsule": ("gélule",),
    "torus": ("tore",),
    "hoop": ("cerceau",),
    "cone": ("cône",),
    "sphere": ("boule",),
    "hollow_sphere": ("boule creuse",),
    "shell": ("coque sphérique",),
    "disc": ("disque",),
    "half_disc": ("demi-disque",),
    "minor_radius": ("petit rayon",),
    "major_radius": ("grand rayon",),
    "inner_radius": ("rayon intérieur",),
    "outer_radius": ("rayon extérieur",),
    # what entries say
    "ground": ("bâti", "0"),
    "all": ("tous",),
    "yes": ("oui",),
    "no": ("non",),
    "true": ("vrai",),
    "false": ("faux",),
    "both": ("les deux",),
    "rising": ("montant",),
    "falling": ("descendant",),
    "least_norm": ("norme minimale",),
    "simultaneous": ("simultanés",),
    "sequential": ("successifs",),
    "external": ("extérieur",),
    "internal": ("intérieur",),
    "bevel": ("conique",),
    "rack": ("crémaillère",),
    "worm": ("vis sans fin",),
}
FRENCH: Mapping[str, tuple[str, ...]] = MappingProxyType(_TABLE)
_ENGLISH: dict[str, list[str]] = {}  # by words as they are recognised, apostrophes being spaces
for _key, _words in _TABLE.items():
    for _word in _words:
        _ENGLISH.setdefault(plain(_word.replace("'", " ")), []).append(_key)


@lru_cache(maxsize=4096)
def meanings(word: str) -> tuple[str, ...]:
    """The English entries that a French word may stand for."""
    return tuple(_ENGLISH.get(plain(word.replace("'", " ")), ()))


def english(word: str, known: Collection[str]) -> str:
    """The English word among the known ones that a word stands for; itself where there is none."""
    if word in known:
        return word
    return next((x for x in meanings(word) if x in known), word)


def written_as(key: str, words: Iterable[str]) -> str | None:
    """By which of some words an English one is written, in either language; None where by none."""
    found = None
    for word in words:
        if word == key:
            return word
        if found is None and key in meanings(word):
            found = word
    return found


def french(key: str) -> str:
    """The French of an entry; what has none is the same in both languages."""
    return FRENCH[key][0].replace(" ", "_").replace("'", "_") if key in FRENCH else key
