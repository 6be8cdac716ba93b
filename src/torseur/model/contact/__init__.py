"""What touches, stops or rubs in a mechanism, element by element, and mechanisms in which it holds."""
