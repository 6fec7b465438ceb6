"""For authors of games and of programs: a game to begin from, the doctor, our player as a program."""
