"""What touches, stops or rubs in a mechanism, element by element."""
