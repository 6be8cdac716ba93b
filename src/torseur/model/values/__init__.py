"""The numbers of a mechanism: values of its expressions, its scales, its fingerprint."""
