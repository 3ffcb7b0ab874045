"""Nets at the table: what a seat sees as numbers, many tables in one step, and answers from numbers."""
