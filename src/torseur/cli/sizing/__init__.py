"""Commands that size machine parts: flywheels, bearings, gearboxes, isolation."""
