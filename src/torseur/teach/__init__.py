"""Mechanics as it is taught: derivations step by step, and answers of students checked."""
