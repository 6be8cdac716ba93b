"""Where a mechanism can rest or move steadily, all such places, and what holds others."""
