"""How a player is named, with which terms (clock, process, sandbox) it is seated, and how its class is found."""
