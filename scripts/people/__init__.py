"""People at the table, scripted: see `scripts/checks people`."""
