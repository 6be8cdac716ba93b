"""Files of xacro, expanded to URDF by xacrodoc where it is installed."""

from __future__ import annotations

from pathlib import Path
from xml.parsers.expat import ExpatError

from torseur.errors import ModelError
from torseur.packages import package
from torseur.words.sentence import say


def expanded(path: Path) -> str:
    """The URDF that the macros of a file make."""
    need = say("xacro is a language of macros, which xacrodoc expands; it is not installed.")
    remedy = say("Or expand it: xacro FILE > robot.urdf")
    XacroDoc = package("xacrodoc", "robots", str(path), need, remedy).XacroDoc
    from xacro import XacroException
    from xacrodoc.packages import PackageNotFoundError

    if not path.is_file():
        raise FileNotFoundError(str(path))
    try:
        return str(XacroDoc.from_file(path, resolve_packages=False).dom.toprettyxml())
    except (XacroException, PackageNotFoundError, ExpatError, ValueError, OSError) as error:
        shown = str(error).split("\n")[0][:200]
        raise ModelError(str(path), say("the macros cannot be expanded: {shown}", shown)) from None
