"""Sizing of machine parts: flywheels, bearings, gearboxes, isolation, measures of curves."""
