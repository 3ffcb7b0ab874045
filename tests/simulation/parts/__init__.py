"""The parts of the judge, of programs and of rooms that are small enough to be played in every order."""
