"""The version of Torseur."""

__version__ = "0.2.0"
