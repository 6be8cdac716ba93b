"""URDF, the format of ROS: read into the YAML form, and written."""
