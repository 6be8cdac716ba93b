"""Inverse kinematics as machine code: places brought to targets by damped steps."""
