"""Source code out: the functions of a mechanism as readable text in other languages."""
