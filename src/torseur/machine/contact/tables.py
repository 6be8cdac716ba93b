"""Tables of contacts that do not depend on the values of parameters, and their sizes."""

from __future__ import annotations

import numpy as np

from torseur.algebra.core.expr import ZERO
from torseur.equations.functions.contact import ContactState
from torseur.equations.symbols.system import signal_names
from torseur.machine.compiled import CompiledModel
from torseur.machine.contact import layout as at
from torseur.machine.contact.code import ContactCode
from torseur.machine.runtime.memory import room

Array = np.ndarray
BARE = -2.0  # an event function that must not fall below zero, and has no known rate


def counts_of(model: CompiledModel, code: ContactCode) -> dict[str, int]:
    """The counts of the layout."""
    state = code.state
    nq, nv, m = len(model.coordinates), len(model.speeds), len(state.parts)
    laws, named, rows = len(state.laws), len(state.named), len(state.constraints.owners)
    watched, inputs = len(model.mechanism.events), len(signal_names(model.mechanism))
    size = nq + nv + 1 + inputs + 2 * m + rows
    return {
        "coordinates": nq,
        "speeds": nv,
        "rows": rows,
        "elements": m,
        "loads": state.shapes["load"][0],
        "quaternions": len(_quaternions(state)),
        "watched": watched,
        "turnings": 3 * m + watched,
        "sequential": model.mechanism.impacts == "sequential",
        "sides": rows + 2,
        "ends": nv + 1,
        **{f"{name}_entries": len(own) for name, own in code.places.items()},
        "shared": len(state.shared),
        "laws": laws,
        "named": named,
        "outputs": laws * (1 + named),
        "asked": nq + nv + named + 1,
        "inputs": inputs,
        "size": size,
        "noting": at.NOTED + size,
    }


def fixed_tables(code: ContactCode, counts: dict[str, int]) -> dict[str, Array]:
    """All tables, those that depend on the values of parameters still empty."""
    state, made, m = code.state, room(at.TABLES, counts), counts["elements"]
    made["parts"] = np.zeros(sum(int(np.prod(x)) for x in state.shapes.values()))
    made |= {f"{name}_place": own for name, own in code.places.items()}
    made |= code.tree
    made["every_row"][:] = np.arange(len(made["every_row"]))
    made["quaternion"][:] = _quaternions(state)
    made["holds"][_held_positions(state)] = 1.0
    made["own"][list(state.own_rows)] = 1.0
    made["every_role"][:], made["every_role"][list(state.idle)] = at.HELD, at.OFF
    made["every_role"][lawful_rows(state)] = at.LAWFUL
    made["by_impulse"][:] = [one.by_impulse for one in state.parts]
    made["turning"][:], made["known_time"][:], made["measured"][0] = -1.0, np.nan, -1.0
    made["turning"][1 : 3 * m : 3] = BARE
    _write_ties(made, state)
    made["law_row"][:] = [row for row, _ in state.laws]
    made["shared_row"][:] = state.shared
    first, joints = sum(len(x.components) for x in state.loads), len(state.carried)
    made["carried"][first : first + 6 * joints] = np.tile([2, 2, 2, 1, 1, 1], joints)
    return made


def lawful_rows(state: ContactState) -> list[int]:
    """The rows whose forces laws give."""
    return [row for row, _ in state.laws if row >= 0]


def _quaternions(state: ContactState) -> list[int]:
    """Where the quaternions of joints start in q."""
    return [link.q.stop - 4 for _, link in state.system.tree if link.joint.turning]


def _write_ties(made: dict[str, Array], state: ContactState) -> None:
    """The rows and speeds that each element joins, and the rows that time moves."""
    for e, (rows, speeds) in enumerate(state.with_loads):
        made["tied"][e, rows], made["tied_speed"][e, speeds] = 1.0, 1.0
    made["tied_all"][0] = bool(state.named or state.carried)
    made["driven"][:] = [rate is not ZERO for rate in state.constraints.rate]


def _held_positions(state: ContactState) -> list[int]:
    """The rows that hold positions: of the mechanism itself, and of gaps.

    Friction in a joint holds speeds, though a position would follow from them.
    """
    gaps = {rows[0] for one, rows in zip(state.parts, state.rows, strict=True) if one.has_gap}
    return [k for k in state.constraints.positions if k in gaps or k in state.own_rows]
