"""The words of derivations and of answers, in French."""

WORDS: dict[str, str] = {
    # annotations
    "column": "colonne {}",
    "colon": " :",
    "SE": "erreur de syntaxe.",
    "KK": "késako ? Non défini.",
    "INHT": "inhomogénéité tensorielle.",
    "INHD": "inhomogénéité dimensionnelle.",
    "EL": "erreur logique.",
    "HS": "hors sujet.",
    "N": "notations.",
    "T": "terminologie.",
    "DR": "défaut de rédaction.",
    "order scalar": "un scalaire",
    "order vector": "un vecteur",
    "unreadable": "{}",
    "undefined": "« {} » n'est défini ni par le modèle ni dans la formule. {}",
    "undefined vector": "La flèche sur {} n'a pas de sens : l'écrire entre deux points nommés. {}",
    "added": "{}, {}, est ajouté à {}, {}.",
    "set equal": "{}, {}, est égalé à {}, {}.",
    "compared": "{}, {}, est comparé à {}, {}.",
    "power of a quantity": "{} élève {}, {}, à une puissance qui n'est pas un nombre.",
    "function of a quantity": "L'argument {} de {} est en {} : il doit être sans dimension.",
    "vector component": "La composante {} est un vecteur.",
    "cross with a scalar": "{} est le produit vectoriel d'un vecteur et d'un scalaire.",
    "divided by a vector": "{} divise par un vecteur.",
    "vector as exponent": "{} a un vecteur en exposant.",
    "function of a vector": "{} est une fonction d'un vecteur.",
    "another order": "La formule est {}, {} est {}.",
    "another dimension": "La formule est en [{}], {} est en [{}].",
    "circular": "La formule ne dit rien de {0} : elle définit {0} par {0}.",
    "tautology": "Les deux membres sont identiques : rien n'est dit.",
    "another quantity": "La formule porte sur {}.",
    "another equation": "Une autre équation était demandée.",
    "that of another": "La formule est celle de {}.",
    "redefined": "« {} » a un sens dans le modèle : définir une autre lettre.",
    "renamed": "« {} » s'appelle {} dans le modèle ; avec cette lettre la formule est juste.",
    "own name": "{} s'appelle {} ici.",
    "called otherwise": "{} désigne {}, pas {}.",
    "no equals sign": "Une équation a deux membres : lu « … = 0 ».",
    # verdicts
    "equal": "Juste : c'est bien {}.",
    "sign": "Juste au signe près : multiplier par -1 pour retrouver {} sous sa forme usuelle.",
    "sign of a quantity": "Erreur de signe : {} est de signe opposé.",
    "factor": "Juste à un facteur près : {} vaut {} fois votre formule.",
    "factor of a quantity": "Erreur d'un facteur : {} vaut {} fois votre formule.",
    "constant": "Juste à une constante près : la vôtre est {} {}.",
    "with constraints": "Juste là où les liaisons sont respectées : c'est bien {}.",
    "own combination": "Juste : la vôtre est {}.",
    "consequence": "Juste : elle découle des équations du mouvement, dont {}.",
    "elsewhere": "Vrai, mais {} n'y intervient pas.",
    "with": "Juste avec {} = {}, ce qu'il faut préciser.",
    "combination": "Vrai, mais ce n'est pas l'équation demandée : la vôtre est {}.",
    "different": "Différent : votre formule n'est pas {}.",
    "faulty": "La formule ne peut pas être comparée à {} tant que ceci n'est pas corrigé.",
    "equation of": "l'équation de {}",
    "proved": "Prouvé en développant les deux formules.",
    "tested": "Égales en {} états tirés au hasard, à {:g} près relativement aux termes.",
    "at state": "Par exemple en {} :",
    "both values": "  la bonne donne {:.6g}, la vôtre {:.6g}.",
    "rewritten": "On compare votre équation multipliée par {}.",
    # termes
    "acceleration": "le coefficient de {}",
    "unknown": "le coefficient de l'inconnue {}",
    "product": "le coefficient de {}",
    "speed": "le coefficient de {} (premier degré)",
    "speeds": "ce qui reste en vitesses",
    "gravity": "le terme de pesanteur",
    "force": "le reste sans vitesse (ressorts, moteurs, charges)",
    "missing": "{label} manque : il vaut {expected}.",
    "extra": "{label} est de trop : vous avez {given}.",
    "wrong sign": "{label} a le mauvais signe : il vaut {expected}.",
    "wrong factor": "{label} est {times} fois trop {size} : il vaut {expected}, vous avez {given}.",
    "large": "grand",
    "small": "petit",
    "swapped": "sinus et cosinus sont échangés dans {label} : il vaut {expected}, "
    "vous avez {given}.",
    "part": "{lacking} manque dans {label} : il vaut {expected}, vous avez {given}.",
    "other": "{label} vaut {expected}, vous avez {given}.",
    # remarques
    "hint dissipation": "Une force proportionnelle à une vitesse ne s'obtient pas en dérivant sa "
    "puissance : ∂P/∂q. la compte deux fois. Prendre la fonction de Rayleigh, Q = -∂R/∂q. avec R "
    "la moitié de la puissance dissipée.",
    "hint coriolis": "Le terme de Coriolis a un facteur 2 : il vient une fois de la variation du "
    "rayon, une fois de la rotation du vecteur.",
    "hint potential": "La force généralisée d'un potentiel est -∂V/∂q.",
    "read as": "{}.",
    "title": "{} par {}",
    "by newton-euler": "le principe fondamental de la dynamique",
    "by lagrange": "les équations de Lagrange",
    "by virtual-power": "le principe des puissances virtuelles",
    "by kane": "les équations de Kane",
    "by gibbs-appell": "les équations d'Appell",
    "by hamilton": "les équations de Hamilton",
    "by mampey": "l'algorithme de Mampey",
    "theorem": "Théorème : {}.",
    "under": " Hypothèses : {}.",
    "at": "en",
    "warning": "Attention.",
    "long": "une formule de {} opérations",
    "ground": "le bâti (0)",
    # hypothèses
    "hypotheses": "Hypothèses",
    "H0": "Le bâti est galiléen et les solides sont indéformables.",
    "H0 broken": "Les solides sont indéformables ; le bâti n'est pas galiléen, et des forces "
    "d'inertie s'ajoutent.",
    "H1 broken": "Les liaisons sont parfaites, sauf ce qui peut s'ouvrir, adhérer ou glisser "
    "({}) : les contacts sont unilatéraux, $|T| ≤ f N$ sans glissement, $T = −f N v/|v|$ sinon "
    "(Coulomb). Les équations sont celles sans eux ; ts.in_mode donne celles d'un mode, simulate "
    "les suit tous.",
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
    "at the start": "Les distances sont écrites sans valeur absolue tant que ces grandeurs sont "
    "positives, comme au départ.",
    "kinematics": "Torseurs cinématiques",
    "kinematics text": "${Ω; V(G)}$ de chaque solide par rapport au bâti, en son centre d'inertie.",
    "virtual twists": "Torseurs cinématiques virtuels",
    "virtual twists text": "${V*} = {∂Ω/∂q.; ∂V(G)/∂q.}$ : un seul paramètre varie, à la vitesse "
    "1, le temps est figé.",
    "partial velocities": "Vitesses partielles",
    "partial velocities text": "Les coefficients des vitesses généralisées dans Ω et V(G).",
    # dynamique
    "kinetics": "Torseurs cinétiques",
    "kinetics text": "${m V(G); σ(G)}$ avec $σ(G) = I_G Ω$.",
    "dynamics": "Torseurs dynamiques",
    "dynamics text": "${m γ(G); δ(G)}$ avec $δ(G) = dσ(G)/dt$, dérivé dans le bâti.",
    "lagrangian": "Lagrangien",
    "lagrangian text": "L tel qu'il est donné, avec ce qui n'y a pas sa place.",
    "derivatives of a lagrangian": "Dérivées du lagrangien",
    "equations of a lagrangian": "$d/dt ∂L/∂q. - ∂L/∂q$ est la somme des forces que L ne contient "
    "pas.",
    "kinetic energy": "Énergie cinétique",
    "kinetic energy text": "$T = ½ m V(G)² + ½ Ω·I_G Ω$ pour chaque solide.",
    "koenig": "Koenig",
    "derivatives": "Dérivées de l'énergie cinétique",
    "derivatives text": "Par rapport aux vitesses, puis au temps, et par rapport aux paramètres.",
    # efforts
    "forces": "Forces généralisées",
    "forces text": "$Q = {F}·{V*}$, effort par effort ; les liaisons parfaites n'y figurent pas.",
    "no forces": "Aucun effort donné ne travaille dans ces mouvements virtuels.",
    "virtual power of actions": "la puissance virtuelle d'un effort sur un solide est ${F}·{V*}$",
    "source weight": "poids",
    "source frame": "inertie du bâti mobile",
    "source frame: entrainment": "inertie d'entraînement",
    "source frame: Coriolis": "inertie de Coriolis",
    "actions": "Bilan des actions mécaniques",
    "actions text": "Poids et charges de chaque solide en son centre d'inertie ; puis le torseur "
    "transmis par chaque liaison à son second solide, avec ses inconnues.",
    "virtual powers": "Puissances virtuelles",
    "virtual powers text": "Des quantités d'accélération, $P*_a = {D}·{V*}$, et des efforts "
    "donnés, $P*_e = {F}·{V*}$, sommées sur les solides.",
    "kane forces": "Forces actives et forces d'inertie",
    "kane forces text": "$F = Σ R·∂V(G)/∂u + M·∂Ω/∂u$, et "
    "$F* = -(Σ m γ(G)·∂V(G)/∂u + δ(G)·∂Ω/∂u)$.",
    # équations
    "bodies": "Principe fondamental, solide par solide",
    "bodies text": "Résultante (R) et moment en G (M) sur les axes de chaque solide ; les "
    "équations $0 = 0$ sont omises.",
    "pfd": "${D} = {F}$ : le torseur dynamique est celui des actions extérieures",
    "pfd of a set": "le même pour chaque liaison avec tous les solides qu'elle porte, projeté sur "
    "sa mobilité",
    "reactions": "Réactions",
    "reactions text": "Ce que demandent les solides au-delà de chaque liaison, dans ses axes.",
    "equations": "Équations du mouvement",
    "equations text": "$d/dt ∂T/∂q. - ∂T/∂q = Q$ pour chaque paramètre.",
    "equations held": "$d/dt ∂T/∂q. - ∂T/∂q = Q + Σ λ a$ pour chaque paramètre ; les "
    "multiplicateurs sont des réactions, et les équations de liaison complètent le système.",
    "with a Lagrangian": "Tous les efforts donnés dérivent d'un potentiel : $L = T - V$ donne les "
    "mêmes équations, $d/dt ∂L/∂q. = ∂L/∂q$ (Euler-Lagrange) : parmi les mouvements de mêmes "
    "extrémités, l'action $∫ L dt$ est stationnaire.",
    "with a Lagrangian held": "Tous les efforts donnés dérivent d'un potentiel : $L = T - V$ donne "
    "les mêmes équations, $d/dt ∂L/∂q. = ∂L/∂q + Σ λ a$ : parmi les mouvements de mêmes "
    "extrémités que les liaisons permettent, l'action $∫ L dt$ est stationnaire.",
    "with a Lagrangian nonholonomic": "Tous les efforts donnés dérivent d'un potentiel : "
    "$L = T - V$ donne les mêmes équations, $d/dt ∂L/∂q. = ∂L/∂q + Σ λ a$. Des liaisons ne "
    "s'intègrent pas (H2) : parmi les mouvements qu'elles permettent, celui-ci ne rend pas en "
    "général l'action $∫ L dt$ stationnaire.",
    "lagrange": "équations de Lagrange (d'Alembert, pour tout mouvement virtuel compatible)",
    "lagrange with multipliers": "équations de Lagrange avec multiplicateurs",
    "quasi-velocities": "Les vitesses {} sont les composantes de la rotation Ω d'une liaison sur "
    "les axes de son second solide : elles ne sont les dérivées d'aucun paramètre "
    "(quasi-vitesses). $∂T/∂π$ est la dérivée de T dans le mouvement où l'une d'elles vaut 1 et "
    "les autres 0.",
    "quasi text": "$d/dt ∂T/∂q. - ∂T/∂q = Q$ pour chaque paramètre ; pour chaque rotation, "
    "$d/dt ∂T/∂Ω + Ω ∧ ∂T/∂Ω - ∂T/∂π = Q$.",
    "quasi held": "$d/dt ∂T/∂q. - ∂T/∂q = Q + Σ λ a$ pour chaque paramètre ; pour chaque rotation, "
    "$d/dt ∂T/∂Ω + Ω ∧ ∂T/∂Ω - ∂T/∂π = Q + Σ λ a$. Les multiplicateurs sont des réactions, et les "
    "équations de liaison complètent le système.",
    "boltzmann-hamel": "équations de Lagrange en quasi-vitesses (Boltzmann, Hamel)",
    "virtual power": "pour tout mouvement virtuel, $P*_a = P*_e$",
    "virtual power text": "$P*_a = P*_e$ pour chaque paramètre : aucune réaction ne travaille.",
    "virtual power held": "$P*_a = P*_e$ pour chaque paramètre ; les réactions qui travaillent "
    "sont à droite.",
    "kane": "$F + F* = 0$ (Kane)",
    "kane text": "$-F* = F$ pour chaque vitesse.",
    "kane held": "$-F* = F$ pour chaque vitesse, avec à droite les réactions qui travaillent.",
    "acceleration energy": "Énergie d'accélération",
    "acceleration energy text": "$S = ½ m γ(G)² + ½ Ω'·I_G Ω' + Ω'·(Ω ∧ I_G Ω)$ pour chaque "
    "solide, Ω' étant la dérivée de Ω ; les termes sans accélération ne se dérivent pas, et sont "
    "omis.",
    "appell": "équations d'Appell : $∂S/∂q.. = Q$",
    "appell text": "$∂S/∂q.. = Q$ pour chaque paramètre : aucune réaction ne travaille.",
    "appell held": "$∂S/∂q.. = Q$ pour chaque paramètre, avec les réactions qui travaillent.",
    "momenta": "Moments conjugués",
    "momenta text": "$p = ∂L/∂q.$ avec $L = T - V$, linéaire en les vitesses, et résolu en elles.",
    "legendre": "Fonction de Hamilton",
    "legendre text": "$H = Σ p q. - L$, écrite avec les moments : $T2 - T0 + V$.",
    "legendre theorem": "transformation de Legendre ; $H = T + V$ si rien n'est imposé",
    "canonical": "Équations canoniques",
    "canonical text": "$q. = ∂H/∂p$, et $p. = -∂H/∂q + Q$ pour ce qui n'a pas de potentiel.",
    "canonical held": "$q. = ∂H/∂p$, et $p. = -∂H/∂q + Q + Σ λ a$ pour ce qui n'a pas de potentiel "
    "et pour les liaisons.",
    "cyclic momenta": "Constants, car H ne dépend pas de leurs paramètres : {}.",
    "hamilton": "équations de Hamilton",
    "chain": "Chaîne des liaisons",
    "chain text": "Chaque liaison porte le nom de son paramètre. $λ$ mène à son origine depuis "
    "celle de la liaison précédente, $u$ est son axe ; les vecteurs sont donnés sur les axes "
    "situés après la liaison indiquée entre crochets. Un moteur a le rapport $α$ de son réducteur, "
    "l'inertie $j$ de son rotor et son axe $ε$. Pour tout ce qui est au-delà d'une liaison, $2 T = "
    "M W² + Ω·J Ω + 2 W·(p ∧ Ω) + 2 Ω·Σ q. h + 2 W·Σ q. r + Σ a q. q.$, W étant la vitesse de son "
    "origine : de liaison en liaison les masses s'ajoutent, $p = p' - m d - M' λ$, J se déduit par "
    "Huygens, $h = h' + λ ∧ r'$ et $r = r'$.",
    "beyond": "Au-delà de ${}$",
    "mampey turning": "La liaison tourne ($ρ = 1, τ = 0$) : $a = u·J u$ avec elle-même, $a = u·h$ "
    "avec les suivantes. Pour les précédentes, elle apporte au départ $h' = J u$ et $r' = p ∧ u$.",
    "mampey sliding": "La liaison coulisse ($ρ = 0, τ = 1$) : $a = M$ avec elle-même, $a = u·r$ "
    "avec les suivantes. Pour les précédentes, elle apporte au départ $h' = u ∧ p$ et $r' = M u$.",
    "mampey rotor": "Son rotor ajoute $α² j$ au premier.",
    "mampey rotor axis": "Son rotor ajoute $α² j$ au premier, et $α j ε$ au h vu du solide "
    "porteur.",
    "speed terms": "Termes de vitesse",
    "speed terms text": "S est ce que demande la récurrence de Newton et Euler pour $q.. = 0$, "
    "sans le poids ni les charges.",
    "mampey": "$A q.. + S = Q$, A étant donnée par l'algorithme de Mampey (Lagrange)",
    "mampey text": "$A q.. + S = Q$ pour chaque paramètre.",
    "mampey held": "$A q.. + S = Q + Σ λ a$ pour chaque paramètre ; les multiplicateurs sont des "
    "réactions, et les équations de liaison complètent le système.",
    "newton text": "On isole chaque liaison avec tout ce qu'elle porte, et on projette sur sa "
    "mobilité.",
    "newton held": "On isole chaque liaison avec tout ce qu'elle porte ; les multiplicateurs de ce "
    "qui ferme les boucles sont à droite.",
    "elimination": "Élimination des réactions",
    "elimination text": "Vitesses indépendantes : {}. Les autres s'en déduisent par les équations "
    "de liaison ; dans les mouvements virtuels compatibles, aucune réaction ne travaille.",
    "compatible motions": "$P*_a = P*_e$ dans tout mouvement virtuel compatible avec les liaisons",
    # plusieurs solides
    "set": "Solides pris ensemble",
    "set text": "On isole : {}. Liaisons avec l'extérieur : {}.",
    "set centre": "Centre d'inertie et repère de Koenig",
    "set centre text": "$m V(G)$ est la résultante cinétique ; $σ(A) = σ* + AG ∧ m V(G)$ et "
    "$T = ½ m V(G)² + T*$.",
    "set actions": "Torseur dynamique et actions extérieures en O, origine du bâti ; les actions "
    "intérieures se compensent.",
    "set balance": "Principe fondamental pour l'ensemble",
    "set balance text": "Résultante (R) et moment en O (M) sur les axes du bâti ; les équations "
    "$0 = 0$ sont omises.",
    "set weight": "poids",
    "powers": "Puissances extérieures et intérieures",
    "powers text": "$dT/dt = P_ext + P_int$ ; de la masse en G, $R_ext·V(G)$ ; autour de G, le "
    "reste.",
    "energy theorem": "la dérivée de l'énergie cinétique est la puissance de toutes les actions, "
    "extérieures et intérieures",
    # pièges
    "trap dissipation": "Une force qui dépend des vitesses ne s'obtient pas en dérivant sa "
    "puissance : $∂P/∂q.$ la compte deux fois. Prendre ${F}·{V*}$, la force étant figée, ou la "
    "fonction de Rayleigh.",
    "trap moving point": "La liaison {} est mobile. En un point mobile A le moment dynamique est "
    "$δ(A) = dσ(A)/dt + m V(A) ∧ V(G)$ ; ce n'est la dérivée de σ qu'en un point fixe, ou en G.",
    "trap contact": "Au contact {} il y a trois points : du bâti, du solide (tous deux de vitesse "
    "nulle) et le point géométrique, qui se déplace. $δ(A) = dσ(A)/dt + m V(A) ∧ V(G)$ prend la "
    "vitesse du point géométrique.",
    "trap imposed": "Le mouvement {} est imposé : la vitesse réelle n'est pas une vitesse "
    "virtuelle, et la puissance de son entraînement n'est pas dans les Q. Le théorème de l'énergie "
    "devient celui de Painlevé, $T2 - T0$.",
    "trap relative angle": "${}$ est un angle relatif : la rotation de {} dans son énergie est par "
    "rapport au bâti, la somme des vitesses.",
    "trap singular": "Liaison {} : en ${} = {}$ ces paramètres perdent un degré de liberté ; les "
    "équations n'y sont pas résolubles.",
}
