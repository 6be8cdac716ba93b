"""Sentences of every error, in French."""

from torseur.words.en.plural import plural

# names that nothing bears: what there is none of, and those that exist
_KINDS: dict[str, tuple[str, str]] = {
    "argument": ("l'argument", "Arguments connus"),
    "axis": ("l'axe", "Axes connus"),
    "bearing": ("le palier", "Paliers connus"),
    "actuator": ("l'actionneur", "Actionneurs connus"),
    "input": ("l'entrée", "Entrées connues"),
    "pressure": ("la pression", "Pressions connues"),
    "measured quantity": ("la grandeur mesurée", "Grandeurs mesurées connues"),
    "body": ("le corps", "Corps connus"),
    "contact": ("le contact", "Contacts connus"),
    "mode": ("le mode", "Modes connus"),
    "way of impacts": ("le traitement des chocs", "Traitements connus"),
    "choice of reactions": ("le choix de réactions", "Choix de réactions connus"),
    "column": ("la colonne", "Colonnes connues"),
    "component": ("la composante", "Composantes connues"),
    "constraint": ("la contrainte", "Contraintes connues"),
    "constraint type": ("le type de contrainte", "Types de contrainte connus"),
    "contact shape": ("la forme de contact", "Formes de contact connues"),
    "contact surface": ("la surface de contact", "Surfaces de contact connues"),
    "distribution": ("la loi", "Lois connues"),
    "event": ("l'événement", "Événements connus"),
    "coordinate": ("la coordonnée", "Coordonnées connues"),
    "coordinate or speed": ("la coordonnée ou vitesse", "Coordonnées et vitesses connues"),
    "direction": ("la direction", "Directions connues"),
    "end condition": ("la condition aux bouts", "Conditions aux bouts connues"),
    "entry": ("l'entrée", "Entrées connues"),
    "entry of the state": ("la composante de l'état", "Composantes de l'état connues"),
    "example": ("l'exemple", "Exemples connus"),
    "extrapolation": ("l'extrapolation", "Extrapolations connues"),
    "formalism": ("le formalisme", "Formalismes connus"),
    "frame": ("le repère", "Repères connus"),
    "frame of a reaction": ("le repère de réaction", "Repères de réaction connus"),
    "function": ("la fonction", "Fonctions connues"),
    "integral": ("l'intégrale première", "Intégrales premières connues"),
    "joint": ("la liaison", "Liaisons connues"),
    "joint type": ("le type de liaison", "Types de liaison connus"),
    "kind of coordinates": ("le genre de coordonnées", "Genres de coordonnées connus"),
    "kind of fault": ("le genre de défaut", "Genres de défaut connus"),
    "kind of gear": ("le genre d'engrenage", "Genres d'engrenage connus"),
    "link": ("l'élément", "Éléments connus"),
    "language": ("la langue ou le langage", "Langues ou langages connus"),
    "method": ("la méthode", "Méthodes connues"),
    "motion": ("le mouvement", "Mouvements connus"),
    "motor, coordinate or parameter": (
        "le moteur, la coordonnée ou le paramètre",
        "Moteurs, coordonnées et paramètres connus",
    ),
    "name": ("le nom", "Noms connus"),
    "option": ("l'option", "Options connues"),
    "output": ("la sortie", "Sorties connues"),
    "parameter": ("le paramètre", "Paramètres connus"),
    "parameter or coordinate": (
        "le paramètre ou la coordonnée",
        "Paramètres et coordonnées connus",
    ),
    "parameter or initial value": (
        "le paramètre ou la valeur initiale",
        "Paramètres et valeurs initiales connus",
    ),
    "place": ("le lieu", "Lieux connus"),
    "point": ("le point", "Points connus"),
    "preset": ("le préréglage", "Préréglages connus"),
    "quantity": ("la grandeur", "Grandeurs connues"),
    "reaction": ("la réaction", "Réactions connues"),
    "rolling shape": ("la forme de roulement", "Formes de roulement connues"),
    "shape": ("la forme", "Formes connues"),
    "step": ("l'étape", "Étapes connues"),
    "symbol": ("le symbole", "Symboles connus"),
    "variable": ("la variable", "Variables connues"),
}

SENTENCES: dict[str, str] = {
    'Did you mean "{name}"?': "Vouliez-vous dire « {name} » ?",
    "none": "aucun",
    **{
        f'{x} "{{name}}" does not exist.': f"{y} « {{name}} » n'existe pas."
        for x, (y, _) in _KINDS.items()
    },
    **{
        f"Known {plural(x)}: {{names}}.": f"{known} : {{names}}."
        for x, (_, known) in _KINDS.items()
    },
    'the argument "{key}" is {short} ({kind}).': "l'argument « {key} » est {short} ({kind}).",
    "it could not be written: {reason}.": "l'écriture a échoué : {reason}.",
    'For instance "page.html".': 'Par exemple "page.html".',
    "expected the path of a file, got {path}.": "le chemin d'un fichier est attendu, reçu {path}.",
    "Choose a file in a folder that exists and can be written to.": "Choisir un fichier dans un dossier qui existe et où l'on peut écrire.",
    "it cannot be written: {reason}.": "écriture impossible : {reason}.",
    'view "{name}" does not exist.': "la vue « {name} » n'existe pas.",
    "Known views: {names}.": "Vues connues : {names}.",
    'reaction "{name}" does not exist.': "l'effort de liaison « {name} » n'existe pas.",
    "Known reactions: {names}.": "Efforts de liaison connus : {names}.",
}
