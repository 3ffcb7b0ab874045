"""The command `jantaku`, and in `commands/` a file for each command of the core."""
