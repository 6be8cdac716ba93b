"""Sentences of vectors and torseurs, in French."""

SENTENCES: dict[str, str] = {
    "the second angle is {second:.12g} rad: the first and the third turn about one axis.": "le deuxième angle est {second:.12g} rad : le premier et le troisième tournent autour d'un même axe.",
    "Only their sum or difference is defined there. Use a quaternion, or another sequence.": "Seule leur somme ou leur différence y est définie. Employer un quaternion, ou une autre suite d'angles.",
    "the resultant is zero (moment {moment}): a couple has no central axis.": "la résultante est nulle (moment {moment}) : un couple n'a pas d'axe central.",
    "the {name} {given} is not a vector of three components.": "{name} = {given} n'est pas un vecteur de trois composantes.",
    "For instance [0, 0, 1].": "Par exemple [0, 0, 1].",
    "For instance [1, 0, 0, 0].": "Par exemple [1, 0, 0, 0].",
    'Three letters x, y, z, each axis after the turns before it: "zxz", "xyz".': "Trois lettres x, y, z, chaque axe après les rotations qui le précèdent : « zxz », « xyz ».",
    '"{sequence}" turns twice in a row about the same axis.': "« {sequence} » tourne deux fois de suite autour du même axe.",
    '"{sequence}" has {count} angles, not {given}.': "« {sequence} » a {count} angles, et non {given}.",
    "the axis {axis} has no direction.": "l'axe {axis} n'a pas de direction.",
    "the matrix is no rotation: {reason}": "la matrice n'est pas une rotation : {reason}",
    "Give R with RᵀR = 1, det R = 1.": "Donner R telle que RᵀR = 1, det R = 1.",
    "its shape is {shape}, not (3, 3).": "sa forme est {shape}, et non (3, 3).",
    "its columns miss an orthonormal basis by {off:.2g}.": "ses colonnes manquent une base orthonormée de {off:.2g}.",
    "its determinant is -1: it mirrors.": "son déterminant est -1 : elle inverse l'orientation.",
    "{given} is no quaternion (w, x, y, z).": "{given} n'est pas un quaternion (w, x, y, z).",
    "it is rigid only if {listed}.": "il est rigide seulement si {listed}.",
    "[{components}] has no value at {trials} places.": "[{components}] n'a pas de valeur en {trials} endroits.",
    "expected points and velocities of the same shape (n, 3), got {shape}, {shape2}.": "il faut des points et des vitesses de même forme (n, 3), reçu {shape}, {shape2}.",
    "and": "et",
}
