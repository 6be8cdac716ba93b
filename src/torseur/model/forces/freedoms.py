"""Which coordinate of a joint a force acts on."""

from typing import Any

from torseur.errors import ModelError, suggestion

_WORDS = {"rad": "an angle", "m": "a distance"}
_SEVERAL = {"rad": "angles", "m": "distances", "": "degrees of freedom"}


def freedom_index(place: str, joint: Any, coordinate: str, unit: str = "") -> int:
    """The number of a coordinate among those of its joint; without a name there must be only one.

    With a unit, "rad" or "m", only the coordinates measured in it count. A coordinate without a
    speed of its own, such as a component of a quaternion, has no generalised force.
    """
    kind, names = joint.kind, joint.coordinates
    if kind.nq != kind.nv or not kind.nv:
        raise ModelError(
            place,
            f'joint "{joint.name}" has {kind.nv} degrees of freedom, but no coordinate whose rate '
            "is its speed.",
            "Act on the body instead: a force of type wrench takes any expression.",
        )
    fitting = [k for k, own in enumerate(kind.coordinate_units) if not unit or own == unit]
    listed = [f"{x} [{own}]" for x, own in zip(names, kind.coordinate_units, strict=True)]
    if coordinate and coordinate not in names:
        problem = f'joint "{joint.name}" has no coordinate "{coordinate}".'
        advice = (f"It has {', '.join(listed)}.", *suggestion(coordinate, names))
        raise ModelError(place, problem, *advice)
    if coordinate and names.index(coordinate) in fitting:
        return names.index(coordinate)
    if coordinate:
        problem = f'the coordinate "{coordinate}" of joint "{joint.name}" is not {_WORDS[unit]}.'
        raise ModelError(place, problem, f"It has {', '.join(listed)}.")
    if len(fitting) == 1:
        return fitting[0]
    if not fitting:
        problem = f'joint "{joint.name}" has no coordinate that is {_WORDS[unit]}.'
        raise ModelError(place, problem, f"It has {', '.join(listed)}.")
    choices = " or ".join(names[k] for k in fitting)
    raise ModelError(
        place,
        f'joint "{joint.name}" has {len(fitting)} {_SEVERAL[unit]}, not one.',
        f"Say which: coordinate: {choices}.",
    )
