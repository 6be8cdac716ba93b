"""The wrenches of ropes that do not stretch, by the bodies that they touch."""

from typing import Any

from torseur.equations.actions.applied import Part, combined
from torseur.equations.symbols.system_places import SystemPlaces
from torseur.model.constraints.protocol import RopeRow
from torseur.model.description import GROUND
from torseur.model.forces.rope_path import RopePath


def of_tension(places: SystemPlaces, rope: RopeRow, tension: Any) -> Part:
    """The wrenches of a rope under a tension."""
    path = RopePath(places, rope.through, rope.place)
    return combined(
        ({places.index[action.at.body]: places.wrench(action)}, {})
        for action in path.pulled(tension)
        if action.at.body != GROUND
    )
