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
_OF_ROWS = ("path", "path_count")  # tables with a line for each row
LINES = 256  # of the table of notes, until an event needs more
MOST_SHOCKS = 10_000  # in one instant
BARE = -2.0  # an event function that must not fall below zero, and has no known rate


def counts_of(model: CompiledModel, code: ContactCode, slots: int = 0) -> dict[str, int]:
    """The counts of the layout, with slots for contacts that a search finds."""
    state = code.state
    nq, nv, m = len(model.coordinates), len(model.speeds), len(state.parts)
    laws, named, rows = len(state.laws), len(state.named), len(state.constraints.owners)
    watched, inputs = len(model.mechanism.events), len(signal_names(model.mechanism))
    size = nq + nv + 1 + inputs + 2 * m + rows
    return {
        "coordinates": nq,
        "speeds": nv,
        "rows": rows + at.SLOT * slots,
        "elements": m + slots,
        "described": m,
        "described_rows": rows,
        "loads": state.shapes["load"][0],
        "quaternions": len(_quaternions(state)),
        "watched": watched,
        "turnings": 3 * m + watched,
        "sequential": model.mechanism.impacts == "sequential",
        "sides": rows + at.SLOT * slots + 2,
        "ends": nv + 1,
        "most_cones": m + slots + laws,
        "load_lines": state.shapes["load"][0] + laws,
        **{f"{name}_entries": len(x) for name, x in code.places(at.SLOT * slots).items()},
        "shared": len(state.shared),
        "laws": laws,
        "named": named,
        "outputs": laws * (1 + named),
        "asked": nq + nv + named + 1,
        "inputs": inputs,
        "size": size,
        "noting": at.NOTED + size,
        "lines": LINES,
        "most_shocks": MOST_SHOCKS,
    }


def fixed_tables(code: ContactCode, counts: dict[str, int]) -> dict[str, Array]:
    """All tables, those that depend on the values of parameters still empty."""
    state, tables, m = code.state, room(at.TABLES, counts), counts["described"]
    rows, more = counts["described_rows"], counts["rows"] - counts["described_rows"]
    shapes = state.shapes_with(more).values()
    tables["parts"] = np.zeros(sum(int(np.prod(x)) for x in shapes))
    tables |= {f"{name}_place": table for name, table in code.places(more).items()}
    tables |= {
        name: _longer(table, counts["rows"]) if name in _OF_ROWS else table
        for name, table in code.tree.items()
    }
    tables["every_row"][:] = np.arange(len(tables["every_row"]))
    tables["quaternion"][:] = _quaternions(state)
    tables["holds"][_held_positions(state)] = 1.0
    tables["holds"][rows :: at.SLOT] = 1.0
    tables["own"][list(state.own_rows)] = 1.0
    tables["every_role"][:rows], tables["every_role"][list(state.idle)] = at.HELD, at.OFF
    tables["every_role"][_lawful_rows(state)] = at.LAWFUL
    tables["by_impulse"][:m] = [one.by_impulse for one in state.parts]
    tables["turning"][:], tables["known_time"][:], tables["measured"][0] = -1.0, np.nan, -1.0
    tables["turning"][1 : 3 * m : 3] = BARE
    _write_ties(tables, state)
    tables["law_row"][:] = [row for row, _ in state.laws]
    tables["shared_row"][:] = state.shared
    first, joints = sum(len(x.components) for x in state.loads), len(state.carried)
    tables["carried"][first : first + 6 * joints] = np.tile([2, 2, 2, 1, 1, 1], joints)
    return tables


def _longer(table: Array, rows: int) -> Array:
    """A table with zeros for rows that others write."""
    extended = np.zeros((rows, *table.shape[1:]), table.dtype)
    extended[: len(table)] = table
    return extended


def _lawful_rows(state: ContactState) -> list[int]:
    """The rows whose forces laws give."""
    return [row for row, _ in state.laws if row >= 0]


def _quaternions(state: ContactState) -> list[int]:
    """Where the quaternions of joints start in q."""
    return [link.q.stop - 4 for _, link in state.system.tree if link.joint.turning]


def _write_ties(tables: dict[str, Array], state: ContactState) -> None:
    """The rows and speeds that each element joins, and the rows that time moves."""
    for e, (rows, speeds) in enumerate(state.with_loads):
        tables["tied"][e, rows], tables["tied_speed"][e, speeds] = 1.0, 1.0
    tables["tied_all"][0] = bool(state.named or state.carried)
    rates = state.constraints.rate
    tables["driven"][: len(rates)] = [rate is not ZERO for rate in rates]


def _held_positions(state: ContactState) -> list[int]:
    """The rows that hold positions: of the mechanism itself, and of gaps.

    Friction in a joint holds speeds, though a position would follow from them.
    """
    gaps = {rows[0] for one, rows in zip(state.parts, state.rows, strict=True) if one.has_gap}
    return [k for k in state.constraints.positions if k in gaps or k in state.own_rows]
