"""The record that is looked at here: the short game of the tests on records."""

from tests.record.conftest import game_folder as game_folder
