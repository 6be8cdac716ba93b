"""Diagnoses as plain data for JSON and as lines of text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

from torseur.analyse.mobility.balance import Balance, Redundancy
from torseur.analyse.mobility.dead_points import DeadPoint
from torseur.analyse.mobility.diagnose import Diagnosis, Singularity
from torseur.analyse.mobility.kinds import ConstraintKinds
from torseur.analyse.mobility.mobility import Mobility
from torseur.analyse.mobility.twists import EquivalentJoint
from torseur.model.called import called_body, called_type
from torseur.model.description import Mechanism
from torseur.notices import noticed
from torseur.plain import entries, plain
from torseur.report.pages.content import moving_bodies
from torseur.words.sentence import say, worded


def check_document(diagnosis: Diagnosis) -> dict[str, Any]:
    """Bodies, joints, freedoms and everything the user should know before computing."""
    mechanism, degree, counted = diagnosis.mechanism, diagnosis.mobility, diagnosis.balance
    return {
        "name": mechanism.name,
        "bodies": len(moving_bodies(mechanism)),
        "degrees_of_freedom": None if degree is None else degree.degree,
        "mobility": None if degree is None else mobility_document(degree),
        "joints": [
            {
                "name": joint.name,
                "type": joint.kind.names[0],
                "bodies": [joint.first, joint.second],
                "coordinates": list(joint.coordinates),
            }
            for joint in mechanism.joints.values()
        ],
        "parameters": mechanism.parameters,
        "balance": None if counted is None else balance_document(counted),
        "faults": [str(fault) for fault in diagnosis.faults],
        "notices": list(diagnosis.notices),
        "assumed": list(diagnosis.assumed),
    }


def check_text(diagnosis: Diagnosis) -> list[str]:
    """Lines of the diagnosis, without the errors, which are raised."""
    mechanism, degree, counted = diagnosis.mechanism, diagnosis.mobility, diagnosis.balance
    bodies, joints = len(moving_bodies(mechanism)), len(mechanism.joints)
    lines = [
        say(
            "{name}: {bodies}, {joints}",
            mechanism.name,
            say("1 body") if bodies == 1 else say("{number} bodies", bodies),
            say("1 joint") if joints == 1 else say("{number} joints", joints),
        )
    ]
    lines += [_joint(mechanism, name) for name in mechanism.joints]
    if degree is not None:
        lines += str(degree).splitlines()
    if counted is not None:
        lines.append(
            say(
                "balance: {unknown_count} unknowns = {equation_count} equations "
                "(line by line: torseur mobility)",
                counted.unknown_count,
                counted.equation_count,
            )
        )
    lines += [say("assumed: {text}", worded(text)) for text in diagnosis.assumed]
    lines += noticed(diagnosis.notices)
    if not (diagnosis.faults or diagnosis.notices):
        silent = "No error found." if diagnosis.assumed else "No error found, no assumption made."
        lines.append(worded(silent))
    return lines


def _joint(mechanism: Mechanism, name: str) -> str:
    joint = mechanism.joints[name]
    coordinates = ", ".join(joint.coordinates) or say("no coordinate")
    kind = called_type(joint.kind)
    first, second = called_body(joint.first), called_body(joint.second)
    return f"  {name}{worded(': ')}{kind} {first} → {second} ({coordinates})"


def mobility_document(mobility: Mobility) -> dict[str, Any]:
    """m, h, γ, I_c and what they come from."""
    counts = ("useful", "driven", "left", "internal", "internal_motions", "overconstraint", "loops")
    known = {"mobility": mobility.degree} | entries(mobility, *counts)
    known["joint_freedoms"] = mobility.freedoms
    return known | entries(mobility, "relations", "directions", "touching", "degree_touching")


def balance_document(balance: Balance) -> dict[str, Any]:
    """Unknowns and equations, line by line."""
    sides = {"unknowns": balance.unknowns, "equations": balance.equations}
    return {
        side: {"total": sum(line.count for line in lines), "lines": plain(lines)}
        for side, lines in sides.items()
    } | entries(balance, "bodies")


@final
@dataclass(frozen=True)
class Anatomy:
    """Mobility of a mechanism and loads of its joints, as far as it has numbers."""

    name: str
    mobility: Mobility
    balance: Balance
    kinds: ConstraintKinds
    redundancy: Redundancy | None = None
    singularity: Singularity | None = None
    joint: EquivalentJoint | None = None
    dead_points: tuple[DeadPoint, ...] = ()

    @property
    def text(self) -> str:
        """For people."""
        parts: list[Any] = [self.name, self.mobility]
        parts += [x for x in (self.redundancy, self.singularity) if x]
        parts += [x for x in (self.joint,) if x is not None]
        parts += [*self.dead_points, self.balance]
        parts += [self.kinds] if self.kinds.constraints else []
        return "\n".join(map(str, parts))

    @property
    def document(self) -> dict[str, Any]:
        """For programs."""
        page = {"name": self.name, **mobility_document(self.mobility)}
        page["balance"] = balance_document(self.balance)
        page["constraints"] = self.kinds.document
        if self.redundancy is not None:
            page["reactions_not_unique"] = plain(self.redundancy.components)
        if self.singularity is not None:
            page["singular"] = {
                "gained": self.singularity.gained,
                "can_leave": self.singularity.leaves,
                "dead": list(self.singularity.dead),
                **entries(self.singularity, "blocked", "sentences"),
            }
        if self.joint is not None:
            page["equivalent_joint"] = {
                "bodies": [self.joint.first, self.joint.second],
                "type": self.joint.name,
                **entries(self.joint, "rank", "axis", "point", "pitch", "lasting"),
            }
        page["dead_points"] = [
            {**entries(point, "coordinate", "joint"), "at": point.coordinates}
            for point in self.dead_points
        ]
        return page
