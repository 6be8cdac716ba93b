"""A mechanism whose loops are cut where the formulas that close them are short."""

from dataclasses import replace

from torseur.model.description import Mechanism
from torseur.model.joint_graph import spanning


def with_short_loops(mechanism: Mechanism) -> Mechanism:
    """The same mechanism to be read: its loops are cut whatever the order of its joints is.

    Its coordinates may be others than those of the mechanism: joints that carry bodies there may
    close loops here, and be told by the others.
    """
    if mechanism.carried_by:
        return mechanism
    carrying = tuple(joint.name for joint, _ in spanning(mechanism, short=True).carrying)
    if set(carrying) == {joint.name for joint, _ in spanning(mechanism).carrying}:
        return mechanism
    return replace(mechanism, carried_by=carrying)
