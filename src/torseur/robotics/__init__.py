"""Robotics: what is asked of arms and other robots beside their equations and their motion."""
