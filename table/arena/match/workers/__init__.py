"""Processes and machines that play the hanchan of a match."""
