"""The bank of exercises: entries, answers computed from models, questions asked and marked."""
