"""`python -m torseur` is the command `torseur`."""

from torseur.cli import main

main()
