"""The record of a pool: contacts of a mechanism in joint coordinates that a search finds."""

from torseur.machine.collision import layout as collision
from torseur.machine.collision import places as geometry
from torseur.machine.runtime.memory import Layout, Shape

# tasks: contacts of the middle of a step become its elements; the same seen at another place
LIST, START, END = range(3)

# --- a contact of a pool: after the numbers that a search gives ---
LOCAL_A = geometry.CONTACT_WIDTH  # the points that touch, in body axes from the centres
LOCAL_B = LOCAL_A + 3
SEEN_GAP, SEEN_POINT, SEEN_AXES = LOCAL_B + 3, LOCAL_B + 4, LOCAL_B + 7  # at another place
CONTACT_WIDTH = SEEN_AXES + 9

_NUMBERS = (
    *collision.NUMBERS,
    "touching",  # a gap that is none [m]
    "resting",  # the speed of a gap that is none [m/s]
    "sliding",  # a speed above which a contact slides [m/s]
    "weight",  # the size of the field of gravity [m/s²]
    "deepest",  # penetration at the place seen last, of contacts that are not listed too [m]
)
_COUNTS = (
    *collision.COUNTS,
    "task",
    "bodies",  # the ground not counted
    "visible",  # contacts at the place seen last
)
OF_PLACES = ("body_place", "speed_axis", "felt")  # parts of the output of the function of places
ROOM: dict[str, Shape] = {
    **collision.ROOM,
    "shape_place": ("shapes + 1", geometry.PLACED_WIDTH),
    "reach": ("bodies + 1",),  # from the centre of each body to its farthest point
    "moves": ("bodies + 1", "speeds"),  # 1 for a speed that moves a body
    "feels": ("loads", "bodies + 1"),  # 1 for a load of a joint that carries a body
}
OF_CONTACTS: dict[str, Shape] = {
    "contact": ("capacity", CONTACT_WIDTH),  # this and the next are exchanged
    "contact_before": ("capacity", CONTACT_WIDTH),
    "contact_seen": ("capacity", CONTACT_WIDTH),  # at another place
}
BODY_PATHS: dict[str, Shape] = {
    "body_path": ("bodies + 1", "speeds"),  # speeds that move a body, and those above, last first
    "body_path_count": ("bodies + 1",),
}
POOL = Layout(
    _NUMBERS,
    _COUNTS,
    functions=("placing",),  # places of bodies, axes of speeds, loads
    arrays=tuple(
        dict.fromkeys((*collision.GIVEN, "placing_output", *OF_PLACES, *ROOM, *OF_CONTACTS))
    ),
    wholes=(*collision.WHOLES, *BODY_PATHS),
    passing=("model",),  # the record of contacts
)
