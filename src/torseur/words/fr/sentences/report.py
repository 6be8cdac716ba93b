"""Sentences of pages and pictures, in French."""

SENTENCES: dict[str, str] = {
    "the reader {reader} is no direction.": "le lecteur {reader} n'est pas une direction.",
    "Give [1, 0, 0.5].": "Donner [1, 0, 0.5].",
    '"{mechanism}" does not move in the plane of the page.': "« {mechanism} » ne se déplace pas dans le plan de la page.",
    "Show it with ts.view(run, path), or leave `moving` out.": "Le montrer par ts.view(run, path), ou retirer `moving`.",
    "there are {last} samples from {low:g} to {high:g} s.": "il y a {last} échantillons de {low:g} à {high:g} s.",
    "The run goes from {t:g} to {t2:g} s.": "Le mouvement va de {t:g} à {t2:g} s.",
    "Endings: {endings}.": "Terminaisons : {endings}.",
    "Give a run (ts.simulate), a saved run (ts.load_run) or a mechanism (ts.load).": "Donner un mouvement (ts.simulate), un mouvement enregistré (ts.load_run) ou un mécanisme (ts.load).",
    "a value of type {kind} cannot be shown.": "une valeur de type {kind} ne peut pas être montrée.",
    "its file does not hold the mechanism.": "son fichier ne contient pas le mécanisme.",
    "Give it: torseur view RUN.nc --model MODEL, or ts.view(run, path, model=mechanism).": "Le donner : torseur view RUN.nc --model MODEL, ou ts.view(run, path, model=mechanism).",
    'the run has no coordinate "{missing}" of "{described}".': "le mouvement n'a pas la coordonnée « {missing} » de « {described} ».",
    "It has: {values}.": "Il a : {values}.",
    "no run to show: {runs}.": "aucun mouvement à montrer : {runs}.",
    "Give one or more by name.": "En donner un ou plusieurs, par nom.",
    "the runs have no time in common: {spans}.": "les mouvements n'ont pas d'instant commun : {spans}.",
    "Use the ending .html.": "Employer la terminaison .html.",
    "there is no mode {k}: there are {number}, from 0.": "il n'y a pas de mode {k} : il y en a {number}, à partir de 0.",
    "What turns steadily is shown at rest.": "Ce qui tourne uniformément est montré au repos.",
}
