"""Validates untrusted input (files, names, values) against bounds and shapes before anything uses it."""
