"""Playing games: who sits down, the runner, and each game with its records. Matches, rooms and exams stand on it."""
