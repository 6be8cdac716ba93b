"""The words of what is told, in English."""

from torseur.told.english_steps import STEPS

ANSWERS: dict[str, str] = {
    # marks
    "column": "column {}",
    "colon": ":",
    "SE": "syntax error.",
    "KK": "késako? Not defined.",
    "INHT": "tensors of different orders.",
    "INHD": "not homogeneous.",
    "order scalar": "a scalar",
    "order vector": "a vector",
    "unreadable": "{}",
    "undefined": '"{}" is defined neither by the model nor in the formula. {}',
    "undefined vector": "The arrow over {} has no meaning: write it between two named points. {}",
    "added": "{}, {}, is added to {}, {}.",
    "set equal": "{}, {}, is set equal to {}, {}.",
    "power of a quantity": "{} raises {}, {}, to a power that is not a number.",
    "function of a quantity": "The argument {} of {} is {}: it must have no unit.",
    "vector component": "The component {} is a vector.",
    "cross with a scalar": "{} is the cross product of a vector and a scalar.",
    "divided by a vector": "{} divides by a vector.",
    "vector as exponent": "{} has a vector as exponent.",
    "function of a vector": "{} is a function of a vector.",
    "another order": "The formula is {}, {} is {}.",
    "another dimension": "The formula is [{}], {} is [{}].",
    # verdicts
    "equal": "Right: {} is as it should be.",
    "sign": "Right up to the sign: multiply by -1 to have {} as it is usually written.",
    "sign of a quantity": "Wrong by the sign: {} has the opposite one.",
    "factor": "Right up to a factor: {} is {} times your formula.",
    "factor of a quantity": "Wrong by a factor: {} is {} times your formula.",
    "combination": "True, but not the equation asked for: yours is {}.",
    "different": "Not the same: your formula differs from {}.",
    "faulty": "The formula cannot be compared with {} before this is settled.",
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
    "speeds": "what is left in the speeds",
    "gravity": "the gravity term",
    "force": "the part without speeds (springs, motors, loads)",
    "missing": "{} is missing: it is {}.",
    "extra": "{} should not be there: you have {}.",
    "wrong sign": "{} has the wrong sign: it is {}.",
    "wrong factor": "{} is {} times too {}: it is {}, you have {}.",
    "large": "large",
    "small": "small",
    "swapped": "sine and cosine are exchanged in {}: it is {}, you have {}.",
    "part": "{} is missing in {}: it is {}, you have {}.",
    "other": "{} is {}, you have {}.",
    # hints
    "hint dissipation": "A force proportional to a speed is not found by differentiating its "
    "power: ∂P/∂q. counts it twice. Use Rayleigh's function, Q = -∂R/∂q. with R half the power "
    "dissipated.",
    "hint coriolis": "Coriolis's term has a factor 2: it comes once from the rate of the radius "
    "and once from the turning of the vector.",
    "hint potential": "The generalised force of a potential is -∂V/∂q.",
    "read as": "{}.",
}

ENGLISH: dict[str, str] = {**ANSWERS, **STEPS}
