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
    Entry,
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
_POSITION = Entry("position", _POINT, "m", "[0, 0, 0.1]", CONSTANTS)
_ROTATION = Entry("rotation", _TURNS, "", "[{z: 90 deg}]", CONSTANTS)
_SHAPE = Entry("shape", "a solid with its dimensions", "", "{box: {size: [0.1, 0.1, 0.2]}}",
               scope="shape")  # fmt: skip
_SPRING = (
    Entry("stiffness", "stiffness of the spring that is met", "", "1e5", CONSTANTS),
    Entry("dissipation", "Hunt and Crossley's dissipation", "", "0.1", CONSTANTS),
    Entry("exponent", "exponent of the indentation", "", "1.5", CONSTANTS),
)
_MASS_DATA = (
    Entry("mass", "mass", "kg", "2", CONSTANTS),
    Entry("centre", "centre of mass in the frame of the body", "m", "[0.1, 0, 0]", CONSTANTS),
    Entry("inertia", "moments about the centre of mass, six components or the letters A to F",
          "kg.m^2", "[0.02, 0.02, 0.01]", CONSTANTS),
    _SHAPE,
    Entry("density", "density that fills the shape", "kg/m^3", "7800", CONSTANTS),
)  # fmt: skip
_LAW = (
    Entry("coefficient", "coefficient of friction", "", "0.3", CONSTANTS),
    Entry("static", "coefficient at rest", "", "0.4", CONSTANTS),
    Entry("kinetic", "coefficient while it slides", "", "0.3", CONSTANTS),
    Entry("viscous", "viscous friction", "N.s/m | N.m.s/rad", "0.01", CONSTANTS),
    Entry("stribeck", "speed at which friction falls from static to kinetic", "m/s | rad/s",
          "0.01", CONSTANTS),
)  # fmt: skip


def solid_scope(name: str) -> str:
    """The scope of the dimensions of a solid."""
    return f"shape {name}"


SCOPES: Mapping[str, tuple[Entry, ...]] = {
    "model": (
        Entry("torseur", "version of the form", "", "1"),
        Entry("name", "name of the mechanism", "", "four-bar"),
        Entry("description", "one sentence about the mechanism", "", "A crank and a slider."),
        Entry("gravity", "acceleration of free fall", "m/s^2", "[0, -9.81, 0]", CONSTANTS),
        Entry("frame", "motion of the ground", "", "{preset: laboratory, latitude: 45 deg}",
              scope="frame"),
        Entry("parameters", "numbers by name, with unit and meaning", "",
              "l1: {value: 0.5, unit: m, meaning: length of the crank}", parts="parameter"),
        Entry("tables", "functions given by points", "", "lift: {t: [0, 1, 2], value: [0, 1, 0]}",
              parts="table"),
        Entry("definitions", "names for expressions", "", "stretch: max(x - l0, 0)",
              parts="definition"),
        Entry("bodies", "bodies with their mass data", "", "crank: {mass: 2}", parts="body",
              required=True),
        Entry("joints", "joints between two bodies", "",
              "A: {type: revolute, bodies: [ground, crank], axis: z}", parts="joint"),
        Entry("coordinates", "combinations of the coordinates of joints", "", "s: q1 + q2",
              parts="definition"),
        Entry("motors", "motors with a gear in joints", "", "M: {joint: A, ratio: 50}",
              parts="motor"),
        Entry("forces", "forces and couples", "", "drive: {type: joint, joint: A, value: 3}",
              parts="force"),
        Entry("frames", "frames fixed to bodies", "", "tool: {body: arm, position: [0, 0, 0.1]}",
              parts="body frame"),
        Entry("points", "points of bodies", "", "tip: [arm, [0, -l1, 0]]", parts="point"),
        Entry("constraints", "relations, rolling, gears, belts", "",
              "roll: {type: relation, zero: x. - r*theta.}", parts="constraint"),
        Entry("motions", "imposed motions", "", "drive: {coordinate: q1, law: 2*t}",
              parts="motion"),
        Entry("contacts", "contacts that may open, and piles", "",
              "floor: {bodies: [ground, ball], shape: ball, radius: 0.1, normal: z}",
              parts="contact"),
        Entry("inputs", "coordinates or actuators that a controller commands", "", "[q1, q2]",
              COORDINATES),
        Entry("actuators", "servos and motors that act along coordinates", "",
              "hip: {type: servo, coordinate: q1, position: 0.5, gain: 300}", parts="actuator"),
        Entry("states", "quantities with a rate of their own", "", "F: {rate: (U - F)/tau}",
              parts="state"),
        Entry("sensors", "sensors on bodies and in joints", "",
              "counter: {type: encoder, coordinate: q1}", parts="sensor"),
        Entry("impacts", "shocks at one instant", "", "sequential", options=IMPACTS),
        Entry("events", "instants at which an expression crosses zero", "", "bottom: theta",
              parts="event"),
        Entry("reactions", "choice of reactions that are not unique", "", "least_norm",
              options=REACTIONS),
        Entry("initial", "coordinates and speeds at the start", "", '{q1: 30 deg, "q1.": 2}',
              parts="start"),
        Entry("include", "other models, in files of this folder", "",
              "- {file: gripper.yaml, prefix: tool_, at: hand}", scope="include"),
        Entry("phrase", "a description phrase instead of bodies and joints", "",
              '"RY(q1), TYK(L1);"'),
        Entry("masses", "mass data of the bodies of a phrase", "", "lever",
              options=("lever", "full")),
    ),
    "parameter": (
        Entry("value", _NUMBER, "", "0.5", CONSTANTS),
        Entry("unit", "unit of the value", "", "mm"),
        Entry("meaning", "meaning, in words", "", "length of the crank"),
    ),
    "definition": (),
    "point": (),
    "start": (),
    "table": (
        Entry("t", "instants of the points", "s", "[0, 1, 2]"),
        Entry("x", "arguments of the points", "", "[0, 90 deg, 180 deg]"),
        Entry("value", "values at the points", "", "[0, 5 mm, 0]"),
        Entry("file", "a CSV file with two columns", "", "lift.csv"),
        Entry("ends", "condition at the first and the last point", "", "periodic", options=ENDS),
        Entry("beyond", "values outside of the points", "", "hold", options=BEYOND),
    ),
    "frame": (
        Entry("rotation", "angular velocity of the ground", "rad/s", "[0, 0, 1]", VARYING),
        Entry("acceleration", "acceleration of its origin", "m/s^2", "[0, 0, 0]", VARYING),
        Entry("entrainment", "whether drive forces are kept", "", "yes", options=_YES),
        Entry("preset", "a ground on the Earth", "", "laboratory",
              options=("laboratory", "geocentric")),
        Entry("latitude", "latitude of the laboratory", "rad", "48.85 deg", CONSTANTS),
    ),
    "body": (
        *_MASS_DATA,
        Entry("parts", "solids that are added or taken away, by name", "",
              "disc: {shape: {cylinder: {radius: 80 mm, length: 1 cm}}}", parts="part"),
        Entry("accept", "errors of published mass data to accept", "", "[triangle]"),
        Entry("meshes", "surfaces in files, to be drawn", "", "[{file: arm.stl}]", scope="mesh"),
        Entry("visuals", "solids to be drawn", "", "[{shape: {sphere: {radius: 0.1}}}]",
              scope="visual"),
        Entry("collision", "solids that touch others", "", "[{shape: {sphere: {radius: 0.1}}}]",
              scope="collision"),
    ),
    "part": (
        *_MASS_DATA,
        _POSITION,
        _ROTATION,
        Entry("removed", "whether the solid is taken away", "", "yes", options=_YES),
    ),
    "mesh": (
        Entry("file", _FILE, "", "arm.stl", required=True),
        _POSITION,
        _ROTATION,
        Entry("scale", "factors along the axes", "", "[1, 1, 1]", CONSTANTS),
    ),
    "visual": (_SHAPE, _POSITION, _ROTATION),
    "collision": (
        _SHAPE,
        Entry("hull", "vertices of a convex solid", "m",
              "[[0, 0, 0], [0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.1]]", CONSTANTS),
        Entry("height_field", "uneven ground", "", "{size: [4, 3], heights: [[0, 0.1], [0, 0]]}",
              scope="height field"),
        _POSITION,
        _ROTATION,
        Entry("friction", "coefficient of friction", "", "0.5", CONSTANTS),
    ),
    "height field": (
        Entry("size", "lengths along x and y", "m", "[4, 3]"),
        Entry("heights", "rows of heights", "m", "[[0, 0.1], [0, 0]]"),
        Entry("file", _FILE, "", "crater.png"),
        Entry("scale", "factor of all heights", "", "0.5"),
        Entry("depth", "depth below the lowest corner", "m", "1"),
    ),
    "body frame": (
        Entry("body", "a body", "", "arm", BODIES, required=True),
        _POSITION,
        _ROTATION,
    ),
    "joint": (
        Entry("type", "type of the joint", "", "revolute", required=True),
        Entry("bodies", "two bodies", "", "[ground, crank]", BODIES, required=True),
        Entry("point", "a point of each body, or one for both", "m", "[[l1, 0, 0], [0, 0, 0]]",
              CONSTANTS),
        Entry("rotation", "orientation of the second body in the first at the start", "",
              "[{z: 90 deg}]", CONSTANTS),
        Entry("coordinate", "name of the coordinate", "", "theta"),
        Entry("coordinates", "names of the coordinates", "", "[x, phi]"),
        Entry("limits", "lowest and highest value of the coordinate", "m | rad",
              "[-90 deg, 90 deg]", CONSTANTS),
        Entry("friction", "a coefficient, or a table of a law", "",
              "{coefficient: 0.1, radius: 10 mm}", CONSTANTS, scope="joint friction"),
        Entry("stop", "stop at the limits", "", "{restitution: 0.5}", scope="stop"),
        Entry("effort", "largest force of the drive", "N | N.m", "80 N.m", CONSTANTS),
        Entry("velocity", "largest speed", "m/s | rad/s", "2 rad/s", CONSTANTS),
        Entry("clip", "whether commands are clipped at the effort", "", "yes", options=_YES),
        Entry("compliance", "compliance by which loads are shared", "m/N", "1e-6",
              CONSTANTS, scope="compliance"),
    ),
    "joint friction": (
        *_LAW,
        Entry("radius", "radius of the bearing", "m", "10 mm", CONSTANTS),
        Entry("half_angle", "half the angle of a wedge or a thread", "rad", "20 deg", CONSTANTS),
        Entry("constant", "friction that no load changes", "N | N.m", "0.2 N.m", CONSTANTS),
    ),
    "friction": _LAW,
    "resistance": (
        Entry("length", "length of the couple: its size over the normal force", "m", "1 mm",
              CONSTANTS),
        Entry("viscous", "viscous friction", "N.m.s/rad", "0.01", CONSTANTS),
    ),
    "restitution": (
        Entry("newton", "fraction of the velocity after a shock", "", "0.5", CONSTANTS),
        Entry("poisson", "fraction of the impulse of compression", "", "0.5", CONSTANTS),
        Entry("tangential", "fraction of the tangential velocity", "", "0.6", CONSTANTS),
    ),
    "patch": (
        Entry("radius", "radius of the contact surface", "m", "20 mm", CONSTANTS),
        Entry("pressure", "distribution of the pressure", "", "hertz",
              options=("uniform", "hertz")),
    ),
    "stop": (
        Entry("restitution", "a coefficient from 0 to 1, or a table of a law", "", "0.5",
              CONSTANTS, scope="restitution"),
        *_SPRING,
    ),
    "compliance": (
        Entry("translation", "compliance in translation", "m/N", "1e-6", CONSTANTS),
        Entry("rotation", "compliance in rotation", "rad/(N.m)", "1e-6", CONSTANTS),
    ),
    "motor": (
        Entry("joint", "a joint", "", "A", JOINTS, required=True),
        Entry("ratio", "turns of the motor for one of the joint", "", "50", CONSTANTS),
        Entry("rotor_inertia", "inertia of the rotor about its axis", "kg.m^2", "1e-4", CONSTANTS),
        Entry("axis", "an axis x, y, z, or three components", "", "z"),
        Entry("viscous", "viscous friction", "", "{motor: 0.01}", scope="sides"),
        Entry("dry", "dry friction", "", "{output: 0.2}", scope="sides"),
        Entry("torque", _VARYING, "N.m", "-2*q1", VARYING),
    ),
    "sides": (
        Entry("motor", "on the side of the motor", "N.m.s/rad | N.m", "0.01", CONSTANTS),
        Entry("output", "on the side of the joint", "N.m.s/rad | N.m", "0.2", CONSTANTS),
    ),
    "state": (
        Entry("rate", _VARYING, "", "(U - F)/tau", VARYING, required=True),
        Entry("initial", "value at the start", "", "0.5 N", CONSTANTS),
        Entry("unit", "unit of the value", "", "N"),
    ),
    "event": (
        Entry("zero", _VARYING, "", "theta - 90 deg", VARYING, required=True),
        Entry("direction", "direction of the crossing", "", "rising", options=tuple(DIRECTIONS)),
        Entry("stop", "whether the run ends there", "", "yes", options=_YES),
    ),
    "include": (
        Entry("file", _FILE, "", "gripper.yaml", required=True),
        Entry("prefix", "prefix of all names of the included model", "", "tool_"),
        Entry("at", "body, frame or point on which its ground stands", "", "hand", BODIES),
        _ROTATION,
        Entry("free_base", "whether the base of a robot is free", "", "yes", options=_YES),
        Entry("limits", "use of the limits of a robot", "", "stop", options=("stop",)),
        Entry("effort", "use of the efforts of a robot", "", "clip", options=("clip",)),
        Entry("collisions", "collision shapes of a robot", "", "ground",
              options=("links", "ground", "all", "no")),
    ),
    "shape": (
        *(Entry(x, "a solid with its dimensions", scope=solid_scope(x)) for x in SOLIDS),
        *(Entry(x, "a solid in a file", "", "{file: bracket.stl}", scope="solid file")
          for x in SOLID_KEYS),
    ),
    "solid file": (
        Entry("file", _FILE, "", "bracket.stl", required=True),
        Entry("scale", "length of a unit of the file in metres", "", "1e-3"),
    ),
}  # fmt: skip
ALONE: Mapping[str, Entry] = {  # values that stand instead of a mapping
    "parameter": Entry("value", _NUMBER, "", "0.5", CONSTANTS),
    "definition": Entry("value", _VARYING, "", "max(x - l0, 0)", VARYING),
    "point": Entry("value", "a body and a position", "m", "[arm, [0, 0, 0.1]]", BODIES),
    "start": Entry("value", _NUMBER, "m | rad", "30 deg", CONSTANTS),
    "state": Entry("value", _VARYING, "", "(U - F)/tau", VARYING),
    "event": Entry("value", _VARYING, "", "theta - 90 deg", VARYING),
}
_TYPE_OF = {"force": "type of the force", "constraint": "type of the constraint",
            "actuator": "type of the actuator", "sensor": "type of the sensor"}  # fmt: skip


def type_entry(scope: str) -> Entry | None:
    """The entry by which a type is chosen; contacts and motions are told by their other entries."""
    if scope not in _TYPE_OF:
        return None
    return Entry("type", _TYPE_OF[scope], required=True)


def solid_entries(name: str) -> tuple[Entry, ...]:
    """The dimensions of a solid."""
    solid = SOLIDS[name]
    example = "0.1" if solid.components == 1 else str([0.1] * solid.components)
    sizes = [Entry(x, told, "m", example, CONSTANTS) for x, told in solid.parameters.items()]
    if solid.directed_by is None:
        return tuple(sizes)
    axis = Entry(solid.directed_by, "an axis x, y or z", "", "x", options=("x", "y", "z"))
    return (*sizes, axis)
