"""Mechanisms in which joints that close loops turn, slide, are loaded and are driven."""

BAR = {"mass": 1.3, "centre": [0.1, 0.02, 0], "inertia": [0.011, 0.012, 0.013]}

# A crank, a rod with a ball joint at both ends, and a blade.
WIPER = {
    "name": "wiper",
    "gravity": [0, -9.81, 0],
    "bodies": {
        "crank": {"mass": 0.1, "centre": [0.02, 0, 0], "inertia": [1e-5, 2e-5, 2e-5]},
        "rod": {"mass": 0.2, "centre": [0.12, 0, 0.01], "inertia": [1e-4, 1e-3, 1e-3]},
        "blade": {"mass": 0.4, "centre": [0, 0.3, 0], "inertia": [0.01, 0.01, 0.012]},
    },
    "joints": {
        "A": {"type": "pivot", "bodies": ["ground", "crank"], "axis": "z", "coordinate": "theta"},
        "B": {"type": "rotule", "bodies": ["crank", "rod"], "point": [[0.04, 0, 0], [0, 0, 0]]},
        "C": {"type": "rotule", "bodies": ["rod", "blade"], "point": [[0.25, 0, 0], [0.06, 0, 0]]},
        "D": {"type": "pivot", "bodies": ["ground", "blade"], "axis": "z", "coordinate": "phi",
              "point": [[0.255, 0, 0], [0, 0, 0]]},
    },
    "initial": {"theta": 0.4, "theta.": 9.0},
}  # fmt: skip


def four_bar(**sections):
    """Four bars; B is written from the coupler to the crank, which the tree crosses backwards."""
    return {
        "name": "bars",
        "gravity": [0, -9.81, 0],
        "bodies": {name: dict(BAR) for name in ("crank", "coupler", "rocker")},
        "joints": {
            "A": {"type": "pivot", "bodies": ["ground", "crank"], "axis": "z"},
            "B": {"type": "pivot", "bodies": ["coupler", "crank"], "axis": "z",
                  "point": [[0, 0, 0], [0.2, 0, 0]]},
            "C": {"type": "pivot", "bodies": ["coupler", "rocker"], "axis": "z",
                  "point": [[0.5, 0, 0], [0.4, 0, 0]]},
            "D": {"type": "pivot", "bodies": ["ground", "rocker"], "axis": "z",
                  "point": [[0.5, 0, 0], [0, 0, 0]]},
        },
        "initial": {"A": 0.4852458, "B": -0.1560608, "C": 0.7343296, "D": 1.3756362},
        "reactions": "least_norm",
        **sections,
    }  # fmt: skip


SPRINGS = {
    f"spring {joint}": {"type": "torsion spring", "joint": joint, "stiffness": 3.0 + k, "angle": k}
    for k, joint in enumerate("ABCD")
}
DAMPERS = {
    f"damper {joint}": {"type": "torsion damper", "joint": joint, "damping": 0.3 + 0.1 * k}
    for k, joint in enumerate("ABCD")
}
LOADS = {
    f"load {joint}": {"type": "joint", "joint": joint, "value": f"{k + 1}*cos(3*t)"}
    for k, joint in enumerate("ABCD")
}
_STARTS = {"A": 0.4852458012669131, "B": -0.1560608463165394, "C": 0.7343295767277493,
           "D": 1.3756362243112017}  # fmt: skip
_TABLE = {
    "name": "shaken",
    "gravity": [0, 0, -9.81],
    "bodies": {
        "table": {"mass": 2, "centre": [0.1, 0.05, 0.02], "inertia": [0.1, 0.2, 0.25]},
        "bob": {"mass": 1, "centre": [0, 0, -0.3], "inertia": [0.01, 0.01, 0.001]},
    },
    "joints": {
        "F": {"type": "free", "bodies": ["ground", "table"]},
        "P": {"type": "rotule", "bodies": ["table", "bob"], "point": [[0.2, 0, 0], [0, 0, 0]]},
    },
}

# Everything that may act in a joint, in joints of the tree and in closing ones, and moved bodies.
LOADED = {
    "springs": four_bar(forces=SPRINGS),
    "dampers and loads": four_bar(forces=SPRINGS | DAMPERS | LOADS),
    **{
        f"drive of {joint}": four_bar(
            forces=SPRINGS | DAMPERS,
            motions={"motor": {"coordinate": joint, "law": f"{start!r} + 0.3*sin(2*t)"}},
        )
        for joint, start in _STARTS.items()
    },
    "relation": four_bar(
        forces=DAMPERS,
        constraints={"tied": {"type": "relation", "zero": "A. + 0.5*D. + 0.1*C. - 0.4"}},
    ),
    "wiper": WIPER,
    "moved pose": _TABLE
    | {"motions": {"shake": {
        "body": "table",
        "position": ["0.1*sin(3*t)", "0.2*t", "0.05*cos(2*t)"],
        "rotation": [{"z": "0.3*t"}, {"x": "0.2*sin(t)"}],
    }}},
    "moved point": _TABLE
    | {"motions": {"shake": {
        "body": "table",
        "point": [0.3, 0.1, 0],
        "position": ["0.3 + 0.1*sin(3*t)", "0.1 + 0.2*t", "0.05*sin(2*t)"],
    }}},
}  # fmt: skip
