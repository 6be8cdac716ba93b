"""The formalisms: each turns a system into equations."""
