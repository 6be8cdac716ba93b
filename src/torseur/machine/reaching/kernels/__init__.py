"""Kernels of inverse kinematics."""
