"""The formula of a student compared with the right one."""
