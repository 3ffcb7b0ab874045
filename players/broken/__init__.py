"""Players with one vice each, to see what a table does about it. Apart from that vice they discard what they draw."""
