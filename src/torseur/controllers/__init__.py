"""Ready controllers: laws that know a model, for the loop, for a call, as source."""
