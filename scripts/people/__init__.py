"""People at the table, scripted: see `python -m scripts.people --help`."""
