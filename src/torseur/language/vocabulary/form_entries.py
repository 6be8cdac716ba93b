"""The entries of the YAML form that no joint, force, constraint, contact or sensor declares.

The names are those of the readers; a test compares the two.
"""

from __future__ import annotations

from collections.abc import Mapping

from torseur.algebra.core.tabulated import BEYOND, ENDS
from torseur.language.vocabulary.entry import (
    BODIES,
    CONSTANTS,
    COORDINATES,
    JOINTS,
    VARYING,
    FormEntry,
)
from torseur.language.yaml.actions import DIRECTIONS
from torseur.language.yaml.form import IMPACTS, REACTIONS
from torseur.language.yaml.solid_entries import SOLID_KEYS
from torseur.model.mass.solids import SOLIDS

_NUMBER = "a number, or an expression of parameters"
_VARYING = "an expression of parameters, coordinates, speeds and t"
_POINT = "three coordinates in the frame of the body"
_TURNS = "turns about moving axes, a 3×3 matrix or a quaternion"
_FILE = "a file in the folder of the model"
_TEXT = "a text"
_YES = ("yes", "no")
_POSITION = FormEntry("position", _POINT, "m", "[0, 0, 0.1]", CONSTANTS)
_ROTATION = FormEntry("rotation", _TURNS, "", "[{z: 90 deg}]", CONSTANTS)
_SHAPE = FormEntry("shape", "a solid with its dimensions", "", "{box: {size: [0.1, 0.1, 0.2]}}",
               scope="shape")  # fmt: skip
_SPRING = (
    FormEntry("stiffness", "stiffness of the spring that is met", "", "1e5", CONSTANTS),
    FormEntry("dissipation", "Hunt and Crossley's dissipation", "", "0.1", CONSTANTS),
    FormEntry("exponent", "exponent of the indentation", "", "1.5", CONSTANTS),
)
_MASS_DATA = (
    FormEntry("mass", "mass", "kg", "2", CONSTANTS),
    FormEntry("centre", "centre of mass in the frame of the body", "m", "[0.1, 0, 0]", CONSTANTS),
    FormEntry("inertia", "moments about the centre of mass, six components or the letters A to F",
          "kg.m^2", "[0.02, 0.02, 0.01]", CONSTANTS),
    _SHAPE,
    FormEntry("density", "density that fills the shape", "kg/m^3", "7800", CONSTANTS),
)  # fmt: skip
_LAW = (
    FormEntry("coefficient", "coefficient of friction", "", "0.3", CONSTANTS),
    FormEntry("static", "coefficient at rest", "", "0.4", CONSTANTS),
    FormEntry("kinetic", "coefficient while it slides", "", "0.3", CONSTANTS),
    FormEntry("viscous", "viscous friction", "N.s/m | N.m.s/rad", "0.01", CONSTANTS),
    FormEntry("stribeck", "speed at which friction falls from static to kinetic", "m/s | rad/s",
          "0.01", CONSTANTS),
)  # fmt: skip


def solid_scope(name: str) -> str:
    """The scope of the dimensions of a solid."""
    return f"shape {name}"


SCOPES: Mapping[str, tuple[FormEntry, ...]] = {
    "model": (
        FormEntry("torseur", "version of the form", "", "1"),
        FormEntry("name", "name of the mechanism", "", "four-bar"),
        FormEntry("description", "one sentence about the mechanism", "", "A crank and a slider."),
        FormEntry("gravity", "acceleration of free fall", "m/s^2", "[0, -9.81, 0]", CONSTANTS),
        FormEntry("frame", "motion of the ground", "", "{preset: laboratory, latitude: 45 deg}",
              scope="frame"),
        FormEntry("parameters", "numbers by name, with unit and meaning", "",
              "l1: {value: 0.5, unit: m, meaning: length of the crank}", parts="parameter"),
        FormEntry("tables", "functions given by points", "",
              "lift: {t: [0, 1, 2], value: [0, 1, 0]}",
              parts="table"),
        FormEntry("definitions", "names for expressions", "", "stretch: max(x - l0, 0)",
              parts="definition"),
        FormEntry("bodies", "bodies with their mass data", "", "crank: {mass: 2}", parts="body",
              required=True),
        FormEntry("joints", "joints between two bodies", "",
              "A: {type: revolute, bodies: [ground, crank], axis: z}", parts="joint"),
        FormEntry("coordinates", "combinations of the coordinates of joints", "", "s: q1 + q2",
              parts="definition"),
        FormEntry("motors", "motors with a gear in joints", "", "M: {joint: A, ratio: 50}",
              parts="motor"),
        FormEntry("forces", "forces and couples", "", "drive: {type: joint, joint: A, value: 3}",
              parts="force"),
        FormEntry("frames", "frames fixed to bodies", "",
              "tool: {body: arm, position: [0, 0, 0.1]}",
              parts="body frame"),
        FormEntry("points", "points of bodies", "", "tip: [arm, [0, -l1, 0]]", parts="point"),
        FormEntry("constraints", "relations, rolling, gears, belts", "",
              "roll: {type: relation, zero: x. - r*theta.}", parts="constraint"),
        FormEntry("motions", "imposed motions", "", "drive: {coordinate: q1, law: 2*t}",
              parts="motion"),
        FormEntry("contacts", "contacts that may open, and piles", "",
              "floor: {bodies: [ground, ball], shape: ball, radius: 0.1, normal: z}",
              parts="contact"),
        FormEntry("inputs", "coordinates or actuators that a controller commands", "", "[q1, q2]",
              COORDINATES),
        FormEntry("actuators", "servos and motors that act along coordinates", "",
              "hip: {type: servo, coordinate: q1, position: 0.5, gain: 300}", parts="actuator"),
        FormEntry("states", "quantities with a rate of their own", "", "F: {rate: (U - F)/tau}",
              parts="state"),
        FormEntry("sensors", "sensors on bodies and in joints", "",
              "counter: {type: encoder, coordinate: q1}", parts="sensor"),
        FormEntry("impacts", "shocks at one instant", "", "sequential", options=IMPACTS),
        FormEntry("events", "instants at which an expression crosses zero", "", "bottom: theta",
              parts="event"),
        FormEntry("reactions", "choice of reactions that are not unique", "", "least_norm",
              options=REACTIONS),
        FormEntry("initial", "coordinates and speeds at the start", "", '{q1: 30 deg, "q1.": 2}',
              parts="start"),
        FormEntry("include", "other models, in files of this folder", "",
              "- {file: gripper.yaml, prefix: tool_, at: hand}", scope="include"),
        FormEntry("phrase", "a description phrase instead of bodies and joints", "",
              '"RY(q1), TYK(L1);"'),
        FormEntry("masses", "mass data of the bodies of a phrase", "", "lever",
              options=("lever", "full")),
    ),
    "parameter": (
        FormEntry("value", _NUMBER, "", "0.5", CONSTANTS),
        FormEntry("unit", "unit of the value", "", "mm"),
        FormEntry("meaning", "meaning, in words", "", "length of the crank"),
    ),
    "definition": (),
    "point": (),
    "start": (),
    "table": (
        FormEntry("t", "instants of the points", "s", "[0, 1, 2]"),
        FormEntry("x", "arguments of the points", "", "[0, 90 deg, 180 deg]"),
        FormEntry("value", "values at the points", "", "[0, 5 mm, 0]"),
        FormEntry("file", "a CSV file with two columns", "", "lift.csv"),
        FormEntry("ends", "condition at the first and the last point", "", "periodic",
              options=ENDS),
        FormEntry("beyond", "values outside of the points", "", "hold", options=BEYOND),
    ),
    "frame": (
        FormEntry("rotation", "angular velocity of the ground", "rad/s", "[0, 0, 1]", VARYING),
        FormEntry("acceleration", "acceleration of its origin", "m/s^2", "[0, 0, 0]", VARYING),
        FormEntry("entrainment", "whether drive forces are kept", "", "yes", options=_YES),
        FormEntry("preset", "a ground on the Earth", "", "laboratory",
              options=("laboratory", "geocentric")),
        FormEntry("latitude", "latitude of the laboratory", "rad", "48.85 deg", CONSTANTS),
    ),
    "body": (
        *_MASS_DATA,
        FormEntry("parts", "solids that are added or taken away, by name", "",
              "disc: {shape: {cylinder: {radius: 80 mm, length: 1 cm}}}", parts="part"),
        FormEntry("accept", "errors of published mass data to accept", "", "[triangle]"),
        FormEntry("meshes", "surfaces in files, to be drawn", "", "[{file: arm.stl}]",
              scope="mesh"),
        FormEntry("visuals", "solids to be drawn", "", "[{shape: {sphere: {radius: 0.1}}}]",
              scope="visual"),
        FormEntry("collision", "solids that touch others", "", "[{shape: {sphere: {radius: 0.1}}}]",
              scope="collision"),
    ),
    "part": (
        *_MASS_DATA,
        _POSITION,
        _ROTATION,
        FormEntry("removed", "whether the solid is taken away", "", "yes", options=_YES),
    ),
    "mesh": (
        FormEntry("file", _FILE, "", "arm.stl", required=True),
        _POSITION,
        _ROTATION,
        FormEntry("scale", "factors along the axes", "", "[1, 1, 1]", CONSTANTS),
    ),
    "visual": (_SHAPE, _POSITION, _ROTATION),
    "collision": (
        _SHAPE,
        FormEntry("hull", "vertices of a convex solid", "m",
              "[[0, 0, 0], [0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.1]]", CONSTANTS),
        FormEntry("height_field", "uneven ground", "",
              "{size: [4, 3], heights: [[0, 0.1], [0, 0]]}",
              scope="height field"),
        _POSITION,
        _ROTATION,
        FormEntry("friction", "coefficient of friction", "", "0.5", CONSTANTS),
    ),
    "height field": (
        FormEntry("size", "lengths along x and y", "m", "[4, 3]"),
        FormEntry("heights", "rows of heights", "m", "[[0, 0.1], [0, 0]]"),
        FormEntry("file", _FILE, "", "crater.png"),
        FormEntry("scale", "factor of all heights", "", "0.5"),
        FormEntry("depth", "depth below the lowest corner", "m", "1"),
    ),
    "body frame": (
        FormEntry("body", "a body", "", "arm", BODIES, required=True),
        _POSITION,
        _ROTATION,
    ),
    "joint": (
        FormEntry("type", "type of the joint", "", "revolute", required=True),
        FormEntry("bodies", "two bodies", "", "[ground, crank]", BODIES, required=True),
        FormEntry("point", "a point of each body, or one for both", "m", "[[l1, 0, 0], [0, 0, 0]]",
              CONSTANTS),
        FormEntry("rotation", "orientation of the second body in the first at the start", "",
              "[{z: 90 deg}]", CONSTANTS),
        FormEntry("coordinate", "name of the coordinate", "", "theta"),
        FormEntry("coordinates", "names of the coordinates", "", "[x, phi]"),
        FormEntry("limits", "lowest and highest value of the coordinate", "m | rad",
              "[-90 deg, 90 deg]", CONSTANTS),
        FormEntry("friction", "a coefficient, or a table of a law", "",
              "{coefficient: 0.1, radius: 10 mm}", CONSTANTS, scope="joint friction"),
        FormEntry("stop", "stop at the limits", "", "{restitution: 0.5}", scope="stop"),
        FormEntry("effort", "largest force of the drive", "N | N.m", "80 N.m", CONSTANTS),
        FormEntry("velocity", "largest speed", "m/s | rad/s", "2 rad/s", CONSTANTS),
        FormEntry("clip", "whether commands are clipped at the effort", "", "yes", options=_YES),
        FormEntry("compliance", "compliance by which loads are shared", "m/N", "1e-6",
              CONSTANTS, scope="compliance"),
    ),
    "joint friction": (
        *_LAW,
        FormEntry("radius", "radius of the bearing", "m", "10 mm", CONSTANTS),
        FormEntry("half_angle", "half the angle of a wedge or a thread", "rad", "20 deg",
              CONSTANTS),
        FormEntry("constant", "friction that no load changes", "N | N.m", "0.2 N.m", CONSTANTS),
    ),
    "friction": _LAW,
    "resistance": (
        FormEntry("length", "length of the couple: its size over the normal force", "m", "1 mm",
              CONSTANTS),
        FormEntry("viscous", "viscous friction", "N.m.s/rad", "0.01", CONSTANTS),
    ),
    "restitution": (
        FormEntry("newton", "fraction of the velocity after a shock", "", "0.5", CONSTANTS),
        FormEntry("poisson", "fraction of the impulse of compression", "", "0.5", CONSTANTS),
        FormEntry("tangential", "fraction of the tangential velocity", "", "0.6", CONSTANTS),
    ),
    "patch": (
        FormEntry("radius", "radius of the contact surface", "m", "20 mm", CONSTANTS),
        FormEntry("pressure", "distribution of the pressure", "", "hertz",
              options=("uniform", "hertz")),
    ),
    "stop": (
        FormEntry("restitution", "a coefficient from 0 to 1, or a table of a law", "", "0.5",
              CONSTANTS, scope="restitution"),
        *_SPRING,
    ),
    "compliance": (
        FormEntry("translation", "compliance in translation", "m/N", "1e-6", CONSTANTS),
        FormEntry("rotation", "compliance in rotation", "rad/(N.m)", "1e-6", CONSTANTS),
    ),
    "motor": (
        FormEntry("joint", "a joint", "", "A", JOINTS, required=True),
        FormEntry("ratio", "turns of the motor for one of the joint", "", "50", CONSTANTS),
        FormEntry("rotor_inertia", "inertia of the rotor about its axis", "kg.m^2", "1e-4",
              CONSTANTS),
        FormEntry("axis", "an axis x, y, z, or three components", "", "z"),
        FormEntry("viscous", "viscous friction", "", "{motor: 0.01}", scope="sides"),
        FormEntry("dry", "dry friction", "", "{output: 0.2}", scope="sides"),
        FormEntry("torque", _VARYING, "N.m", "-2*q1", VARYING),
    ),
    "sides": (
        FormEntry("motor", "on the side of the motor", "N.m.s/rad | N.m", "0.01", CONSTANTS),
        FormEntry("output", "on the side of the joint", "N.m.s/rad | N.m", "0.2", CONSTANTS),
    ),
    "state": (
        FormEntry("rate", _VARYING, "", "(U - F)/tau", VARYING, required=True),
        FormEntry("initial", "value at the start", "", "0.5 N", CONSTANTS),
        FormEntry("unit", "unit of the value", "", "N"),
    ),
    "event": (
        FormEntry("zero", _VARYING, "", "theta - 90 deg", VARYING, required=True),
        FormEntry("direction", "direction of the crossing", "", "rising",
              options=tuple(DIRECTIONS)),
        FormEntry("stop", "whether the run ends there", "", "yes", options=_YES),
    ),
    "include": (
        FormEntry("file", _FILE, "", "gripper.yaml", required=True),
        FormEntry("prefix", "prefix of all names of the included model", "", "tool_"),
        FormEntry("at", "body, frame or point on which its ground stands", "", "hand", BODIES),
        _ROTATION,
        FormEntry("free_base", "whether the base of a robot is free", "", "yes", options=_YES),
        FormEntry("limits", "use of the limits of a robot", "", "stop", options=("stop",)),
        FormEntry("effort", "use of the efforts of a robot", "", "clip", options=("clip",)),
        FormEntry("collisions", "collision shapes of a robot", "", "ground",
              options=("links", "ground", "all", "named", "no")),
    ),
    "shape": (
        *(FormEntry(x, "a solid with its dimensions", scope=solid_scope(x)) for x in SOLIDS),
        *(FormEntry(x, "a solid in a file", "", "{file: bracket.stl}", scope="solid file")
          for x in SOLID_KEYS),
    ),
    "solid file": (
        FormEntry("file", _FILE, "", "bracket.stl", required=True),
        FormEntry("scale", "length of a unit of the file in metres", "", "1e-3"),
    ),
}  # fmt: skip
ALONE: Mapping[str, FormEntry] = {  # values that stand instead of a mapping
    "parameter": FormEntry("value", _NUMBER, "", "0.5", CONSTANTS),
    "definition": FormEntry("value", _VARYING, "", "max(x - l0, 0)", VARYING),
    "point": FormEntry("value", "a body and a position", "m", "[arm, [0, 0, 0.1]]", BODIES),
    "start": FormEntry("value", _NUMBER, "m | rad", "30 deg", CONSTANTS),
    "state": FormEntry("value", _VARYING, "", "(U - F)/tau", VARYING),
    "event": FormEntry("value", _VARYING, "", "theta - 90 deg", VARYING),
}
_TYPE_OF = {"force": "type of the force", "constraint": "type of the constraint",
            "actuator": "type of the actuator", "sensor": "type of the sensor"}  # fmt: skip


def type_entry(scope: str) -> FormEntry | None:
    """The entry by which a type is chosen; contacts and motions have none."""
    if scope not in _TYPE_OF:
        return None
    return FormEntry("type", _TYPE_OF[scope], required=True)


def solid_entries(name: str) -> tuple[FormEntry, ...]:
    """The dimensions of a solid."""
    solid = SOLIDS[name]
    example = "0.1" if solid.components == 1 else str([0.1] * solid.components)
    sizes = [
        FormEntry(x, meaning, "m", example, CONSTANTS) for x, meaning in solid.parameters.items()
    ]
    if solid.directed_by is None:
        return tuple(sizes)
    axis = FormEntry(solid.directed_by, "an axis x, y or z", "", "x", options=("x", "y", "z"))
    return (*sizes, axis)
