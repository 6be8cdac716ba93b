"""The ways to move: joint coordinates, absolute coordinates, driven, phase space, flows."""
