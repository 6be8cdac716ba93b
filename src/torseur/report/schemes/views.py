"""From where a scheme can be seen."""

VIEWS = ("auto", "plane", "perspective", "x", "y", "z")
