"""Tables of Denavit and Hartenberg, standard and modified, as documents of the YAML form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from torseur.errors import ModelError, unknown
from torseur.language.robot.document import EARTH
from torseur.language.robot.robot_parts import Symbols
from torseur.language.saved import described
from torseur.language.yaml.form import data_mechanism
from torseur.model.description import GROUND, Mechanism
from torseur.words.sentence import say

COLUMNS = ("a", "alpha", "d", "theta")
KEYS = (*COLUMNS, "joint", "coordinate", "limits", "mass", "centre", "inertia")
TYPES = ("revolute", "prismatic")


def from_dh(
    rows: Sequence[Mapping[str, Any]],
    *,
    modified: bool = False,
    name: str = "robot",
    gravity: Sequence[Any] = EARTH,
    parameters: Mapping[str, Any] | None = None,
) -> Mechanism:
    """The chain of a table of Denavit and Hartenberg, a row a joint.

    A row has `a`, `alpha`, `d` and `theta` (numbers, or expressions of `parameters`), of which
    `theta`, or `d` where `joint` is "prismatic", is what the coordinate is added to. It is called
    q1, q2, … or what `coordinate` says. `mass`, `centre` and `inertia` of the link are in its own
    frame, as the YAML form has them; `limits` are those of the coordinate.

    Standard: frame i is at Rot(z, θ) Trans(z, d) Trans(x, a) Rot(x, α) in frame i − 1 (Denavit
    and Hartenberg 1955). Modified: Rot(x, α) Trans(x, a) Rot(z, θ) Trans(z, d) (Craig 1986; Khalil
    and Kleinfinger 1986). The frame of the last row is named `tool`.
    """
    if not rows:
        raise ModelError("from_dh", "the table has no row.", 'Example: [{"a": 0.4}, {"a": 0.3}]')
    symbols, bodies, joints = Symbols(), {}, {}
    values = dict(parameters or {})
    symbols.taken |= set(values)
    carrier = GROUND
    for number, row in enumerate(rows, 1):
        body = f"link{number}"
        bodies[body] = {key: row[key] for key in ("mass", "centre", "inertia") if key in row}
        joints[f"J{number}"] = _joint(number, row, (carrier, body), modified, symbols)
        carrier = body
    data = {
        "torseur": 1,
        "name": name,
        "gravity": list(gravity),
        **({"parameters": values} if values else {}),
        "bodies": bodies,
        "joints": joints,
        "frames": {"tool": {"body": carrier}},
    }
    return described(data_mechanism(data), data)


def _joint(
    number: int, row: Mapping[str, Any], ends: tuple[str, str], modified: bool, symbols: Symbols
) -> dict[str, Any]:
    """The joint of a row: about or along z of frame i − 1, or of frame i in modified tables."""
    place = f"from_dh: row {number}"
    for key in row:
        if key not in KEYS:
            raise unknown(place, "entry", key, KEYS)
    kind = row.get("joint", "revolute")
    if kind not in TYPES:
        problem = say('a table has no joints of type "{kind}".', kind)
        raise ModelError(place, problem, "Joints: revolute, prismatic.")
    a, alpha, d, theta = (row.get(key, 0) for key in COLUMNS)
    data: dict[str, Any] = {"type": kind, "bodies": list(ends)}
    if modified:
        # z is the axis in the new frame; its origin is on it, at d
        turns = [{"x": alpha}, {"z": theta}]
        data["point"] = [[a, f"-({d})*sin({alpha})", f"({d})*cos({alpha})"], [0, 0, 0]]
        data["axis"] = [[0, f"-sin({alpha})", f"cos({alpha})"], "z"]
    else:
        # z is the axis in the old frame; the new frame sees its point at −a along x, 0 along z
        turns = [{"z": theta}, {"x": alpha}]
        data["point"] = [[0, 0, d], [f"-({a})", 0, 0]]
        data["axis"] = ["z", [0, f"sin({alpha})", f"cos({alpha})"]]
    nonzero = [turn for turn in turns if next(iter(turn.values())) not in (0, "0", 0.0)]
    data["rotation"] = nonzero or [{"x": 0}]
    data["coordinate"] = row.get("coordinate") or symbols.legal(f"q{number}")
    return data | ({"limits": row["limits"]} if "limits" in row else {})
