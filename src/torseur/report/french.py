"""The words of the reports in French, and the sentences of the model put into French."""

import re

FRENCH: dict[str, str] = {
    # le dessin
    "drawn as 1": "Les longueurs sans valeur sont dessinées égales à 1 : {}.",
    "drawn apart": "Les liaisons confondues sont dessinées séparées.",
    # l'animation
    "view hint": "Glisser pour tourner, Maj-glisser pour déplacer, molette pour agrandir, "
    "double-clic pour cadrer. Espace : lecture ; flèches : pas à pas.",
    "view from": "Vue de",
    "view show": "Montrer",
    "view joints": "noms des liaisons",
    "view bodies": "noms des corps",
    "view traces": "points et trajectoires",
    "view frames": "repères des corps",
    "view centres": "centres de masse",
    "view weights": "poids",
    "view reactions": "réactions",
    "view follow": "suivre le mouvement",
    "view play": "Lecture",
    "view pause": "Pause",
    "view position": "Position",
    "view speed": "Vitesse de lecture",
    "view noscript": "L'animation a besoin de JavaScript.",
    "speeds": "vitesses",
    "energies": "énergies",
    "reactions": "réactions",
    # la page
    "kicker": "Équations du mouvement",
    "contents": "Sommaire",
    "title": "Mécanisme à {}",
    "n bodies": "1 corps|{} corps",
    "n joints": "1 liaison|{} liaisons",
    "n freedoms": "1 degré de liberté|{} degrés de liberté",
    "n products": "1 multiplication|{} multiplications",
    "n sums": "1 addition|{} additions",
    "n sines": "1 sinus ou cosinus|{} sinus et cosinus",
    "and": "et",
    "summary": "{} et {} : {}.",
    "cost of the model": "Ses équations coûtent en ligne {} ;",
    "cost of the recursion": "les efforts articulaires d'un mouvement donné coûtent {} par la "
    "récurrence de Newton-Euler. Ce qui ne dépend que des paramètres se calcule une fois pour "
    "toutes et n'est pas compté.",
    "drawing": "Schéma",
    "notices": "À savoir",
    "description": "Description",
    "bodies": "Corps",
    "joints": "Liaisons",
    "parameters": "Paramètres",
    "constants": "Constantes rapportées",
    "constants text": "Chaque corps est augmenté des masses qu'il porte, concentrées à la liaison "
    "qui les porte. Ces grandeurs ne dépendent pas de la pose quand toutes les liaisons sont des "
    "pivots.",
    "equations": "Équations",
    "form lagrange": "Les coordonnées sont {}, dans cet ordre. Q est l'action de la pesanteur sur "
    "une coordonnée, F celle de tout le reste : moteurs, frottements, charges.",
    "form vector": "Les lignes sont dans l'ordre des vitesses {}. g est le terme de pesanteur, h "
    "le terme de vitesse, Q l'action des moteurs, des frottements et des charges.",
    "gravity": "Couples de pesanteur",
    "inertia": "Coefficients d'inertie",
    "velocity": "Termes de vitesse",
    "velocity text": "Coefficients des produits de vitesses (Coriolis) et des carrés de vitesses "
    "(termes centrifuges).",
    "applied": "Efforts appliqués",
    "constraints": "Équations de fermeture",
    "constraints text": "Lignes des liaisons qui ferment des boucles, et des relations : {}. J v "
    "est la vitesse relative que chacune interdit, γ sa dérivée pour a = 0 ; λ sont les réactions.",
    "abbreviations": "C et S désignent le cosinus et le sinus, avec les angles en indice : {}.",
    "shared sums": "Les sommes communes à plusieurs formules sont notées P.",
    "program": "Programme de Newton-Euler",
    "program text": "Les efforts articulaires d'un mouvement, par des variables intermédiaires "
    "nommées, dans l'ordre du calcul.",
    "n formulas": "1 formule|{} formules",
    "n parameters": "1 paramètre|{} paramètres",
    "operations": "Opérations",
    "no formula": "Aucun.",
    "joint": "liaison",
    "kind": "type",
    "links": "entre",
    "coordinates": "coordonnées",
    "limits": "butées",
    "centre of mass": "centre de masse",
    "inertia at the centre": "inertie au centre (xx, yy, zz)",
    "inertia with products": "inertie au centre (xx, yy, zz, xy, xz, yz)",
    "ground": "bâti",
    "model": "Modèle",
    "by augmented-bodies": "M, h, g par les corps augmentés",
    "by newton-euler": "M, h, g par la récurrence de Newton-Euler",
    "by lagrange": "M, h, g par Lagrange",
    "by uicker": "M, h, g par les matrices 4×4",
    "by kane": "M, h, g par Kane",
    "by virtual-power": "M, h, g par les puissances virtuelles",
    "by gibbs-appell": "M, h, g par Gibbs et Appell",
    "by absolute": "M, h, g en coordonnées absolues",
    "by hamilton": "M, h, g par Hamilton",
    "inverse dynamics": "Efforts articulaires d'un mouvement, par Newton-Euler",
    "made by": "Fait par Torseur {}.",
    "checked": "Chaque coefficient de cette page a été comparé à celui qu'un autre formalisme, {}, "
    "donne en {} états tirés au hasard : le plus grand écart relatif est {}.",
    # étapes
    "parameters stage": "Une fois par jeu de paramètres",
    "configuration stage": "Une fois par configuration",
    "state stage": "À chaque état",
    "outputs stage": "Résultats",
    "stage parameters": "une fois par jeu de paramètres",
    "stage configuration": "par configuration",
    "stage state": "par état",
    # les tableaux du rapport de 1980
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
    "table moving": "Masses et inerties rapportées variables",
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
    "products": "produits",
    "sums": "sommes",
    "sines": "sinus, cosinus",
    "total": "total",
}

_SENTENCES = [
    (re.compile(english), french)
    for english, french in (
        (r"in the lever of (.*)", r"dans le levier de \1"),
        (r"in the constant angle of (.*)", r"dans l'angle constant de \1"),
        (r"in the lower limit of (.*)", r"dans la butée basse de \1"),
        (r"in the upper limit of (.*)", r"dans la butée haute de \1"),
        (r"lever of (.*)", r"levier de \1"),
        (r"constant angle of (.*)", r"angle constant de \1"),
        (r"lower limit of (.*)", r"butée basse de \1"),
        (r"upper limit of (.*)", r"butée haute de \1"),
        (r"mass of (body .*)", r"masse de \1"),
        (r"centre of mass of (body .*) along its lever", r"centre de masse de \1 sur son levier"),
        (r"centre of mass of (body .*) along (\w)", r"centre de masse de \1 suivant \2"),
        (
            r"moment of inertia of (body .*) about (\w), at its centre of mass",
            r"moment d'inertie de \1 autour de \2, en son centre de masse",
        ),
        (
            r"component (\w+) of the inertia of (body .*) at its centre of mass",
            r"composante \1 de l'inertie de \2 en son centre de masse",
        ),
        (
            r"component of gravity along Y, (.*) if Y points up",
            r"composante de la pesanteur suivant Y, \1 si Y est vers le haut",
        ),
        (r"component of gravity", r"composante de la pesanteur"),
        (r"No lever, therefore no mass: (.*)\.", r"Sans levier, donc sans masse : \1."),
        (
            r"Several levers, the centre of mass is on the first: (.*)\.",
            r"Plusieurs leviers, le centre de masse est sur le premier : \1.",
        ),
        (
            r"Gravity is G along Y of the ground; G = (.*) if Y points up\.",
            r"La pesanteur est G suivant l'axe Y du bâti ; G = \1 si Y est vers le haut.",
        ),
        (r"No gravity is given: there is none\.", r"Sans pesanteur donnée, il n'y en a pas."),
        (
            r"No masses were asked for: every body is massless (.*)\.",
            r"Aucune masse n'est demandée : les corps sont sans masse \1.",
        ),
        (
            r"singular mass matrix: coordinates? (.*) \(joints? (.*)\) carr(?:y|ies) no inertia\. "
            r"Accelerations cannot be computed\. .*",
            r"Matrice de masse singulière : la coordonnée \1 (liaison \2) ne porte aucune inertie. "
            r"Les accélérations ne peuvent pas être calculées. Donner au corps qu'elle déplace un "
            r"moment d'inertie autour de son axe, ou à son moteur une inertie de rotor.",
        ),
    )
]
_PARTS = (
    (re.compile(r"\bde body\b"), "du corps"),
    (re.compile(r"\bde the ground\b"), "du bâti"),
    (re.compile(r"\bbod(?:y|ies)\b"), "corps"),
)


def in_french(sentence: str) -> str:
    """A sentence of the model in French; one that is not known is left as it is."""
    for english, french in _SENTENCES:
        found = english.fullmatch(sentence)
        if found:
            text = found.expand(french)
            for word, other in _PARTS:
                text = word.sub(other, text)
            return text
    return sentence
