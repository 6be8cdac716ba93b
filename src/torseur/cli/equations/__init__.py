"""Commands that write equations: derived, told, checked, exported, and what stays constant."""
