"""The words of the bank of exercises, in English."""

_SAME = ("right", "wrong", "not answered", "hint read", "coordinates", "new", "gone", "none")

WORDS: dict[str, str] = {
    **dict(zip(_SAME, _SAME, strict=True)),
    # answers
    "right number": "Right: {}.",
    "wrong number": "Wrong number: {}.",
    "unit forgotten": "DR: a number needs its unit; read in {}.",
    "no number": '"{}" is not a number.',
    "no unit": 'the unit "{}" is not defined.',
    "another unit": "{} is not a unit of this quantity, which is in {}.",
    "vector for a number": "expected one number, not a list.",
    "right choice": "Right: {}.",
    "wrong choice": 'Wrong: it is not "{}".',
    "no option": '"{}" is not among the options: {}.',
    "not eliminated": "still to be eliminated: {}.",
    "right torseur": "Right: this is the action that the joint {} transmits.",
    "carries": "Wrong: the joint {} can also transmit {}.",
    "lets go": "Wrong: the joint {} allows that motion, so it does not transmit {}.",
    "not six": "a torseur has six components X, Y, Z, L, M, N, not {}.",
    "no component": '"{}" is not a component: these are X, Y, Z, L, M, N.',
    "misplaced": "{} is at the place of another component: the order is X, Y, Z, L, M, N.",
    # sheets
    "sheet": "Marks: {}",
    "mark": "Mark: {:.4g}/{}",
    "given mark": "  {} × {}: {}",
    "goals": "Learning goals",
    # a class
    "student": "student",
    "mark of": "mark/{}",
    "mean": "mean",
    "lessons of a class": "Lessons to go over again",
    # handouts
    "handout": "Exercise",
    "corrige": "Exercise with solutions",
    "questions": "Questions",
    "statement": "Statement",
    "answer is": "Answer: ",
    "typical wrong": "Typical wrong answers",
    "written by": "Torseur {}",
    "unit is": " [{}]",
    # questions
    "question": "Question {} ({})",
    "one point": "1 point",
    "points": "{} points",
    "hint": "Hint: {}",
    "data": "Given: {}.",
    "between data": ", ",
    "start": "At the start: {}.",
    "solution": "Answer: {}",
    "unit": "[{}]",
    "prompt": "Your answer (? for a hint, ! for the solution, Enter to continue)",
    # hints of what has none of its own
    "hint of T": "Each solid has T = m V(G)²/2 + Omega·I(G)Omega/2 (Koenig); add them up.",
    "hint of V": "V is -m g·OG for a weight, k (l - l0)²/2 for a spring, C phi²/2 for a torsion "
    "spring.",
    "hint of L": "L = T - V.",
    "hint of R": "R is half the power that the dampers dissipate.",
    "hint of H": "H = sum of p q. - L, with every speed written by the momenta.",
    "hint of p_q": "p = dL/dq., the derivative of the Lagrangian by the speed.",
    "hint of S_q": "S = d/dt(dT/dq.) - dT/dq.",
    "hint of Q_q": (
        "Q is the power of the given efforts in the virtual motion where this speed alone is 1."
    ),
    "hint of V(A)": (
        "Differentiate OA in the fixed frame; base vectors that turn have dx1/dt = Omega^x1."
    ),
    "hint of gamma(A)": "Differentiate V(A); Coriolis has a factor 2.",
    "hint of Omega(A)": (
        "Rotations add up from frame to frame: Omega(2/0) = Omega(2/1) + Omega(1/0)."
    ),
    "hint of R(A)": "Isolate the bodies that the joint carries: m gamma(G) is the sum of the "
    "forces.",
    "hint of M(A)": (
        "Isolate the bodies that the joint carries: the dynamic moment at the point is the sum of "
        "the moments."
    ),
    "hint of reaction": "Isolate the body on which it acts, and project the law of the resultant.",
    "hint of condition": (
        "Write that the points in contact are at the same place, or have the same velocity."
    ),
    "hint of equation": (
        "Lagrange: d/dt(dT/dq.) - dT/dq = Q; or project a theorem so that no reaction is left."
    ),
    "hint of torseur": "A perfect joint transmits no force along a motion that it allows: its "
    "power is zero.",
    "hint of mobility": (
        "Count the parameters of position, then take away the independent conditions."
    ),
    "hint of balance": (
        "Count the unknowns of every joint and law, and the parameters of the motion."
    ),
    "hint of bordered system": "One unknown for each acceleration, one for each multiplier.",
    "hint of stability": (
        "Look at the second derivative of the potential energy there (minus K0 if a motion is "
        "imposed)."
    ),
    "hint of equilibria": "At an equilibrium every generalised force is zero at rest.",
    "hint of pose": (
        "At rest the derivative of the potential energy (minus K0 if a motion is imposed) is zero."
    ),
    "hint of pulsation": "Linearise about the rest: det(K - omega² M) = 0.",
    "hint of squared pulsation": "Linearise about the rest: M q.. + K q = 0 has omega² = K/M.",
    "hint of run": "Look for a first integral, or integrate the equations of motion numerically.",
    "hint of state": "Write the formula with letters first, then put in the values.",
    "hint of formula": "Write the formula with letters first, then put in the values.",
    "hint of comparison": "Write both with letters, and compare.",
    "hint of first integrals": "Is the time in L? Is a coordinate missing in L?",
    "hint of first integral": "K2 - K0 + V if the time is not in L; p = dL/dq. if q is not in L.",
    "hint of holonomy": (
        "Can the relation between speeds be integrated into one between positions?"
    ),
    "hint of zeros of inertia": (
        "A product such as the integral of x z dm is zero if matter is the same on both "
        "sides of x = 0 or of z = 0."
    ),
    "hint of inertia": (
        "Integrate over the solid, or add known solids by Huygens: I(A) = I(G) + m d²."
    ),
    "hint of centre": "m OG is the integral of OM dm.",
    "hint of kinetic moment": (
        "sigma(A) = I(A) Omega if A is a fixed point of the solid; sigma(A) = sigma(G) + AG^m V(G)."
    ),
    "hint of dynamic moment": (
        "delta(G) is the rate of sigma(G): that of its components, and Omega^sigma."
    ),
    "hint of kinetic resultant": "It is m V(G).",
    "hint of mass matrix": "A_ij is the second derivative of T by q_i. and q_j.",
    "hint of factor of speeds": (
        "It follows from the derivatives of the A_ij (Christoffel's symbols)."
    ),
    "hint of rigidity of a field": (
        "The rate of strain, the symmetric part of the gradient, must be zero."
    ),
    "hint of rotation of a field": "The curl is twice the rotation.",
    # what if
    "colon": ": ",
    "what if no motor": "motor {} is left out: {} has not one degree of freedom",
    "what if joint": "{} is {} instead of {}",
    "what if symmetry": "{} has {} instead of its own symmetries",
    "what if no symmetry": "{} no longer has a symmetry",
    "degree": "mobility m",
    "overconstraint": "over-constraint h",
    "unknown_count": "unknowns",
    "equation_count": "equations",
    "torseur of": "carried by {}",
    "zeros of": "zeros of inertia of {}",
    "equations": "Equations",
    "unchanged": "the same",
    "reactions changed": "Reactions that change: {}",
    "no reaction changed": "No reaction changes.",
    # learning goals
    "velocity fields": "write the velocity and acceleration fields of a rigid body",
    "composed motions": "compose velocities, rotations and accelerations between frames",
    "centre of mass": "find the centre of mass of a system",
    "kinetic resultant": "find the kinetic resultant of a system",
    "kinetic moment": "find the kinetic moment of a system",
    "inertia": "find an inertia tensor, and its zeros by symmetry",
    "kinetic energy": "find the kinetic energy of a system",
    "law of the resultant": "write the law of the resultant",
    "law of the moment": "write the law of the moment",
    "law of energy": "write the law of energy",
    "parameters": "choose the parameters of a linked system and count them",
    "joints": "describe perfect joints by the motions that they allow",
    "joint efforts": "deduce the actions that a joint can transmit, and compute them",
    "virtual power": "write the principle of virtual power",
    "d'Alembert": "identify generalised forces, given and of inertia",
    "Lagrange": "write energies and Lagrange's equations",
    "equilibria": "find equilibria and their stability",
    "small motions": "find the small motions about an equilibrium",
    "Hamilton": "write momenta and Hamilton's function",
    "first integrals": "find first integrals of a motion",
    "multipliers": "use multipliers, and state their meaning",
    "non-holonomic": "recognise a non-holonomic constraint",
    "friction": "apply the laws of dry friction",
    "simulation": "compute a motion, and judge the result",
    "orders of magnitude": "find orders of magnitude",
}
