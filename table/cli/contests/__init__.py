"""Commands for more than two bots: contests that go on for long."""
