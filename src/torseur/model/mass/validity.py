"""Errors of mass properties that no body can have, with values and advice.

A mass distribution gives m ≥ 0 and a tensor of products ∫ r rᵀ dm without negative eigenvalue;
for the inertia this says that no principal moment exceeds the sum of the two others. Semi-definite
cases (a point, a bar, no mass at all) are bodies like any other (erratum E0-3).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import final

import numpy as np

from torseur import notebook
from torseur.errors import ModelError, all_faults
from torseur.model.mass.principal import direction_name, numeric, principal_inertia
from torseur.model.mass.properties import COMPONENTS, Array, MassProperties
from torseur.spatial.in_words import listed
from torseur.words.sentence import say

# Relative to the largest moment. Huygens transport and eigenvalues round at about 1e-15, and lose
# a few digits when a small inertia is what remains of large ones: 1e-9 leaves room for six. Data
# typed with fewer digits than that may exceed an exact equality (a plate); the message says so.
TOLERANCE = 1e-9

# A body whose matter lies this far from its centre, or its centre from its frame, is most often
# one whose lengths were given in millimetres.
LARGE = 20.0  # [m]

KINDS = ("not finite", "negative mass", "not symmetric", "negative moment", "triangle")

_CENTRE = "Is the inertia given about the centre of mass?"
_SIGN = say("Are the products of inertia given with the sign of the tensor (xy = −∫xy dm)?")
_UNIT = say("Is the length unit mm instead of m?")


@final
@dataclass(frozen=True)
class MassFault:
    """One reason why no body has these mass properties."""

    _repr_html_ = notebook.html

    kind: str  # one of KINDS
    sentence: str
    advice: tuple[str, ...]


def faults(properties: MassProperties) -> tuple[str, ...]:
    """Reasons why no body has these mass properties, one sentence each; else empty."""
    return tuple(fault.sentence for fault in diagnose(properties))


def check(properties: MassProperties, place: str, *, accepting: Collection[str] = ()) -> None:
    """Raise one ModelError with all errors.

    `accepting` names kinds of error to let pass: measured inertias are published that break the
    triangle inequality (Puma 560, Armstrong, Khatib and Burdick 1986, link 3).
    """
    errors = [fault for fault in diagnose(properties) if fault.kind not in accepting]
    if errors:
        raise all_faults([ModelError(place, fault.sentence, *fault.advice) for fault in errors])


def diagnose(properties: MassProperties) -> tuple[MassFault, ...]:
    """All errors with kind and advice; values that are not finite hide the others."""
    body = numeric(properties)
    finite = np.isfinite((body.mass, *body.centre, *body.inertia.flat)).all()
    return tuple(_impossible(body) if finite else _not_finite(body))


def surely_sound(data: Array) -> Array:
    """Mask of the rows of masses, centres and inertias (n, 13) that surely are of bodies."""
    K = data[:, 4:].reshape(-1, 3, 3)
    finite = np.isfinite(data).all(axis=1)
    K = np.where(finite[:, None, None], K, 0.0)
    low, middle, high = np.linalg.eigvalsh(K).T
    symmetric = (K.transpose(0, 2, 1) == K).all(axis=(1, 2))
    possible = (data[:, 0] >= 0) & (low >= 0) & (high <= low + middle)
    return np.asarray(finite & symmetric & possible)


def remarks(properties: MassProperties) -> tuple[str, ...]:
    """Unusual features of accepted mass properties, one sentence each."""
    body = numeric(properties)
    if diagnose(body):
        return ()
    principal = principal_inertia(body)
    size = principal.moments[2]
    if size == 0:
        return (say("no mass"),) if body.mass == 0 else (say("a point mass"), *_far_centre(body))
    notes = [] if body.mass else [say("no mass, yet an inertia")]
    missing = _missing_moments(body.inertia)
    if principal.moments[0] <= TOLERANCE * size and principal.kind == "prolate":
        notes.append(say("a bar along {direction_name}", direction_name(principal.axes[:, 0])))
    elif missing:
        notes.append(_partial(missing))
    elif principal.moments[0] + principal.moments[1] - size <= TOLERANCE * size:
        notes.append(
            say("a flat body, normal to {direction_name}", direction_name(principal.axes[:, 2]))
        )
    radius = float(np.sqrt(size / body.mass)) if body.mass else 0.0
    if radius > LARGE:
        notes.append(say("the largest radius of gyration is {radius:.4g} m. {unit}", radius, _UNIT))
    return (*notes, *_far_centre(body))


def _not_finite(body: MassProperties) -> Iterator[MassFault]:
    named = {"mass": body.mass, **{f"centre {a}": body.centre[i] for i, a in enumerate("xyz")}}
    named |= {f"inertia {name}": body.inertia[place] for name, place in COMPONENTS.items()}
    named |= {f"inertia {name[::-1]}": body.inertia[j, i] for name, (i, j) in COMPONENTS.items()}
    for name, value in named.items():
        if not np.isfinite(value):
            sentence = say("{name} is {value}, not a finite number.", name, value)
            yield MassFault("not finite", sentence, ("Give a number.",))


def _impossible(body: MassProperties) -> Iterator[MassFault]:
    """A negative mass, a tensor that is not symmetric, moments that no matter has."""
    if body.mass < 0:
        sentence = say("the mass is {mass:.6g} kg; it cannot be negative.", body.mass)
        yield MassFault("negative mass", sentence, ("Is more subtracted than there is?",))
    apart = np.abs(body.inertia - body.inertia.T) > TOLERANCE * np.abs(body.inertia).max()
    for name, (i, j) in COMPONENTS.items() if apart.any() else ():
        one, other = body.inertia[i, j], body.inertia[j, i]
        if apart[i, j]:
            sentence = say(
                "the inertia is not symmetric: {name} = {inertia:.6g} but {name2} = {inertia2:.6g} "
                "kg m².",
                name,
                one,
                name[::-1],
                other,
            )
            advice = say("Give {name} once: both places hold the same product.", name)
            yield MassFault("not symmetric", sentence, (advice,))
    yield from _moments(body)


def _moments(body: MassProperties) -> Iterator[MassFault]:
    """A negative principal moment, or one above the sum of the two others."""
    low, middle, high = moments = np.linalg.eigvalsh((body.inertia + body.inertia.T) / 2)
    size, excess = np.abs(moments).max(), high - (low + middle)
    if low < -TOLERANCE * size:
        listed = ", ".join(f"{moment:.6g}" for moment in moments)
        sentence = say(
            "the principal moment {low:.6g} kg m² is negative (of {listed}).", low, listed
        )
        yield MassFault("negative moment", sentence, _advice(body))
    elif excess > TOLERANCE * size and not _missing_moments(body.inertia):
        sentence = say(
            "{inequality} by {excess:.4g} kg m² ({excess2:.2g}).",
            _inequality(body.inertia, moments),
            excess,
            excess / high,
        )
        rounding = "The excess is small: are the digits of a flat body rounded? Give more of them."
        more = () if excess > 0.01 * high else (rounding,)
        yield MassFault("triangle", sentence, (*more, *_advice(body)))


def _inequality(inertia: Array, moments: Array) -> str:
    low, middle, high = moments
    if not _is_diagonal(inertia):
        return say(
            "the principal moment {high:.6g} exceeds the sum of the two others, {low:.6g} + "
            "{middle:.6g} = {low2:.6g} kg m²,",
            high,
            low,
            middle,
            low + middle,
        )
    largest = int(np.argmax(np.diag(inertia)))
    a, b = (axis for i, axis in enumerate(("xx", "yy", "zz")) if i != largest)
    name = ("xx", "yy", "zz")[largest]
    return say(
        "{name} = {high:.6g} exceeds {a} + {b} = {low:.6g} kg m²", name, high, a, b, low + middle
    )


def _advice(body: MassProperties) -> tuple[str, ...]:
    radius = np.sqrt(np.abs(body.inertia).max() / body.mass) if body.mass > 0 else 0.0
    far = radius > LARGE or np.abs(body.centre).max() > LARGE
    return (
        *(() if _is_diagonal(body.inertia) else (_opposite_sign(body.inertia),)),
        _CENTRE,
        *((_UNIT,) if far else ()),
    )


def _opposite_sign(inertia: Array) -> str:
    """The question of the sign, with its answer when the opposite sign is the cure."""
    opposite = 2 * np.diag(np.diag(inertia)) - inertia
    low, middle, high = np.linalg.eigvalsh((opposite + opposite.T) / 2)
    cured = high - low - middle <= TOLERANCE * high
    return say("{sign} The opposite sign would be possible.", _SIGN) if cured else _SIGN


def _is_diagonal(inertia: Array) -> bool:
    products = inertia - np.diag(np.diag(inertia))
    return bool(np.abs(products).max() <= TOLERANCE * np.abs(inertia).max())


def _missing_moments(inertia: Array) -> str:
    """Axes whose moment is left at exactly 0 while another is given, without any product."""
    moments = np.diag(inertia)
    if np.any(inertia - np.diag(moments)) or not np.any(moments):
        return ""
    return "".join(axis for axis, moment in zip("xyz", moments, strict=True) if moment == 0)


def _partial(missing: str) -> str:
    axes = listed(missing)
    moments = say("the moment") if len(missing) == 1 else say("the moments")
    return say(
        "{moments} about {axes} left at 0: right if the body does not turn about {axes}",
        moments,
        axes,
    )


def _far_centre(body: MassProperties) -> tuple[str, ...]:
    distance = float(np.linalg.norm(body.centre))
    far = say(
        "the centre of mass is {distance:.4g} m from the origin of the body frame. {unit}",
        distance,
        _UNIT,
    )
    return (far,) if distance > LARGE else ()
