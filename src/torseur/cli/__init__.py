"""The command line: text in, a library call, text and an exit code out."""

from torseur.cli.main import main as main
