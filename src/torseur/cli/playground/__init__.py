"""Playground: the app as a static page, in which Python runs in the browser."""
