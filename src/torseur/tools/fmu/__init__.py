"""FMU of a mechanism: its C code, its description and its archive."""
