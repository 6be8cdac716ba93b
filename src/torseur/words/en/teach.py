"""The words of derivations, in English."""

WORDS: dict[str, str] = {
    # hypotheses
    "hypotheses": "Hypotheses",
    "H0": "The ground is Galilean and the bodies are rigid.",
    "H0 broken": "The bodies are rigid; the ground is not Galilean, and inertia forces are added.",
    "H1 broken": "The joints are perfect, except {}, which may open, stick or slide: a contact "
    "only pushes, $|T| ≤ f N$ while it sticks, $T = −f N v/|v|$ while it slides (Coulomb). The "
    "equations leave contacts out; ts.in_mode gives the equations of one contact state, simulate "
    "follows all of them.",
    "H1 slides": "The joints are perfect, except {}, where a body slides: the friction "
    "$T = −f N v/|v|$ (Coulomb) does work, and is a given action.",
    "H1": "The joints are perfect, rolling without slipping included: their reactions do no work "
    "in the virtual motions they allow. Motors, springs, dampers and friction are given actions.",
    "H2": "The constraints are holonomic and bilateral.",
    "H2 integrable": "The constraints are holonomic; given in speeds, but integrable: {}.",
    "H2 broken": "Not all constraints are holonomic; of speeds only, not integrable: {}.",
    "H3": "All given actions have a potential.",
    "H3 broken": "Not all given actions have a potential: {}.",
    "H4": "Nothing depends on time explicitly.",
    "H4 broken": "Time enters explicitly: {}.",
    # parametrisation and kinematics
    "parametrisation": "Parametrisation",
    "bodies are": "Bodies: {}.",
    "joint line": "{}: {} joint between {} and {}, coordinate {}.|"
    "{}: {} joint between {} and {}, coordinates {}.",
    "joint closing": "{}: {} joint between {} and {}; it closes a loop and gives constraint "
    "equations.",
    "joint without": "{}: {} joint between {} and {}.",
    "joint axis": ", axis {}",
    "joint normal": ", normal {}",
    "count": "{} independent coordinate: {}.|{} independent coordinates: {}.",
    "count held": "{} coordinate ({}), constraint equations: {}, each with its multiplier.|"
    "{} coordinates ({}), constraint equations: {}, each with its multiplier.",
    "identities": "{} of them holds whatever the coordinates, and is left out.|"
    "{} of them hold whatever the coordinates, and are left out.",
    "implied": "{} of them follows from the others.|{} of them follow from the others.",
    "at the start": "Absolute values are dropped, since these quantities are positive initially.",
    "source sliding": "friction of {}",
    "mass geometry": "Geometry of masses",
    "mass geometry text": "Letters for the mass and the moments of inertia at the centre of mass.",
    "kinematics": "Kinematic torseurs",
    "kinematics text": "${Ω; V(G)}$ of each body relative to the ground, at its centre of mass.",
    "still": "The joints together leave these no freedom: {}; they are zero in what follows.",
    "turning": "One rotation is left, by the angle {} about {}, {}: {} are zero, {} and {} are the "
    "cosine and the sine of {}.",
    "virtual twists": "Virtual twists",
    "virtual twists text": "${V*} = {∂Ω/∂q.; ∂V(G)/∂q.}$: one generalised velocity is set to 1, "
    "the others to 0, with time frozen.",
    "partial velocities": "Partial velocities",
    "partial velocities text": "The coefficients of the generalised speeds in Ω and V(G).",
    # dynamics
    "kinetics": "Kinetic torseurs",
    "kinetics text": "${m V(G); σ(G)}$ with $σ(G) = I_G Ω$.",
    "dynamics": "Dynamic torseurs",
    "dynamics text": "${m γ(G); δ(G)}$ with $δ(G) = dσ(G)/dt$, seen from the ground.",
    "lagrangian": "Lagrangian",
    "lagrangian text": "The given Lagrangian L, and the forces it does not include.",
    "derivatives of a lagrangian": "Derivatives of the Lagrangian",
    "equations of a lagrangian": "$d/dt ∂L/∂q. - ∂L/∂q$ is the sum of the forces that L leaves "
    "out.",
    "kinetic energy": "Kinetic energy",
    "kinetic energy text": "$T = ½ m V(G)² + ½ Ω·I_G Ω$ for each body.",
    "koenig": "Koenig",
    "derivatives": "Derivatives of the kinetic energy",
    "derivatives text": "With respect to the speeds, then to time, and to the coordinates.",
    # forces
    "forces": "Generalised forces",
    "forces text": "$Q = {F}·{V*}$, action by action; perfect joints do not appear.",
    "no forces": "No given action does work in these virtual motions.",
    "virtual power of actions": "the virtual power of an action on a rigid body is ${F}·{V*}$",
    "source weight": "weight",
    "source frame": "inertia of the moving ground",
    "source frame: entrainment": "inertia of entrainment",
    "source frame: Coriolis": "inertia of Coriolis",
    "actions": "Balance of actions",
    "actions text": "Each body is isolated: weight and loads at its centre of mass, then what each "
    "joint exerts on it at its point, then what acts in the joint (motors, springs, loads). "
    "By action and reaction, a joint exerts opposite actions on its two bodies.",
    "head actions": "actions on {}",
    "head point": "point",
    "head resultant": "resultant",
    "head moment": "moment at this point",
    "action joint": "{}: {} joint",
    "action in joint": "{} (in {})",
    "action rotor": "rotor of {}",
    "transport": "Moments at G",
    "transport text": "The moments of the theorem are all taken at G: $M_G = M_A + GA ∧ R$. "
    "Actions that already are at G are left out.",
    "resultant along": "resultant along {}",
    "moment along": "moment at {} along {}",
    "unknowns": "{1} scalar equations; unknowns: {2} of the joints and {0} acceleration.|"
    "{1} scalar equations; unknowns: {2} of the joints and {0} accelerations.",
    "unknowns held": "{1} scalar equations and {3}, differentiated twice: {4} "
    "equations; unknowns: {2} of the joints and {0} acceleration, {5} in all.|"
    "{1} scalar equations and {3}, differentiated twice: {4} "
    "equations; unknowns: {2} of the joints and {0} accelerations, {5} in all.",
    "constraint count": "{} constraint|{} constraints",
    "indeterminate": "{} of the constraints adds no condition: as many unknowns of the joints "
    "remain undetermined (statically indeterminate).|{} of the constraints add no condition: as "
    "many unknowns of the joints remain undetermined (statically indeterminate).",
    "projection": "{}: isolate {}. At joint {}, {}.",
    "project join": "; ",
    "project turn": "moment along the axis of rotation, about which the joint carries no moment",
    "project slide": "resultant along the direction of sliding, along which the joint carries no "
    "force",
    "project ball": "moment at its centre, where the joint carries no moment",
    "project motion": "power of the actions in the virtual motion that the joint allows, in which "
    "its reaction does no work",
    "virtual powers": "Virtual powers",
    "virtual powers text": "Of the quantities of acceleration, $P*_a = {D}·{V*}$, and of the given "
    "actions, $P*_e = {F}·{V*}$, summed over the bodies.",
    "kane forces": "Active and inertia forces",
    "kane forces text": "$F = Σ R·∂V(G)/∂u + M·∂Ω/∂u$, and "
    "$F* = -(Σ m γ(G)·∂V(G)/∂u + δ(G)·∂Ω/∂u)$.",
    # equations
    "bodies": "Fundamental principle, body by body",
    "bodies text": "Resultant and moment at G, along the axes of the ground ($x0$, $y0$, $z0$) or "
    "of the body, whichever is shorter; equations that read $0 = 0$ are left out.",
    "pfd": "${D} = {F}$: the dynamic torseur is that of the actions from outside",
    "pfd of a set": "the fundamental principle for all the bodies that a joint carries, projected "
    "on the freedom of the joint",
    "reactions": "Reactions",
    "reactions text": "Action on the bodies beyond each joint, in the axes of the joint.",
    "equations": "Equations of motion",
    "equations text": "$d/dt ∂T/∂q. - ∂T/∂q = Q$ for each coordinate.",
    "equations held": "$d/dt ∂T/∂q. - ∂T/∂q = Q + Σ λ a$ for each coordinate; the multipliers are "
    "reactions, and the constraints complete the system.",
    "with a Lagrangian": "All given actions have a potential: $L = T - V$ gives the same "
    "equations, $d/dt ∂L/∂q. = ∂L/∂q$ (Euler-Lagrange): among the motions with the same "
    "ends, the action $∫ L dt$ is stationary.",
    "with a Lagrangian held": "All given actions have a potential: $L = T - V$ gives the same "
    "equations, $d/dt ∂L/∂q. = ∂L/∂q + Σ λ a$: among the motions with the same ends that the "
    "constraints allow, the action $∫ L dt$ is stationary.",
    "with a Lagrangian nonholonomic": "All given actions have a potential: $L = T - V$ gives the "
    "same equations, $d/dt ∂L/∂q. = ∂L/∂q + Σ λ a$. Some constraints cannot be integrated (H2): "
    "among the motions that they allow, this one does not in general make the action $∫ L dt$ "
    "stationary.",
    "lagrange": "Lagrange's equations (d'Alembert, for all virtual motions that the joints allow)",
    "lagrange with multipliers": "Lagrange's equations with multipliers",
    "quasi-velocities": "The speeds {} are components of the rotation Ω of a joint along the axes "
    "of its second body: they are the rates of no coordinates (quasi-velocities). $∂T/∂π$ is the "
    "slope of T along the motion in which one of them is 1 and the others are 0.",
    "quasi text": "$d/dt ∂T/∂q. - ∂T/∂q = Q$ for each coordinate; for each rotation, "
    "$d/dt ∂T/∂Ω + Ω ∧ ∂T/∂Ω - ∂T/∂π = Q$.",
    "quasi held": "$d/dt ∂T/∂q. - ∂T/∂q = Q + Σ λ a$ for each coordinate; for each rotation, "
    "$d/dt ∂T/∂Ω + Ω ∧ ∂T/∂Ω - ∂T/∂π = Q + Σ λ a$. The multipliers are reactions, and the "
    "constraints complete the system.",
    "boltzmann-hamel": "Lagrange's equations in quasi-velocities (Boltzmann, Hamel)",
    "virtual power": "for every virtual motion, $P*_a = P*_e$",
    "virtual power text": "$P*_a = P*_e$ for each coordinate: reactions do no work.",
    "virtual power held": "$P*_a = P*_e$ for each coordinate; the reactions that do work are on "
    "the right.",
    "kane": "$F + F* = 0$ (Kane)",
    "kane text": "$-F* = F$ for each speed.",
    "kane held": "$-F* = F$ for each speed, with the reactions that do work on the right.",
    "acceleration energy": "Energy of accelerations",
    "acceleration energy text": "$S = ½ m γ(G)² + ½ Ω'·I_G Ω' + Ω'·(Ω ∧ I_G Ω)$ for each body, Ω' "
    "being the rate of Ω; terms without accelerations have no derivative, and are left out.",
    "appell": "Appell's equations: $∂S/∂q.. = Q$",
    "appell text": "$∂S/∂q.. = Q$ for each coordinate: reactions do no work.",
    "appell held": "$∂S/∂q.. = Q$ for each coordinate, with the reactions that do work.",
    "momenta": "Conjugate momenta",
    "momenta text": "$p = ∂L/∂q.$ with $L = T - V$, linear in the speeds, solved for them.",
    "legendre": "Hamilton's function",
    "legendre text": "$H = Σ p q. - L$, written with the momenta: $T2 - T0 + V$.",
    "legendre theorem": "the Legendre transform; $H = T + V$ where nothing is imposed",
    "canonical": "Canonical equations",
    "canonical text": "$q. = ∂H/∂p$, and $p. = -∂H/∂q + Q$, where Q is the force without a "
    "potential.",
    "canonical held": "$q. = ∂H/∂p$, and $p. = -∂H/∂q + Q + Σ λ a$, where Q is the force without "
    "a potential and λ are the multipliers of the constraints.",
    "cyclic momenta": "Constant, because H does not depend on their coordinates: {}.",
    "hamilton": "Hamilton's equations",
    "chain": "Chain of joints",
    "chain text": "Each joint is called by its coordinate. $λ$ leads to its origin from that of "
    "the joint before it, $u$ is its axis; vectors are along the axes behind the joint in square "
    "brackets. A motor has the ratio $α$ of its gear, the inertia $j$ of its rotor and its axis "
    "$ε$. For what lies beyond a joint, $2 T = M W² + Ω·J Ω + 2 W·(p ∧ Ω) + 2 Ω·Σ q. h + 2 W·Σ q. "
    "r + Σ a q. q.$, W being the velocity of its origin: from joint to joint masses add up, $p = "
    "p' - m d - M' λ$, J follows by Huygens, $h = h' + λ ∧ r'$ and $r = r'$.",
    "beyond": "Beyond ${}$",
    "mampey turning": "The joint turns ($ρ = 1, τ = 0$): $a = u·J u$ with itself, $a = u·h$ with "
    "those beyond. For those before it, it starts with $h' = J u$ and $r' = p ∧ u$.",
    "mampey sliding": "The joint slides ($ρ = 0, τ = 1$): $a = M$ with itself, $a = u·r$ with "
    "those beyond. For those before it, it starts with $h' = u ∧ p$ and $r' = M u$.",
    "mampey rotor": "Its rotor adds $α² j$ to the first.",
    "mampey rotor axis": "Its rotor adds $α² j$ to the first, and $α j ε$ to the h that its "
    "carrier sees.",
    "speed terms": "Terms of speeds",
    "speed terms text": "S is the result of the Newton-Euler recursion at $q.. = 0$, without "
    "weight and loads.",
    "mampey": "$A q.. + S = Q$ with A by Mampey's recursion (Lagrange)",
    "mampey text": "$A q.. + S = Q$ for each coordinate.",
    "mampey held": "$A q.. + S = Q + Σ λ a$ for each coordinate; the multipliers are reactions, "
    "and the constraints complete the system.",
    "newton text": "The bodies are isolated so that no unknown reaction enters the equation.",
    "newton held": "The bodies are isolated so that only the unknowns of the joints that close "
    "loops enter; they are on the right.",
    "elimination": "Elimination of the reactions",
    "coordinates solved": "The constraints are solved for the other coordinates, which are put in.",
    "elimination text": "Independent speeds: {}. The others follow from the constraints; "
    "reactions do no work in the virtual motions that these allow.",
    "sliding elimination": "Elimination of the pressures",
    "sliding elimination text": "The equations of {} give the normal forces, on which friction "
    "depends; they are put into the others, with what the contacts give.",
    "compatible motions": "$P*_a = P*_e$ in every virtual motion that the constraints allow",
    "one freedom": "Each of the other speeds is a multiple of ${0}.$: its ratio k depends on the "
    "configuration alone. Then $T = ½ {1} {0}.²$, and Lagrange's equation of the only freedom is "
    "${1} {0}.. + {2} {0}.² = Q$ with ${2} = ½ d{1}/d{0}$.",
    # result
    "result": "Result",
    "result text": "The equations without the factors that all their terms share.",
    "checks": "Checks",
    "checks text": "Dimension and limit cases.",
    "homogeneous": "Dimension: every term of the equation of {1} is in {2}.|"
    "Dimension: every term of the equations of {1} is in {2}.",
    "limits text": "Limit cases, to be compared with known results:",
    "case small": "small motions",
    "erratum": "Erratum {} of the source: {}",
    "erratum E0-8": "the generalised forces of the tension are $T x/l$ and $T y/l$, not $T x$ "
    "and $T y$.",
    "erratum E0-9": "the virtual displacement of the contact point is along the slope alone.",
    "erratum E0-10": "while it slides, $r theta.. = -2 f g cos alpha s$: the printed sign is "
    "wrong.",
    "erratum E0-11": "the coupling term of T is $2 a y. theta. cos theta$, the printed one lacks "
    "$y.$; the second equation has $y..$ where $y.$ is printed.",
    "erratum E1-1": "the printed $A_11$ has C5 for C6 in one factor, and $A_33$ VZ3 for VZ6.",
    "erratum E1-4": "$C_ij = ∂A_ij/∂q_j - ½ ∂A_jj/∂q_i$; the printed one is twice too large.",
    "erratum E2-2": "the moment of the weight is $-m g a sin theta$; it is printed with a cosine "
    "and the opposite sign.",
    "erratum E2-3": "the inertia is $m R² + C$, not $m R + C$.",
    "erratum E2-4": "with two parameters, $C theta.. = Gamma - R T$; the printed sign is the "
    "opposite.",
    "erratum E2-5": "the printed equations mix moments at O and at G; at G, $I theta.. = L (X "
    "sin theta - Y cos theta)$.",
    "erratum E2-6": "the term of gravity is $-m2 g l sin theta$ for a pendulum that hangs; the "
    "printed moment has the opposite sign.",
    "erratum E2-7": "Coriolis's term is $2 m (a + lam) lam. theta.$; the 2 is missing in print.",
    "erratum E2-8": "the spring pulls with $k (lam - l0)$; the printed sign makes its stiffness "
    "negative.",
    "erratum E2-9": "with friction there are 22 equations for 22 unknowns; the printed 21 = 21 "
    "leaves out one of each.",
    "erratum E2-10": "with a rotation $+theta.$ about z, rolling is $x. + R theta. = 0$; it is "
    "integrable, although it is called non-holonomic.",
    "erratum E2-12": "the wheel grips while $|T| ≤ f N$, with the absolute value.",
    "erratum E3-1": "ψ is the spin and φ the precession; the comment of the figure exchanges them.",
    "erratum E3-2": "the printed program inverts a vector: a bracket is misplaced.",
    "erratum E3-3": "with $alpha = 0$ the slider starts at $l1 + l2$, not at 0.",
    "erratum E4-20": "with an imposed rotation, equilibria are stationary points of $V - T0$, "
    "not of V.",
    "rates": "First-order states",
    "rates text": "The rates of {} complete the equations of motion.",
    # several bodies
    "set": "Bodies taken together",
    "set text": "Isolated: {}. Joints that lead outside: {}.",
    "set centre": "Centre of mass and Koenig's frame",
    "set centre text": "$m V(G)$ is the resultant of the kinetic torseur; "
    "$σ(A) = σ* + AG ∧ m V(G)$ and $T = ½ m V(G)² + T*$.",
    "set actions": "Dynamic torseur and actions from outside at O, the origin of the ground; "
    "inner actions cancel out.",
    "set balance": "Fundamental principle for the set",
    "set balance text": "Resultant and moment at O along the axes of the ground; equations that "
    "read $0 = 0$ are left out.",
    "set weight": "weight",
    "powers": "Powers from outside and inside",
    "powers text": "$dT/dt = P_ext + P_int$; the mass at G receives $R_ext·V(G)$, the motion "
    "about G the rest.",
    "energy theorem": "the rate of kinetic energy is the power of all actions, outer and inner",
    # traps
    "trap dissipation": "A force that depends on speeds is not found by differentiating its "
    "power: $∂P/∂q.$ counts it twice. Use ${F}·{V*}$ with the force frozen, or Rayleigh's "
    "function.",
    "trap moving point": "The joint {} moves. At a moving point A the dynamic moment is "
    "$δ(A) = dσ(A)/dt + m V(A) ∧ V(G)$; only at a fixed point, or at G, is it the rate of σ.",
    "trap contact": "The contact {} has three points: one of the ground, one of the body (both "
    "with velocity 0) and the geometric one, which moves. $δ(A) = dσ(A)/dt + m V(A) ∧ V(G)$ takes "
    "the velocity of the geometric point.",
    "trap imposed": "The motion {} is imposed: the real velocity is not a virtual one, and the "
    "power of its drive is not among the Q. The energy theorem becomes that of Painlevé, "
    "$T2 - T0$.",
    "trap relative angle": "${}$ is a relative angle: the rotation of {} in its energy is relative "
    "to the ground, the sum of the rates.",
    "trap reaction": "${0}$ is the reaction of a contact. These equations leave the contact out, "
    "so that they hold with ${0} = 0$ while it is open; while it is closed, it adds its own force "
    "to them, and simulate finds ${0}$ together with the motion.",
    "trap singular": "Joint {}: at ${} = {}$ these coordinates lose a degree of freedom; the "
    "equations cannot be solved there.",
}
