"""What the multiplier of each row of constraints is, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from torseur.algebra.core.expr import ONE, ZERO
from torseur.algebra.core.graph import expressions
from torseur.dynamics.tree.closure import Closure
from torseur.model.constraints.contact import ContactSet
from torseur.model.constraints.pile import Pile
from torseur.model.constraints.protocol import Constraint, of_pair
from torseur.model.constraints.selection import one_sided, restraints
from torseur.model.description import Mechanism
from torseur.model.joints.distance import Distance
from torseur.words.sentence import say


def closing_meanings(closures: Iterable[Closure]) -> dict[str, tuple[str, ...]]:
    """What each closing joint carries, row by row."""
    return {closure.cut.name: tuple(_carried(closure)) for closure in closures}


def row_meanings(
    mechanism: Mechanism, owners: Sequence[str], carried: Mapping[str, Iterable[str]]
) -> tuple[str, ...]:
    """The force or couple of each row, of the first body of its owner on the second.

    What joints carry is given by their names; constraints say it themselves.
    """
    every = (*restraints(mechanism), *_touching(mechanism))
    texts = {one.name: tuple(one.meanings) for one in every}
    for name, own in carried.items():
        if (joint := mechanism.joints.get(name)) is not None:
            texts[name] = tuple(of_pair(text, joint.first, joint.second) for text in own)
    rows = Counter(owners)
    each = {name: iter(told) for name, told in texts.items() if len(told) == rows[name]}
    return tuple(
        say('"{owner}": {effort}', x, next(each[x])) if x in each else say('"{owner}"', x)
        for x in owners
    )


def _touching(mechanism: Mechanism) -> Iterator[Constraint]:
    """Contacts one by one; what touches in a pile is found on the way."""
    for one in one_sided(mechanism):
        if isinstance(one, ContactSet):
            yield from one.parts
        elif not isinstance(one, Pile):
            yield one


def _carried(closure: Closure) -> Iterator[str]:
    """What a closing joint carries, column by column of T."""
    for k, column in enumerate(expressions(closure.T).T):
        used = [i for i, x in enumerate(column) if x is not ZERO]
        if isinstance(closure.cut.joint, Distance):
            yield say(
                "force along the line from the origin of F to that of M, which pushes them apart"
            )
        elif len(used) == 1 and column[used[0]] is ONE:
            yield _component(used[0])
        else:
            yield say("R{number}: force and couple in a fixed proportion", k + 1)


def _component(k: int) -> str:
    """One of the six: couples first."""
    if k < 3:
        return say("couple about {axis} of M", "xyz"[k])
    return say("force along {axis} of M, at its origin", "xyz"[k - 3])
