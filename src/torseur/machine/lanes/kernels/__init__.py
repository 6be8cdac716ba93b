"""The kernel of lanes: rows taken in, steps tried by all lanes, samples, events, rows finished."""
