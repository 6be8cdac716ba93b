"""Scenes: bodies, joints and ties of a mechanism as solids, their places and motions."""
