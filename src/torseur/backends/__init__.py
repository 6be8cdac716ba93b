"""Backends: a program as machine code, or as source code in other languages."""
