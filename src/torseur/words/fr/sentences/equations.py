"""Sentences of the equations in French."""

SENTENCES: dict[str, str] = {
    "singular mass matrix: coordinate {coordinates} (joint {joints}) carries no inertia. Accelerations cannot be computed. Give the body it moves a moment of inertia about its axis, or give its motor a rotor inertia.": "matrice de masse singulière : la coordonnée {coordinates} (liaison {joints}) ne porte aucune inertie. Les accélérations ne peuvent pas être calculées. Donner au corps qu'elle déplace un moment d'inertie autour de son axe, ou à son moteur une inertie de rotor.",
}
