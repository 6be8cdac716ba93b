"""Mass geometry of the bodies of a mechanism: sheets, and symmetries from their shapes."""
