"""The graph of joints: which joints carry bodies, which close loops."""

from collections import defaultdict
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from typing import final

from torseur.errors import ModelError
from torseur.mechanism.description import GROUND, Joint, JointLoad, Mechanism


@final
@dataclass(frozen=True)
class Spanning:
    """A spanning tree of the joint graph, each joint after the one that carries its first body."""

    carrying: tuple[tuple[Joint, bool], ...]  # joint, and whether it is crossed backwards
    closing: tuple[Joint, ...]  # the joints left over: one for each independent loop


def spanning(mechanism: Mechanism) -> Spanning:
    """Joints taken as soon as one of their bodies is reached, in the order of the description.

    Those with a motor or a force come first, so that a loop is closed by a joint in which nothing
    acts.
    """
    acting = {motor.joint for motor in mechanism.motors.values()}
    acting |= {x.joint for x in mechanism.loads.values() if isinstance(x, JointLoad)}
    joints = sorted(mechanism.joints.values(), key=lambda joint: joint.name not in acting)
    touching: dict[str, list[int]] = defaultdict(list)
    for k, joint in enumerate(joints):
        for body in {joint.first, joint.second}:
            touching[body].append(k)

    reached, seen = {GROUND}, set(touching[GROUND])
    ready = list(seen)
    heapify(ready)
    carrying, closing = [], []
    while ready:
        joint = joints[heappop(ready)]
        if joint.first in reached and joint.second in reached:
            closing.append(joint)
            continue
        backwards = joint.first not in reached
        body = joint.first if backwards else joint.second
        carrying.append((joint, backwards))
        reached.add(body)
        for k in touching[body]:
            if k not in seen:
                seen.add(k)
                heappush(ready, k)
    left = [joint for k, joint in enumerate(joints) if k not in seen]
    if left:
        raise _disconnected(left)
    return Spanning(tuple(carrying), tuple(closing))


def _disconnected(joints: list[Joint]) -> ModelError:
    bodies = sorted({name for joint in joints for name in (joint.first, joint.second)})
    return ModelError(
        joints[0].place or f'joint "{joints[0].name}"',
        f"no joint links {', '.join(bodies)} to the ground.",
        'Add a joint to "ground" (for instance of type free).',
    )
