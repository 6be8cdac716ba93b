"""Sentences of compiled models, in French."""

SENTENCES: dict[str, str] = {
    '"{x}" cannot be read from the poses of two bodies.': "« {x} » ne se lit pas dans les poses de deux corps.",
    'Simulate in the coordinates of the joints: coordinates="joint".': 'Simuler dans les coordonnées des liaisons : coordinates="joint".',
    "Give them: with_parameters({missing}=1.0, …).": "Les donner : with_parameters({missing}=1.0, …).",
    "the times must increase, got {samples}.": "les instants doivent croître, reçu {samples}.",
    "{name} must be positive, got {value}.": "{name} doit être positif, reçu {value}.",
    "the step must be positive, got {step}.": "le pas doit être positif, reçu {step}.",
    "the order must be one of {known}, got {order}.": "l'ordre doit être l'un de {known}, reçu {order}.",
    "the batches have different lengths: shapes {sizes}.": "les lots ont des longueurs différentes : formes {sizes}.",
    "expected ({expected}), got {number} arguments.": "attendu ({expected}), reçu {number} arguments.",
    "expected shape ({number},) or (N, {number}), got {shape}.": "forme attendue ({number},) ou (N, {number}), reçu {shape}.",
    "its value in row {bad} is {value}, not a finite number.": "sa valeur à la ligne {bad} est {value}, qui n'est pas un nombre fini.",
    "{what} infinite or undefined there.": "{what} infinies ou non définies à cet endroit.",
    "Look for a division by zero, or for a length or a mass that is zero.": "Chercher une division par zéro, ou une longueur ou une masse nulle.",
    "it has a rotor and {nv} degrees of freedom, not one.": "elle a un rotor et {nv} degrés de liberté, et non un seul.",
    "Give the rotor to a revolute, a prismatic or a screw joint.": "Donner le rotor à un pivot, à une glissière ou à une liaison hélicoïdale.",
    "no inertia resists its motion; {number} joints are such.": "aucune inertie ne résiste à son mouvement ; {number} liaisons sont dans ce cas.",
    'force "{guilty}" is': "les valeurs de l'effort « {guilty} » sont",
    "the accelerations are": "les accélérations sont",
    'the argument "{letter}" is given twice.': "l'argument « {letter} » est donné deux fois.",
}
