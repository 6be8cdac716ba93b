"""One door for every description: a phrase, a file, or the YAML form as Python data."""

from __future__ import annotations

import gc
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn, Unpack

from torseur.errors import ModelError, suggestion
from torseur.language.packaged import EXAMPLES, packaged_files
from torseur.language.robot.robot_parts import PLAIN, Reading, RobotOptions
from torseur.language.saved import described
from torseur.language.text.files import SUFFIXES, beside, files_read, read_file
from torseur.language.yaml.source import Item
from torseur.language.yaml.translated_keys import english
from torseur.model.checks.limits import LARGEST_FILE
from torseur.model.checks.mechanism_checks import require_valid
from torseur.model.checks.robot_files import ENDINGS, is_robot_file
from torseur.model.description import Mechanism
from torseur.words.language import speaking, spoken
from torseur.words.sentence import say

YAML = (".yaml", ".yml")
_LONGEST_NAME = 200  # letters of a bare name
_FILE = re.compile(
    r"([A-Za-z]:[/\\])?[^()\[\]{};,:=+*]*\w\.[A-Za-z]\w{0,4}"
)  # a path with an ending: no phrase
_MOST_KNOWN = 32
_KNOWN: dict[tuple[str, str, str], Mechanism] = {}  # by text, path and language
_KEY = re.compile(r"^\s*(?:\{|[\w\"'][\w \"'.-]*:(?:\s|$))", re.MULTILINE)
_OPERATOR = re.compile("[RT][XYZ]K?", re.IGNORECASE)  # the word that a phrase begins with


def load(
    source: str | os.PathLike[str] | Mapping[str, Any],
    *,
    masses: str | None = None,
    gravity: Sequence[str | float] | None = None,
    tables: str | os.PathLike[str] | None = None,
    collisions: bool | str | Mapping[str, Any] = False,
    keyframe: str | None = None,
    actuators: bool = True,
    **robot: Unpack[RobotOptions],
) -> Mechanism:
    """The mechanism of a description phrase, of a file, or of the YAML form as a dict or a text.

    Files are of the YAML form (.yaml), or robots (.urdf, .sdf, .xml of MuJoCo, .xacro). A text is
    a file if it names one or ends like one, an example that comes with Torseur if it is a bare
    name ("slider_crank"), the YAML form if it has a key ("bodies: …"), otherwise a phrase.
    `masses` says what is assumed of the masses of a phrase: "lever", "full" or None. `gravity`
    gives three components [m/s²], numbers or expressions, instead of those of the description.
    The files of tables are read below the folder of the model only, or below the folder `tables`.
    `collisions` reads the collision shapes of a robot, `actuators=False` leaves its actuators out,
    `keyframe` names the keyframe of an MJCF at which motions start; `free_base`, `packages`,
    `mesh_density`, `accept`, `limits`, `effort` and `mocap` are those of `ts.robots.load`.
    Every error of the description is shown in one ModelError.
    """
    given: Any = {key: x for key, x in robot.items() if x is not None}
    reading = Reading(collisions=collisions, keyframe=keyframe, actuators=actuators, **given)
    return loaded(source, masses, gravity, tables, None if reading == PLAIN else reading)


def load_once(source: str | os.PathLike[str] | Mapping[str, Any]) -> Mechanism:
    """`load` for a source that stands for a mechanism: a known text is not read again.

    The texts of files are compared, and descriptions that name other files are read each time.
    """
    if isinstance(source, str) and not _names_a_file(source):
        source = example_named(source) or source
    if isinstance(source, str) and not _names_a_file(source):
        key = source, "", spoken()
    elif not isinstance(source, Mapping) and Path(source).suffix.lower() in YAML:
        key = read_model(Path(source)), str(Path(source).absolute()), spoken()
    else:
        return load(source)
    if key not in _KNOWN:
        before = files_read()
        mechanism = load(source)
        if files_read() - before > bool(key[1]):
            return mechanism
        while len(_KNOWN) >= _MOST_KNOWN:
            _KNOWN.pop(next(iter(_KNOWN)), None)
        _KNOWN[key] = mechanism
    return _KNOWN[key]


def loaded(
    source: str | os.PathLike[str] | Mapping[str, Any],
    masses: str | None = None,
    gravity: Sequence[str | float] | None = None,
    tables: str | os.PathLike[str] | None = None,
    robot: Reading | None = None,
) -> Mechanism:
    """The mechanism of a source, with options for reading a robot."""
    if isinstance(source, str) and not _names_a_file(source) and robot is None:
        if is_yaml(source):
            return _with_gravity(_yaml(source, Path("text"), tables, "model"), masses, gravity)
        if not _is_a_name(source) and not _is_plain_words(source):
            return _phrase(source, masses, gravity)
        source = example_named(source) or _not_found(source)
    if isinstance(source, Mapping):
        from torseur.language.yaml.form import data_mechanism
        from torseur.language.yaml.source import read_data

        with paused_collection():
            if "include" in source or any(
                english(str(x), ("include",)) == "include" for x in source
            ):
                root = read_data(source)
                return _with_gravity(_joined(root, "model", Path(), tables), masses, gravity)
            mechanism = data_mechanism(source, tables)
        return _with_gravity(described(mechanism, source), masses, gravity)
    if not isinstance(source, str | os.PathLike):
        kind = type(source).__name__
        advice = "Give a phrase, a path, or a dict of the YAML form."
        raise ModelError(
            "load", say("a model cannot be read from a value of type {kind}.", kind), advice
        )
    path = Path(source)
    if is_robot_file(path.name):
        return _with_gravity(_robot(path, robot or PLAIN), masses, gravity)
    if robot is not None:
        raise _no_robot(path)
    if path.suffix.lower() in SUFFIXES:
        raise _no_mesh(path)
    text = read_model(path)
    if path.suffix.lower() in YAML or is_yaml(text):
        return _with_gravity(_yaml(text, path, tables), masses, gravity)
    return _phrase(text, masses, gravity, str(path))


def _is_a_name(text: str) -> bool:
    """Whether a text is one bare word, that of an example or of a file without its ending."""
    word = text.replace("-", "_")
    return len(text) <= _LONGEST_NAME and word.isidentifier() and not _OPERATOR.fullmatch(text)


def _is_plain_words(text: str) -> bool:
    """Whether a text is words alone; a phrase has parentheses, or begins with an operator."""
    words = text.split()
    plain = 0 < len(text) <= _LONGEST_NAME and all(x.isalpha() for x in words)
    return plain and bool(words) and not _OPERATOR.fullmatch(words[0])


def example_named(name: str) -> Path | None:
    """The file of the example that a bare name stands for, unless a file here may be meant."""
    if not _is_a_name(name) or _names_a_file(name) or _with_ending(name):
        return None
    example = packaged_files(EXAMPLES).get(name)
    return None if example is None else Path(str(example))


def _with_ending(name: str) -> bool:
    """Whether a file here has the name, and an ending that was left out."""
    return any(Path(f"{name}{ending}").is_file() for ending in (*YAML, *ENDINGS))


def _not_found(name: str) -> NoReturn:
    """A bare word that is neither an example nor, as it stands, a file."""
    if _with_ending(name):
        raise _missing(Path(name))
    problem = say('no file and no example is called "{name}".', name)
    listed = "`torseur examples` lists the examples; a phrase looks like RY(q1), TYK(L1);"
    close = suggestion(name.replace(" ", "_"), packaged_files(EXAMPLES))
    raise ModelError(name, problem, listed, *close)


def load_text(
    text: str, path: Path, masses: str | None = None, tables: str | os.PathLike[str] | None = None
) -> Mechanism:
    """The mechanism of a text of the YAML form or of a phrase; `path` is where it may be saved."""
    return _phrase(text, masses, None, str(path)) if is_phrase(text) else _yaml(text, path, tables)


def is_phrase(text: str) -> bool:
    """Whether a text is a description phrase: it has operators, and no key of the YAML form."""
    return "(" in text and ":" not in text


def is_yaml(text: str) -> bool:
    """Whether a text is of the YAML form: a line of it begins with a key, or it is in braces."""
    return _KEY.search(text) is not None


def _yaml(
    text: str, path: Path, tables: str | os.PathLike[str] | None, name: str = ""
) -> Mechanism:
    from torseur.language.yaml.form import includes, mechanism_of
    from torseur.language.yaml.point_tables import tables_below
    from torseur.language.yaml.source import read_text

    with paused_collection():
        root = read_text(text, str(path))
        if includes(root):
            return _joined(root, name or path.stem, path, tables)
        below = tables_below(path.parent, tables)
        mechanism = mechanism_of(root, name or path.stem, str(path), below)
    return described(mechanism, text)


def _joined(root: Item, name: str, path: Path, tables: str | os.PathLike[str] | None) -> Mechanism:
    from torseur.language.joining import joined_mechanism

    return joined_mechanism(root, name, path, tables)


@contextmanager
def paused_collection() -> Iterator[None]:
    """No search for garbage: reading makes many values and leaves few, so that it finds nothing."""
    active = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if active:
            gc.enable()


def _names_a_file(text: str) -> bool:
    one_line = "\n" not in text and len(text) < 1000
    named = text.lower().endswith((*YAML, *ENDINGS)) or _FILE.fullmatch(text) is not None
    return one_line and (named or os.path.exists(text))


def _phrase(
    text: str, masses: str | None, gravity: Sequence[str | float] | None, file: str = ""
) -> Mechanism:
    from torseur.language.phrase.phrase_mechanism import phrase_mechanism
    from torseur.language.text.place import Place

    place = Place(file or "phrase", 1, 1)
    name = Path(file).stem if file else "phrase"
    read = require_valid(
        phrase_mechanism(text, masses=masses, gravity=gravity, name=name, place=place)
    )
    given = {"masses": masses, "gravity": None if gravity is None else [str(x) for x in gravity]}
    form = {"torseur": 1, "name": name, "phrase": text}
    return described(read, form | {key: x for key, x in given.items() if x is not None})


def _with_gravity(
    mechanism: Mechanism, masses: str | None, gravity: Sequence[str | float] | None
) -> Mechanism:
    """The mechanism of a YAML form with another gravity."""
    if masses is not None:
        advice = "Leave `masses` out: bodies give their mass, centre and inertia."
        raise ModelError(
            "masses", say('"{masses}" is an assumption for phrases only.', masses), advice
        )
    if gravity is None:
        return mechanism
    from torseur.language.phrase.phrase_mechanism import gravity_vector
    from torseur.language.yaml.parameter_entries import names_of

    vector = gravity_vector(gravity, names_of(mechanism.parameter_table))
    return require_valid(replace(mechanism, gravity=vector))


def load_robot(
    path: str | os.PathLike[str],
    *,
    free_base: bool = False,
    packages: Sequence[str] = (),
    mesh_density: float | None = None,
    accept: Sequence[str] = (),
    limits: str | None = None,
    effort: str | None = None,
    collisions: bool | str | Mapping[str, Any] = False,
    keyframe: str | None = None,
    actuators: bool = True,
    mocap: Mapping[str, Mapping[str, Any]] | None = None,
) -> Mechanism:
    """The mechanism of a file of a robot (.urdf, .sdf, .xml of MuJoCo, .xacro).

    With `free_base` the base of a URDF moves freely; otherwise it is fixed to the ground.
    `packages` are folders in which `package://` is looked for. `mesh_density` [kg/m³] fills the
    meshes of links that have no mass data. `accept` names kinds of error in mass data to let
    pass, such as "negative moment". With `limits` "stop", joints stop at their limits without a
    rebound; with `effort` "clip", commands of control are clipped at the efforts of the joints.
    `collisions` makes contacts of the collision shapes: True, those of links with each other and
    with planes of the file; "ground", those of links with the plane z = 0; "all", both; "named", a
    contact by name for each shape and the plane, which events move. A dict has "self", "ground" (a
    height), "named" (True, or links), "balls" (True: they stand for meshes in these), "friction",
    "restitution", "srdf" and "parts" (parts of meshes touch one by one). `keyframe` names the
    keyframe of an MJCF at which motions start, with its commands of actuators. With `actuators`
    False, the actuators of an MJCF file are left out.
    `mocap` moves mocap bodies of an MJCF: {"target": {"position": ["0.1*sin(t)", 0, 0.5]}}, and
    "rotation" as a description writes it; what is left out stays as in the file.
    """
    acting = limits, effort, collisions, keyframe, actuators, mocap
    reading = Reading(free_base, packages, mesh_density, accept, *acting)
    return _robot(Path(path), reading)


def _robot(path: Path, reading: Reading) -> Mechanism:
    from torseur.language.imported import robot_mechanism

    try:
        with paused_collection(), speaking(spoken()):  # the environment is looked at once
            return robot_mechanism(path, reading)
    except FileNotFoundError:
        raise _missing(path) from None


def _no_mesh(path: Path) -> ModelError:
    """A mesh where a mechanism is expected."""
    return ModelError(
        str(path),
        "a mesh is the surface of one body: it has no joint.",
        say('For its mass, centre and inertia: torseur inertia "{path}" --density 7800', path),
        "In a description, meshes: [{file: …}] draws a body; shape: mesh lets it touch.",
    )


def _no_robot(path: Path) -> ModelError:
    """Error: options for reading a robot are given for another file."""
    return ModelError(
        str(path),
        "a free base, packages, a density of meshes, collisions, keyframes, actuators=False, "
        "limits, efforts, mocap bodies and accepted errors apply to files of robots only.",
        say("Files of robots end with {endings}.", ", ".join(ENDINGS)),
    )


def named_model(item: Item, folder: Path) -> Mechanism:
    """The mechanism of an entry: as it stands there, of a phrase, or of a file in a folder."""
    if not isinstance(item.value, str):
        return load(item.plain)
    named = item.value.strip()
    is_file = named.lower().endswith((*YAML, *ENDINGS)) and "\n" not in named
    return load(folder / named if is_file else named)


def read_model(path: Path) -> str:
    """The text of the file of a model; a missing one is reported with the files beside it."""
    try:
        return read_file(path, LARGEST_FILE, str(path))
    except FileNotFoundError:
        raise _missing(path) from None


def _missing(path: Path) -> ModelError:
    """A file that does not exist, with the files of its directory that look like it."""
    models = (p.name for p in beside(path) if p.suffix in (*YAML, *ENDINGS))
    present = [name for name in models if not name.startswith(".")]
    folder = path.parent if str(path.parent) != "." else say("this directory")
    listed = say("Models in {folder}: {present}.", folder, ", ".join(present[:20]))
    if not present:
        listed = say("Models in {folder}: none.", folder)
    advice = suggestion(path.name, present)
    if path.suffix == ".yaml" and path.stem in packaged_files(EXAMPLES):
        advice = (
            say(
                "For the example: {stem}; for a copy of it: torseur examples {stem} -o {path}",
                path.stem,
                path,
            ),
        )
    return ModelError(
        str(path), say('the file "{path}" does not exist.', path.name), listed, *advice
    )
