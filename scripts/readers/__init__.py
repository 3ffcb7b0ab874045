"""Checks what other people's programs make of our exports."""
