"""The words of derivations, in French."""

STEPS: dict[str, str] = {
    "title": "{} par {}",
    "by newton-euler": "le principe fondamental de la dynamique",
    "by lagrange": "les équations de Lagrange",
    "by virtual-power": "le principe des puissances virtuelles",
    "by kane": "les équations de Kane",
    "by gibbs-appell": "les équations d'Appell",
    "by hamilton": "les équations de Hamilton",
    "theorem": "Théorème : {}.",
    "under": " Il demande {}.",
    "at": "en",
    "warning": "Attention.",
    "long": "une formule de {} opérations",
    "ground": "le bâti (0)",
    "letter given": "donné",
    # hypothèses
    "H0": "Le bâti est galiléen et les solides sont indéformables.",
    "H0 broken": "Les solides sont indéformables ; le bâti n'est pas galiléen, et des forces "
    "d'inertie s'ajoutent.",
    "H1": "Les liaisons sont parfaites : leurs réactions ont une puissance virtuelle nulle. Les "
    "frottements donnés comptent parmi les efforts donnés.",
    "H2": "Les liaisons sont holonomes et bilatérales.",
    "H2 integrable": "Les liaisons sont holonomes ; données en vitesses, mais s'intègrent : {}.",
    "H2 broken": "Les liaisons ne sont pas toutes holonomes ; en vitesses, et non intégrables : "
    "{}.",
    "H3": "Tous les efforts donnés dérivent d'un potentiel.",
    "H3 broken": "Les efforts donnés ne dérivent pas tous d'un potentiel : {}.",
    "H4": "Rien ne dépend explicitement du temps.",
    "H4 broken": "Le temps intervient explicitement : {}.",
    # paramétrage et cinématique
    "parametrisation": "Paramétrage",
    "bodies are": "Solides : {}.",
    "joint line": "{} : liaison {} entre {} et {}, paramètre {}.|"
    "{} : liaison {} entre {} et {}, paramètres {}.",
    "joint closing": "{} : liaison {} entre {} et {} ; elle ferme une boucle, et tient ses solides "
    "par des équations de liaison.",
    "joint without": "{} : liaison {} entre {} et {}.",
    "count": "{} paramètre indépendant : {}.|{} paramètres indépendants : {}.",
    "count held": "{} paramètre ({}), équations de liaison : {}, chacune avec son multiplicateur.|"
    "{} paramètres ({}), équations de liaison : {}, chacune avec son multiplicateur.",
    "identities": "{} d'entre elles est vérifiée quels que soient les paramètres, et omise.|"
    "{} d'entre elles sont vérifiées quels que soient les paramètres, et omises.",
    "kinematics": "Torseurs cinématiques",
    "kinematics text": "{Ω; V(G)} de chaque solide par rapport au bâti, en son centre d'inertie.",
    "virtual twists": "Torseurs cinématiques virtuels",
    "virtual twists text": "{V*} = {∂Ω/∂q.; ∂V(G)/∂q.} : un seul paramètre varie, à la vitesse 1, "
    "le temps est figé.",
    "partial velocities": "Vitesses partielles",
    "partial velocities text": "Les coefficients des vitesses généralisées dans Ω et V(G).",
    # dynamique
    "kinetics": "Torseurs cinétiques",
    "kinetics text": "{m V(G); σ(G)} avec σ(G) = I_G Ω.",
    "dynamics": "Torseurs dynamiques",
    "dynamics text": "{m γ(G); δ(G)} avec δ(G) = dσ(G)/dt, dérivé dans le bâti.",
    "lagrangian": "Lagrangien",
    "lagrangian text": "L tel qu'il est donné, avec ce qui n'y a pas sa place.",
    "derivatives of a lagrangian": "Dérivées du lagrangien",
    "equations of a lagrangian": "d/dt ∂L/∂q. - ∂L/∂q est la somme des forces que L ne contient "
    "pas.",
    "kinetic energy": "Énergie cinétique",
    "kinetic energy text": "T = ½ m V(G)² + ½ Ω·I_G Ω pour chaque solide.",
    "koenig": "Koenig",
    "derivatives": "Dérivées de l'énergie cinétique",
    "derivatives text": "Par rapport aux vitesses, puis au temps, et par rapport aux paramètres.",
    # efforts
    "forces": "Forces généralisées",
    "forces text": "Q = {F}·{V*}, effort par effort ; les liaisons parfaites n'y figurent pas.",
    "no forces": "Aucun effort donné ne travaille dans ces mouvements virtuels.",
    "virtual power of actions": "la puissance virtuelle d'un effort sur un solide est {F}·{V*}",
    "source weight": "poids",
    "source frame": "inertie du bâti mobile",
    "actions": "Bilan des actions mécaniques",
    "actions text": "Poids et charges de chaque solide en son centre d'inertie ; puis le torseur "
    "transmis par chaque liaison à son second solide, avec ses inconnues.",
    "virtual powers": "Puissances virtuelles",
    "virtual powers text": "Des quantités d'accélération, P*_a = {D}·{V*}, et des efforts donnés, "
    "P*_e = {F}·{V*}, sommées sur les solides.",
    "kane forces": "Forces actives et forces d'inertie",
    "kane forces text": "F = Σ R·∂V(G)/∂u + M·∂Ω/∂u, et F* = -(Σ m γ(G)·∂V(G)/∂u + δ(G)·∂Ω/∂u).",
    # équations
    "bodies": "Principe fondamental, solide par solide",
    "bodies text": "Résultante (R) et moment en G (M) sur les axes de chaque solide ; les "
    "équations 0 = 0 sont omises.",
    "pfd": "{D} = {F} : le torseur dynamique est celui des actions extérieures",
    "pfd of a set": "le même pour chaque liaison avec tous les solides qu'elle porte, projeté sur "
    "sa mobilité",
    "reactions": "Réactions",
    "reactions text": "Ce que demandent les solides au-delà de chaque liaison, dans ses axes.",
    "equations": "Équations du mouvement",
    "equations text": "d/dt ∂T/∂q. - ∂T/∂q = Q pour chaque paramètre.",
    "equations held": "d/dt ∂T/∂q. - ∂T/∂q = Q + Σ λ a pour chaque paramètre ; les multiplicateurs "
    "sont des réactions, et les équations de liaison complètent le système.",
    "with a Lagrangian": "Tous les efforts donnés dérivent d'un potentiel : L = T - V donne les "
    "mêmes équations, d/dt ∂L/∂q. = ∂L/∂q.",
    "lagrange": "équations de Lagrange (d'Alembert, pour tout mouvement virtuel compatible)",
    "lagrange with multipliers": "équations de Lagrange avec multiplicateurs",
    "virtual power": "pour tout mouvement virtuel, P*_a = P*_e",
    "virtual power text": "P*_a = P*_e pour chaque paramètre : aucune réaction ne travaille.",
    "virtual power held": "P*_a = P*_e pour chaque paramètre ; les réactions qui travaillent sont "
    "à droite.",
    "kane": "F + F* = 0 (Kane)",
    "kane text": "-F* = F pour chaque vitesse.",
    "kane held": "-F* = F pour chaque vitesse, avec à droite les réactions qui travaillent.",
    "acceleration energy": "Énergie d'accélération",
    "acceleration energy text": "S = ½ m γ(G)² + ½ Ω'·I_G Ω' + Ω'·(Ω ∧ I_G Ω) pour chaque solide, "
    "Ω' étant la dérivée de Ω ; les termes sans accélération ne se dérivent pas, et sont omis.",
    "appell": "équations d'Appell : ∂S/∂q.. = Q",
    "appell text": "∂S/∂q.. = Q pour chaque paramètre : aucune réaction ne travaille.",
    "appell held": "∂S/∂q.. = Q pour chaque paramètre, avec les réactions qui travaillent.",
    "momenta": "Moments conjugués",
    "momenta text": "p = ∂L/∂q. avec L = T - V, linéaire en les vitesses, et résolu en elles.",
    "legendre": "Fonction de Hamilton",
    "legendre text": "H = Σ p q. - L, écrite avec les moments : T2 - T0 + V.",
    "legendre theorem": "transformation de Legendre ; H = T + V si rien n'est imposé",
    "canonical": "Équations canoniques",
    "canonical text": "q. = ∂H/∂p, et p. = -∂H/∂q + Q pour ce qui n'a pas de potentiel.",
    "canonical held": "q. = ∂H/∂p, et p. = -∂H/∂q + Q + Σ λ a pour ce qui n'a pas de potentiel et "
    "pour les liaisons.",
    "cyclic momenta": "Constants, car H ne dépend pas de leurs paramètres : {}.",
    "hamilton": "équations de Hamilton",
    "newton text": "On isole chaque liaison avec tout ce qu'elle porte, et on projette sur sa "
    "mobilité.",
    "newton held": "On isole chaque liaison avec tout ce qu'elle porte ; les multiplicateurs de ce "
    "qui ferme les boucles sont à droite.",
    "elimination": "Élimination des réactions",
    "elimination text": "Vitesses indépendantes : {}. Les autres s'en déduisent par les équations "
    "de liaison ; dans les mouvements virtuels compatibles, aucune réaction ne travaille.",
    "compatible motions": "P*_a = P*_e dans tout mouvement virtuel compatible avec les liaisons",
    # pièges
    "trap dissipation": "Une force qui dépend des vitesses ne s'obtient pas en dérivant sa "
    "puissance : ∂P/∂q. la compte deux fois. Prendre {F}·{V*}, la force étant figée, ou la "
    "fonction de Rayleigh.",
    "trap moving point": "La liaison {} est mobile. En un point mobile A le moment dynamique est "
    "δ(A) = dσ(A)/dt + m V(A) ∧ V(G) ; ce n'est la dérivée de σ qu'en un point fixe, ou en G.",
    "trap contact": "Au contact {} il y a trois points : du bâti, du solide (tous deux de vitesse "
    "nulle) et le point géométrique, qui se déplace. δ(A) = dσ(A)/dt + m V(A) ∧ V(G) prend la "
    "vitesse du point géométrique.",
    "trap imposed": "Le mouvement {} est imposé : la vitesse réelle n'est pas une vitesse "
    "virtuelle, et la puissance de son entraînement n'est pas dans les Q. Le théorème de l'énergie "
    "devient celui de Painlevé, T2 - T0.",
    "trap relative angle": "{} est un angle relatif : la rotation de {} dans son énergie est par "
    "rapport au bâti, la somme des vitesses.",
    "trap singular": "Liaison {} : en {} = {} ces paramètres perdent un degré de liberté ; les "
    "équations n'y sont pas résolubles.",
}
