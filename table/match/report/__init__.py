"""A match shown to people: report, plots, tables, and where two runs part."""
