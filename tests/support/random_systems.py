"""Random mechanisms of every kind: trees, loops, rolling, imposed motions, each with loads."""

from dataclasses import replace

import numpy as np
from random_mechanisms import joint, random_mechanism
from random_trees import EVERY_JOINT, random_joint, random_pose

from torseur.algebra.core.expr import symbol
from torseur.model.constraints.relation import CoordinateMotion, Relation
from torseur.model.constraints.rolling_contact import RollingContact
from torseur.model.description import GROUND
from torseur.model.forces.body import BodyLoad, Resistance
from torseur.model.forces.line import Damper, Spring
from torseur.model.forces.protocol import Attachment
from torseur.model.joints.catalogue import JOINTS
from torseur.model.joints.defined import Defined
from torseur.model.joints.library import Spherical
from torseur.model.joints.rolling import ROLLING, RollingEllipsoid

TIME = symbol("t", "time")
WITH_RATES = tuple(kind for kind in EVERY_JOINT if not kind().turning)
CLOSING = tuple(kind for kind in JOINTS if kind.closes and kind not in (Defined, Spherical))
KINDS = ("tree", "loop", "rolling", "imposed")


def loads(rng):
    """Two of a spring, a damper, a resisting fluid and a follower force."""
    ends = (Attachment(GROUND, rng.normal(size=3)), Attachment("B0", rng.normal(size=3)))
    between = (Attachment("B0", rng.normal(size=3)), Attachment("B1", rng.normal(size=3)))
    made = (
        Spring("spring", ends, *rng.uniform(0.5, 2.0, 2)),
        Damper("damper", between, rng.uniform(0.5, 2.0)),
        Resistance("fluid", "B1", np.diag(rng.uniform(0.1, 1, 3)), np.diag(rng.uniform(0.1, 1, 3))),
        BodyLoad("push", "B0", rng.normal(size=3), rng.normal(size=3), rng.normal(size=3), True),
    )
    return tuple(made[int(k)] for k in rng.permutation(len(made))[:2])


def random_system(rng, kind):
    """Two or three bodies; `kind` is one of KINDS."""
    bodies = 2 + int(rng.random() < 0.3)
    first = [random_joint(rng, WITH_RATES if rng.random() < 0.7 else EVERY_JOINT)
             for _ in range(bodies)]  # fmt: skip
    made = random_mechanism(
        rng, *first, bodies=bodies, loads=loads(rng), motors=bool(rng.integers(2))
    )
    made = replace(made, gravity=9.81 * rng.normal(size=3))
    return {"tree": _as_it_is, "loop": _closed, "rolling": _rolling, "imposed": _imposed}[kind](
        rng, made
    )


def _as_it_is(rng, made):
    return made


def _closed(rng, made):
    """A joint more, from the last body to the ground or to the first."""
    last, names = list(made.bodies)[-1], (GROUND, next(iter(made.bodies)))
    other = names[int(rng.integers(2))]
    kind = random_joint(rng, CLOSING)
    closing = joint("closing", kind, other, last, random_pose(rng), random_pose(rng))
    return replace(made, joints={**made.joints, "closing": closing})


def _rolling(rng, made):
    shape = ROLLING[int(rng.integers(len(ROLLING)))]
    size = (0.4, 0.5, 0.3) if shape is RollingEllipsoid else 0.4
    contact = RollingContact(
        "contact", shape(size), GROUND, list(made.bodies)[-1], random_pose(rng), random_pose(rng)
    )
    return replace(made, constraints={"contact": contact})


def _imposed(rng, made):
    """A coordinate that follows a law of time, and a relation between two others."""
    plain = [n for j in made.joints.values() if j.kind.nq == j.kind.nv for n in j.coordinates]
    if not plain:
        return made
    law = rng.normal() * (rng.normal() * TIME).sin() + rng.normal()
    motions = {"drive": CoordinateMotion("drive", plain[0], law)}
    if len(plain) < 3:
        return replace(made, motions=motions)
    x, y = (symbol(name, "coordinate") for name in plain[1:3])
    return replace(
        made, motions=motions, constraints={"tie": Relation("tie", x - 2 * y - x.sin() / 3)}
    )
