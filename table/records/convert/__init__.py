"""Converts records from one format to another, with a note on everything that a format cannot represent."""
