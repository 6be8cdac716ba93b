"""The words of the reports, in English and in French."""

from collections.abc import Mapping

from torseur.errors import unknown
from torseur.report.french import FRENCH

Wording = Mapping[str, str]

ENGLISH: dict[str, str] = {
    # the drawing
    "drawn as 1": "Lengths not given are drawn as 1: {}.",
    "drawn apart": "Joints at one place are drawn apart.",
    # the animation
    "view hint": "Drag to turn, shift-drag to move, wheel to enlarge, double-click to fit. "
    "Space plays, arrows step.",
    "view from": "Seen from",
    "view show": "Show",
    "view joints": "names of joints",
    "view bodies": "names of bodies",
    "view traces": "points and traces",
    "view frames": "frames of bodies",
    "view centres": "centres of mass",
    "view weights": "weights",
    "view reactions": "reactions",
    "view follow": "follow the motion",
    "view play": "Play",
    "view pause": "Pause",
    "view position": "Position",
    "view speed": "Speed",
    "view noscript": "The animation needs JavaScript.",
    "speeds": "speeds",
    "energies": "energies",
    "reactions": "reactions",
    # the page
    "kicker": "Equations of motion",
    "contents": "Contents",
    "title": "Mechanism with {}",
    "n bodies": "1 body|{} bodies",
    "n joints": "1 joint|{} joints",
    "n freedoms": "1 degree of freedom|{} degrees of freedom",
    "n products": "1 multiplication|{} multiplications",
    "n sums": "1 addition|{} additions",
    "n sines": "1 sine or cosine|{} sines and cosines",
    "and": "and",
    "summary": "{} linked by {}: {}.",
    "cost of the model": "At run time its equations cost {};",
    "cost of the recursion": "the joint forces of a given motion cost {} by the Newton-Euler "
    "recursion. What depends on parameters only is computed once and is not counted.",
    "drawing": "Drawing",
    "notices": "Worth knowing",
    "description": "Description",
    "bodies": "Bodies",
    "joints": "Joints",
    "parameters": "Parameters",
    "constants": "Lumped constants",
    "constants text": "Each body is augmented by the masses it carries, concentrated at the joint "
    "that carries them. They do not depend on the pose when every joint is revolute.",
    "equations": "Equations",
    "form lagrange": "The coordinates are {}, in this order. Q is the action of gravity on a "
    "coordinate, F that of everything else: motors, friction, loads.",
    "form vector": "The rows are in the order of the speeds {}. g is the gravity term, h the "
    "velocity term, Q the action of motors, friction and loads.",
    "gravity": "Gravity torques",
    "inertia": "Inertia coefficients",
    "velocity": "Velocity terms",
    "velocity text": "Coefficients of products of speeds (Coriolis) and of squares of speeds "
    "(centrifugal).",
    "applied": "Applied forces",
    "constraints": "Loop equations",
    "constraints text": "Rows of the joints that close loops, and of relations: {}. J v is the "
    "relative speed that each forbids, γ its rate when a = 0; λ are the reactions.",
    "abbreviations": "C and S stand for cosine and sine, with the angles as subscripts: {}.",
    "shared sums": "Sums that several formulas share are named P.",
    "program": "Newton-Euler program",
    "program text": "The joint forces of a motion, as named intermediates in the order in which "
    "they are computed.",
    "n formulas": "1 formula|{} formulas",
    "n parameters": "1 parameter|{} parameters",
    "operations": "Operations",
    "no formula": "None.",
    "joint": "joint",
    "kind": "type",
    "links": "links",
    "coordinates": "coordinates",
    "limits": "limits",
    "centre of mass": "centre of mass",
    "inertia at the centre": "inertia at the centre (xx, yy, zz)",
    "inertia with products": "inertia at the centre (xx, yy, zz, xy, xz, yz)",
    "ground": "ground",
    "model": "Model",
    "by augmented-bodies": "M, h, g by augmented bodies",
    "by newton-euler": "M, h, g by the Newton-Euler recursion",
    "by lagrange": "M, h, g by Lagrange",
    "by uicker": "M, h, g by 4×4 matrices",
    "by kane": "M, h, g by Kane",
    "by virtual-power": "M, h, g by virtual power",
    "by gibbs-appell": "M, h, g by Gibbs and Appell",
    "by absolute": "M, h, g in absolute coordinates",
    "by hamilton": "M, h, g by Hamilton",
    "inverse dynamics": "Joint forces of a motion, by Newton-Euler",
    "made by": "Made by Torseur {}.",
    "checked": "Every coefficient on this page was compared with the one found by another "
    "formalism, {}, at {} random states: the largest relative difference is {}.",
    # stages
    "parameters stage": "Once per parameter set",
    "configuration stage": "Once per configuration",
    "state stage": "For every state",
    "outputs stage": "Results",
    "stage parameters": "once per parameter set",
    "stage configuration": "per configuration",
    "stage state": "per state",
    # the tables of the 1980 report
    "table frames": "Table MRR of the changes of frame",
    "table translations": "Table of constant translations",
    "table rotations": "Table of rotations",
    "table numbers": "Size",
    "table bodies": "List of bodies",
    "table limits": "Limits of the degrees of freedom",
    "table masses": "Mass data",
    "table inertias": "Tensors of inertia at the centres of mass",
    "table V": "Constant lumped masses",
    "table W": "Constant lumped inertias",
    "table J": "Total inertias",
    "table moving": "Lumped masses and inertias that vary",
    "table Q": "Gravity torques",
    "table A": "Inertia coefficients",
    "table B": "Velocity coefficients",
    "table operations": "Operation count",
    "changes of frame": "changes of frame",
    "freedoms": "degrees of freedom",
    "body": "body",
    "length": "length",
    "coordinate": "coordinate",
    "minimum": "minimum",
    "maximum": "maximum",
    "mass": "mass",
    "centre": "centre",
    "products": "products",
    "sums": "sums",
    "sines": "sines, cosines",
    "total": "total",
}

LANGUAGES: dict[str, Wording] = {"en": ENGLISH, "fr": FRENCH}


def wording(lang: str) -> Wording:
    """The words of a language."""
    if lang not in LANGUAGES:
        raise unknown("lang", "language", lang, LANGUAGES)
    return LANGUAGES[lang]


def counted(words: Wording, key: str, number: int) -> str:
    """A number of things: 1 body, 6 bodies."""
    one, several = words[key].split("|")
    return one if number == 1 else several.format(number)


def listed(words: Wording, items: list[str]) -> str:
    """Things in a row: a, b and c."""
    *first, last = items
    return f"{', '.join(first)} {words['and']} {last}" if first else last
