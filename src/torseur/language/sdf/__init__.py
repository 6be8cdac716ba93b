"""SDF, the format of Gazebo, with its loops: read into the YAML form."""
