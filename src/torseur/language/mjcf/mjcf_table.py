"""The table of MJCF: elements and attributes that are read, and those without effect.

Whatever a file holds besides is reported by tag and number. Flags that disable effects are obeyed.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from torseur.language.robot.format_tables import RobotFormat
from torseur.language.robot.xml_tree import MOST, XmlElement, read_xml
from torseur.words.sentence import say

_POSE = "@pos @quat @axisangle @xyaxes @zaxis @euler"
_IN_BODY = "body frame replicate composite joint freejoint geom site inertial @name @childclass"
_IN_TENDON = "@name @class @stiffness @damping @springlength"
_IN_EQUALITY = "@name @class @active @body1 @body2 @site1 @site2"
_READ = {
    "mujoco": "option default worldbody deformable contact tendon equality asset keyframe"
    " sensor @model",
    "mujoco/": "actuator extension",  # actuators are reported by name
    "sensor": "accelerometer gyro jointpos",
    "accelerometer": "@name @site",
    "gyro": "@name @site",
    "jointpos": "@name @joint",
    "keyframe": "key",
    "key": "@name @time @qpos @qvel @act @ctrl",
    "option": "flag @gravity @density @viscosity @wind",
    "flag": "@constraint @equality @frictionloss @limit @passive @spring @damper @gravity @contact",
    "default": "default joint geom site mesh tendon @class",
    "worldbody": _IN_BODY,
    "body": f"{_IN_BODY} {_POSE} @gravcomp @mocap",
    "frame": f"{_IN_BODY} {_POSE}",
    "replicate": f"{_IN_BODY} {_POSE} @count @offset @sep",
    "composite": "joint geom site @prefix @type @count @offset @vertex @initial @curve @size @quat",
    "inertial": f"{_POSE} @mass @diaginertia @fullinertia",
    "joint": "@name @class @type @pos @axis @ref @stiffness @springref @damping @springdamper"
    " @armature @frictionloss @limited @range @actuatorfrclimited @actuatorfrcrange"
    " @joint @coef @joint1 @joint2 @polycoef @active",  # the last ones: of tendons, equalities
    "freejoint": "@name",
    "geom": f"{_POSE} @name @class @type @size @fromto @mesh @mass @density @shellinertia"
    " @fluidshape @fluidcoef @geom @sidesite",
    "site": f"{_POSE} @name @class @site @fromto",
    "asset": "mesh",
    "mesh": "@name @class @file @content_type @scale @refpos @refquat @inertia",
    "tendon": f"fixed spatial {_IN_TENDON} @tendon1 @tendon2 @polycoef @active",
    "fixed": f"joint {_IN_TENDON} @actuatorfrclimited @actuatorfrcrange",
    "spatial": f"site geom pulley {_IN_TENDON} @actuatorfrclimited @actuatorfrcrange",
    "pulley": "@divisor",
    "equality": "connect weld joint tendon @active",
    "connect": f"{_IN_EQUALITY} @anchor",
    "weld": f"{_IN_EQUALITY} @anchor @relpose @torquescale",
}
# Looks, data and numerical methods; limits, equalities and contacts hold exactly or are reported.
_SOFT = "@solref @solimp"
_OF_SENSORS = "@noise @user @nsample @interval"  # of samples of MuJoCo
_SOFT_LIMITS = "@margin @solreflimit @solimplimit @solreffriction @solimpfriction"
_IDLE = {
    "mujoco": "compiler size statistic visual custom",
    "option": "@timestep @integrator @solver @iterations @tolerance @jacobian @ls_iterations"
    " @ls_tolerance @noslip_iterations @noslip_tolerance @ccd_iterations @ccd_tolerance"
    " @mpr_iterations @mpr_tolerance @sdf_iterations @sdf_initpoints @sleep_tolerance @apirate"
    " @cone @impratio @o_margin @o_solref @o_solimp @o_friction @magnetic @actuatorgroupdisable",
    "flag": "@actuation @clampctrl @warmstart @filterparent=enable @refsafe @sensor @override"
    " @energy @fwdinv @invdiscrete @multiccd @nativeccd @island @midphase @autoreset @eulerdamp"
    " @sleep @diagexact @ipc @speculative",
    "default": "material texture camera light pair equality general motor position velocity"
    " intvelocity orientation pid damper cylinder muscle adhesion dcmotor",
    "actuator": "general motor position velocity intvelocity orientation pid damper cylinder"
    " muscle adhesion dcmotor plugin",
    "worldbody": "camera light",
    "body": "camera light @fuse @sleep=auto @sleep=never @sleep=allowed @simple @user",
    "frame": "camera light",
    "replicate": "camera light",
    "composite": "skin",
    "joint": f"@group @user @actuatorgravcomp {_SOFT} {_SOFT_LIMITS}",
    "freejoint": "@group @align",
    "geom": "@group @user @rgba @material @castshadow @hfield @fitscale"
    " @contype @conaffinity @condim @friction @gap @priority @solmix @adhesion=0"
    f" @margin {_SOFT}",
    "site": "@type @size @group @material @mesh @rgba @user",
    "asset": "texture material hfield skin model",
    "mesh": "@vertex @normal @texcoord @face @builtin @params @maxhullvert @smoothnormal @material",
    "deformable": "skin",
    "contact": "exclude",
    "tendon": f"@group @user @width @material @rgba @limited {_SOFT} {_SOFT_LIMITS}",
    "fixed": f"@group @user @limited {_SOFT_LIMITS}",
    "spatial": f"@group @user @width @material @rgba @limited {_SOFT_LIMITS}",
    "accelerometer": _OF_SENSORS,
    "gyro": _OF_SENSORS,
    "jointpos": _OF_SENSORS,
    "connect": _SOFT,
    "weld": _SOFT,
}


def _paths(table: dict[str, str]) -> str:
    return " ".join(
        f"{tag.rstrip('/')}/{step}" for tag, steps in table.items() for step in steps.split()
    )


MJCF = RobotFormat(
    tables={},  # values are those of the compiled model
    types={"free": "free", "ball": "spherical", "slide": "prismatic", "hinge": "revolute"},
    read=_paths(_READ),
    idle=_paths(_IDLE),
)
KINDS = tuple(MJCF.types.values())  # in the order of mjtJoint

# mjtDisableBit: the effects that each flag disables; passive of older versions: both forces.
_FLAGS = {
    "CONSTRAINT": ("friction", "equality", "limit", "contact"),
    "CONTACT": ("contact",),
    "EQUALITY": ("equality",),
    "FRICTIONLOSS": ("friction",),
    "LIMIT": ("limit",),
    "ACTUATION": ("actuation",),
    "PASSIVE": ("spring", "damper"),
    "SPRING": ("spring",),
    "DAMPER": ("damper",),
    "GRAVITY": ("gravity",),
}
# Effects: their words, and the fields of a model that they act by; older versions lack some.
_EFFECTS = {
    "gravity": (say("gravity"), ("body_gravcomp",)),
    "spring": (say("springs"), ("jnt_stiffness", "tendon_stiffness")),
    "damper": (say("dampers"), ("dof_damping", "tendon_damping", "actuator_damping")),
    "friction": (say("dry friction"), ("dof_frictionloss",)),
    "equality": (say("equalities"), ("eq_active0",)),
    "limit": (say("limits of joints"), ("jnt_limited",)),
    "actuation": (say("actuators"), ()),
    "contact": (say("contacts"), ("geom_contype", "geom_conaffinity")),
}


def unread(
    root: XmlElement, spec: Any, model: Any, of_contacts: Counter[str] | None = None
) -> Counter[str]:
    """Numbers of the contents of a file that are not read, by name.

    A file that takes in others is read as MuJoCo writes it back, with their contents.
    """
    pending, tags = [root], set()
    while pending:
        element = pending.pop()
        tags.add(element.tag)
        pending += element.children
    if tags & {"include", "attach"}:
        root = read_xml(spec.to_xml(), "", deepest=MOST)
    counts = MJCF.unread(root)
    touching = (model.geom_contype != 0) | (model.geom_conaffinity != 0)
    if of_contacts is None:
        counts[say("geometries that touch")] += int(np.count_nonzero(touching))
    else:
        counts += of_contacts
    return counts


def switch_off(model: Any) -> list[str]:
    """Set the fields of the effects that flags disable to zero; the notice about them.

    Without gravity its vector is zero too. Without springs and dampers MuJoCo computes no passive
    force: the compensation of gravity goes with them.
    """
    import mujoco

    flags = int(model.opt.disableflags)
    bits = {name: getattr(mujoco.mjtDisableBit, f"mjDSBL_{name}", 0) for name in _FLAGS}
    effects = {x for name, bit in bits.items() if flags & int(bit) for x in _FLAGS[name]}
    disabled = {name: _EFFECTS[name] for name in _EFFECTS if name in effects}
    fields = [x for _, names in disabled.values() for name in names for x in (name, f"{name}poly")]
    if {"spring", "damper"} <= effects:
        fields.append("body_gravcomp")
    for name in fields:
        if hasattr(model, name):
            getattr(model, name)[:] = 0
    if "gravity" in disabled:
        model.opt.gravity[:] = 0
    listed = ", ".join(words for words, _ in disabled.values())
    return [say("Disabled by flags of the file: {shown}.", listed)] if listed else []
