"""The app: a local server of one page, on which a description is edited and seen."""
