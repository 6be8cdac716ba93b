"""The bodies of a phrase: which carries which, and where the joints and the tips are on each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from torseur.algebra.core.expr import ZERO, Expr
from torseur.errors import ModelError
from torseur.language.phrase.sentence import START, FrameChange, Phrase
from torseur.model.forces.protocol import no_vector
from torseur.spatial.pose import Pose
from torseur.spatial.rotation import turn
from torseur.words.sentence import say

Array = np.ndarray
LONGEST = 30  # constants in a row on one body
BASE = 0  # the number of the ground among the bodies

_ORIGIN = Pose(no_vector())


@final
@dataclass(frozen=True)
class PhraseFrame:
    """A frame of the phrase, placed on the body that carries it."""

    body: int  # its number; BASE for the ground
    X: Pose  # in the frame of the body
    constants: int = 0  # changes since the frame of the body


@final
@dataclass(frozen=True)
class Chain:
    """A phrase with the frame that each of its changes starts from and the one it leads to."""

    phrase: Phrase
    before: tuple[PhraseFrame, ...]  # one a change
    after: tuple[PhraseFrame, ...]

    @property
    def joints(self) -> list[tuple[FrameChange, PhraseFrame]]:
        """Each joint with its frame F on the body that carries it."""
        pairs = zip(self.phrase.changes, self.before, strict=True)
        return [(change, frame) for change, frame in pairs if not change.constant]

    @property
    def tips(self) -> list[PhraseFrame]:
        """The frames that nothing follows, the end of the unbracketed chain first."""
        followed = {change.previous for change in self.phrase.changes}
        ends = [k for k in range(len(self.after)) if k not in followed]
        ends.sort(key=lambda k: k != self.phrase.end)
        return [self.after[k] for k in ends]

    def levers(self) -> dict[int, list[Array]]:
        """For each body the nonzero vectors from its frame to the joints and tips it carries."""
        levers: dict[int, list[Array]] = {BASE: []}
        levers |= {change.number: [] for change, _ in self.joints}
        listed: set[tuple[int, ...]] = set()
        for frame in [*(frame for _, frame in self.joints), *self.tips]:
            key = (frame.body, *(x.key for x in frame.X.p))
            if key not in listed and any(x is not ZERO for x in frame.X.p):
                levers[frame.body].append(frame.X.p)
            listed.add(key)
        return levers


def chain(phrase: Phrase) -> Chain:
    """The frames of a phrase, on their bodies."""
    if not phrase.joints:
        raise ModelError(
            str(phrase.written.place),
            say("none of the {number} changes of frame is a joint.", len(phrase.changes)),
            "Joints are written without K: RX, RY, RZ, TX, TY, TZ.",
        )
    ground = PhraseFrame(BASE, _ORIGIN)
    before: list[PhraseFrame] = []
    after: list[PhraseFrame] = []
    for change in phrase.changes:
        start = ground if change.previous == START else after[change.previous]
        before.append(start)
        after.append(_next_frame(phrase, change, start))
    return Chain(phrase, tuple(before), tuple(after))


def _next_frame(phrase: Phrase, change: FrameChange, start: PhraseFrame) -> PhraseFrame:
    if change.value is None:
        return PhraseFrame(change.number, _ORIGIN)
    if start.constants >= LONGEST:
        problem = say(
            "body {body} has more than {longest} constant changes of frame in a row.",
            start.body,
            LONGEST,
        )
        raise phrase.written.fault(change, problem, "Put several of them in one expression.")
    if change.kind == "R":
        X = Pose(start.X.p, start.X.R @ turn(change.axis, change.value))
    else:
        X = Pose(start.X.point(_along(change.axis, change.value)), start.X.R)
    return PhraseFrame(start.body, X, start.constants + 1)


def _along(axis: int, value: Expr) -> Array:
    return np.array([value if k == axis else ZERO for k in range(3)], dtype=object)
