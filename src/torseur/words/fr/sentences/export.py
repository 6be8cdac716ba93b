"""Sentences of exported code, in French."""

SENTENCES: dict[str, str] = {
    "an export": "une exportation",
    "no function was asked for (got {functions}).": "aucune fonction n'est demandée (reçu {functions}).",
    'option {option} cannot be "{value}".': "l'option {option} ne peut pas être « {value} ».",
    "Possible: {choices}.": "Possibles : {choices}.",
    "nothing but its tree restrains it: {function} has nothing to compute.": "rien d'autre que son arbre ne le contraint : {function} n'a rien à calculer.",
    'it looks up the table "{table}", which cannot be written for {language}.': "elle consulte la table « {table} », qui ne peut pas être écrite en {language}.",
    "Export it to another language, or give the table as a formula.": "L'exporter vers un autre langage, ou donner la table par une formule.",
    'the tables "{owners}" and "{table}" are both "{word}".': "les tables « {owners} » et « {table} » s'appellent toutes deux « {word} ».",
    "{name} cannot be written.": "{name} ne peut pas être écrite.",
    'it depends on "{x}" ({kind}), which is not among its arguments.': "elle dépend de « {x} » ({kind}), qui n'est pas parmi ses arguments.",
    "Its arguments are the parameters and {letters}.": "Ses arguments sont les paramètres et {letters}.",
    "at has shape {shape}, expected ({number},).": "at est de forme {shape}, ({number},) attendu.",
}
