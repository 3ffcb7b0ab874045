"""Commands for contests of more than two bots, which may run for long."""
