"""Functions of a mechanism as machine code of other processors."""
