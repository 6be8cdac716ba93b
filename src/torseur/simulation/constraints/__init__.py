"""The constraints of a model as functions of numbers: how far, how fast, by which forces."""
