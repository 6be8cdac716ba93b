"""The entries of the YAML form, of studies and of tables of motors, by where they may stand."""

from torseur.algebra.core.tabulated import BEYOND, ENDS
from torseur.design.synthesis_study import LIMITS, SECTIONS, TARGETS
from torseur.language.yaml import (
    actions,
    attachment_entries,
    body_entries,
    form,
    friction_entries,
    joint_entries,
    point_tables,
)
from torseur.model.actuator_types import ACTUATORS
from torseur.model.constraints.catalogue import CONSTRAINTS, MOTIONS
from torseur.model.constraints.contact import CONTACTS
from torseur.model.forces.catalogue import FORCES
from torseur.model.joints.catalogue import JOINTS
from torseur.model.mass.solids import SOLIDS
from torseur.model.sensors import SENSORS
from torseur.robotics.motor_table import UNITS
from torseur.study import study_reading
from torseur.study.design import METHODS
from torseur.study.distributions import KINDS

SETS = {
    "sections": form.SECTIONS,
    "phrases": form.PHRASE_KEYS,
    "bodies": body_entries.KEYS,
    "parts": body_entries.PART_KEYS,
    "meshes": body_entries.MESH_KEYS,
    "collision": body_entries.COLLISION_KEYS,
    "frames": body_entries.FRAME_KEYS,
    "obstacles": attachment_entries.OBSTACLE_KEYS,
    "tables": point_tables.KEYS,
    "parameters": ("value", "unit", "meaning"),
    "motors": actions.MOTOR,
    "ground": actions.FRAME,
    "events": ("zero", "direction", "stop"),
    "friction": friction_entries.IN_JOINT,
    "stops": friction_entries.STOP,
    "sheaves": attachment_entries.SHEAVE,
    "solids": tuple(SOLIDS),
    "studies": study_reading.KEYS,
    "runs of studies": study_reading.RUN,
    "distributions": ("grid", *KINDS),
    "methods": METHODS,
    "syntheses": SECTIONS,
    "targets": tuple(TARGETS),
    "limits": tuple(LIMITS),
    "motors of a task": tuple(UNITS),
    "ends of tables": ENDS,
    "beyond tables": BEYOND,
} | {
    f"{k}: {made.names[0]}": ("type", *(key.name for key in made.keys))
    for k, made in enumerate((*FORCES, *CONSTRAINTS, *MOTIONS, *CONTACTS, *ACTUATORS, *SENSORS))
}
SETS |= {kind: tuple(readings) for kind, (_, readings) in {**TARGETS, **LIMITS}.items()}
SETS |= {
    made.names[0]: (*joint_entries.COMMON, *(key.name for key in made.keys)) for made in JOINTS
}
KEYS = {key for known in SETS.values() for key in known}
KEYS |= {key for solid in SOLIDS.values() for key in solid.parameters}
