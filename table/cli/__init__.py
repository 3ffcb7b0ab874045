"""The command `jantaku`. Each subcommand has a file in one of the folders, with a click command named `command`."""
