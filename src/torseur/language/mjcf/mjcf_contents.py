"""Contents of a file of MuJoCo that are not read, and effects that its flags disable.

Kinds of elements are those that MuJoCo names, options and attributes those that the file sets.
The tables list those that are read or have no effect on a mechanism; all others are reported.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain
from typing import Any

import numpy as np

from torseur.words.sentence import say

# Kinds of elements as arrays `name_KINDadr` call them: read, or looks and data.
_READ = ("body", "jnt", "geom", "site", "eq", "mesh")
_IDLE = ("cam", "light", "mat", "tex", "skin", "hfield", "numeric", "text", "tuple", "exclude")
_WORDS = {
    "actuator": say("actuators"),
    "sensor": say("sensors"),
    "tendon": say("tendons, except in equalities"),
    "pair": say("pairs of geometries that touch"),
    "flex": say("deformable bodies (flex)"),
    "key": say("keyframes"),
    "plugin": say("plugins"),
}
# Options: read, of numerical methods, or of contacts and sensors, which are reported by themselves.
_OPTIONS = """
    gravity disableflags enableflags timestep integrator solver iterations tolerance jacobian
    ls_iterations ls_tolerance noslip_iterations noslip_tolerance ccd_iterations ccd_tolerance
    mpr_iterations mpr_tolerance sdf_iterations sdf_initpoints sleep_tolerance apirate cone
    impratio o_margin o_solref o_solimp o_friction magnetic disableactuator
"""
# Attributes of joints and bodies: read, compiled into read ones, of limits and contacts, or data.
_ATTRIBUTES = """
    type pos axis ref stiffness springref damping springdamper armature frictionloss limited
    range actfrclimited actfrcrange align group margin solref_limit solimp_limit solref_friction
    solimp_friction actgravcomp mass inertia fullinertia explicitinertial ipos iquat quat gravcomp
    mocap simple sleep id signature
"""
# Fields of joints and bodies that change forces and are not read; older versions lack some.
_FIELDS = {
    "dof_dampingpoly": say("polynomials of damping"),
    "jnt_stiffnesspoly": say("polynomials of stiffness"),
    "body_gravcomp": say("compensations of gravity"),
    "body_plugin": say("bodies moved by plugins"),
}
# mjtDisableBit: the effects that each flag disables; passive of older versions: both forces.
_FLAGS = {
    "CONSTRAINT": ("friction", "equality"),
    "EQUALITY": ("equality",),
    "FRICTIONLOSS": ("friction",),
    "PASSIVE": ("spring", "damper"),
    "SPRING": ("spring",),
    "DAMPER": ("damper",),
    "GRAVITY": ("gravity",),
}
# Effects: their words, and the fields of a model that they act by; older versions lack some.
_EFFECTS = {
    "gravity": (say("gravity"), ("body_gravcomp",)),
    "spring": (say("springs"), ("jnt_stiffness", "jnt_stiffnesspoly")),
    "damper": (say("dampers"), ("dof_damping", "dof_dampingpoly")),
    "friction": (say("dry friction"), ("dof_frictionloss",)),
    "equality": (say("equalities"), ("eq_active0",)),
}


def unread(
    spec: Any, model: Any, of_contacts: Counter[str] | None = None
) -> tuple[Counter[str], list[str]]:
    """Numbers of contents of a compiled model that are not read, by name, and its options.

    Where contacts are read, those of them that are not are given.
    """
    counts: Counter[str] = Counter()
    for kind in _kinds(model):
        if kind not in (*_READ, *_IDLE):
            counts[_WORDS.get(kind, kind)] += len(getattr(model, f"name_{kind}adr"))
    touching = (model.geom_contype != 0) | (model.geom_conaffinity != 0)
    if of_contacts is None:
        counts[say("geometries that touch")] += int(np.count_nonzero(touching))
    else:
        counts += of_contacts
    counts[say("mocap bodies")] += int(model.nmocap)
    for name, words in _FIELDS.items():
        rows = np.asarray(getattr(model, name, ()), dtype=float)
        none = -1 if name.endswith("plugin") else 0
        counts[words] += sum(bool(np.any(row != none)) for row in rows)
    usual = type(spec)()  # an empty file has the defaults
    body = usual.worldbody.add_body()
    joint = body.add_joint()
    for name, _ in chain(
        *(_differences(x, body, _ATTRIBUTES) for x in spec.bodies),
        *(_differences(x, joint, _ATTRIBUTES) for x in spec.joints),
    ):
        counts[name] += 1
    options = _differences(spec.option, usual.option, _OPTIONS)
    return counts, [f'{name}="{value}"' for name, value in options]


def _kinds(model: Any) -> Iterator[str]:
    """The kinds of elements that MuJoCo knows by name."""
    for name in dir(model):
        if name.startswith("name_") and name.endswith("adr"):
            yield name[len("name_") : -len("adr")]


def _differences(given: Any, usual: Any, known: str) -> Iterator[tuple[str, str]]:
    """Names and values of the numbers that a file sets, but for those that are known."""
    for name in sorted(vars(type(given)).keys() - set(known.split())):
        value = None if name.startswith("_") else getattr(given, name, None)
        if isinstance(value, int | float | np.ndarray) and not np.array_equal(
            value, getattr(usual, name)
        ):
            yield name, " ".join(f"{x:g}" for x in np.ravel(value))


def switch_off(model: Any) -> list[str]:
    """Set the fields of the effects that flags disable to zero; the notice about them.

    Without gravity its vector is zero too.
    """
    import mujoco

    flags = int(model.opt.disableflags)
    bits = {name: getattr(mujoco.mjtDisableBit, f"mjDSBL_{name}", 0) for name in _FLAGS}
    effects = {x for name, bit in bits.items() if flags & int(bit) for x in _FLAGS[name]}
    disabled = {name: _EFFECTS[name] for name in _EFFECTS if name in effects}
    for _, fields in disabled.values():
        for name in fields:
            if hasattr(model, name):
                getattr(model, name)[:] = 0
    if "gravity" in disabled:
        model.opt.gravity[:] = 0
    listed = ", ".join(words for words, _ in disabled.values())
    return [say("Disabled by flags of the file: {shown}.", listed)] if listed else []
