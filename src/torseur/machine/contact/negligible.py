"""Negligible sizes: gaps, speeds and changes of rows up to them are rounding."""

TOUCHING = 1e-10  # of the size of a gap: one that is none
INSIDE = 1e-9  # of the size of a gap: how far bodies may overlap at the start
RESTING = 1e-11  # of the usual speed: a speed of a gap, or of a part, that is none
SLIDING = 1e-9  # of the usual speed: what slides slower sticks, if it can
ZENO = 1e-10  # of the time of the mechanism: a rest of bounces that is over at once
LOW = 1e-12  # of the size of a gap: a bounce that rounding hides
GAIN = 1e-12  # of the kinetic energy: what rounding may add at a shock
LEANS = 1e-9  # of the largest change of a row: an open contact that hardly leaves
CLOSE = 1e-11  # of the largest force, or of the largest change of a row: what is none
RANK = 1e-8  # a column beside the largest that counts as nothing
