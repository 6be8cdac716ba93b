"""Robots at work: trajectories, what tasks need of joints and motors, smaller models."""
