"""The words of reports, in English."""

WORDS: dict[str, str] = {
    "footer": "Made by Torseur {}. Every number is computed from the description.",
    "too large": "{} speeds are more than the {} up to which this is computed here; `{}` does it.",
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
