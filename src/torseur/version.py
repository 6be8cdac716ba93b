"""The version of Torseur."""

__version__ = "0.1.0"
