"""Studies: what varies, by which design, what comes out; many samples here or on a cluster."""
