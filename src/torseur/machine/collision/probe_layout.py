"""The record of a probe: shapes of bodies that are placed by the caller."""

from torseur.machine.collision import layout as collision
from torseur.machine.collision import places as at
from torseur.machine.runtime.memory import Layout, Shape

# tasks: all contacts within the margin, or the nearest points of listed pairs of shapes
ALL, LISTED = range(2)

ROOM: dict[str, Shape] = {
    **collision.ROOM,
    "shape_place": ("shapes", at.PLACED_WIDTH),
    "body_place": ("bodies", at.BODY_PLACED_WIDTH),
    "contact": ("capacity", at.CONTACT_WIDTH),
    "contact_before": ("capacity", at.CONTACT_WIDTH),
    "nearest": ("pairs", at.CONTACT_WIDTH),
}
PROBE = Layout(
    collision.NUMBERS,
    (*collision.COUNTS, "task", "pairs"),
    arrays=tuple(dict.fromkeys((*collision.GIVEN, *ROOM))),
    wholes=(*collision.WHOLES, "pair"),
)
