"""The words of what is told, in French."""

from torseur.told.french_steps import STEPS

ANSWERS: dict[str, str] = {
    # annotations
    "column": "colonne {}",
    "colon": " :",
    "SE": "erreur de syntaxe.",
    "KK": "késako ? Non défini.",
    "INHT": "inhomogénéité tensorielle.",
    "INHD": "inhomogénéité dimensionnelle.",
    "order scalar": "un scalaire",
    "order vector": "un vecteur",
    "unreadable": "{}",
    "undefined": "« {} » n'est défini ni par le modèle ni dans la formule. {}",
    "undefined vector": "La flèche sur {} n'a pas de sens : l'écrire entre deux points nommés. {}",
    "added": "{}, {}, est ajouté à {}, {}.",
    "set equal": "{}, {}, est égalé à {}, {}.",
    "power of a quantity": "{} élève {}, {}, à une puissance qui n'est pas un nombre.",
    "function of a quantity": "L'argument {} de {} est en {} : il doit être sans dimension.",
    "vector component": "La composante {} est un vecteur.",
    "cross with a scalar": "{} est le produit vectoriel d'un vecteur et d'un scalaire.",
    "divided by a vector": "{} divise par un vecteur.",
    "vector as exponent": "{} a un vecteur en exposant.",
    "function of a vector": "{} est une fonction d'un vecteur.",
    "another order": "La formule est {}, {} est {}.",
    "another dimension": "La formule est en [{}], {} est en [{}].",
    # verdicts
    "equal": "Juste : c'est bien {}.",
    "sign": "Juste au signe près : multiplier par -1 pour retrouver {} sous sa forme usuelle.",
    "sign of a quantity": "Faux par le signe : {} est de signe opposé.",
    "factor": "Juste à un facteur près : {} vaut {} fois votre formule.",
    "factor of a quantity": "Faux d'un facteur : {} vaut {} fois votre formule.",
    "combination": "Vrai, mais ce n'est pas l'équation demandée : la vôtre est {}.",
    "different": "Différent : votre formule n'est pas {}.",
    "faulty": "La formule ne peut être comparée à {} avant que ceci soit réglé.",
    "equation of": "l'équation de {}",
    "proved": "Prouvé en développant les deux formules.",
    "tested": "Égales en {} états tirés au hasard, à {:g} près relativement aux termes.",
    "at state": "Par exemple en {} :",
    "both values": "  la bonne donne {:.6g}, la vôtre {:.6g}.",
    "rewritten": "On compare votre équation multipliée par {}.",
    # termes
    "acceleration": "le coefficient de {}",
    "unknown": "le coefficient de l'inconnue {}",
    "product": "le coefficient de {}",
    "speed": "le coefficient de {} (premier degré)",
    "speeds": "ce qui reste en vitesses",
    "gravity": "le terme de pesanteur",
    "force": "le reste sans vitesse (ressorts, moteurs, charges)",
    "missing": "{} manque : il vaut {}.",
    "extra": "{} est de trop : vous avez {}.",
    "wrong sign": "{} a le mauvais signe : il vaut {}.",
    "wrong factor": "{} est {} fois trop {} : il vaut {}, vous avez {}.",
    "large": "grand",
    "small": "petit",
    "swapped": "sinus et cosinus sont échangés dans {} : il vaut {}, vous avez {}.",
    "part": "{} manque dans {} : il vaut {}, vous avez {}.",
    "other": "{} vaut {}, vous avez {}.",
    # remarques
    "hint dissipation": "Une force proportionnelle à une vitesse ne s'obtient pas en dérivant sa "
    "puissance : ∂P/∂q. la compte deux fois. Prendre la fonction de Rayleigh, Q = -∂R/∂q. avec R "
    "la moitié de la puissance dissipée.",
    "hint coriolis": "Le terme de Coriolis a un facteur 2 : il vient une fois de la variation du "
    "rayon, une fois de la rotation du vecteur.",
    "hint potential": "La force généralisée d'un potentiel est -∂V/∂q.",
    "read as": "{}.",
}

FRENCH: dict[str, str] = {**ANSWERS, **STEPS}
