"""Actions in a joint one by one: its reaction, then each motor, load, drive and rotor in it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from torseur.algebra.calculus.derivative import derivative
from torseur.algebra.core.expr import ZERO, Expr, expression
from torseur.algebra.core.graph import expressions, free_symbols, reachable, substitute
from torseur.equations.actions.applied import actions_of
from torseur.equations.actions.efforts import Efforts, Transmitted, along_freedoms

Array = np.ndarray
REACTION, ROTOR = "", "rotor"


def joint_actions(efforts: Efforts, x: Transmitted) -> dict[str, tuple[Array, Array]]:
    """Force and couple of each action on the second body, at and along the frame of the joint.

    The reaction comes first, under an empty name: what the joint carries by itself. Together the
    actions are the wrench that the joint transmits.
    """
    whole = expressions(np.concatenate([x.wrench[1], x.wrench[0]]))  # couple, force
    unknowns = [y for y in free_symbols(whole) if y.kind == "input"]
    sizes = [y for y in reachable(list(whole)) if y.op == "abs"]
    if set(free_symbols(sizes)) & set(unknowns):  # the push of teeth apart
        return {REACTION: x.wrench}
    parts = {REACTION: _along(whole, [y for y in unknowns if y.name.endswith(f"_{x.name}")])}
    owners = dict(zip(efforts.held.unknowns, efforts.held.owners, strict=True))
    for owner in dict.fromkeys(owners.values()):
        its = [y for y in unknowns if owners.get(y) == owner and not y.name.endswith(f"_{x.name}")]
        parts[owner] = _along(whole, its)
    rest = expressions(substitute(whole, dict.fromkeys(unknowns, ZERO)))
    given = dict(_given(efforts, x))
    if len(given) == 1:
        parts[next(iter(given))] = rest
    else:
        parts |= given
        parts[ROTOR] = expressions(rest - sum(given.values(), np.zeros(6)))
    acting = {name: y for name, y in parts.items() if name == REACTION or _acts(y)}
    return {name: (y[3:], y[:3]) for name, y in acting.items()}


def _acts(wrench: Array) -> bool:
    return any(expression(y) is not ZERO for y in wrench)


def _along(whole: Array, unknowns: list[Expr]) -> Array:
    """The part of a wrench that is linear in some unknowns."""
    total: Any = np.zeros(6)
    for y in unknowns:
        total = total + derivative(whole, y) * y
    return expressions(total)


def _given(efforts: Efforts, x: Transmitted) -> Iterator[tuple[str, Array]]:
    """Motors and loads in a joint, by name; in a joint that closes a loop all under one name."""
    system, applied = efforts.system, actions_of(efforts.system)
    link = next((y for _, y in system.tree if y.joint_name == x.name), None)
    if link is None:
        motors = [name for name, y in system.mechanism.motors.items() if y.joint == x.name]
        loads = [
            name
            for name, effect in applied.effects.items()
            if any(freedom.joint == x.name for freedom, _ in effect.joint_forces)
        ]
        if motors or loads:
            yield ", ".join([*motors, *loads]), expressions(np.zeros(6))
        return
    kind = link.joint.forward if link.joint.backwards else link.joint
    S = kind.motion_subspace(system.q[link.q])
    for name, (_, rows) in applied.outside_closing_joints.items():
        values = [rows.get(row, ZERO) for row in range(link.v.start, link.v.stop)]
        if any(value is not ZERO for value in values):
            wrench = applied.opened(expressions(along_freedoms(S, values)))
            yield applied.among_joints(name), expressions(wrench)
