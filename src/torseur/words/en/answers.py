"""The words of answers, in English, and those that derivations share with them."""

WORDS: dict[str, str] = {
    # marks
    "column": "column {}",
    "colon": ":",
    "SE": "syntax error.",
    "KK": "undefined symbol.",
    "INHT": "tensors of different orders.",
    "INHD": "not homogeneous.",
    "EL": "an error of logic.",
    "HS": "off the subject.",
    "N": "notation.",
    "T": "terminology.",
    "DR": "writing.",
    "order scalar": "a scalar",
    "order vector": "a vector",
    "unreadable": "{}",
    "undefined": '"{}" is defined neither by the model nor in the formula. {}',
    "undefined vector": "The arrow over {} is not defined: write it between two named points. {}",
    "added": "{}, {}, is added to {}, {}.",
    "set equal": "{}, {}, is set equal to {}, {}.",
    "compared": "{}, {}, is compared with {}, {}.",
    "power of a quantity": "{} raises {}, {}, to a power that is not a number.",
    "function of a quantity": "The argument {} of {} is {}: it must have no unit.",
    "vector component": "The component {} is a vector.",
    "cross with a scalar": "{} is the cross product of a vector and a scalar.",
    "divided by a vector": "{} divides by a vector.",
    "vector as exponent": "{} has a vector as exponent.",
    "function of a vector": "{} is a function of a vector.",
    "another order": "The formula is {}, {} is {}.",
    "another dimension": "The formula is [{}], {} is [{}].",
    "circular": "The formula gives no information on {0}: it defines {0} by itself.",
    "tautology": "Both sides are the same: the formula states nothing.",
    "another quantity": "The formula is about {}.",
    "another equation": "Another equation was asked for.",
    "that of another": "The formula is that of {}.",
    "redefined": '"{}" has a meaning in the model: define another letter.',
    "renamed": '"{}" is called {} in the model; with that letter the formula is right.',
    "own name": "{} is called {} here.",
    "called otherwise": "{} is the name of {}, not of {}.",
    "own base": "The components are right along the axes of {}: state the base.",
    "no equals sign": 'An equation has two sides: read as "… = 0".',
    # verdicts
    "equal": "Right: {} is correct.",
    "sign": "Right up to the sign: multiply by -1 to obtain the usual form of {}.",
    "sign of a quantity": "Wrong sign: {} has the opposite sign.",
    "factor": "Right up to a factor: {} is {} times your formula.",
    "factor of a quantity": "Wrong by a factor: {} is {} times your formula.",
    "constant": "Right up to a constant: yours is {} {}.",
    "with constraints": "Right, given the constraints: {} is correct.",
    "own combination": "Right: yours is {}.",
    "consequence": "Right: it follows from the equations of motion, {} among them.",
    "elsewhere": "True, but {} does not appear in it.",
    "with": "Right with {} = {}, which should be stated.",
    "combination": "True, but not the requested equation: yours is {}.",
    "different": "Wrong: your formula differs from {}.",
    "faulty": "Correct this first: the formula cannot yet be compared with {}.",
    "equation of": "the equation of {}",
    "proved": "Proved by expanding both formulas.",
    "tested": "Equal at {} random states to {:g}, relative to the size of the terms.",
    "at state": "For instance at {}:",
    "both values": "  the right one gives {:.6g}, yours {:.6g}.",
    "rewritten": "Your equation, multiplied by {}, is compared.",
    # terms
    "acceleration": "the coefficient of {}",
    "unknown": "the coefficient of the unknown {}",
    "product": "the coefficient of {}",
    "speed": "the coefficient of {} (first degree)",
    "speeds": "the other terms in the speeds",
    "gravity": "the gravity term",
    "force": "the part without speeds (springs, motors, loads)",
    "missing": "{label} is missing: it is {expected}.",
    "extra": "{label} should not be there: you have {given}.",
    "wrong sign": "{label} has the wrong sign: it is {expected}.",
    "wrong factor": "{label} is {times} times too {size}: it is {expected}, you have {given}.",
    "large": "large",
    "small": "small",
    "swapped": "sine and cosine are exchanged in {label}: it is {expected}, you have {given}.",
    "part": "{lacking} is missing in {label}: it is {expected}, you have {given}.",
    "other": "{label} is {expected}, you have {given}.",
    # lessons
    "lesson dissipation": "A force proportional to a speed is not found by differentiating its "
    "power: ∂P/∂q. counts it twice. Use Rayleigh's function, Q = -∂R/∂q. with R half the power "
    "dissipated.",
    "lesson Coriolis": "Coriolis's term has a factor 2: it comes once from the rate of the radius "
    "and once from the turning of the vector.",
    "lesson Coriolis missing": "Coriolis's term is missing: where a point moves in a frame that "
    "turns, its acceleration contains 2 Ω ∧ V_r.",
    "lesson centripetal": "The centripetal term is to be checked: a vector of constant length that "
    "turns has a rate, and the acceleration of a circular motion contains -r θ.² along the radius.",
    "lesson sign of speeds": "A product of speeds has the wrong sign: differentiate d/dt ∂T/∂q. "
    "in full before you subtract ∂T/∂q.",
    "lesson potential": "The generalised force of a potential is -∂V/∂q.",
    "lesson sign of V": "A potential energy is minus the work of its force: for a weight V = m g z "
    "with z upwards, -m g z with z downwards.",
    "lesson half": "The half of the kinetic energy is to be checked: T = ½ m V(G)² + ½ Ω·I_G Ω for "
    "each body, once each.",
    "lesson half of": "The half of the kinetic energy is forgotten for {0}: T = ½ m V(G)² + "
    "½ Ω·I_G Ω for each body.",
    "lesson half of a spring": "The energy of a spring has a half, V = ½ k (l - l0)², and its "
    "force has none: k (l - l0).",
    "lesson Huygens twice": "Huygens' term is counted twice.",
    "lesson Huygens twice of": "Huygens' term m d² of {0} is counted twice: either ½ m V(G)² + "
    "½ I_G Ω² (Koenig), or ½ I_A Ω² at a fixed point A, which contains m d² already.",
    "lesson Huygens forgotten": "Huygens' term m d² is forgotten: I_A = I_G + m d².",
    "lesson Huygens forgotten of": "Huygens' term m d² of {0} is forgotten: about an axis that "
    "does not pass through G, I_A = I_G + m d².",
    "lesson relative rotation": "The rotation is to be taken relative to the ground.",
    "lesson relative rotation of": "The rotation of {0} is taken relative to {1}: in T it is "
    "relative to the ground, the sum of the rotations.",
    "lesson relative velocity": "The velocity is to be taken relative to the ground.",
    "lesson relative velocity of": "The velocity of G of {0} is taken relative to {1}: add the "
    "velocity that {1} gives it, V_a = V_r + V_e.",
    "lesson relative turning": "Rotations are added: Ω(2/0) = Ω(2/1) + Ω(1/0).",
    "lesson relative turning of": "That is the rotation of {0} relative to {1}: add that of {1}, "
    "Ω(2/0) = Ω(2/1) + Ω(1/0).",
    "lesson double product": "The square of a sum of velocities has a double product: V(G)² = V1² "
    "+ V2² + 2 V1·V2.",
    "lesson rate of momentum": "d/dt ∂T/∂q. differentiates everything that moves: ∂T/∂q. contains "
    "coordinates, whose rates give products of speeds.",
    "lesson slope of T": "-∂T/∂q is missing: T depends on the coordinate, and Lagrange's equation "
    "is d/dt ∂T/∂q. - ∂T/∂q = Q.",
    "lesson sign of slope": "∂T/∂q has the wrong sign: Lagrange's equation is d/dt ∂T/∂q. - ∂T/∂q "
    "= Q.",
    "lesson small angle": "Sines and cosines are replaced by their values for small angles "
    "(sin x by x, cos x by 1): that is right for small motions only, and must be stated.",
    "lesson moment left": "Transfer the moment to the requested point.",
    "lesson moment left of": "That is the moment at {0}: at the point of {1} add the moment of the "
    "resultant, M(B) = M(A) + BA ∧ R.",
    "lesson moment the wrong way": "The transport of the moment has the wrong sign: "
    "M(B) = M(A) + BA ∧ R.",
    "lesson moment the wrong way of": "The transport of the moment from {0} has the wrong sign: "
    "M(B) = M(A) + BA ∧ R, with BA from the new point to the old one.",
    "lesson velocity left": "V(B) = V(A) + Ω ∧ AB: the last term is left out.",
    "lesson velocity left of": "That is the velocity of {0}: V({1}) = V({0}) + Ω ∧ {0}{1}.",
    "lesson velocity the wrong way": "The transport of the velocity has the wrong sign: "
    "V(B) = V(A) + Ω ∧ AB.",
    "lesson moving base": "The base turns: a rate is that of the components and Ω ∧ V.",
    "lesson moving base of": "Only the components along {0} are differentiated: its axes turn, and "
    "the rate of V is that of its components plus Ω ∧ V.",
    "lesson weight": "The weight is forgotten.",
    "lesson inventory": "An action is missing: go through weight, springs, dampers, motors and "
    "loads one by one.",
    "lesson condition": "A velocity is missing: write the velocity of each of the two points in "
    "contact.",
    "lesson other base": "The components are along another base than the requested one.",
    "lesson other base of": "These are the components along the axes of {0}; another base is asked "
    "for.",
    "lesson action and reaction": "The sign is that of the opposite action: asked for is the "
    "action of the first body of the joint on the second.",
    "lesson inertia missing": "An inertia is missing: every body that moves when this coordinate "
    "moves has its part in T.",
    "lesson inertia twice": "An inertia is counted twice: each body has one part in T, "
    "½ m V(G)² + ½ Ω·I_G Ω.",
    "lesson inertia twice of": "{0} is counted twice: each body has one part in T, ½ m V(G)² + "
    "½ Ω·I_G Ω, and where a reaction is eliminated, m γ(G) comes once.",
    "lesson sign": "Signs follow from one orientation: draw the figure with the coordinate "
    "positive, and keep its axes for every term.",
    "lesson projection": "Check a projection at 0 and at 90 degrees: the one that is largest at 0 "
    "is the cosine.",
    "read as": "{}.",
    "title": "{} by {}",
    "by newton-euler": "the fundamental principle of dynamics",
    "by lagrange": "Lagrange's equations",
    "by virtual-power": "the principle of virtual power",
    "by kane": "Kane's equations",
    "by gibbs-appell": "Appell's equations",
    "by hamilton": "Hamilton's equations",
    "by mampey": "Mampey's recursion",
    "theorem": "Theorem: {}.",
    "under": " It requires {}.",
    "at": "at",
    "warning": "Beware.",
    "long": "a formula of {} operations",
    "ground": "the ground (0)",
}
