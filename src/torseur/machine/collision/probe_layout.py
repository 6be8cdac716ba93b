"""The record of a probe: shapes of bodies that are placed by the caller."""

from torseur.machine.collision import layout as collision
from torseur.machine.collision import places as at
from torseur.machine.runtime.memory import Layout, Shape

# --- the nearest points of a pair: one row of numbers ---
GAP = 0  # where it is not exact, a distance that they are farther apart than [m]
POINT = 1  # half-way between the nearest points [m]
NORMAL = 4  # from the second shape, or the plane, to the first
IS_EXACT = 7  # 0 where they are farther apart than the margin
NEAREST_WIDTH = 8

ROOM: dict[str, Shape] = {
    **collision.ROOM,
    "shape_place": ("shapes + 1", at.PLACED_WIDTH),
    "contact": ("capacity", at.CONTACT_WIDTH),
    "contact_before": ("capacity", at.CONTACT_WIDTH),
}
PROBE = Layout(
    collision.NUMBERS,
    (*collision.COUNTS, "bodies", "rows", "pairs"),
    arrays=tuple(dict.fromkeys((*collision.GIVEN, *ROOM, "body_place", "nearest"))),
    wholes=(*collision.WHOLES, "pair"),
)
