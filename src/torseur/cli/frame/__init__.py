"""Parts shared by all commands: printouts, options, files, values in text, crash reports."""
