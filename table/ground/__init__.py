"""What everything stands on: errors, the clock, the log, the port of players, settings, files of strangers."""
