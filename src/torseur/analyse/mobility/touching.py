"""Contacts and stops that touch at a configuration, and the mobility while all of them do."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from torseur.analyse.at_a_state.pose import Posed
from torseur.analyse.at_a_state.ranks import ranks
from torseur.machine.compiled import compile
from torseur.machine.contact.negligible import TOUCHING
from torseur.model.constraints.protocol import ExpressionRow, JointRows
from torseur.model.contact.closed import closed
from torseur.model.contact.element import Element
from torseur.model.contact.elements import elements
from torseur.model.contact.smooth import gap_row
from torseur.simulation.constraints.numeric_constraints import NumericConstraints


def touching(here: Posed) -> tuple[tuple[str, ...], int]:
    """Names of the contacts and stops that touch, and the freedoms that they leave together."""
    parts = [one for one in elements(here.mechanism) if _has_rigid_gap(one)]
    if not parts:
        return (), here.ranks.kernel.shape[1]
    held = [replace(one, rows=(gap_row(one),)) for one in parts]
    only = replace(here.mechanism, loads={}, motions={})
    known = {name: x for name, x in here.held.model.parameters.items() if x is not None}
    model = compile(closed(only, held)).with_parameters(**known)
    rows = NumericConstraints(model)
    opening = dict(zip(rows.positions, np.abs(rows.opening(here.q, 0.0)), strict=True))
    owners = {one.rows[0].name: one.name for one in held}
    gaps = {k: owners[name] for k, name in enumerate(rows.owners) if name in owners}
    kept = [k for k in range(len(rows.owners)) if k not in gaps or opening[k] <= TOUCHING]
    J = model.sizes.without_dimension(rows.J(here.q, 0.0))
    names = tuple(gaps[k] for k in kept if k in gaps)
    return names, J.shape[1] - ranks(J[kept]).rank


def _has_rigid_gap(one: Element) -> bool:
    """Whether it only pushes, without a spring, where a formula gives the gap."""
    rigid = one.has_gap and one.spring is None
    return rigid and isinstance(one.rows[0], JointRows | ExpressionRow)
