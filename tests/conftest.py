"""Settings shared by all tests: Hypothesis draws the same examples in every run."""

from hypothesis import settings

settings.register_profile("fixed", derandomize=True, deadline=None, max_examples=30)
settings.load_profile("fixed")
