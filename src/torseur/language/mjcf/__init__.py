"""MJCF, the format of MuJoCo: read into the YAML form, and written."""
