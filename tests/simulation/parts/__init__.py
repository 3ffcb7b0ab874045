"""The parts of the judge, of programs and of rooms that are small enough to be played in every order."""

from tests.simulation.parts import games, program, remote, seat, threads, turn

PARTS = [*turn.PARTS, *seat.PARTS, *threads.PARTS, *program.PARTS, *remote.PARTS, *games.PARTS]
