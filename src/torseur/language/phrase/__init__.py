"""The description phrase of 1980: from one line of text to a mechanism."""
