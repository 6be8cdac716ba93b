"""Compiling MJCF by MuJoCo: what is refused before, and after."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from torseur.brief import shortened
from torseur.errors import ModelError
from torseur.language.robot.xml_tree import XmlElement
from torseur.model.checks.limits import MOST_BODIES
from torseur.packages import package
from torseur.words.sentence import say


def check_copies(root: XmlElement) -> None:
    """Refuse more copies than a mechanism has bodies, before they are made."""
    pending = [(root, 1.0)]
    while pending:
        element, copies = pending.pop()
        for count in element.get("count").split():  # of replicate, composite, flexcomp
            copies *= max(1.0, float(count)) if count.isdecimal() else 1.0
        if copies > MOST_BODIES:
            problem = say("<{tag}> makes {copies:g} copies.", element.tag, copies)
            raise element.fault(problem, say("At most {most} are read.", MOST_BODIES))
        pending += [(child, copies) for child in element.children]


def check_rigid(model: Any, source: str) -> None:
    """Refuse flexible bodies; a rigid flex is a shape of one body, which is reported."""
    soft = [k for k in range(getattr(model, "nflex", 0)) if not model.flex_rigid[k]]
    if soft:
        from mujoco import mj_id2name, mjtObj

        kind = mjtObj.mjOBJ_FLEX
        names = ", ".join(mj_id2name(model, kind, k) or f"flex{k}" for k in soft)
        problem = say("flexible bodies (flex) are out of scope: {names}.", shortened(names))
        raise ModelError(source, problem, "Leave <flex> and <flexcomp> out of the file.")


def compiled(path: Path) -> tuple[Any, Any]:
    """The contents of the file, and the model that MuJoCo makes of them."""
    need = say("MJCF is compiled by MuJoCo, which is not installed.")
    mujoco = package("mujoco", "robots", str(path), need)
    try:
        spec = mujoco.MjSpec.from_file(str(path))
        return spec, spec.compile()
    except ValueError as error:
        reason = " ".join(str(error).split())[:300]
        raise ModelError(str(path), say("MuJoCo cannot compile it: {shown}", reason)) from None
