"""Tests of `table/learn`."""
