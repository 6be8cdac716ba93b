"""Sentences of workspaces and singular places, in French."""

SENTENCES: dict[str, str] = {
    "{driven} are driven, but {count} can be chosen freely.": "{driven} sont commandées, mais {count} peuvent être choisies librement.",
    "Drive {count} of them: driven=[…].": "En commander {count} : driven=[…].",
    '"{place}" reaches {ends}: {count} configurations of {driven}.': "« {place} » atteint {ends} : {count} configurations de {driven}.",
    "{count} others cannot be assembled.": "{count} autres ne peuvent pas être assemblées.",
    'where "{place}" can be': "où « {place} » peut être",
    "{steps} steps of {count} coordinates are {total} configurations.": "{steps} pas de {count} coordonnées font {total} configurations.",
    "Name the coordinates that matter: driven=(…).": "Nommer les coordonnées qui comptent : driven=(…).",
    "Take 2 steps or more, and at most {most} configurations.": "Prendre au moins 2 pas, et au plus {most} configurations.",
    "{count} configurations cannot be drawn after the seed {seed}.": "{count} configurations ne peuvent pas être tirées avec la graine {seed}.",
    "Draw at most {most}, after a seed from 0 on.": "En tirer au plus {most}, avec une graine à partir de 0.",
    "its range goes from {low} to {high}.": "son intervalle va de {low} à {high}.",
    "Give its joint limits, or ranges={{'{name}': (0.1, 0.5)}}.": "Donner des butées à sa liaison, ou ranges={{'{name}': (0.1, 0.5)}}.",
    "no configuration of the grid near the start can be assembled.": "aucune configuration de la grille proche du départ ne peut être assemblée.",
    "Take more steps, or ranges about the start.": "Prendre plus de pas, ou des intervalles autour du départ.",
    "parallel singularity: {coordinate} moves while what is driven stands still: {where}": "singularité parallèle : {coordinate} bouge alors que ce qui est commandé ne bouge pas : {where}",
    'serial singularity: "{place}" cannot move along ({along}), {coordinate} moves in vain: {where}': "singularité série : « {place} » ne peut pas aller suivant ({along}), {coordinate} bouge en vain : {where}",
}
