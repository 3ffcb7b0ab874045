"""Output of a match for people: report, plots, tables, and a comparison of two runs."""
