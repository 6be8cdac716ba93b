"""The words of the bank of exercises, in French."""

WORDS: dict[str, str] = {
    # answers
    "right number": "Juste : {}.",
    "wrong number": "Ce n'est pas le bon nombre : {}.",
    "unit forgotten": "DR : un nombre va avec son unité ; lu en {}.",
    "no number": "« {} » n'est pas un nombre.",
    "no unit": "l'unité « {} » n'est pas définie.",
    "another unit": "{} n'est pas une unité de ce qui est demandé, qui est en {}.",
    "vector for a number": "un nombre est demandé, pas une liste de nombres.",
    "right choice": "Juste : {}.",
    "wrong choice": "Faux : ce n'est pas « {} ».",
    "no option": "« {} » n'est pas parmi les choix : {}.",
    "not eliminated": "reste à éliminer : {}.",
    "right torseur": "Juste : c'est bien ce que transmet la liaison {}.",
    "carries": "Faux : la liaison {} peut aussi transmettre {}.",
    "lets go": "Faux : la liaison {} laisse ce mouvement libre, elle ne transmet pas {}.",
    "not six": "un torseur a six composantes X, Y, Z, L, M, N, pas {}.",
    "no component": "« {} » n'est pas une composante : ce sont X, Y, Z, L, M, N.",
    "misplaced": "{} est à la place d'une autre composante : l'ordre est X, Y, Z, L, M, N.",
    # sheets
    "sheet": "Notation : {}",
    "mark": "Note : {:.4g}/{}",
    "given mark": "  {} × {} : {}",
    "goals": "Contrat d'objectifs",
    "right": "juste",
    "wrong": "faux",
    "not answered": "sans réponse",
    "hint read": "indice lu",
    # questions
    "question": "Question {} ({})",
    "one point": "1 point",
    "points": "{} points",
    "hint": "Indice : {}",
    "data": "Données : {}.",
    "start": "Au départ : {}.",
    "solution": "Réponse : {}",
    "unit": "[{}]",
    "prompt": "Votre réponse (? pour un indice, ! pour la solution, rien pour continuer)",
    # hints of what has none of its own
    "hint of T": (
        "Pour chaque solide, T = m V(G)²/2 + Omega·I(G)Omega/2 (Koenig) ; les additionner."
    ),
    "hint of V": "Un poids a -m g·OG, un ressort k (l - l0)²/2, un ressort de torsion C phi²/2.",
    "hint of L": "L = T - V.",
    "hint of R": "R est la moitié de la puissance que prennent les amortisseurs.",
    "hint of H": (
        "H = somme des p q. - L, chaque vitesse étant exprimée par les moments conjugués."
    ),
    "hint of p_q": "p = dL/dq., la dérivée du lagrangien par rapport à la vitesse.",
    "hint of S_q": "S = d/dt(dT/dq.) - dT/dq.",
    "hint of Q_q": (
        "Q est la puissance des efforts donnés dans le mouvement virtuel où cette vitesse "
        "seule vaut 1."
    ),
    "hint of V(A)": (
        "Dériver OA dans le repère fixe ; les vecteurs de base qui tournent ont dx1/dt = Omega^x1."
    ),
    "hint of gamma(A)": "Dériver V(A) ; l'accélération de Coriolis a un facteur 2.",
    "hint of Omega(A)": (
        "Les vecteurs rotation s'ajoutent de repère en repère : Omega(2/0) = Omega(2/1) + "
        "Omega(1/0)."
    ),
    "hint of R(A)": "Isoler ce que porte la liaison : m gamma(G) est la somme des forces.",
    "hint of M(A)": (
        "Isoler ce que porte la liaison : le moment dynamique au point est la somme des moments."
    ),
    "hint of reaction": "Isoler ce sur quoi elle agit, et projeter la loi de la résultante.",
    "hint of condition": "Écrire que les points en contact coïncident, ou ont la même vitesse.",
    "hint of equation": (
        "Lagrange : d/dt(dT/dq.) - dT/dq = Q ; ou projeter un théorème de sorte qu'aucune "
        "réaction ne reste."
    ),
    "hint of torseur": (
        "Ce qu'une liaison parfaite laisse libre, elle ne le transmet pas : sa puissance est nulle."
    ),
    "hint of mobility": (
        "Compter les paramètres de position, puis retrancher les conditions indépendantes."
    ),
    "hint of balance": (
        "Compter les inconnues de chaque liaison et de chaque loi, et les paramètres du mouvement."
    ),
    "hint of bordered system": "Une inconnue par accélération, une par multiplicateur.",
    "hint of stability": (
        "Regarder la dérivée seconde de l'énergie potentielle à cet endroit (moins K0 si "
        "un mouvement est imposé)."
    ),
    "hint of equilibria": "À l'équilibre, chaque force généralisée est nulle au repos.",
    "hint of pose": (
        "Au repos, la dérivée de l'énergie potentielle (moins K0 si un mouvement est "
        "imposé) est nulle."
    ),
    "hint of pulsation": "Linéariser autour du repos : det(K - omega² M) = 0.",
    "hint of squared pulsation": (
        "Linéariser autour du repos : M q.. + K q = 0 donne omega² = K/M."
    ),
    "hint of run": (
        "Chercher une intégrale première, ou intégrer numériquement les équations du mouvement."
    ),
    "hint of state": "Écrire d'abord la formule avec des lettres, puis y mettre les valeurs.",
    "hint of formula": "Écrire d'abord la formule avec des lettres, puis y mettre les valeurs.",
    "hint of comparison": "Écrire les deux avec des lettres, et comparer.",
    "hint of first integrals": (
        "Le temps figure-t-il dans L ? Une coordonnée manque-t-elle dans L ?"
    ),
    "hint of first integral": (
        "K2 - K0 + V si le temps ne figure pas dans L ; p = dL/dq. si q ne figure pas dans L."
    ),
    "hint of holonomy": (
        "La relation entre vitesses s'intègre-t-elle en une relation entre positions ?"
    ),
    "hint of zeros of inertia": (
        "Un produit tel que l'intégrale de x z dm est nul si la matière est la même des "
        "deux côtés de x = 0 ou de z = 0."
    ),
    "hint of inertia": (
        "Intégrer sur le solide, ou additionner des solides connus par Huygens : I(A) = "
        "I(G) + m d²."
    ),
    "hint of centre": "m OG est l'intégrale de OM dm.",
    "hint of kinetic moment": (
        "sigma(A) = I(A) Omega si A est un point fixe du solide ; sigma(A) = sigma(G) + AG^m V(G)."
    ),
    "hint of dynamic moment": (
        "delta(G) est la dérivée de sigma(G) : celle de ses composantes, plus Omega^sigma."
    ),
    "hint of kinetic resultant": "C'est m V(G).",
    "hint of mass matrix": "A_ij est la dérivée seconde de T par rapport à q_i. et q_j.",
    "hint of factor of speeds": "Il se déduit des dérivées des A_ij (symboles de Christoffel).",
    "hint of rigidity of a field": (
        "Le taux de déformation, partie symétrique du gradient, doit être nul."
    ),
    "hint of rotation of a field": "Le rotationnel est le double du vecteur rotation.",
    # what if
    "colon": " : ",
    "what if no motor": "le moteur {} est retiré : {} n'a pas un seul degré de liberté",
    "what if joint": "{} est {} au lieu de {}",
    "what if symmetry": "{} a {} au lieu de ses propres symétries",
    "what if no symmetry": "{} n'a plus de symétrie",
    "degree": "mobilité m",
    "overconstraint": "hyperstatisme h",
    "unknown_count": "inconnues",
    "equation_count": "équations",
    "torseur of": "transmis par {}",
    "zeros of": "zéros d'inertie de {}",
    "coordinates": "coordonnées",
    "equations": "Équations",
    "unchanged": "la même",
    "new": "nouvelle",
    "gone": "disparue",
    "reactions changed": "Réactions qui changent : {}",
    "no reaction changed": "Aucune réaction ne change.",
    "none": "aucun",
    # learning goals
    "velocity fields": "expliciter le champ de vitesse et d'accélération d'un solide",
    "composed motions": "composer vitesses, rotations et accélérations entre référentiels",
    "centre of mass": "calculer le centre d'inertie d'un système",
    "kinetic resultant": "calculer la résultante cinétique d'un système",
    "kinetic moment": "calculer le moment cinétique d'un système",
    "inertia": "calculer un tenseur d'inertie, et ses zéros par symétrie",
    "kinetic energy": "calculer l'énergie cinétique d'un système",
    "law of the resultant": "écrire la loi de la résultante cinétique",
    "law of the moment": "écrire la loi du moment cinétique",
    "law of energy": "écrire la loi de l'énergie cinétique",
    "parameters": "paramétrer un système lié et compter ses paramètres",
    "joints": "décrire les liaisons parfaites par les mouvements qu'elles permettent",
    "joint efforts": "en déduire les efforts de liaison, et les calculer",
    "virtual power": "expliciter le principe des puissances virtuelles",
    "d'Alembert": "identifier les forces généralisées, données et d'inertie",
    "Lagrange": "écrire les énergies et les équations de Lagrange",
    "equilibria": "déterminer les positions d'équilibre et leur stabilité",
    "small motions": "déterminer les petits mouvements autour d'un équilibre",
    "Hamilton": "écrire les moments conjugués et le hamiltonien",
    "first integrals": "trouver des intégrales premières du mouvement",
    "multipliers": "utiliser des multiplicateurs, et dire ce qu'ils sont",
    "non-holonomic": "reconnaître une liaison non holonome",
    "friction": "appliquer les lois du frottement sec",
    "simulation": "calculer un mouvement, et juger du résultat",
    "orders of magnitude": "trouver des ordres de grandeur",
}
