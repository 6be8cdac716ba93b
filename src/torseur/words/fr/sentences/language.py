"""Sentences of phrases and of the YAML form in French."""

SENTENCES: dict[str, str] = {
    # what parameters are
    "in the lever of body {body}": "dans le levier du corps {body}",
    "in the lever of the ground": "dans le levier du bâti",
    "in the constant angle of body {body}": "dans l'angle constant du corps {body}",
    "in the constant angle of the ground": "dans l'angle constant du bâti",
    "in the lower limit of {coordinate}": "dans la butée basse de {coordinate}",
    "in the upper limit of {coordinate}": "dans la butée haute de {coordinate}",
    "lever of body {body}": "levier du corps {body}",
    "lever of the ground": "levier du bâti",
    "constant angle of body {body}": "angle constant du corps {body}",
    "constant angle of the ground": "angle constant du bâti",
    "lower limit of {coordinate}": "butée basse de {coordinate}",
    "upper limit of {coordinate}": "butée haute de {coordinate}",
    "mass of body {body}": "masse du corps {body}",
    "centre of mass of body {body} along its lever": "centre de masse du corps {body} sur son levier",
    "centre of mass of body {body} along {axis}": "centre de masse du corps {body} suivant {axis}",
    "moment of inertia of body {body} about {axis}, at its centre of mass": "moment d'inertie du corps {body} autour de {axis}, en son centre de masse",
    "component {component} of the inertia of body {body} at its centre of mass": "composante {component} de l'inertie du corps {body} en son centre de masse",
    "component of gravity along Y, −9.81 if Y points up": "composante de la pesanteur suivant Y, −9.81 si Y est vers le haut",
    "component of gravity": "composante de la pesanteur",
    # what is assumed
    "No lever, therefore no mass: {bodies}.": "Sans levier, donc sans masse : {bodies}.",
    "Several levers, the centre of mass is on the first: {bodies}.": "Plusieurs leviers, le centre de masse est sur le premier : {bodies}.",
    "The lever is not along an axis, so that it has one distance and one moment an axis: {bodies}.": "Le levier n'est pas suivant un axe, d'où une distance et un moment par axe : {bodies}.",
    "body {body}": "corps {body}",
    "bodies {bodies}": "corps {bodies}",
    "Gravity is G along Y of the ground; G = −9.81 if Y points up.": "La pesanteur est G suivant l'axe Y du bâti ; G = −9.81 si Y est vers le haut.",
    'motor "{name}": no ratio is given, so that it is 1 (direct drive).': "moteur « {name} » : sans rapport donné, il vaut 1 (prise directe).",
    "No gravity is given: there is none.": "Sans pesanteur donnée, il n'y en a pas.",
    'No masses were asked for: every body is massless (masses="lever" or "full").': 'Aucune masse n\'est demandée : les corps sont sans masse (masses="lever" ou "full").',
}
