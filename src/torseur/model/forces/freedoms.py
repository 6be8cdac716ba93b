"""Which coordinate of a joint a force acts on."""

from torseur.errors import ModelError, suggestion
from torseur.model.joints.protocol import Joint
from torseur.spatial.in_words import listed
from torseur.words.sentence import Sentence, say

_WORDS = {"rad": say("an angle"), "m": say("a distance")}
_SEVERAL = {
    "rad": 'joint "{joint}" has {number} angles, not one.',
    "m": 'joint "{joint}" has {number} distances, not one.',
    "": 'joint "{joint}" has {number} degrees of freedom, not one.',
}


def freedom_index(place: str, joint: Joint, coordinate: str, unit: str = "") -> int:
    """The number of a coordinate among those of its joint; without a name there must be only one.

    With a unit, "rad" or "m", only the coordinates measured in it count. A coordinate without a
    speed of its own, such as a component of a quaternion, has no generalised force.
    """
    kind, names = joint.kind, joint.coordinates
    if kind.nq != kind.nv or not kind.nv:
        raise ModelError(
            place,
            say(
                'joint "{joint}" has {nv} degrees of freedom, but no coordinate whose rate is its '
                "speed.",
                joint.name,
                kind.nv,
            ),
            "Act on the body instead: a force of type wrench takes any expression.",
        )
    fitting = [k for k, own in enumerate(kind.coordinate_units) if not unit or own == unit]
    if coordinate in names and names.index(coordinate) in fitting:
        return names.index(coordinate)
    if not coordinate and len(fitting) == 1:
        return fitting[0]
    shown = [f"{x} [{own}]" for x, own in zip(names, kind.coordinate_units, strict=True)]
    advice: tuple[str, ...] = (say("It has {listed}.", ", ".join(shown)),)
    if coordinate and coordinate not in names:
        problem = say('joint "{joint}" has no coordinate "{coordinate}".', joint.name, coordinate)
        advice += suggestion(coordinate, names)
    elif coordinate:
        problem = say(
            'the coordinate "{coordinate}" of joint "{joint}" is not {words}.',
            coordinate,
            joint.name,
            _WORDS[unit],
        )
    elif not fitting:
        problem = say(
            'joint "{joint}" has no coordinate that is {words}.', joint.name, _WORDS[unit]
        )
    else:
        told = {"joint": joint.name, "number": len(fitting)}
        problem = Sentence(_SEVERAL[unit], told)
        choices = listed([names[k] for k in fitting], "or")
        advice = (say("Say which: coordinate: {choices}.", choices),)
    raise ModelError(place, problem, *advice)
