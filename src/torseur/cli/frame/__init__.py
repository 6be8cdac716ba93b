"""What every command is made of: a frame, options, files, values in text, and failures told."""
