"""Commands on bodies that turn: rotors, balancing, free rotation, gyroscopes."""
