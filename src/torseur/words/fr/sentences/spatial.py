"""Sentences of vectors and torseurs, in French."""

SENTENCES: dict[str, str] = {
    "the second angle is {second:.12g} rad: the first and the third turn about one axis.": "le deuxième angle est {second:.12g} rad : le premier et le troisième tournent autour d'un même axe.",
    "Only their sum or difference is defined there. Use a quaternion, or another sequence.": "Seule leur somme ou leur différence y est définie. Employer un quaternion, ou une autre suite d'angles.",
    "the resultant is zero (moment {moment}): a couple has no central axis.": "la résultante est nulle (moment {moment}) : un couple n'a pas d'axe central.",
    "the {name} {given} is not a vector of three components.": "{name} = {given} n'est pas un vecteur de trois composantes.",
    "For instance [0, 0, 1].": "Par exemple [0, 0, 1].",
    "it is rigid only if {listed}.": "il est rigide seulement si {listed}.",
    "[{components}] has no value at {trials} places.": "[{components}] n'a pas de valeur en {trials} endroits.",
    "expected points and velocities of the same shape (n, 3), got {shape}, {shape2}.": "il faut des points et des vitesses de même forme (n, 3), reçu {shape}, {shape2}.",
    "and": "et",
}
