"""The report of a mechanism or of a run: its sections, one file for what each is about."""
