"""Commands that find mechanisms: dimensions, masses and ratios for what they shall do."""
