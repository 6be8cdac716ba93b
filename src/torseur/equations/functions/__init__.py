"""The functions that are compiled and exported: what each takes, the expressions it evaluates."""
