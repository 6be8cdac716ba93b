"""Time along paths: blends, scaled times, the least time within limits of joints."""
