"""Every field of a compiled model of MuJoCo: read, derived, without effect on motions, or reported.

`python tests/support/mjcf_fields.py FILE.xml …` prints, for each file, the fields that are in use
and would be dropped without a word; there should be none.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
from mjcf_oracle import pair

import torseur as ts

# Names are regular expressions; the first one that matches counts.
READ = """
body_(pos|quat|ipos|iquat|mass|inertia|parentid|jntadr|jntnum|gravcomp|mocapid)
body_(weldid|geomadr|geomnum)
jnt_(type|bodyid|qposadr|dofadr|pos|axis|stiffness|stiffnesspoly|range|limited)
jnt_(actfrcrange|actfrclimited)
dof_(armature|damping|dampingpoly|frictionloss) qpos0 qpos_spring
site_(bodyid|pos|quat) geom_(type|bodyid|pos|quat|size|dataid|group|fluid)
geom_(contype|conaffinity|friction)
mesh_(pos|quat|vert|vertadr|vertnum|pathadr|scale) paths exclude_signature name_exclude.*
eq_(type|obj1id|obj2id|objtype|active0|data)
tendon_(adr|num|stiffness|stiffnesspoly|damping|dampingpoly|lengthspring|length0)
tendon_(actfrcrange|actfrclimited)
wrap_(type|objid|prm)
actuator_(trntype|dyntype|gaintype|biastype|trnid|ctrladr|outadr|actadr|actnum|group|actlimited)
actuator_(ctrllimited|ctrlrange|forcelimited|forcerange|dynprm|gainprm|biasprm|actrange|gear)
actuator_(lengthrange|acc0|damping|dampingpoly|armature)
key_(qpos|qvel|act|ctrl) opt.(gravity|wind|density|viscosity|disableflags|disableactuator)
"""
DERIVED = """
(B|C|D|M)_.* map.* n.* body_(rootid|dofadr|dofnum|treeid|sameframe|simple)
body_(subtreemass|invweight0|bvh.*)
body_(contype|conaffinity|margin) tree_(body|dof).* jnt_actuatorid
tendon_(actuatorid|treeid|treenum|type)
dof_(bodyid|jntid|parentid|treeid|Madr|simplenum|invweight0|M0|length) tendon_invweight0
geom_(sameframe|aabb|rbound) site_sameframe bvh_.* oct_.* ten_J.* flg_.* efm.* (name|names).*
signature actuator_(length0|ctrlnum|outnum|historyadr) buffer narena mesh_(bvh|oct|graph|poly).*
mesh_(extrema|face|normal).*
"""
LOOKS = """
cam_.* light_.* mat_.* tex_.* skin_.* vis stat .*_user .*_rgba .*_matid .*_group tendon_width
mesh_texcoord.* mesh_.*normal.* site_(size|type|dataid) geom_castshadow text_.* tuple_.* numeric_.*
"""
METHOD = """
.*_sol(ref|imp|mix).* opt.(timestep|impratio|tolerance|.*_tolerance|.*iterations|sdf_.*|integrator)
opt.(cone|jacobian|solver|o_.*|magnetic|enableflags) (jnt|tendon)_margin key_time
"""
CONTACTS = "hfield_.* geom_(condim|priority|margin|gap)"
_SENSORS = [mujoco.mjtSensor.mjSENS_ACCELEROMETER, mujoco.mjtSensor.mjSENS_GYRO]
_SENSORS = [int(x) for x in (*_SENSORS, mujoco.mjtSensor.mjSENS_JOINTPOS)]
Used = Callable[[Any], Any]
# Fields that must be found in a notice where they are used: when they are, and words of the notice.
REPORTED: dict[str, tuple[Used, str]] = {
    "jnt_actgravcomp": (lambda m: m.jnt_actgravcomp & m.jnt_actfrclimited, "actuatorgravcomp"),
    "(jnt|tendon)_(springyield|plasticadr)": (
        lambda m: np.r_[m.jnt_springyield.ravel(), m.tendon_springyield.ravel()],
        "springyield",
    ),
    "tendon_armature": (lambda m: m.tendon_armature, "armature"),
    "tendon_frictionloss": (lambda m: m.tendon_frictionloss, "frictionloss"),
    "tendon_(range|limited)": (lambda m: m.tendon_limited, "range"),
    "actuator_(plugin|delay|history|ctrlspec|cranklength)": (
        lambda m: np.r_[m.actuator_plugin >= 0, m.actuator_delay != 0, m.actuator_cranklength != 0],
        "actuator",
    ),
    "actuator_actearly": (lambda m: m.actuator_actearly, "actearly"),
    "body_plugin": (lambda m: m.body_plugin >= 0, "plugin"),
    "geom_plugin": (lambda m: m.geom_plugin >= 0, "plugin"),
    "plugin.*": (lambda m: m.nplugin, "plugin|actuator|sensor"),
    "tree_sleep_policy": (
        lambda m: m.tree_sleep_policy == int(mujoco.mjtSleepPolicy.mjSLEEP_INIT),
        "sleep",
    ),
    "key_(mpos|mquat|plastic)": (lambda m: 0 * m.nkey, ""),  # of bodies that do not move here
    "pair_.*": (lambda m: m.npair, "pair"),
    "geom_(adhesion|surfacevel)": (
        lambda m: np.r_[m.geom_adhesion.ravel(), m.geom_surfacevel.ravel()],
        "adhesion|surfacevel",
    ),
    "sensor_.*": (lambda m: ~np.isin(m.sensor_type, _SENSORS), "sensor"),
    "flex.*": (lambda m: m.nflex, "flex"),
}
GROUPS = {"read": READ, "derived": DERIVED, "looks": LOOKS, "method": METHOD, "contacts": CONTACTS}


def fields() -> Iterator[str]:
    """The fields of a compiled model, with those of its options."""
    model = mujoco.MjModel.from_xml_string("<mujoco/>")
    for holder, prefix in ((model, ""), (model.opt, "opt.")):
        for name in dir(holder):
            if name[0] != "_" and name != "opt" and not callable(getattr(holder, name)):
                yield prefix + name


def group_of(name: str) -> str:
    """The group of a field; nothing for one that no group has."""
    for pattern in REPORTED:
        if re.fullmatch(pattern, name):
            return "reported"
    for group, patterns in GROUPS.items():
        if any(re.fullmatch(x, name) for x in patterns.split()):
            return group
    return ""


def silent(path: Path) -> list[str]:
    """The fields in use that a file loses without a notice."""
    both = pair(path)
    notices = " ".join(map(str, both.mechanism.notices))
    return [
        pattern
        for pattern, (used, words) in REPORTED.items()
        if np.any(used(both.model)) and not re.search(words, notices)
    ]


if __name__ == "__main__":
    print("in no group:", [name for name in fields() if not group_of(name)])
    for given in sys.argv[1:]:
        try:
            print(given, silent(Path(given)) or "nothing is silent")
        except (ts.ModelError, ValueError) as error:
            print(given, "refused:", str(error).split("\n")[0][:150])
