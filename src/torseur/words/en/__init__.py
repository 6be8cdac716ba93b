"""What is said in English by a key."""
