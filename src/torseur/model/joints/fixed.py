"""Fixed joint (liaison encastrement)."""

from dataclasses import dataclass
from typing import ClassVar, final

from torseur.model.joints.composed import Composed
from torseur.model.joints.freedoms import Freedoms


@final
@dataclass(frozen=True)
class Fixed(Composed):
    """No relative motion (*encastrement*): the joint carries any wrench."""

    names = ("fixed", "weld", "encastrement", "complète")
    words: ClassVar = {"en": "fixed", "fr": "encastrement"}

    @property
    def freedoms(self) -> Freedoms:
        return ()
