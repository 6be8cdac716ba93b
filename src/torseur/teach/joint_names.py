"""What joints are called, in English and in French."""

_FRENCH = {
    "fixed": "encastrement",
    "revolute": "pivot",
    "prismatic": "glissière",
    "cylindrical": "pivot glissant",
    "screw": "hélicoïdale",
    "universal": "rotule à doigt (cardan)",
    "spherical": "rotule",
    "planar": "appui plan",
    "line contact": "linéaire rectiligne",
    "annular contact": "linéaire annulaire",
    "point contact": "ponctuelle",
    "parallel axes": "axes parallèles",
    "distance": "barre",
    "defined": "définie",
    "free": "libre",
}


def joint_name(english: str, lang: str) -> str:
    """The name of a type of joint in a language; what has no other name keeps the English one."""
    return _FRENCH.get(english, english) if lang == "fr" else english
