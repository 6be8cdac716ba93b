"""Rotors on two bearings: their unbalance and how to balance them."""
