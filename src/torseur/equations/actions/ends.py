"""Between which bodies each applied action passes, so that internal ones are told from external."""

from __future__ import annotations

from torseur.equations.actions.applied import FRAME, Applied
from torseur.equations.symbols.system import System
from torseur.model.description import GROUND


def action_ends(system: System, applied: Applied | None = None) -> dict[str, tuple[str, ...]]:
    """By the name of each motor and force: the bodies it acts on, the ground among them.

    What acts on a body from nowhere, such as a given load, has the ground for its other end.
    """
    mechanism, made = system.mechanism, applied or Applied(system)
    joints = {name: (one.first, one.second) for name, one in mechanism.joints.items()}
    of_speed = {speed: one.name for one in mechanism.joints.values() for speed in one.speeds}
    commanded = dict(zip((x.name for x in system.signals), mechanism.commanded, strict=False))
    found: dict[str, tuple[str, ...]] = {}
    for name in made.parts:
        plain = name.removeprefix("motors.").removeprefix("forces.")
        ends: tuple[str, ...]
        if name in commanded:
            ends = joints[of_speed[commanded[name]]]
        elif name == FRAME:
            ends = (GROUND,)
        elif plain in mechanism.motors and not name.startswith("forces."):
            ends = joints[mechanism.motors[plain].joint]
        else:
            effect = made.effects[plain]
            bodies = [action.at.body for action in effect.actions]
            alone = (GROUND,) if len(bodies) == 1 else ()
            through = (end for freedom, _ in effect.joint_forces for end in joints[freedom.joint])
            ends = (*bodies, *alone, *through)
        found[name] = tuple(dict.fromkeys(ends))
    return found
