"""Whether a description makes sense, and what in it is seldom meant."""
