"""The library of forces: declarations by one protocol, in files by what they act on."""
