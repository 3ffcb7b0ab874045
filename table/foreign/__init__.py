"""Untrusted input (files, names, values) is validated against bounds and shapes before anything uses it."""
