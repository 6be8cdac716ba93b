"""The words of reports, in English."""

# keys that are their own English
_SAME = (
    "Report", "Contents", "{} linked by {}.", "{} samples from {} to {} s.",
    "Not computed: {}", "Description", "Bodies", "Joints", "Torseurs of the joints",
    "point, in the second body", "motion", "action", "given by its law", "1 unknown|{} unknowns",
    "no unknown", "Parameters", "parameter", "value", "unit", "meaning", "Worth knowing",
    "Mobility", "quantity", "independent loops", "freedoms of all the joints",
    "conditions other than those of the joints", "rank of the conditions of closure", "mobility",
    "of these, useful", "of these, internal", "of these, driven by imposed motions",
    "degree of over-constraint", "Redundant constraints:", "Internal motions:",
    "Balance of unknowns and equations", "unknowns", "equations", "count", "what they are", "total",
    "Derivation", "Equations", "Rows of J and γ: {}.", "one of {} operations", "First integrals",
    "No first integral was found.", "The motion {} of {} needs, with its power:",
    "Equilibria and modes", "No equilibrium was found.", "equilibrium", "stability",
    "Modes about equilibrium {}", "mode", "drift", "oscillation", "growth", "decay",
    "eigenvalue [1/s]", "frequency [Hz]", "damping ratio", "shape", "{} others are not shown.",
    "Is the list complete? {}", "Motion", "Accuracy of the computation",
    "energy drift, relative to the energies exchanged", "largest gap of a loop [m or rad]",
    "Drives", "drive", "smallest", "largest", "at [s]", "Reactions", "joint", "largest force [N]",
    "largest couple [N·m]", "Events", "event", "time [s]", "cause", "effect", "{} that stay 0: {}.",
    "No event changed the equations.", "Curves", "contact", "largest normal force [N]",
    "largest tangential force [N]", "Normal forces of the contacts",
    "Tangential forces of the contacts", "Forces in the joints", "Couples in the joints",
    "Energies", "kinetic", "potential", "work", "References", "MODEL", "resultant", "moment",
    "mass", "centre of mass", "inertia at the centre of mass", "principal moments",
)  # fmt: skip

WORDS: dict[str, str] = {
    **dict(zip(_SAME, _SAME, strict=True)),
    "footer": "Written by Torseur {}. Every number is computed from the description.",
    "too large": "{} speeds exceed the limit of {} for this section; run `{}` instead.",
    # description
    "scheme caption": "Kinematic scheme with the symbols of ISO 3952; one colour for each class of "
    "bodies fixed to each other.",
    "graph caption": "Bodies are nodes, joints are edges; those that close a loop are dashed.",
    "joint torseurs text": "At the point of the joint, in the axes of its frame on the second "
    "body: the motion of the second body in the first, and the action that the joint transmits "
    "without working. Where axes turn, the components are those at zero coordinates.",
    # mobility
    "balanced": "{} unknowns, {} equations; parameters less relations: {} − {} = {} = m − h.",
    # derivation and equations
    "equations text": "Rows are in the order of the speeds {}. g is the gravity term, h the "
    "velocity term, Q the action of motors, friction and loads.",
    "ISO 3952-1": "ISO 3952-1:1981, Kinematic diagrams – Graphical symbols",
}
