"""The command `jantaku`: two rooms with one file a command, each with a click command called `command`."""
